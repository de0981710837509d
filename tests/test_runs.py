"""A run is a mapping over arrays, and its TREC file says the same to whoever reads it."""

from __future__ import annotations

import gzip
import io
import os
import pickle
import threading
import weakref
from collections.abc import Sequence
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsebm25.runs import Run, falling_scores, write_trec

LARGEST = float(np.finfo(np.float32).max)
SMALLEST = float(np.finfo(np.float32).smallest_subnormal)

float32s = st.floats(width=32, allow_nan=False, allow_infinity=False)
tied_scores = st.sampled_from((0.0, -0.0, 1.0, 1 + 1e-9, 0.1, -2.5, SMALLEST, LARGEST, -LARGEST, 1e300))
rankings = st.lists(st.lists(tied_scores | float32s, max_size=8), max_size=5)


def run_of(rankings: Sequence[Sequence[float]], dtype: str = "float64") -> Run:
    """Return a run with these scores, in this order, over documents a0, a1, ..."""
    sizes = [len(scores) for scores in rankings]
    doc_ords = np.array([place for size in sizes for place in range(size)], np.int32)
    scores = np.array([score for scores in rankings for score in scores], np.float64)
    with np.errstate(over="ignore"):
        return Run(
            [f"q{place}" for place in range(len(rankings))],
            np.cumsum([0, *sizes]),
            doc_ords,
            scores.astype(dtype),
            [f"a{place}" for place in range(max(sizes, default=0))],
        )


def lowered(scores: Sequence[float]) -> list[np.float32]:
    """Return what `falling_scores` promises, one score after the other, where there is room below."""
    falling: list[np.float32] = []
    for score in scores:
        highest = np.float32(np.clip(score, -LARGEST, LARGEST))
        if falling:
            highest = min(highest, np.nextafter(falling[-1], np.float32(-np.inf)))
        falling.append(highest)
    return falling


class Decoded(Sequence):
    """Ids that are made when asked for, and cannot be listed."""

    def __len__(self):
        return 10**12

    def __getitem__(self, place):
        return f"doc-{place}"

    def __iter__(self):
        raise AssertionError("all ids were read")


def test_run_is_a_mapping_of_hits():
    """A run maps each query id to its hits, best first, in the order of the queries."""
    run = Run(["x", 3], np.array([0, 2, 2]), np.array([1, 0]), np.array([2.0, 1.0]), ["a", "b"])

    assert list(run) == ["x", 3]
    assert len(run) == 2
    assert [(hit.doc_id, hit.score, hit.doc_ord) for hit in run["x"]] == [("b", 2.0, 1), ("a", 1.0, 0)]
    assert len(run[3]) == 0
    assert "3" not in run
    assert [len(hits) for hits in run.values()] == [2, 0]
    assert run.query_ords.tolist() == [0, 0]
    assert run.to_dict() == {"x": {"b": 2.0, "a": 1.0}, 3: {}}


def test_unknown_query_is_named():
    """Asking for a query that the run does not hold is a KeyError that names it."""
    with pytest.raises(KeyError, match="'q9' is not in this run of 1 queries"):
        run_of([[1.0]])["q9"]


def test_run_cannot_be_changed():
    """Neither the arrays nor the names of a run can be written to, and the caller's array stays writable."""
    scores = np.array([2.0])
    run = Run(["q"], np.array([0, 1]), np.array([0]), scores, ["a"])

    for array in (run.indptr, run.doc_ords, run.scores):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(FrozenInstanceError):
        run.scores = scores
    assert scores.flags.writeable


def test_doc_ids_are_decoded_only_where_looked_at():
    """A table of a trillion ids that decodes them when asked is never listed or copied for a lookup."""
    run = Run(range(1), np.array([0, 1]), np.array([10**11]), np.array([1.0]), Decoded())

    assert run[0].doc_ids == ["doc-100000000000"]
    assert run == run.from_rows([(0, "doc-100000000000", 1.0)])


@pytest.mark.case("L06")
def test_ids_are_kept_verbatim(tmp_path):
    """Ids of any length that look like numbers stay what they are, and type decides."""
    long = "x" * 40
    run = Run.from_rows([("q", "007", 3.0), ("q", 7, 2.0), ("q", "7", 1.5), ("q", long, 1.0)])
    assert list(run.to_dict()["q"]) == ["007", 7, "7", long]

    Run.from_rows([("01", "007", 2.0), ("01", "7", 1.5), ("01", long, 1.0)]).to_trec(tmp_path / "run")
    assert Run.from_trec(tmp_path / "run").to_dict() == {"01": {"007": 2.0, "7": 1.5, long: 1.0}}


@pytest.mark.parametrize(
    ("parts", "error", "message"),
    [
        ({"indptr": np.array([0, 1])}, ValueError, "indptr must rise from 0 to 2 in 2 entries"),
        ({"indptr": np.array([0, 1, 2])}, ValueError, "indptr must rise"),
        ({"indptr": np.array([0.0, 2.0])}, TypeError, "got float64, int64 and float64"),
        ({"doc_ords": np.array([0, 2])}, ValueError, "doc_ords must be at least 0 and below 2, got 0 to 2"),
        ({"doc_ords": np.array([-1, 0])}, ValueError, "got -1 to 0"),
        ({"doc_ords": np.array([0])}, ValueError, "must have one length"),
        ({"scores": np.array([1, 2])}, TypeError, "must be int, int and float arrays"),
        ({"scores": np.array([1.0, np.nan])}, ValueError, "scores must not be NaN"),
        ({"query_ids": ["q", "q"], "indptr": np.array([0, 1, 2])}, ValueError, "got 'q' twice"),
    ],
)
def test_parts_that_do_not_fit_are_refused(parts, error, message):
    """Arrays that make no run together are refused with what was given and what is allowed."""
    good = {
        "query_ids": ["q"],
        "indptr": np.array([0, 2]),
        "doc_ords": np.array([0, 1]),
        "scores": np.array([2.0, 1.0]),
        "doc_ids": ["a", "b"],
    }
    with pytest.raises(error, match=message):
        Run(**(good | parts))


def test_rows_are_ranked_by_score_then_by_their_order():
    """Rows in any order give falling scores per query; equal scores keep the order of the rows."""
    run = Run.from_rows([("q2", "c", 1), ("q1", "a", 1), ("q1", "c", 1), ("q2", "b", 5), ("q1", "d", 2)])

    assert {query: list(docs) for query, docs in run.to_dict().items()} == {
        "q2": ["b", "c"],
        "q1": ["d", "a", "c"],
    }


def test_equality_is_by_content():
    """Runs are equal by query ids, document ids and scores, whatever tables hold the ids."""
    run = run_of([[2.0, 1.0], []])

    assert run == pickle.loads(pickle.dumps(run))
    assert run == Run(["q0", "q1"], run.indptr, np.array([2, 0]), run.scores, ["a1", "x", "a0"])
    assert run != run_of([[2.0, 1.0]])
    assert run != run_of([[2.0, 0.5], []])
    assert run != Run(run.query_ids, run.indptr, run.doc_ords[::-1], run.scores, run.doc_ids)
    assert run != run.to_dict()


@given(rankings, st.integers(0, 5))
def test_chunks_concatenate_to_the_whole(rankings, cut):
    """A run cut between any two queries and joined again is the run."""
    run = run_of(rankings)
    cut = min(cut, len(run))
    edge = run.indptr[cut]
    parts = [
        Run(run.query_ids[:cut], run.indptr[: cut + 1], run.doc_ords[:edge], run.scores[:edge], run.doc_ids),
        Run(
            run.query_ids[cut:], run.indptr[cut:] - edge, run.doc_ords[edge:], run.scores[edge:], run.doc_ids
        ),
    ]

    assert Run.concatenate(parts) == run


def test_concatenate_refuses_what_is_not_one_batch():
    """Chunks over different documents or with a common query are refused; no chunks give an empty run."""
    run = run_of([[1.0]])
    with pytest.raises(ValueError, match="share their doc_ids"):
        Run.concatenate([run, Run(["q9"], run.indptr, run.doc_ords, run.scores, ["other"])])
    with pytest.raises(ValueError, match="got 'q0' twice"):
        Run.concatenate([run, run])
    assert Run.concatenate([]).to_dict() == {}


@given(rankings, st.sampled_from(["float32", "float64"]), st.sampled_from(["run.trec", "run.trec.gz"]))
def test_trec_file_reads_back_to_the_last_bit(tmp_path_factory, rankings, dtype, name):
    """Writing falling scores and reading them gives the same queries, documents, order and bits."""
    run = run_of([sorted(scores, reverse=True) for scores in rankings if scores], dtype)
    path = tmp_path_factory.mktemp("trec") / name
    run.to_trec(path)

    assert Run.from_trec(path) == run


def test_trec_columns():
    """A line is query, Q0, document, rank from 1, score, tag; numbers as ids are written as numbers."""
    stream = io.StringIO()
    Run.from_rows([(1, 7, 0.5), (1, "b", 1.25)]).to_trec(stream, tag="mine")

    assert stream.getvalue() == "1 Q0 b 1 1.25 mine\n1 Q0 7 2 0.5 mine\n"


def test_trec_score_decides_and_not_the_rank_column():
    """Lines are ranked by score; equal scores keep the order of the file; blank lines are none."""
    lines = "q Q0 c 1 1 t\n\nq Q0 b 2 1.0 t\np Q0 a 1 3 t\nq Q0 a 9 2e0 t\n"

    assert Run.from_trec(io.StringIO(lines)).to_dict() == {"q": {"a": 2, "c": 1, "b": 1}, "p": {"a": 3}}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q Q0 b 1 1.0", "line 2 is not 'query Q0 document rank score tag': 'q Q0 b 1 1.0"),
        ("q Q0 b c 1 1.0 t", "line 2 is not"),
        ("q Q0 b 1 high t", "line 2 is not"),
        ("q Q0 b 1 nan t", "line 2 is not"),
        ("q Q0 a 1 2.0 t", "document 'a' occurs twice for query 'q'"),
    ],
)
def test_malformed_trec_line_is_named(tmp_path, line, message):
    """A line that is no line of a run is refused with the file and its number."""
    path = tmp_path / "bad.trec"
    path.write_text(f"q Q0 a 1 1.0 t\n{line}\n", "utf-8")

    with pytest.raises(ValueError, match="bad.trec: " + message):
        Run.from_trec(path)


def test_damaged_files_are_named(tmp_path):
    """A cut gzip file, a file that is no gzip file and one that is not UTF-8 are refused by name."""
    whole = gzip.compress(b"q Q0 a 1 1.0 t\n" * 50)
    for name, content in (("cut.gz", whole[:-12]), ("plain.gz", b"q Q0"), ("latin", b"q Q0 \xe9 1 1.0 t\n")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ValueError, match=name):
            Run.from_trec(tmp_path / name)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("q", "a b", 1.0)], "document id must be text without white space to be written, got 'a b'"),
        ([("q", "", 1.0)], "document id must be text without white space"),
        ([("q\t1", "a", 1.0)], "query id must be text without white space"),
        ([("q", 7, 1.0), ("q", "7", 0.5)], "two different document ids are both written '7'"),
        ([(1, "a", 1.0), ("1", "a", 1.0)], "two different query ids are both written '1'"),
    ],
)
def test_ids_that_cannot_be_columns_are_refused(tmp_path, rows, message):
    """An id that would shift the columns or fall together with another is named, and nothing is written."""
    path = tmp_path / "run.trec"
    path.write_text("as before", "utf-8")
    with pytest.raises(ValueError, match=message):
        Run.from_rows(rows).to_trec(path)

    assert [file.name for file in tmp_path.iterdir()] == ["run.trec"]
    assert path.read_text("utf-8") == "as before"


def test_a_tag_or_a_tie_rule_that_is_none_is_refused(tmp_path):
    """The last column needs a word, and the rule for ties is one of two."""
    with pytest.raises(ValueError, match="tag must be text without white space"):
        run_of([[1.0]]).to_trec(tmp_path / "run", tag="two words")
    with pytest.raises(ValueError, match="ties must be one of 'scores', 'rank', got 'best'"):
        run_of([[1.0]]).to_trec(tmp_path / "run", ties="best")
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_breaks_off_leaves_the_old_file(tmp_path):
    """If making a later block fails, the file keeps its old content and nothing else is left behind."""
    path = tmp_path / "run.trec"
    path.write_text("as before", "utf-8")

    def broken():
        yield run_of([[1.0]])
        raise RuntimeError("power cut")

    with pytest.raises(RuntimeError, match="power cut"):
        write_trec(broken(), path)
    assert [file.name for file in tmp_path.iterdir()] == ["run.trec"]
    assert path.read_text("utf-8") == "as before"


@pytest.mark.case("M10")
def test_blocks_are_written_as_they_come(tmp_path):
    """While a long batch is written, blocks before the last one are let go."""
    made: list[weakref.ref] = []

    def blocks():
        for number in range(5):
            assert all(block() is None for block in made[:-1])
            run = Run([number], np.array([0, 1]), np.array([0]), np.array([1.0]), ["a"])
            made.append(weakref.ref(run))
            yield run
            del run

    write_trec(blocks(), tmp_path / "run")
    assert list(Run.from_trec(tmp_path / "run")) == ["0", "1", "2", "3", "4"]


def test_a_query_is_in_one_block_only(tmp_path):
    """Two blocks with one query are refused: evaluators would join or drop its lines."""
    with pytest.raises(ValueError, match="query 'q0' occurs in two runs"):
        write_trec([run_of([[1.0]]), run_of([[1.0]])], tmp_path / "run")


def test_where_a_run_cannot_be_written_is_said(tmp_path):
    """A folder that is not there is named, not a file of our own making."""
    with pytest.raises(FileNotFoundError, match=r"there is no folder '.*nowhere' to write 'run' to"):
        run_of([[1.0]]).to_trec(tmp_path / "nowhere" / "run")


def test_links_and_pipes_are_kept(tmp_path):
    """Writing through a link changes the file behind it, and a pipe is written to, not replaced."""
    run, target, link, pipe = run_of([[1.0]]), tmp_path / "target", tmp_path / "link", tmp_path / "pipe"
    target.write_text("", "utf-8")
    try:
        link.symlink_to(target)
        os.mkfifo(pipe)
    except (OSError, AttributeError):
        pytest.skip("needs links and pipes")
    run.to_trec(link)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text("utf-8")), daemon=True)
    reader.start()
    run.to_trec(pipe)
    reader.join(timeout=10)

    assert link.is_symlink()
    assert pipe.is_fifo()
    assert read == [target.read_text("utf-8")] == ["q0 Q0 a0 1 1.0 sparsebm25\n"]


def test_packed_file_depends_on_the_run_only(tmp_path):
    """The same run gives the same bytes under any name, packed too."""
    for name in ("one.gz", "two.gz"):
        run_of([[1.0]]).to_trec(tmp_path / name)

    assert (tmp_path / "one.gz").read_bytes() == (tmp_path / "two.gz").read_bytes()
    assert (tmp_path / "one.gz").read_bytes()[3:8] == bytes(5)  # neither a name nor a time


@given(rankings)
def test_falling_scores_fall_in_float32_and_change_least(rankings):
    """Written by rank, each score is the highest float32 below its predecessor and not above itself."""
    rankings = [[score for score in scores if score > -LARGEST] for scores in rankings]
    run = run_of(rankings)
    falling = falling_scores(run.indptr, run.scores)

    assert falling.dtype == np.float32
    for scores, low, high in zip(rankings, run.indptr, run.indptr[1:], strict=False):
        np.testing.assert_array_equal(falling[low:high], lowered(scores))
        assert (np.diff(falling[low:high]) < 0).all()


@pytest.mark.parametrize("score", [LARGEST, -LARGEST, 1e300, -1e300, np.inf, -np.inf, 0.0, -3.75, SMALLEST])
def test_ten_thousand_ties_fall_at_any_height(score):
    """Ten thousand equal scores get different float32 values near them, even at the ends of the range."""
    falling = falling_scores(np.array([0, 1, 10_001]), np.full(10_001, score))

    assert np.isfinite(falling).all()
    assert (np.diff(falling[1:]) < 0).all()
    assert falling[0] == np.float32(np.clip(score, -LARGEST, LARGEST))
    np.testing.assert_allclose(falling, falling[0], rtol=2e-3, atol=1e-40)


def test_rank_file_keeps_the_order_for_trec_eval(tmp_path):
    """A run of ties written by rank is read in its own order by score alone, as evaluators do."""
    run = run_of([[1.0] * 50, [-2.0] * 50])
    run.to_trec(tmp_path / "run", ties="rank")
    lines = [line.split() for line in (tmp_path / "run").read_text("utf-8").splitlines()]
    lines.sort(key=lambda line: (line[0], -np.float32(line[4]), line[2]))

    assert [line[2] for line in lines] == [f"a{place}" for place in range(50)] * 2


def test_pandas_frame():
    """The frame has one row a hit, ranks from 1 within each query, and ids with their type."""
    pytest.importorskip("pandas")
    frame = Run.from_rows([("q", 7, 2.0), ("q", "b", 1.0), (2, "b", 1.0)]).to_pandas()

    assert list(frame.columns) == ["query_id", "doc_id", "rank", "score"]
    assert frame["query_id"].tolist() == ["q", "q", 2]
    assert frame["doc_id"].tolist() == [7, "b", "b"]
    assert frame["rank"].tolist() == [1, 2, 1]


def test_a_run_shows_itself():
    """A run says how much it holds, and its table escapes what ids hold."""
    run = Run.from_rows([("<q>", "<b>", 2.0)])

    assert repr(run) == "<Run of 1 queries, 1 hits>"
    assert "<td>&lt;q&gt;</td><td>1</td><td>&lt;b&gt; (2.0000)</td>" in run._repr_html_()
