"""The made collection is the same for all sizes and runs, and has the shape it claims."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.peers import passages


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    """Draw few documents at a time, so that small collections have several chunks."""
    monkeypatch.setattr(passages, "CHUNK", 256)


def named_rows(n_docs):
    """Return each document as its terms and counts."""
    counts, names = passages.collection(n_docs)
    rows = [{names[term]: int(tf) for term, tf in zip(*row, strict=True)} for row in rows_of(counts)]
    return counts, names, rows


def rows_of(counts):
    """Yield columns and values of each row."""
    for start, end in zip(counts.indptr[:-1], counts.indptr[1:], strict=True):
        yield counts.indices[start:end], counts.data[start:end]


@pytest.mark.parametrize("n_docs", [1, 255, 256, 257, 600])
def test_small_collections_begin_larger_ones(n_docs):
    """The first documents of a collection are those of any smaller one, term by term."""
    assert named_rows(n_docs)[2] == named_rows(700)[2][:n_docs]


def test_terms_are_named_in_order_and_used():
    """Terms ascend, so that columns need no sorting; each occurs; a document lists a term once."""
    counts, names, _ = named_rows(600)

    assert names == sorted(set(names))
    assert np.bincount(counts.indices, minlength=len(names)).all()
    assert counts.has_canonical_format
    assert counts.dtype == counts.indices.dtype == np.int32


def test_the_shape_is_as_claimed():
    """Documents have 38 tokens on average, some of them again, and most terms are rare."""
    counts, names, _ = named_rows(3000)
    doc_freqs = np.bincount(counts.indices)

    assert counts.sum() / 3000 == pytest.approx(passages.MEAN_LENGTH, rel=0.03)
    assert 0.7 < counts.nnz / counts.sum() < 0.8
    assert doc_freqs.max() > 3000 / 3
    assert np.mean(doc_freqs == 1) > 0.5
    assert len(names) > 10_000


def test_names_are_one_to_one():
    """No two ranks share a name, near the top or far down."""
    ranks = np.concatenate((np.arange(2**16), 2**passages.ID_BITS - 1 - np.arange(2**16)))
    numbers = passages.name_numbers(ranks)

    assert np.unique(numbers).size == ranks.size
    assert 0 <= numbers.min() <= numbers.max() < 2**passages.ID_BITS


def test_ranks_stay_in_range():
    """However rare a token is drawn, its rank has a name."""

    class Extremes:
        """Draws evenly, or the largest number there is."""

        def random(self, size):
            """Return numbers in [0, 1)."""
            return np.linspace(0, 1, size, endpoint=False) if size > 1 else np.array([1 - 2.0**-53])

    assert passages.draw_ranks(1000, Extremes()).min() == 0
    assert passages.draw_ranks(1, Extremes())[0] < 2**passages.ID_BITS


def test_queries_are_of_the_documents():
    """Queries are the same in every run, and two thirds of their tokens stand together in one document."""
    _, names, rows = named_rows(200)
    queries = passages.drawn_queries(300, n_docs=200)
    best = [max(len(row.keys() & set(query)) for row in rows) for query in queries]

    assert queries == passages.drawn_queries(300, n_docs=200)
    assert {len(query) for query in queries} <= set(passages.QUERY_LENGTHS)
    assert sum(best) / sum(map(len, queries)) > 0.6
    assert any(token in set(names) for query in queries for token in query)
