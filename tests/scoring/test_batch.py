"""Many queries at once: the same bits as one at a time, never queries by documents."""

from __future__ import annotations

import numpy as np
import pytest
from equality import assert_same_array, assert_same_hits, assert_same_run
from hypothesis import given
from hypothesis import strategies as st
from strategies import collections, queries

from sparsebm25 import BM25Index
from sparsebm25.index import reading

QUERY_LISTS = st.lists(queries(), max_size=8)
SCHEMES = st.sampled_from(("lucene", "robertson", "bm25+", "okapi", "tfidf"))


@pytest.mark.promise(3)
@given(collections(), QUERY_LISTS, SCHEMES, st.integers(0, 9), st.integers(1, 4))
def test_batch_equals_single(backend, documents, batch, scheme, k, n_jobs):
    """A batch, any number of threads, gives each query the hits of a search of its own, bit for bit."""
    index = BM25Index(scheme, analyzer=None, backend=backend).fit(documents)
    run = index.search_many(batch, k, n_jobs=n_jobs)

    assert len(run) == len(batch)
    for query_id, query in enumerate(batch):
        assert_same_hits(run[query_id], index.search(query, k))


@pytest.mark.promise(3)
@given(collections(), QUERY_LISTS, st.integers(1, 4))
def test_chunks_make_up_the_batch(documents, batch, chunk_size):
    """Chunks of any size, joined, are the whole run."""
    index = BM25Index(analyzer=None).fit(documents)
    chunks = list(index.search_chunks((query for query in batch), 5, chunk_size=chunk_size))
    whole = index.search_many(batch, 5)

    assert [len(chunk) for chunk in chunks[:-1]] == [chunk_size] * (len(chunks) - 1)
    for chunk in chunks:
        for query_id in chunk.query_ids:
            assert_same_hits(chunk[query_id], whole[query_id])
    assert sum(len(chunk) for chunk in chunks) == len(batch)


@given(collections(), QUERY_LISTS, SCHEMES, st.integers(1, 3))
def test_score_matrix_holds_all_matches(documents, batch, scheme, n_jobs):
    """A row of the score matrix stores exactly a query's hits with their scores."""
    index = BM25Index(scheme, analyzer=None).fit(documents)
    matrix = index.score_matrix(batch, n_jobs=n_jobs)

    assert matrix.shape == (len(batch), len(documents))
    assert matrix.has_sorted_indices
    for row, query in enumerate(batch):
        hits = index.search(query, len(documents))
        order = np.argsort(hits.doc_ords)
        stored = slice(matrix.indptr[row], matrix.indptr[row + 1])
        assert matrix.indices[stored].tolist() == hits.doc_ords[order].tolist()
        assert_same_array(matrix.data[stored], hits.scores[order])


@given(collections(), QUERY_LISTS)
def test_query_matrix_times_postings_are_the_scores(documents, batch):
    """The exported matrices multiply to the scores."""
    index = BM25Index(analyzer=None, dtype="float64").fit(documents)
    product = index.query_matrix(batch) @ index.postings

    np.testing.assert_allclose(product.toarray(), index.score_matrix(batch).toarray(), rtol=1e-12)


@given(collections(min_docs=1), QUERY_LISTS)
def test_sparse_queries_equal_token_lists(documents, batch):
    """A CSR of query counts, whole or row by row, asks what the token lists ask."""
    index = BM25Index(analyzer=None).fit(documents)
    matrix = index.query_matrix(batch)

    assert_same_run(index.search_many(matrix, 5), index.search_many(batch, 5))
    for row, query in enumerate(batch):
        assert_same_hits(index.search(matrix[[row]], 5), index.search(query, 5))
        assert_same_hits(index.search(matrix[row], 5), index.search(query, 5))


def test_default_chunks_keep_their_hits_under_the_budget(monkeypatch):
    """The number of queries a chunk follows from the bytes of their hits."""
    index = BM25Index(analyzer=None).fit([["a"]] * 100)
    monkeypatch.setattr(reading, "CHUNK_BYTES", 12 * 50 * 3)  # three queries of fifty hits of twelve bytes

    assert [len(chunk) for chunk in index.search_chunks([["a"]] * 8, 50)] == [3, 3, 2]


def test_chunks_are_of_one_snapshot():
    """Chunks that are asked for after a write still answer from the state before it."""
    index = BM25Index(analyzer=None).fit([["a"], ["b"]])
    chunks = index.search_chunks([["a"], ["a"]], chunk_size=1)
    first = next(chunks)
    index.fit([["c"]])

    assert_same_hits(next(chunks)[1], first[0])


@pytest.mark.parametrize("n_jobs", [0, -2])
def test_n_jobs_must_be_positive(n_jobs):
    """A thread count that makes no sense is refused."""
    with pytest.raises(ValueError, match=f"n_jobs must be .* got {n_jobs}"):
        BM25Index().search_many(["a"], n_jobs=n_jobs)


def test_all_processors_can_be_asked_for():
    """`n_jobs=-1` uses every processor and changes nothing else."""
    index = BM25Index(analyzer=None).fit([["a"], ["a", "b"], ["b"]])

    assert_same_run(index.search_many([["a"], ["b"]] * 5, n_jobs=-1), index.search_many([["a"], ["b"]] * 5))
