"""Every notebook runs, proves its claim in its last cell, and is kept without output."""

from __future__ import annotations

import ast
import os

import nbclient
import nbformat
import pytest
from discovery import PACKAGE, ROOT

FOLDER = ROOT / "notebooks"
NOTEBOOKS = sorted(path for path in FOLDER.glob("**/*.ipynb") if ".ipynb_checkpoints" not in path.parts)
SKIPPED: dict[str, str] = {}
"""File name -> reason, seen in review."""

TIME_LIMIT = 60
"""Seconds that a cell may take."""


def code_cells(path):
    """Return the code cells of a notebook that hold anything."""
    cells = nbformat.read(path, as_version=4).cells
    return [cell for cell in cells if cell.cell_type == "code" and cell.source.strip()]


def test_there_are_notebooks_and_no_stale_skip():
    """There is something to run, and each exception names a notebook that exists."""
    assert NOTEBOOKS
    assert SKIPPED.keys() <= {path.name for path in NOTEBOOKS}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path, monkeypatch):
    """A notebook runs from its first to its last cell, on the tested package."""
    if path.name in SKIPPED:
        pytest.skip(SKIPPED[path.name])
    monkeypatch.setenv("PYTHONPATH", os.fspath(PACKAGE.parent))
    nbclient.execute(nbformat.read(path, as_version=4), cwd=os.fspath(FOLDER), timeout=TIME_LIMIT)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_has_no_output(path):
    """A notebook is kept as it is before it runs, so that a change of it can be read."""
    assert [cell.source for cell in code_cells(path) if cell.outputs or cell.execution_count] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_last_cell_asserts(path):
    """The last code cell of a notebook asserts what the notebook claims."""
    last = ast.parse(code_cells(path)[-1].source)

    assert any(isinstance(node, ast.Assert) for node in ast.walk(last))
