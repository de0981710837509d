"""Why does a document have its score?"""

from __future__ import annotations

import argparse

from sparsebm25 import BM25Index
from sparsebm25.cli._options import loaded_index
from sparsebm25.protocols import DocId


def run(args: argparse.Namespace) -> None:
    """Print the tree of a score."""
    index = loaded_index(args)
    print(index.explain(args.query, _doc_id(index, args.doc_id)))


def _doc_id(index: BM25Index, text: str) -> DocId:
    """Return the id that was typed: the text, or where only the number is an id, the number."""
    is_number = text.removeprefix("-").isdecimal()
    return int(text) if is_number and text not in index else text
