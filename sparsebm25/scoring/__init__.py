"""Which documents fit, in which order, and why?"""

from sparsebm25.scoring.backends import available, backend_named
from sparsebm25.scoring.topk import top_k

__all__ = ["available", "backend_named", "top_k"]
