"""How much of a query does a document cover? Query weights for the cosine over all of its words."""

from __future__ import annotations

import math
from collections.abc import Mapping

from sparsebm25.weighting.statistics import Statistics


def unit_query(query_weights: Mapping[str, float], statistics: Statistics) -> dict[str, float]:
    """
    Return the TF-IDF weights of a query, of length 1 with its unknown words.

    scikit-learn drops words that no document holds before it scales a query to
    length 1, so that a query of which one word is known can reach a cosine of 1.
    Here they count: the cosine also says how much of the query was understood.

    Parameters
    ----------
    query_weights : mapping of str to float
        How much each term is asked for, at least 0.
    statistics : Statistics
        The document frequencies of the collection.

    Returns
    -------
    dict of str to float
        ``weight * (ln((1 + N) / (1 + df)) + 1)``, scaled to Euclidean length 1
        over all terms, unknown ones (df = 0) included; empty for a query of weight 0.

    Examples
    --------
    >>> from sparsebm25 import BM25Index
    >>> from sparsebm25.scoring.cosine import unit_query
    >>> statistics = BM25Index().fit(["red kite", "red pot"]).statistics
    >>> {term: round(weight, 4) for term, weight in unit_query({"red": 1, "gull": 1}, statistics).items()}
    {'red': 0.4302, 'gull': 0.9028}
    """
    weights = {
        term: weight * (math.log((1 + statistics.n_docs) / (1 + _doc_freq(term, statistics))) + 1)
        for term, weight in query_weights.items()
    }
    length = math.sqrt(math.fsum(weight * weight for weight in weights.values()))
    return {term: weight / length for term, weight in weights.items()} if length else {}


def _doc_freq(term: str, statistics: Statistics) -> int:
    """Return in how many documents a term occurs."""
    term_ord = statistics.vocabulary.get(term)
    return 0 if term_ord is None else int(statistics.doc_freqs[term_ord])
