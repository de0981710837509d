"""The tf parts: the papers' numbers, the libraries' numbers, monotony and the edges."""

from __future__ import annotations

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from sparsebm25.weighting.schemes import SCHEMES
from sparsebm25.weighting.tf import (
    CountsOnly,
    absent_bounded,
    absent_shifted,
    binary_tf,
    log_tf,
    natural_tf,
    norm_lengths,
    saturate,
    saturate_bounded,
    saturate_scaled,
    saturate_shifted,
)

FORMULAS = {
    saturate: oracle.part_plain,
    saturate_scaled: oracle.part_scaled,
    saturate_shifted: oracle.part_bm25l,
    saturate_bounded: oracle.part_bm25_plus,
}

COUNT_PARTS = (CountsOnly(natural_tf), CountsOnly(log_tf), CountsOnly(binary_tf))

every_part = pytest.mark.parametrize("part", FORMULAS, ids=lambda part: part.__name__)

LARGEST = 10**6
"""The largest term frequency tried; a document of a million equal tokens."""

term_frequencies = st.lists(st.integers(1, 20) | st.integers(1, LARGEST), min_size=1, max_size=20)
norms = st.sampled_from((0.25, 1.0)) | st.floats(1e-3, 1e3)
k1s = st.sampled_from((0.0, 0.9, 1.2, 1.5)) | st.floats(0.0, 100.0)
deltas = st.sampled_from((0.0, 0.5, 1.0)) | st.floats(0.0, 10.0)


@given(tf=term_frequencies, norm=norms, k1=k1s, delta=deltas)
def test_part_is_the_formula(tf, norm, k1, delta):
    """Every tf part equals its formula in plain Python."""
    for part, formula in FORMULAS.items():
        expected = [formula(count, norm, k1, delta) for count in tf]
        ours = part(np.array(tf, np.int32), np.full(len(tf), norm), k1=k1, delta=delta)
        assert ours.dtype == np.float64
        assert_allclose(ours, expected, rtol=1e-12, atol=1e-300, err_msg=part.__name__)


@pytest.mark.case("S30")
@given(tf=term_frequencies, norm=norms, k1=k1s, delta=deltas)
def test_one_more_occurrence_never_lowers_a_part(tf, norm, k1, delta):
    """Parts do not fall as the count grows, neither in float64 nor rounded to float32."""
    counts = np.unique(np.concatenate((tf, np.add(tf, 1)))).astype(np.float64)

    for part in FORMULAS:
        parts = part(counts, np.full(counts.size, norm), k1=k1, delta=delta)
        assert np.all(np.diff(parts) >= 0), part.__name__
        assert np.all(np.diff(parts.astype(np.float32)) >= 0), part.__name__


@pytest.mark.case("S30")
@every_part
@pytest.mark.parametrize("k1", [1e-9, 1.2])
def test_all_counts_up_to_a_million_are_in_order(part, k1):
    """No count up to a million has a larger part than the next, where the plain fraction in float32 does."""
    counts = np.arange(1, LARGEST + 1, dtype=np.int32)
    ones = np.ones(LARGEST)
    single = counts.astype(np.float32)
    plain = single / (single + np.float32(1.2))

    parts = part(counts, ones, k1=k1, delta=0.5)

    assert plain[65534 - 1] > plain[65535 - 1]
    assert np.all(np.diff(parts) >= 0)
    assert np.all(np.diff(parts.astype(np.float32)) >= 0)


@every_part
def test_parts_of_nothing_are_empty(part):
    """No postings give no parts."""
    assert part(np.zeros(0), np.zeros(0), k1=1.5, delta=0.5).shape == (0,)


@every_part
@pytest.mark.parametrize(("k1", "norm"), [(0.0, 1.0), (1.5, 0.0), (0.0, 0.0)])
def test_nothing_to_saturate_gives_the_full_part(part, k1, norm):
    """With a k1 or a norm of 0 a posting gets the upper limit of its part, without a division by 0."""
    limit = part(np.array([1e300]), np.ones(1), k1=k1, delta=0.5)

    assert_allclose(part(np.array([1.0, 7.0]), np.full(2, norm), k1=k1, delta=0.5), np.repeat(limit, 2))


@given(norm=norms, k1=k1s, delta=deltas)
def test_no_occurrence_gives_the_absent_part(norm, k1, delta):
    """A count of 0, which field boosts can leave, is worth what a document without the term gets."""
    absent = {saturate_shifted: absent_shifted(k1, delta), saturate_bounded: absent_bounded(k1, delta)}

    for part in (*FORMULAS, *COUNT_PARTS):
        parts = part(np.zeros(1), np.array([norm]), k1=k1, delta=delta)
        assert_allclose(parts, [absent.get(part, 0.0)], rtol=1e-14, atol=1e-300, err_msg=repr(part))


@pytest.mark.parametrize(
    ("part", "absent"), [(saturate_shifted, absent_shifted), (saturate_bounded, absent_bounded)]
)
@given(tf=term_frequencies, norm=norms, k1=k1s | st.floats(0.0, 1e-12), delta=deltas)
def test_presence_is_never_worth_less_than_absence(part, absent, tf, norm, k1, delta):
    """Rounding never makes the absent part larger than a present one: weights are not negative."""
    parts = part(np.array(tf), np.full(len(tf), norm), k1=k1, delta=delta)

    assert parts.min() >= absent(k1, delta)


@pytest.mark.case("S06")
def test_the_saturation_has_its_brackets():
    """Three occurrences in a document of mean length, k1 1.2: (k1 + 1) * 3 / (3 + k1)."""
    parts = saturate_scaled(np.array([3.0]), np.ones(1), k1=1.2)

    assert parts == pytest.approx(1.571429, abs=1e-6)


@pytest.mark.case("S05")
@pytest.mark.parametrize("k1", [0.0, 0.9, 1.2, 1.5])
def test_the_two_forms_differ_by_one_factor(k1):
    """With and without k1 + 1 in the numerator: a constant factor, and so the same order."""
    tf, ones = np.array([1.0, 2.0, 9.0]), np.ones(3)

    assert_array_equal(saturate_scaled(tf, ones, k1=k1), (k1 + 1) * saturate(tf, ones, k1=k1))


@pytest.mark.case("S13")
def test_absent_terms_get_the_shift_without_its_occurrence():
    """BM25L and BM25+ at one occurrence and at none, by hand, k1 1.5."""
    one = (np.ones(1), np.ones(1))

    assert saturate_shifted(*one, k1=1.5, delta=0.5) * np.log(2) == pytest.approx(0.866434, abs=1e-6)
    assert absent_shifted(1.5, 0.5) * np.log(2) == pytest.approx(0.433217, abs=1e-6)
    assert saturate_bounded(*one, k1=1.5, delta=1.0) * np.log(3) == pytest.approx(2.197225, abs=1e-6)
    assert absent_bounded(1.5, 1.0) * np.log(3) == pytest.approx(1.098612, abs=1e-6)


@pytest.mark.case("S15")
def test_every_token_of_length_counts():
    """Norms of near lengths differ: no length is rounded."""
    lengths = np.arange(1, 2000)

    assert np.all(np.diff(norm_lengths(lengths, 40.5, b=0.75)) > 0)


@given(
    documents=st.lists(st.lists(st.just("a"), max_size=9), min_size=1, max_size=6),
    b=st.sampled_from((0.0, 0.75, 1.0)) | st.floats(0.0, 1.0),
)
def test_norms_are_the_formula(documents, b):
    """The norm of each document is 1 - b + b * length / mean length, and 1 where all are empty."""
    lengths = np.array([len(tokens) for tokens in documents], np.int32)

    norms = norm_lengths(lengths, oracle.mean_length(documents), b=b)

    assert norms.dtype == np.float64
    expected = [oracle.length_norm(documents, doc_ord, b) for doc_ord in range(len(documents))]
    assert_allclose(norms, expected, rtol=1e-14)


def test_no_documents_have_no_norms():
    """Without documents there are no norms."""
    assert norm_lengths(np.zeros(0, np.int32), 0.0, b=0.75).shape == (0,)


@pytest.mark.parametrize("dtype", [np.int32, np.float32, np.float64])
def test_counts_are_weighed_in_double_precision(dtype):
    """Natural, logarithmic and binary counts are float64 for every dtype of count."""
    tf = np.array([1, 2, 10], dtype)

    assert natural_tf(tf).dtype == log_tf(tf).dtype == binary_tf(tf).dtype == np.float64
    assert_array_equal(natural_tf(tf), [1.0, 2.0, 10.0])
    assert_allclose(log_tf(tf), [1.0, 1.693147180559945, 3.302585092994046], rtol=1e-15)
    assert_array_equal(binary_tf(tf), [1.0, 1.0, 1.0])


def test_counts_are_not_written_to():
    """No tf part changes the counts it was given, which are the truth, or hands them out."""
    tf = np.array([1.0, 2.0])
    tf.flags.writeable = False

    for part in (*FORMULAS, *COUNT_PARTS):
        assert not np.shares_memory(part(tf, np.ones(2), k1=1.5, delta=0.5), tf)


@given(tf=term_frequencies, length=st.integers(1, 1000), k1=k1s.filter(bool), delta=deltas)
def test_part_equals_bm25s(tf, length, k1, delta):
    """The tf parts of five schemes are those of bm25s, for present and for absent terms."""
    scoring = pytest.importorskip("bm25s.scoring")
    counts = np.array([0.0, *tf])
    norms = np.repeat(norm_lengths(np.array([length]), 60.0, b=0.75), counts.size)

    for method in ("lucene", "robertson", "atire", "bm25l", "bm25+"):
        theirs = scoring._select_tfc_scorer(method)
        expected = theirs(counts, l_d=length, l_avg=60.0, k1=k1, b=0.75, delta=delta)
        ours = SCHEMES[method].tf(counts, norms, k1=k1, delta=delta)
        assert_allclose(ours, expected, rtol=1e-12, atol=1e-300, err_msg=method)
