"""What does it cost to find the best scores, and to keep ties in order?"""

import numpy as np

from sparsebm25.scoring.topk import top_k


class TopK:
    """Scores as they come: nearly all 0, all different, or many equal ones."""

    param_names = ["n_docs", "k", "scores"]
    params = [[10_000, 1_000_000], [10, 1000], ["different", "half tied", "mostly zero"]]

    def setup(self, n_docs, k, scores):
        generator = np.random.default_rng(0)
        self.scores = generator.random(n_docs, dtype=np.float32)
        if scores == "half tied":
            self.scores[::2] = 0.5
        elif scores == "mostly zero":
            self.scores[generator.random(n_docs) < 0.98] = 0

    def time_top_k(self, n_docs, k, scores):
        top_k(self.scores, k)
