"""Values that are made at first use and kept, without a lock, so that a fork cannot inherit a held one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Generic, TypeVar, overload

from numpy.typing import NDArray

T = TypeVar("T")


class lazy(Generic[T]):
    """A method without arguments whose result replaces it; two threads may both make it, and agree."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> lazy[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> T | lazy[T]:
        if instance is None:
            return self
        value = self._make(instance)
        instance.__dict__[self._name] = value
        return value


def freeze(*arrays: NDArray[Any]) -> None:
    """Make arrays read-only: what several snapshots share must not change under any of them."""
    for array in arrays:
        array.flags.writeable = False


class Derived:
    """A frozen dataclass with lazy values; copies and pickles carry its fields only."""

    def __getstate__(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]
