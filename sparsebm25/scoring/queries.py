"""From what a caller asks to weighted term ordinals in the canonical order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from scipy.sparse import csr_array

from sparsebm25._callables import checked_tokens
from sparsebm25._checks import checked_entries, finite, is_sparse, shown
from sparsebm25.counting import missing
from sparsebm25.protocols import Floats, Ints, TextAnalyzer
from sparsebm25.vocabulary import Vocabulary
from sparsebm25.weighting.schemes import QuerySide
from sparsebm25.weighting.statistics import Statistics
from sparsebm25.weighting.weigh import Weights

Query: TypeAlias = str | Sequence[str | int] | Mapping[str | int, float] | None
"""A text, tokens, or terms with weights; a sparse row of shape (1, n_terms) is taken too."""


class QueryTerms(NamedTuple):
    """
    Return the known terms of a query, in the order in which they are added.

    Parameters
    ----------
    term_ords : ndarray of shape (n_query_terms,), dtype int64
        Ordinals, ascending: the terms in text order.
    weights : ndarray of shape (n_query_terms,), dtype of the scores
        What the weights of each term are multiplied by; finite, not 0.
    constant : float
        What every document gets, matched or not: the absent weights of the
        query's terms. 0 for schemes without them.
    """

    term_ords: Ints
    weights: Floats
    constant: float = 0.0


MAX_QUERY_WEIGHT = 1e9
"""Beyond it sums could leave the range of float32."""


class QueryReader:
    """
    Return a reader that turns queries of any form into `QueryTerms`.

    Parameters
    ----------
    analyzer : callable or None
        Turns text into tokens; None refuses text.
    weights : Weights
        Gives the dtype and the absent weights.
    statistics : Statistics
        Gives the vocabulary, and the idf of schemes that weigh queries.
    query_side : QuerySide or None
        How query counts become query weights; None leaves them as they are.
    query_tf : {"count", "set"}
        Whether a word that is written twice counts twice or once.
    """

    def __init__(
        self,
        analyzer: TextAnalyzer | None,
        weights: Weights,
        statistics: Statistics,
        query_side: QuerySide | None,
        query_tf: str,
    ) -> None:
        self._analyzer = analyzer
        self._weights = weights
        self._statistics = statistics
        self._side = query_side
        self._once = query_tf == "set"

    @property
    def _vocabulary(self) -> Vocabulary:
        """Return the vocabulary in which terms are looked up."""
        return self._statistics.vocabulary

    def read(self, query: Any) -> QueryTerms:
        """
        Return the terms of one query.

        Parameters
        ----------
        query : str, list of str, mapping, sparse row or None
            Text goes through the analyzer, a list holds tokens, a mapping
            gives each term's weight, a sparse row of shape (1, n_terms) the
            weight of each column. None and NaN are an empty query.

        Returns
        -------
        QueryTerms
            Terms that the collection does not hold are left out.

        Raises
        ------
        TypeError
            If the query is of another type.
        ValueError
            If a weight is not finite or a row has the wrong width.
        """
        return self.read_many((query,))[0]

    def read_many(self, queries: Iterable[Any]) -> list[QueryTerms]:
        """
        Return the terms of several queries.

        Parameters
        ----------
        queries : iterable
            Each in any form that `read` takes.

        Returns
        -------
        list of QueryTerms
            Views of two arrays, which are made once for all of them.

        Raises
        ------
        TypeError, ValueError
            As `read` raises them.
        """
        ords: list[int] = []
        amounts: list[float] = []
        edges = [0]
        for query in queries:
            counts = self._counts(query)
            own = sorted(counts)
            ords += own
            amounts += map(counts.__getitem__, own)
            edges.append(len(ords))
        term_ords = np.array(ords, np.int64)
        plain = self._side is None and self._weights.absent_weights is None
        weights = np.array(amounts, np.float64).astype(self._weights.dtype if plain else np.float64)
        make = QueryTerms if plain else self._weighted
        return [make(term_ords[start:end], weights[start:end]) for start, end in pairwise(edges)]

    def _counts(self, query: Any) -> dict[int, float]:
        """Return how much each known term was asked for, not in order."""
        if isinstance(query, str):
            if self._analyzer is None:
                raise TypeError(f"this index takes token lists, not text (analyzer=None), got {shown(query)}")
            query = checked_tokens(self._analyzer, query)
        if isinstance(query, list | tuple):
            return self._count_tokens(query)
        if is_sparse(query):  # before mappings: some sparse arrays are both
            return self._weigh_columns(query)
        if isinstance(query, Mapping):
            return self._weigh_tokens(query)
        if missing(query):
            return {}
        raise TypeError(
            "a query must be a str, a list of tokens, a mapping of terms to weights or a sparse row, "
            f"got {shown(query)}"
        )

    def _count_tokens(self, tokens: Iterable[Any]) -> dict[int, float]:
        """Return how often each known token is there, or that it is."""
        ord_of, numbered = self._vocabulary.get, self._vocabulary.numbered
        counts: dict[int, float] = {}
        for token in tokens:
            term_ord = ord_of(token)
            if numbered or term_ord is None:  # what a vocabulary of texts knows is a text
                self._check_token(token)
            if term_ord is not None:
                counts[term_ord] = 1 if self._once else counts.get(term_ord, 0) + 1
        return counts

    def _weigh_tokens(self, asked: Mapping[Any, Any]) -> dict[int, float]:
        """Return the weights of the known terms of a mapping; those of 0 are left out."""
        weights: dict[int, float] = {}
        for term, asked_weight in asked.items():
            self._check_token(term)
            weight = _query_weight(term, asked_weight)
            term_ord = self._vocabulary.get(term)
            if term_ord is not None and weight != 0:
                weights[term_ord] = weight
        return weights

    def _check_token(self, token: object) -> None:
        """Refuse a token of a type that no term of the collection has."""
        kind: Any = (int, np.integer) if self._vocabulary.numbered else str
        if not isinstance(token, kind) or isinstance(token, bool):
            allowed = "the number of a column" if self._vocabulary.numbered else "a str"
            raise TypeError(f"a token of a query must be {allowed}, got {shown(token)}")

    def _weigh_columns(self, row: Any) -> dict[int, float]:
        """Return the weights of the columns of a sparse row."""
        width = row.shape[-1]
        if row.ndim > 2 or (row.ndim == 2 and row.shape[0] != 1) or width != len(self._vocabulary):
            raise ValueError(
                f"a sparse query must have the shape (1, {len(self._vocabulary)}), got {row.shape}"
            )
        entries = checked_entries(row)
        if entries.data.dtype.kind not in "biuf":
            raise TypeError(f"the weights of a sparse query must be numbers, got dtype {entries.data.dtype}")
        weights = np.bincount(entries.coords[-1], entries.data.astype(np.float64), width)
        if not (np.abs(weights) <= MAX_QUERY_WEIGHT).all():
            raise ValueError(
                f"the weights of a sparse query must be finite and at most {MAX_QUERY_WEIGHT:g} in size"
            )
        term_ords = np.flatnonzero(weights)
        return dict(zip(term_ords.tolist(), weights[term_ords].tolist(), strict=True))

    def _weighted(self, term_ords: Ints, counts: Floats) -> QueryTerms:
        """Return the terms with their final weights and constant."""
        if self._side is not None:
            counts = weigh_query(counts, term_ords, self._side, self._statistics)
        weights = counts.astype(self._weights.dtype)
        absent = self._weights.absent_weights
        constant = 0.0 if absent is None else float(np.sum(counts * absent[term_ords], dtype=np.float64))
        return QueryTerms(term_ords, weights, constant)


def _query_weight(term: object, weight: object) -> float:
    """Return the weight of a query's term, or say what is allowed."""
    return finite(f"the weight of {term!r}", weight, low=-MAX_QUERY_WEIGHT, high=MAX_QUERY_WEIGHT)


def weigh_query(counts: Floats, term_ords: Ints, side: QuerySide, statistics: Statistics) -> Floats:
    """
    Return the weights of a query's terms under a scheme that weighs queries.

    Parameters
    ----------
    counts : ndarray of shape (n_query_terms,), dtype float64
        How often each term was asked for.
    term_ords : ndarray of shape (n_query_terms,), dtype int
        The terms.
    side : QuerySide
        The query's half of the scheme.
    statistics : Statistics
        Document frequencies of all terms.

    Returns
    -------
    ndarray of shape (n_query_terms,), dtype float64
        Scaled to Euclidean length 1 where the scheme asks for it.
    """
    weights = side.tf(counts) * side.idf(statistics.doc_freqs[term_ords], statistics.n_docs)
    length = float(np.sqrt(np.sum(weights * weights)))
    return weights / length if side.cosine and length > 0 else weights


def query_list(queries: Any, name: str = "queries") -> Iterator[Any]:
    """
    Return the queries of a batch, one after the other.

    Parameters
    ----------
    queries : iterable, or sparse matrix of shape (n_queries, n_terms)
        Each in any form that a single query may have.
    name : str
        Name of the argument, for the error.

    Returns
    -------
    iterator
        One query at a time.

    Raises
    ------
    TypeError
        If `queries` is a single query, or nothing that can be iterated.
    """
    if is_sparse(queries):
        if queries.ndim != 2:
            raise ValueError(f"{name} must be a matrix with one row a query, got shape {queries.shape}")
        rows: Any = csr_array(checked_entries(queries))
        return (rows[[row], :] for row in range(rows.shape[0]))
    if isinstance(queries, str | Mapping) or not isinstance(queries, Iterable):
        raise TypeError(f"{name} must be an iterable of queries or a sparse matrix, got {shown(queries)}")
    return iter(queries)
