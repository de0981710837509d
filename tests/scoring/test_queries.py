"""Queries of every form."""

from __future__ import annotations

import numpy as np
import pytest
from equality import assert_same_hits
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array, csr_array, csr_matrix
from strategies import TERMS, collections, queries

from sparsebm25 import Analyzer, BM25Index

DOCUMENTS = ["red kite club", "red clay pot", "blue kite", "green mug"]


@pytest.mark.promise(3)
@given(collections(), queries(), st.randoms(use_true_random=False))
def test_word_order_changes_no_bit(documents, query, random):
    """The same words in another order have the same scores, bit for bit."""
    index = BM25Index(analyzer=None).fit(documents)
    shuffled = query.copy()
    random.shuffle(shuffled)

    assert_same_hits(index.search(shuffled), index.search(query))


@pytest.mark.promise(12)
@given(collections(), st.lists(st.sampled_from(TERMS), min_size=1, max_size=3), st.integers(1, 4))
def test_repeated_words_count_or_do_not(documents, query, times):
    """A word written n times weighs n under "count" and 1 under "set": single, batch and explain alike."""
    once = BM25Index(analyzer=None, query_tf="set", dtype="float64").fit(documents)
    counted = once.with_params(query_tf="count")
    distinct = sorted(set(query))
    repeated = [term for term in distinct for _ in range(times)]

    assert_same_hits(once.search(repeated), once.search(distinct))
    assert_same_hits(counted.search(repeated), counted.search(dict.fromkeys(distinct, times)))
    assert_same_hits(once.search_many([repeated])[0], once.search(distinct))
    for doc_id in range(len(documents)):
        assert once.explain(repeated, doc_id).value == once.explain(distinct, doc_id).value


def test_text_equals_its_tokens():
    """A text asks what its tokens ask."""
    index = BM25Index(analyzer=Analyzer(language="english")).fit(DOCUMENTS)

    assert_same_hits(index.search("The Kites, the RED kites!"), index.search(["kite", "red", "kite"]))


@pytest.mark.promise(8)
@pytest.mark.parametrize(
    "query", ["", "   ", [], {}, None, float("nan"), "unknown", ["unknown"], {"unknown": 2.0}]
)
def test_queries_of_nothing_find_nothing(query):
    """A query without a known term is answered with no hits and zero scores."""
    index = BM25Index("bm25+").fit(DOCUMENTS)

    assert len(index.search(query)) == 0
    assert index.scores(query).tolist() == [0.0] * 4
    assert index.score_matrix([query]).nnz == 0
    assert index.explain(query, 0).value == 0


@pytest.mark.promise(9)
@pytest.mark.parametrize(
    ("query", "error", "message"),
    [
        (7, TypeError, "a query must be a str.* got 7"),
        ([1, 2], TypeError, "a token of a query must be a str, got 1"),
        (["red", None], TypeError, "a token of a query must be a str, got None"),
        ({"red": "much"}, TypeError, "the weight of 'red' must be a number, got 'much'"),
        ({"red": float("inf")}, ValueError, "the weight of 'red' must be a finite number in .*, got inf"),
        (csr_array((1, 3)), ValueError, r"a sparse query must have the shape \(1, 8\), got \(1, 3\)"),
        (csr_array((2, 8)), ValueError, r"a sparse query must have the shape \(1, 8\), got \(2, 8\)"),
        (csr_array([[np.nan] * 8]), ValueError, "weights of a sparse query must be finite"),
    ],
)
def test_wrong_queries_are_refused(query, error, message):
    """A query of a wrong type or weight is refused with what was given and what is allowed."""
    index = BM25Index().fit(DOCUMENTS)

    with pytest.raises(error, match=message):
        index.search(query)


@pytest.mark.parametrize("batch", ["red", {"red": 1.0}, 3])
def test_a_single_query_is_no_batch(batch):
    """A batch that is one text or one mapping is refused rather than read letter by letter."""
    with pytest.raises(TypeError, match="queries must be an iterable of queries"):
        BM25Index().fit(DOCUMENTS).search_many(batch)


@pytest.mark.parametrize("make", [csr_matrix, coo_array])
def test_sparse_queries_of_other_kinds(make):
    """Repeated entries of a sparse row add up, in any format."""
    index = BM25Index().fit(DOCUMENTS)
    red = index.vocabulary.get("red")
    row = make((np.array([1.0, 1.0]), (np.array([0, 0]), np.array([red, red]))), shape=(1, 8))

    assert_same_hits(index.search(row), index.search({"red": 2.0}))


def test_an_index_of_token_lists_refuses_text():
    """Without an analyzer a text is refused, not read as a list of letters."""
    index = BM25Index(analyzer=None).fit([["red", "kite"]])

    with pytest.raises(TypeError, match=r"takes token lists, not text .*'red kite'"):
        index.search("red kite")
