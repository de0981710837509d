"""
Term frequency: how much the occurrences of a term in one document tell.

Every function here turns the term frequencies of postings into one number each,
in float64. All are trusted with term frequencies that are at least 0 and finite.
A posting has at least one occurrence; where the boosts of fields leave nothing
of it, the result is that of a document without the term.

None of them falls when a term occurs once more, not even after the result is
rounded to float32: each is a chain of operations that keep their order when
rounded, which ``tf / (tf + k1 * length_norm)`` is not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from sparsebm25.protocols import Floats, Ints


class TfPart(Protocol):
    """
    The shape of a function from postings to the part that depends on the document.

    A scheme multiplies it with the idf of the posting's term.
    """

    def __call__(self, tf: Floats, length_norm: Floats, *, k1: float, delta: float) -> Floats:
        """Return the tf part of each posting: three arrays of shape (n_postings,)."""
        ...


def norm_lengths(doc_lengths: Ints, mean_length: float, *, b: float) -> Floats:
    """
    Return the length norm of each document.

    A long document repeats itself, so its counts are worth less: they are
    divided by this norm before saturation.

    Parameters
    ----------
    doc_lengths : ndarray of shape (n_docs,), dtype int
        Length of each document. Unit: tokens.
    mean_length : float
        Mean length in the collection, at least 0. Unit: tokens. With 0 all
        documents are empty, and all norms are 1.
    b : float
        Strength, in [0, 1]. With 0 length does not matter, with 1 the norm is
        the length in units of the mean.

    Returns
    -------
    ndarray of shape (n_docs,), dtype float64
        ``1 - b + b * doc_lengths / mean_length``. No unit; 1 at mean length.

    See Also
    --------
    saturate : Takes the norms, one per posting.

    References
    ----------
    .. [1] S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework:
       BM25 and Beyond", Foundations and Trends in Information Retrieval, 2009.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebm25.weighting.tf import norm_lengths
    >>> norm_lengths(np.array([2, 4, 6]), 4.0, b=0.5)
    array([0.75, 1.  , 1.25])
    """
    if mean_length == 0:
        return np.ones(doc_lengths.shape)
    return 1.0 - b + b * (doc_lengths / mean_length)


def saturate(tf: Floats, length_norm: Floats, *, k1: float, delta: float = 0.0) -> Floats:
    """
    Return the saturated term frequency of each posting.

    The first occurrence of a term tells much, the tenth little more: the
    result rises with `tf` and never passes 1.

    Parameters
    ----------
    tf : ndarray of shape (n_postings,)
        Occurrences of the term in the document, at least 0. Unit: tokens.
    length_norm : ndarray of shape (n_postings,), dtype float64
        Length norm of the posting's document, at least 0. No unit; 1 at mean length.
    k1 : float
        Saturation, at least 0. Unit: tokens: the count at which a document of
        mean length gets 0.5. With 0, counts do not matter.
    delta : float, default 0.0
        Not read.

    Returns
    -------
    ndarray of shape (n_postings,), dtype float64
        ``tf / (tf + k1 * length_norm)``, in (0, 1]; 0 where `tf` is 0.

    Notes
    -----
    Computed as ``1 / (1 + k1 * length_norm / tf)``. The constant factor
    ``k1 + 1`` of other variants is left out: it changes no ranking [1]_.

    References
    ----------
    .. [1] C. Kamphuis, A. P. de Vries, L. Boytsov and J. Lin, "Which BM25 Do
       You Mean? A Large-Scale Reproducibility Study of Scoring Variants",
       ECIR 2020.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebm25.weighting.tf import saturate
    >>> saturate(np.array([1.0, 3.0]), np.ones(2), k1=1.0)
    array([0.5 , 0.75])
    """
    with np.errstate(over="ignore"):  # infinity is the right limit: the part is 0
        rest = np.divide(k1 * length_norm, tf, out=np.full(tf.shape, np.inf), where=tf > 0)
    return 1.0 / (1.0 + rest)


def saturate_scaled(tf: Floats, length_norm: Floats, *, k1: float, delta: float = 0.0) -> Floats:
    """
    Return the saturated term frequency, scaled to 1 for one occurrence.

    The form of Lucene before 8.0, of ATIRE and of most textbooks: a single
    occurrence in a document of mean length is worth the plain idf.

    Parameters
    ----------
    tf : ndarray of shape (n_postings,)
        Occurrences of the term in the document, at least 0. Unit: tokens.
    length_norm : ndarray of shape (n_postings,), dtype float64
        Length norm of the posting's document, at least 0. No unit; 1 at mean length.
    k1 : float
        Saturation, at least 0. Unit: tokens.
    delta : float, default 0.0
        Not read.

    Returns
    -------
    ndarray of shape (n_postings,), dtype float64
        ``(k1 + 1) * tf / (tf + k1 * length_norm)``, in (0, k1 + 1]; 0 where `tf` is 0.

    References
    ----------
    .. [1] A. Trotman, X. Jia and M. Crane, "Towards an Efficient and Effective
       Search Engine", SIGIR 2012 Workshop on Open Source Information Retrieval.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebm25.weighting.tf import saturate_scaled
    >>> saturate_scaled(np.array([1.0, 3.0]), np.ones(2), k1=1.0)
    array([1. , 1.5])
    """
    return (k1 + 1.0) * saturate(tf, length_norm, k1=k1)


def saturate_shifted(tf: Floats, length_norm: Floats, *, k1: float, delta: float) -> Floats:
    """
    Return the saturated term frequency of BM25L.

    BM25 is too hard on very long documents. Here `delta` is added to the
    normalized count before saturation, which helps small counts most.

    Parameters
    ----------
    tf : ndarray of shape (n_postings,)
        Occurrences of the term in the document, at least 0. Unit: tokens.
    length_norm : ndarray of shape (n_postings,), dtype float64
        Length norm of the posting's document, at least 0. No unit; 1 at mean length.
    k1 : float
        Saturation, at least 0. Unit: tokens.
    delta : float
        Shift, at least 0. Unit: tokens; the paper's value is 0.5.

    Returns
    -------
    ndarray of shape (n_postings,), dtype float64
        ``(k1 + 1) * (c + delta) / (k1 + c + delta)`` with ``c = tf / length_norm``.

    See Also
    --------
    absent_shifted : What a document without the term gets.
    saturate_bounded : Adds `delta` after saturation.

    Notes
    -----
    Computed as `saturate_scaled` of ``tf + delta * length_norm``, which is the
    same number without the division by a norm that may be 0.

    References
    ----------
    .. [1] Y. Lv and C. Zhai, "When Documents Are Very Long, BM25 Fails!",
       SIGIR 2011.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebm25.weighting.tf import saturate_shifted
    >>> saturate_shifted(np.array([1.0, 3.0]), np.array([1.0, 2.0]), k1=1.5, delta=0.5)
    array([1.25      , 1.42857143])
    """
    return saturate_scaled(tf + delta * length_norm, length_norm, k1=k1)


def absent_shifted(k1: float, delta: float) -> float:
    """
    Return the tf part of BM25L for a document without the term.

    The shift reaches these documents too: this is `saturate_shifted` of 0,
    whatever the length.

    Parameters
    ----------
    k1 : float
        Saturation, at least 0. Unit: tokens.
    delta : float
        Shift, at least 0. Unit: tokens.

    Returns
    -------
    float
        ``(k1 + 1) * delta / (k1 + delta)``; 0 if `delta` is 0.

    Notes
    -----
    The same chain of operations as `saturate_shifted`, so that rounding never
    makes the absent part the larger one. With a `k1` of 0 they are equal.

    References
    ----------
    .. [1] X. H. Lù, "BM25S: Orders of Magnitude Faster Lexical Search via Eager
       Sparse Scoring", arXiv:2407.03618, 2024.

    Examples
    --------
    >>> from sparsebm25.weighting.tf import absent_shifted
    >>> absent_shifted(1.5, 0.5)
    0.625
    """
    return (k1 + 1.0) * (1.0 / (1.0 + k1 / delta)) if delta > 0 else 0.0


def saturate_bounded(tf: Floats, length_norm: Floats, *, k1: float, delta: float) -> Floats:
    """
    Return the saturated term frequency of BM25+.

    A lower bound, `delta`, is added after saturation: however long the
    document, an occurrence is worth more than that.

    Parameters
    ----------
    tf : ndarray of shape (n_postings,)
        Occurrences of the term in the document, at least 0. Unit: tokens.
    length_norm : ndarray of shape (n_postings,), dtype float64
        Length norm of the posting's document, at least 0. No unit; 1 at mean length.
    k1 : float
        Saturation, at least 0. Unit: tokens.
    delta : float
        Lower bound, at least 0. No unit; the paper's value is 1.

    Returns
    -------
    ndarray of shape (n_postings,), dtype float64
        ``delta + (k1 + 1) * tf / (tf + k1 * length_norm)``.

    See Also
    --------
    absent_bounded : What a document without the term gets.
    saturate_shifted : Adds `delta` before saturation.

    References
    ----------
    .. [1] Y. Lv and C. Zhai, "Lower-Bounding Term Frequency Normalization",
       CIKM 2011.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebm25.weighting.tf import saturate_bounded
    >>> saturate_bounded(np.array([1.0, 3.0]), np.ones(2), k1=1.0, delta=1.0)
    array([2. , 2.5])
    """
    return delta + saturate_scaled(tf, length_norm, k1=k1)


def absent_bounded(k1: float, delta: float) -> float:
    """
    Return the tf part of BM25+ for a document without the term.

    As in bm25s the bound reaches these documents too. It is then the same for
    every document: it raises the scores and leaves the ranking as it was.

    Parameters
    ----------
    k1 : float
        Saturation; not read.
    delta : float
        Lower bound, at least 0. No unit.

    Returns
    -------
    float
        The bound, `delta`.

    References
    ----------
    .. [1] X. H. Lù, "BM25S: Orders of Magnitude Faster Lexical Search via Eager
       Sparse Scoring", arXiv:2407.03618, 2024.

    Examples
    --------
    >>> from sparsebm25.weighting.tf import absent_bounded
    >>> absent_bounded(1.5, 1.0)
    1.0
    """
    return delta


def natural_tf(tf: Floats) -> Floats:
    """
    Return the term frequencies as they are.

    SMART's letter ``n``: ten occurrences are worth ten times one.

    Parameters
    ----------
    tf : ndarray
        Occurrences, of any shape. Unit: tokens.

    Returns
    -------
    ndarray, dtype float64
        A copy of `tf`.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebm25.weighting.tf import natural_tf
    >>> natural_tf(np.array([1, 10]))
    array([ 1., 10.])
    """
    return tf.astype(np.float64)


def log_tf(tf: Floats) -> Floats:
    """
    Return one plus the natural logarithm of the term frequencies.

    SMART's letter ``l`` and scikit-learn's ``sublinear_tf``.

    Parameters
    ----------
    tf : ndarray
        Occurrences, of any shape, at least 0. Unit: tokens.

    Returns
    -------
    ndarray, dtype float64
        ``1 + ln(tf)``, and `tf` itself below 1, where query weights or boosts
        can bring it and the logarithm would turn negative.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebm25.weighting.tf import log_tf
    >>> log_tf(np.array([0, 0.5, 1, 10])).round(6)
    array([0.      , 0.5     , 1.      , 3.302585])
    """
    few = np.minimum(tf, 1.0)
    return few + np.log(np.maximum(tf, 1.0), dtype=np.float64)


def binary_tf(tf: Floats) -> Floats:
    """
    Return 1 where the term occurs.

    SMART's letter ``b``: repetition tells nothing.

    Parameters
    ----------
    tf : ndarray
        Occurrences, of any shape. Unit: tokens.

    Returns
    -------
    ndarray, dtype float64
        1 where `tf` is above 0, else 0.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebm25.weighting.tf import binary_tf
    >>> binary_tf(np.array([0, 1, 10]))
    array([0., 1., 1.])
    """
    return (tf > 0).astype(np.float64)


@dataclass(frozen=True, slots=True)
class CountsOnly:
    """
    A tf part that reads nothing but the term frequencies.

    TF-IDF has no `k1` and corrects for length by scaling whole vectors; this
    lets its functions of counts stand where BM25 has its saturation.

    Parameters
    ----------
    function : callable
        From term frequencies to an array of the same shape.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebm25.weighting.tf import CountsOnly, binary_tf
    >>> CountsOnly(binary_tf)(np.array([1.0, 10.0]), np.ones(2), k1=1.5, delta=0.0)
    array([1., 1.])
    """

    function: Callable[[Floats], Floats]

    def __call__(self, tf: Floats, length_norm: Floats, *, k1: float, delta: float) -> Floats:
        """Return ``function(tf)``."""
        return self.function(tf)
