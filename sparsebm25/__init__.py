"""BM25 as sparse linear algebra on NumPy and SciPy."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sparsebm25.errors import IndexFormatError, MissingExtra, UnknownIds
from sparsebm25.index import BM25Index
from sparsebm25.records import Explanation, Hit, Hits
from sparsebm25.runs import Run
from sparsebm25.text import Analyzer
from sparsebm25.weighting import SCHEMES, Scheme, Statistics

if TYPE_CHECKING:
    from sparsebm25.estimators import BM25Transformer, BM25Vectorizer

__all__ = [
    "SCHEMES",
    "Analyzer",
    "BM25Index",
    "BM25Transformer",
    "BM25Vectorizer",
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


def __getattr__(name: str) -> Any:
    """Return the estimators, which load scikit-learn, when they are first asked for."""
    if name in ("BM25Transformer", "BM25Vectorizer"):
        return getattr(import_module("sparsebm25.estimators"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the names that there are, lazy ones too."""
    return sorted({*globals(), *__all__})
