"""Which scheme ranks this collection best? BM25 beside TF-IDF, as a table."""

from __future__ import annotations

import argparse
from functools import partial

from sparsebm25.cli._input import corpus_records, fitted_index, judged_queries, qrels_of, queries_of, skipping
from sparsebm25.cli._options import empty_index
from sparsebm25.cli._output import counted, progress
from sparsebm25.evaluation.compare import COMPARED, MEASURES, compare


def run(args: argparse.Namespace) -> None:
    """Print the quality and the time of each scheme."""
    compared = partial(
        compare,
        settings=args.schemes or COMPARED,
        measures=args.measures or MEASURES,
        k=args.k,
        n_jobs=args.n_jobs,
        progress=lambda rows: progress(rows, "schemes", wanted=args.progress),
    )
    compared(empty_index(args), {}, {})  # refuses before the work what is wrong
    with skipping(args) as bad_lines:
        qrels = qrels_of(args)
        queries = judged_queries(queries_of(args, bad_lines), qrels)
        index = fitted_index(args, corpus_records(args, bad_lines))
    print(f"{counted(index.n_docs, 'document')}, {counted(len(queries), 'judged query')}, k = {args.k:,}")
    print(compared(index, queries, qrels))
