"""What does an index cost to make? Time and memory, each in a process of its own, engines in turns."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from sparsebm25 import Analyzer, BM25Index

from .children import in_child
from .engines import Bm25q, Bm25s, Tantivy
from .memory import MEGABYTE, peak_extra
from .options import Options
from .results import at_least, at_most, figure, missing_lines, table
from .texts import (
    read_texts,
    read_tokens,
    tokens_of,
    write_texts,
    write_tokens,
    written_texts,
    written_tokens,
)
from .timing import Timing, turn

TIME_TARGET, MEMORY_TARGET, JOBS_TARGET = 2.0, 0.5, 1.6

OURS, JOBS = "sparsebm25", "sparsebm25, n_jobs=2"
OWN, OWN_JOBS = "sparsebm25, a function as analyzer", "the same, n_jobs=2"
BESIDE = {JOBS: OURS, OWN_JOBS: OWN}
"""Builds in several processes -> the same in one."""

SAME_WORDS = Analyzer(tokens="sklearn")
r"""Finds the words that bm25s finds: runs of two or more of Python's ``\w``."""

WORD = re.compile(r"\b\w\w+\b")


def words(text: str) -> list[str]:
    """Return the same words as users' own functions find them: one text at a time."""
    return WORD.findall(text.lower())


Builder = Callable[[Any, list[str]], int | None]
"""Makes an index of documents, has it answer one query, and returns its number of terms if it can say."""


def ours(documents: Any, query: list[str], analyzer: Any = None, **settings: Any) -> int:
    """Make our index; the first query makes the weights."""
    index = BM25Index(analyzer=analyzer).fit(documents, **settings)
    index.search(query)
    return len(index.vocabulary)


def peer(engine: Callable[[Any], Any], documents: Any, query: list[str]) -> None:
    """Make the index of a peer from token lists."""
    engine(documents).search([query], 1)


def bm25s_of_texts(documents: list[str], query: list[str]) -> int:
    """Make bm25s's index of texts."""
    import bm25s

    tokenized = bm25s.tokenize(documents, stopwords=None, show_progress=False)
    Bm25s(tokenized).search([query], 1)
    return len(tokenized.vocab.keys() - {""})


BUILDERS: dict[str, dict[str, Builder]] = {
    "token lists": {
        OURS: ours,
        "bm25q exact": partial(peer, Bm25q),
        "bm25s numba": partial(peer, Bm25s),
        "tantivy": partial(peer, Tantivy),
    },
    "texts": {
        OURS: partial(ours, analyzer=SAME_WORDS),
        JOBS: partial(ours, analyzer=SAME_WORDS, n_jobs=2),
        "sparsebm25, default analyzer": partial(ours, analyzer=Analyzer()),
        OWN: partial(ours, analyzer=words),
        OWN_JOBS: partial(ours, analyzer=words, n_jobs=2),
        "bm25s tokenize + index": bm25s_of_texts,
    },
}


def build(kind: str, engine: str, path: str) -> dict[str, Any]:
    """Return what one index costs, in this process; a tiny one is made before, so that all is compiled."""
    make = BUILDERS[kind][engine]
    documents: Any = written_texts(path) if kind == "texts" else written_tokens(path)
    query = tokens_of(documents[0]) if kind == "texts" else documents[0]
    try:
        make(documents[:50], query)
    except ImportError as error:
        return {"missing": str(error)}
    terms: list[int | None] = []
    timings: list[Timing] = []
    peak = peak_extra(lambda: timings.append(turn(lambda: terms.append(make(documents, query)))))
    return {"seconds": timings[0].seconds, "megabytes": peak / MEGABYTE, "terms": terms[0]}


def best_builds(kind: str, path: Path, repeats: int) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """Return the best of several builds of each engine, in turns, and which are missing."""
    missing: dict[str, str] = {}
    done: dict[str, list[dict[str, Any]]] = {}
    for _ in range(repeats):
        for engine in [name for name in BUILDERS[kind] if name not in missing]:
            cost = in_child(build, kind=kind, engine=engine, path=str(path))
            if "missing" in cost:
                missing[engine] = cost["missing"]
            else:
                done.setdefault(engine, []).append(cost)
    best = {
        engine: {
            "seconds": min(cost["seconds"] for cost in done[engine]),
            "megabytes": min(cost["megabytes"] for cost in done[engine]),
            "terms": done[engine][0]["terms"],
        }
        for engine in BUILDERS[kind]
        if engine in done
    }
    return best, missing


def building(options: Options) -> str:
    """Return the section on making an index."""
    parts = [
        "Until the first query is answered; each in a fresh process that has made a tiny index before. "
        "Memory is the highest resident size above that with the documents alone, without helping processes. "
        "Token lists are without stop words, the analysis of texts keeps all words."
    ]
    for collection in options.collections:
        tokens, texts = options.scratch / f"{collection}.tokens", options.scratch / f"{collection}.texts"
        write_texts(texts, read_texts(options, collection))
        write_tokens(tokens, read_tokens(options, collection))
        for kind, path in (("token lists", tokens), ("texts", texts)):
            best, missing = best_builds(kind, path, options.repeats)
            parts.append(f"`{collection}`, from {kind}, best of {options.repeats}:\n\n{cost_table(best)}")
            parts.append(missing_lines(missing))
    parts.append(WHY_JOBS)
    return "\n\n".join(filter(None, parts))


WHY_JOBS = (
    "Several processes: to send a text away and take back its numbers costs about as much as the library's "
    "own analysis, which looks at many texts at once, and counts, weights and the sorted vocabulary, about "
    "two fifths of the time, are made in one process. They pay where the analyzer is slow."
)


def cost_table(best: dict[str, dict[str, Any]]) -> str:
    """Return the table of one kind of build."""
    rows = []
    for engine, cost in best.items():
        time_ratio = cost["seconds"] / best[OURS]["seconds"]
        memory_share = best[OURS]["megabytes"] / cost["megabytes"]
        terms = "" if cost["terms"] is None else f"{cost['terms']:,}"
        shown = map(figure, (cost["seconds"], time_ratio, cost["megabytes"], memory_share))
        speedup = best[BESIDE[engine]]["seconds"] / cost["seconds"] if engine in BESIDE else 0.0
        rows.append([engine, *shown, terms, verdict(engine, time_ratio, memory_share, speedup)])
    figures = ("seconds", "time beside ours", "peak extra MB", "our memory beside its")
    return table(["engine", *figures, "terms", "target"], rows)


def verdict(engine: str, time_ratio: float, memory_share: float, speedup: float) -> str:
    """Return whether the targets that concern an engine are reached."""
    if engine == "bm25q exact":
        return f"time {at_least(time_ratio, TIME_TARGET)}; memory {at_most(memory_share, MEMORY_TARGET)}"
    if engine == "bm25s tokenize + index":
        return f"time {at_least(time_ratio, TIME_TARGET)}"
    if engine in BESIDE:
        return f"{figure(speedup)} times as fast: {at_least(speedup, JOBS_TARGET)}"
    return ""
