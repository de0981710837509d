"""Which entries of a catalog does a query mean? Whole words, beginnings and parts of words, best first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sparsebm25._checks import integer, shown
from sparsebm25.apps.catalog._entries import (
    check_weights,
    checked_entries,
    drop_license_labels,
    lenient_texts,
    strict_texts,
    visible_mask,
)
from sparsebm25.apps.catalog._matcher import Matcher
from sparsebm25.apps.catalog._reading import BETTER, ORIGINAL, noise_words
from sparsebm25.apps.catalog._results import (
    INSTALLED_SKILLS,
    CatalogHits,
    CatalogPage,
    Found,
    Keys,
    Ranking,
    Wording,
)
from sparsebm25.protocols import Bools, Floats, Ints
from sparsebm25.scoring.partial import order_by
from sparsebm25.weighting.idf import idf_lucene

DEFAULT_FIELDS: Mapping[str, float] = MappingProxyType({"name": 3, "tags": 2, "description": 1})

MAX_ORIGINAL_LIMIT = 50

Visible: TypeAlias = Callable[[Any], bool] | Sequence[bool] | Bools | None
"""Which entries may be seen: a function of an entry, one boolean an entry, or None for all."""


class Catalog:
    """
    Search a catalog of short entries by whole words, beginnings and parts of words.

    Made for the queries that people and language models write when they do not
    know the names: every entry that matches any word is found, and the order
    tells the good matches from the rest. A blank query lists everything.

    Parameters
    ----------
    entries : iterable of mapping or object
        The entries, in the order in which they are listed and equal ones stay.
        A field is a key or an attribute: a str, a list of str (labels), or
        missing.
    fields : mapping of str to float, default {"name": 3, "tags": 2, "description": 1}
        The fields that are searched, and what a match in each is worth, above 0.
    noise : iterable of str, default ()
        Words that say nothing in this catalog, such as ``"tool"`` in one of
        tools. They are dropped from a query like filler words (``the``,
        ``find``), unless nothing else is left.
    compatible : bool, default False
        Rank exactly as the catalog search that this one replaces, see Notes.
    half_word : bool or None, default None
        Whether a term inside a word counts only if it has at least 4
        characters or half of the word's: ``cat`` is in ``bobcat``,
        not in ``truncation``. None: only if not `compatible`.
    license_field : str or None, default None
        Field that names an entry's license. Labels of which every word is a
        word of the license are not searched: ``Apache-2.0`` is no topic.
    wording : Wording or None, default None
        Words for the guidance where nothing is found.

    Notes
    -----
    A term matches a word as a whole (3), as its beginning (2) or inside (1);
    terms of fewer than 3 characters only as a whole. A term that does not
    match may do so without its plural ``s``. A term's match in an entry is the
    largest product of strength and field weight; the score is their sum over
    terms. Entries are ordered by: the query stands in a field as it is
    written, with no letter right before or after it; number of terms matched;
    score; rarity of the matched terms; position.

    By default texts are compared without accents and in one Unicode form,
    combining marks belong to their words, words of scripts without spaces
    match inside of longer runs whatever their length, blanks are all alike,
    plurals in ``-s``, ``-es`` and ``-ies`` meet their singulars both ways,
    and among equal scores the entry that matched the rarer terms (larger idf
    over the entries that can be seen) comes first.

    With ``compatible=True`` words are runs of characters that are Alphabetic
    or numbers in Unicode (letters, numbers, most vowel signs, circled
    letters; accents written as characters of their own split a word), no
    rarity is looked at, fields that are no text are passed over, a limit is
    clamped to 1 to 50, and `page` takes a query without words for a blank
    one. Letters that are newer than the Unicode of the running Python are
    not known as letters.

    Matching runs over the vocabulary and its postings: linear in the bytes of
    the distinct words, the postings of the matched ones, and (one pass over
    an array) the entries. Only a query without any word reads the texts of
    all entries. A catalog never changes and may be shared between threads.

    Examples
    --------
    >>> from sparsebm25.apps.catalog import Catalog
    >>> catalog = Catalog([
    ...     {"name": "House Plans", "description": "Draws plans."},
    ...     {"name": "Boats", "tags": ["boathouse"], "description": "Plans of boats."},
    ... ])
    >>> [(hit.entry["name"], hit.matched_terms) for hit in catalog.rank("house of a boat").hits]
    [('Boats', ('house', 'boat')), ('House Plans', ('house',))]
    """

    def __init__(
        self,
        entries: Iterable[Any],
        fields: Mapping[str, float] = DEFAULT_FIELDS,
        *,
        noise: Iterable[str] = (),
        compatible: bool = False,
        half_word: bool | None = None,
        license_field: str | None = None,
        wording: Wording | None = None,
    ) -> None:
        check_weights(fields)
        self.entries = checked_entries(entries)
        self.compatible = compatible
        self.wording = wording or (INSTALLED_SKILLS if compatible else Wording())
        self._reading = ORIGINAL if compatible else BETTER
        self._dropped = self._reading.filler | noise_words(noise, self._reading)
        texts = partial(lenient_texts if compatible else strict_texts, tuple(fields))
        documents = [texts(place, entry) for place, entry in enumerate(self.entries)]
        if license_field is not None:
            for entry, document in zip(self.entries, documents, strict=True):
                drop_license_labels(entry, document, license_field, self._reading)
        half_word = not compatible if half_word is None else half_word
        self._matcher = Matcher(documents, fields, self._reading, half_word=half_word)

    def __len__(self) -> int:
        return len(self.entries)

    def __repr__(self) -> str:
        return f"<Catalog of {len(self)} entries>"

    def terms(self, query: str) -> tuple[str, ...]:
        """
        Return the words of a query that are looked for.

        Parameters
        ----------
        query : str
            Any text.

        Returns
        -------
        tuple of str
            Distinct words in order, without filler and noise words; all of
            them if nothing else is left.

        Examples
        --------
        >>> from sparsebm25.apps.catalog import Catalog
        >>> catalog = Catalog([], noise=["tool"])
        >>> catalog.terms("a tool for heat maps"), catalog.terms("the tool")
        (('heat', 'maps'), ('the', 'tool'))
        """
        words = tuple(dict.fromkeys(self._reading.terms(query)))
        return tuple(word for word in words if word not in self._dropped) or words

    def rank(self, query: str | None, *, visible: Visible = None) -> Ranking:
        """
        Return all entries that a query finds, best first.

        Parameters
        ----------
        query : str or None
            Any text; never read as query syntax. None and a blank one list
            all entries in their order.
        visible : callable, array of bool of shape (n_entries,), or None, default None
            Which entries may be seen. The others are not found, not counted,
            and change no order.

        Returns
        -------
        Ranking
            The terms, and the hits as a sequence.

        Raises
        ------
        TypeError
            If `query` is not a str.
        ValueError
            If `visible` is an array of another shape or dtype.

        Examples
        --------
        >>> from sparsebm25.apps.catalog import Catalog
        >>> catalog = Catalog([{"name": "Kite club"}, {"name": "Red kites"}])
        >>> [(hit.entry["name"], hit.score) for hit in catalog.rank("red kite").hits]
        [('Red kites', 18), ('Kite club', 9)]
        """
        may_see = visible_mask(visible, self.entries)
        found = self._found(query, may_see)
        if found is None:
            return Ranking((), self._hits(np.flatnonzero(may_see), None))
        return Ranking(found.terms, self._hits(found.entry_ords, found))

    def page(
        self, query: str | None = None, offset: int = 0, limit: int = 20, *, visible: Visible = None
    ) -> CatalogPage:
        """
        Return one page of what a query finds, or of the listing.

        Parameters
        ----------
        query : str or None, default None
            As in `rank`.
        offset : int, default 0
            Entries to pass over, at least 0; past the end the page is empty.
        limit : int, default 20
            The most entries of the page, at least 1.
        visible : callable, array of bool of shape (n_entries,), or None, default None
            As in `rank`.

        Returns
        -------
        CatalogPage
            With guidance if a search found nothing on any page.

        Raises
        ------
        TypeError
            If `query` is not a str, or `offset` or `limit` not an integer.
        ValueError
            If `offset` or `limit` is too small.

        Examples
        --------
        >>> from sparsebm25.apps.catalog import Catalog
        >>> page = Catalog([{"name": "Kite"}, {"name": "Mug"}]).page("pot")
        >>> page.total, page.guidance[:40]
        (0, 'No entry matched any of the terms `pot`.')
        """
        offset = integer("offset", offset, low=0)
        limit = integer("limit", limit, low=0 if self.compatible else 1)
        if self.compatible:
            limit = min(max(limit, 1), MAX_ORIGINAL_LIMIT)
        may_see = visible_mask(visible, self.entries)
        found = self._found(query, may_see)
        if self.compatible and found is not None and not found.terms:
            found = None
        found_ords = np.flatnonzero(may_see) if found is None else found.entry_ords
        rows = tuple(self._hits(found_ords, found, offset + limit)[offset:])
        if found is None:
            return CatalogPage(found_ords.size, offset, limit, rows)
        guidance = (
            None if found_ords.size else self.wording.guidance(found.terms, str(query), int(may_see.sum()))
        )
        return CatalogPage(found_ords.size, offset, limit, rows, found.terms, guidance)

    def _found(self, query: str | None, visible: Bools) -> Found | None:
        """Return what a query finds among the entries that may be seen, None if it asks for the listing."""
        if query is not None and not isinstance(query, str):
            raise TypeError(f"query must be a str or None, got {shown(query)}")
        phrase = "" if query is None else self._reading.plain(query).strip()
        if query is None or not phrase:
            return None
        terms = self.terms(query)
        matches = np.zeros((len(terms), len(self)), self._matcher.dtype)
        for row, term in zip(matches, terms, strict=True):
            np.copyto(row, self._matcher.matches(term), where=visible)
        written = np.zeros(len(self), np.bool_)
        written[self._matcher.written(phrase)] = True
        written &= visible
        keys: Keys = (written, *_sums(matches, int(visible.sum())))
        return Found(terms, keys[:3] if self.compatible else keys, matches)

    def _hits(self, found_ords: Ints, found: Found | None, k: int | None = None) -> CatalogHits:
        """Return the first hits in their order."""
        if found is not None:
            found_ords = found_ords[order_by([key[found_ords] for key in found.keys], k)]
        return CatalogHits(self.entries, found_ords[:k], found)


def _sums(matches: NDArray[Any], n_visible: int) -> tuple[Ints, NDArray[Any], Floats]:
    """Return how many terms each entry matched, how well, and how rare they are, (n_entries,) each."""
    n_matched = np.zeros(matches.shape[1], np.int64)
    scores = np.zeros(matches.shape[1], matches.dtype)
    rarity = np.zeros(matches.shape[1])
    idf = idf_lucene(np.fromiter(map(np.count_nonzero, matches), np.int64, len(matches)), n_visible)
    for row, value in zip(matches, idf.tolist(), strict=True):  # one order of additions for every entry
        matched = row > 0
        n_matched += matched
        scores += row
        rarity += value * matched
    return n_matched, scores, rarity
