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


NAMES = ("auto", "scipy")


def available() -> tuple[str, ...]:
    """
    Return the names of the backends that work here.

    Returns
    -------
    tuple of str
        ``"scipy"`` always.

    Examples
    --------
    >>> from sparsebm25.scoring import available
    >>> "scipy" in available()
    True
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

    Examples
    --------
    >>> from sparsebm25.scoring import backend_named
    >>> backend_named("scipy").name
    'scipy'
    """
    choice("backend", name, NAMES)
    return ScipyBackend()
