"""What do several indexes of the same documents say together? A weighted sum of their scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sparsebm25.index.index import BM25Index
from sparsebm25.protocols import Floats, Ints
from sparsebm25.scoring.topk import top_k

__all__ = ["IndexSum"]


@dataclass(frozen=True, eq=False)
class IndexSum:
    """
    Return a ranker that adds up the scores of several indexes of the same documents.

    BM25F counts in how many documents a term occurs, whatever the field. Here
    each index has its own idf and lengths: a word that every description holds
    can still be rare among names, and an index of exact words can stand beside
    one of stems.

    Parameters
    ----------
    indexes : tuple of BM25Index
        The document at a position is the same one in each.
    weights : tuple of float
        What the scores of each are multiplied by, above 0.

    See Also
    --------
    sparsebm25.BM25Index : With `fields`, combines fields before saturation (BM25F).

    Notes
    -----
    The value never changes; `added` and `removed` return the next one. A query
    is given once for each index, in any form that it takes.

    Examples
    --------
    >>> from sparsebm25 import BM25Index
    >>> from sparsebm25.index.sums import IndexSum
    >>> names = BM25Index().fit(["red kite", "blue mug"])
    >>> texts = BM25Index().fit(["a bird", "a mug, not a kite"])
    >>> both = IndexSum((names, texts), (2.0, 1.0))
    >>> both.scores(["kite", "kite"]).round(4)
    array([0.5545, 0.2324])
    """

    indexes: tuple[BM25Index, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        sizes = sorted({index.n_docs for index in self.indexes})
        if len(sizes) != 1 or len(self.weights) != len(self.indexes):
            raise ValueError(
                "indexes must be one or more of equally many documents, and weights one for each, "
                f"got {len(self.indexes)} indexes of {sizes} documents and {len(self.weights)} weights"
            )

    @property
    def n_docs(self) -> int:
        """Return the number of documents."""
        return self.indexes[0].n_docs

    def scores(self, queries: Sequence[Any]) -> Floats:
        """
        Return the summed score of every document.

        Parameters
        ----------
        queries : sequence of queries
            One for each index.

        Returns
        -------
        ndarray of shape (n_docs,), dtype float64
            0 for documents that match in no index.
        """
        total = np.zeros(self.n_docs)
        for index, weight, query in zip(self.indexes, self.weights, queries, strict=True):
            total += weight * index.scores(query).astype(np.float64)
        return total

    def contributions(self, queries: Sequence[Any], doc_ords: Ints) -> list[dict[Any, Floats]]:
        """
        Return what each term of the queries adds to the scores of some documents.

        Parameters
        ----------
        queries : sequence of queries
            One for each index.
        doc_ords : ndarray of shape (n_chosen,), dtype int
            Positions of the documents.

        Returns
        -------
        list of dict
            For each index its known query terms, in text order, each with an
            array of shape (n_chosen,): 0 where a document lacks the term. All
            of them sum to the scores, up to rounding.
        """
        found: list[dict[Any, Floats]] = []
        for index, weight, query in zip(self.indexes, self.weights, queries, strict=True):
            row = index.query_matrix([query])
            values = index.postings[row.indices][:, doc_ords].toarray() * (weight * row.data[:, np.newaxis])
            found.append(
                dict(zip(map(index.vocabulary.__getitem__, row.indices.tolist()), values, strict=True))
            )
        return found

    def added(self, documents: Sequence[Iterable[Any]]) -> IndexSum:
        """
        Return the sum after new documents came to the end of each index.

        Parameters
        ----------
        documents : sequence of iterable
            For each index the new documents as it takes them.

        Returns
        -------
        IndexSum
            Shares nothing that changes; the old one answers as before.
        """
        pairs = zip(self.indexes, documents, strict=True)
        return replace(self, indexes=tuple(index.with_params().add(new) for index, new in pairs))

    def removed(self, doc_ords: Iterable[int]) -> IndexSum:
        """
        Return the sum without some documents.

        Parameters
        ----------
        doc_ords : iterable of int
            Their positions; those after them move up.

        Returns
        -------
        IndexSum
            The old one answers as before.
        """
        gone = list(doc_ords)
        return replace(
            self,
            indexes=tuple(
                index.with_params().remove([index.doc_ids[doc_ord] for doc_ord in gone])
                for index in self.indexes
            ),
        )


def best_positive(scores: Floats, k: int) -> Ints:
    """
    Return the positions of the `k` best scores above 0, best first.

    Parameters
    ----------
    scores : ndarray of shape (n_docs,), dtype float
        Without NaN.
    k : int
        How many at most.

    Returns
    -------
    ndarray of shape (n_found,), dtype int64
        Equal scores keep the order of their positions.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebm25.index.sums import best_positive
    >>> best_positive(np.array([0.0, 2.0, 3.0, 2.0]), 10)
    array([2, 1, 3])
    """
    best = top_k(scores, k)
    return best[scores[best] > 0]
