"""How much memory does it take? As Linux counts it, and as the objects say themselves."""

from __future__ import annotations

import gc
import sys
import types
from collections.abc import Callable
from pathlib import Path

import numpy as np

MEGABYTE = 1e6

_UNRELATED = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType)
"""What leads from an object to the whole program."""


def status(name: str) -> int:
    """Return a line of this process's status, such as ``VmRSS`` or ``RssAnon``, in bytes."""
    for line in Path("/proc/self/status").read_text("ascii").splitlines():
        key, _, value = line.partition(":")
        if key == name:
            return 1024 * int(value.split()[0])
    raise KeyError(name)


def restart_peak() -> None:
    """Let the highest resident size, ``VmHWM``, start anew from what is resident now."""
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")


def peak_extra(action: Callable[[], object]) -> int:
    """Return by how many bytes the memory of this process rose at most while an action ran."""
    restart_peak()
    before = status("VmRSS")
    action()
    return max(0, status("VmHWM") - before)


def held_bytes(*roots: object) -> int:
    """Return the bytes of all objects that can be reached, each array counted once."""
    seen: set[int] = set()
    waiting = list(roots)
    total = 0
    while waiting:
        thing = waiting.pop()
        if isinstance(thing, np.ndarray) and isinstance(thing.base, np.ndarray):
            thing = thing.base
        if id(thing) in seen or isinstance(thing, _UNRELATED):
            continue
        seen.add(id(thing))
        total += thing.nbytes if isinstance(thing, np.ndarray) else sys.getsizeof(thing)
        waiting += gc.get_referents(thing)
    return total


def mapped_sizes(smaps: str, folder: str) -> dict[str, int]:
    """Return the bytes of a process's mappings of files in a folder, by kind (``Rss``, ``Pss``, ...)."""
    sizes: dict[str, int] = {}
    inside = False
    for line in smaps.splitlines():
        parts = line.split(maxsplit=5)
        if not parts[0].endswith(":"):  # a new mapping: addresses, rights, offset, device, inode, path
            inside = len(parts) == 6 and parts[5].startswith(folder)
        elif inside and parts[-1] == "kB":
            sizes[parts[0][:-1]] = sizes.get(parts[0][:-1], 0) + 1024 * int(parts[1])
    return sizes
