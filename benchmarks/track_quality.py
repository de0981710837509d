"""Does it still rank well? A change that gains speed and loses quality shows in the same report."""

from sparsebm25 import Analyzer, BM25Index
from sparsebm25.datasets import load_docstrings
from sparsebm25.evaluation import evaluate, nDCG


def setup_cache():
    """Return a collection that is always at hand, and its index; figures follow the version of NumPy."""
    collection = load_docstrings(packages=["numpy"])
    index = BM25Index(analyzer=Analyzer(language="english")).fit(collection.documents, ids=collection.ids)
    return collection, index


def track_ndcg(cached, scheme):
    """Return nDCG@10 of summaries of functions that look for their docstrings."""
    collection, index = cached
    queries = collection.queries
    run = index.with_params(scheme=scheme).search_many(queries.values(), k=10, query_ids=queries)
    return evaluate(nDCG @ 10, collection.qrels, run).means()[nDCG @ 10]


track_ndcg.param_names = ["scheme"]
track_ndcg.params = [["lucene", "robertson", "atire", "bm25l", "bm25+", "tfidf"]]
track_ndcg.unit = "nDCG@10"
