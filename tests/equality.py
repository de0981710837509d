"""What "the same" means in tests: equal ids and equal bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from sparsebm25 import BM25Index, Hits, Run
from sparsebm25.counts import Counts


def assert_same_array(left: Any, right: Any) -> None:
    """Two arrays have the same dtype, shape and bits."""
    left, right = np.asarray(left), np.asarray(right)
    assert left.dtype == right.dtype
    assert left.shape == right.shape
    assert left.tobytes() == right.tobytes()


def assert_same_hits(left: Hits, right: Hits) -> None:
    """Two searches found the same documents in the same order with the same bits."""
    assert left.doc_ids == right.doc_ids
    assert_same_array(left.scores, right.scores)


def assert_same_run(left: Run, right: Run) -> None:
    """Two runs hold the same hits for the same queries, bit for bit."""
    assert list(left.query_ids) == list(right.query_ids)
    for query_id in left.query_ids:
        assert_same_hits(left[query_id], right[query_id])


def assert_same_counts(left: Counts, right: Counts) -> None:
    """Two collections were counted equal, array by array."""
    assert_same_array(left.indptr, right.indptr)
    assert_same_array(left.indices, right.indices)
    for name in ("field_tf", "field_lengths"):
        for one, other in zip(getattr(left, name), getattr(right, name), strict=True):
            assert_same_array(one, other)


def assert_same_index(left: BM25Index, right: BM25Index) -> None:
    """Two indexes hold the same documents, terms, counts and weights, bit for bit."""
    assert list(left.doc_ids) == list(right.doc_ids)
    assert list(left.vocabulary) == list(right.vocabulary)
    assert_same_counts(left.counts, right.counts)
    assert_same_array(left.postings.data, right.postings.data)
    assert_same_array(left.idf, right.idf)
    assert [row or {} for row in left.metadata or ()] == [row or {} for row in right.metadata or ()]
