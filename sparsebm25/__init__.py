"""BM25 as sparse linear algebra on NumPy and SciPy."""

from __future__ import annotations

from sparsebm25.errors import IndexFormatError, MissingExtra, UnknownIds
from sparsebm25.index import BM25Index
from sparsebm25.records import Explanation, Hit, Hits
from sparsebm25.runs import Run
from sparsebm25.text import Analyzer
from sparsebm25.weighting import SCHEMES, Scheme, Statistics

__all__ = [
    "SCHEMES",
    "Analyzer",
    "BM25Index",
    "Explanation",
    "Hit",
    "Hits",
    "IndexFormatError",
    "MissingExtra",
    "Run",
    "Scheme",
    "Statistics",
    "UnknownIds",
]
__version__ = "0.1.0"
