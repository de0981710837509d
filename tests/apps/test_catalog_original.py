"""The original rules in plain Python, and each of them with an example of its own."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsebm25.apps.catalog import Catalog

FIELDS = {"name": 3, "tags": 2, "description": 1}

FILLER = """
    a about an and any are baam be by can do does find for from help how i in into is it its looking
    marketplace me my need of on or please search some that the this to use using via want what which with
"""

VOWEL_SIGN, VIRAMA = "\u0940", "\u094d"  # one is Alphabetic, the other is not; Python's isalnum refuses both


def in_word(character: str) -> bool:
    """Return whether a character of the generated texts is Alphabetic or a number."""
    return character.isalnum() or character == VOWEL_SIGN


def split(text: str) -> list[str]:
    """Return the runs of such characters."""
    return "".join(character if in_word(character) else " " for character in text).split(" ")


def words_of(text: str) -> list[str]:
    """Return the words: split, then made small."""
    return [word.lower() for word in split(text) if word]


def strength(term: str, word: str, half_word: bool) -> int:
    """Return how well a term matches a word."""
    if term == word:
        return 3
    if len(term) >= 3 and word.startswith(term):
        return 2
    if len(term) >= 3 and term in word:
        return int(not half_word or len(term) >= 4 or 2 * len(term) >= len(word))
    return 0


def with_plural(term: str, word: str, half_word: bool) -> int:
    """Return the strength of a term, or if it has none that of the term without its s."""
    found, stem = strength(term, word, half_word), term[:-1]
    if not found and term.endswith("s") and len(stem) >= 3 and not stem.endswith("s"):
        return strength(stem, word, half_word)
    return found


def written(text: str, phrase: str) -> bool:
    """Return whether a phrase stands in a small text with no letter next to a letter at its ends."""
    for at in range(len(text) - len(phrase) + 1):
        end = at + len(phrase)
        if text[at:end] == phrase:
            before = at > 0 and in_word(text[at - 1]) and in_word(phrase[0])
            after = end < len(text) and in_word(text[end]) and in_word(phrase[-1])
            if not before and not after:
                return True
    return False


def ranked(entries, query, noise, half_word):
    """Return the terms, and place, matched terms and key of each hit."""
    phrase = query.strip().lower()
    if not phrase:
        return [], [(place, (), None) for place in range(len(entries))]
    all_words = list(dict.fromkeys(words_of(query)))
    terms = [word for word in all_words if word not in {*FILLER.split(), *noise}] or all_words
    hits = []
    for place, entry in enumerate(entries):
        texts = [(entry["name"], 3), (entry["description"], 1), *((tag, 2) for tag in entry["tags"])]
        values = {
            term: max(
                (
                    with_plural(term, word, half_word) * weight
                    for text, weight in texts
                    for word in words_of(text)
                ),
                default=0,
            )
            for term in terms
        }
        matched = tuple(term for term in terms if values[term])
        as_written = any(written(text.lower(), phrase) for text, _ in texts)
        if as_written or matched:
            hits.append((place, matched, (as_written, len(matched), sum(values.values()))))
    return terms, sorted(hits, key=lambda hit: [-part for part in hit[2]])


WORDS = st.sampled_from(
    [
        "plot",
        "plots",
        "plotting",
        "subplots",
        "plotxplots",
        "r",
        "rna",
        "scrna",
        "class",
        "the",
        "tool",
        "İo",
        "ΟΔΟΣ",
        "数据",
        "a",
    ]
)
GAPS = st.sampled_from([" ", "  ", "-", "_", "++", ".", "'", VOWEL_SIGN, VIRAMA, "\u0301", ""])
TEXTS = st.lists(st.tuples(WORDS, GAPS), max_size=4).map(lambda parts: "".join(map("".join, parts)))
RECASED = st.tuples(TEXTS, st.sampled_from([str, str.upper, str.title])).map(lambda pair: pair[1](pair[0]))
ENTRIES = st.lists(
    st.fixed_dictionaries({"name": RECASED, "tags": st.lists(RECASED, max_size=2), "description": RECASED}),
    max_size=6,
)


@given(ENTRIES, RECASED, st.sampled_from([(), ("tool",)]), st.booleans())
def test_compatible_ranking_is_the_original(entries, query, noise, half_word):
    """Terms, hits, matched terms and keys are those of the rules, read literally entry by entry."""
    terms, hits = ranked(entries, query, noise, half_word)
    ranking = Catalog(entries, FIELDS, noise=noise, compatible=True, half_word=half_word).rank(query)

    places = {id(entry): place for place, entry in enumerate(entries)}

    assert list(ranking.terms) == terms
    assert [(places[id(hit.entry)], hit.matched_terms, hit.key) for hit in ranking.hits] == hits


def names(entries, query, **settings):
    """Return the names of what a compatible catalog finds."""
    return [
        hit.entry["name"] for hit in Catalog(entries, FIELDS, compatible=True, **settings).rank(query).hits
    ]


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("matplotlib3, Matplotlib3", ("matplotlib3",)),
        ("find me a tool for Q", ("q",)),
        ("the tools", ("the", "tools")),
        ("load_user parseHeader", ("load", "user", "parseheader")),
        ("cafe\u0301 blend", ("cafe", "blend")),
        ("हिन्दी", ("हिन", "दी")),
        ("Ⓐ-list", ("ⓐ", "list")),
        ("--", ()),
    ],
)
def test_terms(query, terms):
    """Terms are distinct words in order without filler and noise, unless nothing else is left."""
    assert Catalog([], compatible=True, noise=["tool", "tools"]).terms(query) == terms


def test_strength_and_place():
    """A whole word counts more than a beginning, that more than a part; a name more than a label or prose."""
    entries = [
        {"name": "p", "description": "bookstore"},
        {"name": "w", "description": "a store"},
        {"name": "l", "tags": ["store"]},
        {"name": "storefront"},
        {"name": "b", "description": "storehouse"},
    ]
    hits = Catalog(entries, FIELDS, compatible=True).rank("stores")

    assert {hit.entry["name"]: hit.score for hit in hits.hits} == {
        "p": 1,
        "w": 3,
        "l": 6,
        "storefront": 6,
        "b": 2,
    }


def test_the_plural_comes_first():
    """A term that matches a word itself is not matched by its singular, which might match better."""
    assert Catalog([{"name": "kitexkites"}], FIELDS, compatible=True).rank("kites").hits[0].score == 3


def test_short_terms_are_whole_words():
    """A term of fewer than three characters matches no part of a word."""
    assert names([{"name": "Golang"}, {"name": "Go"}, {"name": "Cargo"}], "go") == ["Go"]


def test_how_often_does_not_matter():
    """An entry gains nothing by repeating a word."""
    entries = [{"name": "x", "description": "kite"}, {"name": "y", "description": "kite kite kite"}]

    assert [hit.key for hit in Catalog(entries, FIELDS, compatible=True).rank("kite").hits] == [
        (True, 1, 3)
    ] * 2


def test_order_of_keys():
    """As written comes before more terms, these before the score, equal ones in the given order."""
    entries = [
        {"name": "Glass Jar", "description": ""},
        {"name": "m", "description": "jars of glass, glassy"},
        {"name": "n", "description": "jars of glass, glassy"},
        {"name": "o", "description": "a glass-jar"},
        {"name": "p", "description": "a glass jar"},
        {"name": "Jar", "description": ""},
    ]

    assert names(entries, "glass jar") == ["Glass Jar", "p", "o", "m", "n", "Jar"]


def test_an_original_infix_needs_no_half():
    """By the first rule a term of three characters is in any longer word, by the later one in half of it."""
    entries = [{"name": "xyzzyplughcat"}, {"name": "bobcat"}]

    assert names(entries, "cat") == ["xyzzyplughcat", "bobcat"]
    assert names(entries, "cat", half_word=True) == ["bobcat"]


def test_labels_of_the_license():
    """Labels that say no more than the license are not searched, if the license's field is named."""
    entries = [
        {"name": "one", "tags": ["BSD-3-Clause", "plots"], "license": "BSD-3-Clause"},
        {"name": "two", "tags": ["bsd sockets"], "license": "BSD-3-Clause"},
        {"name": "three", "tags": ["BSD"], "license": None},
    ]

    assert names(entries, "bsd") == ["one", "two", "three"]
    assert names(entries, "bsd", license_field="license") == ["two", "three"]


def test_text_that_is_none_is_passed_over():
    """A compatible catalog reads what is text, and skips missing and wrong fields."""
    entries = [{"name": "kite", "tags": None, "description": 7}, {"title": "kite"}, {"name": ["kite", 3]}]

    assert len(Catalog(entries, FIELDS, compatible=True).rank("kite").hits) == 2


def test_the_oracle_alphabet_is_that_of_the_catalog():
    """Circled letters and vowel signs are in words; accents and viramas of their own split them."""
    for character in f"aé7²ⅷⓐ{VOWEL_SIGN}":
        assert Catalog([], compatible=True).terms(f"x{character}x") == (f"x{character}x",)
    for character in f"\u0301{VIRAMA}_-' ":
        assert not re.fullmatch(r"[^\W_]", character)
        assert Catalog([], compatible=True).terms(f"x{character}y") == ("x", "y")
