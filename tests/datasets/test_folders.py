"""A folder is a BEIR collection or a collection of text files, and is read the same way every time."""

from __future__ import annotations

import gzip
import json
import os
import sys
from pathlib import Path

import pytest

from sparsebm25.datasets import BadLines, load_collection, read_documents, read_queries


def grown(folder: Path, files: dict[str, str | bytes]) -> Path:
    """Return a folder with these files in it."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def read(folder: Path, **options: object) -> dict[str | int, object]:
    """Return the texts of a folder by id."""
    return {record.id: record.text for record in read_documents(folder, **options)}


def jsonl(*rows: dict[str, object]) -> str:
    """Return rows as JSON Lines."""
    return "".join(json.dumps(row) + "\n" for row in rows)


BEIR = {
    "corpus.jsonl": jsonl(
        {"_id": "d1", "title": "Kites", "text": "red kite"}, {"_id": "d2", "title": "", "text": "blue mug"}
    ),
    "queries.jsonl": jsonl({"_id": "q1", "text": "kite"}, {"_id": "q2", "text": "mug"}),
    "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\n",
    "qrels/dev.tsv": "query-id\tcorpus-id\tscore\nq2\td2\t1\n",
}


def test_text_files_are_named_by_their_path(tmp_path):
    """The id of a text file is its path below the folder with forward slashes, and ids come sorted."""
    names = ["b.txt", "a/z.md", "a/b/c.py", "a.txt", "Ä.txt", "no suffix"]
    grown(tmp_path, {name: f"text of {name}" for name in names})

    assert list(read(tmp_path).items()) == [(name, f"text of {name}") for name in sorted(names)]


def test_fields_of_text_files(tmp_path):
    """Fields kept apart, a text file has one, `text`; there are none to choose by name."""
    grown(tmp_path, {"a.txt": "red"})

    assert read(tmp_path, joined=False) == {"a.txt": {"text": "red"}}
    with pytest.raises(ValueError, match="text files have no fields to choose by name"):
        read_documents(tmp_path, text_fields=["title"])


def test_hidden_and_binary_files_are_left_out(tmp_path):
    """Names with a leading dot and files with a NUL byte near the beginning are no documents."""
    kept = {"empty.txt": "", "late.txt": "x" * 8192 + "\0"}
    left = {
        ".hidden": "no",
        ".git/config": "no",
        "a/.b/c.txt": "no",
        "image.png": b"\x89PNG\0\0",
        "u.txt": "no".encode("utf-16"),
    }
    grown(tmp_path, kept | left)

    assert read(tmp_path) == kept


def test_undecodable_bytes_are_replaced(tmp_path):
    """Bytes that are not UTF-8 become U+FFFD, and a byte order mark is dropped."""
    grown(tmp_path, {"latin.txt": "café".encode("latin-1"), "marked.txt": b"\xef\xbb\xbfred"})

    assert read(tmp_path) == {"latin.txt": "caf\ufffd", "marked.txt": "red"}


def test_packed_text_files_are_unpacked(tmp_path):
    """A text file packed by gzip is a document; a packed archive is binary."""
    grown(tmp_path, {"a.txt.gz": gzip.compress(b"red"), "b.tar.gz": gzip.compress(b"red\0" * 128)})

    assert read(tmp_path) == {"a.txt.gz": "red"}


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes need rights there")
def test_links_cannot_trap_the_reader(tmp_path):
    """A linked file is read; linked folders, broken links and pipes are left out, so that loops end."""
    grown(tmp_path, {"a/a.txt": "red"})
    (tmp_path / "a" / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "b.txt").symlink_to(tmp_path / "a" / "a.txt")
    (tmp_path / "broken.txt").symlink_to(tmp_path / "missing.txt")
    (tmp_path / "itself.txt").symlink_to(tmp_path / "itself.txt")
    os.mkfifo(tmp_path / "pipe")

    assert read(tmp_path) == {"a/a.txt": "red", "b.txt": "red"}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_undecodable_names_are_escaped(tmp_path):
    """A file name that is not UTF-8 becomes an id that can be written and stays distinct."""
    for name in (b"caf\xe9.txt", b"caf\xe8.txt"):
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_text("red")

    assert list(read(tmp_path)) == [r"caf\xe8.txt", r"caf\xe9.txt"]


def test_unreadable_text_files_are_named_or_skipped(tmp_path):
    """A file that cannot be read is an error that names it, or is noted and skipped."""
    grown(tmp_path, {"a.txt": "red", "b.gz": b"no gzip", "c.txt": "blue"})
    bad_lines = BadLines()

    with pytest.raises(ValueError, match=r"b\.gz: damaged gzip data"):
        read(tmp_path)
    assert list(read(tmp_path, bad_lines=bad_lines)) == ["a.txt", "c.txt"]
    assert bad_lines.count == 1
    assert "b.gz: damaged gzip data" in bad_lines.messages[0]


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read everything"
)
def test_unreadable_folders_are_named_or_skipped(tmp_path):
    """A folder that cannot be listed is an error that names it, or is noted and skipped."""
    grown(tmp_path, {"a.txt": "red", "shut/b.txt": "blue"})
    (tmp_path / "shut").chmod(0)
    bad_lines = BadLines()

    try:
        with pytest.raises(PermissionError, match="shut"):
            read(tmp_path)
        assert list(read(tmp_path, bad_lines=bad_lines)) == ["a.txt"]
    finally:
        (tmp_path / "shut").chmod(0o700)
    assert bad_lines.count == 1


def test_empty_folder_holds_nothing(tmp_path):
    """A folder without text files has no documents."""
    assert read(tmp_path) == {}


def test_beir_folder_is_recognized(tmp_path):
    """A folder with a corpus file gives its documents and queries; asked for text files, it gives those."""
    grown(tmp_path, BEIR)

    assert read(tmp_path) == {"d1": "Kites red kite", "d2": "blue mug"}
    assert list(read_queries(tmp_path)) == [("q1", "kite"), ("q2", "mug")]
    assert list(read(tmp_path, format="files")) == sorted(BEIR)


def test_packed_beir_folder_equals_plain(tmp_path):
    """A BEIR folder whose JSON Lines are packed by gzip is the same collection."""
    packed = {
        name + ".gz" * name.endswith(".jsonl"): gzip.compress(content.encode())
        if name.endswith(".jsonl")
        else content
        for name, content in BEIR.items()
    }

    plain = load_collection(grown(tmp_path / "plain" / "kites", BEIR))

    assert load_collection(grown(tmp_path / "packed" / "kites", packed)) == plain


def test_collection_holds_one_split(tmp_path):
    """A collection has all documents, and the queries that its split judges."""
    folder = grown(tmp_path / "kites", BEIR)

    test, dev = load_collection(str(folder)), load_collection(folder, split="dev")

    assert repr(test) == "<Collection kites: 2 documents, 1 query, 2 judgments>"
    assert test.ids == dev.ids == ("d1", "d2")
    assert test.fields == ({"title": "Kites", "text": "red kite"}, {"title": "", "text": "blue mug"})
    assert test.documents == ["Kites red kite", "blue mug"]
    assert (test.queries, test.qrels) == ({"q1": "kite"}, {"q1": {"d1": 2, "d2": 0}})
    assert (dev.queries, dev.qrels) == ({"q2": "mug"}, {"q2": {"d2": 1}})


@pytest.mark.parametrize("name", ["qrels.tsv", "qrels.test.tsv", "qrels/test.tsv"])
def test_judgments_are_found(tmp_path, name):
    """The judgments of a split are found under each of their usual names, TREC's columns too."""
    files = {key: content for key, content in BEIR.items() if key.endswith(".jsonl")}

    collection = load_collection(grown(tmp_path, files | {name: "q1\t0\td1\t1\n"}))

    assert collection.qrels == {"q1": {"d1": 1}}


@pytest.mark.case("L06")
def test_judgments_take_the_ids_of_documents(tmp_path):
    """Where ids are numbers, the text of a judgment means the number, unless that text is an id itself."""
    files = {
        "corpus.jsonl": jsonl(
            {"id": 7, "text": "a"},
            {"id": "007", "text": "b"},
            {"id": 8, "text": "c"},
            {"id": "8", "text": "d"},
        ),
        "queries.jsonl": jsonl({"id": 1, "text": "a"}),
        "qrels.tsv": "".join(f"1\t0\t{name}\t1\n" for name in ("7", "007", "8", "elsewhere")),
    }

    assert load_collection(grown(tmp_path, files)).qrels == {1: {7: 1, "007": 1, "8": 1, "elsewhere": 1}}


@pytest.mark.parametrize(
    ("missing", "problem"),
    [
        ("corpus", r"is no BEIR folder: it has no corpus\.jsonl or corpus\.jsonl\.gz"),
        ("queries", r"holds no queries: it has no queries\.jsonl or queries\.jsonl\.gz"),
        ("qrels", r"holds no judgments: it has no qrels\.tsv and no qrels/SPLIT\.tsv"),
    ],
)
def test_missing_parts_are_named(tmp_path, missing, problem):
    """A BEIR folder that lacks a part is refused with the name of what is missing."""
    files = {name: content for name, content in BEIR.items() if not name.startswith(missing)}

    with pytest.raises(ValueError, match=problem):
        load_collection(grown(tmp_path, files))


def test_unknown_split_is_refused(tmp_path):
    """A split that a folder does not have is refused with those that it has."""
    with pytest.raises(ValueError, match="split must be one of 'dev', 'test', got 'train'"):
        load_collection(grown(tmp_path, BEIR), split="train")


def test_missing_folder_is_refused(tmp_path):
    """A folder that is not there is refused as such."""
    with pytest.raises(FileNotFoundError, match="no such file or folder"):
        load_collection(tmp_path / "missing")


@pytest.mark.parametrize(("name", "n_docs", "n_queries"), [("scifact", 5183, 300), ("cranfield", 1400, 225)])
def test_real_collections_load(shared_data, name, n_docs, n_queries):
    """Real collections have their documented numbers of documents and queries, and judge what they hold."""
    collection = load_collection(shared_data / name)

    assert (len(collection.ids), len(collection.queries)) == (n_docs, n_queries)
    assert len(collection.documents) == len(set(collection.ids)) == n_docs
    assert {doc_id for grades in collection.qrels.values() for doc_id in grades} <= set(collection.ids)
