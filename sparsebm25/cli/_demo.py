"""What does it do? A judged collection that is always at hand, ranked under every scheme."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import TypeVar

from sparsebm25 import Analyzer, BM25Index
from sparsebm25.cli._output import counted, progress
from sparsebm25.datasets import Collection, load_docstrings
from sparsebm25.datasets.docstrings import PACKAGES
from sparsebm25.evaluation import AP, RR, R, nDCG
from sparsebm25.evaluation.compare import Comparison, compare, mean_name
from sparsebm25.protocols import DocId

Result = TypeVar("Result")
Qrels = Mapping[DocId, Mapping[DocId, int]]

N_EXAMPLES, N_HITS = 3, 3


def run(args: argparse.Namespace) -> None:
    """Read, count, rank and compare, saying what each step took."""
    packages = args.packages or PACKAGES
    print(
        f"Documents are the docstrings of {', '.join(packages)}, as installed here; nothing is downloaded.\n"
    )
    collection = _timed(
        "read the sources",
        lambda: load_docstrings(
            packages=packages,
            n_queries=args.n_queries,
            progress=lambda files: progress(files, "files", wanted=args.progress),
        ),
    )
    index = _timed(
        "counted the words",
        lambda: BM25Index(analyzer=Analyzer("english")).fit(collection.documents, collection.ids),
    )
    own, linked = own_qrels(collection), linked_qrels(collection)
    queries = collection.queries
    found = _timed(
        "ranked and measured, first task",
        lambda: compare(index, queries, own, measures=[RR, R @ 1, R @ 10, R @ 100], n_jobs=args.n_jobs),
    )
    related = _timed(
        "ranked and measured, second task",
        lambda: compare(
            index,
            {query_id: queries[query_id] for query_id in linked},
            linked,
            measures=[nDCG @ 10, AP, R @ 100],
            n_jobs=args.n_jobs,
        ),
    )
    print(f"\n{counted(index.n_docs, 'document')}, {counted(len(index.vocabulary), 'term')}")
    print("Seconds in the tables: to analyze all queries of the task and to rank 1,000 hits for each")
    for text in collection.notes:
        print(f"Note: {text}")
    _print_task(f"1. Find what a summary was taken from ({counted(len(own), 'query')})", found)
    _print_task(f"2. Find that and what its See Also links to ({counted(len(linked), 'query')})", related)
    _print_examples(index, collection)


def _timed(step: str, work: Callable[[], Result]) -> Result:
    """Return what `work` gives, and print how long it took."""
    started = perf_counter()
    result = work()
    print(f"{step:<34}{perf_counter() - started:7.2f} s", flush=True)
    return result


def own_qrels(collection: Collection) -> Qrels:
    """Return as relevant for a summary only what it was taken from."""
    return {own: {own: 1} for own in collection.queries}


def linked_qrels(collection: Collection) -> Qrels:
    """Return the judgments of the queries for which more than their own document is relevant."""
    return {own: grades for own, grades in collection.qrels.items() if len(grades) > 1}


def _print_task(title: str, comparison: Comparison) -> None:
    """Print a table, and how sure its main difference is."""
    means = comparison.means()
    measure = next(iter(means["lucene"]))
    delta = means["lucene"][measure] - means["tfidf"][measure]
    p_value = comparison.p_value("lucene", "tfidf")
    print(f"\n{title}\n\n{comparison}\n")
    print(
        f"{mean_name(measure)} of lucene beside tfidf: {delta:+.4f}, p = {p_value:.4f} (randomization test)"
    )


def _print_examples(index: BM25Index, collection: Collection) -> None:
    """Print the best hits of a few queries; judged ones are marked."""
    print("\nSome queries with their best hits under lucene (* judged relevant)")
    for own, text in list(collection.queries.items())[:N_EXAMPLES]:
        print(f"\n{text}")
        for rank, hit in enumerate(index.search(text, N_HITS), start=1):
            mark = "*" if hit.doc_id in collection.qrels[own] else " "
            print(f"{rank:>3} {mark} {hit.score:8.4f}  {hit.doc_id}")
