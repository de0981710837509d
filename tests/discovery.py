"""What there is to check: found in the sources, never listed by hand, and found without importing it."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest

import sparsebm25

ROOT = Path(__file__).parents[1]
"""The checkout; the tested package may be installed elsewhere."""

PACKAGE = Path(sparsebm25.__file__).parent
"""The tested package."""


def module_name(path: Path) -> str:
    """Return the dotted name of the module in a file of the package."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


SOURCES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}
"""Module name -> file of the tested package."""


def is_public(name: str) -> bool:
    """Return whether no part of a dotted name is private."""
    return not any(part.startswith("_") for part in name.split("."))


PUBLIC_MODULES = [name for name in SOURCES if is_public(name)]


def public_names(module: str) -> list[str]:
    """Return the names that a module offers: its `__all__`, or what it binds itself without underscore."""
    bound: list[str] = []
    for node in ast.parse(SOURCES[module].read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            bound.append(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [target.id for target in targets if isinstance(target, ast.Name)]
            if names == ["__all__"]:
                return sorted(ast.literal_eval(node.value))
            bound.extend(names)
    return sorted({name for name in bound if not name.startswith("_")})


def repository_files() -> list[Path]:
    """Return the files of the checkout that belong to the repository, new ones included."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    if not (ROOT / ".git").exists():
        pytest.skip("needs a git checkout: elsewhere nothing tells sources from leftovers")
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [path for line in listed.splitlines() if (path := ROOT / line).is_file()]
