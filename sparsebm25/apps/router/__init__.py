"""Which tools can do what a user asks for, and how sure is that?"""

from __future__ import annotations

from sparsebm25.apps.router._results import Candidate, Route
from sparsebm25.apps.router._router import Router

__all__ = ["Candidate", "Route", "Router"]
