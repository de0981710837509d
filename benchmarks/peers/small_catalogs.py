"""How long does one query take where there is little to search? Two hundred documents, and twenty."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sparsebm25 import BM25Index
from sparsebm25.scoring import backend_named

from .agreement import same_bits
from .engines import Engine, Ours, our_backends, peer_engines
from .options import Options
from .results import at_most, figure, missing_lines, table
from .texts import Tokens, indexed, read_tokens, spread
from .timing import alternate

SIZES = (200, 20)
TARGET = 40.0
K = 10
QUERY_TOKENS = 4
PEERS = ("bm25q exact", "bm25s numba", "tantivy")
"""PISA takes frames of many queries; one at a time it would be pandas that is measured."""


def drawn_queries(documents: Tokens, n_queries: int) -> Tokens:
    """Return queries of some tokens of one document each, drawn by a seed."""
    generator = np.random.default_rng(0)
    long_enough = [tokens for tokens in documents if len(tokens) >= QUERY_TOKENS]
    chosen = generator.integers(len(long_enough), size=n_queries).tolist()
    return [generator.choice(long_enough[place], QUERY_TOKENS, replace=False).tolist() for place in chosen]


def small(options: Options) -> str:
    """Return the section on small catalogs."""
    tokens = read_tokens(options, "packages")
    parts = [
        f"Documents spread evenly over `packages`, {options.n_queries} queries of {QUERY_TOKENS} words of "
        f"one document, one call a query, k = {K}. `search` is the whole call with a list of tokens; the "
        "engine is what is left when the query's terms are looked up: it adds, chooses and orders. Best of "
        f"{options.repeats} turns:"
    ]
    for n_docs in SIZES:
        parts += catalog_parts(spread(tokens, n_docs), options)
    return "\n\n".join(filter(None, parts))


def catalog_parts(documents: Tokens, options: Options) -> list[str]:
    """Return the table for one catalog, and who is missing."""
    index = indexed(documents)
    queries = drawn_queries(documents, options.n_queries)
    working, missing = our_backends()
    peers, missing_peers = peer_engines(documents, index, options.scratch, PEERS)
    turns: dict[str, Callable[[], None]] = {}
    for backend in working:
        turns |= our_actions(index.with_params(backend=backend), backend, queries)
    turns |= {engine.name: one_by_one(engine, queries) for engine in peers}
    for action in turns.values():
        action()  # compiles
    rows = []
    for name, timing in alternate(turns, options.repeats).items():
        time = 1e6 * timing.seconds / len(queries)
        rows.append([name, figure(time), at_most(time, TARGET) if name.endswith("engine") else ""])
    bits = "equal bits on every path" if equal_bits(index, working, queries) else "bits that DIFFER"
    facts = f"{index.n_docs} documents, {index.counts.n_postings:,} postings, {bits}:"
    return [facts, table(["what", "µs a query", "target"], rows), missing_lines(missing | missing_peers)]


def equal_bits(index: BM25Index, backends: list[str], queries: Tokens) -> bool:
    """Return whether single searches of every backend give the bits of a batch of plain SciPy."""
    batch = Ours(index, "scipy")
    expected = batch.rankings(batch.search(queries, K))
    return all(
        same_bits([(hits.doc_ords, hits.scores) for hits in map(used.search, queries)], expected)
        for used in (index.with_params(backend=backend) for backend in backends)
    )


def our_actions(index: BM25Index, backend: str, queries: Tokens) -> dict[str, Callable[[], None]]:
    """Return a whole search, and the engine alone, of one backend."""
    snapshot = index._snapshot
    weights, engine = snapshot.weights, backend_named(backend)
    terms = [snapshot.reader.read(query) for query in queries]

    def whole() -> None:
        for query in queries:
            index.search(query, K)

    def inside() -> None:
        for row in terms:
            engine.search_batch(weights, [row], K)

    return {f"sparsebm25 {backend}, search": whole, f"sparsebm25 {backend}, engine": inside}


def one_by_one(engine: Engine, queries: Tokens) -> Callable[[], None]:
    """Return what asks a peer one query after the other."""

    def ask() -> None:
        for query in queries:
            engine.search([query], K)

    return ask
