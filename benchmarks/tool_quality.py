"""
How well are tools found? Both settings of the router, on real collections of tools, as a table.

Run as ``python benchmarks/tool_quality.py FOLDER``, where FOLDER holds ``tools_heritage171`` and
``tools_sealtools`` in the BEIR layout. R@k is the share of requests with a right tool among the first k;
recall@5 the share of all right tools. All are measured on the eight candidates of a search.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from sparsebm25.apps import Router
from sparsebm25.datasets import load_collection
from sparsebm25.evaluation import RR, R, Success, evaluate

COLLECTIONS = ("tools_heritage171", "tools_sealtools")
SETTINGS = {
    "compatible": {"compatible": True, "hint_boost": 0},
    "compatible, tfidf": {"compatible": True, "hint_boost": 0, "ranker": "tfidf"},
    "default": {},
    "default, tfidf": {"ranker": "tfidf"},
    "default, no stems": {"language": None},
    "default, no n-grams": {"name_grams": 0},
    "default, 3-grams": {"name_grams": 3},
    "default, 5-grams": {"name_grams": 5},
    "default, name_weight 1": {"name_weight": 1},
}
MEASURES = {
    "R@1": Success @ 1,
    "R@3": Success @ 3,
    "R@5": Success @ 5,
    "R@8": Success @ 8,
    "MRR": RR @ 8,
    "recall@5": R @ 5,
}


def measured(collection, settings):
    """Return the mean of each measure in percent, and the milliseconds of one search."""
    router = Router(
        ({"name": fields["title"], "description": fields["text"]} for fields in collection.fields), **settings
    )
    router.search("made at the first search")
    start = time.perf_counter()
    run = {
        query_id: {candidate.tool: candidate.score for candidate in router.search(query, 8)}
        for query_id, query in collection.queries.items()
    }
    each = 1000 * (time.perf_counter() - start) / len(run)
    means = evaluate(MEASURES.values(), collection.qrels, run).means()
    return [100 * means[measure] for measure in MEASURES.values()], each


def main(folder):
    """Print one table for each collection."""
    for name in COLLECTIONS:
        collection = load_collection(folder / name)
        print(f"\n{name}: {len(collection.ids)} tools, {len(collection.queries)} requests")
        print(f"{'':24}" + "".join(f"{measure:>10}" for measure in MEASURES) + f"{'ms':>8}")
        for label, settings in SETTINGS.items():
            figures, each = measured(collection, settings)
            print(f"{label:24}" + "".join(f"{figure:10.1f}" for figure in figures) + f"{each:8.1f}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python benchmarks/tool_quality.py FOLDER")
    main(Path(sys.argv[1]))
