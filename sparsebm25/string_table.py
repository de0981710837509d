"""Many strings as two plain arrays, so that they can be stored, mapped and shared without parsing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import overload

import numpy as np
from numpy.typing import NDArray

_ENCODING = ("utf-8", "surrogatepass")
"""Lone surrogates occur in real text; UTF-8 with them still sorts like Python strings."""


class StringTable(Sequence[str]):
    """
    Return a read-only sequence of strings over one block of UTF-8 and its offsets.

    Parameters
    ----------
    blob : ndarray of shape (n_bytes,), dtype uint8
        All strings, one after the other; may be memory-mapped.
    offsets : ndarray of shape (n_strings + 1,), dtype int64
        Where each string begins and ends. Unit: bytes.

    Examples
    --------
    >>> from sparsebm25.string_table import StringTable
    >>> table = StringTable.of(["kite", "pot"])
    >>> table[1], len(table)
    ('pot', 2)
    """

    __slots__ = ("blob", "offsets")

    def __init__(self, blob: NDArray[np.uint8], offsets: NDArray[np.int64]) -> None:
        self.blob = blob
        self.offsets = offsets

    @classmethod
    def of(cls, strings: Iterable[str]) -> StringTable:
        """
        Return a table of `strings`, in their order.

        Parameters
        ----------
        strings : iterable of str
            Any text, lone surrogates included.

        Returns
        -------
        StringTable
            Holds copies of the strings.
        """
        encoded = [string.encode(*_ENCODING) for string in strings]
        offsets = np.fromiter(accumulate(map(len, encoded), initial=0), np.int64, len(encoded) + 1)
        return cls(np.frombuffer(b"".join(encoded), np.uint8), offsets)

    def __len__(self) -> int:
        return self.offsets.size - 1

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return [self[at] for at in range(*place.indices(len(self)))]
        at = place + len(self) if place < 0 else place
        if not 0 <= at < len(self):
            raise IndexError(f"string {place} of {len(self)}")
        return str(self.blob[self.offsets[at] : self.offsets[at + 1]].tobytes(), *_ENCODING)

    def __iter__(self) -> Iterator[str]:
        block = self.blob.tobytes()
        ends = self.offsets.tolist()
        return (str(block[low:high], *_ENCODING) for low, high in pairwise(ends))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, StringTable)
            and np.array_equal(self.offsets, other.offsets)
            and np.array_equal(self.blob, other.blob)
        )

    __hash__ = None  # type: ignore[assignment]  # holds arrays

    def __repr__(self) -> str:
        return f"<StringTable of {len(self)} strings, {self.blob.size} bytes>"
