"""What does it cost to change k1 and b? New weights of a large collection, and a grid on a judged one."""

from __future__ import annotations

from itertools import count

from sparsebm25 import BM25Index
from sparsebm25.datasets import load_collection
from sparsebm25.evaluation.sweep import sweep

from .engines import our_backends
from .options import Options
from .results import at_most, figure, missing_lines, table
from .texts import indexed, read_queries, read_tokens, with_known_terms
from .timing import alternate

VIEW_TARGET, GRID_TARGET = 0.5, 5.0
K1, B = (0.6, 0.9, 1.2, 1.5, 1.8), (0.3, 0.45, 0.6, 0.75, 0.9)


def changing(options: Options) -> str:
    """Return the section on parameters."""
    working, missing = our_backends()
    parts = [new_weights(options, working), missing_lines(missing), grid(options, working)]
    return "\n\n".join(filter(None, parts))


def new_weights(options: Options, backends: list[str]) -> str:
    """Return how long `with_params` takes until there are weights, and until a query is answered."""
    index = indexed(read_tokens(options, "packages"))
    query = with_known_terms(read_queries(options, "packages"), index.vocabulary)[0]
    fresh = count(1)

    def view(backend: str) -> BM25Index:
        return index.with_params(k1=0.9 + next(fresh) / 1000, b=0.4, backend=backend)

    for backend in backends:
        view(backend).search(query)  # compiles
    turns = {"weights of all postings": lambda: view(backends[-1]).postings}
    turns |= {
        f"{backend}: until the first query is answered": lambda backend=backend: view(backend).search(query)
        for backend in backends
    }
    best = alternate(turns, options.repeats)
    rows = [
        [name, figure(timing.seconds), figure(timing.processor), at_most(timing.seconds, VIEW_TARGET)]
        for name, timing in best.items()
    ]
    facts = f"`packages`, {index.n_docs:,} documents, {index.counts.n_postings:,} postings"
    header = ["with_params(k1, b)", "seconds", "processor", "target"]
    return f"{facts}, best of {options.repeats} turns:\n\n{table(header, rows)}"


def grid(options: Options, backends: list[str]) -> str:
    """Return how long it takes to count a judged collection once and to try a grid on it."""
    collection = load_collection(options.shared_data / "scifact")
    documents = collection.documents

    def counted() -> BM25Index:
        return BM25Index().fit(documents, ids=collection.ids)

    index = counted()

    def tried(backend: str) -> None:
        sweep(index.with_params(backend=backend), collection.queries, collection.qrels, k1=K1, b=B)

    turns = {"count": counted}
    turns |= {backend: lambda backend=backend: tried(backend) for backend in backends}
    best = alternate(turns, options.repeats)
    rows = []
    for backend in backends:
        both = best["count"].seconds + best[backend].seconds
        figures = map(figure, (best["count"].seconds, best[backend].seconds, both))
        rows.append([backend, *figures, at_most(both, GRID_TARGET)])
    header = ["backend", "count pass, s", f"{len(K1)} x {len(B)} grid, s", "both, s", "target"]
    size = f"`scifact`, {len(documents):,} documents, {len(collection.queries)} queries"
    return f"{size}, nDCG@10, from texts, best of {options.repeats} turns:\n\n{table(header, rows)}"
