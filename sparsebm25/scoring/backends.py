"""Which engine adds up the scores? All give the same bits; they differ in speed and in what they need."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import Protocol

from sparsebm25._checks import choice
from sparsebm25._optional import require
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
        n_jobs : int, default 1
            Threads.

        Returns
        -------
        list of (doc_ords, scores)
            In the order of the queries.
        """
        ...


class ScipyBackend:
    """The exact path on NumPy and SciPy; always there."""

    name = "scipy"
    search_batch = staticmethod(batch.search_batch)


class AutoBackend:
    """The compiled backend where it is installed and pays, the exact path otherwise."""

    name = "auto"

    def search_batch(
        self,
        weights: Weights,
        queries: Sequence[QueryTerms],
        k: int,
        restriction: Restriction = EVERYTHING,
        n_jobs: int = 1,
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
        n_jobs : int, default 1
            Threads.

        Returns
        -------
        list of (doc_ords, scores)
            In the order of the queries; the same bits from either backend.
        """
        large = weights.postings.nnz >= MIN_COMPILED
        chosen = backend_named(available()[-1] if large else "scipy")
        return chosen.search_batch(weights, queries, k, restriction, n_jobs)


NAMES = ("auto", "scipy", "numba")

MIN_COMPILED = 2**20
"""Postings from which on loading compiled code is worth its seconds."""


def available() -> tuple[str, ...]:
    """
    Return the names of the backends that work here.

    Returns
    -------
    tuple of str
        ``"scipy"`` always, ``"numba"`` where Numba is installed.

    Examples
    --------
    >>> from sparsebm25.scoring import available
    >>> "scipy" in available()
    True
    """
    return ("scipy", "numba") if find_spec("numba") is not None else ("scipy",)


@cache
def backend_named(name: str) -> Backend:
    """
    Return the backend called `name`.

    Parameters
    ----------
    name : {"auto", "scipy", "numba"}
        ``"auto"`` is the compiled one for collections of a million postings
        and more where Numba is installed, and the exact path otherwise.

    Returns
    -------
    Backend
        Ready to use; the same one at every call.

    Raises
    ------
    ValueError
        If there is no such backend.
    MissingExtra
        If it needs a library that is not installed.

    Examples
    --------
    >>> from sparsebm25.scoring import backend_named
    >>> backend_named("scipy").name
    'scipy'
    """
    choice("backend", name, NAMES)
    if name == "auto":
        return AutoBackend()
    if name == "numba":
        require("numba", "fast")
        from sparsebm25.scoring.compiled import NumbaBackend  # imports Numba, which takes its time

        return NumbaBackend()
    return ScipyBackend()
