"""The exact path: every posting of every query term, added in one canonical order."""

from __future__ import annotations

from typing import Any

import numpy as np

from sparsebm25.protocols import Bools, Floats, Ints
from sparsebm25.scoring.queries import QueryTerms
from sparsebm25.weighting.weigh import Weights

_csc_matvec: Any
try:
    # One column of a sparse product, added to a vector that is already there:
    # SciPy's public products allocate the vector anew. Guarded below.
    from scipy.sparse._sparsetools import csc_matvec as _csc_matvec
except ImportError:
    _csc_matvec = None


_ONE = {kind: np.ones(1, kind) for kind in "fd"}
_TINY = {kind: float(np.finfo(kind).tiny) for kind in "fd"}
"""By the letter of the dtype of scores: made once, for searches that take microseconds."""


def add_at_by_index(out: Floats, docs: Ints, values: Floats) -> None:
    """
    Add values at distinct positions of a vector: the readable twin of `add_at`.

    Parameters
    ----------
    out : ndarray of shape (n_docs,), dtype float
        Is added to.
    docs : ndarray of shape (n_postings,), dtype int
        Positions, each at most once.
    values : ndarray of shape (n_postings,), dtype of `out`
        What to add.
    """
    out[docs] += values


def _add_at_by_product(out: Floats, docs: Ints, values: Floats) -> None:
    """
    Add values at distinct positions of a vector, as the product of a one-column matrix and (1).

    Parameters
    ----------
    out : ndarray of shape (n_docs,), dtype float
        Is added to.
    docs : ndarray of shape (n_postings,), dtype int
        Positions, each at most once.
    values : ndarray of shape (n_postings,), dtype of `out`
        What to add.
    """
    _csc_matvec(out.size, 1, np.array((0, docs.size), docs.dtype), docs, values, _ONE[out.dtype.char], out)


def _product_works() -> bool:
    """Return whether this SciPy's internal product does what `add_at_by_index` does."""
    if _csc_matvec is None:
        return False
    out = np.array([1.0, 2.0, 3.0], np.float32)
    try:
        _add_at_by_product(out, np.array([2, 0], np.int32), np.array([0.5, 0.25], np.float32))
    except Exception:  # whatever a changed signature raises
        return False
    return out.tolist() == [1.25, 2.0, 3.5]


add_at = _add_at_by_product if _product_works() else add_at_by_index
"""Adds values at distinct positions of a vector; both twins give the same bits."""


def accumulate(weights: Weights, query: QueryTerms, out: Floats) -> None:
    """
    Add what each term of a query gives to each document.

    Parameters
    ----------
    weights : Weights
        The weights of all postings.
    query : QueryTerms
        Term ordinals, ascending, with their query weights.
    out : ndarray of shape (n_docs,), dtype of the weights
        Is added to. Each document receives ``query weight * weight``,
        rounded, term after term: these additions in this order are what
        every other path must reproduce.
    """
    postings = weights.postings
    starts = postings.indptr[query.term_ords].tolist()
    ends = postings.indptr[query.term_ords + 1].tolist()
    for weight, start, end in zip(query.weights, starts, ends, strict=True):
        values = postings.data[start:end]
        # Multiplying first, in a step of its own, keeps a processor's fused
        # multiply-add from rounding once where another path rounds twice.
        add_at(out, postings.indices[start:end], values if weight == 1 else values * weight)


def score_all(weights: Weights, query: QueryTerms) -> Floats:
    """
    Return the score of every document for one query.

    Parameters
    ----------
    weights : Weights
        The weights of all postings.
    query : QueryTerms
        The query.

    Returns
    -------
    ndarray of shape (n_docs,), dtype of the weights
        Documents without a term of the query have the query's constant,
        which is 0 for schemes without absent weights.
    """
    scores = np.zeros(weights.n_docs, weights.dtype)
    accumulate(weights, query, scores)
    if query.constant:
        scores += scores.dtype.type(query.constant)
    return scores


def scores_tell_matches(weights: Weights, query_weights: Floats) -> bool:
    """
    Return whether a document matches exactly where its sum is above 0.

    Parameters
    ----------
    weights : Weights
        The weights of all postings.
    query_weights : ndarray of shape (n_query_terms,), dtype of the weights
        Those of one query, or of several.

    Returns
    -------
    bool
        True if every addition is positive and too large to round to 0.
    """
    if not query_weights.size:
        return True
    smallest = min(query_weights.tolist())
    return smallest > 0 and weights.min_weight * smallest > _TINY[weights.dtype.char]


def matched(weights: Weights, query: QueryTerms) -> Bools:
    """
    Return which documents hold at least one term of the query.

    Parameters
    ----------
    weights : Weights
        Gives the structure; the values are not looked at.
    query : QueryTerms
        The query.

    Returns
    -------
    ndarray of shape (n_docs,), dtype bool
        Also right where weights are 0 or negative.
    """
    holds = np.zeros(weights.n_docs, np.bool_)
    postings = weights.postings
    for term_ord in query.term_ords.tolist():
        holds[postings.indices[postings.indptr[term_ord] : postings.indptr[term_ord + 1]]] = True
    return holds
