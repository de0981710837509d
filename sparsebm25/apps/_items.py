"""What do callers' tools say? The texts of mappings, dataclasses or any objects."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any

from sparsebm25._checks import finite, shown
from sparsebm25.counting import missing

NO_LIMIT = 2**62
"""More than any list holds; stands for infinity."""


def getter(item: Any) -> Callable[[str], Any]:
    """Return the function from a name to what an item has under it; None if it has nothing."""
    return item.get if isinstance(item, Mapping) else lambda name: getattr(item, name, None)


def field_value(item: Any, names: tuple[str, ...]) -> Any:
    """Return what an item has under the first of `names` that it has; None if it has none."""
    get = getter(item)
    return next((value for name in names if not missing(value := get(name))), None)


def field_text(item: Any, names: tuple[str, ...], place: int) -> str | None:
    """Return the text of a field; None if the item lacks it."""
    value = field_value(item, names)
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{' or '.join(names)} of item {place} must be a str, got {shown(value)}")
    return value


def required_text(item: Any, names: tuple[str, ...], place: int) -> str:
    """Return the text of a field that every item must have."""
    text = field_text(item, names, place)
    if text is None:
        raise ValueError(f"item {place} must have a {' or '.join(names)}, got {shown(item)}")
    return text


def field_weight(name: str, weight: float) -> float:
    """Return how often a field counts: not at all, or at least as often as any text."""
    number = finite(name, weight, low=0)
    if 0 < number < 1:
        raise ValueError(f"{name} must be 0 or at least 1, got {shown(weight)}")
    return number


def slice_end(k: object) -> int:
    """Return `k` as JavaScript reads the end of a slice: cut to a whole number, NaN and null are 0."""
    if k is None:
        return 0
    if isinstance(k, bool) or not isinstance(k, Real):
        raise TypeError(f"k must be a number, got {shown(k)}")
    number = float(k)
    if math.isnan(number):
        return 0
    return int(max(-NO_LIMIT, min(number, NO_LIMIT)))
