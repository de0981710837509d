"""
The public API as users write it, read by the type checker and never run.

It fails when a signature takes less than the documentation says or hands back something else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from sparsebm25 import Analyzer, BM25Index, BM25Transformer, BM25Vectorizer, Explanation, Hit, Hits, Run
from sparsebm25.datasets import load_docstrings
from sparsebm25.evaluation import evaluate, nDCG, read_qrels


def stream() -> Iterator[str]:
    """Yield documents, as a generator over a file would."""
    yield "red kite"
    yield "blue kite"


def last_letter_off(token: str) -> str:
    """Return a token without its last letter: a stemmer of one's own."""
    return token[:-1]


def analyzers() -> list[str]:
    """Analyze text with names, with sets and with callables."""
    Analyzer()
    Analyzer("english", accents="fold", min_length=2)
    Analyzer(tokens="identifiers", case="casefold", normalize="NFKC", cjk="bigrams")
    analyzer = Analyzer(tokens=str.split, stopwords={"the"}, stemmer=last_letter_off)
    return assert_type(analyzer("The red kite"), list[str])


def fit_forms(counts: csr_array) -> None:
    """Fit on every form of documents."""
    BM25Index().fit(["red kite", "blue kite"])
    BM25Index(dtype="float64").fit(stream(), ids=["a", "b"])
    BM25Index(analyzer=None).fit([["red", "kite"], []])
    BM25Index(analyzer=None).fit(counts)
    BM25Index(fields={"title": 2.0, "body": 1.0}, field_b={"title": 0.5}).fit(
        [{"title": "red", "body": "a kite"}, {"body": "another"}]
    )


def search(index: BM25Index) -> None:
    """Search with every form of query, filter and boost."""
    hits = assert_type(index.search("red kite", k=3), Hits)
    for hit in hits:
        assert_type(hit, Hit)
        assert_type(hit.doc_id, str | int)
        assert_type(hit.score, float)
    assert_type(hits[0], Hit)
    assert_type(hits[:2], Hits)
    index.search(["red", "kite"])
    index.search({"red": 2.0, "kite": 0.5})
    index.search("red kite", where=["a", "b"])
    index.search("red kite", where=np.array([True, False]), boost=np.array([1.0, 2.0]))
    assert_type(index.scores("red kite"), NDArray[np.floating[Any]])
    assert_type(index.score_matrix(["red", "kite"]), csr_array)
    assert_type(index.explain("red kite", "a"), Explanation)


def change(index: BM25Index) -> BM25Index:
    """Add, remove and replace documents, and look at the same counts with other parameters."""
    index.add(["green kite"], ids=["c"])
    index.replace(["green kites"], ids=["c"])
    index.remove(["c"])
    return assert_type(index.with_params(k1=0.9, b=0.4, scheme="bm25+"), BM25Index)


def runs(index: BM25Index, folder: Path) -> dict[str | int, dict[str | int, float]]:
    """Rank many queries, write the run, and read it back."""
    run = assert_type(index.search_many(["red", "kite"], k=1000, query_ids=["q1", "q2"], n_jobs=2), Run)
    run.to_trec(folder / "run.trec")
    return Run.from_trec(folder / "run.trec").to_dict()


def quality(run: Run, folder: Path) -> None:
    """Compare a run with judgments of one's own or from a file."""
    evaluate(["nDCG@10", "AP"], {"q1": {"a": 2, "b": 0}}, run)
    evaluate(nDCG @ 10, read_qrels(folder / "qrels.tsv"), run)
    load_docstrings()


def weights(counts: csr_array) -> None:
    """Weigh counts and texts as scikit-learn does."""
    assert_type(BM25Transformer(k1=0.9).fit(counts), BM25Transformer)
    vectorizer = assert_type(BM25Vectorizer().fit(["red kite"]), BM25Vectorizer)
    vectorizer.transform_queries(["red"]) @ vectorizer.transform(["red kite"]).T


def storage(index: BM25Index, folder: Path) -> BM25Index:
    """Save an index and map it."""
    index.save(folder / "index")
    return assert_type(BM25Index.load(folder / "index", mmap=True), BM25Index)


def arrays(index: BM25Index) -> Mapping[str, object]:
    """Look at the open arrays."""
    return {
        "tf": assert_type(index.counts.tf, csr_array),
        "doc_lengths": assert_type(index.counts.doc_lengths, NDArray[np.integer[Any]]),
        "doc_freqs": assert_type(index.counts.doc_freqs, NDArray[np.integer[Any]]),
        "idf": assert_type(index.idf, NDArray[np.floating[Any]]),
        "length_norm": assert_type(index.length_norm, NDArray[np.floating[Any]]),
    }
