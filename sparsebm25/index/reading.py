"""The asking half of an index: which documents fit, how well, and why?"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from sparsebm25._checks import integer
from sparsebm25.errors import UnknownIds
from sparsebm25.index.arrays import OpenArrays
from sparsebm25.index.doc_ids import checked_ids
from sparsebm25.index.filters import Boost, Where, restriction
from sparsebm25.index.snapshot import Snapshot
from sparsebm25.protocols import DocId, Floats
from sparsebm25.records import Explanation, Hits
from sparsebm25.runs import Run
from sparsebm25.scoring.backends import backend_named
from sparsebm25.scoring.batch import Ranking, Restriction, score_rows
from sparsebm25.scoring.exact import score_all
from sparsebm25.scoring.queries import query_list
from sparsebm25.scoring.threads import spread

CHUNK_BYTES = 256 * 2**20
"""Upper bound for the hits that `search_chunks` holds at a time."""

MAX_CHUNK = 256
"""Most queries of a chunk, however few hits they ask for."""


class Searchable(OpenArrays):
    """Everything that can be asked of a snapshot; each call reads the present one once."""

    def search(self, query: Any, k: int = 10, *, where: Where = None, boost: Boost = None) -> Hits:
        """
        Return the best documents for a query, best first.

        Parameters
        ----------
        query : str, list of str, mapping of term to weight, or sparse row
            Text goes through the analyzer and is never read as query
            syntax. None and NaN are an empty query.
        k : int, default 10
            Most hits wanted; 0 or less gives none.
        where : ndarray, iterable or callable, optional
            A hard filter: a mask of shape (n_docs,), the ids that are
            allowed, or a function of a document's metadata. Statistics stay
            those of all documents.
        boost : array-like of shape (n_docs,) or mapping of id to number, optional
            Multiplies the scores of documents; at least 0.

        Returns
        -------
        Hits
            Documents that share at least one term with the query, score
            descending, equal scores by position.

        Examples
        --------
        >>> from sparsebm25 import BM25Index
        >>> index = BM25Index().fit(["red kite", "red pot", "blue mug"])
        >>> [hit.doc_id for hit in index.search("red", where=[1, 2])]
        [1]
        """
        k = integer("k", k)
        snapshot = self._snapshot
        limits = restriction(snapshot, where, boost)
        terms = snapshot.reader.read(query)
        backend = backend_named(snapshot.settings.backend)
        doc_ords, scores = backend.search_batch(snapshot.weights, [terms], k, limits)[0]
        return Hits(snapshot.doc_ids, doc_ords, scores)

    def search_many(
        self,
        queries: Any,
        k: int = 10,
        *,
        query_ids: Iterable[DocId] | None = None,
        where: Where = None,
        boost: Boost = None,
        n_jobs: int = 1,
    ) -> Run:
        """
        Return the best documents for each of many queries.

        Parameters
        ----------
        queries : iterable of queries, or sparse matrix of shape (n_queries, n_terms)
            Each in any form that `search` takes.
        k : int, default 10
            Most hits wanted for a query; 0 or less gives none.
        query_ids : iterable of (str or int), optional
            One distinct id a query; positions if not given.
        where, boost : optional
            As for `search`, for all queries.
        n_jobs : int, default 1
            Threads; -1 for one a processor. The result does not depend on it.
            Worth it with ``backend="numba"``, and with a million documents;
            with fewer the many short steps of ``"scipy"`` wait for the
            interpreter's lock, and one thread is as fast.

        Returns
        -------
        Run
            Each query's hits are those that `search` finds, bit for bit.

        Notes
        -----
        Never makes an array of queries by documents: memory is one
        accumulator of n_docs scores a thread, and the hits. `search_chunks`
        bounds those too.

        Examples
        --------
        >>> from sparsebm25 import BM25Index
        >>> index = BM25Index().fit(["red kite", "red pot", "blue mug"])
        >>> run = index.search_many(["mug", "pot kite"], k=2, query_ids=["q1", "q2"])
        >>> run["q1"].doc_ids, run["q2"].doc_ids
        ([2], [0, 1])
        """
        listed = list(query_list(queries))
        names = checked_ids(query_ids, "query_ids")
        if names is not None and len(names) != len(listed):
            raise ValueError(
                f"query_ids must have one entry a query, got {len(names)} for {len(listed)} queries"
            )
        snapshot = self._snapshot
        limits = restriction(snapshot, where, boost)
        query_names = range(len(listed)) if names is None else names
        return _ranked(snapshot, listed, integer("k", k), query_names, limits, thread_count(n_jobs))

    def search_chunks(
        self,
        queries: Any,
        k: int = 10,
        *,
        chunk_size: int | None = None,
        where: Where = None,
        boost: Boost = None,
        n_jobs: int = 1,
    ) -> Iterator[Run]:
        """
        Return the hits of many queries, one chunk of queries after another.

        Parameters
        ----------
        queries, k : iterable, int
            As for `search_many`; `queries` may be an endless generator.
        chunk_size : int, optional
            Queries a chunk, at least 1; by default as many as keep their
            hits under 256 MiB, at most 256.
        where, boost : optional
            As for `search`, for all queries.
        n_jobs : int, default 1
            Threads.

        Returns
        -------
        iterator of Run
            Query ids are the positions in `queries`. All chunks are of the
            same snapshot, whatever is written meanwhile.
        """
        k = integer("k", k)
        snapshot = self._snapshot
        if chunk_size is None:
            hit_bytes = 8 + np.dtype(snapshot.settings.dtype).itemsize
            size = CHUNK_BYTES // (hit_bytes * max(1, min(k, snapshot.n_docs)))
            size = min(MAX_CHUNK, max(1, size))
        else:
            size = integer("chunk_size", chunk_size, low=1)
        limits = restriction(snapshot, where, boost)
        return self._chunks(snapshot, query_list(queries), k, size, limits, thread_count(n_jobs))

    def _chunks(
        self, snapshot: Snapshot, queries: Iterator[Any], k: int, size: int, limits: Restriction, n_jobs: int
    ) -> Iterator[Run]:
        """Yield the runs of consecutive chunks of queries."""
        start = 0
        while chunk := list(islice(queries, size)):
            yield _ranked(snapshot, chunk, k, range(start, start + len(chunk)), limits, n_jobs)
            start += len(chunk)

    def scores(self, query: Any) -> Floats:
        """
        Return the score of every document for a query.

        Parameters
        ----------
        query : str, list of str, mapping of term to weight, or sparse row
            As for `search`.

        Returns
        -------
        ndarray of shape (n_docs,), dtype of the index
            A new array. Documents without a term of the query have 0, or
            under schemes with absent weights the query's constant.

        Examples
        --------
        >>> from sparsebm25 import BM25Index
        >>> BM25Index().fit(["red kite", "red pot"]).scores("kite").round(4)
        array([0.2773, 0.    ], dtype=float32)
        """
        snapshot = self._snapshot
        return score_all(snapshot.weights, snapshot.reader.read(query))

    def score_matrix(
        self, queries: Any, *, where: Where = None, boost: Boost = None, n_jobs: int = 1
    ) -> csr_array:
        """
        Return the scores of all matching documents for many queries.

        Parameters
        ----------
        queries : iterable of queries, or sparse matrix of shape (n_queries, n_terms)
            As for `search_many`.
        where, boost : optional
            As for `search`, for all queries.
        n_jobs : int, default 1
            Threads.

        Returns
        -------
        csr_array of shape (n_queries, n_docs), dtype of the index
            A stored entry is a document that shares a term with the query.
            Under schemes with absent weights a document that is not stored
            has the query's constant, not 0.

        Notes
        -----
        Memory follows the number of matches, not n_queries times n_docs.
        """
        snapshot = self._snapshot
        limits = restriction(snapshot, where, boost)
        terms = snapshot.reader.read_many(query_list(queries))
        return score_rows(snapshot.weights, terms, limits, thread_count(n_jobs))

    def query_matrix(self, queries: Any) -> csr_array:
        """
        Return the query weights of many queries, so that a product scores them.

        ``index.query_matrix(queries) @ index.postings`` holds the scores of
        `score_matrix`, up to rounding and absent weights.

        Parameters
        ----------
        queries : iterable of queries, or sparse matrix of shape (n_queries, n_terms)
            As for `search_many`.

        Returns
        -------
        csr_array of shape (n_queries, n_terms), dtype of the index
            Rows of query weights.
        """
        snapshot = self._snapshot
        terms = snapshot.reader.read_many(query_list(queries))
        indptr = np.concatenate(([0], np.cumsum([row.term_ords.size for row in terms], dtype=np.int64)))
        ords = np.concatenate([np.empty(0, np.int64), *(row.term_ords for row in terms)])
        weights = np.concatenate([np.empty(0, snapshot.settings.dtype), *(row.weights for row in terms)])
        shape = (len(terms), len(snapshot.vocabulary))
        return csr_array((weights, ords.astype(np.int32), indptr.astype(np.int32)), shape=shape)

    def explain(self, query: Any, doc_id: DocId) -> Explanation:
        """
        Return why a document has its score for a query.

        Parameters
        ----------
        query : str, list of str, mapping of term to weight, or sparse row
            As for `search`.
        doc_id : str or int
            Id of a document of the index.

        Returns
        -------
        Explanation
            A tree; the parts of its root, one a matching term, sum to the
            score.

        Raises
        ------
        UnknownIds
            If the index does not hold the document.

        Examples
        --------
        >>> from sparsebm25 import BM25Index
        >>> index = BM25Index().fit(["red kite", "red pot", "blue mug"])
        >>> tree = index.explain("red kite", 0)
        >>> round(tree.value, 4) == round(float(index.scores("red kite")[0]), 4)
        True
        """
        snapshot = self._snapshot
        doc_ord = snapshot.doc_ids.ord_of(doc_id)
        if doc_ord is None:
            raise UnknownIds([doc_id], snapshot.n_docs)
        return snapshot.explainer.explain(snapshot.reader.read(query), doc_ord)


def _ranked(
    snapshot: Snapshot,
    queries: Sequence[Any],
    k: int,
    query_ids: Sequence[DocId],
    limits: Restriction,
    n_jobs: int,
) -> Run:
    """Return the run of some queries."""
    backend = backend_named(snapshot.settings.backend)
    weights, reader = snapshot.weights, snapshot.reader  # made here once, not in each thread
    search_batch = backend.ready(weights, len(queries))

    def work(part: Sequence[Any]) -> list[Ranking]:
        return search_batch(weights, reader.read_many(part), k, limits)

    rankings = spread(work, queries, n_jobs)  # one thread reads queries while another adds up scores
    indptr = np.zeros(len(rankings) + 1, np.int64)
    np.cumsum([doc_ords.size for doc_ords, _ in rankings], out=indptr[1:])
    doc_ords = np.concatenate([np.empty(0, np.int64), *(ranking[0] for ranking in rankings)])
    scores = np.concatenate([np.empty(0, snapshot.settings.dtype), *(ranking[1] for ranking in rankings)])
    return Run(query_ids, indptr, doc_ords, scores, snapshot.doc_ids)


def thread_count(n_jobs: int) -> int:
    """
    Return the number of threads that `n_jobs` asks for.

    Parameters
    ----------
    n_jobs : int
        At least 1, or -1 for one a processor.

    Returns
    -------
    int
        At least 1.

    Raises
    ------
    ValueError
        If it is another number.
    """
    wanted = integer("n_jobs", n_jobs)
    if wanted == -1:
        return os.cpu_count() or 1
    if wanted < 1:
        raise ValueError(f"n_jobs must be an integer >= 1, or -1 for one thread a processor, got {wanted}")
    return wanted
