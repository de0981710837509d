"""The recorded behavior of the original catalog search, row by row."""

from __future__ import annotations

import json

import pytest

from sparsebm25.apps.catalog import Catalog

SECTIONS = {
    "ranking_vectors": 31,
    "written_vectors": 8,
    "strength_vectors_later_rule": 9,
    "license_label_vectors_later_rule": 9,
    "terms_vectors": 9,
    "page_vectors": 7,
}
"""Section -> number of rows."""


def rows_of(section):
    """Return the places of the rows of a section, as parameters of a test."""
    return pytest.mark.parametrize("row", range(SECTIONS[section]), ids=lambda row: f"row{row}")


@pytest.fixture(scope="session")
def vectors(shared_data):
    """Return the recorded behavior."""
    path = shared_data.parent / "behaviours" / "catalog_vectors.json"
    if not path.exists():
        pytest.skip(f"needs {path.name} beside the collections")
    return json.loads(path.read_text("utf-8"))


def catalog_of(vectors, name, noise):
    """Return a compatible catalog of a recorded one."""
    recorded = vectors["catalogs"][name]
    return Catalog(recorded["entries"], dict(recorded["fields"]), noise=noise, compatible=True)


def name_of(entry):
    """Return what the rows call an entry."""
    return entry.get("id", entry["name"])


def test_every_row_is_a_test(vectors):
    """The sections have as many rows as are tested here."""
    assert {section: len(vectors[section]) for section in SECTIONS} == SECTIONS


@rows_of("ranking_vectors")
def test_ranking(vectors, row):
    """Terms, hits, matched terms and keys are the recorded ones."""
    vector = vectors["ranking_vectors"][row]
    ranking = catalog_of(vectors, vector["catalog"], vector["noise"]).rank(vector["query"])
    hits = [
        {
            "entry": name_of(hit.entry),
            "matchedTerms": list(hit.matched_terms),
            "key": None if hit.key is None else list(hit.key),
        }
        for hit in ranking.hits
    ]

    assert list(ranking.terms) == vector["terms"]
    assert hits == vector["hits"]


@rows_of("terms_vectors")
def test_terms(vectors, row):
    """A query is read as recorded."""
    vector = vectors["terms_vectors"][row]

    assert list(Catalog([], noise=vector["noise"], compatible=True).terms(vector["query"])) == vector["terms"]


@rows_of("written_vectors")
def test_written(vectors, row):
    """A phrase stands in a text as recorded."""
    vector = vectors["written_vectors"][row]
    hits = Catalog([{"name": vector["text"]}], compatible=True).rank(vector["phrase"]).hits

    assert any(hit.key[0] for hit in hits) is vector["written"]


@rows_of("strength_vectors_later_rule")
def test_strength(vectors, row):
    """A term matches a word as recorded, under the rule of half words."""
    vector = vectors["strength_vectors_later_rule"][row]
    catalog = Catalog([{"name": vector["word"]}], {"name": 1}, compatible=True, half_word=True)

    assert sum(hit.score for hit in catalog.rank(vector["term"]).hits) == vector["strength"]


@rows_of("license_label_vectors_later_rule")
def test_license_label(vectors, row):
    """A label is searched unless it says no more than the license; an empty one cannot be asked for."""
    vector = vectors["license_label_vectors_later_rule"][row]
    entry = {"name": "other", "tags": [vector["label"]], "license": vector["license"]}
    hits = Catalog([entry], compatible=True, license_field="license").rank(vector["label"]).hits

    assert (len(hits) == 0) is vector["dropped"]


@rows_of("page_vectors")
def test_page(vectors, row):
    """Every recorded number, row and text of a page is the same."""
    vector = vectors["page_vectors"][row]
    hidden = vector.get("hidden", [])
    if "catalog" in vector:
        catalog = catalog_of(vectors, vector["catalog"], vectors["skill_noise"])
    else:
        catalog = Catalog([{"name": f"{name}-skill"} for name in ("alpha", "beta", "gamma")], compatible=True)
    page = catalog.page(**vector["request"], visible=lambda entry: entry["name"] not in hidden).to_dict()

    recorded = {key: vector[key] for key in page.keys() & vector.keys() if key != "rows"}
    assert recorded == {key: page[key] for key in recorded}
    if "rows" in vector:
        assert [name_of(each["entry"]) for each in page["rows"]] == vector["rows"]
    if "guidance_present" in vector:
        assert ("guidance" in page) is vector["guidance_present"]
    if "guidance" in vector:
        assert page["guidance"] == vector["guidance"]
    if vector.get("guidance_counts_only_visible"):
        page = catalog.page("zzqx", visible=lambda entry: entry["name"] not in hidden)
        assert f"{len(catalog) - len(hidden)} skills are enabled" in page.guidance
