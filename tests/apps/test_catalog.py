"""What a catalog does by default: the contract, what it lifts, and what it refuses."""

from __future__ import annotations

import pickle
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsebm25.apps.catalog import Catalog


def names(entries, query, **settings):
    """Return the names of what a query finds, best first."""
    return [hit.entry["name"] for hit in Catalog(entries, **settings).rank(query).hits]


def scores(entries, query, **settings):
    """Return the score of each name that a query finds."""
    return {hit.entry["name"]: hit.score for hit in Catalog(entries, **settings).rank(query).hits}


@pytest.mark.parametrize("query", ["crème", "creme", "CRE\u0300ME", "cre\u0300me"])
def test_accents_and_forms_meet(query):
    """Composed, decomposed and missing accents are one word, as written too."""
    entries = [{"name": "Crème"}, {"name": "Cre\u0300me"}, {"name": "creme"}, {"name": "crema"}]
    hits = Catalog(entries).rank(query).hits

    assert [hit.key[:3] for hit in hits] == [(True, 1, 9)] * 3


def test_marks_belong_to_their_words():
    """A word of an Indic script is not cut at its virama."""
    assert Catalog([]).terms("हिन्दी खोज") == ("हिन्दी", "खोज")


def test_short_terms_match_inside_unspaced_runs():
    """A term of one or two Chinese characters is found inside of a run, the whole run comes first."""
    entries = [{"name": "深度学习入门"}, {"name": "学习"}, {"name": "redis学习"}, {"name": "入门"}]

    assert scores(entries, "学习") == {"学习": 9, "redis学习": 9, "深度学习入门": 3}
    assert names(entries, "门") == ["深度学习入门", "入门"]
    assert [hit.key[0] for hit in Catalog(entries).rank("学习").hits] == [True] * 3


def test_short_latin_terms_are_whole_words():
    """The rule of short terms holds for scripts with spaces."""
    assert names([{"name": "Golang"}, {"name": "Go"}], "go") == ["Go"]


@pytest.mark.parametrize(
    ("singular", "plural"), [("query", "queries"), ("box", "boxes"), ("cache", "caches"), ("plot", "plots")]
)
def test_plurals_meet_both_ways(singular, plural):
    """Singular and plural are equally good, whichever was asked for."""
    entries = [{"name": singular.title()}, {"name": plural.title()}]

    assert scores(entries, singular) == scores(entries, plural) == {singular.title(): 9, plural.title(): 9}


@pytest.mark.parametrize(("query", "name"), [("class", "clas"), ("gis", "gi"), ("was", "wa")])
def test_not_every_s_is_a_plural(query, name):
    """A double s and a stem of fewer than three characters are left alone."""
    assert names([{"name": name}], query) == []


def test_rarity_breaks_ties():
    """Of entries with equally many terms and equal scores, the one with the rarer term comes first."""
    entries = [{"name": "red mug"}, {"name": "red pot"}, {"name": "green mug"}, {"name": "red hat"}]
    hits = Catalog(entries).rank("red green").hits

    assert [hit.entry["name"] for hit in hits] == ["green mug", "red mug", "red pot", "red hat"]
    assert len({hit.key[:3] for hit in hits}) == 1
    assert names(entries, "red green", compatible=True)[0] == "red mug"


def test_rarity_counts_what_can_be_seen():
    """Entries that may not be seen do not make a word common."""
    entries = [*({"name": f"green {n}"} for n in range(5)), {"name": "red a"}, {"name": "red b"}]
    visible = np.array([True] + [False] * 4 + [True, True])

    assert Catalog(entries).rank("red green").hits[0].entry["name"] == "red a"
    assert Catalog(entries).rank("red green", visible=visible).hits[0].entry["name"] == "green 0"


def test_hidden_entries_change_nothing():
    """Ranking what may be seen equals ranking a catalog of it, keys included; a function says the same."""
    entries = [{"name": f"kite {n}", "tags": ["red"] * (n % 2), "secret": n % 3 == 0} for n in range(9)]
    open_ones = [entry for entry in entries if not entry["secret"]]
    alone = Catalog(open_ones).rank("red kite")
    mask = np.array([not entry["secret"] for entry in entries])

    for visible in (mask, mask.tolist(), lambda entry: not entry["secret"]):
        assert list(Catalog(entries).rank("red kite", visible=visible).hits) == list(alone.hits)
    assert [hit.entry for hit in Catalog(entries).rank(" ", visible=mask).hits] == open_ones


def test_blanks_are_alike():
    """Line breaks and repeated spaces of a text or a query do not keep a phrase from standing there."""
    entries = [{"name": "a", "description": "heat\n  maps"}]

    assert Catalog(entries).rank("heat   maps").hits[0].key[0] is True


def test_signs_are_found():
    """A query without words finds what holds it as written, without terms and score."""
    ranking = Catalog([{"name": "C++ style"}, {"name": "C style"}]).rank("++")

    assert ranking.terms == ()
    assert [(hit.entry["name"], hit.matched_terms, hit.score) for hit in ranking.hits] == [
        ("C++ style", (), 0)
    ]


@pytest.mark.parametrize("query", [None, "", " \n", "\u00ad"])
def test_blank_queries_list_everything(query):
    """A query of nothing lists all entries in their order, without keys."""
    ranking = Catalog([{"name": "b"}, {"name": "a"}]).rank(query)

    assert ranking.terms == ()
    assert [tuple(hit[1:]) for hit in ranking.hits] == [((), None, 0)] * 2
    assert [hit.entry["name"] for hit in ranking.hits] == ["b", "a"]


@pytest.mark.parametrize("query", ["kite", "+", None])
def test_an_empty_catalog(query):
    """A catalog without entries finds nothing."""
    assert len(Catalog([]).rank(query).hits) == 0
    assert len(Catalog([{"name": ""}, {"name": None}]).rank("kite").hits) == 0


def test_filler_and_noise_in_any_spelling():
    """Noise words are read like a query."""
    assert Catalog([], noise=["Möbel", "two-part"]).terms("mobel for two kites in part") == ("kites",)


def test_half_words_are_asked_for():
    """A short term inside of a word needs half of it, unless the rule is switched off."""
    entries = [{"name": "xyzzyplughcat"}, {"name": "bobcat"}]

    assert names(entries, "cat") == ["bobcat"]
    assert names(entries, "cat", half_word=False) == ["xyzzyplughcat", "bobcat"]


def test_fields_and_weights():
    """Only the named fields are searched, by their weights; fractions are weights too."""
    entries = [{"title": "kite", "body": "mug"}, {"title": "mug", "body": "kite", "name": "kite"}]
    hits = Catalog(entries, {"title": 1, "body": 2.5}).rank("kite").hits

    assert [hit.score for hit in hits] == [7.5, 3.0]


def test_entries_of_any_kind():
    """Objects with attributes are entries too, and are handed back themselves."""

    @dataclass
    class Skill:
        name: str
        tags: tuple[str, ...] = ()

    skill = Skill("Heat Maps", ("plots",))

    assert Catalog([skill]).rank("plot").hits[0].entry is skill


@given(st.lists(st.text("ab c-é数\0\u0130", max_size=6), max_size=6), st.text("ab c-é数\0\u0130", max_size=6))
def test_any_text_is_safe(texts, query):
    """No text breaks a catalog, a page begins its ranking, and every hit has a reason."""
    catalog = Catalog([{"name": text, "tags": texts[:2]} for text in texts])
    hits = list(catalog.rank(query).hits)

    assert list(catalog.page(query, limit=2).rows) == hits[:2]
    assert catalog.page(query).total == len(hits)
    assert all(hit.key is None or hit.key[0] or hit.matched_terms for hit in hits)


def test_a_catalog_can_be_pickled():
    """A copy from a pickle ranks alike."""
    catalog = Catalog([{"name": "Red Kite"}, {"name": "kites"}])

    assert list(pickle.loads(pickle.dumps(catalog)).rank("kite").hits) == list(catalog.rank("kite").hits)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"entries": "kite"}, TypeError, "entries must be an iterable of mappings or objects, got 'kite'"),
        ({"entries": {"name": "a"}}, TypeError, "entries must be an iterable"),
        ({"entries": 3}, TypeError, "entries must be an iterable"),
        (
            {"entries": [{"name": "a"}, {"title": "b"}]},
            ValueError,
            "entry 1 has none of the fields name, tags",
        ),
        ({"entries": ["kite"]}, ValueError, "entry 0 has none of the fields"),
        (
            {"entries": [{"name": 7}]},
            TypeError,
            "field 'name' of entry 0 must be a str or a list of str, got 7",
        ),
        ({"entries": [{"tags": ["a", None]}]}, TypeError, "field 'tags' of entry 0 must be .* got None"),
        ({"entries": [{"name": b"a"}]}, TypeError, "field 'name' of entry 0 must be .* got b'a'"),
        ({"fields": ["name"]}, TypeError, "fields must be a mapping from field to weight"),
        ({"fields": {}}, ValueError, "fields must name at least one field"),
        ({"fields": {7: 1}}, TypeError, "a field must be a str, got 7"),
        ({"fields": {"name": "3"}}, TypeError, "the weight of field 'name' must be a number, got '3'"),
        (
            {"fields": {"name": float("nan")}},
            ValueError,
            "the weight of field 'name' must be a finite number",
        ),
        ({"fields": {"name": 0}}, ValueError, "the weight of field 'name' must be above 0, got 0"),
        ({"fields": {"name": -1}}, ValueError, "the weight of field 'name' must be above 0, got -1"),
        ({"noise": "skill"}, TypeError, "noise must be a collection of words, got 'skill'"),
        ({"noise": [3]}, TypeError, "noise must hold str only, got 3"),
    ],
)
def test_wrong_catalogs_are_refused(arguments, error, message):
    """Wrong entries, fields and noise are refused with what was given and what is allowed."""
    with pytest.raises(error, match=message):
        Catalog(**{"entries": [], **arguments})


@pytest.mark.parametrize(
    ("visible", "message"),
    [
        ([True], r"visible must be a callable or 2 booleans, one an entry, got dtype bool of shape \(1,\)"),
        ([1, 0], "visible must be .* got dtype int64"),
        ("ab", "visible must be"),
    ],
)
def test_wrong_masks_are_refused(visible, message):
    """A mask has one boolean for each entry."""
    with pytest.raises(ValueError, match=message):
        Catalog([{"name": "a"}, {"name": "b"}]).rank("a", visible=visible)


@pytest.mark.parametrize("query", [7, ["kite"], b"kite"])
def test_wrong_queries_are_refused(query):
    """A query is a text."""
    with pytest.raises(TypeError, match="query must be a str or None, got"):
        Catalog([{"name": "a"}]).rank(query)
