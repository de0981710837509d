"""What does a change cost, and the first question after it?"""

from sparsebm25 import BM25Index

from .corpora import query_lists, token_lists

N_CHANGED = 100


class Update:
    """Add, remove and replace a hundred documents among many; the index itself stays as it was."""

    param_names = ["collection"]
    params = [["titles", "abstracts"]]

    def setup(self, collection):
        documents = token_lists(collection)
        self.new = documents[:N_CHANGED]
        self.index = BM25Index(analyzer=None).fit(documents)
        self.index.search(documents[0])
        (self.query,) = query_lists(collection, 1)

    def time_add(self, collection):
        self.index.with_params().add(self.new)

    def time_remove(self, collection):
        self.index.with_params().remove(range(N_CHANGED))

    def time_replace(self, collection):
        self.index.with_params().replace(self.new, range(N_CHANGED, 2 * N_CHANGED))

    def time_add_then_search(self, collection):
        self.index.with_params().add(self.new).search(self.query)
