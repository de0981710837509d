"""How do arrays go into compiled loops, and which records do those work on?"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from sparsebm25.protocols import Floats, Ints


class Postings(NamedTuple):
    """
    Return all postings.

    Parameters
    ----------
    indptr : ndarray of shape (n_terms + 1,), dtype int
        Where the postings of each term begin and end.
    docs : ndarray of shape (n_postings,), dtype int32
        Document ordinals.
    weights : ndarray of shape (n_postings,), dtype float
        What each adds to a score.
    """

    indptr: Ints
    docs: Ints
    weights: Floats


class Queries(NamedTuple):
    """
    Return some queries.

    Parameters
    ----------
    indptr : ndarray of shape (n_queries + 1,), dtype int64
        Where the terms of each query begin and end.
    term_ords : ndarray of shape (n_query_terms,), dtype int64
        Ordinals, ascending within a query.
    weights : ndarray of shape (n_query_terms,), dtype of the scores
        Query weights.
    constants : ndarray of shape (n_queries,), dtype of the scores
        What every document gets.
    """

    indptr: Ints
    term_ords: Ints
    weights: Floats
    constants: Floats


class HitTable(NamedTuple):
    """
    Return where hits are written, a row a query.

    Parameters
    ----------
    doc_ords : ndarray of shape (n_queries, k), dtype int64
        Document ordinals.
    scores : ndarray of shape (n_queries, k), dtype float
        Their scores.
    """

    doc_ords: Ints
    scores: Floats


@cache
def term_type() -> np.dtype[Any]:
    """
    Return the record of a query's term, for scores of any dtype.

    Returns
    -------
    dtype
        Query weight; the most that the term adds to a score, and which term
        stands at this place when they are sorted by that; its rows in the
        tables of frequent and of common terms, or -1; its postings in the
        present range; where its postings end; whether it is essential.
    """
    places = ("by_top", "row", "common", "low", "high", "end")
    fields = [("weight", "f8"), ("top", "f8"), *((place, "i8") for place in places), ("essential", "?")]
    return np.dtype(fields, align=True)


@cache
def candidate_type(kind: np.dtype[Any]) -> np.dtype[Any]:
    """
    Return the record of a document that may be a hit.

    Parameters
    ----------
    kind : dtype
        Of the scores.

    Returns
    -------
    dtype
        Its ordinal and its score. `bits` is the score again, as an integer:
        of floats that are not negative, the greater one has the greater bits,
        and integers are compared and sorted faster.
    """
    size = kind.itemsize
    names, formats, offsets = ["doc", "score", "bits"], ["i4", kind, f"i{size}"], [0, size, size]
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": 2 * size})
