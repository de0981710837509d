"""A grid over k1 and b: one count of the text, the best pair, and a table."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sparsebm25 import BM25Index
from sparsebm25.evaluation import AP, RR, evaluate, nDCG
from sparsebm25.evaluation.sweep import Sweep, sweep

DOCUMENTS = ["red kite", "red red pot", "blue kite over a long blue lake", "old lamp", "kite kite"]
IDS = ["a", "b", "c", "d", "e"]
QUERIES = {"q1": "red kite", "q2": "blue lake", "q3": "kite"}
QRELS = {"q1": {"b": 1}, "q2": {"c": 1}, "q3": {"c": 1, "a": 1}}


@pytest.fixture
def index() -> BM25Index:
    """Return a small index."""
    return BM25Index().fit(DOCUMENTS, IDS)


@pytest.mark.case("E08")
def test_a_grid_takes_one_pass_over_the_text():
    """Nine settings give nine results, and each document is analyzed once."""
    analyzed: list[str] = []

    def analyze(text: str) -> list[str]:
        analyzed.append(text)
        return text.split()

    index = BM25Index(analyzer=analyze).fit(DOCUMENTS, IDS)
    for_the_index = analyzed.copy()
    swept = sweep(index, QUERIES, QRELS, k1=[0.5, 1.2, 2.0], b=[0.0, 0.5, 1.0])

    assert swept.values.shape == (3, 3)
    assert for_the_index == DOCUMENTS
    assert set(analyzed[len(DOCUMENTS) :]) == set(QUERIES.values())


def test_each_cell_is_the_mean_under_its_parameters(index):
    """A cell holds what `evaluate` says of the run with that k1 and b."""
    swept = sweep(index, QUERIES, QRELS, k1=[0.0, 1.5], b=[0.0, 0.75, 1.0], measure="AP", k=2)

    for row, k1 in enumerate([0.0, 1.5]):
        for column, b in enumerate([0.0, 0.75, 1.0]):
            run = index.with_params(k1=k1, b=b).search_many(
                list(QUERIES.values()), 2, query_ids=list(QUERIES)
            )
            assert swept.values[row, column] == evaluate(AP, QRELS, run).means()[AP]


def test_depth_follows_the_measure(index):
    """Without k as many hits are ranked as the measure looks at, which gives the same values as more do."""
    few = sweep(index, QUERIES, QRELS, k1=[1.2], b=[0.0, 0.75], measure=nDCG @ 2)
    many = sweep(index, QUERIES, QRELS, k1=[1.2], b=[0.0, 0.75], measure=nDCG @ 2, k=100, n_jobs=2)

    np.testing.assert_array_equal(few.values, many.values)


def test_the_best_pair_is_the_first_of_the_best():
    """`best` is the pair with the largest value, of equal ones the first, and fits `with_params`."""
    values = np.array([[0.1, 0.4], [0.4, 0.2]])
    best = Sweep(RR, np.array([0.9, 1.2]), np.array([0.3, 0.6]), values).best

    assert best == {"k1": 0.9, "b": 0.6}
    assert BM25Index().with_params(**best).b == 0.6


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ({"k1": []}, "k1 must hold at least one value"),
        ({"b": [0.5, 1.5]}, r"b must be a finite number in \[0, 1\], got 1.5"),
        ({"k1": [math.nan]}, "k1 must be a finite number >= 0, got nan"),
    ],
)
def test_a_wrong_grid_is_refused(index, grid, message):
    """An empty grid, and a value that is not allowed, are refused by name."""
    with pytest.raises(ValueError, match=message):
        sweep(index, QUERIES, QRELS, **grid)


def test_queries_need_ids(index):
    """Queries that are not a mapping are refused."""
    with pytest.raises(TypeError, match="queries must be a mapping"):
        sweep(index, list(QUERIES.values()), QRELS)


def test_progress_sees_every_pair(index):
    """The callable for progress gets all pairs in order."""
    seen: list[tuple[float, float]] = []

    def watch(pairs):
        for pair in pairs:
            seen.append(pair)
            yield pair

    sweep(index, QUERIES, QRELS, k1=[1.0, 2.0], b=[0.5, 0.7], progress=watch)

    assert seen == [(1.0, 0.5), (1.0, 0.7), (2.0, 0.5), (2.0, 0.7)]


def test_it_is_shown_as_a_table():
    """The table has a line for each k1 and a column for each b, in text and in HTML."""
    swept = Sweep(nDCG @ 10, np.array([0.9, 12.0]), np.array([0.0, 0.75]), np.array([[0.1, 0.2], [0.3, 0.4]]))

    assert str(swept).splitlines() == [
        "nDCG@10     b=0  b=0.75",
        "k1=0.9   0.1000  0.2000",
        "k1=12    0.3000  0.4000",
    ]
    assert repr(swept) == "<Sweep of 4 settings: nDCG@10 0.4000 at k1=12, b=0.75>"
    assert swept._repr_html_().count("<td>") == 6


def test_it_becomes_a_frame():
    """The frame has k1 down and b across."""
    pytest.importorskip("pandas", reason="needs pandas (extra `pandas`)")
    frame = Sweep(RR, np.array([0.9]), np.array([0.0, 0.75]), np.array([[0.1, 0.2]])).to_pandas()

    assert frame.loc[0.9, 0.75] == 0.2
    assert (frame.index.name, frame.columns.name) == ("k1", "b")
