"""BM25F: several fields become one pseudo-frequency before saturation."""

from __future__ import annotations

import numpy as np

from sparsebm25.counts import Counts
from sparsebm25.protocols import Floats


def combine_fields(
    counts: Counts, part: slice, *, boosts: tuple[float, ...], norms: tuple[Floats, ...]
) -> tuple[Floats, Floats]:
    """
    Return the term frequency and the length norm of some postings.

    With one field they are the boosted count and the norm of the document's
    length: plain BM25. With several, each field's count is divided by that
    field's norm, multiplied by its boost and summed, and the norm is spent.

    Parameters
    ----------
    counts : Counts
        The counts, with n_fields fields.
    part : slice
        Which postings, between 0 and n_postings.
    boosts : tuple of float, length n_fields
        Multiplier of each field, at least 0.
    norms : tuple of ndarray of shape (n_docs,), length n_fields
        Length norm of every document in each field.

    Returns
    -------
    tf : ndarray of shape (n_part,), dtype float64
        Occurrences, or the pseudo-frequency of BM25F. Unit: tokens.
    length_norm : ndarray of shape (n_part,), dtype float64
        Norm that saturation still has to apply.

    Notes
    -----
    A field without tokens adds nothing, whatever its norm. Linear in the
    number of postings [1]_.

    References
    ----------
    .. [1] S. Robertson, H. Zaragoza and M. Taylor, "Simple BM25 Extension to
       Multiple Weighted Fields", CIKM 2004.
    """
    docs = counts.indices[part]
    if len(boosts) == 1:
        return boosts[0] * counts.field_tf[0][part].astype(np.float64), norms[0][docs]
    combined = np.zeros(docs.size)
    for tf, boost, norm in zip(counts.field_tf, boosts, norms, strict=True):
        field_tf = tf[part]
        held = field_tf > 0
        combined[held] += boost * field_tf[held] / norm[docs[held]]
    return combined, np.ones(docs.size)
