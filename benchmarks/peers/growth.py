"""How does the time of a query grow with the collection? Each size in a process of its own."""

from __future__ import annotations

import math
from pathlib import Path
from time import perf_counter
from typing import Any

from sparsebm25 import BM25Index

from .checks import Check, check_notes, checked
from .children import in_child
from .engines import Engine, Ours, our_backends, pisa_engines
from .memory import restart_peak, status
from .options import Options
from .passages import collection, drawn_queries
from .results import at_least, at_most, figure, missing_lines, table
from .texts import with_known_terms
from .timing import alternate

K = 1000
PISA = "PISA maxscore"
MEMORY_TARGET, PISA_TARGET, EXPONENT_TARGET = 20.0, 1.0, 0.9


def growing(options: Options) -> str:
    """Return the section on growth."""
    _, missing = our_backends()
    shared = {"n_queries": options.n_queries, "repeats": options.repeats, "scratch": str(options.scratch)}
    measured = [in_child(grown, n_docs=n_docs, **shared) for n_docs in options.sizes]
    for each in measured:
        missing |= each["missing"]
    parts = [
        f"Made from a seed in the shape of MS MARCO's passages, k = {K}, best of {options.repeats} turns. An "
        "index is made from counts, until its first query is answered; the peak is that of the whole process "
        "meanwhile, input included.",
        size_table(measured),
        f"{options.n_queries:,} queries; the ratio is PISA's time divided by ours:",
        query_table(measured),
        exponent_lines(measured),
        missing_lines(missing),
    ]
    return "\n\n".join(filter(None, parts))


def grown(n_docs: int, n_queries: int, repeats: int, scratch: str) -> dict[str, Any]:
    """Return what one size costs, in this process."""
    index, facts = built(n_docs)
    queries = with_known_terms(drawn_queries(n_queries), index.vocabulary)
    backends, _ = our_backends()
    engines: list[Engine] = [Ours(index, backend) for backend in backends]
    missing = {}
    try:
        engines += pisa_engines(index, Path(scratch), ["maxscore"])
    except ImportError as error:
        missing[PISA] = str(error)
    k = min(K, n_docs)
    checks = checked(engines, queries, index, [k])
    turns = {engine.name: lambda engine=engine: engine.search(queries, k) for engine in engines}
    best = alternate(turns, repeats)
    times = {name: 1000 * timing.seconds / len(queries) for name, timing in best.items()}
    return facts | {"milliseconds": times, "checks": checks, "missing": missing}


def built(n_docs: int) -> tuple[BM25Index, dict[str, Any]]:
    """Return an index of a made collection, with its sizes and what it cost."""
    counts, names = collection(n_docs)
    n_tokens = int(counts.sum())
    restart_peak()
    start = perf_counter()
    index = BM25Index(analyzer=None, backend="scipy").fit(counts, terms=names)
    index.search(names[:1])
    facts = {
        "n_docs": n_docs,
        "n_tokens": n_tokens,
        "n_postings": index.counts.n_postings,
        "n_terms": len(names),
        "seconds": perf_counter() - start,
        "peak": status("VmHWM") / 2**30,
    }
    return index, facts


def size_table(measured: list[dict[str, Any]]) -> str:
    """Return the sizes and what building costs."""
    rows = [
        [
            *(f"{each[name]:,}" for name in ("n_docs", "n_tokens", "n_postings", "n_terms")),
            figure(each["seconds"]),
            figure(each["peak"]),
            at_most(each["peak"], MEMORY_TARGET),
        ]
        for each in measured
    ]
    header = ["documents", "tokens", "postings", "terms", "build s", "peak GiB", "target"]
    return table(header, rows)


def query_table(measured: list[dict[str, Any]]) -> str:
    """Return the times of all engines at all sizes."""
    rows = []
    for each in measured:
        times = each["milliseconds"]
        for engine, time in times.items():
            shown = verdict = ""
            if PISA in times and engine != PISA:
                shown = figure(times[PISA] / time)
                verdict = at_least(times[PISA] / time, PISA_TARGET) if each is measured[-1] else ""
            same, _ = each["checks"][engine]
            rows.append([f"{each['n_docs']:,}", engine, figure(time), shown, verdict, same])
    notes = check_notes({engine: Check(*check) for engine, check in measured[-1]["checks"].items()})
    return table(["documents", "engine", "ms", "ratio", "target", "same top k"], rows) + f"\n\n{notes}"


def exponent_lines(measured: list[dict[str, Any]]) -> str:
    """Return how fast the time of each engine grows from the smallest to the largest collection."""
    if len(measured) < 2:
        return ""
    first, last = measured[0], measured[-1]
    steps = math.log(last["n_docs"] / first["n_docs"])
    lines = []
    for engine in last["milliseconds"]:
        exponent = math.log(last["milliseconds"][engine] / first["milliseconds"][engine]) / steps
        verdict = f": {at_most(exponent, EXPONENT_TARGET)}" if engine.startswith("sparsebm25") else ""
        lines.append(
            f"- {engine}: time grows as the number of documents to the power {exponent:.2f}{verdict}"
        )
    return "\n".join(lines)
