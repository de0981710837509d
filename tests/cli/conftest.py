"""What the tests of the command line share: a way to run it, and a small collection in a folder."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from sparsebm25.cli import main

DOCUMENTS = {
    "d1": ("Kites", "red kite over the lake"),
    "d2": ("", "red pots and red mugs"),
    "d3": ("Lakes", "blue lakes"),
}
QUERIES = {"q1": "kite lake", "q2": "red"}


@dataclass(frozen=True)
class Outcome:
    """What a command gave back: its status, its output, and the lines on standard error."""

    status: int
    out: str
    errors: list[str]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Return a function that runs the command line in this process."""

    def run_main(*arguments: object) -> Outcome:
        status = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Outcome(status, captured.out, captured.err.splitlines())

    return run_main


@pytest.fixture
def refused(run: Callable[..., Outcome]) -> Callable[..., str]:
    """Return a function that runs what must be refused, and returns what is said about it in its one line."""

    def run_refused(*arguments: object) -> str:
        outcome = run(*arguments)
        assert outcome.status == 2
        assert outcome.out == ""
        (line,) = outcome.errors
        assert line.startswith("sparsebm25: error: ")
        return line.removeprefix("sparsebm25: error: ")

    return run_refused


@pytest.fixture
def standard_input(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that puts a text on standard input."""

    def put(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    return put


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a BEIR folder of three documents, in which the test stands."""
    rows = [{"_id": name, "title": title, "text": text} for name, (title, text) in DOCUMENTS.items()]
    queries = [{"_id": name, "text": text} for name, text in QUERIES.items()]
    write_jsonl(tmp_path / "corpus.jsonl", rows)
    write_jsonl(tmp_path / "queries.jsonl", queries)
    (tmp_path / "qrels.tsv").write_text("q1 0 d1 2\nq1 0 d3 1\nq2 0 d2 1\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_jsonl(path: Path, rows: list[dict[str, object]]) -> None:
    """Write one JSON object a line."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
