"""
What does search in code cost? First index, a refresh with nothing changed, and warm queries.

``python benchmarks/code_speed.py [FOLDER ...]`` prints time and processor time for each folder; without
folders, for the standard library and for the packages that are installed beside this one.
"""

from __future__ import annotations

import sys
import sysconfig
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from sparsebm25.apps.code import CodeSearch

QUERIES = (
    "parse http header",
    "how to read a csv file into a data frame",
    "getUserName",
    "load_module",
    '"return self"',
    "self",
    "is it if a",
)
REPEATS = 5


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Print how long something took."""
    wall, processor = time.perf_counter(), time.process_time()
    yield
    print(f"  {what}: {time.perf_counter() - wall:.2f} s, processor {time.process_time() - processor:.2f} s")


def best_of(repeats: int, action: Callable[[], object]) -> tuple[float, float]:
    """Return the shortest time and the shortest processor time of an action, in milliseconds."""
    walls, processors = [], []
    for _ in range(repeats):
        wall, processor = time.perf_counter(), time.process_time()
        action()
        walls.append(time.perf_counter() - wall)
        processors.append(time.process_time() - processor)
    return 1000 * min(walls), 1000 * min(processors)


def measure(root: Path, cache: Path) -> None:
    """Print the figures of one folder."""
    with timed("first index"):
        search = CodeSearch.open(root, cache=cache)
    size = sum((root / str(path)).stat().st_size for path in search.index.doc_ids) / 1e6
    print(f"  {search.n_files} files, {size:.0f} MB, {len(search.skipped)} skipped")
    with timed("refresh, nothing changed"):
        search = CodeSearch.open(root, cache=cache)
    with timed("first query"):
        search.search(QUERIES[0])
    for query in QUERIES:
        wall, processor = best_of(REPEATS, lambda query=query: search.search(query))
        print(f"  warm query {query!r}: {wall:.0f} ms, processor {processor:.0f} ms")


if __name__ == "__main__":
    paths = sysconfig.get_paths()
    for folder in sys.argv[1:] or dict.fromkeys((paths["stdlib"], paths["purelib"])):
        print(folder)
        with TemporaryDirectory() as cache_folder:
            measure(Path(folder), Path(cache_folder))
