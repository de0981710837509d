"""Faults of other libraries in keeping an index: formats, damage, stale answers, slow starts."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases.tiny import exact, ids
from equality import assert_same_array, assert_same_hits
from scipy.sparse import csr_array

from sparsebm25 import BM25Index, IndexFormatError


def edit_header(folder: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """Change the header of a saved index as another version would have written it, checksum included."""
    path = folder / "header.json"
    header = json.loads(path.read_text("utf-8"))
    del header["sha256"]
    change(header)
    header["sha256"] = hashlib.sha256(json.dumps(header, sort_keys=True).encode()).hexdigest()
    path.write_text(json.dumps(header), "utf-8")


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder with its bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


ANSWER = """
import sys
from sparsebm25 import BM25Index
for folder in sys.argv[1:]:
    for mmap in (False, True):
        hits = BM25Index.load(folder, mmap=mmap).search("tin kite", k=5)
        print([(hit.doc_id, hit.score.hex()) for hit in hits])
"""


@pytest.mark.case("P01")
def test_another_process_gives_the_same_bits(tmp_path):
    """A saved index, read or mapped, answers in a new process with the ids and the bits that it had."""
    documents = ["tin kite", "tin roof tin", "paper kite", "fog"]
    expected, folders = [], []
    for scheme in ("lucene", "bm25+", "tfidf"):
        index = BM25Index(scheme).fit(documents, ids=["x-1", 7, "7", "other"])
        folders.append(str(tmp_path / scheme))
        index.save(folders[-1])
        expected += [str([(hit.doc_id, hit.score.hex()) for hit in index.search("tin kite", k=5)])] * 2
    command = [sys.executable, "-c", ANSWER, *folders]
    answers = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()

    assert answers == expected
    assert all("'x-1'" in answer and "(7, " in answer and "('7', " in answer for answer in answers)


@pytest.mark.case("P01")
def test_no_object_array_is_ever_loaded(tmp_path):
    """An array of Python objects, which would run code when read, is refused."""
    exact("tin kite").save(tmp_path / "index")
    (path,) = (tmp_path / "index").rglob("idf.npy")
    np.save(path, np.array([print, None], dtype=object), allow_pickle=True)
    facts = {"bytes": path.stat().st_size, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
    edit_header(tmp_path / "index", lambda header: header["files"]["idf"].update(facts))

    for mmap in (False, True):
        with pytest.raises(IndexFormatError, match=r"idf\.npy"):
            BM25Index.load(tmp_path / "index", mmap=mmap)


@pytest.mark.case("P02")
def test_column_numbers_stay_numbers(tmp_path):
    """Terms that are numbers are numbers after a round trip, and queries find the same."""
    counts = csr_array((np.ones(4, int), np.array([10, 20, 20, 30]), np.array([0, 2, 4])), shape=(2, 31))
    index = BM25Index().fit(counts)
    index.save(tmp_path / "index")

    for loaded in (BM25Index.load(tmp_path / "index"), BM25Index.load(tmp_path / "index", mmap=True)):
        for query in ([20], [10], [30], [10, 30]):
            assert_same_hits(loaded.search(query), index.search(query))
    assert ids(index.search([20])) == [0, 1]


@pytest.mark.case("P03")
def test_older_and_newer_headers(tmp_path):
    """A setting that a header lacks has its default; a format or setting from the future is named."""
    folder = tmp_path / "index"
    exact("tin kite", k1=0.7).save(folder)

    edit_header(folder, lambda header: header["settings"].pop("k1"))
    assert BM25Index.load(folder).k1 == 1.5
    edit_header(folder, lambda header: header["settings"].update(slope=3))
    with pytest.raises(IndexFormatError, match="'slope'"):
        BM25Index.load(folder)
    edit_header(folder, lambda header: header.update(format=999))
    with pytest.raises(IndexFormatError, match="999"):
        BM25Index.load(folder)


@pytest.mark.case("P04")
def test_a_damaged_index_is_refused_and_left_alone(tmp_path):
    """Any file one byte short is named, and neither loading nor saving touches the folder."""
    folder = tmp_path / "index"
    exact("tin kite", "tin roof").save(folder)
    for name, content in contents(folder).items():
        (folder / name).write_bytes(content[:-1])
        damaged = contents(folder)
        with pytest.raises(IndexFormatError, match=Path(name).name):
            BM25Index.load(folder)
        with pytest.raises(IndexFormatError, match=Path(name).name):
            exact("another").save(folder)
        assert contents(folder) == damaged
        (folder / name).write_bytes(content)
    assert len(BM25Index.load(folder)) == 2


KILLED = """
import itertools, os, sys
from sparsebm25 import BM25Index
folder = sys.argv[1]
old, new = BM25Index().fit(["old kite"]), BM25Index().fit(["new kite", "new roof", "new fog"])
for function in ("fsync", "replace", "rmdir"):
    real = getattr(os, function)
    for survived in itertools.count():
        old.save(folder)
        child = os.fork()
        if child == 0:
            calls = itertools.count()
            def dying(*arguments, **named):
                if next(calls) == survived:
                    os._exit(9)
                return real(*arguments, **named)
            setattr(os, function, dying)
            new.save(folder)
            os._exit(0)
        died = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(function, survived, died, len(BM25Index.load(folder)))
        if not died:
            break
"""


@pytest.mark.case("P04")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")
def test_a_process_killed_while_saving(tmp_path):
    """Wherever saving dies, at any flush or rename, there is one whole index: the old or the new one."""
    command = [sys.executable, "-c", KILLED, str(tmp_path / "index")]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    steps = [line.split() for line in printed.splitlines()]
    killed = {
        name: [int(size) for step, _, died, size in steps if step == name and died == "9"]
        for name, *_ in steps
    }

    assert killed["fsync"][:-1] == [1] * (len(killed["fsync"]) - 1)  # the last flush comes after the rename
    assert killed["fsync"][-1] == 3
    assert killed["replace"] == [1]
    assert killed["rmdir"] == [3]  # only the old arrays are left to go
    assert [(died, size) for _, _, died, size in steps if died != "9"] == [("0", "3")] * 3


@pytest.mark.case("P07")
def test_hits_carry_positions_and_payloads_are_looked_up(tmp_path):
    """After a replacement with the same text a hit leads to the new payload."""
    index = BM25Index().fit(["tin kite"] * 4, metadata=[{"version": 1, "place": place} for place in range(4)])
    index.replace(["tin kite"], ids=[3], metadata=[{"version": 2, "place": 3}])
    (hit,) = index.search("kite", where=lambda payload: payload["version"] == 2)

    assert (hit.doc_id, index.metadata[hit.doc_ord]) == (3, {"version": 2, "place": 3})
    index.save(tmp_path / "index")
    assert BM25Index.load(tmp_path / "index").metadata[hit.doc_ord]["version"] == 2


@pytest.mark.case("P08")
def test_texts_are_analyzed_once():
    """Two queries share one build: each text and each query goes through the analyzer once."""
    analyzed: list[str] = []

    def words(text: str) -> list[str]:
        analyzed.append(text)
        return text.split()

    index = BM25Index(analyzer=words).fit(["tin kite", "tin roof"])
    weights = index.postings
    index.search("kite")
    index.search("roof")

    assert analyzed == ["tin kite", "tin roof", "kite", "roof"]
    assert index.postings is weights


@pytest.mark.case("P09")
def test_a_mapped_index_starts_without_reading_its_arrays(tmp_path):
    """Mapping takes the same little memory whatever the size, and every large array is a view of its file."""
    peaks = {}
    for n_docs in (2_000, 40_000):
        folder = tmp_path / str(n_docs)
        counts = csr_array(np.arange(3 * n_docs).reshape(n_docs, 3) % 5)
        exact_index = BM25Index().fit(counts, ids=[f"document {place}" for place in range(n_docs)])
        exact_index.save(folder)
        tracemalloc.start()
        loaded = BM25Index.load(folder, mmap=True)
        peaks[n_docs] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert_same_array(loaded.postings.data, exact_index.postings.data)
        for array in (loaded.counts.indices, loaded.counts.field_tf[0], loaded.postings.data):
            assert not array.flags.writeable
            assert not array.flags.owndata
    assert peaks[40_000] < 1.5 * peaks[2_000]


@pytest.mark.case("P10")
def test_removed_documents_leave_no_trace(tmp_path):
    """Once removal returns, no search finds the document, and a saved index does not hold its words."""
    index = BM25Index().fit(["tin kite", "tin zeppelin", "roof"], ids=["open", "blocked", "other"])
    index.remove(["blocked"])
    index.save(tmp_path / "index")

    assert ids(index.search("tin zeppelin")) == ["open"]
    assert index.search_many(["zeppelin", "tin"]).to_dict().keys() == {0, 1}
    assert [hits.doc_ids for hits in index.search_many(["zeppelin", "tin"]).values()] == [[], ["open"]]
    stored = b"".join(contents(tmp_path / "index").values())
    assert b"zeppelin" not in stored
    assert b"blocked" not in stored
    assert b"kite" in stored
