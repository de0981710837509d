"""The counts themselves: invariants, joining, limits."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from equality import assert_same_counts
from hypothesis import given
from hypothesis import strategies as st
from strategies import collections

from sparsebm25 import _blocks
from sparsebm25 import counts as counts_module
from sparsebm25.counting import count_documents
from sparsebm25.counts import append_counts, keep_documents, no_counts, reorder_documents


@given(collections(min_docs=1), st.randoms(use_true_random=False))
def test_reordering_moves_whole_documents(documents, random):
    """Documents at other positions keep their counts."""
    new_ords = list(range(len(documents)))
    random.shuffle(new_ords)
    moved = [documents[new_ords.index(place)] for place in range(len(documents))]
    counts = reorder_documents(count_documents(documents, None)[1], np.array(new_ords))
    counts.check()

    assert_same_counts(counts, count_documents(moved, None)[1])


@given(collections(), st.data())
def test_keeping_drops_documents_and_their_terms(documents, data):
    """The counts of the kept documents, on the terms that are left."""
    keep = np.array(
        data.draw(st.lists(st.booleans(), min_size=len(documents), max_size=len(documents))), bool
    )
    vocabulary, counts = count_documents(documents, None)
    kept, term_ords = keep_documents(counts, keep)
    expected = count_documents([tokens for tokens, stays in zip(documents, keep, strict=True) if stays], None)

    assert_same_counts(kept, expected[1])
    assert [vocabulary[term_ord] for term_ord in term_ords.tolist()] == list(expected[0])


@given(collections(), collections(), st.integers(1, 5))
def test_joining_does_not_depend_on_blocks(first, second, block):
    """Collections that are joined have the counts of all their documents, blocks of any size."""
    vocabulary, expected = count_documents([*first, *second], None)
    parts = [count_documents(documents, None) for documents in (first, second)]
    ords = [vocabulary.ords_of(terms) for terms, _ in parts]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_blocks, "BLOCK", block)
        joined = append_counts([counts for _, counts in parts], ords, len(vocabulary))

    assert_same_counts(joined, expected)


def test_too_many_postings_are_refused(monkeypatch):
    """Past the 32-bit limit there is an error that says what to do, not a wrapped number."""
    _, counts = count_documents([["a", "b"], ["a"]], None)
    monkeypatch.setattr(counts_module, "MAX_POSTINGS", 5)

    with pytest.raises(OverflowError, match=r"6 postings of 4 documents.*split the collection"):
        append_counts([counts, counts], [np.arange(2)] * 2, 2)


def test_no_counts_is_a_collection():
    """Nothing has the shapes of something."""
    nothing = no_counts(2)
    nothing.check()

    assert (nothing.n_docs, nothing.n_terms, nothing.n_postings, nothing.mean_length) == (0, 0, 0, 0.0)
    assert nothing.tf.shape == (0, 0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"indptr": np.array([0, 2, 1], np.int32)}, "indptr must rise from 0 to 3"),
        ({"indptr": np.array([0, 4, 3], np.int32)}, "indptr must rise"),
        ({"indices": np.array([0, 1, 9], np.int32)}, "indices must lie in 0 to 1"),
        ({"indices": np.array([1, 0, 0], np.int32)}, "the documents of a term must rise"),
        ({"indices": np.array([0, 0, 0], np.int32)}, "the documents of a term must rise"),
        ({"field_tf": (np.array([1, 1], np.int32),)}, "each field needs 3 counts"),
        ({"field_tf": (np.array([1, 1, -1], np.int32),)}, "each field needs 3 counts of at least 0"),
        ({"field_lengths": (np.array([1, -1]),)}, "each field needs 2 lengths of at least 0"),
    ],
)
def test_broken_counts_are_named(changes, message):
    """The check names the invariant that does not hold."""
    _, counts = count_documents([["a", "b"], ["a"]], None)
    counts.check()

    with pytest.raises(ValueError, match=message):
        dataclasses.replace(counts, **changes).check()


def test_arrays_are_shared_not_copied():
    """Weights lie on the structure of the counts."""
    from sparsebm25 import BM25Index

    index = BM25Index(analyzer=None).fit([["a", "b"], ["a"]])

    assert np.shares_memory(index.postings.indices, index.counts.indices)
    assert np.shares_memory(index.with_params(k1=3).postings.indices, index.counts.indices)
    assert index.counts.tf is index.counts.tf
