"""Texts in ASCII that are split all at once have the tokens that each has alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsebm25 import Analyzer
from sparsebm25.text._spans import ascii_splitter, keeps_tokens

ANALYZERS = [
    Analyzer(tokens=tokens, case=case, normalize=form, accents=accents)
    for tokens in ("words", "sklearn", "whitespace")
    for case in ("lower", "casefold", None)
    for form, accents in (("NFKD", "fold"), (None, "keep"))
]


def assert_split_alike(analyzer, texts):
    """Compare what texts give together with what each gives alone."""
    spans, lengths = ascii_splitter(analyzer)(texts)
    each = [analyzer.split(text) for text in texts]

    assert spans.texts() == [token for tokens in each for token in tokens]
    assert lengths.tolist() == [len(tokens) for tokens in each]


@pytest.mark.parametrize("analyzer", ANALYZERS, ids=repr)
def test_every_character(analyzer):
    """Each of the 128 characters is taken as by `split`, at the edges of a text and inside."""
    signs = [chr(code) for code in range(128)]
    assert_split_alike(
        analyzer, [text for sign in signs for text in (sign, f"A{sign}b", f"{sign}ab{sign}", "")]
    )


@given(
    st.lists(st.text(st.characters(max_codepoint=127), max_size=12), max_size=8), st.sampled_from(ANALYZERS)
)
def test_any_texts(texts, analyzer):
    """Texts do not grow together, and none is lost."""
    assert_split_alike(analyzer, texts)


@pytest.mark.parametrize(
    "analyzer", [None, str.split, Analyzer(tokens="identifiers"), Analyzer(tokens=str.split)], ids=repr
)
def test_others_split_alone(analyzer):
    """Tokens that are more than characters between blanks are found text by text."""
    assert ascii_splitter(analyzer) is None


def test_an_analyzer_with_a_method_of_its_own_splits_alone():
    """A derived class may split in another way."""

    class Own(Analyzer):
        pass

    assert ascii_splitter(Own()) is None
    assert not keeps_tokens(Own())


@pytest.mark.parametrize(
    ("analyzer", "keeps"),
    [
        (Analyzer(), True),
        (Analyzer(tokens="identifiers", stopwords=()), True),
        (Analyzer(language="english"), False),
        (Analyzer(stopwords=["the"]), False),
        (Analyzer(stemmer=str.upper), False),
        (Analyzer(min_length=2), False),
        (str.split, False),
        (None, False),
    ],
    ids=repr,
)
def test_analyzers_that_keep_their_tokens(analyzer, keeps):
    """Raw tokens are terms where there are no stop words, no stemmer and no minimum length."""
    assert keeps_tokens(analyzer) is keeps
    if keeps:
        assert all(analyzer.term(token) == token for token in ("a", "the", "maps"))
