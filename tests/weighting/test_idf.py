"""The idf functions: the papers' numbers, the libraries' numbers, and the edges of a collection."""

from __future__ import annotations

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from strategies import collections

from sparsebm25.weighting.idf import (
    idf_atire,
    idf_lucene,
    idf_none,
    idf_okapi,
    idf_plus,
    idf_probabilistic,
    idf_robertson,
    idf_smooth,
)
from sparsebm25.weighting.schemes import SCHEMES

FORMULAS = {
    idf_lucene: oracle.idf_lucene,
    idf_robertson: oracle.idf_robertson,
    idf_atire: oracle.idf_atire,
    idf_okapi: oracle.idf_okapi,
    idf_plus: oracle.idf_bm25_plus,
    idf_smooth: lambda df, n, all_dfs: oracle.idf_sklearn(df, n),
    idf_probabilistic: lambda df, n, all_dfs: oracle.idf_probabilistic(df, n),
    idf_none: lambda df, n, all_dfs: 1.0,
}

every_idf = pytest.mark.parametrize("idf", FORMULAS, ids=lambda idf: idf.__name__)


@st.composite
def frequencies(draw: st.DrawFn) -> tuple[np.ndarray, int]:
    """Return document frequencies from 1 up to the number of documents, and that number."""
    n_docs = draw(st.integers(1, 12) | st.integers(1, 2**31 - 1))
    doc_freqs = draw(st.lists(st.integers(1, n_docs) | st.sampled_from((1, n_docs)), max_size=8))
    return np.array(doc_freqs, np.int32), n_docs


@given(case=frequencies())
def test_idf_is_the_formula(case):
    """Every idf equals its formula in plain Python, up to the largest collection."""
    doc_freqs, n_docs = case

    for idf, formula in FORMULAS.items():
        expected = [formula(df, n_docs, doc_freqs.tolist()) for df in doc_freqs.tolist()]
        assert_allclose(idf(doc_freqs, n_docs), expected, rtol=1e-12, atol=1e-14, err_msg=idf.__name__)


@given(case=frequencies(), zeros=st.integers(1, 3))
def test_terms_of_no_document_are_as_good_as_absent(case, zeros):
    """A term that no document holds gets 0 and does not change the idf of the others."""
    doc_freqs, n_docs = case
    with_zeros = np.concatenate((np.zeros(zeros, np.int32), doc_freqs))

    for idf in FORMULAS:
        expected = np.concatenate((np.zeros(zeros), idf(doc_freqs, n_docs)))
        assert_array_equal(idf(with_zeros, n_docs), expected, err_msg=idf.__name__)


@every_idf
def test_empty_collections_have_an_idf(idf):
    """Without terms there are no values; without documents every value is 0."""
    assert idf(np.zeros(0, np.int32), 0).shape == (0,)
    assert idf(np.zeros(0, np.int32), 3).dtype == np.float64
    assert_array_equal(idf(np.zeros(2, np.int32), 0), [0.0, 0.0])


@given(case=frequencies(), data=st.data())
def test_the_order_of_terms_changes_no_bit(case, data):
    """Permuted terms have permuted values, also where a mean over all terms comes in."""
    doc_freqs, n_docs = case
    order = np.array(data.draw(st.permutations(range(doc_freqs.size))), np.intp)

    for idf in FORMULAS:
        expected = idf(doc_freqs, n_docs)[order]
        assert_array_equal(idf(doc_freqs[order], n_docs), expected, err_msg=idf.__name__)


@pytest.mark.parametrize("idf", [idf_lucene, idf_plus, idf_smooth, idf_none], ids=lambda idf: idf.__name__)
def test_common_terms_keep_a_positive_idf(idf):
    """The idf functions that promise it are above 0 even for a term of two billion documents."""
    n_docs = 2**31 - 1

    assert idf(np.array([n_docs - 1, n_docs], np.int32), n_docs).min() > 0


@every_idf
def test_rarer_terms_never_get_less(idf):
    """The idf does not rise with the document frequency, but for the floor of rank_bm25."""
    doc_freqs = np.arange(1, 8 if idf is idf_okapi else 15)  # up to half of the documents

    assert np.all(np.diff(idf(doc_freqs, 14)) <= 0)


@pytest.mark.case("S01")
def test_terms_of_half_the_documents_count():
    """A word of exactly half of the documents has idf ln 2 by default, and 0 in the classic forms."""
    doc_freqs = np.array([2])

    assert idf_lucene(doc_freqs, 4) == pytest.approx(0.693147, abs=1e-6)
    assert idf_robertson(doc_freqs, 4) == 0
    assert idf_okapi(doc_freqs, 4) == 0


@pytest.mark.case("S02")
def test_no_floor_of_ours_is_negative():
    """Where the mean idf is negative, rank_bm25's floor is followed below 0, and no other idf is."""
    doc_freqs = np.array([2, 1, 1, 1, 1])  # ink, pen, cup, box, jar

    assert idf_lucene(doc_freqs, 2)[0] == pytest.approx(0.182322, abs=1e-6)
    assert idf_robertson(doc_freqs, 2)[0] == 0
    assert idf_okapi(doc_freqs, 2)[0] == pytest.approx(-1.609438 / 5 / 4, abs=1e-6)


@pytest.mark.case("S04")
def test_terms_of_the_only_document_count():
    """In an index of one document its words have idf ln(4/3)."""
    assert idf_lucene(np.array([1]), 1) == pytest.approx(0.287682, abs=1e-6)


@given(case=frequencies())
def test_idf_equals_bm25s(case):
    """The idf of five schemes is that of bm25s."""
    scoring = pytest.importorskip("bm25s.scoring")
    doc_freqs, n_docs = case

    for method in ("lucene", "robertson", "atire", "bm25l", "bm25+"):
        theirs = scoring._select_idf_scorer(method)
        expected = [theirs(df, n_docs) for df in doc_freqs.tolist()]
        ours = SCHEMES[method].idf(doc_freqs, n_docs)
        assert_allclose(ours, expected, rtol=1e-12, atol=1e-14, err_msg=method)


@given(documents=collections(min_docs=1).filter(any))
def test_idf_equals_rank_bm25(documents):
    """The okapi idf is that of rank_bm25's BM25Okapi, term by term, floor included."""
    rank_bm25 = pytest.importorskip("rank_bm25")
    terms = oracle.vocabulary(documents)
    doc_freqs = np.array([oracle.doc_freq(documents, term) for term in terms])

    theirs = rank_bm25.BM25Okapi(documents).idf

    assert_allclose(
        idf_okapi(doc_freqs, len(documents)), [theirs[term] for term in terms], rtol=1e-12, atol=1e-14
    )


@given(documents=collections(min_docs=1).filter(any))
def test_idf_equals_scikit_learn(documents):
    """The smooth idf is that of scikit-learn's TfidfTransformer."""
    text = pytest.importorskip("sklearn.feature_extraction.text")
    terms = oracle.vocabulary(documents)
    counts = np.array([[tokens.count(term) for term in terms] for tokens in documents])

    theirs = text.TfidfTransformer(smooth_idf=True).fit(counts).idf_

    assert_allclose(idf_smooth((counts > 0).sum(axis=0), len(documents)), theirs, rtol=1e-15)
