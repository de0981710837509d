"""Many queries under a memory bound: one accumulator a thread, never queries by documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from sparsebm25.protocols import Bools, Floats, Ints
from sparsebm25.scoring.exact import accumulate, matched, scores_tell_matches
from sparsebm25.scoring.queries import QueryTerms
from sparsebm25.scoring.threads import spread
from sparsebm25.scoring.topk import candidates, top_k
from sparsebm25.weighting.weigh import Weights


@dataclass(frozen=True, slots=True)
class Restriction:
    """
    Return what a search may find, and what it multiplies.

    Parameters
    ----------
    allowed : ndarray of shape (n_docs,), dtype bool, or None
        Documents that may be hits; None allows all. Statistics stay those of
        the whole collection.
    boosts : ndarray of shape (n_docs,), dtype of the scores, or None
        Multiplier of each document's score; None for 1.
    """

    allowed: Bools | None = None
    boosts: Floats | None = None


EVERYTHING = Restriction()

Ranking = tuple[Ints, Floats]
"""Document ordinals and scores of one query's hits, best first."""


def found(weights: Weights, query: QueryTerms, restriction: Restriction, sums: Floats) -> tuple[Ints, Floats]:
    """
    Return every document that matches a query, with its score.

    Parameters
    ----------
    weights : Weights
        The weights of all postings.
    query : QueryTerms
        The query.
    restriction : Restriction
        Filter and boosts.
    sums : ndarray of shape (n_docs,), dtype of the weights
        Working memory; its content does not matter.

    Returns
    -------
    doc_ords : ndarray of shape (n_found,), dtype int64
        Ascending.
    scores : ndarray of shape (n_found,), dtype of the weights
        Their scores.
    """
    sums.fill(0)
    accumulate(weights, query, sums)
    holds = sums > 0 if scores_tell_matches(weights, query.weights) else matched(weights, query)
    if restriction.allowed is not None:
        holds &= restriction.allowed
    doc_ords = np.flatnonzero(holds)
    scores = sums[doc_ords]
    if query.constant:
        scores += scores.dtype.type(query.constant)
    if restriction.boosts is not None:
        scores *= restriction.boosts[doc_ords]
    return doc_ords, scores


def rank(weights: Weights, query: QueryTerms, k: int, restriction: Restriction, sums: Floats) -> Ranking:
    """
    Return the `k` best documents for one query.

    Parameters
    ----------
    weights : Weights
        The weights of all postings.
    query : QueryTerms
        The query.
    k : int
        Number of hits asked for; 0 or less gives none.
    restriction : Restriction
        Filter and boosts.
    sums : ndarray of shape (n_docs,), dtype of the weights
        Working memory.

    Returns
    -------
    doc_ords : ndarray of shape (n_hits,), dtype int64
        Best first; fewer than `k` where fewer documents match.
    scores : ndarray of shape (n_hits,), dtype of the weights
        Their scores.
    """
    if k > 0 and restriction.boosts is None and scores_tell_matches(weights, query.weights):
        doc_ords, scores = _strongest(weights, query, k, restriction, sums)
    else:
        doc_ords, scores = found(weights, query, restriction, sums)
    best = top_k(scores, k)
    return doc_ords[best], scores[best]


def _strongest(
    weights: Weights, query: QueryTerms, k: int, restriction: Restriction, sums: Floats
) -> Ranking:
    """Return those of the documents found that may be among the `k` best, ascending."""
    sums.fill(0)
    accumulate(weights, query, sums)
    if restriction.allowed is not None:
        np.copyto(sums, 0, where=~restriction.allowed)
    slack = 0.0
    if query.constant:  # adding it rounds, and so makes ties of sums that differ: keep those too
        slack = 4 * float(np.finfo(sums.dtype).eps) * (abs(query.constant) + float(sums.max(initial=0)))
    doc_ords = candidates(sums, k, slack)
    scores = sums[doc_ords]
    if query.constant:
        scores += scores.dtype.type(query.constant)
    return doc_ords, scores


def search_batch(
    weights: Weights, queries: Sequence[QueryTerms], k: int, restriction: Restriction = EVERYTHING
) -> list[Ranking]:
    """
    Return the `k` best documents for each of several queries.

    Parameters
    ----------
    weights : Weights
        The weights of all postings.
    queries : sequence of QueryTerms
        The queries.
    k : int
        Number of hits asked for.
    restriction : Restriction
        Filter and boosts, for all queries.

    Returns
    -------
    list of (doc_ords, scores)
        In the order of the queries.

    Notes
    -----
    Memory: one accumulator of n_docs scores, and the hits. Additions run
    outside the interpreter's lock.
    """
    sums = np.empty(weights.n_docs, weights.dtype)
    return [rank(weights, query, k, restriction, sums) for query in queries]


def score_rows(
    weights: Weights,
    queries: Sequence[QueryTerms],
    restriction: Restriction = EVERYTHING,
    n_jobs: int = 1,
) -> csr_array:
    """
    Return the scores of all matching documents as a sparse matrix.

    Parameters
    ----------
    weights : Weights
        The weights of all postings.
    queries : sequence of QueryTerms
        The queries.
    restriction : Restriction
        Filter and boosts, for all queries.
    n_jobs : int, default 1
        Threads.

    Returns
    -------
    csr_array of shape (n_queries, n_docs), dtype of the weights
        Sorted. A stored entry is a match, also where its score is 0.
    """

    def work(part: Sequence[QueryTerms]) -> list[Ranking]:
        sums = np.empty(weights.n_docs, weights.dtype)
        return [found(weights, query, restriction, sums) for query in part]

    rows = spread(work, queries, n_jobs)
    lengths = [doc_ords.size for doc_ords, _ in rows]
    indptr = np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))
    kind = np.int32 if indptr[-1] < 2**31 else np.int64
    docs = np.concatenate([np.empty(0, np.int64), *(row[0] for row in rows)]).astype(kind)
    data = np.concatenate([np.empty(0, weights.dtype), *(row[1] for row in rows)])
    return csr_array((data, docs, indptr.astype(kind)), shape=(len(rows), weights.n_docs))
