"""
SMART names: what ``ltc.lnc`` means.

SMART names a TF-IDF variant by two triples, for documents and for queries. The
letters of a triple stand for the term frequency, the idf and the scaling.

====== =============================== ================================== =========================
letter first                           second                             third
====== =============================== ================================== =========================
n      tf                              1                                  none
l      1 + ln tf
b      1 where the term occurs
t                                      ln(N / df)
p                                      max(0, ln((N - df) / df))
c                                                                         Euclidean length 1 (cosine)
====== =============================== ================================== =========================

All logarithms are natural. The notation is that of G. Salton and C. Buckley,
"Term-Weighting Approaches in Automatic Text Retrieval", Information Processing &
Management, 1988, as C. D. Manning, P. Raghavan and H. Schütze, "Introduction to
Information Retrieval", Cambridge University Press, 2008, write it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from sparsebm25._checks import shown
from sparsebm25.weighting.idf import IdfPart, idf_atire, idf_none, idf_probabilistic
from sparsebm25.weighting.scheme import QuerySide, Scheme
from sparsebm25.weighting.tf import CountsOnly, binary_tf, log_tf, natural_tf

SMART_NAME = re.compile(r"([nlb][ntp][nc])\.([nlb][ntp][nc])")
"""The form of a SMART name: document, dot, query."""

_TF = MappingProxyType({"n": natural_tf, "l": log_tf, "b": binary_tf})
_IDF: Mapping[str, IdfPart] = MappingProxyType({"n": idf_none, "t": idf_atire, "p": idf_probabilistic})

_TF_WORDS = MappingProxyType({"n": "tf", "l": "(1 + ln tf)", "b": "(1 if tf > 0)"})
_IDF_WORDS = MappingProxyType({"n": "", "t": " * ln(N / df)", "p": " * max(0, ln((N - df) / df))"})
_SCALING_WORDS = MappingProxyType({"n": "", "c": ", cosine"})


def smart_scheme(name: str) -> Scheme:
    """
    Return the TF-IDF scheme of a SMART name.

    All 324 combinations of the letters are understood.

    Parameters
    ----------
    name : str
        ``document.query``, three letters each.

    Returns
    -------
    Scheme
        Reads no parameters.

    Raises
    ------
    ValueError
        If `name` is not two triples of the known letters.

    See Also
    --------
    sparsebm25.weighting.schemes.scheme_named : Knows the other names too.

    Examples
    --------
    >>> from sparsebm25.weighting.smart import smart_scheme
    >>> smart_scheme("lnc.ltc").formula
    'document: (1 + ln tf), cosine; query: (1 + ln tf) * ln(N / df), cosine'
    """
    triples = SMART_NAME.fullmatch(name)
    if triples is None:
        raise ValueError(f"a SMART name is [nlb][ntp][nc].[nlb][ntp][nc], document.query, got {shown(name)}")
    document, query = triples.groups()
    return Scheme(
        name=name,
        idf=_IDF[document[1]],
        tf=CountsOnly(_TF[document[0]]),
        parameters=frozenset(),
        cosine=document[2] == "c",
        query=QuerySide(_TF[query[0]], _IDF[query[1]], query[2] == "c"),
        formula=f"document: {_words(document)}; query: {_words(query)}",
        source="Salton & Buckley 1988; Manning et al. 2008",
    )


def _words(triple: str) -> str:
    """Return the formula of a triple."""
    return _TF_WORDS[triple[0]] + _IDF_WORDS[triple[1]] + _SCALING_WORDS[triple[2]]
