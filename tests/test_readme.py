"""
The README is run as a reader would run it, from the first block to the last, in an empty folder.

The language of a block says what is done with it:

- ``python``: executed; all blocks share their names. One that begins with ``>>>`` must print what it shows.
- ``console``: each line that begins with ``$ `` is run. Lines below it are what it must print (``...`` stands
  for anything); without such lines the command must only succeed.
- a second word names a file (``jsonl docs.jsonl``): the block is written there for the blocks that follow.
- ``text``: only shown.
"""

from __future__ import annotations

import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from discovery import PACKAGE, ROOT

from sparsebm25 import SCHEMES

README = ROOT / "README.md"

NOT_RUN = {
    "python3 -m venv": "the tests run in an environment already",
    ". .venv/bin/activate": "likewise",
    "pip install": "the tests do not install; `.ci/run` does, from the built wheel",
    "python -m pytest": "it is what runs here; `.ci/run` takes its test command from this very line",
}
"""Beginnings of commands that are not run here, with the reason."""

PROGRAMS = {"python": [sys.executable], "sparsebm25": [sys.executable, "-m", "sparsebm25"]}
"""What the README may call, as arguments that reach the tested package."""

SHOWN = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the file it stands for if any, its text and its first line's number."""

    language: str
    file: str
    text: str
    line: int


def blocks_of(page: str) -> list[Block]:
    """Return the fenced blocks of a page in order."""
    fences = re.finditer(r"^```(\w*) *(\S*)\n(.*?)^```$", page, flags=re.DOTALL | re.MULTILINE)
    return [Block(*fence.groups(), line=page.count("\n", 0, fence.start()) + 2) for fence in fences]


def run_block(block: Block, names: dict[str, object]) -> None:
    """Do with a block what its language says."""
    if block.file:
        Path(block.file).write_text(block.text, "utf-8")
    elif block.language == "python" and block.text.startswith(">>>"):
        run_session(block, names)
    elif block.language == "python":
        exec(compile("\n" * (block.line - 1) + block.text, README.name, "exec"), names)
    elif block.language == "console":
        run_console(block)
    else:
        assert block.language == "text", f"line {block.line}: no rule for a block of {block.language!r}"


def run_session(block: Block, names: dict[str, object]) -> None:
    """Run an interactive session and compare what it prints."""
    session = doctest.DocTestParser().get_doctest(block.text, names, "README", README.name, block.line - 1)
    report = io.StringIO()
    failed, _ = doctest.DocTestRunner(optionflags=SHOWN).run(session, out=report.write, clear_globs=False)
    names.update(session.globs)
    assert not failed, report.getvalue()


def run_console(block: Block) -> None:
    """Run the commands of a block and compare what they print with what is shown."""
    first, *entries = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    assert not first, f"line {block.line}: a console block begins with a command"
    for entry in entries:
        command, _, shown = entry.partition("\n")
        printed = "".join(run_command(step) for step in command.split(" && "))
        same = doctest.OutputChecker().check_output(shown, printed, SHOWN)
        assert same or not shown.strip(), f"{command}\nprinted\n{printed}\nand not\n{shown}"


def run_command(command: str) -> str:
    """Return what one command prints, nothing for those that are not run."""
    if any(command.startswith(beginning) for beginning in NOT_RUN):
        return ""
    program, *arguments = shlex.split(command)
    assert program in PROGRAMS, f"the README may only call {', '.join(PROGRAMS)}, got {command!r}"
    done = subprocess.run(
        [*PROGRAMS[program], *arguments],
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, f"{command}\nended with {done.returncode}\n{done.stderr}"
    return done.stdout


def test_readme_is_true(tmp_path, monkeypatch):
    """Every block of the README runs, in order, and shows what it prints."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    blocks = blocks_of(README.read_text("utf-8"))

    assert {"python", "console"} <= {block.language for block in blocks}
    for block in blocks:
        run_block(block, names)


def test_scheme_table_is_the_one_of_the_code():
    """The README's table of schemes has a row for each scheme, with its formula and source."""
    page = README.read_text("utf-8")
    for scheme in SCHEMES.values():
        assert f"| `{scheme.name}` | `{scheme.formula}` | {scheme.source} |" in page


def test_no_stale_exception():
    """Every exception is needed: the README holds a command that begins so."""
    commands = " && ".join(block.text for block in blocks_of(README.read_text("utf-8")))

    assert [beginning for beginning in NOT_RUN if beginning not in commands] == []


@pytest.mark.parametrize(
    ("page", "fault"),
    [
        ("```python\n1 / 0\n```\n", "division"),
        ("```python\n>>> 1 + 1\n3\n```\n", "Got"),
        ("```console\n$ python -c 'print(1)'\n2\n```\n", "and not"),
        ("```console\n$ python -c 'raise SystemExit(3)'\n```\n", "ended with 3"),
        ("```console\n$ curl somewhere\n```\n", "may only call"),
        ("```rust\nfn main() {}\n```\n", "no rule"),
    ],
)
def test_a_false_block_is_found(page, fault):
    """A block that fails, or shows what it does not print, is a failure that says so."""
    with pytest.raises((AssertionError, ArithmeticError), match=fault):
        run_block(blocks_of(page)[0], {})
