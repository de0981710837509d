"""What a scheme consists of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sparsebm25.protocols import Floats
from sparsebm25.weighting.idf import IdfPart
from sparsebm25.weighting.tf import TfPart


@dataclass(frozen=True, slots=True)
class QuerySide:
    """
    How TF-IDF turns a query's counts into its weights.

    BM25 takes the counts of a query as they are; TF-IDF weighs them as it
    weighs a document, not always by the same formula.

    Parameters
    ----------
    tf : callable
        From the counts of the query's terms to an array of the same shape.
    idf : callable
        As in `Scheme`.
    cosine : bool
        Whether the query's vector is scaled to Euclidean length 1.

    See Also
    --------
    Scheme : Holds one of these, or None.

    Examples
    --------
    >>> from sparsebm25.weighting.schemes import SCHEMES
    >>> SCHEMES["tfidf"].query.cosine
    True
    """

    tf: Callable[[Floats], Floats]
    idf: IdfPart
    cosine: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheme:
    """
    A named way to weigh postings.

    The weight of a posting is ``idf * (tf part - absent part)``. What a term
    adds to documents without it, ``idf * absent part``, is one constant per
    term, so it stays out of the matrix and is added to every score of a query.

    Parameters
    ----------
    name : str
        The name it is asked for by.
    idf : callable
        ``(doc_freqs, n_docs)`` to an array of shape (n_terms,).
    tf : callable
        ``(tf, length_norm, *, k1, delta)`` to an array of shape (n_postings,).
    absent : callable or None, default None
        ``(k1, delta)`` to the tf part of a document without the term. None
        means 0.
    parameters : frozenset of {"k1", "b", "delta"}, default {"k1", "b"}
        The parameters that it reads.
    delta : float, default 0.0
        The `delta` it takes if none is given.
    cosine : bool, default False
        Whether each document's weights are scaled to Euclidean length 1.
    query : QuerySide or None, default None
        How the counts of a query become its weights. None takes them as they
        are.
    formula : str
        One line, in the symbols of `sparsebm25.weighting.schemes`.
    source : str
        One line: the paper or the program it agrees with.

    See Also
    --------
    sparsebm25.weighting.schemes.scheme_named : Finds one by name.

    Examples
    --------
    >>> from sparsebm25.weighting.schemes import scheme_named
    >>> scheme_named("atire").formula
    'ln(N / df) * (k1 + 1) * tf / (tf + k1 * norm)'
    """

    name: str
    idf: IdfPart
    tf: TfPart
    absent: Callable[[float, float], float] | None = None
    parameters: frozenset[str] = frozenset({"k1", "b"})
    delta: float = 0.0
    cosine: bool = False
    query: QuerySide | None = None
    formula: str
    source: str
