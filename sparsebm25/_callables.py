"""What we ask of callers' own functions: a name to be saved by, and the right results."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from sparsebm25._checks import shown
from sparsebm25.protocols import TextAnalyzer


def callable_name(function: Callable[..., object]) -> str:
    """Return module and name of a function, or of the class of a callable object."""
    if isinstance(function, partial):
        given = [
            *map(repr, function.args),
            *(f"{name}={value!r}" for name, value in function.keywords.items()),
        ]
        return f"partial {callable_name(function.func)}({', '.join(given)})"
    kind = type(function)
    module = getattr(function, "__module__", None) or kind.__module__
    return f"{module}:{getattr(function, '__qualname__', kind.__qualname__)}"


def checked_tokens(analyzer: TextAnalyzer, text: str, *, name: str = "analyzer") -> list[str]:
    """Return what a custom function makes of a text, if it is a list of str."""
    found: object = analyzer(text)
    tokens = (
        list(found) if isinstance(found, Iterable) and not isinstance(found, str | bytes | dict) else None
    )
    if tokens is None or not all(isinstance(token, str) for token in tokens):
        raise TypeError(f"{name} {callable_name(analyzer)} must return a list of str, got {shown(found)}")
    return tokens
