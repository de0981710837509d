"""Which entries of a catalog does a query mean?"""

from __future__ import annotations

from sparsebm25.apps.catalog._catalog import Catalog
from sparsebm25.apps.catalog._results import CatalogHit, CatalogHits, CatalogPage, Ranking, Wording

__all__ = ["Catalog", "CatalogHit", "CatalogHits", "CatalogPage", "Ranking", "Wording"]
