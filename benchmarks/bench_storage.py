"""What does it cost to keep an index on disk, and to open it?"""

import tempfile
from pathlib import Path

from sparsebm25 import BM25Index

from .corpora import query_lists, texts

(QUERY,) = query_lists("passages", 1)


class Saved:
    """The folder of an index of many short texts, written once for all of these benchmarks."""

    def setup_cache(self):
        BM25Index().fit(texts("passages")).save("index")
        return str(Path("index").absolute())


class Save(Saved):
    """Write an index into a new folder."""

    def setup(self, path):
        self.index = BM25Index.load(path)
        self.folder = tempfile.TemporaryDirectory()

    def teardown(self, path):
        self.folder.cleanup()

    def time_save(self, path):
        self.index.save(Path(self.folder.name, "index"))

    def track_size(self, path):
        return sum(file.stat().st_size for file in Path(path).rglob("*") if file.is_file())

    track_size.unit = "bytes"


class Load(Saved):
    """Open an index and ask it once: read whole, or mapped."""

    param_names = ["mmap"]
    params = [[False, True]]

    def time_load(self, path, mmap):
        BM25Index.load(path, mmap=mmap)

    def time_load_then_search(self, path, mmap):
        BM25Index.load(path, mmap=mmap).search(QUERY)

    def peakmem_load_then_search(self, path, mmap):
        BM25Index.load(path, mmap=mmap).search(QUERY)
