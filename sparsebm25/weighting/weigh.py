"""From counts to the weight of every posting, block by block."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike
from scipy.sparse import csr_array

from sparsebm25._blocks import posting_blocks, terms_in
from sparsebm25._lazy import freeze
from sparsebm25.counts import Counts
from sparsebm25.protocols import Floats
from sparsebm25.weighting.fields import combine_fields
from sparsebm25.weighting.schemes import Scheme
from sparsebm25.weighting.statistics import Statistics
from sparsebm25.weighting.tf import norm_lengths


@dataclass(frozen=True, slots=True)
class Weighting:
    """
    Return the choices that turn counts into weights.

    Parameters
    ----------
    scheme : Scheme
        The pair of idf and tf function.
    k1 : float
        Saturation, at least 0. Unit: tokens.
    b : tuple of float
        Length normalization in [0, 1], one a field.
    delta : float
        Lower bound of BM25L and BM25+, at least 0.
    boosts : tuple of float
        Multiplier, one a field, at least 0.

    Examples
    --------
    >>> from sparsebm25.weighting import SCHEMES, Weighting
    >>> Weighting(SCHEMES["lucene"], k1=1.2, b=(0.75,), delta=0.0, boosts=(1.0,)).k1
    1.2
    """

    scheme: Scheme
    k1: float
    b: tuple[float, ...]
    delta: float
    boosts: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Weights:
    """
    Return what each posting adds to a score for a query weight of 1.

    Parameters
    ----------
    postings : csr_array of shape (n_terms, n_docs), dtype float32 or float64
        The weights, on the structure of the counts.
    idf : ndarray of shape (n_terms,), dtype float64
        Inverse document frequency. Unit: nats, times the scheme's factors.
    absent_weights : ndarray of shape (n_terms,), dtype of `postings`, or None
        What a term adds to every document, before the postings add the
        difference; None where the scheme has no such part.
    min_weight : float
        The smallest weight; infinity without postings.

    Examples
    --------
    >>> from sparsebm25 import BM25Index
    >>> BM25Index().fit(["red kite", "red pot"]).postings.toarray().round(2)  # kite, pot, red
    array([[0.28, 0.  ],
           [0.  , 0.28],
           [0.07, 0.07]], dtype=float32)
    """

    postings: csr_array
    idf: Floats
    absent_weights: Floats | None
    min_weight: float = math.inf

    def __post_init__(self) -> None:
        freeze(self.postings.data, self.idf)
        if self.absent_weights is not None:
            freeze(self.absent_weights)

    @property
    def n_docs(self) -> int:
        """Return the number of documents."""
        return int(self.postings.shape[1])

    @property
    def dtype(self) -> np.dtype[Any]:
        """Return the dtype of scores."""
        return self.postings.dtype


def length_norms(counts: Counts, statistics: Statistics, weighting: Weighting) -> tuple[Floats, ...]:
    """
    Return the length norm of every document in each field.

    Parameters
    ----------
    counts : Counts
        Gives the lengths.
    statistics : Statistics
        Gives the mean lengths.
    weighting : Weighting
        Gives b; schemes that do not read it have norms of 1.

    Returns
    -------
    tuple of ndarray of shape (n_docs,), dtype float64
        ``1 - b + b * length / mean length``, one array a field.
    """
    reads_b = "b" in weighting.scheme.parameters
    return tuple(
        norm_lengths(lengths, mean, b=b if reads_b else 0.0)
        for lengths, mean, b in zip(counts.field_lengths, statistics.mean_lengths, weighting.b, strict=True)
    )


def weigh(
    counts: Counts, statistics: Statistics, weighting: Weighting, *, dtype: DTypeLike = np.float32
) -> Weights:
    """
    Return the weights of all postings.

    Parameters
    ----------
    counts : Counts
        The counts, on the vocabulary of `statistics`.
    statistics : Statistics
        Document frequencies, number of documents and mean lengths.
    weighting : Weighting
        Scheme and parameters.
    dtype : {float32, float64}
        Of the weights and so of the scores. Weights are computed in float64
        and rounded once.

    Returns
    -------
    Weights
        New numbers on shared structure.

    Notes
    -----
    Linear in the number of postings. A weight is a function of the posting's
    own count, its document's length and the statistics alone, so parts of a
    collection that share statistics have the weights of the whole.

    Examples
    --------
    >>> from sparsebm25 import BM25Index
    >>> from sparsebm25.weighting import SCHEMES, Weighting, weigh
    >>> index = BM25Index().fit(["red kite", "red pot"])
    >>> weighting = Weighting(SCHEMES["atire"], k1=1.2, b=(0.75,), delta=0.0, boosts=(1.0,))
    >>> weigh(index.counts, index.statistics, weighting).postings.data.round(4)
    array([0.6931, 0.6931, 0.    , 0.    ], dtype=float32)
    """
    scheme = weighting.scheme
    idf = scheme.idf(statistics.doc_freqs, statistics.n_docs)
    absent_part = 0.0 if scheme.absent is None else scheme.absent(weighting.k1, weighting.delta)
    norms = length_norms(counts, statistics, weighting)
    data = np.empty(counts.n_postings, dtype)
    for part, values in _raw_weights(counts, weighting, idf, absent_part, norms):
        data[part] = values
    if scheme.cosine:
        _scale_to_unit_length(counts, weighting, idf, norms, data)
    postings = csr_array(
        (data, counts.indices, counts.indptr), shape=(counts.n_terms, counts.n_docs), copy=False
    )
    absent = None if scheme.absent is None else (idf * absent_part).astype(dtype)
    return Weights(postings, idf, absent, float(data.min()) if data.size else math.inf)


def _raw_weights(
    counts: Counts, weighting: Weighting, idf: Floats, absent_part: float, norms: tuple[Floats, ...]
) -> Iterator[tuple[slice, Floats]]:
    """Yield the float64 weights of one block of postings after another."""
    for part in posting_blocks(counts.n_postings):
        tf, length_norm = combine_fields(counts, part, boosts=weighting.boosts, norms=norms)
        parts = weighting.scheme.tf(tf, length_norm, k1=weighting.k1, delta=weighting.delta)
        if absent_part:
            parts = parts - absent_part
        terms, n_held = terms_in(counts.indptr, part)
        yield part, parts * np.repeat(idf[terms], n_held)


def _scale_to_unit_length(
    counts: Counts, weighting: Weighting, idf: Floats, norms: tuple[Floats, ...], data: Floats
) -> None:
    """Divide the weights in `data` by the Euclidean length of their document's vector."""
    squares = np.zeros(counts.n_docs)
    for part, values in _raw_weights(counts, weighting, idf, 0.0, norms):
        squares += np.bincount(counts.indices[part], values * values, counts.n_docs)
    length = np.sqrt(squares)
    length[length == 0] = 1.0
    for part, values in _raw_weights(counts, weighting, idf, 0.0, norms):
        data[part] = values / length[counts.indices[part]]
