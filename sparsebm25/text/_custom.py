"""What does an analyzer ask of a caller's own functions? A name to be saved by, and the right results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sparsebm25._callables import callable_name
from sparsebm25._checks import choice, shown
from sparsebm25.protocols import Stemmer


def check_name_or_callable(name: str, value: object, names: Iterable[str]) -> None:
    """Refuse what is neither one of `names` nor a callable."""
    if isinstance(value, str):
        choice(name, value, names)
    elif not callable(value):
        raise TypeError(f"{name} must be a callable or one of {', '.join(names)}, got {shown(value)}")


def checked_stem(stemmer: Stemmer, token: str) -> str:
    """Return what a custom stemmer makes of a token, if it is a str."""
    stem: object = stemmer(token)
    if not isinstance(stem, str):
        raise TypeError(f"stemmer {callable_name(stemmer)} must return a str, got {shown(stem)}")
    return stem


def saved_form(value: Any) -> Any:
    """Return a setting in a form that JSON can hold."""
    if callable(value):
        return {"callable": callable_name(value)}
    return sorted(value) if isinstance(value, frozenset) else value


def restored_callable(
    name: str, saved: object, given: Callable[..., Any] | None
) -> Callable[..., Any] | None:
    """Return the callable that stands for a saved one, or None if none was saved."""
    wanted = saved.get("callable") if isinstance(saved, Mapping) else None
    found = None if given is None else callable_name(given)
    if wanted == found:
        return given
    if wanted is None:
        raise ValueError(f"{name} was not a callable when the analyzer was saved, got {found}")
    raise ValueError(
        f"the analyzer was saved with the callable {name} {wanted}; pass it again as {name}=, got {found}"
    )
