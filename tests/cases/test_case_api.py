"""Faults of other libraries in how they are called: cutoffs, filters, query text, parameters, updates."""

from __future__ import annotations

import math

import numpy as np
import pytest
from cases.tiny import exact, ids, rarity
from equality import assert_same_array, assert_same_index
from numpy.testing import assert_allclose

from sparsebm25 import BM25Index, Run

LN2 = math.log(2)


@pytest.mark.case("A01")
@pytest.mark.parametrize(("k", "n_hits"), [(10, 3), (10**12, 3), (3, 3), (2, 2), (0, 0), (-1, 0)])
def test_any_number_of_hits_may_be_asked_for(k, n_hits):
    """More than there is gives what there is, without filler; zero or less gives nothing."""
    index = exact("tin kite", "tin roof", "paper fog", "tin can")

    assert ids(index.search("tin", k=k)) == [0, 1, 3][:n_hits]
    assert index.search_many(["tin"], k=k)[0].doc_ids == [0, 1, 3][:n_hits]


@pytest.mark.case("A03")
@pytest.mark.parametrize("form", ["ids", "mask", "callable"])
def test_filtered_documents_never_appear(form):
    """A filter removes documents whatever k asks for; statistics stay those of the whole collection."""
    documents = ["tin kite sky", "tin clay pot", "old kite sky", "new clay cup", "big tall lamp"]
    index = BM25Index(dtype="float64").fit(documents, metadata=[{"place": place} for place in range(5)])
    where = {
        "ids": [0, 2],
        "mask": np.array([True, False, True, False, False]),
        "callable": lambda payload: payload["place"] in (0, 2),
    }[form]
    hits = index.search("tin", k=4, where=where)

    assert ids(hits) == [0]
    assert_allclose(hits.scores, [0.4 * rarity(5, 2)], rtol=1e-12)
    assert index.search_many(["tin", "pot"], k=4, where=where).to_dict() == {0: {0: hits[0].score}, 1: {}}


@pytest.mark.case("A04")
def test_scores_stay_with_their_documents():
    """Ids and scores are cut and ordered together."""
    index = exact("a", "a", "a")
    boost = np.array([0.0, 3.0, 1.0]) / index.scores("a")[0]
    hits = index.search("a", k=2, boost=boost)

    assert ids(hits) == [1, 2]
    assert_allclose(hits.scores, [3, 1], rtol=1e-12)
    assert {hit.doc_id: hit.score for hit in hits} == {
        doc_id: index.scores("a")[doc_id] * boost[doc_id] for doc_id in (1, 2)
    }


@pytest.mark.case("A06")
def test_an_explanation_splits_the_score_by_word():
    """Each matching word is named with its share, and the shares sum to the score."""
    index = exact("a b", "a c")
    tree = index.explain("a b", 0)

    assert {part.sentence.split(":")[0]: part.value for part in tree.parts} == {
        "'a'": pytest.approx(0.4 * math.log(1.2), rel=1e-12),
        "'b'": pytest.approx(0.4 * LN2, rel=1e-12),
    }
    assert_allclose(sum(part.value for part in tree.parts), index.scores("a b")[0], rtol=1e-12)
    assert tree.value == index.search("a b")[0].score


@pytest.mark.case("A07")
def test_ids_of_ones_own_come_back_unchanged():
    """Text ids, odd ones included, travel with hits and runs."""
    names = ["x-1", "x-2", "", "a b\tc", "Ünï"]
    index = BM25Index().fit(["tin"] * 5, ids=names)

    assert ids(index.search("tin")) == names
    assert list(index.search_many(["tin"], query_ids=["q 1"]).to_dict()["q 1"]) == names


@pytest.mark.case("A08")
def test_documents_added_later_equal_documents_fitted_at_once():
    """Two and two documents equal four, and two removed again equal two, bit for bit."""
    four = ["tin kite", "tin roof", "old kite old", "new words"]
    whole, parts = BM25Index().fit(four), BM25Index().fit(four[:2])
    before = parts.scores("kite")
    parts.add(four[2:])

    assert_same_index(parts, whole)
    assert len(parts.scores("kite")) == 4
    assert_same_array(parts.remove([2, 3]).scores("kite"), before)


USER_TEXT = ("what's new?", "follow-up", "v1.2", "a:b", "(y", 'an "open quote', "x AND", "C++", "*", "")


@pytest.mark.case("A09")
@pytest.mark.parametrize("query", USER_TEXT)
def test_ordinary_text_is_no_query_syntax(query):
    """Any text is a query, finds the document with the same text first, and is otherwise only words."""
    index = BM25Index().fit(USER_TEXT)
    hits = index.search(query)

    if index.analyzer(query):
        assert USER_TEXT[hits[0].doc_ord] == query
        assert index.explain(query, hits[0].doc_id).value == hits[0].score
    else:
        assert query in ("*", "")
        assert len(hits) == 0
    assert index.search_many([query])[0] == hits


@pytest.mark.case("A10")
def test_a_text_is_never_read_letter_by_letter():
    """A query text equals its tokens; an index of token lists refuses text, in queries and documents."""
    index = exact("tin kite", "t i n")
    tokens_only = BM25Index(analyzer=None).fit([["tin", "kite"]])

    assert_same_array(index.scores("tin kite"), index.scores(["tin", "kite"]))
    assert ids(index.search("tin kite")) == [0]
    with pytest.raises(TypeError, match="tin kite"):
        tokens_only.search("tin kite")
    with pytest.raises(TypeError, match="tin kite"):
        tokens_only.add(["tin kite"])
    with pytest.raises(TypeError, match="tin kite"):
        index.search_many("tin kite")
    with pytest.raises(TypeError, match="tin kite"):
        index.fit("tin kite")


@pytest.mark.case("A12")
def test_a_misspelled_parameter_is_an_error():
    """No parameter is ignored: unknown ones are refused, the others are shown and matter."""
    with pytest.raises(TypeError, match="k_1"):
        BM25Index(k_1=0.2)
    with pytest.raises(TypeError, match="k_1"):
        BM25Index().with_params(k_1=0.2)
    with pytest.raises(ValueError, match="lucine"):
        BM25Index(scheme="lucine")

    index = exact("a a a b", "a b", "c c", k1=0)
    assert "k1=0," in repr(index)
    assert_allclose(index.scores("a"), [rarity(3, 2), rarity(3, 2), 0], rtol=1e-12)


@pytest.mark.case("A14")
def test_scores_flow_through_every_stage():
    """Filter, batch, run and its rows keep the scores, so the order never falls back to the names."""
    index = BM25Index().fit(["zeta pdf", "alpha notes"], ids=["zeta-pdf", "alpha-notes"])
    (hit,) = index.search("pdf file", where=["alpha-notes", "zeta-pdf"])
    run = index.search_many(["pdf file"], query_ids=["q"])
    again = Run.from_rows(
        (query, doc, score) for query, docs in run.to_dict().items() for doc, score in docs.items()
    )

    assert hit.doc_id == "zeta-pdf"
    assert hit.score == index.scores("pdf file")[0] > 0
    assert run.to_dict() == again.to_dict() == {"q": {"zeta-pdf": hit.score}}


@pytest.mark.case("A15")
def test_a_word_in_every_document_orders_nothing():
    """Where all documents share a word, those with the rare word come first, and the rest can be cut away."""
    tools = [f"srv {'search' if place % 25 == 7 else 'list'} item" for place in range(100)]
    index = exact(*tools)
    wanted = [7, 32, 57, 82]
    hits = index.search("srv search", k=100)
    common = 0.4 * rarity(100, 100)

    assert_allclose(index.idf[index.vocabulary.get("srv")], math.log(1 + 0.5 / 100.5), rtol=1e-12)
    assert ids(hits)[:4] == wanted
    assert_allclose(hits.scores[4:], [common] * 96, rtol=1e-12)
    assert ids(hits[: int((hits.scores > 1.5 * common).sum())]) == wanted
    assert ids(index.search("srv search", k=100, where=index.search("search", k=100).doc_ids)) == wanted
