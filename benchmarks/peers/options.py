"""What is compared, on how much, how often?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

QUERY_SETS = {
    "packages": ("packages", "msmarco_dev_queries"),
    "passages_win32": ("msmarco_dev_queries",),
}
"""Collection -> the queries it is asked: its own, where it has some, and real web questions."""
DEPTHS = (10, 100, 1000)
"""The k of every comparison."""


@dataclass(frozen=True)
class Options:
    """What the sections of a run share."""

    shared_data: Path
    """Folder of the collections."""
    scratch: Path
    """Folder for files that nobody keeps."""
    collections: tuple[str, ...] = tuple(QUERY_SETS)
    n_queries: int = 1000
    n_documents: int | None = None
    """Of each collection, the first so many; None for all."""
    keep_stopwords: bool = False
    repeats: int = 5
    sizes: tuple[int, ...] = (10_000, 100_000, 1_000_000)
    """Documents of the collections that grow."""


def depths(n_docs: int) -> list[int]:
    """Return the k that a collection of this size allows: some peers refuse more hits than documents."""
    return [k for k in DEPTHS if k <= n_docs]


def shown_command(arguments: Sequence[str]) -> str:
    """Return the command line of a run, without the paths of the machine it ran on."""
    shown = []
    is_path = False
    for argument in arguments:
        name, equals, _ = argument.partition("=")
        shown.append("PATH" if is_path else f"{name}=PATH" if equals and name in _PATHS else argument)
        is_path = argument in _PATHS
    return " ".join(("python -m benchmarks.peers", *shown))


_PATHS = ("--shared-data", "--output")
