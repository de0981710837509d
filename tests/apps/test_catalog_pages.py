"""Pages of a ranking or a listing, and what they say where nothing was found."""

from __future__ import annotations

import json

import pytest

from sparsebm25.apps.catalog import Catalog, Wording

HINT = "try a shorter or more general term (one tool, language or topic name), or"

ENTRIES = [{"name": f"kite {number}"} for number in range(7)] + [{"name": "mug"}]


@pytest.mark.parametrize("query", ["kite", None])
def test_pages_make_up_the_ranking(query):
    """Following `next_offset` gives every hit once, in the order of the ranking."""
    catalog = Catalog(ENTRIES)
    hits, offset = [], 0
    while offset is not None:
        page = catalog.page(query, offset, 3)
        assert page.returned == len(page.rows) <= 3
        hits += page.rows
        offset = page.next_offset

    assert hits == list(catalog.rank(query).hits)
    assert page.total == len(hits)


@pytest.mark.parametrize("offset", [7, 100])
def test_an_offset_past_the_end(offset):
    """The page is empty and the last one; there is no guidance, because there are hits."""
    page = Catalog(ENTRIES).page("kite", offset)

    assert (page.total, page.returned, page.next_offset, page.guidance) == (7, 0, None, None)


def test_a_page_of_a_search_as_json():
    """A search tells terms, and matched terms and score of each row."""
    page = Catalog(ENTRIES).page("a red mug").to_dict()

    assert json.loads(json.dumps(page)) == {
        "total": 1,
        "offset": 0,
        "limit": 20,
        "returned": 1,
        "next_offset": None,
        "rows": [{"entry": {"name": "mug"}, "matched_terms": ["mug"], "score": 9}],
        "terms": ["red", "mug"],
    }


def test_a_page_of_the_listing_as_json():
    """A listing has rows of entries only."""
    page = Catalog(ENTRIES).page(limit=1).to_dict()

    assert page == {
        "total": 8,
        "offset": 0,
        "limit": 1,
        "returned": 1,
        "next_offset": 1,
        "rows": [{"entry": {"name": "kite 0"}}],
    }


@pytest.mark.parametrize(
    ("query", "n_visible", "guidance"),
    [
        (
            "pot jar",
            8,
            "No entry matched any of the terms `pot`, `jar`. 8 entries are visible, so this does not mean "
            f"none of them is relevant: {HINT} ask with no query to list them all.",
        ),
        (
            "pot",
            1,
            "No entry matched any of the terms `pot`. 1 entry is visible, so this does not mean it is "
            f"irrelevant: {HINT} ask with no query to list it.",
        ),
        (
            "kite",
            0,
            "No entry matched any of the terms `kite`: no entry is visible, so there was nothing to search.",
        ),
        (" # ", 0, "No entry matched the query `#`: no entry is visible, so there was nothing to search."),
    ],
)
def test_guidance(query, n_visible, guidance):
    """A search that finds nothing says what was looked for, among how many, and what to try."""
    visible = [False] * (8 - n_visible) + [True] * n_visible
    page = Catalog(ENTRIES).page(query, visible=visible)

    assert page.total == 0
    assert page.to_dict()["guidance"] == guidance


def test_own_words_for_the_guidance():
    """The catalog's owner says what entries are called and how they are listed."""
    wording = Wording("plugin", "plugins", kind="known", state="installed", listing="call list_plugins")

    assert Catalog(ENTRIES, wording=wording).page("pot").guidance == (
        "No known plugin matched any of the terms `pot`. 8 plugins are installed, so this does not mean none "
        f"of them is relevant: {HINT} call list_plugins to list them all."
    )


@pytest.mark.parametrize(("asked", "given"), [(0, 1), (1, 1), (50, 50), (51, 50), (10**6, 50)])
def test_compatible_limits_are_clamped(asked, given):
    """A compatible catalog clamps the limit to 1 to 50 and says so; by default it is taken as it is."""
    assert Catalog(ENTRIES, compatible=True).page("kite", limit=asked).limit == given
    if asked:
        assert Catalog(ENTRIES).page("kite", limit=asked).limit == asked


def test_compatible_pages_of_signs():
    """A compatible page takes a query without words for the listing; by default it is searched."""
    entries = [*ENTRIES, {"name": "C++"}]

    assert Catalog(entries, compatible=True).page("++").to_dict().keys().isdisjoint({"terms", "guidance"})
    assert Catalog(entries, compatible=True).page("++").total == 9
    assert Catalog(entries).page("++").total == 1


@pytest.mark.parametrize("compatible", [False, True])
@pytest.mark.parametrize(
    ("paging", "error", "message"),
    [
        ({"offset": -1}, ValueError, "offset must be an integer >= 0, got -1"),
        ({"limit": -5}, ValueError, "limit must be an integer >= [01], got -5"),
        ({"limit": 2.5}, TypeError, "limit must be an integer, got 2.5"),
        ({"offset": None}, TypeError, "offset must be an integer, got None"),
    ],
)
def test_wrong_pages_are_refused(compatible, paging, error, message):
    """Negative and fractional offsets and limits are refused."""
    with pytest.raises(error, match=message):
        Catalog(ENTRIES, compatible=compatible).page("kite", **paging)


def test_a_page_has_room_for_an_entry():
    """By default a limit of 0 is refused: its next page would be itself."""
    with pytest.raises(ValueError, match="limit must be an integer >= 1, got 0"):
        Catalog(ENTRIES).page("kite", limit=0)
