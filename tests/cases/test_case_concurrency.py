"""Faults of other libraries under threads and processes: torn states, lost updates, deadlocks."""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import cycle
from typing import Any

import pytest
from equality import assert_same_hits, assert_same_index

from sparsebm25 import BM25Index, Hit

WAIT = 60
"""Seconds after which something that should have happened is taken for a deadlock."""


def finished(*threads: threading.Thread) -> bool:
    """Return whether all threads end in time."""
    for thread in threads:
        thread.join(WAIT)
    return not any(thread.is_alive() for thread in threads)


@pytest.mark.case("C01")
def test_a_reader_sees_one_version_at_a_time():
    """While a writer swaps three documents for one and back, each answer is that of one version, whole."""
    versions = {"three": (["tin kite", "tin roof", "tin"], ["a", "b", "c"]), "one": (["tin fog"], ["z"])}
    index = BM25Index().fit(*versions["three"])
    answers = {name: list(BM25Index().fit(*version).search("tin")) for name, version in versions.items()}
    stop, errors, deadline = threading.Event(), [], time.monotonic() + WAIT

    def all_met(seen: list[list[Hit]]) -> bool:
        return all(answer in seen for answer in answers.values())

    def swap() -> None:
        try:
            for version in cycle(versions.values()):
                if stop.wait(0.001):  # lets the reader get ahead: it meets each version
                    return
                index.fit(*version)
        except BaseException as error:
            errors.append(error)

    writer = threading.Thread(target=swap, daemon=True)
    writer.start()
    try:
        seen: list[list[Hit]] = []
        # The system may let a busy reader run long before the writer has its turn: ask until both were met.
        while len(seen) < 10_000 or (not all_met(seen) and time.monotonic() < deadline):
            seen += [list(index.search("tin")) for _ in range(100)]
    finally:
        stop.set()
    assert finished(writer)
    assert not errors

    assert all(answer in answers.values() for answer in seen)
    assert all_met(seen)


@pytest.mark.case("C02")
def test_a_document_added_during_a_rebuild_is_kept():
    """What is added while all documents are counted anew is there when both are done."""
    index = BM25Index().fit(["old kite"], ids=["old"])
    rebuilding, go_on = threading.Event(), threading.Event()

    def documents() -> Iterator[str]:
        yield "new kite"
        rebuilding.set()
        assert go_on.wait(WAIT)
        yield "new roof"

    rebuild = threading.Thread(target=index.fit, args=(documents(), ["n1", "n2"]), daemon=True)
    rebuild.start()
    assert rebuilding.wait(WAIT)
    late = threading.Thread(target=index.add, args=(["late kite"], ["late"]), daemon=True)
    late.start()
    assert index.search("kite").doc_ids == ["old"]  # readers do not wait
    go_on.set()

    assert finished(rebuild, late)
    assert index.search("kite").doc_ids == ["n1", "late"]
    assert_same_index(index, BM25Index().fit(["new kite", "new roof", "late kite"], ids=["n1", "n2", "late"]))


@pytest.mark.case("C03")
@pytest.mark.parametrize("method", ["fit", "add", "replace"])
def test_a_failing_update_changes_nothing(method):
    """An analyzer that fails on the second of three texts leaves the index as it was, and the retry works."""
    fails = [True]

    def words(text: str) -> list[str]:
        if text.startswith("bad") and fails[0]:
            raise RuntimeError("out of order")
        return text.split()

    settings = {"analyzer": words}
    before = ["tin kite", "tin roof", "fog"]
    index, untouched = BM25Index(**settings).fit(before, ids=[0, 1, 2]), BM25Index(**settings).fit(before)
    batch = (["good text", "bad text", "more of it"], [0, 1, 2] if method == "replace" else [3, 4, 5])

    with pytest.raises(RuntimeError, match="out of order"):
        getattr(index, method)(*batch)
    assert_same_index(index, untouched)
    fails[0] = False
    getattr(index, method)(*batch)
    assert index.search("bad").doc_ids == [batch[1][1]]


@pytest.mark.case("C04")
def test_threads_answer_as_one():
    """Eight threads with a hundred queries each give the serial answers, on an index never asked before."""
    documents = [f"tin w{place % 7} w{place % 11} w{place % 13}" for place in range(300)]
    queries = [f"tin w{place % 13} w{place % 5}" for place in range(100)]
    serial = [BM25Index().fit(documents).search(query, k=20) for query in queries[:13]]
    index = BM25Index().fit(documents)
    together = threading.Barrier(8)

    def ask(_: int) -> list[Any]:
        together.wait(WAIT)
        return [index.search(query, k=20) for query in queries]

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, range(8)))

    for hits in zip(*answers, strict=True):
        for one in hits[1:]:
            assert_same_hits(one, hits[0])
    for expected, found in zip(serial, answers[0][:13], strict=True):
        assert_same_hits(found, expected)


@pytest.mark.case("C05")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")  # forking, from 3.12 on
@pytest.mark.parametrize(
    "method", sorted({"fork", "spawn"}.intersection(multiprocessing.get_all_start_methods()))
)
def test_a_pool_of_processes_answers_as_one(method, tmp_path):
    """Two workers, forked or spawned, answer as their parent does, in memory and mapped."""
    index = BM25Index("bm25+").fit(["tin kite", "tin roof", "paper kite", "fog"], ids=["a", 7, "7", "d"])
    index.save(tmp_path / "index")
    mapped = BM25Index.load(tmp_path / "index", mmap=True)
    queries = ["tin", "kite fog", "roof", "unheard", ""] * 4

    with multiprocessing.get_context(method).Pool(2) as pool:
        waiting = [pool.map_async(partial(asked.search, k=3), queries) for asked in (index, mapped)]
        answers = [result.get(WAIT) for result in waiting]

    for found in answers:
        for query, hits in zip(queries, found, strict=True):
            assert_same_hits(hits, index.search(query, k=3))
