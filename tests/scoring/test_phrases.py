"""Phrases as they are written, against a search that reads every text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsebm25.scoring.phrases import Phrases
from sparsebm25.text.boundaries import is_cjk, split_at_edges
from sparsebm25.text.tokenize import words

TEXTS = st.text("ab +é数\U0001d400\u0300\0\1", max_size=8)


def edged(text: str) -> list[bool]:
    """Return for each character whether it belongs to a word that has edges."""
    pieces = split_at_edges(text)
    return [bool(place % 2) for place, piece in enumerate(pieces) for _ in piece]


def holds(text: str, phrase: str) -> bool:
    """Return whether a phrase stands in a text: every position is tried, every character compared."""
    text, phrase = (each.translate({0: "\2", 1: "\2"}) for each in (text, phrase))
    inside_text, inside_phrase = [False, *edged(text), False], edged(phrase)
    for at in range(len(text) - len(phrase) + 1):
        if text[at : at + len(phrase)] != phrase:
            continue
        if inside_text[at + 1 : at + 1 + len(phrase)] != inside_phrase:
            continue
        cut_before = inside_phrase and inside_phrase[0] and inside_text[at]
        cut_after = inside_phrase and inside_phrase[-1] and inside_text[at + 1 + len(phrase)]
        if not cut_before and not cut_after:
            return True
    return False


@given(st.lists(st.lists(TEXTS, max_size=3), max_size=6), TEXTS)
def test_phrases_are_found_as_a_reader_finds_them(documents, phrase):
    """The documents that hold a phrase are those in one text of which it stands, edges respected."""
    phrases = Phrases([[split_at_edges(text) for text in texts] for texts in documents])
    expected = [
        place
        for place, texts in enumerate(documents)
        if not phrase or any(holds(text, phrase) for text in texts)
    ]

    assert phrases.holding(split_at_edges(phrase)).tolist() == expected


@pytest.mark.parametrize(
    ("text", "phrase", "found"),
    [
        ("readable code for q.", "q", True),
        ("a vector shop", "r shop", False),
        ("my myself my my", "my my", True),
        ("f## notes", "##", True),
        ("kebab-case", "case", True),
        ("𝐛dna", "dna", False),
        ("matplotlib3 guide", "matplotlib", False),
        ("深度学习入门", "学习", True),
    ],
)
def test_edges_of_phrases(text, phrase, found):
    """A word of a phrase is not found inside of a longer one, a sign or an unspaced run is."""
    assert (Phrases([[split_at_edges(text)]]).holding(split_at_edges(phrase)).size == 1) is found


def test_a_phrase_does_not_span_texts():
    """Neither two texts of a document nor two documents are read as one."""
    phrases = Phrases([[split_at_edges("red"), split_at_edges("kite")], [split_at_edges("+")], [["+"]]])

    assert phrases.holding(split_at_edges("red kite")).tolist() == []
    assert phrases.holding(["++"]).tolist() == []


@given(TEXTS)
def test_pieces_are_the_text(text):
    """Gaps and words in turn make up the text, and the words are those that have edges."""
    pieces = split_at_edges(text)

    assert "".join(pieces) == text
    assert pieces[1::2] == [word for word in words(text, cjk="runs") if not is_cjk(word)]
