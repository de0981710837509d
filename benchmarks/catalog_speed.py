"""
How long does a catalog of 100,000 entries take to answer?

Run as ``python -m benchmarks.catalog_speed``: prints the time to build a catalog made from a seed, and the
times of each kind of query.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from statistics import median
from time import perf_counter, process_time

import numpy as np

from sparsebm25.apps.catalog import Catalog

from .corpora import draw_terms, term_names

N_TERMS = 100_000
LENGTHS = {"name": 3, "tags": 3, "description": 20}
"""Words of each field."""

PLACES = {"frequent": 0, "common": 30, "rare": 20_000}
"""Where in the order of frequency the words of a query begin."""


def made_entries(n_entries: int, seed: int = 0) -> Iterator[dict[str, str | list[str]]]:
    """Yield entries of made-up words, frequent and rare ones as in real text."""
    generator = np.random.default_rng(seed)
    names = np.array([name if len(name) > 2 else f"{name}ing"[:4] for name in term_names(N_TERMS)], object)
    words = {
        field: names[draw_terms(n_entries * length, N_TERMS, generator)].reshape(n_entries, length).tolist()
        for field, length in LENGTHS.items()
    }
    for name, tags, description in zip(*words.values(), strict=True):
        yield {"name": " ".join(name).title(), "tags": tags, "description": " ".join(description) + "."}


def made_queries() -> dict[str, list[str]]:
    """Return queries by kind."""
    names = [name if len(name) > 2 else f"{name}ing"[:4] for name in term_names(N_TERMS)]
    queries = {
        f"{n_words} {kind} words": [" ".join(names[place + 7 * n :][:n_words]) for n in range(10)]
        for kind, place in PLACES.items()
        for n_words in (1, 2, 4)
    }
    return queries | {"part of many words": ["ing", "ati", "ton"], "no word": [".", "--"], "blank": [""]}


def milliseconds(catalog: Catalog, query: str) -> tuple[float, float]:
    """Return how long the first page of a query takes, and for how much of it the processor worked for us."""
    start, worked = perf_counter(), process_time()
    catalog.page(query)
    return 1000 * (perf_counter() - start), 1000 * (process_time() - worked)


def main() -> None:
    """Print the times."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--compatible", action="store_true")
    options = parser.parse_args()
    entries = list(made_entries(options.entries))
    start = perf_counter()
    catalog = Catalog(entries, compatible=options.compatible)
    print(f"{options.entries} entries built in {perf_counter() - start:.1f} s")
    print(f"{'query':24} {'found':>8} {'median ms':>10} {'processor ms':>13} {'slowest ms':>11}")
    for kind, queries in made_queries().items():
        found = median(catalog.page(query).total for query in queries)
        times, worked = zip(
            *(milliseconds(catalog, query) for query in queries for _ in range(5)), strict=True
        )
        print(f"{kind:24} {found:8.0f} {median(times):10.1f} {median(worked):13.1f} {max(times):11.1f}")


if __name__ == "__main__":
    main()
