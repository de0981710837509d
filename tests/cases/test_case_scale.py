"""Faults of other libraries in memory and width: wrapped indices, dense products, tokens that stay."""

from __future__ import annotations

import gc
import tracemalloc
import weakref
from collections import deque
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest
from cases.tiny import exact, ids
from equality import assert_same_array, assert_same_hits, assert_same_run
from numpy.testing import assert_allclose
from scipy.sparse import csr_array, eye_array

from sparsebm25 import BM25Index
from sparsebm25.counts import MAX_POSTINGS, Counts, append_counts
from sparsebm25.index import reading


def one_term(n_docs: int, doc_ord: int) -> Counts:
    """Return counts of one term in one of many documents, which take no memory."""
    lengths = np.broadcast_to(np.int64(1), n_docs)
    return Counts(
        np.array([0, 1], np.int32), np.array([doc_ord], np.int32), (np.ones(1, np.int32),), (lengths,)
    )


def random_counts(n_docs: int, n_terms: int, n_tokens: int) -> csr_array:
    """Return reproducible counts of documents of equally many tokens."""
    tokens = np.random.default_rng(7).zipf(1.3, (n_docs, n_tokens)) % n_terms
    ones = np.ones(tokens.size, np.int64)
    return csr_array((ones, tokens.ravel(), np.arange(n_docs + 1) * n_tokens), shape=(n_docs, n_terms))


def exact_of(counts: csr_array) -> BM25Index:
    """Return a float64 index of a matrix of counts."""
    return BM25Index(dtype="float64").fit(counts)


@pytest.mark.case("M02")
def test_positions_never_wrap():
    """Joining parts beyond 32-bit positions is refused with the number, and below it stays exact."""
    term = [np.zeros(1, np.int64)] * 2

    with pytest.raises(OverflowError, match=f"{MAX_POSTINGS + 2} documents"):
        append_counts([one_term(MAX_POSTINGS, MAX_POSTINGS - 1), one_term(2, 1)], term, 1)
    joined = append_counts([one_term(70_000, 69_999), one_term(2, 1)], term, 1)
    assert joined.indices.tolist() == [69_999, 70_001]
    joined.check()


@pytest.mark.case("M03")
def test_a_small_budget_gives_the_same_answers(monkeypatch):
    """Under a budget of a hundred hits a batch goes in chunks, each within it, and no answer changes."""
    index = BM25Index().fit(random_counts(60, 9, 5))
    queries = [[place % 9, 0] for place in range(50)]
    whole = index.search_many(queries, k=20)
    monkeypatch.setattr(reading, "CHUNK_BYTES", 100 * (8 + 4))  # a position and a float32 score each
    chunks = list(index.search_chunks(queries, k=20))

    assert [len(chunk) for chunk in chunks] == [5] * 10
    assert max(chunk.doc_ords.size for chunk in chunks) <= 100
    for chunk in chunks:
        for query_id, hits in chunk.items():
            assert_same_hits(hits, whole[query_id])


@pytest.mark.case("M04")
def test_a_batch_never_becomes_queries_by_documents():
    """A batch takes a small part of the dense matrix's memory, and answers as query by query."""
    index = BM25Index().fit(random_counts(20_000, 2_000, 6))
    queries = [[100 + place % 1_900, 50 + place % 7] for place in range(1_000)]
    index.search([1])  # weights are made before memory is watched
    tracemalloc.start()
    run = index.search_many(queries, k=10, n_jobs=2)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < len(queries) * len(index) * 4 / 20
    for place in range(0, 1_000, 97):
        assert_same_hits(run[place], index.search(queries[place], k=10))


class Text(str):
    """A text or token that can be watched."""


class Tokens(list[str]):
    """A list of tokens that can be watched."""


def reachable(root: object) -> Iterator[Any]:
    """Yield all that an object holds, directly or not; code (modules, classes, functions) ends the way."""
    seen: set[int] = set()
    waiting: deque[Any] = deque([root])
    while waiting:
        found = waiting.popleft()
        if id(found) in seen or isinstance(found, ModuleType | FunctionType | type):
            continue
        seen.add(id(found))
        yield found
        waiting.extend(gc.get_referents(found))


@pytest.mark.case("M06")
def test_tokens_are_dropped_after_counting():
    """Neither documents nor tokens survive counting: an index holds each distinct term once."""
    terms = [f"quagga{place}" for place in range(40)]
    documents = [Tokens(Text(terms[place % 40]) for place in range(start, start + 30)) for start in range(50)]
    texts = [Text(" ".join(document)) for document in documents]
    watched = [weakref.ref(document) for document in (*documents, *texts)]
    watched += [weakref.ref(token) for document in documents for token in document]
    index = BM25Index().fit([*documents, *texts])
    index.search(" ".join(terms))
    del documents, texts
    gc.collect()

    assert all(reference() is None for reference in watched)
    held = [found for found in reachable(index) if isinstance(found, str) and "quagga" in found]
    assert sorted(held) == sorted(terms)


@pytest.mark.case("M08")
def test_unsorted_products_are_read_in_order():
    """A product of sparse matrices, whose columns SciPy leaves unsorted, counts as its dense values."""
    product = csr_array([[1, 2, 0], [0, 1, 0], [4, 1, 5]]) @ csr_array([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    index = exact_of(product)

    tf = index.counts.tf
    assert tf.indices[: tf.indptr[1]].tolist() == [0, 1, 2]
    assert tf.data[: tf.indptr[1]].tolist() == [9, 12, 15]
    assert_same_array(index.postings.data, exact_of(csr_array(product.toarray())).postings.data)
    rows = index.score_matrix([[2, 0], [1]])
    assert rows.indices.tolist() == [0, 1, 2] * 2
    assert (rows.data > 0).all()


@pytest.mark.case("M09")
def test_rows_of_queries_with_every_other_document():
    """Reordered query rows and a strided filter select what they name."""
    identity = eye_array(10, format="csr", dtype=np.int64)
    even = np.arange(10) % 2 == 0
    selected = exact_of(identity).score_matrix(identity[[1, 0], :], where=even)

    assert selected.shape == (2, 10)
    assert selected.indptr.tolist() == [0, 0, 1]
    assert selected.indices.tolist() == [0]


@pytest.mark.case("M10")
def test_hits_of_a_long_batch_come_in_blocks():
    """An endless stream of queries is read block by block, and no block outlives its use."""
    index = exact("a b", "a c", "a d")
    asked = 0

    def queries() -> Iterator[str]:
        nonlocal asked
        while True:
            asked += 1
            yield "a"

    blocks = index.search_chunks(queries(), k=2, chunk_size=5)
    held = []
    for number in range(1, 4):
        block = next(blocks)
        assert asked == 5 * number
        assert block.doc_ords.size == 5 * 2
        held.append(weakref.ref(block))
        del block
    gc.collect()
    assert [reference() for reference in held] == [None] * 3


@pytest.mark.case("M11")
def test_adding_columns_equals_the_sparse_product():
    """On two hundred documents single scores equal the batch's rows in bits, and the plain product agrees."""
    index = BM25Index().fit(random_counts(200, 50, 12))
    queries = [[place % 50, 3, 3, (7 * place) % 50] for place in range(40)]
    rows = index.score_matrix(queries)
    product = index.query_matrix(queries) @ index.postings

    for place, query in enumerate(queries):
        assert_same_array(rows[[place], :].toarray().ravel(), index.scores(query))
    assert_allclose(product.toarray(), rows.toarray(), rtol=1e-6)
    assert_same_run(index.search_many(queries, n_jobs=3), index.search_many(queries))
    assert ids(index.search(queries[1])) == index.search_many(queries)[1].doc_ids
