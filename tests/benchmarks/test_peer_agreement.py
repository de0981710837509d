"""Two engines agree exactly where they differ in nothing but rounding and the order of ties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.peers.agreement import TOLERANCE, agreement, difference, overlap, same_bits
from benchmarks.peers.checks import checked, exhaustive
from sparsebm25 import BM25Index

SCORES = st.lists(st.integers(1, 6), min_size=1, max_size=30).map(lambda rows: np.array(rows, np.float32))
"""Few different values, so that ties stand everywhere, at the last rank too."""


def ranked(scores, k, order):
    """Return the best k documents, equal scores in an order of one's own."""
    docs = np.array(order)[np.argsort(-scores[order], kind="stable")][:k]
    return docs, scores[docs]


@given(SCORES, st.integers(1, 31), st.data())
def test_ties_may_stand_in_any_order(scores, k, data):
    """However equal scores are ordered, and whichever of them the cut leaves out, the rankings agree."""
    one, other = (data.draw(st.permutations(range(scores.size))) for _ in range(2))

    assert difference(ranked(scores, k, one), ranked(scores, k, other)) is None


@given(SCORES, st.integers(1, 31), st.data())
def test_a_wrong_document_is_seen(scores, k, data):
    """A document in the place of one with a better score is a difference, whatever is claimed for it."""
    order = list(range(scores.size))
    docs, found = ranked(scores, k, order)
    place = data.draw(st.integers(0, docs.size - 1))
    wrong = docs.copy()
    wrong[place] = scores.size  # scores nothing
    honest = found.copy()
    honest[place] = 0.5
    above_the_last = found[place] > found[-1]

    assert difference((wrong, honest), (docs, found)) is not None
    assert (difference((wrong, found), (docs, found)) is not None) == above_the_last


@given(SCORES, st.integers(1, 31), st.sampled_from([0.4, 1.6]), st.data())
def test_scores_may_differ_by_rounding_only(scores, k, part, data):
    """A score may be off by the tolerance, as a part of the best score, and by no more."""
    docs, expected = ranked(scores.astype(np.float64), k, list(range(scores.size)))
    off = expected.copy()
    off[data.draw(st.integers(0, docs.size - 1))] += part * TOLERANCE * expected[0]

    assert (difference((docs, off), (docs, expected)) is None) == (part < 1)


@pytest.mark.parametrize(
    ("docs", "scores", "said"),
    [
        ([4], [3.0], "1 hits instead of 2"),
        ([4, 4], [3.0, 2.0], "twice"),
        ([4, 7], [3.0, 1.0], "score 1 instead of 2 at rank 2"),
        ([7, 4], [3.0, 2.0], "another score"),
        ([5, 7], [3.0, 2.0], "above the last rank"),
    ],
)
def test_the_difference_is_named(docs, scores, said):
    """What is wrong is said in a word or two."""
    expected = np.array([4, 7]), np.array([3.0, 2.0])

    assert said in difference((np.array(docs), np.array(scores)), expected)


def test_agreement_counts_and_shows_the_first():
    """Of many queries those that agree are counted, and the first difference is kept."""
    right, none = (np.array([1]), np.array([2.0])), (np.array([], int), np.array([]))
    found = agreement([right, none, right], [right, right, none])

    assert (found.n_queries, found.n_equal, found.first) == (3, 1, "0 hits instead of 1")
    assert str(found + found) == "4 of 6 rankings differ (0 hits instead of 1)"
    assert str(agreement([none], [none])) == "1 rankings agree"


def test_overlap_is_a_share_of_what_was_expected():
    """The overlap is the mean share of the expected documents; queries that expect none do not count."""
    some, none = (np.array([1, 2]), np.array([2.0, 1.0])), (np.array([], int), np.array([]))

    assert overlap([(np.array([2, 9]), some[1]), some, none], [some, some, none]) == 0.75


def test_same_bits_means_order_too():
    """Equal bits ask for equal documents in equal order with equal scores."""
    some, turned = (np.array([1, 2]), np.float32([1, 1])), (np.array([2, 1]), np.float32([1, 1]))
    nearly = some[0], np.nextafter(some[1], np.float32(2))

    assert same_bits([some], [some])
    assert not same_bits([turned], [some])
    assert not same_bits([nearly], [some])


class Liar:
    """An engine that gives the scores of its hits to one another."""

    name, rule = "liar", ""

    def __init__(self, index):
        self._index = index

    def search(self, queries, k):
        """Return what the index finds."""
        return [self._index.search(query, k) for query in queries]

    def rankings(self, answer):
        """Return it with the documents in the wrong order."""
        return [(hits.doc_ords[::-1], hits.scores) for hits in answer]


def test_a_wrong_engine_is_called_wrong():
    """An engine whose hits are not those of exhaustive scoring is checked as NO, with the reason."""
    index = BM25Index(analyzer=None).fit([["kite"], ["kite", "red"], ["pot"]])
    queries = [["kite"], ["pot", "pot"]]

    check = checked([Liar(index)], queries, index, [1, 3])["liar"]

    assert check.same == "NO"
    assert check.note == "1 of 4 rankings differ (a document has another score)"


@given(st.lists(st.lists(st.sampled_from("abcd")), min_size=1, max_size=20), st.integers(1, 25))
def test_exhaustive_search_is_search(documents, k):
    """What the check expects are the very hits and bits of a search."""
    index = BM25Index(analyzer=None).fit(documents)
    queries = [["a"], ["b", "c", "b"], ["nowhere"]]
    hits = [index.search(query, k) for query in queries]

    assert same_bits(exhaustive(index, queries, k), [(each.doc_ords, each.scores) for each in hits])
