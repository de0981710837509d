"""The compiled backend: many queries in one call, and the exact path for what it does not take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from sparsebm25.scoring import _numba, batch
from sparsebm25.scoring.batch import EVERYTHING, Ranking, Restriction
from sparsebm25.scoring.bounds import DEPTHS, Bounds, bounds_of
from sparsebm25.scoring.exact import scores_tell_matches
from sparsebm25.scoring.layouts import HitTable, Postings, Queries, candidate_type, term_type
from sparsebm25.scoring.queries import QueryTerms
from sparsebm25.weighting.weigh import Weights

MAX_HITS = 2**18
"""Hits for which one call has room: bounds the memory beside the result."""

LIGHT = 256
"""So few documents are scored in the time that a compiled call takes to begin."""

_made: WeakKeyDictionary[Weights, Bounds] = WeakKeyDictionary()
"""The bounds of weights that are in use."""


def search_batch(
    weights: Weights, queries: Sequence[QueryTerms], k: int, restriction: Restriction = EVERYTHING
) -> list[Ranking]:
    """
    Return what `sparsebm25.scoring.batch.search_batch` returns, bit for bit, mostly by compiled loops.

    Parameters
    ----------
    weights, queries, k, restriction : Weights, sequence of QueryTerms, int, Restriction
        As there.

    Returns
    -------
    list of (doc_ords, scores)
        In the order of the queries.

    Notes
    -----
    The first call for some weights makes their bounds, in O(n_postings). A
    few documents, boosts, and queries whose sums could be 0 or fall, take the
    exact path.
    """
    if weights.n_docs <= LIGHT or k <= 0 or restriction.boosts is not None:
        return batch.search_batch(weights, queries, k, restriction)
    plain = np.array([_prunable(weights, query) for query in queries], np.bool_)
    if not plain.any():
        return batch.search_batch(weights, queries, k, restriction)
    fast = _search(weights, [queries[place] for place in np.flatnonzero(plain).tolist()], k, restriction)
    if plain.all():
        return fast
    others = [queries[place] for place in np.flatnonzero(~plain).tolist()]
    pending = iter(fast), iter(batch.search_batch(weights, others, k, restriction))
    return [next(pending[not is_plain]) for is_plain in plain.tolist()]


def prepare(weights: Weights) -> None:
    """
    Make the bounds of weights that compiled loops will be used for.

    Parameters
    ----------
    weights : Weights
        The weights of all postings.
    """
    if weights.n_docs > LIGHT and weights.min_weight > 0:
        _bounds(weights)


def _bounds(weights: Weights) -> Bounds:
    """Return the bounds of weights, made once; two threads may both make them, and agree."""
    bounds = _made.get(weights)
    if bounds is None:
        bounds = _made[weights] = bounds_of(weights)
    return bounds


def _prunable(weights: Weights, query: QueryTerms) -> bool:
    """Return whether sums only grow, so that bounds hold: no weight is negative or too small to count."""
    return query.constant >= 0 and scores_tell_matches(weights, query)


def _search(
    weights: Weights, queries: Sequence[QueryTerms], k: int, restriction: Restriction
) -> list[Ranking]:
    """Return the rankings of queries, as many of them in a call as there is room for."""
    kind = weights.dtype
    k = min(k, weights.n_docs)
    depth = next((place for place, depth in enumerate(DEPTHS) if depth >= k), -1)
    arrays = weights.postings
    postings = Postings(*map(np.asarray, (arrays.indptr, arrays.indices, arrays.data)))
    allowed = np.empty(0, np.bool_) if restriction.allowed is None else restriction.allowed
    most_terms = max(query.term_ords.size for query in queries)
    space = 2 * k + _numba.SPARE + _numba.RANGE + 1
    sums = np.zeros(_numba.RANGE, kind)
    blocks = sums.view(f"i{kind.itemsize}").reshape(-1, _numba.BLOCK)
    terms = np.empty(most_terms, term_type(kind))
    found, spare = np.empty((2, space), candidate_type(kind))
    rankings: list[Ranking] = []
    n_rows = max(1, MAX_HITS // max(k, 1))
    for start in range(0, len(queries), n_rows):
        part = queries[start : start + n_rows]
        hits = HitTable(np.empty((len(part), k), np.int64), np.empty((len(part), k), kind))
        sizes = _numba.rank_queries(
            postings,
            _bounds(weights),
            _flat(part, kind),
            allowed,
            k,
            depth,
            hits,
            sums,
            blocks,
            terms,
            found,
            spare,
        )
        rows = zip(hits.doc_ords, hits.scores, sizes.tolist(), strict=True)
        rankings += [(doc_ords[:size], scores[:size]) for doc_ords, scores, size in rows]
    return rankings


def _flat(queries: Sequence[QueryTerms], kind: np.dtype[Any]) -> Queries:
    """Return queries as arrays, one query after the other."""
    indptr = np.zeros(len(queries) + 1, np.int64)
    np.cumsum([query.term_ords.size for query in queries], out=indptr[1:])
    return Queries(
        indptr,
        np.concatenate([query.term_ords for query in queries]),
        np.concatenate([query.weights for query in queries]),
        np.array([query.constant for query in queries], kind),
    )
