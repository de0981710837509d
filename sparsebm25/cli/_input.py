"""What is read? Documents into an index, queries and judgments, with malformed lines reported."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import tee
from pathlib import Path

from sparsebm25 import BM25Index
from sparsebm25._checks import choice
from sparsebm25.cli._options import empty_index
from sparsebm25.cli._output import counted, note, progress
from sparsebm25.datasets import BadLines, Record, read_documents, read_queries
from sparsebm25.datasets._folders import require_beir
from sparsebm25.evaluation import read_qrels
from sparsebm25.protocols import DocId


@contextmanager
def skipping(args: argparse.Namespace) -> Iterator[BadLines | None]:
    """Yield where malformed lines are noted if they are to be skipped, and report them at the end."""
    bad_lines = BadLines() if args.skip_bad else None
    yield bad_lines
    if bad_lines is not None and bad_lines.count:
        note(f"skipped {counted(bad_lines.count, 'malformed line')}, such as")
        for message in bad_lines.messages:
            note(message)


def corpus_records(args: argparse.Namespace, bad_lines: BadLines | None) -> Iterator[Record]:
    """Return the documents of the corpus."""
    return read_documents(
        args.corpus,
        format=args.format,
        id_field=args.id_field,
        text_fields=args.text_fields or (list(args.fields) if args.fields else None),
        joined=args.fields is None,
        bad_lines=bad_lines,
    )


def fitted_index(args: argparse.Namespace, records: Iterable[Record]) -> BM25Index:
    """Return an index of documents for files, in which all ids are text."""
    texts, ids = tee(progress(records, "documents", wanted=args.progress))
    return empty_index(args).fit((each.text for each in texts), (str(each.id) for each in ids))


def queries_of(args: argparse.Namespace, bad_lines: BadLines | None) -> Iterator[tuple[DocId, str]]:
    """Return the queries, or those of the corpus' own BEIR folder."""
    if args.queries is None:
        _check_folder(args.corpus, "QUERIES")
        return read_queries(args.corpus, format="beir", bad_lines=bad_lines)
    if args.queries == args.corpus == "-":
        raise ValueError("only one of CORPUS and QUERIES can be standard input, got - for both")
    return read_queries(args.queries, format=args.queries_format, bad_lines=bad_lines)


def qrels_of(args: argparse.Namespace) -> dict[str, dict[str, int]]:
    """Return the judgments, or those of the corpus' own BEIR folder."""
    if args.qrels is not None:
        return read_qrels(args.qrels)
    _check_folder(args.corpus, "QRELS")
    qrels = require_beir(Path(args.corpus)).qrels
    choice("--split", args.split, qrels)
    return read_qrels(qrels[args.split])


def _check_folder(corpus: str, left_out: str) -> None:
    """Refuse that an argument is left out where there is no folder to find it in."""
    if not Path(corpus).is_dir():
        raise ValueError(f"{left_out} can be left out only if CORPUS is a BEIR folder, got {corpus}")


def judged_queries(queries: Iterable[tuple[DocId, str]], qrels: dict[str, dict[str, int]]) -> dict[str, str]:
    """Return the queries that have judgments, by their ids as text."""
    judged = {str(query_id): text for query_id, text in queries if str(query_id) in qrels}
    if not judged:
        raise ValueError("no query has a judgment: the ids of queries and judgments have nothing in common")
    return judged
