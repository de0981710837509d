"""Faults of other libraries in meeting each other: engines' numbers, hashed terms, exported matrices."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from cases.tiny import exact, rarity
from equality import assert_same_index
from numpy.testing import assert_allclose
from scipy.sparse import coo_array, csr_array, csr_matrix

from sparsebm25 import BM25Index

LN2 = math.log(2)


@pytest.mark.case("I02")
def test_leaving_rank_bm25_keeps_its_numbers():
    """The scheme okapi gives rank_bm25's scores, floor included, from its tokens and its parameters."""
    rank_bm25 = pytest.importorskip("rank_bm25")
    documents = [["a", "c"], ["b", "d"], ["e", "f"]]
    index = BM25Index("okapi", analyzer=None, dtype="float64").fit(documents)

    assert_allclose(index.scores(["b"]), [0, math.log(2.5 / 1.5), 0], rtol=1e-12)
    floored = [["a", "b", "b"], ["a", "c", "d", "a"], ["a", "e"], ["f", "a"]]
    for collection in (documents, floored):
        ours, theirs = index.fit(collection), rank_bm25.BM25Okapi(collection)
        for query in (["b"], ["a", "c"], ["a", "a", "f"], ["unheard"]):
            assert_allclose(ours.scores(query), theirs.get_scores(query), rtol=1e-12)


@pytest.mark.case("I03")
def test_lucene_numbers_with_exact_lengths():
    """With Lucene's k1 the only document of a collection scores what Lucene 8 and later give."""
    assert_allclose(exact("heron", k1=1.2).scores("heron"), [math.log(4 / 3) / 2.2], rtol=1e-12)


@pytest.mark.case("I04")
@pytest.mark.parametrize("repeat", range(3))
def test_terms_that_share_a_slot_add_up(repeat):
    """Two words hashed to one column are two occurrences, whichever comes first, before weighing."""
    order = np.roll(np.arange(3), repeat)
    slots, documents, ones = np.array([5, 5, 2])[order], np.array([0, 0, 1])[order], np.ones(3, np.int64)
    index = BM25Index().fit(coo_array((ones, (documents, slots)), shape=(2, 8)))

    assert index.counts.tf.toarray()[:, [2, 5]].tolist() == [[0, 2], [1, 0]]
    assert index.counts.doc_freqs.tolist() == [0, 0, 1, 0, 0, 1, 0, 0]
    raw = csr_matrix((ones, np.array([5, 5, 2]), np.array([0, 2, 3])), shape=(2, 8))  # not summed yet
    assert_same_index(BM25Index().fit(raw), index)


@pytest.mark.case("I05")
def test_the_mean_length_comes_from_the_data_or_from_a_larger_collection():
    """Lengths 2, 3 and 1 have the mean 2; other statistics may be given instead."""
    index = exact("a b", "a b c", "a")
    assert index.statistics.mean_lengths == (2.0,)
    assert_allclose(index.length_norm, 0.25 + 0.75 * np.array([2, 3, 1]) / 2, rtol=1e-12)

    pinned = index.with_statistics(replace(index.statistics, field_totals=(12,)))
    norms = 0.25 + 0.75 * np.array([2, 3, 1]) / 4
    assert_allclose(pinned.scores("a"), rarity(3, 3) / (1 + 1.5 * norms), rtol=1e-12)


@pytest.mark.case("I06")
def test_the_matrix_works_apart_from_the_index():
    """Query counts times the exported weights, read with the exported terms and ids, are the scores."""
    index = exact("tin kite tin", "kite fog", "roof")
    terms, weights = list(index.vocabulary), csr_array(index.postings)
    query = ["tin", "kite", "kite"]
    row = np.array([query.count(term) for term in terms], float)

    assert terms == ["fog", "kite", "roof", "tin"]
    assert weights.shape == (len(terms), len(index.doc_ids))
    assert_allclose(row @ weights, index.scores(query), rtol=1e-12)
    again = BM25Index(dtype="float64").fit(index.counts.tf, terms=terms)
    assert_same_index(again, index)


@pytest.mark.case("I07")
def test_only_one_side_is_weighted():
    """The query side is plain counts, so the dot product is the score and nothing is normalized twice."""
    index = exact("moss wall", "moss roof", "iron gate", "tall tree")
    queries = index.query_matrix(["moss", "moss moss"])

    assert queries.data.tolist() == [1.0, 2.0]
    assert_allclose(
        (queries @ index.postings).toarray()[:, :2], 0.4 * LN2 * np.array([[1, 1], [2, 2]]), rtol=1e-12
    )
