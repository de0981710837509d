"""The index: what do I keep, change and ask?"""

from sparsebm25.index.index import BM25Index

__all__ = ["BM25Index"]
