"""An inverted index as PISA stores it, straight from counts: its own way goes through one dict a document."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import numpy as np

from sparsebm25.counts import Counts
from sparsebm25.protocols import Ints

BLOCK = 2**24
"""Postings written at a time."""


def write_inverted(folder: Path, terms: Iterable[str], counts: Counts) -> None:
    """Write the files that PISA compresses at first use into a folder; terms must ascend by bytes."""
    from pyterrier_pisa import _pisathon

    _write_lines(folder / "fwd.terms", terms)
    _write_lines(folder / "fwd.documents", map(str, range(counts.n_docs)))
    with (folder / "inv.docs").open("wb") as file:
        file.write(np.array([1, counts.n_docs], np.uint32).tobytes())
        write_lists(file, counts.indptr, counts.indices)
    with (folder / "inv.freqs").open("wb") as file:
        write_lists(file, counts.indptr, counts.field_tf[0])
    lengths = np.concatenate(([counts.n_docs], counts.doc_lengths)).astype(np.uint32)
    (folder / "inv.sizes").write_bytes(lengths.tobytes())
    for source, lexicon in (("fwd.terms", "fwd.termlex"), ("fwd.documents", "fwd.doclex")):
        _pisathon.build_binlex(str(folder / source), str(folder / lexicon))
    config = {"type": "sparse_index", "format": "pisa", "package_hint": "pyterrier-pisa", "stemmer": "none"}
    (folder / "pt_meta.json").write_text(json.dumps(config), "ascii")


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write one line each."""
    with path.open("w", encoding="ascii") as file:
        file.writelines(f"{line}\n" for line in lines)


def write_lists(file: BinaryIO, indptr: Ints, values: Ints) -> None:
    """Write the values of each term after their number, a block of terms at a time."""
    first = 0
    while first < indptr.size - 1:
        last = max(first + 1, int(np.searchsorted(indptr, indptr[first] + BLOCK, "right")) - 1)
        bounds = indptr[first : last + 1]
        block = values[bounds[0] : bounds[-1]].astype(np.uint32)
        file.write(np.insert(block, bounds[:-1] - bounds[0], np.diff(bounds)).tobytes())
        first = last


@contextmanager
def silence() -> Iterator[None]:
    """Keep what compiled code prints from the terminal; it does not go through Python's streams."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept = os.dup(1), os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        yield
    finally:
        for stream, copy in enumerate(kept, start=1):
            os.dup2(copy, stream)
            os.close(copy)
        os.close(nowhere)
