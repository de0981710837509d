"""Faults of other libraries in what a match is worth: idf, saturation, length, repeated query words."""

from __future__ import annotations

import math

import numpy as np
import pytest
from cases.tiny import exact, ids, rarity
from equality import assert_same_array
from numpy.testing import assert_allclose
from scipy.sparse import csr_array

from sparsebm25 import BM25Index
from sparsebm25.protocols import Floats

LN2 = math.log(2)


@pytest.mark.case("S01")
@pytest.mark.parametrize(("scheme", "part"), [("lucene", 0.4), ("lucene-k1+1", 1.0)])
def test_a_word_of_half_the_documents_counts(scheme, part):
    """A word that half of the documents hold has the idf ln 2, and its documents score."""
    index = exact("moss wall", "moss roof", "iron gate", "tall tree", scheme=scheme)

    assert_allclose(index.idf[index.vocabulary.get("moss")], LN2, rtol=1e-12)
    assert_allclose(index.scores("moss"), [part * LN2, part * LN2, 0, 0], rtol=1e-12)
    assert ids(index.search("moss")) == [0, 1]


@pytest.mark.case("S02")
def test_a_word_of_all_documents_is_above_a_miss():
    """A word that every document holds has the idf ln 1.2, not a floor that follows the collection."""
    index = exact("sun sea air", "sun bay fog")

    assert_allclose(index.scores("sun"), [0.4 * math.log(1.2)] * 2, rtol=1e-12)
    assert (index.idf > 0).all()


@pytest.mark.case("S03")
def test_a_further_matching_word_never_lowers_a_score():
    """Words that all documents share only add, so the document with one more word stays first."""
    index = exact("a b c", "a b d", "a b d")
    common, rare = rarity(3, 3), rarity(3, 1)

    assert_allclose(index.scores("a b c"), 0.4 * np.array([2 * common + rare, 2 * common, 2 * common]))
    assert ids(index.search("a b c")) == [0, 1, 2]
    for shorter, longer in (("", "a"), ("a", "a b"), ("a b", "a b c")):
        assert (index.scores(longer) >= index.scores(shorter)).all()


@pytest.mark.case("S04")
def test_the_only_document_is_found():
    """A collection of one document finds it, with a positive score."""
    index = exact("heron")

    assert_allclose(index.scores("heron"), [0.4 * math.log(4 / 3)], rtol=1e-12)
    assert ids(index.search("heron")) == [0]


@pytest.mark.case("S05")
@pytest.mark.parametrize(("k1", "ratio"), [(1.2, 2.2), (1.5, 2.5)])
def test_the_two_forms_differ_by_one_factor_and_by_name(k1, ratio):
    """The form with k1 + 1 has a name of its own, and its scores are k1 + 1 times those without."""
    without, with_factor = exact("heron", k1=k1), exact("heron", k1=k1, scheme="lucene-k1+1")

    assert_allclose(without.scores("heron"), [math.log(4 / 3) / ratio], rtol=1e-12)
    assert_allclose(with_factor.scores("heron"), [math.log(4 / 3)], rtol=1e-12)
    assert "'lucene-k1+1'" in repr(with_factor)
    assert "'lucene'" in repr(without)


@pytest.mark.case("S06")
def test_saturation_by_itself():
    """Three occurrences at average length are worth 3 * 2.2 / 4.2 of the idf at k1 = 1.2."""
    index = exact("x x x", "y y y", k1=1.2, scheme="lucene-k1+1")

    assert_allclose(index.postings.toarray()[0, 0] / index.idf[0], 6.6 / 4.2, rtol=1e-12)


@pytest.mark.case("S07")
def test_length_is_that_of_the_scored_document():
    """A short document beats a long one by their own lengths; the query's length does not matter."""
    index = exact("a", "a b c d e")
    idf = math.log(1.2)

    assert_allclose(index.scores("a"), [idf / (1 + 1.5 * 0.5), idf / (1 + 1.5 * 1.5)], rtol=1e-12)
    assert_same_array(index.scores("a unknown words that make it long"), index.scores("a"))


@pytest.mark.case("S12")
def test_repeated_query_words_count_as_written_or_once():
    """One switch says whether a repeated query word counts, for single, batch and explanation alike."""
    counted = exact("a c", "b d")
    as_set = counted.with_params(query_tf="set")
    one = 0.4 * LN2

    for index, expected in ((counted, [2 * one, one]), (as_set, [one, one])):
        assert_allclose(index.scores("a a b"), expected, rtol=1e-12)
        assert_allclose(index.search_many(["a a b"])[0].scores, expected, rtol=1e-12)
        assert_allclose([index.explain("a a b", doc_id).value for doc_id in (0, 1)], expected, rtol=1e-12)
        assert ids(index.search("a a b")) == [0, 1]


@pytest.mark.case("S13")
@pytest.mark.parametrize(
    ("scheme", "present", "absent"),
    [("bm25l", 1.25 * LN2, 0.625 * LN2), ("bm25+", 2 * math.log(3), math.log(3))],
)
def test_absent_words_get_a_constant_that_is_not_stored(scheme, present, absent):
    """What absent words are worth is one number for each query; the matrix holds the difference only."""
    index = exact("x", "y", scheme=scheme)

    assert_allclose(index.scores("x"), [present, absent], rtol=1e-12)
    assert_allclose(index.absent_weights, [absent, absent], rtol=1e-12)
    assert_allclose(index.postings.toarray(), (present - absent) * np.eye(2), rtol=1e-12)
    assert index.postings.nnz == 2
    assert ids(index.search("x")) == [0]


@pytest.mark.case("S15")
def test_lengths_are_exact():
    """Documents that differ by one word in length never tie, however long they are."""
    index = exact("w a b", "w a b c", "w a b c d", k1=1.2)
    norms = 0.25 + 0.75 * np.array([3, 4, 5]) / 4
    assert_allclose(index.scores("w"), rarity(3, 3) / (1 + 1.2 * norms), rtol=1e-12)

    many = exact(*(["w"] + ["filler"] * length for length in range(300)))
    assert (np.diff(many.scores(["w"])) < 0).all()


@pytest.mark.case("S23")
def test_parameters_left_out_are_the_documented_ones():
    """Without parameters an index has scheme lucene, k1 1.5 and b 0.75, to the last bit."""
    documents = ["a b b", "b", "c a a a"]
    plain, spelled = BM25Index().fit(documents), BM25Index("lucene", k1=1.5, b=0.75).fit(documents)

    assert_same_array(plain.postings.data, spelled.postings.data)
    assert_same_array(plain.scores("a b"), spelled.scores("a b"))
    assert plain.scores("a b").max() > 0


@pytest.mark.case("S25")
def test_a_score_has_a_bound_that_does_not_depend_on_the_best_hit():
    """A score divided by the idf of the query's words lies in [0, 1), and is 0 where nothing matches."""
    index = exact("moss wall", "moss roof", "iron gate", "tall tree")

    def share(query: str) -> Floats:
        bound = (index.query_matrix([query]) @ index.idf)[0]
        return index.scores(query) / bound if bound else index.scores(query)

    assert_allclose(share("moss"), [0.4, 0.4, 0, 0], rtol=1e-12)
    assert_allclose(share("unheard"), [0, 0, 0, 0], rtol=0)
    full = exact(*(["moss"] * 1000 for _ in range(3)))
    assert 0.99 < full.scores(["moss"])[0] / full.idf[0] < 1


@pytest.mark.case("S30")
@pytest.mark.parametrize("scheme", ["lucene", "lucene-k1+1", "bm25l", "bm25+"])
def test_more_occurrences_never_lower_a_float32_score(scheme):
    """Scores rise with the count also where float32 can hardly tell the counts apart."""
    counts = np.concatenate((np.arange(1, 300), np.arange(65_500, 65_600), 2 ** np.arange(17, 31)))
    index = BM25Index(scheme, k1=1.2, b=0).fit(csr_array(counts[:, None]))
    scores = index.scores([0])

    assert scores.dtype == np.float32
    assert (np.diff(scores) >= 0).all()
    assert (np.diff(scores[:50]) > 0).all()


@pytest.mark.case("S32")
def test_parameters_change_without_reading_the_text_again():
    """Other parameters are a view on the same counts, and the old ones give the old bits."""
    analyzed: list[str] = []

    def words(text: str) -> list[str]:
        analyzed.append(text)
        return text.split()

    index = exact("a", "a b c d e", analyzer=words)
    flat = index.with_params(b=0)

    assert_allclose(flat.scores(["a"]), [0.4 * math.log(1.2)] * 2, rtol=1e-12)
    assert_same_array(flat.with_params(b=0.75).scores(["a"]), index.scores(["a"]))
    assert flat.counts is index.counts
    assert analyzed == ["a", "a b c d e"]


@pytest.mark.case("S33")
def test_covering_the_query_beats_repeating_one_common_word():
    """Six times a common word is worth less than each word once."""
    index = exact("elm elm elm elm elm elm", "old elm")
    repeated = math.log(1.2) * 6 / (6 + 1.5 * 1.375)
    covering = (math.log(1.2) + LN2) / (1 + 1.5 * 0.625)

    assert_allclose(index.scores("old elm"), [repeated, covering], rtol=1e-12)
    assert ids(index.search("old elm")) == [1, 0]
