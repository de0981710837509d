"""By which rule does each peer score? Written as schemes, so that its hits can be checked to the last one."""

from __future__ import annotations

from typing import Any

import numpy as np

from sparsebm25 import BM25Index
from sparsebm25.protocols import Floats, Ints
from sparsebm25.weighting import SCHEMES, Scheme

K1, B = 1.5, 0.75
"""What every engine is asked for that can be asked."""

TANTIVY_K1 = 1.2


def idf_pisa(doc_freqs: Ints, n_docs: int) -> Floats:
    """Return the idf of PISA: ``max(1e-6, ln((N - df + 0.5) / (df + 0.5)))``, (n_terms,)."""
    return np.maximum(1e-6, np.log((n_docs - doc_freqs + 0.5) / (doc_freqs + 0.5)))


def by_pisa(index: BM25Index) -> BM25Index:
    """Return the same documents under PISA's rule."""
    scheme = _named("pisa", idf=idf_pisa, tf=SCHEMES["lucene-k1+1"].tf)
    return index.with_params(scheme=scheme)


def one_byte_lengths() -> Ints:
    """Return the 256 document lengths that one byte can say, as Lucene and tantivy code them, ascending."""
    codes = np.arange(232)
    exact, shift = codes < 8, np.maximum(codes >> 3, 1) - 1
    return np.concatenate((np.arange(24), 24 + np.where(exact, codes, (codes & 7 | 8) << shift)))


def by_tantivy(index: BM25Index) -> BM25Index:
    """Return the same documents under tantivy's rule: k1 1.2, k1 + 1 in the numerator, one-byte lengths."""
    sayable, mean_length = one_byte_lengths(), index.counts.mean_length

    def saturate(tf: Floats, length_norm: Floats, *, k1: float, delta: float) -> Floats:
        lengths = np.rint((length_norm - (1 - B)) / B * mean_length)
        rounded = sayable[np.searchsorted(sayable, lengths, "right") - 1]
        return (k1 + 1) * tf / (tf + k1 * (1 - B + B * rounded / mean_length))

    return index.with_params(scheme=_named("tantivy", idf=SCHEMES["lucene"].idf, tf=saturate), k1=TANTIVY_K1)


def _named(name: str, **parts: Any) -> Scheme:
    """Return a scheme of BM25's shape."""
    return Scheme(name=name, formula=f"as {name} does", source=name, **parts)
