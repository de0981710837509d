"""Explanations are made of the scores' own numbers."""

from __future__ import annotations

import math

import oracle
import pytest
from hypothesis import given
from strategies import collections, field_collections, queries

from sparsebm25 import BM25Index, Explanation, UnknownIds


@pytest.mark.promise(7)
@pytest.mark.parametrize("scheme", sorted(oracle.ORACLES))
@given(documents=collections(min_docs=1), query=queries())
def test_parts_sum_to_the_score(scheme, documents, query):
    """The root is the score bit for bit, and its addends sum to it."""
    index = BM25Index(scheme, analyzer=None, dtype="float64").fit(documents)
    scores = index.scores(query)
    for doc_id in range(len(documents)):
        tree = index.explain(query, doc_id)
        assert tree.value == scores[doc_id]
        if tree.parts:
            assert math.isclose(
                sum(leaf.value for leaf in tree.addends()), tree.value, rel_tol=1e-12, abs_tol=1e-12
            )


@pytest.mark.promise(7)
@given(documents=field_collections(min_docs=1), query=queries())
def test_fields_are_explained_too(documents, query):
    """With fields the addends sum to the score, and products multiply out."""
    documents = [{"title": ["a"], "body": ["b"]}, *documents]
    index = BM25Index(fields={"title": 2.0, "body": 1.0}, analyzer=None, dtype="float64").fit(documents)
    for doc_id in range(len(documents)):
        tree = index.explain(query, doc_id)
        assert tree.value == index.scores(query)[doc_id]
        for part in tree.parts:
            assert part.combines == "product"
            assert math.isclose(math.prod(factor.value for factor in part.parts), part.value, rel_tol=1e-12)


def test_the_sentence_names_term_counts_and_parameters():
    """The tree reads as the formula in words."""
    text = str(BM25Index().fit(["red kite", "red pot"]).explain("kite", 0))

    for words in (
        "'kite'",
        "in 1 of 2 documents",
        "tf: occurrences",
        "length norm: b = 0.75, 2 tokens, mean 2",
        "k1",
    ):
        assert words in text


def test_a_leaf_is_its_own_addend():
    """A tree without parts is one addend."""
    leaf = Explanation(2.0, "a number")

    assert leaf.addends() == [leaf]


def test_an_unknown_document_is_named():
    """Explaining a document that is not there names its id."""
    with pytest.raises(UnknownIds, match="'nowhere'"):
        BM25Index().fit(["red"]).explain("red", "nowhere")
