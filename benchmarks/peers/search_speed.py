"""How long does a query take? Our backends and all peers, on the same tokens, their hits checked before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from sparsebm25 import BM25Index

from .agreement import same_bits
from .checks import Check, check_notes, checked
from .engines import Engine, Ours, our_backends, peer_engines
from .options import QUERY_SETS, Options, depths
from .results import at_least, figure, missing_lines, table
from .texts import Tokens, indexed, read_queries, read_tokens, with_known_terms
from .timing import Timing, alternate, two_processes

NUMBA_TARGETS = {"bm25q exact": {10: 2.0, 100: 2.0, 1000: 2.0}}
SCIPY_TARGETS = {"bm25s numba": {10: 1.5, 100: 1.5, 1000: 1.0}}
JOBS_TARGET = 1.7


@dataclass(frozen=True)
class Compared:
    """What was measured with one set of queries: engine -> k -> timing of all, and whether hits are right."""

    facts: str
    n_queries: int
    timings: dict[str, dict[int, Timing]]
    checks: dict[str, Check]

    def milliseconds(self, engine: str, k: int) -> float:
        """Return the time of one query."""
        return 1000 * self.timings[engine][k].seconds / self.n_queries


@lru_cache(maxsize=2)
def compared(options: Options, collection: str) -> tuple[list[Compared], dict[str, str]]:
    """Return what all engines take on one collection, for each set of queries, and who is missing."""
    tokens = read_tokens(options, collection)
    index = indexed(tokens)
    working, missing = our_backends()
    peers, missing_peers = peer_engines(tokens, index, options.scratch)
    del tokens
    engines = [*(Ours(index, backend) for backend in working), *peers]
    measured = []
    for name in QUERY_SETS[collection]:
        queries = with_known_terms(read_queries(options, name), index.vocabulary)
        facts = f"`{collection}`, {collection_facts(index)}; {query_facts(name, index, queries)}"
        measured.append(taking_turns(engines, queries, index, facts, options.repeats))
    return measured, missing | missing_peers


def taking_turns(
    engines: Sequence[Engine], queries: Tokens, index: BM25Index, facts: str, repeats: int
) -> Compared:
    """Return the times of all engines, after a check of their hits."""
    ks = depths(index.n_docs)
    checks = checked(engines, queries, index, ks)
    timings: dict[str, dict[int, Timing]] = {engine.name: {} for engine in engines}
    for k in ks:
        turns = {engine.name: lambda engine=engine, k=k: engine.search(queries, k) for engine in engines}
        for name, timing in alternate(turns, repeats).items():
            timings[name][k] = timing
    return Compared(facts, len(queries), timings, checks)


def collection_facts(index: BM25Index) -> str:
    """Return the sizes of a collection."""
    return (
        f"{index.n_docs:,} documents, {index.counts.n_postings:,} postings, {len(index.vocabulary):,} terms"
    )


def query_facts(name: str, index: BM25Index, queries: Tokens) -> str:
    """Return how many queries there are, and how much they ask for."""
    ords = [index.vocabulary.get(token) for query in queries for token in set(query)]
    doc_freqs = index.counts.doc_freqs
    added = sum(int(doc_freqs[term_ord]) for term_ord in ords if term_ord is not None)
    return f"{len(queries):,} queries of `{name}`, {added / len(queries):,.0f} postings each"


def speed_tables(options: Options, backend: str, targets: dict[str, dict[int, float]]) -> str:
    """Return times, ratios to one of our backends and the targets, collection by collection."""
    parts = []
    for collection in options.collections:
        measured, missing = compared(options, collection)
        for each in measured:
            parts.append(f"{each.facts}. Milliseconds a query:\n\n{_times(each, options.repeats)}")
            ours = f"sparsebm25 {backend}"
            if ours in each.timings:
                parts.append(f"Ratios to {ours}:\n\n{_ratios(each, ours, targets)}")
        if missing:
            parts.append(missing_lines(missing))
    return "\n\n".join(parts)


def _times(measured: Compared, repeats: int) -> str:
    """Return the table of times."""
    ks = list(next(iter(measured.timings.values())))
    rows = []
    for engine, by_k in measured.timings.items():
        shares = [by_k[k].share for k in ks]
        times = [figure(measured.milliseconds(engine, k)) for k in ks]
        at_work = f"{min(shares):.2f} to {max(shares):.2f}"
        rows.append([engine, *times, at_work, measured.checks[engine].same])
    header = ["engine", *(f"k = {k}" for k in ks), "processors at work", "same top k"]
    return f"{table(header, rows)}\n\n{check_notes(measured.checks)}\n\nBest of {repeats} turns."


def _ratios(measured: Compared, ours: str, targets: dict[str, dict[int, float]]) -> str:
    """Return how many times longer each peer takes."""
    ks = list(measured.timings[ours])
    rows = []
    for engine in measured.timings:
        if engine.startswith("sparsebm25"):
            continue
        ratios = {k: measured.milliseconds(engine, k) / measured.milliseconds(ours, k) for k in ks}
        rows.append([engine, *(figure(ratios[k]) for k in ks), _verdicts(ratios, targets.get(engine, {}))])
    return table(["peer", *(f"k = {k}" for k in ks), "target"], rows)


def _verdicts(ratios: dict[int, float], targets: dict[int, float]) -> str:
    """Return the verdict of each k that has a target, or one if all are alike."""
    verdicts = {k: at_least(ratios[k], target) for k, target in targets.items() if k in ratios}
    if len(set(verdicts.values())) == 1:
        return next(iter(verdicts.values()))
    return "; ".join(f"k = {k}: {verdict}" for k, verdict in verdicts.items())


def compiled_backend(options: Options) -> str:
    """Return the section on the compiled backend."""
    return speed_tables(options, "numba", NUMBA_TARGETS)


def scipy_backend(options: Options) -> str:
    """Return the section on the backend that is always there."""
    return speed_tables(options, "scipy", SCIPY_TARGETS)


def two_threads(options: Options) -> str:
    """Return the section on `search_many` with two threads."""
    working, missing = our_backends()
    rows: list[list[str]] = []
    for collection in options.collections:
        index = indexed(read_tokens(options, collection))
        for name in QUERY_SETS[collection]:
            queries = with_known_terms(read_queries(options, name), index.vocabulary)
            for backend in working:
                timed = thread_rows(index, backend, queries, options.repeats)
                rows += [[collection, name, backend, *row] for row in timed]
    kinds = ("k", "one thread, ms", "two threads, ms", "ratio", "target", "same bits")
    found = table(["collection", "queries", "backend", *kinds], rows)
    control = (
        "For comparison: two processes that only count did "
        f"{figure(two_processes(options.repeats))} times as much as one alone, right after."
    )
    return "\n\n".join(filter(None, (found, control, WHY_THREADS, missing_lines(missing))))


WHY_THREADS = (
    "The compiled loops run outside the interpreter's lock; two of them share caches and the way to memory. "
    "Plain SciPy takes some twenty short steps a query and the lock between them: with fewer than a million "
    "documents a step is over before the other thread has woken up."
)


def thread_rows(index: BM25Index, backend: str, queries: Tokens, repeats: int) -> list[list[str]]:
    """Return the rows of one backend."""
    one, two = (Ours(index, backend, n_jobs) for n_jobs in (1, 2))
    rows = []
    for k in depths(index.n_docs):
        same = same_bits(*(engine.rankings(engine.search(queries, k)) for engine in (one, two)))
        turns = {"one": lambda k=k: one.search(queries, k), "two": lambda k=k: two.search(queries, k)}
        best = alternate(turns, repeats)
        each = [1000 * best[name].seconds / len(queries) for name in turns]
        verdict = at_least(each[0] / each[1], JOBS_TARGET)
        times = [figure(value) for value in (*each, each[0] / each[1])]
        rows.append([str(k), *times, verdict, "yes" if same else "NO"])
    return rows
