"""Whatever layout a collection has, its documents and queries come in as they are, one at a time."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsebm25.datasets import BadLines, Record, read_documents, read_queries

line_texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\r\n\ufeff"))
row_texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufeff"))
json_ids = st.integers(-(10**20), 10**20) | row_texts.filter(bool)


def written(folder: Path, name: str, content: str | bytes) -> Path:
    """Return the path of a new file."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def texts_of(source: str | Path, **options: object) -> list[tuple[str | int, object]]:
    """Return ids and texts of all documents."""
    return [(record.id, record.text) for record in read_documents(source, **options)]


def faults_of(path: Path, **options: object) -> tuple[list[str | int], BadLines]:
    """Return the ids that are read when malformed lines are skipped, and what was noted."""
    bad_lines = BadLines()
    ids = [record.id for record in read_documents(path, bad_lines=bad_lines, **options)]
    return ids, bad_lines


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Return a folder that generated files may overwrite."""
    return tmp_path_factory.mktemp("generated")


def feed(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    """Let standard input hold `content`."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))


@pytest.mark.case("L06")
@given(st.lists(st.tuples(json_ids, row_texts, row_texts)))
def test_jsonl_keeps_ids_and_texts(folder, rows):
    """JSON Lines come back verbatim: ids with their type and length, texts with every character."""
    lines = (json.dumps({"id": name, "title": title, "text": text}) for name, title, text in rows)
    path = written(folder, "corpus.jsonl", "\n".join(lines))

    read = texts_of(path, joined=False)

    assert read == [(name, {"title": title, "text": text}) for name, title, text in rows]
    assert [type(name) for name, _ in read] == [type(name) for name, _, _ in rows]


@given(st.lists(st.tuples(line_texts, line_texts)))
def test_tsv_keeps_ids_and_texts(folder, rows):
    """What a TSV file holds comes back verbatim."""
    rows = [(f"d{name}", text) for name, text in rows]
    path = written(folder, "corpus.tsv", "".join(f"{name}\t{text}\n" for name, text in rows))

    assert texts_of(path) == rows


@given(st.lists(st.tuples(row_texts.filter(bool), row_texts)))
def test_csv_keeps_ids_and_texts(folder, rows):
    """What Python's csv module writes comes back verbatim, with quotes and line ends in a cell."""
    stream = io.StringIO()
    csv.writer(stream).writerows([("id", "text"), *rows])
    path = written(folder, "corpus.csv", stream.getvalue())

    assert texts_of(path) == rows


@pytest.mark.case("L06")
def test_alike_ids_stay_apart(tmp_path):
    """The ids "007", "7", 7 and one of 40 characters are four ids."""
    ids = ["007", "7", 7, "x" * 40]
    lines = "".join(json.dumps({"_id": name, "text": "red"}) + "\n" for name in ids)

    assert [name for name, _ in texts_of(written(tmp_path, "corpus.jsonl", lines))] == ids


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("corpus.jsonl", '{"id": "a", "text": "red kite"}\n{"id": "b", "text": ""}\n'),
        ("corpus.tsv", "a\tred kite\nb\t\n"),
        ("corpus.csv", 'id,text\na,red kite\nb,""\n'),
    ],
)
def test_packed_and_piped_equal_plain(tmp_path, monkeypatch, name, content):
    """A file, the same packed by gzip, and the same on standard input give the same documents."""
    expected = [("a", "red kite"), ("b", "")]

    assert texts_of(written(tmp_path, name, content)) == expected
    assert texts_of(str(written(tmp_path, f"{name}.gz", gzip.compress(content.encode())))) == expected
    feed(monkeypatch, content.encode())
    assert texts_of("-", format=name.removeprefix("corpus.")) == expected


def test_standard_input_is_jsonl_and_stays_open(monkeypatch):
    """Standard input is read as JSON Lines unless told otherwise, and is not closed."""
    feed(monkeypatch, b'{"id": 1, "text": "red"}\n')

    assert texts_of("-") == [(1, "red")]
    assert not sys.stdin.buffer.closed


def test_documents_stream(monkeypatch):
    """The first document is there before the second line is read."""
    taken = []

    def lines() -> Iterator[bytes]:
        for number in range(3):
            taken.append(number)
            yield b'"red"\n'

    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=lines()))
    documents = read_documents("-")

    assert taken == []
    assert next(documents).id == 1
    assert taken == [0]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("windows.jsonl", b'\xef\xbb\xbf{"id": "a", "text": "red"}\r\n\r\n{"id": "b", "text": "blue"}'),
        ("windows.tsv", b"\xef\xbb\xbfa\tred\r\n\r\nb\tblue"),
        ("windows.csv", b"\xef\xbb\xbfid,text\r\na,red\r\n\r\nb,blue"),
    ],
)
def test_windows_files_are_files(tmp_path, name, content):
    """A byte order mark, CRLF line ends, blank lines and a missing last line end change nothing."""
    assert texts_of(written(tmp_path, name, content)) == [("a", "red"), ("b", "blue")]


def test_other_line_breaks_do_not_end_a_line(tmp_path):
    """Only a line feed ends a line: U+2028, U+0085, form feed and carriage return may stand in a text."""
    text = "a\u2028b\u0085c\x0cd\re"

    assert texts_of(written(tmp_path, "corpus.tsv", f"d1\t{text}\n")) == [("d1", text)]


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ({"title": "Kites", "text": "red"}, "Kites red"),
        ({"title": "", "text": "red"}, "red"),
        ({"title": "Kites", "text": ""}, "Kites"),
        ({"title": None, "text": "red"}, "red"),
        ({"title": "Kites"}, "Kites"),
        ({"contents": "red"}, "red"),
        ({"title": "Kites", "body": "red"}, "Kites red"),
        ({"text": "red", "contents": "blue", "body": "green"}, "red"),
        ({"text": None}, ""),
        ({"text": float("nan")}, ""),
        ({"text": ["red", "kite"]}, "red kite"),
        ({"text": []}, ""),
    ],
)
def test_title_and_text_are_joined(tmp_path, row, text):
    """The text is the title, a blank and the body, of which either may be empty, null or NaN."""
    path = written(tmp_path, "corpus.jsonl", json.dumps({"id": "d"} | row))

    assert texts_of(path) == [("d", text)]


@pytest.mark.parametrize("key", ["_id", "id", "doc_id", "docno"])
def test_usual_names_of_ids(tmp_path, key):
    """The id is found under each of its usual names."""
    assert texts_of(written(tmp_path, "corpus.jsonl", json.dumps({key: "d", "text": "red"}))) == [
        ("d", "red")
    ]


def test_first_usual_name_is_the_id(tmp_path):
    """If a record has two of the usual names, the earlier in the list is its id and the other metadata."""
    path = written(tmp_path, "corpus.jsonl", '{"id": "b", "_id": "a", "text": "red", "year": 1999}')

    assert list(read_documents(path)) == [Record("a", "red", {"id": "b", "year": 1999})]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("corpus.jsonl", '{"key": 7, "head": "Kites", "year": "1999"}'),
        ("corpus.tsv", "key\thead\tyear\n7\tKites\t1999\n"),
        ("corpus.csv", "key,head,year\n7,Kites,1999\n"),
    ],
)
def test_chosen_names(tmp_path, name, content):
    """Names of one's own select id and fields; what is not selected is metadata."""
    path = written(tmp_path, name, content)

    (record,) = read_documents(path, id_field="key", text_fields=["head", "body"], joined=False)

    assert str(record.id) == "7"
    assert record.text == {"head": "Kites"}
    assert record.metadata == {"year": "1999"}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("corpus.jsonl", '{"text": "red"}\n\n{"text": "blue", "year": 1}\n'),
        ("strings.jsonl", '"red"\n\n"blue"\n'),
        ("lines.txt", "red\n\nblue\n"),
        ("corpus.csv", "text\nred\nblue\n"),
    ],
)
def test_documents_without_ids_are_numbered(tmp_path, name, content):
    """Without ids a document's id is the number of its line, an int."""
    first = 2 if name.endswith(".csv") else 1

    ids = [name for name, _ in texts_of(written(tmp_path, name, content))]

    assert ids == [first, 3]


def test_given_ids_and_numbers_never_mix(tmp_path):
    """The first record decides whether a source has ids, so that no number can meet a given id."""
    named = written(tmp_path, "named.jsonl", '{"id": 2, "text": "a"}\n{"text": "b"}\n')
    numbered = written(tmp_path, "numbered.jsonl", '{"text": "a"}\n{"id": 1, "text": "b"}\n')

    with pytest.raises(ValueError, match=r"named\.jsonl:2: no id: the first record has one"):
        texts_of(named)
    with pytest.raises(ValueError, match=r"numbered\.jsonl:2: id is given, but the first record has no id"):
        texts_of(numbered)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("docno\ttext\nd1\tred\n", [("d1", "red")]),
        ("id\turl\ttitle\tbody\nd1\tu\tKites\tred\n", [("d1", "Kites red")]),
        ("id\tred\n", [("id", "red")]),
        ("text\tid\n", [("text", "id")]),
        ("d1\tu\tKites\tred\n", [("d1", "u\tKites\tred")]),
        ("red\nblue\tkite\n", [(1, "red"), (2, "blue\tkite")]),
    ],
)
def test_first_line_of_tsv_decides(tmp_path, content, expected):
    """A first line with an id name and a text name is a header; one without a tab makes all lines texts."""
    assert texts_of(written(tmp_path, "corpus.tsv", content)) == expected


def test_csv_cells_may_be_long(tmp_path):
    """A cell may be longer than the csv module's limit, which stays as it was."""
    limit = csv.field_size_limit()
    text = "red " * limit

    assert texts_of(written(tmp_path, "corpus.csv", f"id,text\nd1,{text}\n")) == [("d1", text)]
    assert csv.field_size_limit() == limit


@pytest.mark.parametrize("name", ["empty.jsonl", "empty.tsv", "empty.csv", "empty.txt.gz", "blank.jsonl"])
def test_empty_sources_hold_nothing(tmp_path, name):
    """A source without a record is no error."""
    content = gzip.compress(b"") if name.endswith(".gz") else b"\n \n" if name == "blank.jsonl" else b""

    assert texts_of(written(tmp_path, name, content)) == []


GOOD = '{"id": "a", "text": "red"}\n'


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("c.jsonl", GOOD + "{\n", r"c\.jsonl:2: not JSON: .* at column \d+, one object a line is needed"),
        ("c.jsonl", GOOD + '[{"id": "b"}]\n', r"c\.jsonl:2: one JSON object or string a line is needed"),
        ("c.jsonl", GOOD + "7\n", r"c\.jsonl:2: one JSON object or string a line is needed, got 7"),
        (
            "c.jsonl",
            GOOD + '{"id": "b"}\n',
            r"c\.jsonl:2: no text: one of title, text, contents, body is needed",
        ),
        ("c.jsonl", GOOD + '{"id": 1.5, "text": ""}\n', r"c\.jsonl:2: id must be text .* got 1\.5"),
        ("c.jsonl", GOOD + '{"id": true, "text": ""}\n', r"c\.jsonl:2: id must be text .* got True"),
        ("c.jsonl", GOOD + '{"id": null, "text": ""}\n', r"c\.jsonl:2: id must be text .* got None"),
        ("c.jsonl", GOOD + '{"id": "", "text": ""}\n', r"c\.jsonl:2: id must be text that is not empty"),
        (
            "c.jsonl",
            GOOD + '{"id": "b", "text": {}}\n',
            r"c\.jsonl:2: text must be text, a list of texts or null",
        ),
        (
            "c.jsonl",
            GOOD + '{"id": "b", "text": [1]}\n',
            r"c\.jsonl:2: text must be text, a list of texts or null",
        ),
        ("c.jsonl", GOOD + "[" * 100_000 + "\n", r"c\.jsonl:2: JSON is nested too deeply"),
        ("c.jsonl", GOOD.encode() + b'"\xe9"\n', r"c\.jsonl:2: not UTF-8: byte 0xe9 at byte 2"),
        ("c.tsv", "a\tred\nblue\n", r"c\.tsv:2: an id, a tab and a text are needed, .* got 'blue'"),
        ("c.tsv", "a\tred\n\tblue\n", r"c\.tsv:2: id must be text that is not empty"),
        ("c.tsv", "id\ttext\nb\n", r"c\.tsv:2: 2 columns are needed, as in the header, got 1"),
        ("c.tsv", b"a\tred\nb\t\xff\n", r"c\.tsv:2: not UTF-8: byte 0xff at byte 3"),
        ("c.csv", "id,text\nb\n", r"c\.csv:2: 2 columns are needed, as in the header, got 1"),
        ("c.csv", "id,text\nb,red,\n", r"c\.csv:2: 2 columns are needed, as in the header, got 3"),
        ("c.csv", b"id,text\nb,\xff\n", r"c\.csv:2: not UTF-8"),
        ("c.csv", 'id,text\nb,"red\n', r"c\.csv:2: not CSV: unexpected end of data"),
        ("c.csv", 'id,text\nb,"red"x\n', r"c\.csv:2: not CSV: "),
    ],
)
def test_malformed_lines_are_named_and_can_be_skipped(tmp_path, name, content, problem):
    """A malformed line is an error with file, line and what is allowed, or is noted with the same words."""
    path = written(tmp_path, name, content)

    with pytest.raises(ValueError, match=problem) as caught:
        texts_of(path)
    ids, bad_lines = faults_of(path)

    assert "b" not in ids
    assert (bad_lines.count, bad_lines.messages) == (1, [str(caught.value)])


def test_reading_goes_on_after_malformed_lines(tmp_path):
    """Skipped lines are counted, the first five messages are kept, and everything else is read."""
    lines = "".join(f'{{"id": {number}, "text": ""}}\nno\n' for number in range(7))

    path = written(tmp_path, "corpus.jsonl", lines)
    ids, bad_lines = faults_of(path)

    assert ids == list(range(7))
    assert bad_lines.count == 7
    numbers = [message.removeprefix(f"{path}:").partition(":")[0] for message in bad_lines.messages]
    assert numbers == ["2", "4", "6", "8", "10"]


def test_csv_faults_name_the_line_where_a_record_begins(tmp_path):
    """A quoted cell may span lines: a faulty record has the number of its first line and is skipped whole."""
    content = b'id,text\na,"red\nkite"\nb,"blue\n\xff"\nc,"two\nlines",more\nd,green\n'

    ids, bad_lines = faults_of(written(tmp_path, "corpus.csv", content))

    assert ids == ["a", "d"]
    assert [message.rpartition("corpus.csv:")[2][:2] for message in bad_lines.messages] == ["4:", "6:"]


@pytest.mark.parametrize(
    ("name", "content", "options", "problem"),
    [
        ("c.csv", "1,red\n2,blue\n", {}, "c.csv:1: the header needs one of title, text, contents, body"),
        ("c.csv", "id,text,text\n", {}, "c.csv:1: the header names a column twice"),
        ("c.tsv", "id\ttext\n", {"text_fields": ["head"]}, "c.tsv:1: the header needs one of head"),
    ],
)
def test_headers_cannot_be_skipped(tmp_path, name, content, options, problem):
    """A header without a text column, or with a column twice, is an error whatever is skipped."""
    with pytest.raises(ValueError, match=problem):
        faults_of(written(tmp_path, name, content), **options)


def test_chosen_id_is_required(tmp_path):
    """A record without the id of the caller's choice is malformed, not numbered."""
    path = written(tmp_path, "corpus.jsonl", GOOD)

    with pytest.raises(ValueError, match=r"corpus\.jsonl:1: no id: key is needed, got id, text"):
        texts_of(path, id_field="key")


@pytest.mark.parametrize("content", [b"no gzip", gzip.compress(b'"red"\n' * 100)[:-9]])
def test_damaged_gzip_is_named(tmp_path, content):
    """What is not gzip, or ends early, is an error that names the file, whatever is skipped."""
    path = written(tmp_path, "corpus.jsonl.gz", content)

    with pytest.raises(ValueError, match=r"corpus\.jsonl\.gz: damaged gzip data"):
        faults_of(path)


@pytest.mark.parametrize("read", [read_documents, read_queries])
def test_what_cannot_be_read_is_refused_at_once(tmp_path, read):
    """A missing source, an unknown format and one that does not suit are refused before the first record."""
    path = written(tmp_path, "corpus.jsonl", GOOD)
    plain = written(tmp_path, "corpus.dat", GOOD)

    with pytest.raises(FileNotFoundError, match=r"no such file or folder: .*missing\.jsonl"):
        read(tmp_path / "missing.jsonl")
    with pytest.raises(ValueError, match=r"format must be one of .*'jsonl'.*, got 'xml'"):
        read(path, format="xml")
    with pytest.raises(ValueError, match=r"format of a file must be one of .*, got 'beir'"):
        read(path, format="beir")
    with pytest.raises(ValueError, match=r"format of a folder must be one of .*, got 'csv'"):
        read(tmp_path, format="csv")
    with pytest.raises(ValueError, match=r"format of standard input must be one of .*, got 'files'"):
        read("-", format="files")
    with pytest.raises(ValueError, match=r"corpus\.dat tells no format .* name it: jsonl, tsv, csv"):
        read(plain)
    assert len(list(read(plain, format="jsonl"))) == 1


def test_fields_must_be_several_names(tmp_path):
    """Fields given as one string are refused rather than read letter by letter, and so are no fields."""
    path = written(tmp_path, "corpus.jsonl", GOOD)

    with pytest.raises(TypeError, match="text_fields must be a sequence of names, got the string 'text'"):
        read_documents(path, text_fields="text")
    with pytest.raises(ValueError, match=r"text_fields must name one field at least, got \[\]"):
        read_documents(path, text_fields=[])


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("q.jsonl", '{"_id": "q1", "text": "red"}\n{"_id": "q2", "text": "blue", "title": "no"}\n'),
        ("q.jsonl", '{"qid": "q1", "query": "red"}\n{"qid": "q2", "query": "blue"}\n'),
        ("q.tsv", "q1\tred\nq2\tblue\n"),
        ("q.tsv", "query_id\tquery\nq1\tred\nq2\tblue\n"),
        ("q.csv", "id,text\nq1,red\nq2,blue\n"),
    ],
)
def test_queries_of_every_layout(tmp_path, name, content):
    """Queries are pairs of id and text, from each layout and under their usual names."""
    assert list(read_queries(written(tmp_path, name, content))) == [("q1", "red"), ("q2", "blue")]


def test_queries_by_chosen_names(tmp_path):
    """Names of one's own select id and text of a query."""
    path = written(tmp_path, "q.csv", "number,question\n7,red\n")

    assert list(read_queries(path, id_field="number", text_field="question")) == [("7", "red")]


def test_one_query_a_line(tmp_path):
    """A text file holds a query a line, named by its number."""
    assert list(read_queries(written(tmp_path, "q.txt", "red\nblue\n"))) == [(1, "red"), (2, "blue")]
