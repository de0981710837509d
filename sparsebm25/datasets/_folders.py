"""What does a folder hold? The parts of a BEIR collection, or text files."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sparsebm25.datasets._lines import open_bytes

SNIFFED_BYTES = 8192


@dataclass(frozen=True, slots=True)
class BeirFolder:
    """The files of a BEIR collection; `qrels` are by split."""

    folder: Path
    corpus: Path
    queries: Path | None
    qrels: dict[str, Path]


def beir_folder(folder: Path) -> BeirFolder | None:
    """Return the parts of a BEIR collection, or None if there is no corpus file."""
    corpus = _jsonl(folder, "corpus")
    if corpus is None:
        return None
    return BeirFolder(folder, corpus, _jsonl(folder, "queries"), _qrels(folder))


def require_beir(folder: Path) -> BeirFolder:
    """Return the parts of a BEIR collection, or say that there is none."""
    beir = beir_folder(folder)
    if beir is None:
        raise ValueError(f"{folder} is no BEIR folder: it has no corpus.jsonl or corpus.jsonl.gz")
    return beir


def _jsonl(folder: Path, stem: str) -> Path | None:
    """Return the file of that name, packed or not, if there is one."""
    paths = (folder / f"{stem}.jsonl", folder / f"{stem}.jsonl.gz")
    return next((path for path in paths if path.is_file()), None)


def _qrels(folder: Path) -> dict[str, Path]:
    """Return the judgments by split: ``qrels/SPLIT.tsv``, ``qrels.SPLIT.tsv``; ``qrels.tsv`` is "test"."""
    flat = folder / "qrels.tsv"
    found = {"test": flat} if flat.is_file() else {}
    found |= {path.stem.removeprefix("qrels."): path for path in sorted(folder.glob("qrels.*.tsv"))}
    return found | {path.stem: path for path in sorted(folder.glob("qrels/*.tsv"))}


def text_files(folder: Path, refuse: Callable[[OSError], None]) -> list[tuple[str, Path]]:
    """Return relative names and paths of files, sorted, without what is hidden or behind a linked folder."""
    found = []
    for parent, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        paths = (Path(parent, name) for name in names if not name.startswith("."))
        found += [(_relative_name(path, folder), path) for path in paths if path.is_file()]
    return sorted(found)


def _relative_name(path: Path, folder: Path) -> str:
    """Return the path below `folder` with forward slashes; bytes that are not UTF-8 are escaped."""
    name = path.relative_to(folder).as_posix()
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def file_text(path: Path) -> str | None:
    """Return the text of a file, or None if it is binary: a NUL byte in its first 8192 bytes."""
    with open_bytes(path) as stream:
        head = stream.read(SNIFFED_BYTES)
        return None if b"\0" in head else (head + stream.read()).decode("utf-8-sig", "replace")
