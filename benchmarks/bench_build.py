"""What does it cost to build an index: to count, and to weigh?"""

import numpy as np

from sparsebm25 import BM25Index

from .corpora import count_matrix, texts, token_lists


class Count:
    """From documents of any form to counts: many short ones, or fewer long ones."""

    param_names = ["collection", "form"]
    params = [["titles", "abstracts"], ["texts", "tokens", "matrix"]]

    def setup(self, collection, form):
        make = {"texts": texts, "tokens": token_lists, "matrix": count_matrix}[form]
        self.documents = make(collection)

    def time_fit(self, collection, form):
        BM25Index().fit(self.documents)

    def peakmem_fit(self, collection, form):
        BM25Index().fit(self.documents)


class Weigh:
    """From counts to weights: what another parameter or scheme costs."""

    param_names = ["scheme", "dtype"]
    params = [["lucene", "bm25+", "tfidf"], ["float32", "float64"]]

    def setup(self, scheme, dtype):
        self.index = BM25Index().fit(count_matrix("abstracts"))

    def time_weigh(self, scheme, dtype):
        return self.index.with_params(scheme=scheme, dtype=dtype).postings


class WeighFields:
    """BM25F: the same postings, their tokens split over fields."""

    param_names = ["n_fields"]
    params = [[1, 2, 4]]

    def setup(self, n_fields):
        names = [f"field{number}" for number in range(n_fields)]
        documents = (np.array_split(tokens, n_fields) for tokens in token_lists("abstracts"))
        self.index = BM25Index(analyzer=None, fields=dict.fromkeys(names, 1.0)).fit(
            {name: part.tolist() for name, part in zip(names, parts, strict=True)} for parts in documents
        )

    def time_weigh(self, n_fields):
        return self.index.with_params(k1=1.2).postings
