"""Which engine adds up the scores? All give the same bits; they differ in speed and in what they need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import TypeAlias

from sparsebm25._checks import choice
from sparsebm25._optional import require
from sparsebm25.scoring.batch import Ranking, Restriction, search_batch
from sparsebm25.scoring.queries import QueryTerms
from sparsebm25.weighting.weigh import Weights

SearchBatch: TypeAlias = Callable[[Weights, Sequence[QueryTerms], int, Restriction], list[Ranking]]
"""The `k` best documents of each query, as `sparsebm25.scoring.batch.search_batch` gives them."""


def _nothing(weights: Weights) -> None:
    """Prepare nothing."""


@dataclass(frozen=True, slots=True)
class Backend:
    """
    Return a way to rank queries; all ways give the same bits.

    Parameters
    ----------
    name : str
        As it is asked for.
    search_batch : callable
        Weights, queries, k and a restriction to the hits of each query.
    prepare : callable
        Makes what all searches with some weights share, so that threads need
        not each make their own.
    """

    name: str
    search_batch: SearchBatch
    prepare: Callable[[Weights], object] = _nothing


NAMES = ("auto", "scipy", "numba")

MIN_COMPILED = 2**20
"""Postings from which on loading compiled code is worth its seconds."""


def _fastest(weights: Weights) -> Backend:
    """Return the compiled backend where it is installed and pays, the exact path otherwise."""
    return backend_named(available()[-1] if weights.postings.nnz >= MIN_COMPILED else "scipy")


def _search_fastest(
    weights: Weights, queries: Sequence[QueryTerms], k: int, restriction: Restriction
) -> list[Ranking]:
    """Return the hits of each query by the fastest backend for these weights."""
    return _fastest(weights).search_batch(weights, queries, k, restriction)


def _prepare_fastest(weights: Weights) -> None:
    """Prepare the fastest backend for these weights."""
    _fastest(weights).prepare(weights)


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
        return Backend(name, _search_fastest, _prepare_fastest)
    if name == "numba":
        require("numba", "fast")
        from sparsebm25.scoring import compiled  # imports Numba, which takes its time

        return Backend(name, compiled.search_batch, compiled.prepare)
    return Backend(name, search_batch)
