"""Checks at the border: each names the argument, the value and what is allowed."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from numbers import Real
from typing import Any

from scipy.sparse import issparse


def shown(value: object, limit: int = 60) -> str:
    """Return a `repr` that is short enough for a message."""
    text = repr(value)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def escaped(value: object) -> str:
    """Return the text of `value`, safe to stand in HTML."""
    from html import escape  # its table of entities takes long to load

    return escape(str(value))


def is_sparse(value: object) -> bool:
    """Return whether `value` is a sparse matrix or array of SciPy."""
    return bool(issparse(value))


def checked_inside(matrix: Any) -> Any:
    """Return a matrix in CSR, CSC or BSR form on the same arrays, if every entry lies inside its shape."""
    arrays = matrix.data, matrix.indices, matrix.indptr
    own = type(matrix)(arrays, shape=matrix.shape, copy=False)  # the check cuts what an object has to spare
    own.check_format(full_check=True)
    return own


def checked_entries(matrix: Any) -> Any:
    """Return a sparse matrix as a list of its entries, every one of which lies inside its shape."""
    entries = (checked_inside(matrix) if hasattr(matrix, "check_format") else matrix).tocoo()
    for axis, (coords, size) in enumerate(zip(entries.coords, entries.shape, strict=True)):
        if coords.size and not 0 <= coords.min() <= coords.max() < size:
            raise ValueError(
                f"a sparse matrix of shape {entries.shape} has an entry outside along axis {axis}"
            )
    return entries


def finite(name: str, value: object, *, low: float = -math.inf, high: float = math.inf) -> float:
    """Return `value` as a float within [low, high], or say what is allowed."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, got {shown(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not (math.isfinite(number) and low <= number <= high):
        raise ValueError(f"{name} must be a finite number{_range(low, high)}, got {shown(value)}")
    return number


def _range(low: float, high: float) -> str:
    """Return the words for a closed range."""
    if low > -math.inf and high < math.inf:
        return f" in [{low:g}, {high:g}]"
    return f" >= {low:g}" if low > -math.inf else ""


def integer(name: str, value: object, *, low: int | None = None) -> int:
    """Return `value` as an int of at least `low`, or say what is allowed."""
    if isinstance(value, bool):
        raise TypeError(f"{name} must be an integer, got {value!r}")
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} must be an integer, got {shown(value)}") from None
    if low is not None and number < low:
        raise ValueError(f"{name} must be an integer >= {low}, got {number}")
    return number


def choice(name: str, value: object, allowed: Iterable[object]) -> None:
    """Refuse a `value` that is not one of `allowed`."""
    options = list(allowed)
    if not any(value is option or value == option for option in options):
        names = ", ".join(repr(option) for option in options)
        raise ValueError(f"{name} must be one of {names}, got {shown(value)}")
