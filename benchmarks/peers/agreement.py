"""
Did two engines find the same documents?

Engines order equal scores differently, and round differently. So two rankings agree if rank by rank their
scores are equal but for rounding, and so are the scores of each document in both; a document may stand in one
ranking alone only where its score is that of the last rank: there a tie decides who is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sparsebm25.protocols import Floats, Ints

TOLERANCE = 2e-6
"""How much two scores may differ, as a part of the query's best score: some roundings of float32."""

Ranking = tuple[Ints, Floats]
"""Documents and scores of one query, best first."""


def difference(found: Ranking, expected: Ranking, tolerance: float = TOLERANCE) -> str | None:
    """Return in what two rankings of one query differ beyond rounding and ties, or None."""
    (docs, scores), (true_docs, true_scores) = found, expected
    if docs.size != true_docs.size:
        return f"{docs.size} hits instead of {true_docs.size}"
    if not docs.size:
        return None
    if np.unique(docs).size < docs.size:
        return "a document is there twice"
    allowed = tolerance * float(true_scores[0])
    far = np.flatnonzero(np.abs(scores - true_scores) > allowed)
    if far.size:
        rank = far[0]
        return f"score {scores[rank]:.6g} instead of {true_scores[rank]:.6g} at rank {rank + 1}"
    _, places, true_places = np.intersect1d(docs, true_docs, assume_unique=True, return_indices=True)
    if (np.abs(scores[places] - true_scores[true_places]) > allowed).any():
        return "a document has another score"
    alone = np.concatenate((np.delete(scores, places), np.delete(true_scores, true_places)))
    if (alone > true_scores[-1] + 2 * allowed).any():
        return "other documents above the last rank"
    return None


@dataclass(frozen=True)
class Agreement:
    """For how many queries an engine found what it should, and the first difference if there is one."""

    n_queries: int
    n_equal: int
    first: str | None = None

    def __str__(self) -> str:
        if self.first is None:
            return f"{self.n_queries} rankings agree"
        return f"{self.n_queries - self.n_equal} of {self.n_queries} rankings differ ({self.first})"

    def __add__(self, other: Agreement) -> Agreement:
        first = self.first if self.first is not None else other.first
        return Agreement(self.n_queries + other.n_queries, self.n_equal + other.n_equal, first)


NOTHING_COMPARED = Agreement(0, 0)


def agreement(found: Sequence[Ranking], expected: Sequence[Ranking]) -> Agreement:
    """Return how far the rankings of many queries agree."""
    differences = [difference(*pair) for pair in zip(found, expected, strict=True)]
    present = [each for each in differences if each is not None]
    return Agreement(len(differences), len(differences) - len(present), present[0] if present else None)


def overlap(found: Sequence[Ranking], expected: Sequence[Ranking]) -> float:
    """Return the mean share of the expected documents that were found, over queries that expect any."""
    shares = [
        np.isin(true_docs, docs).mean()
        for (docs, _), (true_docs, _) in zip(found, expected, strict=True)
        if true_docs.size
    ]
    return float(np.mean(shares)) if shares else 1.0


def same_bits(found: Sequence[Ranking], expected: Sequence[Ranking]) -> bool:
    """Return whether documents, order and scores are equal, bit for bit."""
    return all(
        np.array_equal(docs, true_docs) and np.array_equal(scores, true_scores)
        for (docs, scores), (true_docs, true_scores) in zip(found, expected, strict=True)
    )
