"""Which terms does this text hold? Normalizing, splitting, stop words and stems."""

from __future__ import annotations

from sparsebm25.text.analyzer import Analyzer
from sparsebm25.text.identifiers import SYMBOL_WORDS, split_identifiers
from sparsebm25.text.normalize import fold_accents
from sparsebm25.text.stem import SNOWBALL_LANGUAGES
from sparsebm25.text.stopwords import STOPWORDS
from sparsebm25.text.tokenize import words

__all__ = [
    "SNOWBALL_LANGUAGES",
    "STOPWORDS",
    "SYMBOL_WORDS",
    "Analyzer",
    "fold_accents",
    "split_identifiers",
    "words",
]
