"""Faults of other libraries in what is counted: lengths, document frequencies, fields, and nothing at all."""

from __future__ import annotations

import math

import numpy as np
import pytest
from cases.tiny import exact, ids, rarity
from equality import assert_same_array, assert_same_index
from numpy.testing import assert_allclose

from sparsebm25 import SCHEMES, BM25Index

LN2 = math.log(2)


@pytest.mark.case("S08")
def test_the_mean_length_is_total_over_number():
    """Documents that come one by one are counted once each: lengths 2, 3 and 1 have the mean 2."""
    index = BM25Index()
    for document in ("a b", "a b c", "a"):
        index.add([document])

    assert index.counts.doc_lengths.tolist() == [2, 3, 1]
    assert index.counts.doc_lengths.dtype.kind == "i"
    assert index.counts.mean_length == 2.0
    assert index.remove([1]).counts.mean_length == 1.5


@pytest.mark.case("S09")
def test_scores_depend_on_the_live_documents_only():
    """A removed document leaves neither a word nor a length nor a count behind."""
    never_had = exact("a b", "a c")
    had = exact("a b", "a c", "e f")
    had.scores("a b e")  # weights of the larger collection are made, and must not stay
    had.remove([2])

    assert_allclose(had.scores("b"), [0.4 * LN2, 0], rtol=1e-12)
    assert_same_index(had, never_had)
    assert "e" not in had.vocabulary


@pytest.mark.case("S11")
def test_document_frequencies_are_a_brute_force_count():
    """Equal matches score equal, also where the vocabulary holds the empty token."""
    index = exact("fig", "elm", "oak", "tin kite", "tin roof")
    value = rarity(5, 2) / (1 + 1.5 * (0.25 + 0.75 * 2 / 1.4))
    assert_allclose(index.scores("tin"), [0, 0, 0, value, value], rtol=1e-12)

    documents = [["fig", ""], ["", ""], ["elm", "fig", ""], [], ["tin", "kite"], ["tin", "roof"]]
    tokens = exact(*documents, analyzer=None)
    brute_force = [sum(term in document for document in documents) for term in tokens.vocabulary]
    assert tokens.counts.doc_freqs.tolist() == brute_force
    assert tokens.scores(["tin"])[4] == tokens.scores(["tin"])[5] > 0
    assert ids(tokens.search([""])) == [1, 0, 2]


@pytest.mark.case("S17")
def test_a_list_in_a_field_is_one_field():
    """The tokens of a list-valued field add up to its length, and no word spans two entries."""
    index = exact({"tags": ["a b c d e", "f g"]}, {"tags": "h"}, fields={"tags": 1.0})

    assert index.counts.doc_lengths.tolist() == [7, 1]
    assert list(index.vocabulary) == list("abcdefgh")


@pytest.mark.case("S20")
def test_fields_are_combined_before_saturation():
    """A word in each of two fields is two occurrences, worth less than three in one."""
    fields = {"title": 1.0, "body": 1.0}
    index = exact({"title": "a", "body": "a"}, {"title": "a a a"}, fields=fields, k1=1.2, b=0)
    split, concentrated = math.log(1.2) * 2 / 3.2, math.log(1.2) * 3 / 4.2

    assert_allclose(index.scores("a"), [split, concentrated], rtol=1e-12)
    assert ids(index.search("a")) == [1, 0]
    single = (index.with_params(fields={name: 1.0}).scores("a") for name in fields)
    added = np.sum(list(single), axis=0)
    assert added[0] > added[1]  # adding the scores of single fields turns the order round


@pytest.mark.case("S21")
def test_a_search_in_one_field_uses_the_frequencies_of_that_field():
    """A view on one field scores as an index of that field alone; other fields do not show."""
    documents = [{"b": "tin", "a": "tin"}, {"b": "old", "a": "tin"}]
    index = exact(*documents, fields={"a": 1.0, "b": 1.0})
    only_b = index.with_params(fields={"b": 1.0})

    assert_allclose(only_b.scores("tin old"), [0.4 * LN2, 0.4 * LN2], rtol=1e-12)
    assert_same_array(only_b.scores("tin old"), exact("tin", "old").scores("tin old"))
    assert index.counts.doc_freqs[index.vocabulary.get("tin")] == 2


@pytest.mark.case("S24")
@pytest.mark.parametrize("scheme", [*SCHEMES, "lnc.ltc"])
@pytest.mark.parametrize(
    "documents", [[], ["", ""], [None, float("nan"), "?!"]], ids=["none", "empty", "missing"]
)
def test_nothing_is_a_collection(scheme, documents):
    """Collections without documents or without words answer everything, with no hit and no NaN."""
    index = BM25Index(scheme).fit(documents)

    for query in ("a", "", None, [], {"a": 2.0}):
        assert index.scores(query).tolist() == [0.0] * len(documents)
        assert len(index.search(query)) == 0
        assert index.score_matrix([query]).shape == (1, len(documents))
    assert index.counts.mean_length == 0
    assert np.isfinite(index.length_norm).all()


@pytest.mark.case("S24")
def test_an_empty_document_is_no_hit():
    """A document without words counts as a document, and is never found."""
    index = exact("a", "", "b")

    value = rarity(3, 1) / (1 + 1.5 * 1.375)
    assert_allclose(index.scores("a"), [value, 0, 0], rtol=1e-12)
    assert ids(index.search("a")) == [0]


@pytest.mark.case("S28")
def test_a_known_id_is_refused_and_replaced_on_request():
    """Adding an id that is there changes nothing; replacing it leaves one document, counted once."""
    index = BM25Index().fit(["a b"], ids=[7])

    with pytest.raises(ValueError, match="7"):
        index.add(["a b"], ids=[7])
    index.replace(["a b"], ids=[7])

    assert len(index) == 1
    assert index.counts.doc_freqs.tolist() == [1, 1]
    assert index.counts.mean_length == 2.0
    assert ids(index.search("a")) == [7]


@pytest.mark.case("S29")
def test_document_frequency_counts_documents():
    """Repeating a word does not make it common, and neighboring fields make no word that nobody wrote."""
    index = exact("cat cat cat", "dog")
    assert index.counts.doc_freqs.tolist() == [1, 1]
    assert_allclose(index.idf, [LN2, LN2], rtol=1e-12)

    fields = exact({"left": "a,b", "right": "c"}, fields={"left": 1.0, "right": 1.0})
    assert list(fields.vocabulary) == ["a", "b", "c"]
