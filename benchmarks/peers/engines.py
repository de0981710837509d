"""Who takes part? One class an engine, all with the same three questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Protocol

import numpy as np

from sparsebm25 import BM25Index
from sparsebm25.scoring import available

from .agreement import Ranking
from .pisa_files import silence, write_inverted
from .rules import K1, B, by_pisa, by_tantivy
from .texts import Tokens

BACKENDS = ("numba", "scipy")
PEERS = ("bm25q exact", "bm25s numba", "PISA", "tantivy")
PISA_ALGORITHMS = ("block_max_wand", "maxscore")


class Engine(Protocol):
    """An index of one engine."""

    name: str
    rule: str
    """How it scores where that is not Lucene's BM25 with k1 1.5; empty where it is."""

    def search(self, queries: Tokens, k: int) -> Any:
        """Return the best documents of many queries, in the form the engine gives them: this is timed."""
        ...

    def rankings(self, answer: Any) -> list[Ranking]:
        """Return such an answer in the form that is compared."""
        ...

    def same_rule(self, index: BM25Index) -> BM25Index:
        """Return our index under the rule of this engine."""
        ...


class Ours:
    """sparsebm25 with one of its backends, by `search_many`."""

    rule = ""

    def __init__(self, index: BM25Index, backend: str, n_jobs: int = 1) -> None:
        self.name = f"sparsebm25 {backend}"
        self._index = index.with_params(backend=backend)
        self._n_jobs = n_jobs

    def search(self, queries: Tokens, k: int) -> Any:
        """Return a run."""
        return self._index.search_many(queries, k, n_jobs=self._n_jobs)

    def rankings(self, answer: Any) -> list[Ranking]:
        """Return the rankings of a run."""
        return [
            (answer.doc_ords[start:end], answer.scores[start:end])
            for start, end in pairwise(answer.indptr.tolist())
        ]

    def same_rule(self, index: BM25Index) -> BM25Index:
        """Return our index as it is."""
        return index


class Bm25s:
    """bm25s with compiled kernels, or its fork bm25q, which has the same interface."""

    rule = ""

    def __init__(self, documents: Any, module: str = "bm25s") -> None:
        self.name = f"{module} numba"
        self._engine = import_module(module).BM25(method="lucene", k1=K1, b=B, backend="numba")
        self._engine.compile(activate_numba=True)
        self._engine.index(documents, show_progress=False)

    def search(self, queries: Tokens, k: int) -> Any:
        """Return two arrays of k columns: documents and scores."""
        return self._engine.retrieve(queries, k=k, show_progress=False, n_threads=1)

    def rankings(self, answer: Any) -> list[Ranking]:
        """Return the rankings without what only fills them up to k: documents with a score of 0."""
        return [(docs[scores > 0], scores[scores > 0]) for docs, scores in zip(*answer, strict=True)]

    def same_rule(self, index: BM25Index) -> BM25Index:
        """Return our index as it is."""
        return index


class Bm25q(Bm25s):
    """bm25q, every score exact: no 8-bit impacts."""

    def __init__(self, documents: Any) -> None:
        super().__init__(documents, "bm25q")
        self.name = "bm25q exact"


class Pisa:
    """PISA through its Python binding, by one of its algorithms."""

    rule = "idf at least 1e-6, which it is for terms in half of the documents"

    def __init__(self, folder: Path, algorithm: str) -> None:
        import pyterrier_pisa

        self.name = f"PISA {algorithm}"
        self._index = pyterrier_pisa.PisaIndex(str(folder), stemmer="none", stops="none", threads=1)
        self._algorithm = algorithm
        self._retrievers: dict[int, Any] = {}
        self._asked: tuple[Tokens, Any] = ([], None)

    def search(self, queries: Tokens, k: int) -> Any:
        """Return a frame of hits, and how many queries were asked."""
        return self._retriever(k)(self._frame(queries)), len(queries)

    def _retriever(self, k: int) -> Any:
        """Return the retriever for a number of hits; the first one compresses the index."""
        if k not in self._retrievers:
            settings = {"query_algorithm": self._algorithm, "query_weighted": True, "toks_scale": 1.0}
            with silence():
                self._retrievers[k] = self._index.bm25(k1=K1, b=B, num_results=k, threads=1, **settings)
        return self._retrievers[k]

    def _frame(self, queries: Tokens) -> Any:
        """Return queries as the frame it wants; made at the first turn, which is not timed."""
        import pandas as pd

        if self._asked[0] is not queries:
            weighted = [dict(Counter(query)) for query in queries]
            names = [str(place) for place in range(len(queries))]
            self._asked = queries, pd.DataFrame({"qid": names, "query": "", "query_toks": weighted})
        return self._asked[1]

    def rankings(self, answer: Any) -> list[Ranking]:
        """Return the rankings of a frame, which lists the queries in their order."""
        frame, n_queries = answer
        docs, scores = frame["docno"].astype(int).to_numpy(), frame["score"].to_numpy()
        bounds = np.searchsorted(frame["qid"].astype(int), np.arange(n_queries + 1)).tolist()
        return [(docs[start:end], scores[start:end]) for start, end in pairwise(bounds)]

    def same_rule(self, index: BM25Index) -> BM25Index:
        """Return our index with PISA's idf."""
        return by_pisa(index)


class Tantivy:
    """tantivy through its Python binding; a hit's document is read from a fast field, as its users do."""

    name = "tantivy"
    rule = "k1 1.2, k1 + 1 in the numerator, lengths in one byte"

    def __init__(self, tokens: Tokens) -> None:
        import tantivy

        self._tantivy = tantivy
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("body", stored=False, tokenizer_name="whitespace", index_option="freq")
        builder.add_unsigned_field("place", stored=False, fast=True)
        self._index = tantivy.Index(builder.build())
        writer = self._index.writer(256_000_000, 1)
        for place, words in enumerate(tokens):
            document = tantivy.Document()
            document.add_text("body", " ".join(words))
            document.add_unsigned("place", place)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()

    def search(self, queries: Tokens, k: int) -> list[tuple[list[int], list[float]]]:
        """Return documents and scores of each query."""
        return [self._best(query, k) for query in queries]

    def _best(self, tokens: list[str], k: int) -> tuple[list[int], list[float]]:
        """Return the documents and scores of one query."""
        query, either = self._tantivy.Query, self._tantivy.Occur.Should
        terms = [(either, query.term_query(self._index.schema, "body", token, "freq")) for token in tokens]
        hits = self._searcher.search(query.boolean_query(terms), k, count=False).hits
        places = self._searcher.fast_field_values("place", [address for _, address in hits]) if hits else []
        return places, [score for score, _ in hits]

    def rankings(self, answer: list[tuple[list[int], list[float]]]) -> list[Ranking]:
        """Return the same as arrays."""
        return [(np.array(docs, np.int64), np.array(scores)) for docs, scores in answer]

    def same_rule(self, index: BM25Index) -> BM25Index:
        """Return our index with tantivy's k1, factor and lengths."""
        return by_tantivy(index)


def our_backends() -> tuple[list[str], dict[str, str]]:
    """Return our backends that work here, and the others with the reason."""
    working = [name for name in BACKENDS if name in available()]
    reason = "this backend does not work here: sparsebm25.scoring.available() lacks it"
    return working, {f"sparsebm25 {name}": reason for name in BACKENDS if name not in working}


def peer_engines(
    tokens: Tokens, index: BM25Index, scratch: Path, names: Sequence[str] = PEERS
) -> tuple[list[Engine], dict[str, str]]:
    """Return indexes of the peers over the same documents, and the peers that are missing with the reason."""
    builders: dict[str, Callable[[], Sequence[Engine]]] = {
        "bm25q exact": lambda: [Bm25q(tokens)],
        "bm25s numba": lambda: [Bm25s(tokens)],
        "PISA": lambda: pisa_engines(index, scratch),
        "tantivy": lambda: [Tantivy(tokens)],
    }
    engines: list[Engine] = []
    missing: dict[str, str] = {}
    for name in names:
        try:
            engines += builders[name]()
        except ImportError as error:
            missing[name] = str(error)
    return engines, missing


def pisa_engines(index: BM25Index, scratch: Path, algorithms: Sequence[str] = PISA_ALGORITHMS) -> list[Pisa]:
    """Return PISA with some of its algorithms, on the counts of an index."""
    folder = Path(mkdtemp(dir=scratch))
    write_inverted(folder, index.vocabulary, index.counts)
    return [Pisa(folder, algorithm) for algorithm in algorithms]
