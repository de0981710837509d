"""Small repositories for tests of search in code."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def grown(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Return a folder with these files in it."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root
