"""Faults of other libraries in what a word is, seen from the whole index: is the document found?"""

from __future__ import annotations

import math
import unicodedata

import pytest
from cases.tiny import exact, ids
from equality import assert_same_hits
from numpy.testing import assert_allclose

from sparsebm25 import Analyzer, BM25Index

NAMES = Analyzer(tokens="identifiers")


def toy_stem(token: str) -> str:
    """Return a token without a final s."""
    return token.removesuffix("s")


FINDS = [
    pytest.param(
        ["найти отчёт", "найти счёт"], "ОТЧЁТ", [0], {}, marks=pytest.mark.case("U01"), id="cyrillic"
    ),
    pytest.param(["검색 도구 목록", "날씨"], "도구", [0], {}, marks=pytest.mark.case("U01"), id="hangul"),
    pytest.param(["naïve", "na ve"], "naïve", [0], {}, marks=pytest.mark.case("U01"), id="accented"),
    pytest.param(["खोज इंजन", "खज"], "खोज", [0], {}, marks=pytest.mark.case("U02"), id="vowel signs"),
    pytest.param(
        ["数据检索工具", "天气预报"], "检索", [0], {}, marks=pytest.mark.case("U03"), id="han inside a run"
    ),
    pytest.param(
        ["load header", "parseHTTPHeader", "http"],
        "header",
        [0, 1],
        {"analyzer": NAMES},
        marks=pytest.mark.case("U05"),
        id="part of a name",
    ),
    pytest.param(
        ["load_user load_profile user profile", "load_user_profile"],
        "load_user_profile",
        [1, 0],
        {"analyzer": NAMES},
        marks=pytest.mark.case("U05"),
        id="whole name first",
    ),
    pytest.param(
        ["InvoiceService", "service"],
        "invoice",
        [0],
        {"analyzer": NAMES},
        marks=pytest.mark.case("U06"),
        id="hump",
    ),
    pytest.param(
        ["calendar_add_event", "calendar_list_events", "mail_send"],
        "add event",
        [0],
        {"analyzer": NAMES},
        marks=pytest.mark.case("U07"),
        id="tool by its words",
    ),
    pytest.param(
        ["maps", "oak"],
        "maps",
        [0],
        {"analyzer": Analyzer(stemmer=toy_stem)},
        marks=pytest.mark.case("U11"),
        id="stemmed on both sides",
    ),
    pytest.param(
        ["The lamp.", "a light"], "LAMP", [0], {}, marks=pytest.mark.case("U12"), id="case and dots"
    ),
    pytest.param(
        ["Straße", "Strand"],
        "STRASSE",
        [0],
        {"analyzer": Analyzer(case="casefold")},
        marks=pytest.mark.case("U15"),
        id="sharp s",
    ),
    pytest.param(
        ["redis缓存", "缓冲"], "redis", [0], {}, marks=pytest.mark.case("U16"), id="latin glued to han"
    ),
    pytest.param(
        ["theme editor", "the end"], "the", [1], {}, marks=pytest.mark.case("U17"), id="whole words"
    ),
]


@pytest.mark.parametrize(("documents", "query", "expected", "settings"), FINDS)
def test_the_query_finds_its_document(documents, query, expected, settings):
    """A word in any script or case, or a part of a name, finds exactly the documents that hold it."""
    assert ids(exact(*documents, **settings).search(query)) == expected


@pytest.mark.case("U04")
def test_composed_and_decomposed_words_meet():
    """A word finds its document whichever of the two is composed, with the same bits."""
    forms = [unicodedata.normalize(form, "résumé") for form in ("NFC", "NFD")]
    assert forms[0] != forms[1]
    found = [exact(stored, "other").search(asked) for stored in forms for asked in forms]

    for hits in found:
        assert ids(hits) == [0]
        assert_same_hits(hits, found[0])
    assert ids(exact("Ａ", "b", analyzer=Analyzer(normalize="NFKC")).search("a")) == [0]


@pytest.mark.case("U13")
def test_symbol_words_keep_their_signs():
    """C# is a word of its own, as rare as its documents say."""
    hits = exact("c# guide", "c++ guide", "c guide", analyzer=NAMES).search("c#")

    assert ids(hits) == [0]
    assert_allclose(hits.scores, [0.4 * math.log(8 / 3)], rtol=1e-12)


@pytest.mark.case("U14")
def test_a_tokenizer_of_ones_own_equals_its_tokens():
    """Any function from text to tokens serves, and gives what its token lists give."""
    documents = ["Tin-kite x", "tin kite", "Tin-kite Tin-kite"]
    own = exact(*documents, analyzer=str.split)
    tokens = exact(*(document.split() for document in documents), analyzer=None)

    assert_same_hits(own.search("Tin-kite x"), tokens.search(["Tin-kite", "x"]))
    assert len(own.search("tin-kite")) == 0
    assert isinstance(own, BM25Index)
