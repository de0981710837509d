"""Stop words are dropped however they are written."""

from __future__ import annotations

import pytest

from sparsebm25.text import STOPWORDS, Analyzer


def test_lucene_list():
    """The list called `lucene` holds its 33 English words, under the name `english` too."""
    assert len(STOPWORDS["lucene"]) == 33
    assert Analyzer(stopwords="english") == Analyzer(stopwords="lucene")
    assert Analyzer(stopwords="lucene")("there is no such thing") == ["thing"]


@pytest.mark.case("U10")
def test_stop_words_are_analyzed_like_text():
    """A stop word with capitals or an apostrophe drops the tokens that it would give."""
    assert Analyzer(stopwords=["Isn't", "The"])("The cat isn't here") == ["cat", "here"]


@pytest.mark.parametrize(
    ("options", "stopwords", "text", "expected"),
    [
        ({}, ["cafe\u0301"], "Café noir", ["noir"]),
        ({"accents": "fold"}, ["über"], "Uber uns", ["uns"]),
        ({"stemmer": "english"}, ["maps"], "maps map", ["map"]),
        ({"case": None}, ["the"], "The the", ["The"]),
        ({}, ["什么"], "什么书", ["么书"]),
        ({"tokens": str.split}, ["isn't"], "it isn't", ["it"]),
    ],
)
def test_stop_words_meet_raw_tokens(options, stopwords, text, expected):
    """Stop words take the same normalizer and tokenizer as a text, and are dropped before stemming."""
    assert Analyzer(stopwords=stopwords, **options)(text) == expected


@pytest.mark.parametrize("stopwords", [["b", "a"], ("a", "b", "a"), {"a", "b"}, iter(["a", "b"])])
def test_any_collection_of_words_is_a_set(stopwords):
    """Lists, tuples, sets and generators of the same words are the same stop words."""
    analyzer = Analyzer(stopwords=stopwords)

    assert analyzer.stopwords == frozenset({"a", "b"})
    assert analyzer.settings()["stopwords"] == ["a", "b"]


def test_an_empty_collection_drops_nothing():
    """Without stop words, even a language that has a list drops nothing."""
    analyzer = Analyzer(language="english", stopwords=())

    assert analyzer("the maps") == ["the", "map"]
    assert analyzer == Analyzer(stemmer="english")


@pytest.mark.parametrize(
    ("stopwords", "error", "message"),
    [
        ("klingon", ValueError, "stopwords must be one of 'lucene', 'english', got 'klingon'"),
        (33, TypeError, "stopwords must be a name or a collection of str, got 33"),
        (["a", None], TypeError, "stopwords must hold str only, got None"),
        (b"ab", TypeError, "stopwords must hold str only, got 9"),
    ],
)
def test_wrong_stop_words_are_refused(stopwords, error, message):
    """The message names what was given and what is allowed."""
    with pytest.raises(error, match=message):
        Analyzer(stopwords=stopwords)
