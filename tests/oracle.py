"""
The formulas of the papers in plain Python: slow, obvious, and not ours.

An oracle exists because a library cannot vouch for itself. Nothing here imports the
package or NumPy; nothing is shared, cached, sparse or clever, and each score is computed
from the raw token lists, one document at a time. So when the package and the oracle agree,
the agreement says something about the formula and nothing about a common helper. Keep it
that way: if a test needs speed here, make its collection smaller.

Documents are lists of tokens (for BM25F, mappings of fields to lists of tokens), a query
is a list of tokens. Each repeated token of a query counts (``query_tf="count"``), or each
distinct token counts once (``query_tf="set"``).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

Tokens = Sequence[str]
Fields = Mapping[str, Tokens]


class Oracle(Protocol):
    """The score of one document for a query; a scheme ignores the parameters that it has no use for."""

    def __call__(
        self,
        documents: Sequence[Tokens],
        query: Tokens,
        doc_ord: int,
        *,
        k1: float,
        b: float,
        delta: float,
        query_tf: str = "count",
    ) -> float:
        """Return the score of the document at position `doc_ord`."""
        ...


# Statistics, by brute force


def doc_freq(documents: Sequence[Tokens], term: str) -> int:
    """Return in how many documents a term occurs."""
    return sum(term in tokens for tokens in documents)


def vocabulary(documents: Sequence[Tokens]) -> list[str]:
    """Return the distinct terms of all documents, sorted."""
    return sorted({token for tokens in documents for token in tokens})


def mean_length(documents: Sequence[Tokens]) -> float:
    """Return the mean number of tokens; 0 without documents."""
    return sum(len(tokens) for tokens in documents) / len(documents) if documents else 0.0


def length_norm(documents: Sequence[Tokens], doc_ord: int, b: float) -> float:
    """Return 1 - b + b * dl / avgdl; 1 where all documents are empty."""
    mean = mean_length(documents)
    return 1 - b + b * len(documents[doc_ord]) / mean if mean else 1.0


def query_counts(query: Tokens, query_tf: str) -> dict[str, int]:
    """Return how often each distinct token of a query counts."""
    return {"count": dict(Counter(query)), "set": dict.fromkeys(query, 1)}[query_tf]


# The idf of each BM25 scheme: df and N, then the df of all terms for the one that needs a mean


def idf_lucene(df: int, n: int, all_dfs: list[int]) -> float:
    """Kamphuis et al., ECIR 2020: positive for every term."""
    return math.log(1 + (n - df + 0.5) / (df + 0.5))


def idf_robertson(df: int, n: int, all_dfs: list[int]) -> float:
    """Robertson & Zaragoza 2009, with 0 for the negative values."""
    return max(0.0, math.log((n - df + 0.5) / (df + 0.5)))


def idf_atire(df: int, n: int, all_dfs: list[int]) -> float:
    """Trotman, Jia & Crane 2012."""
    return math.log(n / df)


def idf_okapi(df: int, n: int, all_dfs: list[int]) -> float:
    """rank_bm25 0.2.2: a quarter of the mean over all terms for the negative values."""

    def classic(x: int) -> float:
        return math.log(n - x + 0.5) - math.log(x + 0.5)

    return classic(df) if classic(df) >= 0 else 0.25 * math.fsum(map(classic, all_dfs)) / len(all_dfs)


def idf_bm25l(df: int, n: int, all_dfs: list[int]) -> float:
    """Lv & Zhai, SIGIR 2011."""
    return math.log((n + 1) / (df + 0.5))


def idf_bm25_plus(df: int, n: int, all_dfs: list[int]) -> float:
    """Lv & Zhai, CIKM 2011."""
    return math.log((n + 1) / df)


# The tf part of each BM25 scheme: tf (0 for an absent term), norm, k1, delta


def part_plain(tf: float, norm: float, k1: float, delta: float) -> float:
    """Return the fraction of the papers; an absent term has none."""
    return tf / (tf + k1 * norm) if tf else 0.0


def part_scaled(tf: float, norm: float, k1: float, delta: float) -> float:
    """Return the fraction times k1 + 1."""
    return (k1 + 1) * tf / (tf + k1 * norm) if tf else 0.0


def part_bm25l(tf: float, norm: float, k1: float, delta: float) -> float:
    """Return the saturation of the shifted count, also for an absent term's 0."""
    shifted = (tf / norm if tf else 0.0) + delta
    return (k1 + 1) * shifted / (k1 + shifted) if shifted else 0.0


def part_bm25_plus(tf: float, norm: float, k1: float, delta: float) -> float:
    """Return the shifted fraction, also for an absent term's 0."""
    return part_scaled(tf, norm, k1, delta) + delta


BM25: dict[str, tuple[Callable[[int, int, list[int]], float], Callable[[float, float, float, float], float]]]
BM25 = {
    "lucene": (idf_lucene, part_plain),
    "lucene-k1+1": (idf_lucene, part_scaled),
    "robertson": (idf_robertson, part_plain),
    "atire": (idf_atire, part_scaled),
    "okapi": (idf_okapi, part_scaled),
    "bm25l": (idf_bm25l, part_bm25l),
    "bm25+": (idf_bm25_plus, part_bm25_plus),
}
"""Scheme -> (idf, tf part)."""


def bm25(scheme: str) -> Oracle:
    """Return the oracle of a BM25 scheme: the sum over the query of idf times tf part."""
    idf, part = BM25[scheme]

    def score(documents, query, doc_ord, *, k1, b, delta, query_tf="count"):
        all_dfs = [doc_freq(documents, term) for term in vocabulary(documents)]
        norm = length_norm(documents, doc_ord, b)
        total = 0.0
        for term, count in query_counts(query, query_tf).items():
            df = doc_freq(documents, term)
            if df:
                tf = documents[doc_ord].count(term)
                total += count * idf(df, len(documents), all_dfs) * part(tf, norm, k1, delta)
        return total

    return score


def bm25f(
    documents: Sequence[Fields],
    query: Tokens,
    doc_ord: int,
    *,
    boosts: Mapping[str, float],
    field_b: Mapping[str, float],
    k1: float,
    delta: float = 0.0,
    scheme: str = "lucene",
    query_tf: str = "count",
) -> float:
    """
    Return the BM25F score: fields are normalized, weighted and summed, then saturated once.

    Robertson, Zaragoza & Taylor, CIKM 2004. A field that a document lacks is empty and
    counts in the field's mean length; df counts documents, whatever the field.
    """
    idf, part = BM25[scheme]
    by_field = {name: [document.get(name, ()) for document in documents] for name in boosts}
    joined = [[token for name in boosts for token in document.get(name, ())] for document in documents]
    all_dfs = [doc_freq(joined, term) for term in vocabulary(joined)]
    total = 0.0
    for term, count in query_counts(query, query_tf).items():
        df = doc_freq(joined, term)
        if df:
            pseudo_tf = 0.0
            for name, boost in boosts.items():
                tf = list(by_field[name][doc_ord]).count(term)
                if tf:
                    pseudo_tf += boost * tf / length_norm(by_field[name], doc_ord, field_b[name])
            total += count * idf(df, len(documents), all_dfs) * part(pseudo_tf, 1.0, k1, delta)
    return total


# TF-IDF: both sides are vectors over the terms of the collection


def log_count(tf: int) -> float:
    """Return 1 + ln tf."""
    return 1 + math.log(tf)


def idf_sklearn(df: int, n: int) -> float:
    """scikit-learn, smooth_idf=True."""
    return math.log((1 + n) / (1 + df)) + 1


def idf_log(df: int, n: int) -> float:
    """SMART t."""
    return math.log(n / df)


def idf_probabilistic(df: int, n: int) -> float:
    """SMART p: ln((n - df) / df), 0 where that is negative or has no value."""
    return max(0.0, math.log((n - df) / df)) if df < n else 0.0


Triple = tuple[Callable[[int], float], Callable[[int, int], float], bool]


def vector(counts: Mapping[str, int], documents: Sequence[Tokens], triple: Triple) -> dict[str, float]:
    """Return the weights of a document's or a query's known terms."""
    tf_part, idf, cosine = triple
    dfs = {term: doc_freq(documents, term) for term in counts}
    weights = {t: tf_part(counts[t]) * idf(df, len(documents)) for t, df in dfs.items() if df}
    length = math.sqrt(math.fsum(weight * weight for weight in weights.values()))
    return {t: weight / length for t, weight in weights.items()} if cosine and length else weights


def tfidf(document_side: Triple, query_side: Triple) -> Oracle:
    """Return the oracle of a TF-IDF scheme: the product of the document's and the query's vector."""

    def score(documents, query, doc_ord, *, k1, b, delta, query_tf="count"):
        document = vector(Counter(documents[doc_ord]), documents, document_side)
        weights = vector(query_counts(query, query_tf), documents, query_side)
        return math.fsum(weight * document.get(term, 0.0) for term, weight in weights.items())

    return score


def smart_triple(letters: str) -> Triple:
    """Return what three SMART letters mean (Salton & Buckley 1988; Manning et al. 2008)."""
    tf_part = {"n": float, "l": log_count, "b": lambda tf: 1.0}[letters[0]]
    idf = {"n": lambda df, n: 1.0, "t": idf_log, "p": idf_probabilistic}[letters[1]]
    return tf_part, idf, {"n": False, "c": True}[letters[2]]


def smart(name: str) -> Oracle:
    """Return the oracle of a SMART name, document.query."""
    document, query = name.split(".")
    return tfidf(smart_triple(document), smart_triple(query))


ORACLES: dict[str, Oracle] = {
    **{scheme: bm25(scheme) for scheme in BM25},
    "tfidf": tfidf((float, idf_sklearn, True), (float, idf_sklearn, True)),
    "tfidf-sublinear": tfidf((log_count, idf_sklearn, True), (log_count, idf_sklearn, True)),
}
"""Scheme -> oracle; for a SMART name call `smart`."""


# Ranking


def matches(documents: Sequence[Tokens], query: Tokens) -> list[bool]:
    """Return which documents share at least one term with the query."""
    return [not set(query).isdisjoint(tokens) for tokens in documents]


def rank(scores: Sequence[float], matched: Sequence[bool], k: int) -> list[int]:
    """Return the ordinals of the `k` best matching documents: score down, then position up."""
    order = sorted(range(len(scores)), key=lambda doc_ord: (-scores[doc_ord], doc_ord))
    return [doc_ord for doc_ord in order if matched[doc_ord]][: max(k, 0)]
