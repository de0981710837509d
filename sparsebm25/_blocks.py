"""Postings a block at a time: what is made on the way stays small, and in the processor's cache."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sparsebm25.protocols import Ints

BLOCK = 2**18


def posting_blocks(n_postings: int) -> Iterator[slice]:
    """Yield slices of at most `BLOCK` postings, one after the other."""
    for start in range(0, n_postings, BLOCK):
        yield slice(start, min(start + BLOCK, n_postings))


def terms_in(indptr: Ints, block: slice) -> tuple[slice, Ints]:
    """Return the terms whose postings reach into a block, and how many postings each has there."""
    first = int(np.searchsorted(indptr, block.start, "right")) - 1
    last = int(np.searchsorted(indptr, block.stop, "left"))
    edges: Ints = np.clip(indptr[first : last + 1], block.start, block.stop)
    return slice(first, last), edges[1:] - edges[:-1]
