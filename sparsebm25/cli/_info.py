"""What does a saved index hold?"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from sparsebm25 import BM25Index
from sparsebm25.weighting import scheme_named


def run(args: argparse.Namespace) -> None:
    """Print the sizes and settings of an index."""
    index = BM25Index.load(args.index, mmap=True)
    for name, value in _facts(index, Path(args.index)):
        print(f"{name:<12}{value}")


def _facts(index: BM25Index, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield names and values."""
    yield "documents", f"{index.n_docs:,}"
    yield "terms", f"{len(index.vocabulary):,}"
    yield "postings", f"{index.counts.indices.size:,}"
    yield "tokens", f"{int(index.counts.doc_lengths.sum()):,}"
    scheme = scheme_named(index.scheme)
    yield "scheme", scheme.name
    yield "formula", scheme.formula
    numbers = {"k1": index.k1, "b": index.b, "delta": index.delta}
    yield from ((name, f"{number:g}") for name, number in numbers.items() if name in scheme.parameters)
    if index.fields:
        yield "fields", ", ".join(f"{name}={boost:g}" for name, boost in index.fields.items())
    yield "dtype", str(index.dtype)
    yield "analyzer", str(index.analyzer)
    yield "metadata", "no" if index.metadata is None else "yes"
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    yield "on disk", f"{size / 1e6:,.1f} MB"
