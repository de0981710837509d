"""Schemes side by side: the same counts, every query, and how sure a difference is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from sparsebm25 import SCHEMES, BM25Index, Run
from sparsebm25.evaluation import AP, RR, Evaluation, R, evaluate, nDCG
from sparsebm25.evaluation.compare import COMPARED, Comparison, compare

DOCUMENTS = ["red kite", "red red pot", "blue kite over a long blue lake", "old lamp", "kite kite"]
IDS = ["a", "b", "c", "d", "e"]
QUERIES = {"q1": "red kite", "q2": "blue lake", "q3": "kite", "q4": "nothing"}
QRELS = {"q1": {"a": 2, "b": 1}, "q2": {"c": 1}, "q3": {"e": 1, "a": 1, "d": 0}, "q4": {"d": 1}}


@pytest.fixture
def index() -> BM25Index:
    """Return a small index."""
    return BM25Index().fit(DOCUMENTS, IDS)


class Watched:
    """A ranker that notes what it is asked, and hands it on."""

    def __init__(self, index: BM25Index, calls: list[tuple[str, Any]]) -> None:
        self.index = index
        self.calls = calls

    def search_many(self, queries: Any, k: int = 10, **options: Any) -> Run:
        """Note the call and rank."""
        self.calls.append(("search_many", k))
        return self.index.search_many(queries, k, **options)

    def with_params(self, **params: Any) -> Watched:
        """Note the call and return the other index, watched too."""
        self.calls.append(("with_params", params))
        return Watched(self.index.with_params(**params), self.calls)


def comparison_of(values: Iterable[NDArray[np.floating]]) -> Comparison:
    """Return a comparison with one measure and rows named 0, 1, …"""
    rows = {
        str(row): Evaluation(tuple(range(len(each))), {RR: np.asarray(each)})
        for row, each in enumerate(values)
    }
    return Comparison(rows, dict.fromkeys(rows, 0.5))


def test_a_row_is_what_evaluate_says_of_its_run(index):
    """Each row holds the values of the run that the index gives under that scheme, query by query."""
    comparison = compare(index, QUERIES, QRELS, k=3)

    assert tuple(comparison.evaluations) == COMPARED
    for name, evaluation in comparison.evaluations.items():
        run = index.with_params(scheme=name).search_many(list(QUERIES.values()), 3, query_ids=list(QUERIES))
        alone = evaluate([nDCG @ 10, AP, RR, R @ 100], QRELS, run)
        assert evaluation.query_ids == alone.query_ids
        assert list(evaluation.per_query) == list(alone.per_query)
        for measure, values in alone.per_query.items():
            np.testing.assert_array_equal(evaluation.per_query[measure], values)


def test_every_scheme_is_a_row_but_one_that_ranks_as_another(index):
    """By default all schemes of the table are compared; the one left out orders documents as lucene does."""
    left_out = set(SCHEMES) - set(COMPARED)

    assert left_out == {"lucene-k1+1"}
    runs = [
        index.with_params(scheme=name, dtype="float64").search_many(QUERIES.values())
        for name in ("lucene", *left_out)
    ]
    assert runs[0].doc_ords.tolist() == runs[1].doc_ords.tolist()


def test_rows_can_be_any_parameters(index):
    """A row may set any parameter of an index; what it leaves out is the index's own."""
    rows = {"as it is": {}, "no length": {"b": 0.0}, "other": {"scheme": "bm25+", "k1": 0.3}}
    comparison = compare(index.with_params(k1=0.7), QUERIES, QRELS, settings=rows, measures="AP")

    assert list(comparison.evaluations) == list(rows)
    for name, params in rows.items():
        run = index.with_params(**{"k1": 0.7, **params}).search_many(
            list(QUERIES.values()), 1000, query_ids=list(QUERIES)
        )
        assert comparison.means()[name] == evaluate(AP, QRELS, run).means()


def test_ties_and_threads_are_passed_on():
    """Equal scores are judged by the rule asked for, and the number of threads changes nothing."""
    index = BM25Index().fit(["owl"] * 3, ["a", "b", "c"])

    def mean(**options: Any) -> float:
        rows = compare(index, {"q": "owl"}, {"q": {"c": 1}}, settings=["lucene"], measures=RR, **options)
        return rows.means()["lucene"][RR]

    assert mean() == mean(n_jobs=2) == pytest.approx(1 / 3)
    assert mean(ties="trec_eval") == 1.0


def test_judgments_can_be_read_once(index):
    """Judgments from a generator count for every row, not only for the first."""
    rows = (
        (query_id, doc_id, grade) for query_id, grades in QRELS.items() for doc_id, grade in grades.items()
    )

    assert compare(index, QUERIES, rows).means() == compare(index, QUERIES, QRELS).means()


def test_mistakes_show_before_any_ranking(index):
    """An unknown scheme or measure, or a wrong parameter, is refused before a query is ranked."""
    calls: list[tuple[str, Any]] = []
    watched = Watched(index, calls)

    with pytest.raises(ValueError, match="scheme must be"):
        compare(watched, QUERIES, QRELS, settings=["lucene", "bm52"])
    with pytest.raises(ValueError, match="b must be a finite number"):
        compare(watched, QUERIES, QRELS, settings={"x": {"b": 2.0}})
    with pytest.raises(ValueError, match="unknown measure 'nDGC'"):
        compare(watched, QUERIES, QRELS, measures=["nDGC@10"])
    assert "search_many" not in {name for name, _ in calls}


def test_the_index_is_used_as_it_is(index):
    """Rows come from `with_params` alone, once each, and every ranking asks for k hits."""
    calls: list[tuple[str, Any]] = []
    compare(Watched(index, calls), QUERIES, QRELS, settings=["lucene", "tfidf"], k=7)

    assert [params for name, params in calls if name == "with_params"] == [
        {"scheme": "lucene"},
        {"scheme": "tfidf"},
    ]
    assert {k for name, k in calls if name == "search_many"} == {7}


def test_wrong_types_are_named(index):
    """Queries without ids and settings that are one string are refused by name."""
    with pytest.raises(TypeError, match="queries must be a mapping"):
        compare(index, ["red"], QRELS)
    with pytest.raises(TypeError, match="settings must be names of schemes"):
        compare(index, QUERIES, QRELS, settings="lucene")


def test_nothing_is_no_fault():
    """No documents, no queries and no judgments give rows of zeros."""
    comparison = compare(BM25Index(), {}, {})

    assert {mean for means in comparison.means().values() for mean in means.values()} == {0.0}


def test_progress_sees_every_row(index):
    """The callable for progress gets the names of the rows, and the rows stay what they are."""
    seen: list[str] = []

    def watch(names: Iterable[str]) -> Iterable[str]:
        for name in names:
            seen.append(name)
            yield name

    comparison = compare(index, QUERIES, QRELS, settings=["lucene", "tfidf"], progress=watch)

    assert seen == list(comparison.evaluations) == list(comparison.seconds) == ["lucene", "tfidf"]


def test_times_are_measured(index):
    """Each row says how long its ranking took."""
    assert min(compare(index, QUERIES, QRELS).seconds.values()) > 0


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=20))
def test_deltas_are_differences(pairs):
    """Differences change their sign with the order of the rows, and their p-value does not change."""
    columns = [np.array(column) for column in zip(*pairs, strict=True)]
    comparison = comparison_of(columns)

    np.testing.assert_array_equal(comparison.deltas("0", "1"), columns[0] - columns[1])
    np.testing.assert_array_equal(comparison.deltas("1", "0"), columns[1] - columns[0])
    assert comparison.p_value("0", "1") == comparison.p_value("1", "0")
    assert 0 < comparison.p_value("0", "1") <= 1


@pytest.mark.parametrize("n_queries", [3, 8, 12])
def test_p_value_is_that_of_all_sign_flips(n_queries):
    """The p-value is near the exact one of SciPy's permutation test over all choices of signs."""
    generator = np.random.default_rng(n_queries)
    comparison = comparison_of(generator.random((2, n_queries)) + np.array([[0.2], [0.0]]))
    exact = stats.permutation_test(
        (comparison.deltas("0", "1"),), np.mean, permutation_type="samples", vectorized=True
    )

    assert comparison.p_value("0", "1") == pytest.approx(exact.pvalue, abs=0.02)


def test_p_value_of_many_queries_is_near_that_of_the_t_test():
    """With hundreds of queries the test agrees with the paired t-test."""
    generator = np.random.default_rng(0)
    first = generator.random(400)
    comparison = comparison_of([first, first + generator.normal(0.01, 0.1, 400)])

    expected = stats.ttest_rel(*(each.per_query[RR] for each in comparison.evaluations.values())).pvalue
    assert comparison.p_value("0", "1") == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("values", [np.zeros((2, 0)), np.ones((2, 1)), np.full((2, 50), 0.1)])
def test_rows_that_do_not_differ_are_not_significant(values):
    """Equal rows have a p-value of 1, however few or many queries there are."""
    assert comparison_of(values).p_value("0", "1") == 1.0


def test_unknown_rows_and_measures_are_named(index):
    """Asking for a row or a measure that the comparison does not have says which there are."""
    comparison = compare(index, QUERIES, QRELS, settings=["lucene", "tfidf"], measures=["RR"])

    with pytest.raises(ValueError, match="second must be one of 'lucene', 'tfidf', got 'x'"):
        comparison.deltas("lucene", "x")
    with pytest.raises(ValueError, match="measure must be one of RR, got AP"):
        comparison.p_value("lucene", "tfidf", "AP")
    np.testing.assert_array_equal(
        comparison.deltas("lucene", "tfidf", RR), comparison.deltas("lucene", "tfidf", "RR")
    )


def test_it_is_shown_as_a_table():
    """The text table is aligned and names means as people call them; in HTML all text is escaped."""
    evaluation = Evaluation(
        ("q",), {nDCG @ 10: np.array([0.5]), AP @ 5: np.array([1.0]), RR: np.array([0.25])}
    )
    comparison = Comparison({"a<b": evaluation, "longer name": evaluation}, {"a<b": 0.1, "longer name": 12.0})

    assert str(comparison).splitlines() == [
        "scheme       nDCG@10   MAP@5     MRR  seconds",
        "a<b           0.5000  1.0000  0.2500    0.100",
        "longer name   0.5000  1.0000  0.2500   12.000",
    ]
    assert repr(comparison) == "<Comparison of a<b, longer name: 1 query>"
    assert comparison._repr_html_().startswith("<table><tr><th>scheme</th>")
    assert "<td>a&lt;b</td>" in comparison._repr_html_()


def test_it_becomes_a_frame(index):
    """The frame has one row a scheme, one column a measure, and the seconds."""
    pytest.importorskip("pandas", reason="needs pandas (extra `pandas`)")
    comparison = compare(index, QUERIES, QRELS, settings=["lucene", "tfidf"], measures=[RR, AP])
    frame = comparison.to_pandas()

    assert list(frame.columns) == ["name", "RR", "AP", "seconds"]
    assert list(frame["name"]) == ["lucene", "tfidf"]
    assert frame["AP"].tolist() == [means[AP] for means in comparison.means().values()]
