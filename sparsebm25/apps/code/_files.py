"""Which files belong to a repository, and what is their text?"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from sparsebm25._checks import shown
from sparsebm25.apps.code._ignore import IgnoreRules

SKIPPED_NAMES = frozenset(
    (".git", "node_modules", "__pycache__", ".venv", "venv", ".code-context", "dist", "build")
)
SKIPPED_SUFFIXES = (
    *(".pyc", ".pyo", ".so", ".dylib", ".dll", ".exe", ".bin"),
    *(".jpg", ".png", ".gif", ".pdf", ".zip"),
)
MAX_BYTES = 2**20
SNIFFED_BYTES = 8192


class FoundFile(NamedTuple):
    """A file by its path below the root, with forward slashes, and what tells that it may have changed."""

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int


class Found(NamedTuple):
    """The files of a repository, sorted by path, and what could not be looked at: path -> reason."""

    files: list[FoundFile]
    skipped: dict[str, str]


class _Scope(NamedTuple):
    """The rules of one ignore file, for what follows the first `start` characters of a path."""

    start: int
    rules: IgnoreRules


def checked_root(root: str | os.PathLike[str]) -> Path:
    """Return the folder of a repository, links resolved, or say what is there instead."""
    if not isinstance(root, str | os.PathLike):
        raise TypeError(f"root must be the path of a folder, got {shown(root)}")
    path = Path(root)
    if not path.exists():
        raise FileNotFoundError(f"root must be a folder, and nothing is at {str(path)!r}")
    if not path.is_dir():
        raise NotADirectoryError(f"root must be a folder, and {str(path)!r} is a file")
    return path.resolve()


def walk(root: Path) -> Found:
    """
    Return the files that git would not ignore and the skip rules leave.

    Links are not followed, so that nothing is met twice and no loop is entered. Ignore files count from
    the top of the git repository that holds the root, and in every folder of a tree without one.
    """
    top = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), root)
    lead = "" if top == root else f"{root.relative_to(top).as_posix()}/"
    found = Found([], {})
    pending = [(lead, _scopes_above(top, lead))]
    while pending:
        folder, scopes = pending.pop()
        try:
            with os.scandir(top / folder) as entries:
                held = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            found.skipped[folder[len(lead) :] or "."] = unreadable(error)
            continue
        scopes = [*_own_scope(held, folder), *scopes]
        for entry in held:
            is_folder = entry.is_dir(follow_symlinks=False)
            path = f"{folder}{entry.name}"
            if _is_skipped(entry.name, is_folder) or _is_ignored(path, is_folder, scopes):
                continue
            if is_folder:
                pending.append((f"{path}/", scopes))
            elif entry.is_file(follow_symlinks=False):
                _add(found, path[len(lead) :], entry)
    found.files.sort()
    return found


def _is_skipped(name: str, is_folder: bool) -> bool:
    """Return whether a name alone tells that there is no text of the repository's own."""
    return name in SKIPPED_NAMES or (not is_folder and name.lower().endswith(SKIPPED_SUFFIXES))


def _is_ignored(path: str, is_folder: bool, scopes: list[_Scope]) -> bool:
    """Return what the innermost rules say that say anything."""
    for start, rules in scopes:
        verdict = rules.verdict(path[start:], is_folder=is_folder)
        if verdict is not None:
            return verdict
    return False


def _scopes_above(top: Path, lead: str) -> list[_Scope]:
    """Return the rules of the repository and of the folders above the root, innermost first."""
    folders = [lead[: at + 1] for at, character in enumerate(lead) if character == "/"]
    above = [(folder, top / folder / ".gitignore") for folder in ["", *folders][:-1]]
    files = [("", top / ".git" / "info" / "exclude"), *above]
    return [scope for folder, file in reversed(files) for scope in _scope(file, folder)]


def _own_scope(entries: Iterable[os.DirEntry[str]], folder: str) -> Iterator[_Scope]:
    """Yield the rules of the ignore file among the entries of a folder; a link is none, as for git."""
    for entry in entries:
        if entry.name == ".gitignore" and entry.is_file(follow_symlinks=False):
            yield from _scope(Path(entry.path), folder)


def _scope(file: Path, folder: str) -> Iterator[_Scope]:
    """Yield the rules of an ignore file, if it can be read."""
    try:
        yield _Scope(len(folder), IgnoreRules(os.fsdecode(file.read_bytes())))
    except OSError:
        return


def _add(found: Found, path: str, entry: os.DirEntry[str]) -> None:
    """Add a file, or the reason why not."""
    try:
        facts = entry.stat(follow_symlinks=False)
    except OSError as error:
        found.skipped[path] = unreadable(error)
    else:
        _add_sized(found, path, facts)


def _add_sized(found: Found, path: str, facts: os.stat_result) -> None:
    """Add a file that is not too large."""
    if facts.st_size > MAX_BYTES:
        found.skipped[path] = f"larger than {MAX_BYTES} bytes"
    else:
        found.files.append(FoundFile(path, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns))


def listed(root: Path, files: Iterable[str | os.PathLike[str]]) -> Found:
    """Return the files that the caller names, whatever the rules say; links are followed."""
    found = Found([], {})
    for path in dict.fromkeys(relative_path(root, file) for file in files):
        try:
            if not (root / path).is_file():
                found.skipped[path] = "no file"
            else:
                _add_sized(found, path, (root / path).stat())
        except OSError as error:
            found.skipped[path] = unreadable(error)
    found.files.sort()
    return found


def checked_files(files: object) -> list[str | os.PathLike[str]]:
    """Return the paths of an explicit list of files, or say what is wrong with it."""
    if isinstance(files, str | bytes | os.PathLike) or not isinstance(files, Iterable):
        raise TypeError(f"files must be an iterable of paths, got {shown(files)}")
    paths = list(files)
    for path in paths:
        if not isinstance(path, str | os.PathLike):
            raise TypeError(f"files must hold paths, got {shown(path)}")
    return paths


def relative_path(root: Path, file: str | os.PathLike[str]) -> str:
    """Return the path of a file below the root, with forward slashes, or refuse one that is elsewhere."""
    path = Path(os.path.normpath(root / file))
    if not path.is_relative_to(root):
        raise ValueError(f"files must be below {str(root)!r}, got {str(file)!r}")
    return path.relative_to(root).as_posix()


def unreadable(error: OSError) -> str:
    """Return the reason why a file is skipped that the system does not let us read."""
    return f"unreadable: {error.strerror or error}"


def file_text(content: bytes) -> str | None:
    """Return the text of a file, or None if it is binary: a NUL byte in its first 8192 bytes."""
    return None if b"\0" in content[:SNIFFED_BYTES] else content.decode("utf-8-sig", "replace")
