"""Documents read by several processes are the documents: same arrays, same errors, nothing half done."""

from __future__ import annotations

import multiprocessing
import os
import threading

import numpy as np
import pytest
import workers
from equality import assert_same_counts, assert_same_index

from sparsebm25 import Analyzer, BM25Index, _workers
from sparsebm25.counting import count_documents

WORDS = ("red", "kite", "Kites", "high", "the", "naïve", "数据库", "a" * 20, "x")

pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")


def documents(n_docs):
    """Return texts of some words, empty and missing ones among them."""
    generator = np.random.default_rng(n_docs)
    texts = [" ".join(generator.choice(WORDS, size)) for size in generator.integers(0, 9, n_docs)]
    return [None if place % 17 == 0 else text for place, text in enumerate(texts)]


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    """Send little at a time, so that small collections take many turns."""
    monkeypatch.setattr(_workers, "WORKER_CHARACTERS", 500)
    monkeypatch.setattr(_workers, "WORKER_TOKENS", 2)


@pytest.fixture(params=["fork", "spawn"])
def start_method(request):
    """Start processes in one way."""
    if request.param not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system cannot {request.param}")
    before = multiprocessing.get_start_method(allow_none=True)
    multiprocessing.set_start_method(request.param, force=True)
    yield request.param
    multiprocessing.set_start_method(before, force=True)


def test_other_processes_read(start_method):
    """With several processes, it is these that analyze."""
    vocabulary, _ = count_documents(documents(300), workers.process_and_words, n_jobs=2)
    readers = [term for term in vocabulary if term.startswith("process")]

    assert readers
    assert f"process{os.getpid()}" not in readers


@pytest.mark.promise(3)
def test_spawned_processes_read_the_same(start_method):
    """However processes are started, the arrays are those of one process."""
    analyzer = Analyzer(language="english")
    one = count_documents(documents(300), analyzer)
    two = count_documents(documents(300), analyzer, n_jobs=2)

    assert list(one[0]) == list(two[0])
    assert_same_counts(one[1], two[1])


@pytest.mark.promise(3)
@pytest.mark.parametrize("n_jobs", [2, 3])
@pytest.mark.parametrize(
    "analyzer",
    [Analyzer(), Analyzer(language="english"), Analyzer(tokens="identifiers"), str.split],
    ids=["words", "english", "identifiers", "function"],
)
def test_number_of_processes_does_not_show(analyzer, n_jobs):
    """An index of texts, ids and metadata from one generator is the same for any number of processes."""

    def fitted(n_jobs):
        rows = [(text, f"id{place}", {"place": place}) for place, text in enumerate(documents(200))]
        texts, ids, metadata = zip(*rows, strict=True)
        index = BM25Index(analyzer=analyzer)
        return index.fit(iter(texts), iter(ids), metadata=iter(metadata), n_jobs=n_jobs)

    assert_same_index(fitted(1), fitted(n_jobs))


@pytest.mark.promise(3)
def test_fields_and_token_lists_do_not_show_it_either():
    """Nor do fields of all kinds, with more keys than fields, and token lists."""
    rows = [
        {"title": text, "tags": [text, "tag"] if text else None, "lock": threading.Lock()}
        for text in documents(200)
    ]
    indexes = [BM25Index(fields={"title": 2, "tags": 1}).fit(iter(rows), n_jobs=n_jobs) for n_jobs in (1, 2)]
    lists = [(text or "").split() for text in documents(200)]
    plain = [BM25Index(analyzer=None).fit(iter(lists), n_jobs=n_jobs) for n_jobs in (1, 2)]

    assert_same_index(*indexes)
    assert_same_index(*plain)


@pytest.mark.promise(4)
def test_added_by_several_processes():
    """Adding with several processes is fitting all at once with one."""
    texts = documents(300)
    added = BM25Index().fit(texts[:100], n_jobs=2).add(texts[100:], n_jobs=2)

    assert_same_index(added, BM25Index().fit(texts))


@pytest.mark.promise(9)
@pytest.mark.parametrize("wrong", [3, b"red", ["red", 3], lambda: None, {"red": "kite"}])
def test_the_first_wrong_document_is_named(wrong):
    """Of several wrong documents the first is named, as one process does it; the index is as it was."""
    texts = [*documents(150), wrong, *documents(150), 4, 5]
    index = BM25Index().fit(["red kite"])
    errors = []
    for n_jobs in (1, 2):
        with pytest.raises(TypeError) as failed:
            index.add(texts, n_jobs=n_jobs)
        errors.append(str(failed.value))

    assert errors[0] == errors[1]
    assert len(index) == 1


@pytest.mark.promise(9)
def test_an_error_of_an_analyzer_is_its_own():
    """What an analyzer raises is raised here, also where it could not be sent."""
    with pytest.raises(workers.BadText, match="bad text 'a bad one'"):
        BM25Index(analyzer=workers.picky_words).fit([*documents(300), "a bad one"], n_jobs=2)


@pytest.mark.promise(9)
def test_an_analyzer_that_cannot_be_sent_is_refused():
    """A function that pickle does not find by its name is refused before anything is read."""
    analyzer = Analyzer(tokens=lambda text: text.split())
    read = []
    texts = (read.append(text) or text for text in documents(10))

    with pytest.raises(TypeError, match=r"analyzer must be .* pickled for n_jobs=2.*<lambda>"):
        BM25Index(analyzer=analyzer).fit(texts, n_jobs=2)
    assert not read


@pytest.mark.promise(9)
def test_an_analyzer_that_does_not_arrive_is_refused():
    """An analyzer that another process cannot load is refused with the reason."""
    index = BM25Index(analyzer=workers.AtHome("fail"))

    with pytest.raises(TypeError, match=r"analyzer must be .* n_jobs=2.*LookupError: it is not here"):
        index.fit(documents(300), n_jobs=2)
    assert len(index) == 0


@pytest.mark.promise(9)
def test_a_process_that_dies_is_told():
    """If a process is killed, that is the error, and the index is as it was."""
    from concurrent.futures import BrokenExecutor

    index = BM25Index(analyzer=workers.AtHome("die")).fit(["red kite"])

    with pytest.raises(BrokenExecutor):
        index.add(documents(300), n_jobs=2)
    assert len(index) == 1


def test_few_documents_are_under_way():
    """An endless stream is read a few chunks ahead: the first wrong document ends it."""
    n_read = 0

    def endless():
        nonlocal n_read
        while True:
            n_read += 1
            yield 3 if n_read == 1 else "red kite"

    with pytest.raises(TypeError, match="got 3"):
        BM25Index().fit(endless(), n_jobs=2)
    assert n_read < 1_000


def test_few_documents_start_no_process(monkeypatch):
    """What is one chunk is read here, with the same result."""
    monkeypatch.setattr(_workers, "WORKER_CHARACTERS", 10**6)
    vocabulary, _ = count_documents(documents(100), workers.process_and_words, n_jobs=2)

    assert f"process{os.getpid()}" in vocabulary


@pytest.mark.promise(9)
@pytest.mark.parametrize(("n_jobs", "error"), [(0, ValueError), (-2, ValueError), (1.5, TypeError)])
def test_number_of_processes_is_checked(n_jobs, error):
    """A number of processes that cannot be is refused."""
    with pytest.raises(error, match="n_jobs must be an integer"):
        BM25Index().fit(["red"], n_jobs=n_jobs)


def test_one_process_a_processor():
    """With -1 there are as many processes as processors."""
    assert_same_index(BM25Index().fit(documents(200), n_jobs=-1), BM25Index().fit(documents(200)))
