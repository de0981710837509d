"""Judgments are read from every file that is in use, and what cannot be meant is refused by line."""

from __future__ import annotations

import gzip
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsebm25.evaluation import Qrel, ScoredDoc, evaluate, read_qrels, write_qrels

ids = st.text(st.characters(exclude_categories=("Z", "C")), min_size=1, max_size=4)
qrels_files = st.dictionaries(
    ids, st.dictionaries(ids, st.integers(-3, 5), min_size=1, max_size=4), max_size=4
)


@pytest.mark.parametrize(
    "text",
    [
        "q1 0 a 1\nq1 0 b 0\nq2 Q0 a -1\n",
        "q1\t0\ta\t1\r\nq1\t0\tb\t0\r\n\r\nq2\t0\ta\t-1\r\n",
        "  q1   0 \t a  1\nq1 0 b 0\nq2 0 a -1",
        "query-id\tcorpus-id\tscore\nq1\ta\t1\nq1\tb\t0\nq2\ta\t-1\n",
        "\ufeffq1 0 a 1\nq1 0 b 0\nq1 0 a 1\nq2 0 a -1\n",
    ],
    ids=["trec", "tsv", "ragged", "beir", "byte-order-mark-and-repeat"],
)
@pytest.mark.parametrize("name", ["qrels", "qrels.tsv.gz"])
def test_every_layout_reads_alike(tmp_path, text, name):
    """TREC columns, tabs and BEIR's header, packed or not, give the same judgments, in their order."""
    content = text.encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    qrels = read_qrels(tmp_path / name)

    assert qrels == {"q1": {"a": 1, "b": 0}, "q2": {"a": -1}}
    assert [*qrels, *qrels["q1"]] == ["q1", "q2", "a", "b"]


@pytest.mark.case("L06")
def test_ids_in_a_file_are_kept_verbatim():
    """Ids that look like numbers, are long, or hold spaces between tabs, are read as they are written."""
    long = "x" * 40
    lines = f"007\t0\t7\t1\n7\t0\t007\t1\n7\t0\ta file.txt\t2\n7\t0\t{long}\t0\n"

    assert read_qrels(io.StringIO(lines)) == {"007": {"7": 1}, "7": {"007": 1, "a file.txt": 2, long: 0}}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q1 0 b", "line 2 is not 'query iteration document grade': 'q1 0 b"),
        ("q1 0 b c 1", "line 2 is not"),
        ("q1 0 b high", "line 2 is not"),
        ("q1 0 b 0.5", "line 2 is not"),
        ("q1\t0\t\t1", "line 2 is not"),
        ("query-id corpus-id score", "line 2 is not"),
        ("q1 0 a 2", "line 2 grades document 'a' for query 'q1' 2, after 1 before"),
    ],
)
def test_malformed_judgment_is_named(tmp_path, line, message):
    """A line that is no judgment, or contradicts one, is refused with the file and its number."""
    path = tmp_path / "bad.qrels"
    path.write_text(f"q1 0 a 1\n{line}\n", "utf-8")

    with pytest.raises(ValueError, match="bad.qrels: " + message):
        read_qrels(path)


def test_missing_column_below_a_beir_header_is_named():
    """Below BEIR's header, a TREC line is malformed."""
    with pytest.raises(ValueError, match="the stream: line 2 is not 'query-id corpus-id score'"):
        read_qrels(io.StringIO("query-id\tcorpus-id\tscore\nq1\t0\ta\t1\n"))


@given(qrels_files)
def test_written_judgments_read_back(tmp_path_factory, qrels):
    """Judgments in any accepted form are written and read back equal."""
    path = tmp_path_factory.mktemp("qrels") / "qrels.gz"
    write_qrels(qrels, path)
    assert read_qrels(path) == qrels

    write_qrels([Qrel(q, d, grade) for q, grades in qrels.items() for d, grade in grades.items()], path)
    assert read_qrels(path) == qrels


@pytest.mark.parametrize(
    ("qrels", "error", "message"),
    [
        ({"q": {"a b": 1}}, ValueError, "document id must be text without white space"),
        ({"q": {7: 1, "7": 1}}, ValueError, "two different document ids are both written '7'"),
        ({"q": {"a": 0.5}}, TypeError, "relevance must be an integer, got 0.5"),
        ({"q": ["a"]}, TypeError, r"qrels must map query 'q' to a mapping, got \['a'\]"),
        (
            [("q", "a")],
            TypeError,
            r"qrels must hold rows of query id, document id and value, got \('q', 'a'\)",
        ),
        ([Qrel("q", "a", 1), Qrel("q", "a", 0)], ValueError, "must grade document 'a' once for query 'q'"),
        ("qrels.tsv", TypeError, "qrels must be a mapping of mappings or an iterable of rows"),
        (None, TypeError, "qrels must be a mapping of mappings or an iterable of rows, got None"),
    ],
)
def test_judgments_of_another_form_are_refused(tmp_path, qrels, error, message):
    """What is no judgment is named, and no file appears."""
    with pytest.raises(error, match=message):
        write_qrels(qrels, tmp_path / "qrels")
    assert list(tmp_path.iterdir()) == []


def test_rows_may_have_more_columns():
    """Rows of other libraries, which carry the iteration or a tag, are read as far as they are ours."""
    values = evaluate("RR", [("q", "a", 1, "0")], [ScoredDoc("q", "b", 2.0), ("q", "a", 1.0, "tag")])

    assert list(values.means().values()) == [0.5]


def test_real_judgments_are_read_whole(shared_data):
    """Every judgment of the real collections is read."""
    paths = sorted(shared_data.glob("*/qrels*.tsv"))
    assert paths
    for path in paths:
        n_lines = len(set(path.read_text("utf-8").splitlines()))
        assert sum(map(len, read_qrels(path).values())) == n_lines
