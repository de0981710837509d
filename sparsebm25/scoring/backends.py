"""Which engine adds up the scores? All give the same bits; they differ in speed and in what they need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import TypeAlias
from weakref import WeakKeyDictionary

from sparsebm25._checks import choice
from sparsebm25._optional import require
from sparsebm25.scoring.batch import EVERYTHING, Ranking, Restriction, search_batch
from sparsebm25.scoring.queries import QueryTerms
from sparsebm25.weighting.weigh import Weights

SearchBatch: TypeAlias = Callable[[Weights, Sequence[QueryTerms], int, Restriction], list[Ranking]]
"""The `k` best documents of each query, as `sparsebm25.scoring.batch.search_batch` gives them."""


@dataclass(frozen=True, slots=True)
class Backend:
    """
    Return a way to rank queries; all ways give the same bits.

    Parameters
    ----------
    name : str
        As it is asked for.
    ready : callable
        Takes weights and a number of queries, makes what searches for these
        share, so that threads need not each make their own, and returns the
        function that searches.
    """

    name: str
    ready: Callable[[Weights, int], SearchBatch]

    def search_batch(
        self,
        weights: Weights,
        queries: Sequence[QueryTerms],
        k: int,
        restriction: Restriction = EVERYTHING,
    ) -> list[Ranking]:
        """
        Return what `sparsebm25.scoring.batch.search_batch` returns, bit for bit.

        Parameters
        ----------
        weights, queries, k, restriction : Weights, sequence of QueryTerms, int, Restriction
            As there.

        Returns
        -------
        list of (doc_ords, scores)
            In the order of the queries.
        """
        return self.ready(weights, len(queries))(weights, queries, k, restriction)


NAMES = ("auto", "scipy", "numba")

MIN_SCANNED = 2**30
"""Queries times documents from which on compiled loops save the second that loading them takes."""

_scanned: WeakKeyDictionary[Weights, int] = WeakKeyDictionary()
"""Queries times documents that "auto" has seen, for weights that are in use."""


def _exact(weights: Weights, n_queries: int) -> SearchBatch:
    """Return the exact path, which needs nothing."""
    return search_batch


def _compiled(weights: Weights, n_queries: int) -> SearchBatch:
    """Return the compiled loops, with the bounds of the weights made."""
    from sparsebm25.scoring import compiled  # imports Numba, which takes its time

    if compiled.takes(weights):
        compiled.bounds(weights)
    return compiled.search_batch


def _fastest(weights: Weights, n_queries: int) -> SearchBatch:
    """Return the compiled loops where they are installed and have paid by now, the exact path otherwise."""
    scanned = _scanned[weights] = _scanned.get(weights, 0) + n_queries * weights.n_docs
    pays = scanned >= MIN_SCANNED and "numba" in available()
    return (_compiled if pays else _exact)(weights, n_queries)


@cache
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
        ``"auto"`` is the exact path until so many queries were asked of so
        many documents (`MIN_SCANNED`) that loading the compiled one pays,
        where Numba is installed.

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
    if name == "numba":
        require("numba", "fast")
    return Backend(name, {"auto": _fastest, "scipy": _exact, "numba": _compiled}[name])
