"""The router's names: words that no name holds are looked for inside names, by character n-grams."""

from __future__ import annotations

import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsebm25.apps import Router

KIN = ("perm", "permit", "permission", "mission", "omission", "audit", "auditing", "aud", "go")
"""Words of which many are parts of others."""


def found(router, query):
    """Return the names of the tools that a search finds."""
    return [candidate.tool for candidate in router.search(query)]


def oracle_score(names, descriptions, query, place, length):
    """Return the score of one tool by words, in its texts and its name, and by n-grams of other words."""
    score = oracle.bm25("lucene-k1+1")
    settings = {"k1": 1.5, "b": 0.75, "delta": 0, "query_tf": "set"}

    def cut(words):
        return [word[start : start + length] for word in words for start in range(len(word) - length + 1)]

    texts = [[*name, *description] for name, description in zip(names, descriptions, strict=True)]
    total = score(texts, query, place, **settings) + score(names, query, place, **settings)
    if length:
        pieces, asked = [cut(name) for name in names], set()
        for word in dict.fromkeys(query):
            distinct = set(cut([word]))
            if not any(word in name for name in names):
                for piece in distinct - asked:
                    total += score(pieces, [piece], place, **settings) / len(distinct)
                asked |= distinct
    return total


@given(
    st.lists(st.tuples(*[st.lists(st.sampled_from(KIN), max_size=3)] * 2), min_size=1, max_size=5),
    st.lists(st.sampled_from(KIN), max_size=4),
    st.sampled_from([0, 3, 4]),
)
def test_scores_are_the_formula(tools, query, length):
    """Scores are sums of BM25 over texts, names, and n-grams in names of the words that no name holds."""
    names, descriptions = zip(*tools, strict=True)
    given_tools = [{"name": " ".join(name), "description": " ".join(text)} for name, text in tools]
    router = Router(given_tools, name_grams=length, language=None, hint_boost=0, stopwords=[])
    expected = [oracle_score(names, descriptions, query, place, length) for place in range(len(tools))]

    candidates = router.search(" ".join(query), len(tools))
    assert [each.score for each in candidates] == pytest.approx(
        sorted((score for score in expected if score > 0), reverse=True)
    )


def test_parts_of_names():
    """A word that no name holds finds the names that abbreviate it or hold it inside another."""
    router = Router([{"name": "perm_audit"}, {"name": "buildworkspace"}, {"name": "lamp"}])

    assert found(router, "who has permissions") == ["perm_audit"]
    assert found(router, "a space to work") == ["buildworkspace"]
    assert router.search("space", explain=True)[0].matches[0][0] == "space"
    assert found(Router([{"name": "perm_audit"}], name_grams=0), "permissions") == []
    assert found(Router([{"name": "perm_audit"}], name_weight=1), "permissions") == []
    assert found(Router([{"name": "lamp", "description": "perm audit"}]), "permissions") == []


def test_words_that_names_hold_find_no_parts():
    """A word that a name holds, as written or by stem, is not looked for inside other names."""
    names = ["spaces", "buildworkspace"]
    router = Router([{"name": name} for name in names])

    assert [found(router, query) for query in ("space", "spaces")] == [names[:1]] * 2
    assert found(router.remove(["spaces"]), "space") == names[1:]


def test_the_cosine_of_parts_counts_as_much_as_their_words():
    """With cosines, a word that is looked for inside names counts half if it is half of the request."""
    router = Router([{"name": "perm"}], ranker="tfidf", hint_boost=0)
    alone, beside = (
        dict(router.search(query, explain=True)[0].matches)["permission"]
        for query in ("permission", "permission perm")
    )

    assert beside == pytest.approx(alone / 2)
