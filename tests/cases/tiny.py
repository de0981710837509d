"""What the cases share: collections of a few words, scored in float64 so that every digit can be compared."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from sparsebm25 import BM25Index


def exact(*documents: str | Mapping[str, Any] | list[str] | None, **settings: Any) -> BM25Index:
    """Return an index of the documents with float64 scores."""
    return BM25Index(dtype="float64", **settings).fit(documents)


def rarity(n_docs: int, doc_freq: int) -> float:
    """Return the idf of the default scheme, worked out by hand; a single occurrence is worth 0.4 of it."""
    return math.log(1 + (n_docs - doc_freq + 0.5) / (doc_freq + 0.5))


def ids(hits: Any) -> list[str | int]:
    """Return the document ids of hits, in their order."""
    return [hit.doc_id for hit in hits]
