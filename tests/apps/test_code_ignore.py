"""Ignore files mean what git says that they mean."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from repository import grown

from sparsebm25.apps.code._files import walk

NAMES = ["a", "b", "ab", "a.b", ".a", "a b", "#a", "!a", "[a]", "a-b", "A1"]
PATHS = [
    *NAMES,
    *(f"d/{name}" for name in NAMES),
    *(f"d/a.d/{name}" for name in NAMES[:4]),
    *(f"d/a.d/d/{name}" for name in NAMES[:4]),
]
PIECES = [
    "*",
    "**",
    "***",
    "?",
    "/",
    "a",
    "b",
    "d",
    "a.d",
    ".",
    "-",
    "[ab]",
    "[!a]",
    "[^b-z]",
    "[a-",
    "]",
    "[",
]
PIECES += ["[]a]", "[[:alpha:]]", "[[:digit:]x]", "[z-a]", "\\", "\\*", "\\/", " ", "\\ ", "!", "#", "\r"]
PATTERN = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join)


def found(root: Path) -> set[str]:
    """Return the paths of the files that are searched."""
    return {file.path for file in walk(root).files}


def kept_by_git(root: Path) -> set[str]:
    """Return the paths of files that git does not ignore, with no settings but those of the repository."""
    files = [path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()]
    files = [path for path in files if not path.startswith(".git/")]
    environment = {**os.environ, "HOME": str(root), "XDG_CONFIG_HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1"}
    environment["GIT_CONFIG_GLOBAL"] = os.devnull
    answer = subprocess.run(
        ["git", "check-ignore", "--stdin", "-z", "--no-index"],
        cwd=root,
        env=environment,
        input="\0".join(files).encode(),
        capture_output=True,
        check=False,
    )
    assert answer.returncode in (0, 1), answer.stderr
    return set(files) - set(answer.stdout.decode().split("\0"))


@pytest.fixture(scope="module")
def git_repository():
    """Yield a repository in which ignore files can be put."""
    if shutil.which("git") is None:
        pytest.skip("needs git, the judge of ignore rules")
    with TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        subprocess.run(["git", "init", "-q", str(root)], check=True, capture_output=True)
        yield grown(root, dict.fromkeys(PATHS, ""))


@given(top=st.lists(PATTERN, max_size=4), inner=st.lists(PATTERN, max_size=2))
def test_rules_are_those_of_git(git_repository, top, inner):
    """Whatever two ignore files say, the files that are left are those that git would not ignore."""
    grown(git_repository, {".gitignore": "\n".join(top), "d/.gitignore": "\n".join(inner)})

    assert found(git_repository) == kept_by_git(git_repository)


@pytest.mark.parametrize(
    ("rules", "left"),
    [
        ("a", "#c b d/b"),
        ("/a", "#c b d/a d/b d/e/a"),
        ("d/a", "#c a b d/b d/e/a"),
        ("a/", "#c a b d/a d/b d/e/a"),
        ("d/", "#c a b"),
        ("*\n!a", "a"),
        ("d/*\n!d/a", "#c a b d/a"),
        ("**/e", "#c a b d/a d/b"),
        ("d/**", "#c a b"),
        ("d/**/a", "#c a b d/b"),
        ("# a\n\\#c\n", "a b d/a d/b d/e/a"),
        ("a \n", "#c b d/b"),
        ("[ab]\r\n", "#c"),
        ("[!b]", "#c b"),
        ("\ufeffa", "#c b d/b"),
        ("[", "#c a b d/a d/b d/e/a"),
        ("a\\", "#c a b d/a d/b d/e/a"),
    ],
)
def test_rules_by_example(tmp_path, rules, left):
    """Anchors, folders, stars, negation, comments, quoting and broken patterns, without git at hand."""
    grown(tmp_path, {**dict.fromkeys(["#c", "a", "b", "d/a", "d/b", "d/e/a"], ""), ".gitignore": rules})

    assert found(tmp_path) - {".gitignore"} == set(left.split())


def test_inner_rules_win_and_a_closed_folder_stays_closed(tmp_path):
    """A deeper ignore file overrides those above it, but not for what lies in a folder that they ignore."""
    files = {"x.log": "", "in/x.log": "", "out/x.log": "", ".gitignore": "*.log\nout/\n"}
    grown(tmp_path, {**files, "in/.gitignore": "!x.log", "out/.gitignore": "!x.log"})

    assert found(tmp_path) == {".gitignore", "in/.gitignore", "in/x.log"}


def test_rules_above_the_root_count_inside_a_git_repository(tmp_path):
    """A folder of a git repository is searched by the rules of the whole, those above it and `exclude`."""
    files = {"x.log": "", "y.txt": "", "keep.py": "", "deep/z.tmp": "", "deep/a.py": ""}
    root = grown(tmp_path / "top" / "src", files)
    grown(tmp_path, {"top/.git/info/exclude": "*.txt", "top/.gitignore": "/src/*.log", ".gitignore": "*.py"})
    grown(tmp_path, {"top/src/.gitignore": "*.tmp"})

    assert found(root) == {".gitignore", "keep.py", "deep/a.py"}


@pytest.mark.parametrize(
    "pattern", ["*a" * 40 + "b", "/".join(["**/a"] * 20) + "/b", "[" * 5000, "[!b]*" * 99]
)
def test_no_pattern_takes_for_ever(tmp_path, pattern):
    """Patterns that would keep a backtracking matcher busy for ages are decided, and fit nothing here."""
    paths = {"/".join("a" * 60), "b" * 200, "a" * 200 + "c"}
    grown(tmp_path, {**dict.fromkeys(paths, ""), ".gitignore": pattern})

    assert found(tmp_path) - {".gitignore"} == paths - (
        {"a" * 200 + "c"} if pattern.startswith("[!") else set()
    )
