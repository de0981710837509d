"""One writer at a time."""

from __future__ import annotations

import os
import threading
from weakref import WeakSet


class WriterLock:
    """Lets writers in one after the other; in a forked child it is open, whoever held it in the parent."""

    def __init__(self) -> None:
        self._open()
        _LOCKS.add(self)

    def _open(self) -> None:
        """Begin without a writer."""
        self._lock = threading.Lock()
        self._owner: int | None = None

    def __enter__(self) -> None:
        if self._owner == threading.get_ident():
            raise RuntimeError("an index cannot be changed from inside a change of its own")
        self._lock.acquire()
        self._owner = threading.get_ident()

    def __exit__(self, *failure: object) -> None:
        self._owner = None
        self._lock.release()


_LOCKS: WeakSet[WriterLock] = WeakSet()


def _open_all() -> None:
    """Open the locks of a process that was just forked: their owners stayed behind."""
    for lock in _LOCKS:
        lock._open()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_open_all)
