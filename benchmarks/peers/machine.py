"""Where was it measured, and with which versions?"""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import sparsebm25

PACKAGES = ("numpy", "scipy", "numba", "bm25q", "bm25s", "pyterrier-pisa", "tantivy")


def described() -> str:
    """Return processor, memory and versions in one sentence."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    versions = ", ".join(f"{name} {_version(name)}" for name in PACKAGES)
    return (
        f"{_processor()}, {os.cpu_count()} processors, {memory:.0f} GiB; "
        f"sparsebm25 {sparsebm25.__version__}, Python {platform.python_version()}, {versions}"
    )


def _processor() -> str:
    """Return the model of the processor."""
    for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def _version(name: str) -> str:
    """Return the version of an installed package."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "(not installed)"
