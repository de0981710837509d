"""Which engine adds up the scores? All give the same bits; they differ in speed and in what they need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from sparsebm25._checks import choice
from sparsebm25.scoring import batch
from sparsebm25.scoring.batch import EVERYTHING, Ranking, Restriction
from sparsebm25.scoring.queries import QueryTerms
from sparsebm25.weighting.weigh import Weights


class Backend(Protocol):
    """Anything that ranks a batch of queries."""

    name: str

    def search_batch(
        self,
        weights: Weights,
        queries: Sequence[QueryTerms],
        k: int,
        restriction: Restriction = EVERYTHING,
        n_jobs: int = 1,
    ) -> list[Ranking]:
        """Return document ordinals and scores of the `k` best documents for each query."""
        ...


class ScipyBackend:
    """The exact path on NumPy and SciPy; always there."""

    name = "scipy"
    search_batch = staticmethod(batch.search_batch)


NAMES = ("auto", "scipy")


def available() -> tuple[str, ...]:
    """
    Return the names of the backends that work here.

    Returns
    -------
    tuple of str
        ``"scipy"`` always.
    """
    return ("scipy",)


def backend_named(name: str) -> Backend:
    """
    Return the backend called `name`.

    Parameters
    ----------
    name : {"auto", "scipy"}
        ``"auto"`` is the fastest that works here.

    Returns
    -------
    Backend
        Ready to use.

    Raises
    ------
    ValueError
        If there is no such backend.
    """
    choice("backend", name, NAMES)
    return ScipyBackend()
