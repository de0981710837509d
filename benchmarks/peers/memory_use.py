"""What does an index occupy, and do processes share it? Resident bytes, mapped loads, ten processes."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path
from typing import Any

from sparsebm25 import BM25Index

from .children import command, in_child
from .engines import our_backends
from .memory import MEGABYTE, held_bytes, mapped_sizes, status
from .options import Options
from .results import at_most, figure, missing_lines, table
from .texts import Tokens, indexed, read_queries, read_tokens, spread, with_known_terms
from .timing import turn

BYTES_TARGET, FIRST_QUERY_TARGET = 16.0, 100.0
N_PROCESSES = 10
COLLECTION = "packages"


def occupying(options: Options) -> str:
    """Return the section on memory."""
    working, missing = our_backends()
    index = indexed(read_tokens(options, COLLECTION))
    queries = spread(with_known_terms(read_queries(options, COLLECTION), index.vocabulary), 100)
    folder = options.scratch / "index"
    index.save(folder)
    parts = [
        resident_table(index, working, queries, folder),
        missing_lines(missing),
        first_query_table(["auto", *working], queries, folder, options.repeats),
        sharing_table(working, queries, folder),
    ]
    return "\n\n".join(filter(None, parts))


def resident_table(index: BM25Index, backends: list[str], queries: Tokens, folder: Path) -> str:
    """Return the bytes of a fitted index after some queries, as its objects say and as Linux counts."""
    n_postings = index.counts.n_postings
    rows = []
    for backend in backends:
        used = index.with_params(backend=backend)
        used.search_many(queries, 1000)
        vocabulary = held_bytes(used.vocabulary)
        objects = held_bytes(used._snapshot) - vocabulary
        loaded = in_child(loaded_size, folder=str(folder), backend=backend, queries=queries)
        rows.append(
            [
                backend,
                figure(objects / n_postings),
                at_most(objects / n_postings, BYTES_TARGET),
                figure(vocabulary / MEGABYTE),
                figure((loaded["resident"] - loaded["vocabulary"]) / n_postings),
                figure(loaded["vocabulary"] / MEGABYTE),
            ]
        )
    kinds = ("bytes a posting", "target", "vocabulary MB", "loaded: bytes a posting", "vocabulary MB")
    found = table(["backend", *kinds], rows)
    return (
        f"`{COLLECTION}`, {index.n_docs:,} documents, {n_postings:,} postings, after {len(queries)} queries, "
        "without the vocabulary. First all objects of a fitted index; then by how much the memory of a fresh "
        f"process grows when it loads the index without mapping and answers.\n\n{found}"
    )


def loaded_size(folder: str, backend: str, queries: Tokens) -> dict[str, int]:
    """Return by how much this process grows when it loads an index and answers queries."""
    BM25Index(analyzer=None, backend=backend).fit(queries).search_many(queries, 1000)
    gc.collect()
    before = status("RssAnon")
    index = BM25Index.load(folder).with_params(backend=backend)
    index.search_many(queries, 1000)
    gc.collect()
    return {"resident": status("RssAnon") - before, "vocabulary": held_bytes(index.vocabulary)}


def first_query_table(backends: list[str], queries: Tokens, folder: Path, repeats: int) -> str:
    """Return how long a mapped load and the first query after it take in fresh processes."""
    taken: dict[str, list[dict[str, float]]] = {backend: [] for backend in backends}
    for place in range(repeats):
        for backend, turns in taken.items():
            query = queries[place % len(queries)]
            turns.append(in_child(mapped_query, folder=str(folder), backend=backend, query=query))
    rows = []
    for backend, turns in taken.items():
        load, first = (sorted(each[name] for each in turns) for name in ("load", "first"))
        shown = map(figure, (load[0], first[0], first[-1]))
        rows.append([backend, *shown, at_most(first[0], FIRST_QUERY_TARGET)])
    found = table(["backend", "load ms", "first query ms", "slowest", "target"], rows)
    return (
        f"Mapped, in {repeats} fresh processes each, the files cached by the system. Asked for by name, "
        'compiled code is loaded and its tables are made first; "auto" leaves that until it pays.'
        f"\n\n{found}"
    )


def mapped_query(folder: str, backend: str, query: list[str]) -> dict[str, float]:
    """Return the milliseconds of a mapped load and of the first query, imports of the package done."""
    opened: list[BM25Index] = []
    load = turn(lambda: opened.append(BM25Index.load(folder, mmap=True).with_params(backend=backend)))
    first = turn(lambda: opened[0].search(query))
    return {"load": 1000 * load.seconds, "first": 1000 * first.seconds}


def sharing_table(backends: list[str], queries: Tokens, folder: Path) -> str:
    """Return what ten processes that map one index hold together."""
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    rows = []
    for backend in backends:
        mapped, private = shared_by_many(backend, queries, folder)
        resident, proportional = (sum(each[kind] for each in mapped) for kind in ("Rss", "Pss"))
        copied = sum(each["Private_Dirty"] for each in mapped)
        grown = sum(private) / len(private)
        figures = (resident, proportional, copied, grown)
        shared = "yes" if proportional < 2 * resident / N_PROCESSES and not copied else "NO"
        rows.append([backend, *(figure(value / MEGABYTE) for value in figures), shared])
    header = ["backend", "Rss, sum MB", "Pss, sum MB", "copied MB", "own memory each MB", "shared"]
    return (
        f"{N_PROCESSES} processes that map it ({figure(size / MEGABYTE)} MB of files) and have answered "
        f"{len(queries)} queries. Rss counts a page of the index once a process, Pss once in all; own memory "
        "is what a process holds beyond that of one that has only imported the package and compiled.\n\n"
        f"{table(header, rows)}"
    )


def shared_by_many(backend: str, queries: Tokens, folder: Path) -> tuple[list[dict[str, int]], list[int]]:
    """Return the sizes of the index's mappings in each of several processes, and their own memory."""
    arguments: dict[str, Any] = {"folder": str(folder), "backend": backend, "queries": queries}
    readers = [
        subprocess.Popen(command(hold, arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(N_PROCESSES)
    ]
    try:
        own = [int(reader.stdout.readline()) for reader in readers]
        pages = [Path(f"/proc/{reader.pid}/smaps").read_text("utf-8") for reader in readers]
    finally:
        for reader in readers:
            reader.communicate()
    return [mapped_sizes(page, str(folder)) for page in pages], own


def hold(folder: str, backend: str, queries: Tokens) -> None:
    """Map an index, answer queries, say how much memory of its own that took, and wait to be let go."""
    BM25Index(analyzer=None, backend=backend).fit(queries).search_many(queries, 1000)
    before = status("RssAnon")
    index = BM25Index.load(folder, mmap=True).with_params(backend=backend)
    index.search_many(queries, 1000)
    gc.collect()
    print(status("RssAnon") - before, flush=True)
    sys.stdin.read()
