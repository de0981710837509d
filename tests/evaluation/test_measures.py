"""Measures have the values that their papers say, computed by hand and by other programs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsebm25.evaluation import (
    AP,
    RR,
    Judged,
    Measure,
    P,
    R,
    Success,
    evaluate,
    nDCG,
    parse_measure,
    with_ir_measures,
)
from sparsebm25.runs import Run

DOC_IDS = ("a", "a1", "a10", "a2", "b", "É", "é", "𝕏", "z", "ﬀ")
SCORES = (1.0, 1 + 1e-9, 1 - 1e-9, 0.1, float(np.float32(0.1)), 0.0, -0.0, -2.5, 7.0, 1e39, 1e-46)

doc_ids = st.sampled_from(DOC_IDS)
graded = st.dictionaries(
    st.sampled_from("pqrs"), st.dictionaries(doc_ids, st.integers(-2, 4), min_size=1), min_size=1
)
ranked = st.dictionaries(
    st.sampled_from("qrst"), st.dictionaries(doc_ids, st.sampled_from(SCORES), min_size=1), max_size=4
)
cutoffs = st.integers(1, 15)


def value(measure, qrels, run, **options):
    """Return the mean of one measure."""
    return evaluate(measure, qrels, run, **options).means()[measure]


def order(*names):
    """Return a run of one query with falling scores."""
    return {"q": {name: float(-place) for place, name in enumerate(names)}}


@pytest.mark.case("E01")
@pytest.mark.parametrize(("other", "by_id"), [("a", 1.0), ("c", 0.6309297535714575)])
def test_tied_documents_are_judged_as_returned(other, by_id):
    """The returned order is judged; by the rule of trec_eval a tie goes to the higher document id."""
    run = {"q": {"b": 1.0, other: 1.0}}

    assert value(nDCG @ 10, {"q": {"b": 1}}, run) == 1.0
    assert value(nDCG @ 10, {"q": {"b": 1}}, run, ties="trec_eval") == pytest.approx(by_id, abs=1e-15)


@pytest.mark.case("E01")
def test_scores_equal_as_float32_are_a_tie_for_trec_eval():
    """Scores that differ beyond float32 are in order for us and tied for trec_eval, numbers by their text."""
    run = {"q": {10: 1 + 1e-9, 9: 1.0}}

    assert value(RR, {"q": {10: 1}}, run) == 1.0
    assert value(RR, {"q": {10: 1}}, run, ties="trec_eval") == 0.5


@pytest.mark.case("E02")
def test_ideal_comes_from_the_judgments_and_unanswered_queries_count():
    """What was not returned lowers nDCG and recall, and a query without an answer counts 0."""
    qrels, run = {"q": {"a": 1, "b": 1}}, {"q": {"a": 3.0}}

    assert value(nDCG @ 10, qrels, run) == pytest.approx(0.613147, abs=5e-7)
    assert value(R @ 10, qrels, run) == 0.5
    assert value(nDCG @ 10, {**qrels, "p": {"c": 1}}, run) == pytest.approx(0.306574, abs=5e-7)
    for nothing in ({}, {"p": {}}, {"p": {"c": 1.0}}):
        skipped = evaluate(nDCG @ 10, {**qrels, "p": {"c": 1}}, {**run, **nothing}, unanswered="skip")
        assert skipped.query_ids == (("q", "p") if nothing.get("p") else ("q",))


@pytest.mark.case("E03")
def test_ideal_is_as_deep_as_the_judgments_allow():
    """With fewer hits than the cutoff the ideal still has min(cutoff, relevant) documents."""
    assert value(nDCG @ 5, {"q": dict.fromkeys("abcde", 1)}, order("a")) == pytest.approx(0.339160, abs=5e-7)
    assert value(nDCG @ 2, {"q": dict.fromkeys("abcde", 1)}, order("a", "b")) == 1.0


@pytest.mark.case("E04")
def test_queries_without_judgments_are_left_out():
    """A query without judgments changes nothing; one whose documents are not found counts 0."""
    qrels = {"q1": {"a": 1}, "q2": {}, "q3": {"b": 1, "c": 0}, "q4": {"d": 1}, "q5": {"a": 0}}
    run = {name: {"a": 2.0, "b": 1.0} for name in ("q0", "q1", "q2", "q3", "q4", "q5")}
    evaluation = evaluate([AP, nDCG @ 3], qrels, run)

    assert evaluation.query_ids == ("q1", "q3", "q4", "q5")
    assert evaluation.per_query[AP].tolist() == [1.0, 0.5, 0.0, 0.0]
    assert evaluation.means()[AP] == 0.375
    del qrels["q2"]
    assert evaluate(AP, qrels, run).per_query[AP].tolist() == [1.0, 0.5, 0.0, 0.0]


@pytest.mark.case("E07")
def test_right_tool_at_rank_two():
    """One right answer at rank 2 has recall 0 at 1 and 1 at 3, and reciprocal rank 1/2."""
    means = evaluate(
        [R @ 1, R @ 3, RR, Success @ 1, Success @ 2], {"q": {"b": 1}}, order("a", "b", "c")
    ).means()

    assert list(means.values()) == [0.0, 1.0, 0.5, 0.0, 1.0]


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        (P @ 2, 1 / 2),
        (P @ 10, 3 / 10),
        (P(rel=2) @ 10, 2 / 10),
        (R @ 3, 2 / 4),
        (R(rel=2) @ 3, 1 / 2),
        (AP, (1 / 2 + 2 / 3 + 3 / 5) / 4),
        (AP @ 3, (1 / 2 + 2 / 3) / 4),
        (AP(rel=2), (1 / 2 + 2 / 5) / 2),
        (RR, 1 / 2),
        (RR @ 1, 0),
        (RR(rel=3), 1 / 5),
        (Success(rel=3) @ 4, 0),
        (Success(rel=3) @ 5, 1),
        (Judged, 4 / 5),
        (Judged @ 2, 2 / 2),
        (Judged @ 100, 4 / 5),
        (
            nDCG @ 3,
            (2 / math.log2(3) + 1 / math.log2(4)) / (3 + 2 / math.log2(3) + 1 / math.log2(4)),
        ),
        (
            nDCG(dcg="exp-log2"),
            (3 / math.log2(3) + 1 / math.log2(4) + 7 / math.log2(6))
            / (7 + 3 / math.log2(3) + 1 / math.log2(4) + 1 / math.log2(5)),
        ),
    ],
    ids=str,
)
def test_values_by_hand(measure, expected):
    """Each measure has the value of its formula on a ranking with graded, negative and missing documents."""
    qrels = {"q": {"bad": -2, "two": 2, "one": 1, "three": 3, "missed": 1}}
    run = order("bad", "two", "one", "unjudged", "three")

    assert value(measure, qrels, run) == pytest.approx(expected, abs=1e-15)


@given(graded, ranked, cutoffs)
def test_equal_to_ir_measures(qrels, run, k):
    """By the rule of trec_eval every value of every query is that of ir_measures, ties and all."""
    pytest.importorskip("ir_measures")
    ours = [nDCG, nDCG @ k, AP, AP @ k, AP(rel=2) @ k, RR, RR(rel=2), R @ k, P @ k, P(rel=3) @ k, Success @ k]
    evaluation = evaluate(ours, qrels, run, ties="trec_eval")
    expected = {
        (metric.query_id, str(metric.measure)): metric.value
        for metric in with_ir_measures(ours, qrels, run, ties="trec_eval").per_query
    }

    assert set(evaluation.query_ids) == set(qrels)
    for measure, values in evaluation.per_query.items():
        wanted = [expected[query_id, str(measure)] for query_id in evaluation.query_ids]
        np.testing.assert_allclose(values, wanted, rtol=0, atol=1e-9, err_msg=str(measure))


@given(graded, ranked, cutoffs)
def test_rank_order_survives_ir_measures(qrels, run, k):
    """Given strictly falling scores, ir_measures judges the returned order, as we do by default."""
    pytest.importorskip("ir_measures")
    ours = [nDCG @ k, AP, RR @ k, RR(rel=2) @ k, Success @ k, Judged @ k]
    theirs = {str(measure): mean for measure, mean in with_ir_measures(ours, qrels, run).aggregated.items()}

    for measure, mean in evaluate(ours, qrels, run).means().items():
        assert mean == pytest.approx(theirs[str(measure)], abs=1e-9), measure


@given(graded, ranked, cutoffs)
def test_same_values_in_every_form(qrels, run, k):
    """Mappings, rows and runs over any table of ids have the same values, whatever the order of queries."""
    measures = [nDCG @ k, AP, Judged @ k]
    expected = evaluate(measures, qrels, run)
    rows = [(query_id, doc_id, score) for query_id, scores in run.items() for doc_id, score in scores.items()]
    judged = [
        (query_id, doc_id, grade) for query_id, grades in qrels.items() for doc_id, grade in grades.items()
    ]
    ours = Run.from_rows(reversed(rows))
    shuffled = Run(
        [*reversed(run), "unjudged"],
        np.append(0, np.cumsum([len(run[query_id]) for query_id in reversed(run)] + [1])),
        np.array(
            [2 * DOC_IDS.index(hit) for q in reversed(run) for hit in Run.from_rows(rows)[q].doc_ids] + [0]
        ),
        np.array([score for q in reversed(run) for score in Run.from_rows(rows)[q].scores] + [0.0]),
        [name for doc_id in DOC_IDS for name in (doc_id, f"{doc_id} unused")],
    )

    for ties, given_run in (("rank", rows), ("rank", shuffled), ("trec_eval", ours), ("trec_eval", shuffled)):
        wanted = expected if ties == "rank" else evaluate(measures, qrels, run, ties=ties)
        found = evaluate(measures, judged, given_run, ties=ties)
        assert found.query_ids == wanted.query_ids
        for measure in measures:
            np.testing.assert_array_equal(found.per_query[measure], wanted.per_query[measure])


def test_returned_order_is_judged_even_against_the_scores():
    """A run whose scores do not fall, such as a reranked one, is judged in its own order by default."""
    run = Run(["q"], np.array([0, 2]), np.array([0, 1]), np.array([1.0, 2.0]), ["a", "b"])

    assert value(RR, {"q": {"a": 1}}, run) == 1.0
    assert value(RR, {"q": {"a": 1}}, run, ties="trec_eval") == 0.5


def test_nothing_is_defined():
    """No judgments, no hits, or neither: no exception and no NaN."""
    measures = [nDCG, AP, RR, R @ 1, P @ 1, Success @ 1, Judged]
    unfound = {"q": {"a": 0, "c": -2}}
    for qrels, run in (({}, {}), ({}, order("a")), (unfound, {}), (unfound, order("b"))):
        for ties in ("rank", "trec_eval"):
            assert set(evaluate(measures, qrels, run, ties=ties).means().values()) == {0.0}


@pytest.mark.case("L06")
@pytest.mark.parametrize(
    ("run", "message"),
    [
        ({7: {"a": 1.0}}, "query ids of run and qrels must be of one type; .* such as '7'"),
        ({"7": {3: 1.0}}, "document ids of run and qrels must be of one type; .* such as '3'"),
    ],
)
def test_ids_that_agree_only_as_text_are_refused(run, message):
    """Numbers in the run and texts in the judgments would make every value 0, so it is an error."""
    with pytest.raises(ValueError, match=message):
        evaluate(AP, {"7": {"a": 1, "3": 1}}, run)


@pytest.mark.parametrize(
    "text", ["nDCG", "nDCG@10", "nDCG(dcg='exp-log2')@5", "AP(rel=2)@100", "RR@10", "R@1", "Judged@7"]
)
def test_measures_print_as_they_are_written(text):
    """Reading what a measure prints gives that measure, with or without spaces."""
    assert str(parse_measure(text)) == text
    assert parse_measure(text) == parse_measure(f"  {text.replace('@', ' @ ').replace('=', ' = ')} ")


def test_measures_are_values():
    """Equal measures are equal keys however they are made, and other names mean the same."""
    assert AP(rel=1) @ 5 == (AP @ 5)(rel=1) == Measure("AP", 5) == parse_measure("MAP@5")
    assert parse_measure("MRR") == RR
    assert parse_measure("NDCG@3") == nDCG @ 3
    assert len({nDCG @ 3, nDCG(dcg="log2") @ 3, nDCG @ 4}) == 2


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: nDCG @ 0, ValueError, "cutoff must be an integer >= 1, got 0"),
        (lambda: nDCG @ 2.5, TypeError, "cutoff must be an integer, got 2.5"),
        (lambda: nDCG(rel=2), ValueError, "nDCG has no option 'rel', only dcg"),
        (lambda: Judged(rel=2), ValueError, "Judged has no option 'rel', only a cutoff"),
        (lambda: AP(cutoff=2), ValueError, "AP has no option 'cutoff', only rel"),
        (lambda: AP(rel="high"), TypeError, "rel must be an integer"),
        (lambda: nDCG(dcg="exp"), ValueError, "dcg must be one of 'log2', 'exp-log2', got 'exp'"),
        (lambda: Measure("MAP"), ValueError, "name must be one of 'nDCG', 'AP'"),
        (lambda: parse_measure("nDCG10"), ValueError, "unknown measure 'nDCG10'; choose from nDCG, AP, RR"),
        (lambda: parse_measure("nDCG@ten"), ValueError, "written like nDCG@10"),
        (lambda: parse_measure("AP(rel)@1"), ValueError, "option is written like rel=2"),
        (lambda: parse_measure("AP(rel=exit())"), ValueError, "written like"),
        (lambda: evaluate("R", {}, {}), ValueError, "R needs a cutoff, such as R@10"),
        (lambda: evaluate([P(rel=2)], {}, {}), ValueError, r"P\(rel=2\) needs a cutoff"),
        (lambda: evaluate([3], {}, {}), TypeError, "measures must be measures or their names, got 3"),
        (lambda: evaluate(AP, {}, {}, ties="id"), ValueError, "ties must be one of 'rank', 'trec_eval'"),
        (lambda: evaluate(AP, {}, {}, unanswered="drop"), ValueError, "unanswered must be one of"),
        (lambda: evaluate(AP, {}, 3), TypeError, "run must be a mapping of mappings or an iterable of rows"),
        (lambda: evaluate(AP, {}, [("q", "a", 1.0), ("q", "a", 2.0)]), ValueError, "'a' occurs twice"),
        (lambda: evaluate(AP, {}, {"q": {"a": math.nan}}), ValueError, "scores must not be NaN"),
    ],
)
def test_what_cannot_be_measured_is_refused(make, error, message):
    """A wrong value is refused with its name, what was given and what is allowed."""
    with pytest.raises(error, match=message):
        make()


def test_ir_measures_does_the_rest():
    """Any measure of ir_measures can be had, by name too and with ids of any type; unknown ones are named."""
    theirs = pytest.importorskip("ir_measures")
    qrels, run = {1: {7: 1, 8: 0}}, {1: {8: np.float32(2.0), 7: np.float32(1.0)}, 2: {}}
    results = with_ir_measures([theirs.Rprec, "Bpref(rel=1)", RR @ 5], qrels, run)

    assert {str(measure): mean for measure, mean in results.aggregated.items()} == {
        "Rprec": 0.0,
        "Bpref": 0.0,
        "RR@5": 0.5,
    }
    with pytest.raises(ValueError, match="unknown measure 'nDGC'; ir_measures has"):
        with_ir_measures(["nDGC@10"], qrels, run)
    with pytest.raises(ValueError, match="two different document ids are both written '7'"):
        with_ir_measures(["AP"], {1: {7: 1, "7": 0}}, run)


def test_an_evaluation_shows_itself():
    """An evaluation prints its means, and has a table and a frame with measures as they are written."""
    evaluation = evaluate(["RR@10", AP(rel=2)], {"p": {"a": 1}, "q": {"a": 2}}, order("b", "a"))

    assert repr(evaluation) == "<Evaluation of 2 queries: RR@10 0.2500, AP(rel=2) 0.2500>"
    assert "<td>AP(rel=2)</td><td>0.2500</td>" in evaluation._repr_html_()
    pytest.importorskip("pandas")
    frame = evaluation.to_pandas()
    assert list(frame.columns) == ["query_id", "RR@10", "AP(rel=2)"]
    assert frame["query_id"].tolist() == ["p", "q"]
    assert frame["RR@10"].tolist() == [0.0, 0.5]


@pytest.mark.parametrize("grade", [-1, -2, -9])
def test_queries_with_negative_grades_only_count_0_in_ir_measures(grade):
    """A query without any grade of 0 or more, on which pytrec_eval hangs or crashes, has the value 0."""
    pytest.importorskip("ir_measures")
    qrels, run = {"q": {"a": grade}, "p": {"b": 1, "c": grade}}, {"q": {"a": 1.0}, "p": {"c": 2.0, "b": 1.0}}
    measures = [nDCG, AP, RR, Judged @ 1]

    theirs = {
        str(measure): mean for measure, mean in with_ir_measures(measures, qrels, run).aggregated.items()
    }
    for measure, mean in evaluate(measures, qrels, run).means().items():
        assert theirs[str(measure)] == pytest.approx(mean, abs=1e-9)
