"""What is known of a term's postings before a query comes: the most that they add, and where they lie."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sparsebm25.protocols import Floats, Ints
from sparsebm25.weighting.weigh import Weights

RANGE_BITS = 15
"""A range is 2**15 documents: their sums (128 KiB in float32) stay in the processor's own caches."""

WORD = 64
"""Documents a word of `presence`."""

DEPTHS = (10, 100, 1000)
"""Depths of hits whose weights are stored: a term's 10th best weight is a score that ten documents reach."""

MIN_POSTINGS = 128
"""Fewer postings are searched as fast as a table."""

POSTINGS_PER_RANGE = 4
"""A term has a row in `starts` if so many of its postings lie in a range; bounds the memory of `starts`."""

COMMON = 64
"""A term is common if at least one document in so many holds it; bounds the memory of `presence`."""


class Bounds(NamedTuple):
    """
    Return tables that let a search pass over postings which cannot matter.

    Parameters
    ----------
    max_weights : ndarray of shape (n_terms,), dtype of the weights
        Impact bounds: the largest weight of each term, 0 without postings.
    frequent : ndarray of shape (n_frequent,), dtype int64
        Ordinals of the terms that have a row in the next three, ascending.
    starts : ndarray of shape (n_frequent, n_ranges + 1), dtype int32
        Where the postings of each range of documents begin.
    kth_weights : ndarray of shape (n_frequent, n_depths), dtype of the weights
        The weight at each depth of `DEPTHS`, 0 where there are fewer postings.
    common : ndarray of shape (n_frequent,), dtype int32
        Row of the term in the last two, -1 without.
    presence : ndarray of shape (n_common, n_words), dtype uint64
        A bit a document, lowest first: whether it holds the term.
    earlier : ndarray of shape (n_common, n_words), dtype uint16
        How many documents hold the term from the start of the word's range
        to the word.
    range_size : int
        Documents a range, a power of two.

    Notes
    -----
    About 1 to 2 bytes a posting in all.
    """

    max_weights: Floats
    frequent: Ints
    starts: Ints
    kth_weights: Floats
    common: Ints
    presence: NDArray[np.uint64]
    earlier: NDArray[np.uint16]
    range_size: int


def bounds_of(weights: Weights) -> Bounds:
    """
    Return the bounds of all terms.

    Parameters
    ----------
    weights : Weights
        The weights of all postings, none negative.

    Returns
    -------
    Bounds
        New arrays; made in O(n_postings).
    """
    indptr, docs, values = weights.postings.indptr, weights.postings.indices, weights.postings.data
    doc_freqs = np.diff(indptr)
    edges = range_edges(weights.n_docs)
    frequent = np.flatnonzero(doc_freqs >= max(MIN_POSTINGS, POSTINGS_PER_RANGE * edges.size))
    is_common = doc_freqs[frequent] * COMMON >= weights.n_docs
    common = np.where(is_common, np.cumsum(is_common) - 1, -1).astype(np.int32)
    n_words = -(-weights.n_docs // WORD)
    presence = np.empty((np.count_nonzero(is_common), n_words), np.uint64)
    earlier = np.empty(presence.shape, np.uint16)
    starts = np.empty((frequent.size, edges.size), np.int32)
    kth_weights = np.zeros((frequent.size, len(DEPTHS)), values.dtype)
    for row, term_ord in enumerate(frequent.tolist()):
        own = slice(indptr[term_ord], indptr[term_ord + 1])
        starts[row] = own.start + np.searchsorted(docs[own], edges)
        for column, depth in enumerate(DEPTHS):
            if depth <= own.stop - own.start:
                kth_weights[row, column] = np.partition(values[own], -depth)[-depth]
        if is_common[row]:
            presence[common[row]] = _words(docs[own], n_words)
            earlier[common[row]] = _earlier(docs[own], n_words)
    largest = _max_weights(indptr, values)
    return Bounds(largest, frequent, starts, kth_weights, common, presence, earlier, 1 << RANGE_BITS)


def range_edges(n_docs: int) -> Ints:
    """
    Return the first document of each range, and the end of the last.

    Parameters
    ----------
    n_docs : int
        Number of documents.

    Returns
    -------
    ndarray of shape (n_ranges + 1,), dtype int32
        Steps of ``2**RANGE_BITS``, the last one as short as need be.
    """
    return np.append(np.arange(0, n_docs, 1 << RANGE_BITS), n_docs).astype(np.int32)


def _words(docs: Ints, n_words: int) -> NDArray[np.uint64]:
    """Return which documents are among `docs`, a bit each."""
    holds = np.zeros(n_words * WORD, np.bool_)
    holds[docs] = True
    words: NDArray[np.uint64] = np.packbits(holds, bitorder="little").view("<u8")
    return words


def _earlier(docs: Ints, n_words: int) -> Ints:
    """Return how many of `docs` lie before each word, from the start of its range on."""
    before = np.zeros(n_words + 1, np.int64)
    np.cumsum(np.bincount(docs // WORD, minlength=n_words), out=before[1:])
    words = np.arange(n_words)
    per_range = (1 << RANGE_BITS) // WORD
    return before[:-1] - before[words - words % per_range]


def _max_weights(indptr: Ints, values: Floats) -> Floats:
    """Return the largest weight of each term."""
    largest = np.zeros(indptr.size - 1, values.dtype)
    held = np.flatnonzero(np.diff(indptr))
    if held.size:
        largest[held] = np.maximum.reduceat(values, indptr[held])
    return largest
