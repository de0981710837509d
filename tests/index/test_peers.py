"""Other libraries' numbers, where we say that ours are theirs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import TERMS, bm25_parameters, collections, token_lists

from sparsebm25 import BM25Index

FULL = collections(min_docs=1).filter(any)
QUERIES = token_lists(min_size=1, max_size=5)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("scheme", ["lucene", "robertson", "atire", "bm25l", "bm25+"])
@given(documents=FULL, query=QUERIES, parameters=bm25_parameters(), delta=st.sampled_from((0.5, 1.0)))
@settings(max_examples=25)
def test_scores_equal_bm25s(scheme, documents, query, parameters, delta):
    """Every document has the score that bm25s gives it, to float32 accuracy."""
    bm25s = pytest.importorskip("bm25s")
    known = [term for term in query if any(term in tokens for tokens in documents)]
    assume(known and parameters["k1"] > 0)  # at k1 = 0 bm25s divides 0 by 0
    assume(len(set(map(len, documents))) > 1 or len(documents) == 1)  # it cannot take lists of one length
    peer = bm25s.BM25(method=scheme, delta=delta, **parameters)
    peer.index([["", *tokens][bool(tokens) :] for tokens in documents], show_progress=False)
    ours = BM25Index(scheme, analyzer=None, delta=delta, **parameters)
    ours.fit([["", *tokens][bool(tokens) :] for tokens in documents])

    np.testing.assert_allclose(ours.scores(known), peer.get_scores(known), rtol=2e-6, atol=1e-6)


@given(documents=FULL, query=token_lists((*TERMS, "zz")), parameters=bm25_parameters())
def test_okapi_equals_rank_bm25(documents, query, parameters):
    """The okapi scheme gives rank_bm25's BM25Okapi scores, its floor for negative idf included."""
    rank_bm25 = pytest.importorskip("rank_bm25")
    assume(parameters["k1"] > 1e-6 and all(documents))  # else it may divide 0 by 0
    peer = rank_bm25.BM25Okapi(documents, **parameters)
    ours = BM25Index("okapi", analyzer=None, dtype="float64", **parameters).fit(documents)

    np.testing.assert_allclose(ours.scores(query), peer.get_scores(query), rtol=1e-10, atol=1e-12)


@given(documents=FULL, query=QUERIES, sublinear=st.booleans())
@settings(max_examples=40)
def test_tfidf_equals_scikit_learn(documents, query, sublinear):
    """TF-IDF gives the cosine of TfidfVectorizer's vectors."""
    text = pytest.importorskip("sklearn.feature_extraction.text")
    vectorizer = text.TfidfVectorizer(analyzer=lambda tokens: tokens, sublinear_tf=sublinear)
    vectors = vectorizer.fit_transform(documents)
    expected = (vectorizer.transform([query]) @ vectors.T).toarray().ravel()
    scheme = "tfidf-sublinear" if sublinear else "tfidf"
    ours = BM25Index(scheme, analyzer=None, dtype="float64").fit(documents)

    np.testing.assert_allclose(ours.scores(query), expected, rtol=1e-12, atol=1e-12)
