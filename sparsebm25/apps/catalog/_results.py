"""What a catalog hands back: hits in order, and pages of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, overload

import numpy as np

from sparsebm25.protocols import Bools, Floats, Ints

Keys: TypeAlias = tuple[Floats | Ints | Bools, ...]
"""What entries are ordered by, the most important first: arrays of shape (n_entries,)."""

SCORE = 2
"""Place of the score among the keys."""


class CatalogHit(NamedTuple):
    """
    Return one entry that a query found.

    Parameters
    ----------
    entry : object
        The entry itself, as the catalog was given it.
    matched_terms : tuple of str
        The terms that it matched, in the order of the query.
    key : tuple or None
        What it is ordered by, larger first: whether the query stands in it as
        written, how many terms matched, the score, and (unless the catalog is
        compatible) the summed idf of the matched terms. None in a listing.
    score : float
        For each matched term the best strength times field weight, summed.

    Examples
    --------
    >>> from sparsebm25.apps.catalog import Catalog
    >>> catalog = Catalog([{"name": "Red Kite"}, {"name": "Kites"}], compatible=True)
    >>> [hit.key for hit in catalog.rank("kite").hits]
    [(True, 1, 9), (False, 1, 6)]
    """

    entry: Any
    matched_terms: tuple[str, ...]
    key: tuple[float, ...] | None
    score: float


@dataclass(frozen=True, eq=False, slots=True)
class Found:
    """What a search found, entry by entry of the catalog."""

    terms: tuple[str, ...]
    keys: Keys
    matches: Floats | Ints
    """(n_query_terms, n_entries): the best match of each term, 0 where it has none."""

    @property
    def entry_ords(self) -> Ints:
        """Return the entries that were found: as written, or by any term."""
        return np.flatnonzero(np.logical_or(self.keys[0], self.keys[1]))


class CatalogHits(Sequence[CatalogHit]):
    """
    Return the entries that a query found, best first.

    A sequence of `CatalogHit` over arrays: a hit is made when it is looked at.

    Parameters
    ----------
    entries : sequence
        All entries of the catalog.
    entry_ords : ndarray of shape (n_hits,), dtype int
        Positions of the found ones, best first.
    found : Found or None
        Terms, keys and matches; None for a listing.

    Examples
    --------
    >>> from sparsebm25.apps.catalog import Catalog
    >>> hits = Catalog([{"name": "Red Kite"}, {"name": "Mug"}]).rank("kite").hits
    >>> len(hits), hits[0].entry
    (1, {'name': 'Red Kite'})
    """

    __slots__ = ("_entries", "_found", "entry_ords")

    def __init__(self, entries: Sequence[Any], entry_ords: Ints, found: Found | None) -> None:
        self._entries = entries
        self._found = found
        self.entry_ords = entry_ords

    def __len__(self) -> int:
        return int(self.entry_ords.size)

    @overload
    def __getitem__(self, place: int) -> CatalogHit: ...
    @overload
    def __getitem__(self, place: slice) -> CatalogHits: ...
    def __getitem__(self, place: int | slice) -> CatalogHit | CatalogHits:
        if isinstance(place, slice):
            return CatalogHits(self._entries, self.entry_ords[place], self._found)
        entry_ord = int(self.entry_ords[place])
        entry, found = self._entries[entry_ord], self._found
        if found is None:
            return CatalogHit(entry, (), None, 0)
        column = found.matches[:, entry_ord].tolist()
        matched = tuple(term for term, match in zip(found.terms, column, strict=True) if match)
        key = tuple(values[entry_ord].item() for values in found.keys)
        return CatalogHit(entry, matched, key, key[SCORE])

    def __iter__(self) -> Iterator[CatalogHit]:
        return map(self.__getitem__, range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} catalog hits>"


@dataclass(frozen=True, eq=False, slots=True)
class Ranking:
    """
    Return what a query asked and what it found.

    Parameters
    ----------
    terms : tuple of str
        The words that were looked for, in the order of the query; none in a
        listing and for a query without words.
    hits : CatalogHits
        The entries, best first.

    Examples
    --------
    >>> from sparsebm25.apps.catalog import Catalog
    >>> Catalog([{"name": "Red Kite"}]).rank("find the kite")
    Ranking(terms=('kite',), hits=<1 catalog hits>)
    """

    terms: tuple[str, ...]
    hits: CatalogHits


@dataclass(frozen=True, eq=False, slots=True)
class CatalogPage:
    """
    Return one page of a ranking or a listing.

    Parameters
    ----------
    total : int
        Entries found on all pages.
    offset : int
        Entries before this page.
    limit : int
        The most entries of a page.
    rows : tuple of CatalogHit
        The entries of this page.
    terms : tuple of str or None
        The words that were looked for; None in a listing.
    guidance : str or None
        What to try next, where nothing at all was found.

    Examples
    --------
    >>> from sparsebm25.apps.catalog import Catalog
    >>> page = Catalog([{"name": "Kite"}, {"name": "Mug"}, {"name": "Pot"}]).page(limit=2)
    >>> page.returned, page.next_offset
    (2, 2)
    """

    total: int
    offset: int
    limit: int
    rows: tuple[CatalogHit, ...]
    terms: tuple[str, ...] | None = None
    guidance: str | None = None

    @property
    def returned(self) -> int:
        """Return the number of entries of this page."""
        return len(self.rows)

    @property
    def next_offset(self) -> int | None:
        """Return the offset of the next page, None on the last one."""
        following = self.offset + self.returned
        return following if following < self.total else None

    def to_dict(self) -> dict[str, Any]:
        """
        Return the page in a form that JSON can hold if the entries can.

        Returns
        -------
        dict
            ``total``, ``offset``, ``limit``, ``returned``, ``next_offset`` and
            ``rows``; a search adds ``terms``, and ``matched_terms`` and
            ``score`` to each row; ``guidance`` is there where nothing was found.

        Examples
        --------
        >>> from sparsebm25.apps.catalog import Catalog
        >>> Catalog([{"name": "Red Kite"}]).page("kite").to_dict()["rows"]
        [{'entry': {'name': 'Red Kite'}, 'matched_terms': ['kite'], 'score': 9}]
        """
        searched = self.terms is not None
        page: dict[str, Any] = {
            "total": self.total,
            "offset": self.offset,
            "limit": self.limit,
            "returned": self.returned,
            "next_offset": self.next_offset,
            "rows": [_row(hit, searched) for hit in self.rows],
        }
        if self.terms is not None:
            page["terms"] = list(self.terms)
        if self.guidance is not None:
            page["guidance"] = self.guidance
        return page


def _row(hit: CatalogHit, searched: bool) -> dict[str, Any]:
    """Return a hit as a row of a page."""
    if not searched:
        return {"entry": hit.entry}
    return {"entry": hit.entry, "matched_terms": list(hit.matched_terms), "score": hit.score}


@dataclass(frozen=True, slots=True)
class Wording:
    """
    Return the words in which a catalog says that it found nothing.

    Parameters
    ----------
    one, many : str
        What an entry, and what several are called.
    kind : str
        Stands before an entry that was looked for, such as ``"installed"``.
    state : str
        What the entries that may be seen are.
    listing : str
        How to ask for a listing.

    Examples
    --------
    >>> from sparsebm25.apps.catalog import Wording
    >>> Wording("bird", "birds").guidance(["kite"], "kite", 0)
    'No bird matched any of the terms `kite`: no bird is visible, so there was nothing to search.'
    """

    one: str = "entry"
    many: str = "entries"
    kind: str = ""
    state: str = "visible"
    listing: str = "ask with no query"

    def guidance(self, terms: Sequence[str], query: str, n_visible: int) -> str:
        """
        Return what to try after a search that found nothing.

        Parameters
        ----------
        terms : sequence of str
            The words that were looked for.
        query : str
            The query, named where it has no words.
        n_visible : int
            Number of entries that could have been found.

        Returns
        -------
        str
            One or two sentences.
        """
        quoted = ", ".join(f"`{term}`" for term in terms)
        asked = f"any of the terms {quoted}" if terms else f"the query `{query.strip()}`"
        failed = f"No {self.kind} {self.one} matched {asked}".replace("  ", " ", 1)
        if n_visible == 0:
            return f"{failed}: no {self.one} is {self.state}, so there was nothing to search."
        some, doubt, them = (
            (f"1 {self.one} is", "it is irrelevant", "it")
            if n_visible == 1
            else (f"{n_visible} {self.many} are", "none of them is relevant", "them all")
        )
        return (
            f"{failed}. {some} {self.state}, so this does not mean {doubt}: try a shorter or more general "
            f"term (one tool, language or topic name), or {self.listing} to list {them}."
        )


INSTALLED_SKILLS = Wording(
    "skill", "skills", "installed", "enabled in this conversation", "call searchSkills with no query"
)
