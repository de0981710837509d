"""The errors of our own; everything else is a plain ``ValueError`` or ``TypeError``."""

from __future__ import annotations

from collections.abc import Iterable


class MissingExtra(ImportError):
    """An optional library is needed and not installed; the message holds the install line."""


class IndexFormatError(ValueError):
    """A folder is not an index of this library, is damaged, or is of another format version."""


class UnknownIds(KeyError):
    """
    Document ids that the index does not hold.

    Parameters
    ----------
    ids : iterable of (str or int)
        The ids that were not found.
    n_docs : int
        Number of documents in the index, for the message.
    """

    def __init__(self, ids: Iterable[object], n_docs: int) -> None:
        self.ids = tuple(ids)
        self.n_docs = n_docs
        super().__init__(self.ids, n_docs)

    def __str__(self) -> str:
        shown = ", ".join(repr(name) for name in self.ids[:5])
        more = f" and {len(self.ids) - 5} more" if len(self.ids) > 5 else ""
        return f"ids not in the index of {self.n_docs} documents: {shown}{more}"
