"""The cosine of a query counts the words that nobody knows."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from strategies import collections, weighted_queries

from sparsebm25 import BM25Index
from sparsebm25.scoring.cosine import unit_query


@given(collections(), weighted_queries())
def test_query_weights_are_the_formula(documents, query):
    """Each weight is the asked one times the smooth idf, over the length of all of them."""
    statistics = BM25Index(analyzer=None).fit(documents).statistics
    raw = {
        term: weight
        * (math.log((len(documents) + 1) / (sum(term in tokens for tokens in documents) + 1)) + 1)
        for term, weight in query.items()
    }
    length = math.sqrt(sum(weight**2 for weight in raw.values()))

    assert unit_query(query, statistics) == pytest.approx(
        {term: weight / length for term, weight in raw.items()}
    )


def test_weights_of_a_known_query_are_those_of_scikit_learn():
    """Where every word is known, the weights are those of the TF-IDF scheme."""
    index = BM25Index("tfidf", dtype="float64").fit(["red kite", "red pot", "blue mug"])
    weights = unit_query({"red": 1, "mug": 2}, index.statistics)

    assert list(weights.values()) == pytest.approx(
        index.query_matrix([{"red": 1, "mug": 2}]).toarray()[0, [4, 2]].tolist()
    )


@pytest.mark.promise(8)
def test_nothing_asked_is_nothing():
    """An empty query, or one of weight 0, has no weights."""
    statistics = BM25Index().fit(["red"]).statistics

    assert unit_query({}, statistics) == {}
    assert unit_query({"red": 0.0}, statistics) == {}


def test_unknown_words_lower_the_cosine():
    """A word that no document holds makes the query longer, so that what is known weighs less."""
    statistics = BM25Index().fit(["red", "kite"]).statistics

    assert unit_query({"red": 1.0}, statistics)["red"] == 1
    both = unit_query({"red": 1.0, "gull": 1.0}, statistics)["red"]
    assert both == pytest.approx(0.5564505, abs=1e-7)  # (ln(3/2) + 1) over its length with ln(3/1) + 1
