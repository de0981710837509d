"""Which documents fit each of many queries? A TREC run, written as it is made."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace

from sparsebm25 import BM25Index, Run
from sparsebm25.cli._input import corpus_records, fitted_index, queries_of, skipping
from sparsebm25.cli._options import empty_index
from sparsebm25.cli._output import progress
from sparsebm25.datasets import BadLines
from sparsebm25.protocols import DocId
from sparsebm25.runs import write_trec


def run(args: argparse.Namespace) -> None:
    """Rank all queries and write the run."""
    empty_index(args).search_many([], args.k, n_jobs=args.n_jobs)  # refuses before the work what is wrong
    _check_target(args)
    target = sys.stdout if args.out == "-" else args.out
    with skipping(args) as bad_lines:
        write_trec(_runs(args, bad_lines), target, tag=args.tag, ties=args.ties)


def _check_target(args: argparse.Namespace) -> None:
    """Refuse to write the run over what it is made from."""
    if args.out == "-" or not os.path.exists(args.out):
        return
    for source in (args.corpus, args.queries):
        if source and os.path.exists(source) and os.path.samefile(args.out, source):
            raise ValueError(f"--out must not be a file that is read, got {args.out!r}")


def _runs(args: argparse.Namespace, bad_lines: BadLines | None) -> Iterator[Run]:
    """Yield the runs of consecutive queries; nothing is read before the output is open."""
    queries = queries_of(args, bad_lines)
    index = fitted_index(args, corpus_records(args, bad_lines))
    shown = progress(queries, "queries", wanted=args.progress)
    yield from named_runs(index, shown, args.k, args.n_jobs)


def named_runs(index: BM25Index, queries: Iterable[tuple[DocId, str]], k: int, n_jobs: int) -> Iterator[Run]:
    """Yield the runs of `search_chunks` under the ids of the queries."""
    read: list[DocId] = []

    def texts() -> Iterator[str]:
        for query_id, text in queries:
            read.append(query_id)
            yield text

    for chunk in index.search_chunks(texts(), k, n_jobs=n_jobs):
        query_ids, read[:] = read.copy(), []
        yield replace(chunk, query_ids=query_ids)
