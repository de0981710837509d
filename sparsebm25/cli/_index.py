"""What is kept? An index of the corpus, in a folder."""

from __future__ import annotations

import argparse
from itertools import tee
from pathlib import Path

from sparsebm25.cli._input import corpus_records, skipping
from sparsebm25.cli._options import empty_index
from sparsebm25.cli._output import counted, progress
from sparsebm25.index.folders import read_header


def run(args: argparse.Namespace) -> None:
    """Count the corpus and save the index."""
    folder = Path(args.out)
    if folder.exists():
        read_header(folder)  # refuses now what saving would refuse after the work
    index = empty_index(args)
    with skipping(args) as bad_lines:
        records = progress(corpus_records(args, bad_lines), "documents", wanted=args.progress)
        texts, ids, *others = tee(records, 3 if args.keep_metadata else 2)
        metadata = (each.metadata for each in others[0]) if others else None
        index.fit((each.text for each in texts), (each.id for each in ids), metadata=metadata)
    index.save(folder)
    print(f"{folder}: {counted(index.n_docs, 'document')}, {counted(len(index.vocabulary), 'term')}")
