"""
What is kept between runs, and is it still whole?

A folder for each repository holds saved indexes, never changed once written, and a state file that names
one of them and tells which content of which file it counted. A refresh writes a new index beside the
old one and then replaces the state file by one rename: whoever reads meanwhile finds the old state or the
new one, and begins again if the index it was about to read has gone. So no locks are needed, and of two
refreshes at a time the later one stays.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import time
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from sparsebm25 import __version__
from sparsebm25.index import BM25Index

STATE = "state.json"
MADE_BY = [1, __version__, unicodedata.unidata_version]
"""What must be the same for a kept index to be of use: the layout of the state, and what makes tokens."""

ATTEMPTS = 3
LEFTOVER_SECONDS = 24 * 3600


class FileFacts(NamedTuple):
    """A file as it was when it was read; the digest of its content is None where that is no text."""

    size: int
    mtime_ns: int
    ctime_ns: int
    read_ns: int
    digest: str | None


@dataclass(frozen=True)
class Kept:
    """An index, the files that it counted, and the name under which it is stored, if it is."""

    index: BM25Index
    facts: Mapping[str, FileFacts]
    stored_as: str | None = None

    def is_whole(self) -> bool:
        """Return whether the index holds the files that are said to be in it, and no others."""
        texts = {path for path, facts in self.facts.items() if facts.digest is not None}
        return texts == set(self.index.doc_ids)


def user_cache_folder() -> Path:
    """Return where this user's programs keep what they can make again."""
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if given.is_absolute():
        return given
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")


def folder_for(root: Path, base: Path, *, is_listed: bool) -> Path:
    """Return the folder of a repository: whole repositories and lists of files have one each."""
    name = hashlib.sha256(os.fsencode(root)).hexdigest()[:32]
    return base / (f"{name}-listed" if is_listed else name)


def load(folder: Path) -> Kept | None:
    """Return what is kept, verified; None where there is nothing, or nothing that can be trusted."""
    for _ in range(ATTEMPTS):
        state = _read_state(folder)
        if state is None:
            return None
        try:
            index = BM25Index.load(folder / state["index"], mmap=True, verify=True)
        except (OSError, ValueError):  # damaged, or replaced while it was read
            continue
        facts = {path: FileFacts(*values) for path, values in state["files"].items()}
        kept = Kept(index, facts, state["index"])
        return kept if kept.is_whole() else None
    return None


def save(folder: Path, kept: Kept, root: Path) -> Kept:
    """Keep an index and its facts for the next run; return them with the name of the stored index."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / ".gitignore").write_text("*\n", "utf-8")
    name = kept.stored_as
    if name is None or not (folder / name).is_dir():
        name = f"index-{os.urandom(8).hex()}"
        kept.index.save(folder / name)
    replaced = _read_state(folder)
    files = {path: list(facts) for path, facts in kept.facts.items()}
    _write_state(folder, {"made_by": MADE_BY, "root": str(root), "index": name, "files": files})
    _clean(folder, replaced["index"] if replaced else None)
    return Kept(kept.index, kept.facts, name)


def _read_state(folder: Path) -> dict[str, Any] | None:
    """Return the content of the state file, if it is there, intact, and of this version."""
    try:
        checksum, _, content = (folder / STATE).read_bytes().partition(b"\n")
    except OSError:
        return None
    if checksum.decode("ascii", "replace") != hashlib.sha256(content).hexdigest():
        return None
    state: dict[str, Any] = json.loads(content)
    return state if state["made_by"] == MADE_BY else None


def _write_state(folder: Path, state: Mapping[str, Any]) -> None:
    """Put the state file in place by one rename, with a checksum before its content."""
    content = json.dumps(state).encode("ascii")
    aside = folder / f"{STATE}.{os.urandom(8).hex()}"
    try:
        with aside.open("wb") as file:
            file.write(hashlib.sha256(content).hexdigest().encode("ascii") + b"\n" + content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, folder / STATE)
    finally:
        aside.unlink(missing_ok=True)


def _clean(folder: Path, replaced: str | None) -> None:
    """Remove the replaced index, and what runs that were killed left behind."""
    state = _read_state(folder)
    for entry in folder.iterdir():
        if entry.name in (STATE, ".gitignore") or (state and entry.name == state["index"]):
            continue
        if entry.name == replaced or _age(entry) > LEFTOVER_SECONDS:
            _remove(entry)


def _age(entry: Path) -> float:
    """Return the seconds since an entry was changed; 0 if it has gone."""
    try:
        return time.time() - entry.stat().st_mtime
    except OSError:
        return 0.0


def _remove(entry: Path) -> None:
    """Remove a file or a folder; another process may have been faster."""
    if entry.is_dir():
        shutil.rmtree(entry, ignore_errors=True)
    else:
        entry.unlink(missing_ok=True)
