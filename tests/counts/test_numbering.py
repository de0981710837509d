"""Documents are read many at once; what comes out is what each of them says alone."""

from __future__ import annotations

from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsebm25 import Analyzer, _numbering, _token_table, counting
from sparsebm25._numbering import chunks_of
from sparsebm25.counting import count_documents, missing


class Text(str):
    """A text of a type of its own."""


class Tokens(list):
    """A token list of a type of its own."""


class TwoSteps:
    """An analyzer that is not ours, and has our two steps."""

    def __call__(self, text):
        """Return the terms of a text."""
        return [term for token in self.split(text) if (term := self.term(token)) is not None]

    def split(self, text):
        """Return the raw tokens of a text."""
        return text.split(" ")

    def term(self, token):
        """Return the term of a token."""
        return None if len(token) == 2 else Text(token[::-1])


ANALYZERS = {
    "words": Analyzer(),
    "capitals": Analyzer(case=None, normalize=None, cjk="runs"),
    "sklearn": Analyzer(tokens="sklearn", normalize=None),
    "whitespace": Analyzer(tokens="whitespace", case="casefold"),
    "identifiers": Analyzer(tokens="identifiers"),
    "english": Analyzer(language="english"),
    "folded": Analyzer(accents="fold", stopwords=["the", "a"], min_length=2),
    "tokenizer": Analyzer(tokens=str.split, stopwords=["A"]),
    "function": str.split,
    "two steps": TwoSteps(),
}
WORDS = (
    "The",
    "maps",
    "a",
    "I",
    "x1",
    "a_b",
    "é",
    "É",
    "ß",
    "数据",
    "пар",
    "unbelievably_long_name",
    "\x00",
    "\x1c",
)
BLANKS = (" ", "  ", "\n", "\t", "-", "_", "'", "\u00a0", "\x1f", ".")


def texts():
    """Return texts: many in ASCII alone, with all kinds of blanks and signs."""
    words = st.sampled_from(WORDS[:6]) | st.sampled_from(WORDS) | st.text(max_size=4)
    return st.lists(st.tuples(words, st.sampled_from(BLANKS)), max_size=8).map(
        lambda pairs: "".join(map("".join, pairs))
    )


def plain_documents():
    """Return documents of every kind that needs no fields."""
    tokens = st.lists(st.sampled_from(WORDS) | st.text(max_size=3), max_size=6)
    nothing = st.sampled_from([None, float("nan"), np.float32("nan"), "", [], ()])
    return texts() | nothing | tokens | tokens.map(tuple) | tokens.map(Tokens) | texts().map(Text)


def sizes():
    """Return sizes of chunks: of one document, of a few, of all."""
    return st.sampled_from([1, 30, 10**6])


@contextmanager
def chunks(characters, tokens, *, few):
    """Read so many characters at a time, count so many tokens, and never do a few of them in another way."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "CHUNK_CHARACTERS", characters)
        patch.setattr(counting, "CHUNK_TOKENS", tokens)
        if not few:
            patch.setattr(_numbering, "_FEW_CHARACTERS", 0)
            patch.setattr(_token_table, "FEW", 0)
        yield


def alone(document, analyzer):
    """Return the terms of one document."""
    if missing(document):
        return []
    return list(analyzer(document)) if isinstance(document, str) else list(document)


@pytest.mark.parametrize("name", ANALYZERS)
@given(
    documents=st.lists(plain_documents(), max_size=12),
    characters=sizes(),
    tokens=sizes(),
    few=st.booleans(),
)
def test_documents_are_read_as_if_alone(name, documents, characters, tokens, few):
    """Texts, token lists and missing ones in any order give the counts of each document's own terms."""
    analyzer = ANALYZERS[name]
    terms = [alone(document, analyzer) for document in documents]
    expected = sorted({str(term) for each in terms for term in each})
    with chunks(characters, tokens, few=few):
        vocabulary, counts = count_documents(iter(documents), analyzer)

    counts.check()
    assert list(vocabulary) == expected
    assert {type(term) for term in vocabulary} <= {str}
    assert counts.doc_lengths.tolist() == [len(each) for each in terms]
    assert counts.tf.toarray().tolist() == [[each.count(term) for term in expected] for each in terms]


@given(
    st.lists(st.dictionaries(st.sampled_from("abc"), plain_documents()) | st.none(), max_size=8),
    st.sampled_from(["words", "english", "two steps"]),
    sizes(),
    sizes(),
    st.booleans(),
)
def test_fields_are_read_as_if_alone(documents, name, characters, tokens, few):
    """Fields that hold texts, lists of texts or nothing are counted like one field after the other."""
    analyzer = ANALYZERS[name]
    with chunks(characters, tokens, few=few):
        vocabulary, counts = count_documents(documents, analyzer, ("a", "b"))

    counts.check()
    for place, field in enumerate("ab"):
        terms = []
        for document in documents:
            value = (document or {}).get(field)
            parts = value if isinstance(value, list | tuple) else [value]
            terms.append([term for part in parts for term in alone(part, analyzer)])
        assert counts.field_lengths[place].tolist() == [len(each) for each in terms]
        dense = [[each.count(term) for term in vocabulary] for each in terms]
        assert counts.field_matrix(place).toarray().tolist() == dense


@pytest.mark.promise(9)
@pytest.mark.parametrize("name", [None, "words", "function"])
@given(
    documents=st.lists(
        st.sampled_from(["red kite", ["red"], None, ("x", "y")])
        | st.sampled_from(
            [3, b"red", {"red": 1}, ["red", 3], ["red", ["kite"]], [None], ("a", b"c"), {"red"}]
        ),
        max_size=8,
    ),
    characters=sizes(),
    few=st.booleans(),
)
def test_the_first_wrong_document_is_named(name, documents, characters, few):
    """Of several wrong documents and tokens the first one is named, as if it were alone."""
    analyzer = None if name is None else ANALYZERS[name]
    expected = None
    for document in documents:
        try:
            count_documents([document], analyzer)
        except TypeError as error:
            expected = str(error)
            break
    with chunks(characters, 10**6, few=few):
        if expected is None:
            assert count_documents(documents, analyzer)[1].n_docs == len(documents)
        else:
            with pytest.raises(TypeError) as failed:
                count_documents(documents, analyzer)
            assert str(failed.value) == expected


@pytest.mark.parametrize("few", [False, True])
def test_an_error_of_an_analyzer_is_its_own(few):
    """What an analyzer raises reaches the caller as it is."""

    def picky(text):
        if text == "bad":
            raise LookupError("not this one")
        return text.split()

    with chunks(100, 100, few=few), pytest.raises(LookupError, match="not this one"):
        count_documents(["red"] * 40 + ["bad", 3], picky)


@pytest.mark.parametrize("term", [3, b"red"])
def test_a_term_must_be_a_str(term):
    """An analyzer whose terms are of another type is refused."""

    class Wrong(TwoSteps):
        def term(self, token):
            return term

    with pytest.raises(TypeError, match=r"a token must be a str, got (3|b'red') of type"):
        count_documents(["red"], Wrong())


@given(st.lists(texts() | st.lists(texts()) | st.none() | st.dictionaries(st.text(), texts())), sizes())
def test_chunks_are_all_documents_in_order(documents, size):
    """Cutting a stream into chunks loses nothing; none is empty."""
    cut = list(chunks_of(iter(documents), size))

    assert [document for chunk in cut for document in chunk] == documents
    assert all(cut)


@pytest.mark.parametrize(
    ("document", "most"),
    [
        ("x" * 100, 64),
        (["x"] * 13, 64),
        ({"a": "x" * 50, "b": ["x" * 25] * 2}, 64),
        (None, 3_232),
        (3, 3_232),
    ],
)
def test_chunks_are_bounded(document, most):
    """A chunk ends soon after it holds the characters asked for; empty documents are counted too."""
    sizes = [len(chunk) for chunk in chunks_of([document] * 10_000, 3_200)]

    assert max(sizes) <= most
