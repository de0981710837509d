"""Faults of other libraries in the order of hits: ties, partial selection, stored zeros."""

from __future__ import annotations

import io
import math

import numpy as np
import pytest
from cases.tiny import exact, ids
from equality import assert_same_array, assert_same_hits
from numpy.testing import assert_allclose
from scipy.sparse import csr_array

from sparsebm25 import BM25Index, Run
from sparsebm25.scoring import top_k


def scored(*scores: float) -> tuple[BM25Index, np.ndarray]:
    """Return an index of equal documents, and the boosts that give them these scores for the query "a"."""
    index = exact(*["a"] * len(scores))
    return index, np.array(scores) / index.scores("a")[0]


@pytest.mark.case("T01")
def test_ties_keep_document_order_on_every_path(backend):
    """Equal documents come in the order of their positions: single, batch, threads, any chunk size."""
    index = exact(*["xx yy"] * 6, backend=backend)
    value = 0.4 * math.log(14 / 13)
    first = index.search("xx", k=3)

    assert ids(first) == [0, 1, 2]
    assert_allclose(first.scores, [value] * 3, rtol=1e-12)
    for n_jobs in (1, 2, 5):
        for hits in index.search_many(["xx"] * 9, k=3, n_jobs=n_jobs).values():
            assert_same_hits(hits, first)
    for chunk_size in (1, 2, 9):
        for run in index.search_chunks(["xx"] * 9, k=3, chunk_size=chunk_size):
            for hits in run.values():
                assert_same_hits(hits, first)


@pytest.mark.case("T02")
@pytest.mark.parametrize(
    ("scores", "expected"),
    [((0.0, 0.0, 3.0, 1.0), [2, 3, 0]), ((1.0, 2.0, 3.0, 3.0), [2, 3, 1]), ((2.0, 1.0, 2.0, 2.0), [0, 2, 3])],
)
def test_the_tied_document_that_survives_is_the_first(scores, expected):
    """Where the cut falls among equal scores, the lowest positions stay, in order."""
    index, boost = scored(*scores)

    assert top_k(np.array(scores), 3).tolist() == expected
    assert ids(index.search("a", k=3, boost=boost)) == expected


@pytest.mark.case("T03")
def test_the_survivors_are_sorted():
    """A selection of two of three comes back best first."""
    index, boost = scored(4.979, 4.981, 1.0)

    assert ids(index.search("a", k=2, boost=boost)) == [1, 0]
    assert top_k(np.array([4.979, 4.981, 1.0]), 2).tolist() == [1, 0]


@pytest.mark.case("T04")
def test_fewer_hits_are_the_beginning_of_more():
    """Among forty equal documents every k gives the first k of them."""
    index = exact(*["a b"] * 40)
    full = index.search("a", k=40)

    assert ids(full) == list(range(40))
    for k in range(42):
        assert_same_hits(index.search("a", k=k), full[:k])


@pytest.mark.case("T08")
def test_ties_are_broken_without_touching_scores():
    """Three equal scores just above a fourth are returned and written as they are; the fourth stays last."""
    index, boost = scored(1.000001, 1.000001, 1.000001, 1.0)
    run = index.search_many(["a"], boost=boost)
    file = io.StringIO()
    run.to_trec(file)
    file.seek(0)
    read = Run.from_trec(file)

    assert_same_array(run[0].scores, index.scores("a") * boost)
    assert len(set(run[0].scores.tolist())) == 2
    assert run[0].doc_ids == [0, 1, 2, 3]
    assert_same_array(read["0"].scores, run[0].scores)
    assert read["0"].doc_ids == ["0", "1", "2", "3"]


@pytest.mark.case("T10")
def test_stored_zeros_are_nothing():
    """Zeros that a sparse matrix stores, in any order, are neither occurrences nor query words."""
    stored = csr_array((np.array([0, 2, 0, 1]), np.array([2, 0, 0, 2]), np.array([0, 2, 4])), shape=(2, 3))
    index = BM25Index().fit(stored)

    assert index.counts.tf.nnz == 2
    assert index.counts.doc_freqs.tolist() == [1, 0, 1]
    assert ids(index.search([0])) == [0]
    assert ids(index.search([2])) == [1]
    only_zeros = csr_array((np.zeros(2), np.array([2, 0]), np.array([0, 2])), shape=(1, 3))
    assert len(index.search(only_zeros)) == 0
    assert index.search_many(only_zeros).to_dict() == {0: {}}
