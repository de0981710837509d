"""
Inverse document frequency: how much it tells that a document holds a term.

Every function here turns document frequencies into one number per term: rare
terms get much, common ones little. All are computed in float64, work on empty
arrays, and give 0 to a term that no document holds: such a term is unknown, and
an index that once held it scores as one that never did.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import TypeAlias

import numpy as np

from sparsebm25.protocols import Floats, Ints

IdfPart: TypeAlias = Callable[[Ints, int], Floats]
"""(document frequencies of shape (n_terms,), n_docs) -> idf of shape (n_terms,), dtype float64."""

OKAPI_EPSILON = 0.25
"""The share of the mean idf that rank_bm25's BM25Okapi gives to terms of negative idf."""


def _zero_unless_held(formula: IdfPart) -> IdfPart:
    """Return `formula` for terms of document frequency 1 and more, and 0 for the others."""

    @wraps(formula)
    def idf(doc_freqs: Ints, n_docs: int) -> Floats:
        held = doc_freqs > 0
        values = np.zeros(doc_freqs.shape)
        values[held] = formula(doc_freqs[held].astype(np.float64), n_docs)
        return values

    return idf


@_zero_unless_held
def idf_lucene(doc_freqs: Ints, n_docs: int) -> Floats:
    """
    Return the idf that is positive for every term.

    The 1 inside the logarithm keeps a term of half, or of all, documents above
    0, so a document that holds a query term always scores. Lucene uses it; the
    idf of BM25L is the same number, ``ln((n_docs + 1) / (df + 0.5))``.

    Parameters
    ----------
    doc_freqs : ndarray of shape (n_terms,), dtype int
        Documents that hold each term, 0 to `n_docs`.
    n_docs : int
        Documents in the collection.

    Returns
    -------
    ndarray of shape (n_terms,), dtype float64
        ``ln(1 + (n_docs - df + 0.5) / (df + 0.5))``, nats, above 0; 0 where df is 0.

    See Also
    --------
    idf_robertson : The classic form, 0 for terms of half the documents and more.

    References
    ----------
    .. [1] C. Kamphuis, A. P. de Vries, L. Boytsov and J. Lin, "Which BM25 Do
       You Mean? A Large-Scale Reproducibility Study of Scoring Variants",
       ECIR 2020.

    Examples
    --------
    Of 2 documents one holds the first term, both hold the second:

    >>> import numpy as np
    >>> from sparsebm25.weighting.idf import idf_lucene
    >>> idf_lucene(np.array([1, 2]), 2).round(6)
    array([0.693147, 0.182322])
    """
    return np.log1p((n_docs - doc_freqs + 0.5) / (doc_freqs + 0.5))


@_zero_unless_held
def idf_robertson(doc_freqs: Ints, n_docs: int) -> Floats:
    """
    Return the classic idf of BM25, with 0 in place of negative values.

    The weight that probability theory gives to a term without relevance
    judgments. It is negative for a term of more than half the documents, so
    that a match would score below a miss; as bm25s does, it stops at 0 there.

    Parameters
    ----------
    doc_freqs : ndarray of shape (n_terms,), dtype int
        Documents that hold each term, 0 to `n_docs`.
    n_docs : int
        Documents in the collection.

    Returns
    -------
    ndarray of shape (n_terms,), dtype float64
        ``max(0, ln((n_docs - df + 0.5) / (df + 0.5)))``, nats; 0 where df is 0.

    See Also
    --------
    idf_okapi : The other remedy for negative values.
    idf_lucene : The form that needs no remedy.

    References
    ----------
    .. [1] S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework:
       BM25 and Beyond", Foundations and Trends in Information Retrieval, 2009.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebm25.weighting.idf import idf_robertson
    >>> idf_robertson(np.array([1, 2, 4]), 4).round(6)
    array([0.847298, 0.      , 0.      ])
    """
    return np.log(np.maximum((n_docs - doc_freqs + 0.5) / (doc_freqs + 0.5), 1.0))


@_zero_unless_held
def idf_atire(doc_freqs: Ints, n_docs: int) -> Floats:
    """
    Return the logarithm of the inverse share of documents.

    The plainest idf, of the ATIRE engine and of SMART's letter ``t``: 0 for a
    term of all documents, never negative.

    Parameters
    ----------
    doc_freqs : ndarray of shape (n_terms,), dtype int
        Documents that hold each term, 0 to `n_docs`.
    n_docs : int
        Documents in the collection.

    Returns
    -------
    ndarray of shape (n_terms,), dtype float64
        ``ln(n_docs / df)``, nats; 0 where df is 0.

    References
    ----------
    .. [1] A. Trotman, X. Jia and M. Crane, "Towards an Efficient and Effective
       Search Engine", SIGIR 2012 Workshop on Open Source Information Retrieval.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebm25.weighting.idf import idf_atire
    >>> idf_atire(np.array([1, 4]), 4).round(6)
    array([1.386294, 0.      ])
    """
    return np.log(n_docs / doc_freqs)


@_zero_unless_held
def idf_okapi(doc_freqs: Ints, n_docs: int) -> Floats:
    """
    Return the classic idf, with a share of the mean in place of negative values.

    Equal to BM25Okapi of rank_bm25 0.2.2, to compare with scores made by it.
    In a small collection the mean may itself be negative: then a match of a
    common term lowers the score. Prefer `idf_lucene` for new work.

    Parameters
    ----------
    doc_freqs : ndarray of shape (n_terms,), dtype int
        Documents that hold each term, 0 to `n_docs`: of all terms, because the
        mean is taken over them.
    n_docs : int
        Documents in the collection.

    Returns
    -------
    ndarray of shape (n_terms,), dtype float64
        ``ln(n_docs - df + 0.5) - ln(df + 0.5)``, nats, and 0.25 times the mean
        of these values where that is negative; 0 where df is 0.

    Notes
    -----
    The mean is the exact sum, rounded once: it does not depend on the order of
    the terms.

    References
    ----------
    .. [1] A. Trotman, A. Puurula and B. Burgess, "Improvements to BM25 and
       Language Models Examined", ADCS 2014.

    Examples
    --------
    Two documents of three terms, one of which they share:

    >>> import numpy as np
    >>> from sparsebm25.weighting.idf import idf_okapi
    >>> idf_okapi(np.array([2, 1, 1, 1, 1]), 2).round(6)
    array([-0.080472,  0.      ,  0.      ,  0.      ,  0.      ])
    """
    idf = np.log(n_docs - doc_freqs + 0.5) - np.log(doc_freqs + 0.5)
    mean = math.fsum(idf) / max(idf.size, 1)
    return np.where(idf < 0, OKAPI_EPSILON * mean, idf)


@_zero_unless_held
def idf_plus(doc_freqs: Ints, n_docs: int) -> Floats:
    """
    Return the idf of BM25+.

    Counts one document more than there are, so a term of all documents keeps a
    little above 0.

    Parameters
    ----------
    doc_freqs : ndarray of shape (n_terms,), dtype int
        Documents that hold each term, 0 to `n_docs`.
    n_docs : int
        Documents in the collection.

    Returns
    -------
    ndarray of shape (n_terms,), dtype float64
        ``ln((n_docs + 1) / df)``, nats, above 0; 0 where df is 0.

    References
    ----------
    .. [1] Y. Lv and C. Zhai, "Lower-Bounding Term Frequency Normalization",
       CIKM 2011.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebm25.weighting.idf import idf_plus
    >>> idf_plus(np.array([1, 2]), 2).round(6)
    array([1.098612, 0.405465])
    """
    return np.log1p((n_docs + 1 - doc_freqs) / doc_freqs)


@_zero_unless_held
def idf_smooth(doc_freqs: Ints, n_docs: int) -> Floats:
    """
    Return the idf of scikit-learn's TfidfVectorizer.

    Smoothed as if one more document held every term, then raised by 1 so that
    a term of all documents still counts.

    Parameters
    ----------
    doc_freqs : ndarray of shape (n_terms,), dtype int
        Documents that hold each term, 0 to `n_docs`.
    n_docs : int
        Documents in the collection.

    Returns
    -------
    ndarray of shape (n_terms,), dtype float64
        ``ln((1 + n_docs) / (1 + df)) + 1``, at least 1; 0 where df is 0.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebm25.weighting.idf import idf_smooth
    >>> idf_smooth(np.array([1, 3]), 3).round(6)
    array([1.693147, 1.      ])
    """
    return np.log((1 + n_docs) / (1 + doc_freqs)) + 1.0


@_zero_unless_held
def idf_probabilistic(doc_freqs: Ints, n_docs: int) -> Floats:
    """
    Return the logarithm of the odds that a document lacks the term.

    SMART's letter ``p``: 0 for a term of half the documents and more.

    Parameters
    ----------
    doc_freqs : ndarray of shape (n_terms,), dtype int
        Documents that hold each term, 0 to `n_docs`.
    n_docs : int
        Documents in the collection.

    Returns
    -------
    ndarray of shape (n_terms,), dtype float64
        ``max(0, ln((n_docs - df) / df))``, nats; 0 where df is 0.

    References
    ----------
    .. [1] G. Salton and C. Buckley, "Term-Weighting Approaches in Automatic
       Text Retrieval", Information Processing & Management, 1988.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebm25.weighting.idf import idf_probabilistic
    >>> idf_probabilistic(np.array([1, 2, 4]), 4).round(6)
    array([1.098612, 0.      , 0.      ])
    """
    return np.log(np.maximum((n_docs - doc_freqs) / doc_freqs, 1.0))


@_zero_unless_held
def idf_none(doc_freqs: Ints, n_docs: int) -> Floats:
    """
    Return 1 for every term: rarity does not count.

    SMART's letter ``n``.

    Parameters
    ----------
    doc_freqs : ndarray of shape (n_terms,), dtype int
        Documents that hold each term, 0 to `n_docs`.
    n_docs : int
        Documents in the collection; not read.

    Returns
    -------
    ndarray of shape (n_terms,), dtype float64
        Ones; 0 where df is 0.

    References
    ----------
    .. [1] G. Salton and C. Buckley, "Term-Weighting Approaches in Automatic
       Text Retrieval", Information Processing & Management, 1988.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebm25.weighting.idf import idf_none
    >>> idf_none(np.array([0, 3]), 3)
    array([0., 1.])
    """
    return np.ones(doc_freqs.shape)
