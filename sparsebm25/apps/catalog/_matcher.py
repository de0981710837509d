"""Which entries match a term, and which hold a phrase as it is written?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sparsebm25.apps.catalog._entries import FieldTexts
from sparsebm25.apps.catalog._reading import Reading
from sparsebm25.counting import count_documents
from sparsebm25.protocols import Ints
from sparsebm25.scoring.partial import best_fields, best_matches, terms_holding
from sparsebm25.scoring.phrases import Phrases
from sparsebm25.string_table import StringTable

WHOLE, PREFIX, INFIX = 3, 2, 1
"""How well a term matches a word: equal to it, its beginning, or inside."""

LONG_PART = 4
"""Characters with which a term may stand inside of a word of any length."""


class Matcher:
    """
    The words and texts of a catalog, ready to be matched.

    Parameters
    ----------
    documents : sequence of dict
        The texts of each entry by field, all with the same fields.
    weights : mapping of str to float
        What a match in each of the fields is worth.
    reading : Reading
        How texts are read.
    half_word : bool
        Whether short terms match only inside of words up to twice their length.
    """

    def __init__(
        self,
        documents: Sequence[FieldTexts],
        weights: Mapping[str, float],
        reading: Reading,
        *,
        half_word: bool,
    ) -> None:
        self._reading = reading
        self._half_word = half_word
        tokens = [
            {name: [term for text in texts for term in reading.terms(text)] for name, texts in each.items()}
            for each in documents
        ]
        self._vocabulary, counts = count_documents(tokens, None, tuple(weights))
        terms = [str(term) for term in self._vocabulary]
        self._terms = StringTable.of(terms)
        self._lengths = np.fromiter(map(len, terms), np.int64, len(terms))
        self._values = best_fields(counts, np.array(list(weights.values())))
        self._phrases = Phrases(
            [reading.pieces(reading.plain(text)) for texts in each.values() for text in texts]
            for each in documents
        )

    @property
    def dtype(self) -> np.dtype[Any]:
        """Return the dtype of matches: whole numbers if the weights are."""
        return self._values.dtype

    def matches(self, term: str) -> NDArray[Any]:
        """Return the best strength times field weight of a term in each entry, (n_entries,), 0 for none."""
        strengths = self._strengths(term)
        term_ords = np.flatnonzero(strengths)
        return best_matches(self._values, term_ords, strengths[term_ords])

    def _strengths(self, term: str) -> Ints:
        """Return how well a term matches each word of the vocabulary, (n_terms,)."""
        strengths = np.zeros(len(self._terms), np.int8)
        for form in (*self._reading.singulars(term), term):  # the term itself comes last and counts first
            if self._reading.matches_parts(form):
                strengths[self._holding(form)] = INFIX
                prefixed = self._vocabulary.starting_with(form)
                strengths[prefixed.start : prefixed.stop] = PREFIX
        for form in (*self._reading.singulars(term), term, *self._reading.plurals(term)):
            whole = self._vocabulary.get(form)
            if whole is not None:
                strengths[whole] = WHOLE
        return strengths

    def _holding(self, part: str) -> Ints:
        """Return the words that a part may match from inside."""
        term_ords = terms_holding(self._terms, part)
        if not self._half_word or len(part) >= LONG_PART or self._reading.unspaced(part):
            return term_ords
        return term_ords[self._lengths[term_ords] <= 2 * len(part)]

    def written(self, phrase: str) -> Ints:
        """Return the entries that hold a plain phrase as it is written."""
        return self._phrases.holding(self._reading.pieces(phrase))
