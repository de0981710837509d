"""The one door through which optional libraries come in."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from sparsebm25.errors import MissingExtra


def require(module: str, extra: str) -> ModuleType:
    """Return an optional module, or say how to install it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtra(f"{module} is needed here: pip install 'sparsebm25[{extra}]'") from error
