"""The compiled backend: many queries in one call, and the exact path for what it does not take."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress, pairwise
from threading import local
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from sparsebm25.protocols import Floats, Ints
from sparsebm25.scoring import _ranges, batch
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

MAX_KEPT = 2**16
"""Candidates for which a thread keeps room between calls: making it takes longer than many a search."""

_made: WeakKeyDictionary[Weights, Bounds] = WeakKeyDictionary()
"""The bounds of weights that are in use."""

_ALL = np.empty(0, np.bool_)
"""Stands for a filter that lets every document pass."""


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
    if not takes(weights) or k <= 0 or restriction.boosts is not None:
        return batch.search_batch(weights, queries, k, restriction)
    asked = _flat(queries, weights.dtype)
    if _prunable(weights, asked.weights, asked.constants):
        return _search(weights, asked, k, restriction)
    plain = [_prunable(weights, query.weights, np.array([query.constant])) for query in queries]
    asked = _flat(list(compress(queries, plain)), weights.dtype)
    fast = iter(_search(weights, asked, k, restriction))
    others = [query for query, is_plain in zip(queries, plain, strict=True) if not is_plain]
    exact = iter(batch.search_batch(weights, others, k, restriction))
    return [next(fast if is_plain else exact) for is_plain in plain]


def takes(weights: Weights) -> bool:
    """
    Return whether compiled loops can be used for weights.

    Parameters
    ----------
    weights : Weights
        The weights of all postings.

    Returns
    -------
    bool
        False for a few documents and for weights that lower scores.
    """
    return weights.n_docs > LIGHT and weights.min_weight > 0


def bounds(weights: Weights) -> Bounds:
    """
    Return the bounds of weights that compiled loops are used for.

    Parameters
    ----------
    weights : Weights
        The weights of all postings.

    Returns
    -------
    Bounds
        Made once; two threads may both make them, and agree.
    """
    made = _made.get(weights)
    if made is None:
        made = _made[weights] = bounds_of(weights)
    return made


def _prunable(weights: Weights, query_weights: Floats, constants: Floats) -> bool:
    """Return whether sums only grow, so that bounds hold: no weight is negative or too small to count."""
    return min(constants.tolist(), default=0) >= 0 and scores_tell_matches(weights, query_weights)


class _Room(NamedTuple):
    """Return working memory of one thread, of the sizes and dtypes that `_ranges.rank_queries` asks for."""

    sums: Floats
    blocks: Ints
    terms: Any
    found: Any
    spare: Any


_kept = local()
"""A thread's room by the letter of the dtype of scores."""


def _room(kind: np.dtype[Any], k: int, n_terms: int, range_size: int) -> _Room:
    """Return room for a search: the one that was kept if it is large enough."""
    room: _Room | None = _kept.__dict__.get(kind.char)
    n_candidates = 2 * k + range_size + 1
    fits = room is not None and room.sums.size == range_size
    if room is None or not fits or room.spare.size < n_candidates or room.terms.size < n_terms:
        sums = np.zeros(range_size, kind)
        blocks = sums.view(f"i{kind.itemsize}").reshape(-1, _ranges.BLOCK)
        terms = np.empty(n_terms, term_type())
        room = _Room(sums, blocks, terms, *np.empty((2, n_candidates), candidate_type(kind)))
        if n_candidates <= MAX_KEPT:
            _kept.__dict__[kind.char] = room
    return room


def _search(weights: Weights, queries: Queries, k: int, restriction: Restriction) -> list[Ranking]:
    """Return the rankings of queries, as many of them in a call as there is room for."""
    kind = weights.dtype
    k = min(k, weights.n_docs)
    depth = next((place for place, depth in enumerate(DEPTHS) if depth >= k), -1)
    arrays = weights.postings
    postings = Postings(*map(np.asarray, (arrays.indptr, arrays.indices, arrays.data)))
    allowed = _ALL if restriction.allowed is None else restriction.allowed
    rankings: list[Ranking] = []
    most_terms = max((end - start for start, end in pairwise(queries.indptr.tolist())), default=0)
    tables = bounds(weights)
    room = _room(kind, k, most_terms, tables.range_size)
    n_rows = max(1, MAX_HITS // k)
    for start in range(0, queries.constants.size, n_rows):
        constants = queries.constants[start : start + n_rows]
        indptr = queries.indptr[start : start + constants.size + 1]
        part = Queries(indptr, queries.term_ords, queries.weights, constants)
        hits = HitTable(np.empty((constants.size, k), np.int64), np.empty((constants.size, k), kind))
        sizes = _ranges.rank_queries(postings, tables, part, allowed, k, depth, hits, *room)
        rows = zip(hits.doc_ords, hits.scores, sizes.tolist(), strict=True)
        rankings += [(doc_ords[:size], scores[:size]) for doc_ords, scores, size in rows]
    return rankings


def _flat(queries: Sequence[QueryTerms], kind: np.dtype[Any]) -> Queries:
    """Return queries as arrays, one query after the other."""
    constants = np.array([query.constant for query in queries], kind)
    if len(queries) == 1:
        (query,) = queries
        return Queries(np.array((0, query.term_ords.size)), query.term_ords, query.weights, constants)
    indptr = np.zeros(len(queries) + 1, np.int64)
    np.cumsum([query.term_ords.size for query in queries], out=indptr[1:])
    return Queries(
        indptr,
        np.concatenate([np.empty(0, np.int64), *(query.term_ords for query in queries)]),
        np.concatenate([np.empty(0, kind), *(query.weights for query in queries)]),
        constants,
    )
