"""What does a question cost: one or many, on each backend?"""

from sparsebm25 import BM25Index
from sparsebm25.scoring.backends import available

from .corpora import query_lists, texts

QUERIES = query_lists("passages", 256)


class Passages:
    """An index of many short texts, built once for all of these benchmarks."""

    def setup_cache(self):
        return BM25Index().fit(texts("passages"))


class Single(Passages):
    """One query at a time, few or many terms."""

    param_names = ["n_terms"]
    params = [[2, 6, 30]]

    def setup(self, index, n_terms):
        (self.query,) = query_lists("passages", 1, length=n_terms)
        index.search(self.query)  # makes the weights

    def time_scores(self, index, n_terms):
        index.scores(self.query)

    def time_search(self, index, n_terms):
        index.search(self.query, k=10)

    def time_explain(self, index, n_terms):
        index.explain(self.query, 0)


class Batch(Passages):
    """Many queries at once."""

    param_names = ["backend", "k", "n_jobs"]
    params = [["scipy", "numba"], [10, 1000], [1, 2]]

    def setup(self, index, backend, k, n_jobs):
        if backend not in available():
            raise NotImplementedError(f"no backend {backend!r} here")  # asv skips it
        self.index = index.with_params(backend=backend)
        self.index.search_many(QUERIES, k=k, n_jobs=n_jobs)  # makes the weights, compiles the kernels

    def time_search_many(self, index, backend, k, n_jobs):
        self.index.search_many(QUERIES, k=k, n_jobs=n_jobs)


class Rows(Passages):
    """All scores of many queries, as a sparse matrix."""

    def setup(self, index):
        index.search(QUERIES[0])  # makes the weights

    def time_score_matrix(self, index):
        index.score_matrix(QUERIES)

    def peakmem_score_matrix(self, index):
        index.score_matrix(QUERIES)
