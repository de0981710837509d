"""What tests run in processes of their own: importable, because a new process must find it by name."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from repository import grown

from sparsebm25 import BM25Index
from sparsebm25.apps import CodeSearch


def search_and_tell(index: BM25Index, queue: Any) -> None:
    """Answer from another process."""
    queue.put([tuple(hit) for hit in index.search("red kite")])


def save_often(folder: Path, times: int) -> None:
    """Save an index again and again."""
    for _ in range(times):
        BM25Index().fit(["red"]).save(folder)


def write_and_search(root: str, cache: str, worker: int, failures: list[str]) -> None:
    """Change a file and search, many times; note what should not happen."""
    for turn in range(5):
        grown(Path(root), {f"w{worker}.py": f"worker{worker} turn{turn}"})
        hits = CodeSearch.open(root, cache=cache).search(f"worker{worker} turn{turn}", k=1)
        if not hits or hits[0].path != f"w{worker}.py":
            failures.append(f"worker {worker}, turn {turn}: {hits}")


def process_and_words(text: str) -> list[str]:
    """Return the words of a text, and which process read it."""
    return [f"process{os.getpid()}", *text.split()]


class AtHome:
    """An analyzer that does one thing in the process that made it, and another elsewhere."""

    def __init__(self, elsewhere: str) -> None:
        self.elsewhere = elsewhere
        self.home = os.getpid()

    def __call__(self, text: str) -> list[str]:
        """Return the words of a text, or die."""
        if os.getpid() != self.home and self.elsewhere == "die":
            os._exit(1)
        return text.split()

    def __reduce__(self) -> Any:
        return at_home, (self.elsewhere, self.home)


def at_home(elsewhere: str, home: int) -> AtHome:
    """Return the same analyzer in another process, or fail."""
    if os.getpid() != home and elsewhere == "fail":
        raise LookupError("it is not here")
    analyzer = AtHome(elsewhere)
    analyzer.home = home
    return analyzer


class BadText(Exception):
    """An error that cannot be pickled back."""

    def __init__(self, text: str, place: int) -> None:
        super().__init__(f"bad text {text!r}")


def picky_words(text: str) -> list[str]:
    """Return the words of a text, unless there is a bad one."""
    if "bad" in text:
        raise BadText(text, 0)
    return text.split()
