"""The exact path against the papers, and its kernels against each other."""

from __future__ import annotations

import numpy as np
import oracle
import pytest
from equality import assert_same_array
from hypothesis import given
from hypothesis import strategies as st
from strategies import bm25_parameters, collections, queries, weighted_queries

from sparsebm25 import BM25Index
from sparsebm25.scoring import exact


def built(documents, scheme="lucene", **settings):
    """Return an index of token lists that scores in float64."""
    return BM25Index(scheme, analyzer=None, dtype="float64", **settings).fit(documents)


@pytest.mark.parametrize("scheme", sorted(oracle.ORACLES))
@given(
    documents=collections(),
    query=queries(),
    parameters=bm25_parameters(),
    query_tf=st.sampled_from(("count", "set")),
)
def test_scores_match_the_paper(scheme, documents, query, parameters, query_tf):
    """Every document's score is the formula of its scheme, evaluated term by term in plain Python."""
    index = built(documents, scheme, query_tf=query_tf, **parameters)
    formula = oracle.ORACLES[scheme]
    expected = [
        formula(documents, query, doc_ord, **parameters, delta=index.delta, query_tf=query_tf)
        for doc_ord in range(len(documents))
    ]

    np.testing.assert_allclose(index.scores(query), expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("scheme", ["bm25l", "bm25+"])
@given(documents=collections(), query=queries(), delta=st.floats(0, 3))
def test_lower_bound_is_a_parameter(scheme, documents, query, delta):
    """`delta` reaches present and absent terms alike."""
    index = built(documents, scheme, delta=delta)
    expected = [
        oracle.ORACLES[scheme](documents, query, doc_ord, k1=1.5, b=0.75, delta=delta)
        for doc_ord in range(len(documents))
    ]

    np.testing.assert_allclose(index.scores(query), expected, rtol=1e-10, atol=1e-12)


@pytest.mark.promise(2)
@pytest.mark.parametrize("scheme", sorted(oracle.ORACLES))
@given(documents=collections(), query=queries(), k=st.integers(0, 30))
def test_hits_are_the_documents_that_share_a_term(scheme, documents, query, k):
    """Exactly the documents that share a term are found, in the total order, whatever sign scores have."""
    index = built(documents, scheme)
    expected = oracle.rank(index.scores(query).tolist(), oracle.matches(documents, query), k)

    assert index.search(query, k).doc_ids == expected


@given(documents=collections(), query=weighted_queries())
def test_query_weights_multiply(documents, query):
    """A mapping's weights multiply what each term gives."""
    index = built(documents)
    expected = sum(
        (weight * index.scores([term]) for term, weight in query.items()), np.zeros(len(documents))
    )

    np.testing.assert_allclose(index.scores(query), expected, rtol=1e-12, atol=1e-300)


@given(
    st.integers(1, 50),
    st.data(),
    st.sampled_from((np.float32, np.float64)),
    st.sampled_from((np.int32, np.int64)),
)
def test_both_kernels_add_the_same_bits(size, data, dtype, index_dtype):
    """The compiled addition and the readable one give the same bits."""
    docs = np.array(data.draw(st.lists(st.integers(0, size - 1), unique=True)), index_dtype)
    generator = np.random.default_rng(size)
    values = generator.random(docs.size).astype(dtype)
    compiled, readable = generator.random(size).astype(dtype).repeat(2).reshape(size, 2).T.copy()

    exact.add_at(compiled, docs, values)
    exact.add_at_by_index(readable, docs, values)

    assert_same_array(compiled, readable)


def test_a_foreign_scipy_falls_back_to_the_readable_kernel(monkeypatch):
    """A missing or changed internal product is noticed before it is used."""
    assert exact._product_works()
    monkeypatch.setattr(exact, "_csc_matvec", None)
    assert not exact._product_works()
    monkeypatch.setattr(exact, "_csc_matvec", lambda *arguments: None)
    assert not exact._product_works()

    def changed(*arguments):
        raise TypeError("another signature")

    monkeypatch.setattr(exact, "_csc_matvec", changed)
    assert not exact._product_works()


@given(documents=collections(), query=queries())
def test_readable_kernel_scores_the_same_bits(documents, query):
    """An index that must use the readable kernel has the same scores."""
    index = BM25Index(analyzer=None).fit(documents)
    fast = index.scores(query)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "add_at", exact.add_at_by_index)
        assert_same_array(index.scores(query), fast)


def test_tiny_weights_still_match():
    """A product of weights that rounds to 0 in float32 does not hide a match."""
    index = BM25Index(analyzer=None).fit([["a"], ["b"]])

    assert index.search({"a": 1e-45}).doc_ids == [0]
    assert index.search({"a": -1.0}).doc_ids == [0]
    assert index.search({"a": 0.0}).doc_ids == []
