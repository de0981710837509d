"""The terms of a collection, in text order: which ordinal does this term have?"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias, overload

import numpy as np

from sparsebm25.protocols import Ints
from sparsebm25.string_table import StringTable

Terms: TypeAlias = Sequence[str] | range

_MEMO_SIZE = 2**16
"""Answers that are remembered of a table: queries ask for the same terms again and again."""


class Vocabulary(Sequence[str | int]):
    """
    Return the distinct terms of a collection, sorted by their text.

    Sorting makes the ordinals a function of the set of terms alone: neither
    the order of documents nor what was added and removed before changes one,
    and adding the weights of a query by ascending ordinal is adding them in
    text order.

    Parameters
    ----------
    terms : sequence of str, length n_terms, or range
        Distinct, ascending by code points (Python's order of ``str``). A
        list is answered from a dictionary that is made at the first look-up,
        a `StringTable` by binary search, so that a mapped one is not parsed.
        A range stands for a collection of bare count matrices, whose terms
        have no text: they are the numbers of its columns.

    Notes
    -----
    A look-up costs O(1) in a list and O(log n_terms) in a table, which
    remembers what it was asked for last.

    Examples
    --------
    >>> from sparsebm25.vocabulary import Vocabulary
    >>> vocabulary = Vocabulary.of(["pot", "kite", "red", "kite"])
    >>> list(vocabulary), vocabulary.get("red"), vocabulary.get("blue")
    (['kite', 'pot', 'red'], 2, None)
    """

    __slots__ = ("_ords", "terms")

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._ords: dict[str, int | None] = {}

    @classmethod
    def of(cls, terms: Iterable[str]) -> Vocabulary:
        """
        Return the vocabulary of the distinct `terms`.

        Parameters
        ----------
        terms : iterable of str
            In any order, repeats allowed.

        Returns
        -------
        Vocabulary
            Sorted.
        """
        return cls(sorted(set(terms)))

    @property
    def numbered(self) -> bool:
        """Return whether the terms are bare column numbers."""
        return isinstance(self.terms, range)

    def get(self, term: object) -> int | None:
        """
        Return the ordinal of `term`, or None where it is not a term.

        Parameters
        ----------
        term : object
            Anything that is not a term of the collection gives None.

        Returns
        -------
        int or None
            From 0 to n_terms - 1.
        """
        if isinstance(term, str):
            term_ord = self._ords.get(term, -1)
            return self._look_up(term) if term_ord == -1 else term_ord
        if isinstance(self.terms, range):
            return int(term) if isinstance(term, int | np.integer) and int(term) in self.terms else None
        return None

    def _look_up(self, term: str) -> int | None:
        """Return the ordinal of a text that was not asked for before, or is no term."""
        if isinstance(self.terms, range):
            return None
        if isinstance(self.terms, StringTable):
            place = bisect_left(self.terms, term)
            found = place if place < len(self.terms) and self.terms[place] == term else None
            if len(self._ords) >= _MEMO_SIZE:
                self._ords.clear()
            self._ords[term] = found
            return found
        if not self._ords:
            self._ords = dict(zip(self.terms, range(len(self.terms)), strict=True))
            return self._ords.get(term)
        return None

    def starting_with(self, prefix: str) -> range:
        """
        Return the ordinals of the terms that begin with `prefix`.

        Parameters
        ----------
        prefix : str
            The empty prefix begins every term.

        Returns
        -------
        range
            Neighbors, because the terms are sorted; O(log n_terms).

        Raises
        ------
        TypeError
            If the terms are column numbers.
        """
        if isinstance(self.terms, range):
            raise TypeError("the terms of this collection are column numbers and have no beginning")
        low = bisect_left(self.terms, prefix)
        return range(low, bisect_left(self.terms, True, lo=low, key=lambda term: not term.startswith(prefix)))

    def ords_of(self, other: Vocabulary) -> Ints:
        """
        Return where each term of `other` stands here, -1 where it does not.

        Parameters
        ----------
        other : Vocabulary
            Another vocabulary.

        Returns
        -------
        ndarray of shape (n_terms of other,), dtype int64
            Ordinals of this vocabulary.
        """
        found = (self.get(term) for term in other)
        return np.fromiter((-1 if ord_ is None else ord_ for ord_ in found), np.int64, len(other))

    def union(self, other: Vocabulary) -> Vocabulary:
        """
        Return the vocabulary of the terms of both.

        Parameters
        ----------
        other : Vocabulary
            Another vocabulary of the same kind: texts, or column numbers.

        Returns
        -------
        Vocabulary
            This one where `other` adds nothing.
        """
        if isinstance(self.terms, range):
            return self if len(other) <= len(self) else other
        new = [str(term) for term in other.terms if self.get(term) is None]
        # Both runs are ascending already, so sorting merges them in linear time.
        return Vocabulary(sorted([*self.terms, *new])) if new else self

    def take(self, term_ords: Ints) -> Vocabulary:
        """
        Return the vocabulary of some of the terms.

        Parameters
        ----------
        term_ords : ndarray of shape (n_taken,), dtype int
            Ordinals, ascending.

        Returns
        -------
        Vocabulary
            Column numbers are kept as they are.
        """
        if isinstance(self.terms, range):
            return self
        return Vocabulary([self.terms[term_ord] for term_ord in term_ords.tolist()])

    def __contains__(self, term: object) -> bool:
        return self.get(term) is not None

    def __len__(self) -> int:
        return len(self.terms)

    @overload
    def __getitem__(self, place: int) -> str | int: ...
    @overload
    def __getitem__(self, place: slice) -> Terms: ...
    def __getitem__(self, place: int | slice) -> str | int | Terms:
        return self.terms[place]

    def __iter__(self) -> Iterator[str | int]:
        return iter(self.terms)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocabulary) and len(self) == len(other) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # compares by content of any size

    def __reduce__(self) -> tuple[type[Vocabulary], tuple[Terms]]:
        return Vocabulary, (self.terms,)

    def __repr__(self) -> str:
        return f"<Vocabulary of {len(self)} terms>"
