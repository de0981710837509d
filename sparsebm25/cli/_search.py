"""Which documents fit one query?"""

from __future__ import annotations

import argparse
import json
from typing import Any

from sparsebm25 import BM25Index, Hit
from sparsebm25.cli._options import loaded_index
from sparsebm25.cli._output import note


def run(args: argparse.Namespace) -> None:
    """Print the best documents, one a line."""
    index = loaded_index(args)
    hits = index.search(args.query, args.k)
    for rank, hit in enumerate(hits, start=1):
        if args.json:
            print(json.dumps(_fields(index, rank, hit)))
        else:
            print(f"{rank:>4}  {hit.score:9.4f}  {hit.doc_id}")
    if not hits:
        note("no hits")


def _fields(index: BM25Index, rank: int, hit: Hit) -> dict[str, Any]:
    """Return what is known of a hit, by name."""
    known: dict[str, Any] = {"rank": rank, "doc_id": hit.doc_id, "score": hit.score}
    metadata = None if index.metadata is None else index.metadata[hit.doc_ord]
    return {**known, "metadata": dict(metadata)} if metadata else known
