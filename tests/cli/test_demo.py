"""``demo``: no files and no network, and its tables are true."""

from __future__ import annotations

import re
import socket

import pytest

from sparsebm25.cli._demo import linked_qrels, own_qrels
from sparsebm25.datasets import Collection
from sparsebm25.evaluation.compare import COMPARED


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every connection fail."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the demo must not use the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.mark.usefixtures("no_network")
def test_it_ranks_what_is_installed(run):
    """The demo reads sources, ranks them under all schemes, and prints tables, times and examples."""
    outcome = run("demo", "--packages", "email,asyncio", "--n-queries", "20")

    assert (outcome.status, outcome.errors) == (0, [])
    steps = re.findall(r"^(.*?) +\d+\.\d\d s$", outcome.out, re.MULTILINE)
    assert steps[:2] == ["read the sources", "counted the words"]
    assert [len(re.findall(f"^{re.escape(name)} +0", outcome.out, re.MULTILINE)) for name in COMPARED] == [
        2
    ] * len(COMPARED)
    assert outcome.out.count("of lucene beside tfidf") == 2
    assert re.search(r"^  1 [ *] +\d+\.\d{4}  (email|asyncio)\.", outcome.out, re.MULTILINE)


def test_a_missing_package_is_said(run):
    """A package that is not installed is named, and the rest is ranked."""
    outcome = run("demo", "--packages", "json,no_such_package_here", "--n-queries", "2")

    assert outcome.status == 0
    assert "Note: no_such_package_here is not installed" in outcome.out


def test_nothing_to_ask_is_no_fault(run):
    """Without queries there are tables of zeros."""
    assert run("demo", "--packages", "json", "--n-queries", "0").status == 0


def test_a_mistake_is_told_in_one_line(run):
    """A number of queries that is not allowed is told like every mistake."""
    outcome = run("demo", "--n-queries", "-1")

    assert outcome.status == 2
    assert outcome.errors == ["sparsebm25: error: n_queries must be an integer >= 0, got -1"]


def test_the_tasks_are_what_they_say():
    """The first task knows one right answer a query, the second also what that links to."""
    queries = {"a": "first", "b": "second"}
    qrels = {"a": {"a": 2, "c": 1}, "b": {"b": 2}}
    collection = Collection("tiny", ("a", "b", "c"), ({}, {}, {}), dict(queries), dict(qrels))

    assert own_qrels(collection) == {"a": {"a": 1}, "b": {"b": 1}}
    assert linked_qrels(collection) == {"a": {"a": 2, "c": 1}}
