"""Real collections: documents, queries and judgments, read from files or made of installed sources."""

from sparsebm25.datasets._faults import BadLines
from sparsebm25.datasets._records import Record
from sparsebm25.datasets.collection import Collection, load_collection
from sparsebm25.datasets.docstrings import load_docstrings
from sparsebm25.datasets.readers import read_documents, read_queries

__all__ = [
    "BadLines",
    "Collection",
    "Record",
    "load_collection",
    "load_docstrings",
    "read_documents",
    "read_queries",
]
