"""The callers' names of the documents, and the position of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, overload

import numpy as np

from sparsebm25._checks import shown
from sparsebm25.errors import UnknownIds
from sparsebm25.protocols import Bools, DocId, Ints


class DocIds(Sequence[DocId]):
    """
    Return the ids of the documents, by position.

    Parameters
    ----------
    names : sequence of (str or int)
        All distinct. May be a range, or a table that decodes on demand.
    automatic : bool
        Whether the index chose the ids itself: positions, counted on.

    Notes
    -----
    The table from id to position is made at the first look-up, in O(n_docs).
    """

    __slots__ = ("_ords", "automatic", "names")

    def __init__(self, names: Sequence[DocId], *, automatic: bool) -> None:
        self.names = names
        self.automatic = automatic
        self._ords: dict[DocId, int] | None = None

    def ord_of(self, doc_id: object) -> int | None:
        """
        Return the position of a document.

        Parameters
        ----------
        doc_id : object
            Anything; what is neither str nor int is unknown.

        Returns
        -------
        int or None
            None where the id is unknown.
        """
        if isinstance(doc_id, np.integer):
            doc_id = int(doc_id)
        if not isinstance(doc_id, str | int) or isinstance(doc_id, bool):
            return None
        if isinstance(self.names, range):
            return self.names.index(doc_id) if isinstance(doc_id, int) and doc_id in self.names else None
        if self._ords is None:
            self._ords = dict(zip(self.names, range(len(self.names)), strict=True))
        return self._ords.get(doc_id)

    def ords_of(self, doc_ids: Iterable[object]) -> Ints:
        """
        Return the positions of several documents.

        Parameters
        ----------
        doc_ids : iterable of (str or int)
            Known ids, in any order.

        Returns
        -------
        ndarray of shape (n_ids,), dtype int64
            In the order of the ids.

        Raises
        ------
        UnknownIds
            Names all that the index does not hold.
        """
        asked = list(doc_ids)
        ords = [self.ord_of(doc_id) for doc_id in asked]
        unknown = [doc_id for doc_id, doc_ord in zip(asked, ords, strict=True) if doc_ord is None]
        if unknown:
            raise UnknownIds(unknown, len(self))
        return np.array(ords, np.int64)

    def appended(self, names: Sequence[DocId] | None, n_new: int) -> DocIds:
        """
        Return the ids with those of new documents at the end.

        Parameters
        ----------
        names : sequence of (str or int), or None
            Checked ids; None continues after the largest automatic one.
        n_new : int
            Number of new documents.

        Returns
        -------
        DocIds
            A new object.
        """
        if names is None:
            return self._counted_on(n_new)
        known = next((name for name in names if self.ord_of(name) is not None), None) if len(self) else None
        if known is not None:
            raise ValueError(f"ids must be new, got {known!r}, which is in the index already (use replace)")
        return DocIds([*self.names, *names], automatic=False) if len(self) else DocIds(names, automatic=False)

    def _counted_on(self, n_new: int) -> DocIds:
        """Return the ids with `n_new` automatic ones at the end."""
        if not len(self):
            return DocIds(range(n_new), automatic=True)
        if not self.automatic:
            raise ValueError("ids must be given: the documents of this index have ids of their own")
        if isinstance(self.names, range):
            return DocIds(range(len(self) + n_new), automatic=True)
        start = 1 + max(name for name in self.names if isinstance(name, int))
        return DocIds([*self.names, *range(start, start + n_new)], automatic=True)

    def kept(self, keep: Bools) -> DocIds:
        """
        Return the ids of the documents that stay.

        Parameters
        ----------
        keep : ndarray of shape (n_docs,), dtype bool
            Which documents stay.

        Returns
        -------
        DocIds
            In the same order.
        """
        if keep.all():
            return self
        names = [self.names[doc_ord] for doc_ord in np.flatnonzero(keep).tolist()]
        if self.automatic and names == list(range(len(names))):
            return DocIds(range(len(names)), automatic=True)
        return DocIds(names, automatic=self.automatic)

    def __len__(self) -> int:
        return len(self.names)

    @overload
    def __getitem__(self, place: int) -> DocId: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[DocId]: ...
    def __getitem__(self, place: int | slice) -> DocId | Sequence[DocId]:
        return self.names[place]

    def __iter__(self) -> Iterator[DocId]:
        return iter(self.names)

    def __contains__(self, doc_id: object) -> bool:
        return self.ord_of(doc_id) is not None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DocIds) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # compares by content of any size

    def __reduce__(self) -> Any:
        return _restore, (self.names, self.automatic)

    def __repr__(self) -> str:
        return f"<{len(self)} document ids>"


def _restore(names: Sequence[DocId], automatic: bool) -> DocIds:
    """Return unpickled ids."""
    return DocIds(names, automatic=automatic)


def checked_ids(ids: Iterable[Any] | None, name: str = "ids") -> list[DocId] | None:
    """
    Return ids as plain, distinct str and int.

    Parameters
    ----------
    ids : iterable or None
        The caller's ids; None is passed through.
    name : str
        Name of the argument, for the error.

    Returns
    -------
    list of (str or int), or None
        Kept verbatim.

    Raises
    ------
    TypeError
        If an id is neither str nor int.
    ValueError
        If an id is given twice.
    """
    if ids is None:
        return None
    if isinstance(ids, str) or not isinstance(ids, Iterable):
        raise TypeError(f"{name} must be an iterable of ids, got {shown(ids)}")
    return distinct_ids([plain_id(doc_id, name) for doc_id in ids], name)


def required_ids(ids: Iterable[Any] | None) -> Iterable[Any]:
    """
    Return ids that must be given.

    Parameters
    ----------
    ids : iterable or None
        Ids.

    Returns
    -------
    iterable
        The same.

    Raises
    ------
    TypeError
        If they are None.
    """
    if ids is None:
        raise TypeError("ids must be an iterable of ids, got None")
    return ids


def distinct_ids(ids: list[DocId], name: str = "ids") -> list[DocId]:
    """
    Return the ids as they are, unless one is given twice.

    Parameters
    ----------
    ids : list of (str or int)
        Ids.
    name : str
        Name of the argument, for the error.

    Returns
    -------
    list of (str or int)
        The same list.

    Raises
    ------
    ValueError
        If an id is given twice.
    """
    if len(set(ids)) != len(ids):
        repeated = next(doc_id for doc_id, times in Counter(ids).items() if times > 1)
        raise ValueError(f"{name} must be distinct, got {repeated!r} more than once")
    return ids


def plain_id(doc_id: Any, name: str) -> DocId:
    """
    Return one id as a plain str or int.

    Parameters
    ----------
    doc_id : object
        An id, also as a number of NumPy.
    name : str
        Name of the argument, for the error.

    Returns
    -------
    str or int
        The same id.

    Raises
    ------
    TypeError
        If it is neither.
    """
    if isinstance(doc_id, str):
        return str(doc_id)
    if isinstance(doc_id, int | np.integer) and not isinstance(doc_id, bool):
        return int(doc_id)
    raise TypeError(f"{name} must be str or int, got {shown(doc_id)} of type {type(doc_id).__name__}")
