"""SMART names: all of them understood, each side as its letters say."""

from __future__ import annotations

from itertools import product

import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from strategies import collections

from sparsebm25.weighting.smart import smart_scheme

TRIPLES = ["".join(letters) for letters in product("nlb", "ntp", "nc")]


def side_vector(side, counts, doc_freqs, n_docs):
    """Return the weights of one vector of counts by a side's tf, idf and scaling."""
    tf_part, idf, cosine = side
    weights = tf_part(counts) * idf(doc_freqs, n_docs)
    length = np.sqrt((weights * weights).sum())
    return weights / length if cosine and length else weights


@settings(max_examples=150)
@given(triple=st.sampled_from(TRIPLES), documents=collections(min_docs=1), data=st.data())
def test_both_sides_are_their_letters(triple, documents, data):
    """The same letters weigh a document and a query alike, and as the oracle does."""
    scheme = smart_scheme(f"{triple}.{triple}")
    doc_ord = data.draw(st.integers(0, len(documents) - 1))
    terms = oracle.vocabulary(documents)
    counts = np.array([documents[doc_ord].count(term) for term in terms], np.float64)
    doc_freqs = np.array([oracle.doc_freq(documents, term) for term in terms], np.int32)

    def document_tf(counts):
        return scheme.tf(counts, np.ones(counts.shape), k1=1.5, delta=0.0)

    document = side_vector((document_tf, scheme.idf, scheme.cosine), counts, doc_freqs, len(documents))
    query_side = (scheme.query.tf, scheme.query.idf, scheme.query.cosine)
    query = side_vector(query_side, counts, doc_freqs, len(documents))

    expected = oracle.vector(
        {term: documents[doc_ord].count(term) for term in terms if term in documents[doc_ord]},
        documents,
        oracle.smart_triple(triple),
    )
    assert_allclose(document, [expected.get(term, 0.0) for term in terms], rtol=1e-12, atol=1e-14)
    assert_allclose(query, [expected.get(term, 0.0) for term in terms], rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("document", TRIPLES)
def test_every_pair_of_triples_is_a_name(document):
    """Documents come before the dot and queries after it, in any combination."""
    for query in TRIPLES:
        scheme = smart_scheme(f"{document}.{query}")

        assert scheme.name == f"{document}.{query}"
        assert (scheme.cosine, scheme.query.cosine) == (document[2] == "c", query[2] == "c")
        assert scheme.tf == smart_scheme(f"{document}.nnn").tf
        assert scheme.query == smart_scheme(f"nnn.{query}").query
        assert scheme.parameters == frozenset()


def test_sides_are_told_apart_by_hand():
    """In lnc.ltc the idf is the query's, in ltc.lnc the document's."""
    doc_freqs = np.array([1, 2])

    assert_allclose(smart_scheme("lnc.ltc").idf(doc_freqs, 4), [1.0, 1.0])
    assert_allclose(smart_scheme("lnc.ltc").query.idf(doc_freqs, 4), [np.log(4), np.log(2)])
    assert_allclose(smart_scheme("ltc.lnc").idf(doc_freqs, 4), [np.log(4), np.log(2)])


def test_formulas_tell_the_sides():
    """The formula shows what each letter does, for documents and for queries."""
    assert smart_scheme("npn.bnc").formula == (
        "document: tf * max(0, ln((N - df) / df)); query: (1 if tf > 0), cosine"
    )


@pytest.mark.parametrize(
    "name", ["", "ltc", "ltc.", "ltc.lnx", "LTC.LNC", "ltc lnc", "ltc.lnc.ltc", "ltc.lnc\n"]
)
def test_other_names_are_refused(name):
    """The error shows the letters that a SMART name has."""
    with pytest.raises(ValueError, match=r"SMART name is \[nlb\]\[ntp\]\[nc\]"):
        smart_scheme(name)
