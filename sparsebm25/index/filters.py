"""Which documents may be found, and by how much is each score multiplied?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import DTypeLike

from sparsebm25._checks import finite, shown
from sparsebm25.index.settings import MAX_BOOST
from sparsebm25.index.snapshot import Snapshot
from sparsebm25.protocols import Bools, DocId, Floats
from sparsebm25.scoring.batch import EVERYTHING, Restriction

Where: TypeAlias = Bools | Iterable[DocId] | Callable[[Mapping[str, Any]], bool] | None
Boost: TypeAlias = Floats | Iterable[float] | Mapping[DocId, float] | None


def restriction(snapshot: Snapshot, where: Where, boost: Boost) -> Restriction:
    """
    Return a filter and boosts in the form that scoring takes.

    Parameters
    ----------
    snapshot : Snapshot
        The documents.
    where : ndarray, iterable, callable or None
        See `allowed_documents`.
    boost : array, mapping or None
        See `boost_factors`.

    Returns
    -------
    Restriction
        Arrays over the documents, or None for "no restriction".
    """
    if where is None and boost is None:
        return EVERYTHING
    return Restriction(
        None if where is None else allowed_documents(snapshot, where),
        None if boost is None else boost_factors(snapshot, boost, snapshot.settings.dtype),
    )


def allowed_documents(snapshot: Snapshot, where: Where) -> Bools:
    """
    Return which documents a condition lets through.

    Parameters
    ----------
    snapshot : Snapshot
        The documents.
    where : ndarray of shape (n_docs,), iterable of ids, or callable
        A mask is an array or a list of booleans.
        A callable gets the metadata of each document, an empty mapping where
        it has none, and says whether the document is allowed.

    Returns
    -------
    ndarray of shape (n_docs,), dtype bool
        A new array.

    Raises
    ------
    ValueError
        If a mask has another length.
    UnknownIds
        If an id is not in the index.
    TypeError
        If `where` is of another type.
    """
    if callable(where):
        rows: Iterable[Any] = snapshot.metadata or (None for _ in range(snapshot.n_docs))
        return np.fromiter(
            (bool(where(MappingProxyType(row or {}))) for row in rows), np.bool_, snapshot.n_docs
        )
    if isinstance(where, str | Mapping) or not isinstance(where, Iterable):
        raise TypeError(f"where must be a boolean mask, an iterable of ids or a callable, got {shown(where)}")
    listed = where if isinstance(where, np.ndarray) else list(where)
    if _is_mask(listed):
        mask = np.array(listed, np.bool_)
        if mask.shape != (snapshot.n_docs,):
            raise ValueError(
                f"where must have one entry for each of {snapshot.n_docs} documents, got shape {mask.shape}"
            )
        return mask
    allowed = np.zeros(snapshot.n_docs, np.bool_)
    allowed[snapshot.doc_ids.ords_of(listed)] = True
    return allowed


def _is_mask(listed: Any) -> bool:
    """Return whether the values are booleans rather than ids."""
    if isinstance(listed, np.ndarray):
        return bool(listed.dtype == np.bool_)
    return bool(listed) and all(isinstance(value, bool | np.bool_) for value in listed)


def boost_factors(snapshot: Snapshot, boost: Boost, dtype: DTypeLike) -> Floats:
    """
    Return what each document's score is multiplied by.

    Parameters
    ----------
    snapshot : Snapshot
        The documents.
    boost : array-like of shape (n_docs,), or mapping
        A mapping gives the factors of some ids; all others have 1.
    dtype : dtype
        Of the scores.

    Returns
    -------
    ndarray of shape (n_docs,), dtype `dtype`
        Finite numbers of at least 0.

    Raises
    ------
    ValueError
        If the shape is wrong or a factor is negative or not finite.
    UnknownIds
        If an id is not in the index.
    """
    if isinstance(boost, Mapping):
        factors = np.ones(snapshot.n_docs, dtype)
        numbers = [
            finite(f"boost[{doc_id!r}]", factor, low=0.0, high=MAX_BOOST) for doc_id, factor in boost.items()
        ]
        factors[snapshot.doc_ids.ords_of(boost)] = numbers
        return factors
    try:
        given: Any = boost
        factors = np.array(given if hasattr(given, "__array__") else list(given), np.float64)
    except (TypeError, ValueError):
        raise TypeError(
            f"boost must be one number a document or a mapping from id to number, got {shown(boost)}"
        ) from None
    if factors.shape != (snapshot.n_docs,):
        raise ValueError(
            f"boost must have one factor for each of {snapshot.n_docs} documents, got shape {factors.shape}"
        )
    wrong = ~((factors >= 0) & (factors <= MAX_BOOST))
    if wrong.any():
        raise ValueError(
            f"boost must hold finite numbers in [0, {MAX_BOOST:g}], got {factors[wrong][0].item()!r}"
        )
    return factors.astype(dtype)
