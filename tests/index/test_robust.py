"""Input that once broke something: refused, or answered right."""

from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
from scipy import sparse

from sparsebm25 import SCHEMES, Analyzer, BM25Index, IndexFormatError

DOCUMENTS = ["red kite", "red pot", "blue mug", ""]


@pytest.fixture
def index():
    """Return a small index."""
    return BM25Index().fit(DOCUMENTS)


def eye(size):
    """Return a unit matrix of counts."""
    return sparse.csr_array(np.eye(size, dtype=int))


def ends_with(code: str) -> int:
    """Run code in a process of its own, because a wrong position in a matrix could end this one."""
    program = "import numpy as np\nfrom scipy import sparse\nfrom sparsebm25 import BM25Index\n" + code
    return subprocess.run([sys.executable, "-c", program], capture_output=True).returncode


@pytest.mark.parametrize("bad", [7, -1, 2**30])
def test_counts_at_positions_outside_are_refused(bad):
    """A matrix whose column numbers leave its shape never reaches compiled code."""
    code = f"""
matrix = sparse.csr_array(np.eye(2, dtype=int)); matrix.indices[0] = {bad}
try:
    BM25Index().fit(matrix)
except ValueError:
    raise SystemExit(3)
"""
    assert ends_with(code) == 3


@pytest.mark.parametrize("bad", [99, -1])
@pytest.mark.parametrize("call", ["search", "search_many"])
def test_query_rows_at_positions_outside_are_refused(bad, call):
    """A sparse query whose column numbers leave its shape never reaches compiled code."""
    code = f"""
index = BM25Index().fit(sparse.csr_array(np.eye(3, dtype=int)))
row = sparse.csr_array(np.array([[1, 0, 1]])); row.indices[1] = {bad}
try:
    index.{call}(row)
except ValueError:
    raise SystemExit(3)
"""
    assert ends_with(code) == 3


def test_entries_outside_of_a_list_of_entries_are_refused():
    """A coordinate matrix that was changed by hand is looked at too."""
    matrix = sparse.coo_array(([1], ([0], [1])), shape=(1, 2))
    matrix.coords[1][0] = 5

    with pytest.raises(ValueError, match="outside"):
        BM25Index().fit(matrix)


@pytest.mark.parametrize("make", [sparse.coo_array, sparse.coo_matrix])
@pytest.mark.parametrize(("dtype", "value"), [("uint8", 200), ("int8", 100), ("float32", 2**24)])
def test_repeated_entries_add_without_wrapping(make, dtype, value):
    """Entries of a narrow type that repeat a position add up exactly."""
    matrix = make((np.array([value, value], dtype), ([0, 0], [0, 0])), shape=(1, 1))

    assert BM25Index().fit(matrix).counts.tf.toarray().tolist() == [[value * 2]]


def test_repeated_entries_beyond_the_limit_are_refused():
    """Entries that fit one by one and not together are refused."""
    twice = (np.array([2**31 - 1] * 2, np.int64), np.array([0, 0]), np.array([0, 2]))

    with pytest.raises(ValueError, match="at most 2147483647"):
        BM25Index().fit(sparse.csr_array(twice, shape=(1, 1)))


@pytest.mark.parametrize(("name", "value"), [("where", [0, 1]), ("boost", [1, 1, 1, 1])])
def test_chunks_take_generators(index, name, value):
    """A filter or boost that can be read once holds for all chunks."""
    runs = index.search_chunks(["red"] * 4, chunk_size=2, **{name: iter(value)})

    assert [len(hits) for run in runs for hits in run.values()] == [2, 2, 2, 2]


@pytest.mark.parametrize(
    "wrong", [{"where": 5}, {"n_jobs": 0}, {"boost": "x"}, {"k": "ten"}, {"chunk_size": 0}]
)
def test_chunks_refuse_at_the_call(index, wrong):
    """Wrong arguments are refused when the chunks are asked for, not when the first is."""
    with pytest.raises((TypeError, ValueError), match=next(iter(wrong))):
        index.search_chunks(["red"], **wrong)


@pytest.mark.parametrize("how", ["add", "replace"])
def test_later_documents_may_lack_a_field(how):
    """A field that the index knows may be missing in documents that come later."""
    index = BM25Index(fields={"title": 2, "body": 1}).fit([{"title": "red", "body": "kite"}])
    getattr(index, how)([{"title": "blue"}], *([[0]] if how == "replace" else []))

    assert len(index.search("blue")) == 1


@pytest.mark.promise(8)
@pytest.mark.parametrize("document", [None, {}, {"title": None, "body": None}])
def test_empty_documents_of_an_index_with_fields(document):
    """Documents without any field are empty documents."""
    assert len(BM25Index(fields={"title": 2, "body": 1}).fit([document])) == 1


@pytest.mark.promise(10)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_child_forked_during_a_write_can_write():
    """A writer that stayed behind in the parent process holds nobody up in the child."""
    index, inside, go_on = BM25Index().fit(DOCUMENTS), threading.Event(), threading.Event()

    def documents():
        yield "a"
        inside.set()
        go_on.wait(30)

    writer = threading.Thread(target=index.add, args=(documents(),), daemon=True)
    writer.start()
    assert inside.wait(30)
    child = os.fork()
    if child == 0:
        signal.alarm(5)
        index.add(["of the child"])
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    go_on.set()
    writer.join(30)

    assert os.waitstatus_to_exitcode(status) == 0
    assert len(index) == 5


def test_a_change_inside_a_change_is_refused(index):
    """An analyzer or generator that changes the index it feeds is told so instead of waiting for itself."""

    def documents():
        yield "a"
        index.add(["b"])

    with pytest.raises(RuntimeError, match="from inside a change of its own"):
        index.add(documents())
    assert len(index) == 4
    assert len(index.add(["c"])) == 5


def test_none_is_not_a_list_of_ids(index):
    """Removing and replacing need ids."""
    with pytest.raises(TypeError, match="ids must be an iterable of ids, got None"):
        index.remove(None)
    with pytest.raises(TypeError, match="ids must be an iterable of ids, got None"):
        index.replace(["x"], ids=None)


def test_adding_nothing_changes_nothing():
    """No documents need no ids."""
    assert len(BM25Index().fit(["x"], ids=["a"]).add([])) == 1


@pytest.mark.promise(11)
def test_a_flipped_byte_in_an_array_is_not_written_over(tmp_path, index):
    """Saving checks what it would replace, to the last byte."""
    index.save(tmp_path / "index")
    (path,) = (tmp_path / "index").rglob("indices.npy")
    content = bytearray(path.read_bytes())
    content[-3] ^= 0xFF
    path.write_bytes(content)

    with pytest.raises(IndexFormatError, match="damaged"):
        index.save(tmp_path / "index")
    assert path.read_bytes() == content


@pytest.mark.parametrize(("base", "name"), [("lucene", "mine"), ("atire", "lucene")])
def test_schemes_of_ones_own_are_not_saved(tmp_path, base, name):
    """A scheme that loading could not find, or would find another for, is refused."""
    own = dataclasses.replace(SCHEMES[base], name=name)

    with pytest.raises(ValueError, match=f"'{name}' is a scheme of your own"):
        BM25Index(own).fit(DOCUMENTS).save(tmp_path / "index")
    assert list(tmp_path.iterdir()) == []


def test_headers_of_killed_saves_are_cleaned_up(tmp_path, index):
    """What a killed save left beside the header goes with the next one."""
    index.save(tmp_path / "index")
    (tmp_path / "index" / "header.json.0123456789abcdef").write_text("{}")
    os.utime(tmp_path / "index" / "header.json.0123456789abcdef", (0, 0))
    index.save(tmp_path / "index")

    assert [path.name for path in (tmp_path / "index").iterdir() if path.is_file()] == ["header.json"]


def test_a_folder_in_place_of_the_header(tmp_path):
    """A folder that is called like the header makes no index."""
    (tmp_path / "index" / "header.json").mkdir(parents=True)

    with pytest.raises(IndexFormatError, match="is not an index"):
        BM25Index.load(tmp_path / "index")


@pytest.mark.parametrize(
    "analyzer", [str.lower, lambda text: {"red": 3}, lambda text: [1], lambda text: None]
)
def test_analyzers_that_return_no_tokens_are_refused(analyzer):
    """A callable that returns a text, a mapping or numbers is named, for documents and for queries."""
    with pytest.raises(TypeError, match="must return a list of str"):
        BM25Index(analyzer=analyzer).fit(["Red"])
    with pytest.raises(TypeError, match="must return a list of str"):
        BM25Index(analyzer=analyzer).search("Red")


@pytest.mark.parametrize("kind", [iter, np.array, tuple])
def test_analyzers_may_return_any_kind_of_list(kind):
    """Iterators, arrays and tuples of tokens mean the same for documents and for queries."""
    index = BM25Index(analyzer=lambda text: kind(text.split())).fit(DOCUMENTS)

    assert index.search("red kite") == BM25Index().fit(DOCUMENTS).search("red kite")


@pytest.mark.parametrize("query", [{"red": 1e300}, {"red": 1e300, "kite": -1e300}, {"red": 10**400}])
def test_query_weights_that_could_overflow_are_refused(index, query):
    """No query makes infinite scores, or NaN of two infinities."""
    with pytest.raises(ValueError, match="the weight of 'red' must be a finite number"):
        index.scores(query)


@pytest.mark.parametrize("boost", [{0: 1e39}, [1e39, 1, 1, 1]])
def test_boosts_that_could_overflow_are_refused(index, boost):
    """No boost makes infinite scores."""
    with pytest.raises(ValueError, match="boost"):
        index.search("red", boost=boost)


@pytest.mark.parametrize(
    ("name", "value"),
    [("k1", 10**400), ("delta", 1e300), ("fields", {"t": 1e308}), ("fields", {"t": 10**400})],
)
def test_parameters_that_could_overflow_are_refused(name, value):
    """No parameter makes infinite weights."""
    with pytest.raises(ValueError, match=name):
        BM25Index("bm25+", **{name: value})


def test_the_largest_allowed_numbers_stay_finite():
    """At the limits of every number together, scores are finite."""
    index = BM25Index("bm25+", k1=1e308, delta=1e6, fields={"t": 1e9}).fit([{"t": "a a a"}, {"t": "b"}])

    assert np.isfinite(index.scores({"a": 1e9, "b": -1e9})).all()
    assert np.isfinite(index.search({"a": 1e9}, boost=[1e9, 1e9]).scores).all()


def test_columns_of_data_frames_as_boosts_and_missing_values(index):
    """A data frame's columns may be boosts, and its ways to say "missing" are empty documents."""
    pandas = pytest.importorskip("pandas")

    assert index.search("red", boost=pandas.Series([1.0, 2, 3, 4])).doc_ids == [1, 0]
    for missing in (pandas.NA, pandas.NaT, np.float32("nan")):
        assert len(BM25Index().fit(["red", missing]).search("red")) == 1


@pytest.mark.parametrize(
    ("act", "error", "message"),
    [
        (
            lambda: BM25Index().fit(eye(3)).search_many(sparse.coo_array([1, 0, 1])),
            ValueError,
            r"shape \(3,\)",
        ),
        (lambda: BM25Index().fit(eye(3)).search(sparse.csr_array([[1j, 0, 1]])), TypeError, "complex128"),
        (
            lambda: BM25Index().fit([["a", ["b"]]]),
            TypeError,
            r"a token must be a str, got \['b'\] of type list",
        ),
        (lambda: BM25Index(dtype=None), ValueError, "dtype must be one of"),
        (
            lambda: BM25Index().fit(["a"]).search({7: 1.0}),
            TypeError,
            "a token of a query must be a str, got 7",
        ),
        (lambda: BM25Index().fit(eye(2)).search({True: 1}), TypeError, "the number of a column, got True"),
        (lambda: BM25Index().fit(eye(3), terms="abc"), TypeError, "terms must be an iterable of terms"),
    ],
)
def test_clear_errors(act, error, message):
    """Each of these once ended in an error that did not say what was wrong, or in none."""
    with pytest.raises(error, match=message):
        act()


def test_an_analyzer_with_a_callable_says_how_to_load(tmp_path):
    """The message names the argument of `load`, not that of another function."""
    BM25Index(analyzer=Analyzer(tokens=str.split)).fit(["a"]).save(tmp_path / "index")

    with pytest.raises(ValueError, match="pass it as analyzer="):
        BM25Index.load(tmp_path / "index")


def test_statistics_of_too_few_documents_are_refused(index):
    """Statistics that would make an idf negative are refused."""
    with pytest.raises(ValueError, match="number of documents or length below its own"):
        index.with_statistics(dataclasses.replace(index.statistics, n_docs=1))
    with pytest.raises(ValueError, match="number of documents or length below its own"):
        index.with_statistics(dataclasses.replace(index.statistics, field_totals=(1,)))
