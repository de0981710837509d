"""What is one occurrence worth?"""

from sparsebm25.weighting.schemes import SCHEMES, QuerySide, Scheme, scheme_named
from sparsebm25.weighting.statistics import Statistics
from sparsebm25.weighting.weigh import Weighting, Weights, weigh

__all__ = ["SCHEMES", "QuerySide", "Scheme", "Statistics", "Weighting", "Weights", "scheme_named", "weigh"]
