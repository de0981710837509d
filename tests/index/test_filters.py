"""Filters are hard, boosts multiply."""

from __future__ import annotations

import numpy as np
import pytest
from equality import assert_same_hits
from hypothesis import given
from hypothesis import strategies as st
from strategies import collections, queries

from sparsebm25 import BM25Index, UnknownIds


@pytest.mark.promise(6)
@given(collections(), st.data())
def test_filter_equals_search_then_filter(documents, data):
    """A filter, in each form, finds what is left of all hits, in the same order with the same scores."""
    query = data.draw(queries())
    mask = np.array(
        data.draw(st.lists(st.booleans(), min_size=len(documents), max_size=len(documents))), bool
    )
    index = BM25Index(analyzer=None).fit(documents, metadata=[{"in": bool(keep)} for keep in mask])
    everything = index.search(query, len(documents))
    k = data.draw(st.integers(0, len(documents) + 1))
    expected = [hit for hit in everything if mask[hit.doc_ord]][:k]
    for where in (mask, np.flatnonzero(mask).tolist(), lambda row: row["in"]):
        hits = index.search(query, k, where=where)
        assert list(hits) == expected
        assert_same_hits(index.search_many([query], k, where=where)[0], hits)


@given(collections(min_docs=1), st.data())
def test_boosts_multiply_before_the_order_is_made(documents, data):
    """Hits are ordered by score times boost; a boost of 0 leaves a hit with score 0, ordered by position."""
    query = data.draw(queries())
    factors = data.draw(
        st.lists(st.sampled_from((0.0, 0.5, 1.0, 3.0)), min_size=len(documents), max_size=len(documents))
    )
    index = BM25Index(analyzer=None).fit(documents)
    plain = {hit.doc_ord: np.float32(hit.score) for hit in index.search(query, len(documents))}
    boosted = {doc_ord: float(score * np.float32(factors[doc_ord])) for doc_ord, score in plain.items()}
    expected = sorted(boosted, key=lambda doc_ord: (-boosted[doc_ord], doc_ord))
    hits = index.search(query, len(documents), boost=factors)

    assert hits.doc_ords.tolist() == expected
    assert hits.scores.tolist() == [boosted[doc_ord] for doc_ord in expected]
    assert_same_hits(index.search(query, len(documents), boost=dict(enumerate(factors))), hits)


def test_statistics_stay_those_of_all_documents():
    """A filter changes which documents are found, never their scores."""
    index = BM25Index().fit(["red kite", "red pot", "blue mug"])

    assert index.search("red", where=[1])[0].score == index.search("red")[1].score


def test_metadata_of_fields_is_there_for_filters():
    """Keys that are no fields are kept for filters; a document without any gives an empty mapping."""
    index = BM25Index(fields={"title": 1.0}).fit(
        [{"title": "red kite", "year": 1999}, {"title": "red pot", "year": 2020}, {"title": "red mug"}]
    )

    assert index.search("red", where=lambda row: row.get("year", 0) > 2000).doc_ids == [1]
    assert index.metadata == [{"year": 1999}, {"year": 2020}, {}]


def test_a_filter_without_metadata_sees_empty_mappings():
    """A callable works on an index without metadata."""
    index = BM25Index().fit(["red kite", "red pot"])

    assert len(index.search("red", where=lambda row: "year" in row)) == 0
    assert len(index.search("red", where=lambda row: not row)) == 2


@pytest.mark.promise(9)
@pytest.mark.parametrize(
    ("where", "error", "message"),
    [
        (
            np.array([True]),
            ValueError,
            r"where must have one entry for each of 2 documents, got shape \(1,\)",
        ),
        ([True, False, True], ValueError, "one entry for each of 2 documents"),
        ([0, 7], UnknownIds, "not in the index of 2 documents: 7"),
        (["0"], UnknownIds, "'0'"),
        ("red", TypeError, "where must be a boolean mask, an iterable of ids or a callable, got 'red'"),
        (3, TypeError, "where must be"),
        ({"red": 1}, TypeError, "where must be"),
    ],
)
def test_wrong_filters_are_refused(where, error, message):
    """A filter of a wrong kind, length or with unknown ids is refused."""
    with pytest.raises(error, match=message):
        BM25Index().fit(["red kite", "red pot"]).search("red", where=where)


@pytest.mark.promise(9)
@pytest.mark.parametrize(
    ("boost", "error", "message"),
    [
        ([1.0], ValueError, r"one factor for each of 2 documents, got shape \(1,\)"),
        ([1.0, -1.0], ValueError, r"finite numbers in \[0, 1e\+09\], got (-1.0|nan)"),
        ([1.0, np.nan], ValueError, r"finite numbers in \[0, 1e\+09\], got (-1.0|nan)"),
        ({5: 1.0}, UnknownIds, "5"),
        ({0: -2.0}, ValueError, r"boost\[0\] must be a finite number in .*, got -2.0"),
        (["a", "b"], TypeError, "boost must be one number a document"),
        (7, TypeError, "boost must be one number a document"),
    ],
)
def test_wrong_boosts_are_refused(boost, error, message):
    """Boosts of a wrong shape, sign or type are refused."""
    with pytest.raises(error, match=message):
        BM25Index().fit(["red kite", "red pot"]).search("red", boost=boost)


@pytest.mark.parametrize("empty", [[], np.zeros(2, bool), lambda row: False])
def test_nothing_allowed_nothing_found(empty):
    """A filter that lets nothing through finds nothing."""
    assert len(BM25Index().fit(["red kite", "red pot"]).search("red", where=empty)) == 0
