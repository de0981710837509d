"""Faults of other libraries between programs: kinds of matrices and idf, ids, runs, parameter grids."""

from __future__ import annotations

import io
import math

import numpy as np
import pytest
from cases.tiny import exact
from equality import assert_same_array, assert_same_index
from numpy.testing import assert_allclose
from scipy import sparse

from sparsebm25 import BM25Index, Run

COUNTS = np.array([[1, 0, 2], [0, 3, 0], [0, 0, 0], [4, 1, 1]])

FORMATS = (
    *(sparse.bsr_array, sparse.coo_array, sparse.csc_array, sparse.csr_array),
    *(sparse.dia_array, sparse.dok_array, sparse.lil_array),
    *(sparse.bsr_matrix, sparse.coo_matrix, sparse.csc_matrix, sparse.csr_matrix),
    *(sparse.dia_matrix, sparse.dok_matrix, sparse.lil_matrix),
)


@pytest.mark.case("L04")
@pytest.mark.parametrize("make", FORMATS, ids=lambda make: make.__name__)
def test_sparse_arrays_and_matrices_of_every_format(make):
    """Counts and queries are read alike from arrays and matrices of every format."""
    index, reference = BM25Index().fit(make(COUNTS)), BM25Index().fit(sparse.csr_array(COUNTS))

    assert_same_index(index, reference)
    queries = np.array([[1, 0, 2], [0, 1, 0]])
    assert index.search_many(make(queries)) == reference.search_many([[0, 2, 2], [1]])
    assert index.search(make(queries[:1])) == reference.search([0, 2, 2])


@pytest.mark.case("L05")
@pytest.mark.parametrize(
    ("scheme", "rare", "common"),
    [
        ("tfidf", math.log(4 / 2) + 1, 1.0),
        ("atire", math.log(3), 0.0),
        ("lucene", math.log(8 / 3), math.log(8 / 7)),
    ],
)
def test_each_idf_has_its_name(scheme, rare, common):
    """Smooth, plain and BM25 idf are three formulas under three names."""
    index = exact("a b", "b c", "b d", scheme=scheme)

    assert_allclose(index.idf, [rare, common, rare, rare], rtol=1e-12)


@pytest.mark.case("L06")
def test_ids_keep_their_type_and_length():
    """A text of digits, the number it looks like and a long text stay three ids, in and out."""
    names = ["007", 7, "x" * 40]
    index = BM25Index().fit(["tin", "tin", "tin"], ids=names)

    assert index.search("tin").doc_ids == names
    assert [type(name) for name in index.search_many(["tin"])[0].doc_ids] == [str, int, str]
    assert "7" not in index
    index.remove([7])
    assert index.search("tin").doc_ids == ["007", "x" * 40]


@pytest.mark.case("L08")
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "uint64", "float32", "float64", "bool"])
def test_counts_of_any_dtype(dtype):
    """Whole numbers are counts in every numeric dtype, with equal results."""
    counts = np.minimum(COUNTS, 1) if dtype == "bool" else COUNTS
    index = BM25Index().fit(sparse.csr_array(counts.astype(dtype)))

    assert_same_index(index, BM25Index().fit(sparse.csr_array(counts)))
    assert index.counts.tf.toarray().tolist() == counts.tolist()


@pytest.mark.case("E01")
def test_an_exported_run_keeps_the_order_of_ties():
    """Written with falling scores, ties stay in the order of the search for readers that sort by id."""
    index = BM25Index().fit(["tin kite", "tin kite", "tin fog tin", "tin kite"], ids=["b", "c", "x", "a"])
    run = index.search_many(["kite tin"], query_ids=["q"])
    file = io.StringIO()
    run.to_trec(file, ties="rank")
    file.seek(0)
    written = Run.from_trec(file)["q"]
    by_score_then_id = sorted(zip(written.scores.tolist(), written.doc_ids, strict=True), reverse=True)

    assert run["q"].doc_ids == ["b", "c", "a", "x"]
    assert len(set(run["q"].scores.tolist())) == 2
    assert [doc_id for _, doc_id in by_score_then_id] == ["b", "c", "a", "x"]
    assert_allclose(written.scores, run["q"].scores, rtol=1e-6)


@pytest.mark.case("E08")
def test_a_grid_of_parameters_reads_the_text_once():
    """Nine pairs of k1 and b are nine views on one matrix of counts, each as if fitted with them."""
    analyzed: list[str] = []

    def words(text: str) -> list[str]:
        analyzed.append(text)
        return text.split()

    documents = ["tin kite", "tin tin roof fog", "fog"]
    index = BM25Index(analyzer=words).fit(documents)
    grid = [{"k1": k1, "b": b} for k1 in (0.6, 1.2, 2.0) for b in (0.0, 0.4, 1.0)]
    results = [index.with_params(**pair).scores(["tin"]) for pair in grid]

    assert analyzed == documents
    assert len({result.tobytes() for result in results}) == 9
    for pair, result in zip(grid, results, strict=True):
        assert_same_array(result, BM25Index(analyzer=str.split, **pair).fit(documents).scores("tin"))
