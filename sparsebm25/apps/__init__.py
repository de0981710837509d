"""Who uses the engine? Four rankers: of tools, for requests, in a catalog, and of code."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sparsebm25.apps.catalog import Catalog
    from sparsebm25.apps.code import CodeSearch
    from sparsebm25.apps.router import Router
    from sparsebm25.apps.tools import ToolRanker

__all__ = ["Catalog", "CodeSearch", "Router", "ToolRanker"]

_HOMES = {"Catalog": "catalog", "CodeSearch": "code", "Router": "router", "ToolRanker": "tools"}


def __getattr__(name: str) -> Any:
    """Return an app; its module is loaded when it is first asked for."""
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
