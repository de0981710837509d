"""
The ways to weigh, one row each.

Each row of `SCHEMES` holds a formula and its source. Its symbols are N, the
number of documents; df, the documents that hold the term; tf, its occurrences in
the document; dl, the document's length; avgdl, the mean length; and
``norm = 1 - b + b * dl / avgdl``. The score of a document is the sum over the
query's terms. "Absent" is what a document without the term gets; 0 if not given.

References
----------
.. [1] S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework: BM25
   and Beyond", Foundations and Trends in Information Retrieval, 2009.
.. [2] C. Kamphuis, A. P. de Vries, L. Boytsov and J. Lin, "Which BM25 Do You Mean?
   A Large-Scale Reproducibility Study of Scoring Variants", ECIR 2020.
.. [3] A. Trotman, X. Jia and M. Crane, "Towards an Efficient and Effective Search
   Engine", SIGIR 2012 Workshop on Open Source Information Retrieval.
.. [4] A. Trotman, A. Puurula and B. Burgess, "Improvements to BM25 and Language
   Models Examined", ADCS 2014.
.. [5] Y. Lv and C. Zhai, "When Documents Are Very Long, BM25 Fails!", SIGIR 2011.
.. [6] Y. Lv and C. Zhai, "Lower-Bounding Term Frequency Normalization", CIKM 2011.
.. [7] X. H. Lù, "BM25S: Orders of Magnitude Faster Lexical Search via Eager Sparse
   Scoring", arXiv:2407.03618, 2024.
.. [8] G. Salton and C. Buckley, "Term-Weighting Approaches in Automatic Text
   Retrieval", Information Processing & Management, 1988.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from sparsebm25._checks import shown
from sparsebm25.weighting.idf import idf_atire, idf_lucene, idf_okapi, idf_plus, idf_robertson, idf_smooth
from sparsebm25.weighting.scheme import QuerySide, Scheme
from sparsebm25.weighting.smart import SMART_NAME, smart_scheme
from sparsebm25.weighting.tf import (
    CountsOnly,
    absent_bounded,
    absent_shifted,
    log_tf,
    natural_tf,
    saturate,
    saturate_bounded,
    saturate_scaled,
    saturate_shifted,
)

__all__ = ["SCHEMES", "QuerySide", "Scheme", "scheme_named"]

_ROWS = (
    Scheme(
        name="lucene",
        idf=idf_lucene,
        tf=saturate,
        formula="ln(1 + (N - df + 0.5) / (df + 0.5)) * tf / (tf + k1 * norm)",
        source="Lucene since 8.0, with exact lengths; Kamphuis et al. 2020",
    ),
    Scheme(
        name="lucene-k1+1",
        idf=idf_lucene,
        tf=saturate_scaled,
        formula="ln(1 + (N - df + 0.5) / (df + 0.5)) * (k1 + 1) * tf / (tf + k1 * norm)",
        source="Lucene before 8.0, with exact lengths; Kamphuis et al. 2020",
    ),
    Scheme(
        name="robertson",
        idf=idf_robertson,
        tf=saturate,
        formula="max(0, ln((N - df + 0.5) / (df + 0.5))) * tf / (tf + k1 * norm)",
        source="Robertson & Zaragoza 2009, negative idf set to 0 as in bm25s",
    ),
    Scheme(
        name="atire",
        idf=idf_atire,
        tf=saturate_scaled,
        formula="ln(N / df) * (k1 + 1) * tf / (tf + k1 * norm)",
        source="Trotman, Jia & Crane 2012",
    ),
    Scheme(
        name="okapi",
        idf=idf_okapi,
        tf=saturate_scaled,
        formula="idf * (k1 + 1) * tf / (tf + k1 * norm), idf = ln((N - df + 0.5) / (df + 0.5)), "
        "or 0.25 * its mean over all terms where negative",
        source="rank_bm25 0.2.2, BM25Okapi; Trotman et al. 2014",
    ),
    Scheme(
        name="bm25l",
        idf=idf_lucene,
        tf=saturate_shifted,
        absent=absent_shifted,
        parameters=frozenset({"k1", "b", "delta"}),
        delta=0.5,
        formula="ln((N + 1) / (df + 0.5)) * (k1 + 1) * (c + delta) / (k1 + c + delta), c = tf / norm, "
        "absent: c = 0",
        source="Lv & Zhai, SIGIR 2011; absent part as in bm25s (Lù 2024)",
    ),
    Scheme(
        name="bm25+",
        idf=idf_plus,
        tf=saturate_bounded,
        absent=absent_bounded,
        parameters=frozenset({"k1", "b", "delta"}),
        delta=1.0,
        formula="ln((N + 1) / df) * (delta + (k1 + 1) * tf / (tf + k1 * norm)), absent: tf = 0",
        source="Lv & Zhai, CIKM 2011; absent part as in bm25s (Lù 2024)",
    ),
    Scheme(
        name="tfidf",
        idf=idf_smooth,
        tf=CountsOnly(natural_tf),
        parameters=frozenset(),
        cosine=True,
        query=QuerySide(natural_tf, idf_smooth, cosine=True),
        formula="tf * (ln((1 + N) / (1 + df)) + 1), cosine, documents and queries",
        source="scikit-learn, TfidfVectorizer; Salton & Buckley 1988",
    ),
    Scheme(
        name="tfidf-sublinear",
        idf=idf_smooth,
        tf=CountsOnly(log_tf),
        parameters=frozenset(),
        cosine=True,
        query=QuerySide(log_tf, idf_smooth, cosine=True),
        formula="(1 + ln tf) * (ln((1 + N) / (1 + df)) + 1), cosine, documents and queries",
        source="scikit-learn, TfidfVectorizer(sublinear_tf=True); Salton & Buckley 1988",
    ),
)

SCHEMES: Mapping[str, Scheme] = MappingProxyType({scheme.name: scheme for scheme in _ROWS})
"""The schemes by name; SMART names come on top (see `sparsebm25.weighting.smart`)."""


def scheme_named(name: str | Scheme) -> Scheme:
    """
    Return the scheme of that name.

    The one door for every ``scheme=`` argument.

    Parameters
    ----------
    name : str or Scheme
        A key of `SCHEMES`, or a SMART name such as ``"ltc.lnc"`` (document,
        query). A Scheme is returned as it is.

    Returns
    -------
    Scheme
        Shared and immutable.

    Raises
    ------
    TypeError
        If `name` is neither a str nor a Scheme.
    ValueError
        If there is no such scheme.

    See Also
    --------
    sparsebm25.weighting.smart.smart_scheme : Explains the SMART names.

    Examples
    --------
    >>> from sparsebm25.weighting.schemes import scheme_named
    >>> scheme_named("bm25+").delta
    1.0
    >>> scheme_named("bm25")
    Traceback (most recent call last):
    ...
    ValueError: scheme must be lucene, lucene-k1+1, robertson, atire, okapi, bm25l, bm25+, tfidf, \
tfidf-sublinear, or a SMART name such as 'ltc.lnc', got 'bm25'
    """
    if isinstance(name, Scheme):
        return name
    if not isinstance(name, str):
        raise TypeError(f"scheme must be a str or a Scheme, got {shown(name)}")
    if name in SCHEMES:
        return SCHEMES[name]
    if SMART_NAME.fullmatch(name):
        return smart_scheme(name)
    names = ", ".join(SCHEMES)
    raise ValueError(f"scheme must be {names}, or a SMART name such as 'ltc.lnc', got {shown(name)}")
