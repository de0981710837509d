"""Importing costs little and loads little, and imports only go down."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from discovery import PACKAGE, ROOT, SOURCES

NOT_LOADED = {
    "sparsebm25.estimators": "it is the door of scikit-learn, whose classes its own derive from",
    "sparsebm25.scoring._numba": "it is the door of Numba, which compiles its functions",
    "sparsebm25.scoring._hits": "it is behind that door",
    "sparsebm25.scoring._ranges": "it is behind that door",
    "sparsebm25.scoring.compiled": "it is the backend behind that door",
    "sparsebm25.__main__": "importing it runs the program",
}
"""Modules that are imported only when they are asked for, with the reason."""

CEILING = 0.050
"""Seconds of processor time that the import may add to that of NumPy and SciPy."""

MAX_TRIES = 20


def run_python(program: str, *arguments: str) -> str:
    """Return what a program prints in a fresh interpreter that finds the tested package."""
    prelude = f"import sys; sys.path.insert(0, {str(PACKAGE.parent)!r})\n"
    command = [sys.executable, "-c", prelude + program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def foreign_modules(modules: list[str]) -> dict[str, list[str]]:
    """Return which of the modules load libraries other than NumPy and SciPy, and which libraries."""
    program = """
import importlib, json, numpy, scipy.sparse
ours = {"sparsebm25", *sys.stdlib_module_names}
loaded = lambda: {name.partition(".")[0] for name in sys.modules}
found, before = {}, loaded()
for name in sys.argv[1:]:
    importlib.import_module(name)
    new = sorted(loaded() - before - ours)
    before |= loaded()
    if new:
        found[name] = new
print(json.dumps(found))
"""
    return json.loads(run_python(program, *modules))


def test_import_loads_numpy_and_scipy_only():
    """`import sparsebm25` loads no library other than NumPy and SciPy."""
    assert foreign_modules(["sparsebm25"]) == {}


def test_modules_load_numpy_and_scipy_only():
    """Nor does any module of the package, except the door of scikit-learn."""
    assert NOT_LOADED.keys() <= SOURCES.keys()
    assert foreign_modules([name for name in SOURCES if name not in NOT_LOADED]) == {}


def test_import_costs_little_more_than_numpy_and_scipy(tmp_path, monkeypatch):
    """`import sparsebm25` costs at most 50 ms more than `import numpy, scipy.sparse`."""
    # As users have it: compiled once. The first run below does that, also where none is to be kept.
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path))
    program = """
import time, numpy, scipy.sparse
started = time.process_time()
import sparsebm25
print(time.process_time() - started)
"""
    # Other work on the machine can only add to the cost: one cheap import shows that it is cheap.
    costs = (float(run_python(program)) for _ in range(MAX_TRIES))

    assert any(cost <= CEILING for cost in costs)


def test_imports_only_go_down():
    """The contracts of pyproject.toml hold: floors, and one door for each library."""
    pytest.importorskip("importlinter", reason="needs import-linter (extra `test`)")
    command = [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command as run; run()",
        "--no-cache",
    ]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)

    assert checked.returncode == 0, checked.stdout + checked.stderr
