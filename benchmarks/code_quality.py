"""
How well does search in code rank? Questions of people over snippets of code, each snippet a file.

``python benchmarks/code_quality.py FOLDER`` prints R@5 and MRR (of the first 100) for both settings; FOLDER
holds a collection in BEIR's layout, such as CoSQA.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from sparsebm25.apps.code import CodeSearch
from sparsebm25.datasets import load_collection
from sparsebm25.evaluation import RR, R, evaluate

MEASURES = (R @ 5, RR @ 100)


def write_files(root: Path, texts: Mapping[str, str]) -> list[str]:
    """Write each text into a file named by its id and return the names."""
    for doc_id, text in texts.items():
        (root / doc_id).write_text(text, "utf-8")
    return list(texts)


def search_all(search: CodeSearch, queries: Mapping[str, str]) -> dict[str, dict[str, float]]:
    """Return the ranked files of each query; scores are their ranks turned round, so that order decides."""
    return {
        query_id: {hit.path: -float(rank) for rank, hit in enumerate(search.search(query, 100, lines=0))}
        for query_id, query in queries.items()
    }


def measured(folder: Path, settings: Iterable[bool] = (True, False)) -> dict[bool, dict[str, float]]:
    """Return what each measure says for the compatible setting (True) and the default one (False)."""
    collection = load_collection(folder)
    texts = {str(doc_id): text for doc_id, text in zip(collection.ids, collection.documents, strict=True)}
    queries = {str(query_id): text for query_id, text in collection.queries.items()}
    found = {}
    with TemporaryDirectory() as root:
        names = write_files(Path(root), texts)
        for compatible in settings:
            search = CodeSearch.open(root, compatible=compatible, cache=False, files=names)
            means = evaluate(MEASURES, collection.qrels, search_all(search, queries)).means()
            found[compatible] = {repr(measure): means[measure] for measure in MEASURES}
    return found


if __name__ == "__main__":
    for compatible, means in measured(Path(sys.argv[1])).items():
        figures = ", ".join(f"{name} {value:.4f}" for name, value in means.items())
        print(f"{'compatible' if compatible else 'default'}: {figures}")
