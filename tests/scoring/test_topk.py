"""The one total order."""

from __future__ import annotations

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import SIZES, cutoffs, score_vectors

from sparsebm25.scoring import top_k
from sparsebm25.scoring.topk import candidates


@pytest.mark.promise(1)
@given(st.data(), score_vectors())
def test_top_k_is_sort_everything_then_cut(data, scores):
    """The selection equals a full stable sort that is cut, however many scores are tied."""
    k = data.draw(cutoffs(scores.size))
    expected = oracle.rank(scores.tolist(), [True] * scores.size, k)

    assert top_k(scores, k).tolist() == expected


@pytest.mark.promise(6)
@given(st.data(), score_vectors(dtype=np.float32))
def test_top_k_is_a_prefix_of_top_k_plus_one(data, scores):
    """Asking for one more hit adds one at the end and changes nothing before it."""
    k = data.draw(cutoffs(scores.size))

    assert top_k(scores, k + 1)[: max(k, 0)].tolist() == top_k(scores, k).tolist()


@pytest.mark.parametrize("k", [0, -1, -100])
def test_nothing_asked_nothing_given(k):
    """A `k` of 0 or less selects nothing."""
    assert top_k(np.array([1.0, 2.0]), k).size == 0


def test_negative_and_zero_scores_are_ordered_too():
    """Scores of any sign are compared as numbers; the two zeros are equal."""
    assert top_k(np.array([-1.0, 0.0, -0.0, 2.0]), 4).tolist() == [3, 1, 2, 0]


@pytest.mark.promise(1)
@given(st.data(), score_vectors(sizes=(*SIZES, 20_000), levels=300, dtype=np.float32))
def test_candidates_hold_the_best(data, sums):
    """The k best of the candidates are the k best of all sums above 0, ties and all."""
    k = data.draw(cutoffs(sums.size, switches=(10, 100, 1000)).filter(bool))
    chosen = candidates(sums, k)
    held = np.flatnonzero(sums > 0)

    assert (np.diff(chosen) > 0).all()
    assert (sums[chosen] > 0).all()
    assert chosen[top_k(sums[chosen], k)].tolist() == held[top_k(sums[held], k)].tolist()
