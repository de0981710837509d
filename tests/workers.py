"""What tests run in processes of their own: importable, because a new process must find it by name."""

from __future__ import annotations

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
