"""A sum of indexes scores as its parts do, and changes as one."""

from __future__ import annotations

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import collections, queries

from sparsebm25 import BM25Index, UnknownIds
from sparsebm25.index.sums import IndexSum, best_positive

SCHEME = "lucene-k1+1"


def summed(*collections, weights):
    """Return a sum of indexes of token lists."""
    indexes = tuple(
        BM25Index(SCHEME, analyzer=None, dtype="float64").fit(documents) for documents in collections
    )
    return IndexSum(indexes, weights)


@given(collections(), queries(), st.data())
def test_scores_are_the_weighted_sum_of_the_papers_formula(documents, query, data):
    """Each document's score is the sum of weight times BM25, evaluated in plain Python for each index."""
    other = data.draw(collections(min_docs=len(documents), max_docs=max(len(documents), 1)))[: len(documents)]
    weights = data.draw(st.tuples(*[st.sampled_from((0.5, 1.0, 3.0))] * 2))
    total = summed(documents, other, weights=weights).scores([query, query])
    expected = [
        sum(
            weight * oracle.bm25(SCHEME)(part, query, doc_ord, k1=1.5, b=0.75, delta=0.0)
            for weight, part in zip(weights, (documents, other), strict=True)
        )
        for doc_ord in range(len(documents))
    ]

    np.testing.assert_allclose(total, expected, rtol=1e-12, atol=1e-12)


@given(collections(min_docs=1), queries(), queries())
def test_contributions_sum_to_the_scores(documents, query, other):
    """What the terms add, over all indexes, is the score of each document."""
    both = summed(documents, documents[::-1], weights=(1.0, 0.5))
    doc_ords = np.arange(len(documents))[::-1]
    found = both.contributions([query, other], doc_ords)
    total = sum((values for terms in found for values in terms.values()), start=np.zeros(len(documents)))

    assert [set(terms) <= set(asked) for terms, asked in zip(found, (query, other), strict=True)] == [
        True
    ] * 2
    np.testing.assert_allclose(total, both.scores([query, other])[doc_ords], rtol=1e-12)


@given(collections(min_docs=1), queries(), st.data())
def test_history_does_not_matter(documents, query, data):
    """Adding and removing gives the scores of the documents that are left; the old sum stays as it was."""
    gone = data.draw(st.sets(st.integers(0, len(documents) - 1)))
    first = summed(documents[:1], documents[:1], weights=(1.0, 2.0))
    before = first.scores([query, query])
    changed = first.added([documents[1:]] * 2).removed(sorted(gone))
    kept = [tokens for doc_ord, tokens in enumerate(documents) if doc_ord not in gone]

    assert changed.n_docs == len(kept)
    assert (
        changed.scores([query] * 2).tolist()
        == summed(kept, kept, weights=(1.0, 2.0)).scores([query] * 2).tolist()
    )
    assert first.scores([query, query]).tolist() == before.tolist()


def test_indexes_must_be_of_the_same_documents():
    """Indexes of different sizes, none, and a missing weight are refused."""
    one, two = BM25Index().fit(["red"]), BM25Index().fit(["red", "kite"])
    for indexes, weights in (((one, two), (1.0, 1.0)), ((), ()), ((one, one), (1.0,))):
        with pytest.raises(ValueError, match="equally many documents, and weights one for each"):
            IndexSum(indexes, weights)


def test_a_position_that_is_not_there_cannot_be_removed():
    """A sum of indexes refuses the position of no document, and is as it was."""
    both = summed([["red"]], [["kite"]], weights=(1.0, 1.0))
    with pytest.raises((IndexError, UnknownIds)):
        both.removed([1])
    assert both.n_docs == 1


@pytest.mark.promise(1)
@given(st.lists(st.sampled_from((0.0, 0.5, 1.0, 2.0))), st.integers(0, 12))
def test_best_positive_is_the_head_of_all_matches(scores, k):
    """The best positive scores come in the total order, and no filler with them."""
    matched = [score > 0 for score in scores]

    assert best_positive(np.array(scores), k).tolist() == oracle.rank(scores, matched, k)
