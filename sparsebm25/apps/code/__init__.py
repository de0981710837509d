"""Search in the code of a repository: names and their parts, paths, the lines that answer."""

from __future__ import annotations

from sparsebm25.apps.code.results import CodeHit, CodeLine
from sparsebm25.apps.code.search import CodeSearch

__all__ = ["CodeHit", "CodeLine", "CodeSearch"]
