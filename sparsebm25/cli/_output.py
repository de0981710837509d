"""How is it said? Errors and notes in single lines on standard error, progress for long work."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TypeVar

Item = TypeVar("Item")

PATIENCE = 2.0
"""Seconds of work before progress is shown."""


def complain(error: Exception) -> None:
    """Tell an error in one line."""
    text = str(error)
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        text = f"{error.filename}: {error.strerror}"
    note(f"error: {text}")


def note(text: str) -> None:
    """Say something beside the output, in one line."""
    print("sparsebm25:", " ".join(text.splitlines()), file=sys.stderr)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, such as 1 document or 2 queries."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def progress(items: Iterable[Item], unit: str, *, wanted: bool | None) -> Iterable[Item]:
    """Return items that show on standard error how far they are read; None: only on a terminal."""
    if not (sys.stderr.isatty() if wanted is None else wanted):
        return items
    from tqdm import tqdm

    return tqdm(items, unit=f" {unit}", delay=PATIENCE, leave=False)
