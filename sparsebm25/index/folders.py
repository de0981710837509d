"""An index on disk: a readable header and one ``.npy`` file an array; no pickle."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sparsebm25._checks import shown
from sparsebm25.errors import IndexFormatError

FORMAT = 1
"""Version of the layout; a reader refuses all others."""

KIND = "sparsebm25 index"
HEADER = "header.json"
ABANDONED = 3600.0
"""Age after which an unfinished save counts as killed. Unit: seconds."""

ATTEMPTS = 20
"""How often a reader begins again when a writer replaces the index under it."""

_GENERATION = re.compile("[0-9a-f]{16}")
_FACTS = {"dtype", "shape", "bytes", "sha256"}
_ARRAY_NAME = re.compile("[a-z0-9_]+")
Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class Stored:
    """
    Return what a folder holds: plain values and named arrays.

    Parameters
    ----------
    values : mapping
        What the header says beside its own bookkeeping; JSON values.
    arrays : mapping of str to ndarray
        Plain arrays, no objects.
    """

    values: Mapping[str, Any]
    arrays: Arrays


def write_folder(folder: Path, stored: Stored) -> None:
    """
    Write values and arrays so that a reader finds the old or the new ones.

    The arrays go into a subfolder of their own, flushed to the disk; the
    header that names it comes last, by one rename. What was there before
    goes away after that.

    Parameters
    ----------
    folder : Path
        New, or holding an index that `read_folder` accepts.
    stored : Stored
        What to write.

    Raises
    ------
    IndexFormatError
        If there is something else at `folder`; it is not touched.
    """
    is_new = not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))
    # Nothing is written over what is not an intact index of ours.
    before = None if is_new else str(read_folder(folder, mmap=True, verify=True).values["arrays"])
    target = folder.with_name(f".{folder.name}.{_fresh_name()}") if is_new else folder
    generation = _fresh_name()
    try:
        (target / generation).mkdir(parents=True)
        files = {
            name: _write_array(target / generation / f"{name}.npy", array)
            for name, array in stored.arrays.items()
        }
        _sync(target / generation)
        _write_header(target, {"arrays": generation, "files": files, **stored.values})
        if is_new:
            if folder.exists():
                folder.rmdir()
            os.rename(target, folder)
            _sync(folder.parent)
    except BaseException:
        shutil.rmtree(target if is_new else target / generation, ignore_errors=True)
        raise
    if before is not None:
        _clean(folder, before, generation)


def _clean(folder: Path, before: str, now: str) -> None:
    """Remove the arrays that were replaced, and what saves that were killed long ago left behind."""
    shutil.rmtree(folder / before, ignore_errors=True)
    for left in folder.iterdir():
        ours = _GENERATION.fullmatch(left.name) or left.name.startswith(f"{HEADER}.")
        if ours and left.name != now and _age(left) > ABANDONED:
            shutil.rmtree(left, ignore_errors=True) if left.is_dir() else left.unlink(missing_ok=True)


def _age(path: Path) -> float:
    """Return the seconds since a file or folder changed; 0 if another writer just took it away."""
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _fresh_name() -> str:
    """Return a name that nobody else has."""
    return os.urandom(8).hex()


def _write_array(path: Path, array: NDArray[Any]) -> dict[str, Any]:
    """Write one array and return what the header says about its file."""
    with path.open("wb") as file:
        np.save(file, np.ascontiguousarray(array), allow_pickle=False)
        file.flush()
        os.fsync(file.fileno())
    return {
        "dtype": array.dtype.str,
        "shape": list(array.shape),
        "bytes": path.stat().st_size,
        "sha256": _checksum(path),
    }


def _checksum(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write_header(folder: Path, content: Mapping[str, Any]) -> None:
    """Put a header in place by one rename; it carries a checksum of itself."""
    header = {"kind": KIND, "format": FORMAT, **content}
    text = json.dumps({**header, "sha256": _content_checksum(header)}, indent=1)
    aside = folder / f"{HEADER}.{_fresh_name()}"
    with aside.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(aside, folder / HEADER)
    _sync(folder)


def _content_checksum(header: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a header's content."""
    return hashlib.sha256(json.dumps(header, sort_keys=True).encode()).hexdigest()


def _sync(folder: Path) -> None:
    """Flush the names in a folder to the disk, where the system can."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def read_header(folder: Path) -> dict[str, Any]:
    """
    Return the header of an index, with the sizes of its files compared.

    Parameters
    ----------
    folder : Path
        The folder of the index.

    Returns
    -------
    dict
        The header's values.

    Raises
    ------
    IndexFormatError
        If the folder is no index, is damaged, or has another format.
    """
    path = folder / HEADER
    try:
        header = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        raise IndexFormatError(f"{folder} is not an index: it has no file {HEADER}") from None
    except (ValueError, RecursionError) as error:
        raise IndexFormatError(f"{path} is damaged: {error}") from None
    if not isinstance(header, dict) or header.get("kind") != KIND:
        raise IndexFormatError(f"{path} is not the header of a sparsebm25 index")
    if header.get("format") != FORMAT:
        raise IndexFormatError(
            f"{folder} has index format {shown(header.get('format'))}; this version reads {FORMAT}"
        )
    claimed = header.pop("sha256", None)
    if claimed != _content_checksum(header):
        raise IndexFormatError(f"{path} is damaged: its checksum does not fit its content")
    _check_files(folder, header)
    return header


def _check_files(folder: Path, header: Mapping[str, Any]) -> None:
    """Refuse a header that names no files of its own folder, and files of other sizes than it says."""
    files = header.get("files")
    if not _GENERATION.fullmatch(str(header.get("arrays"))) or not isinstance(files, dict):
        raise IndexFormatError(f"{folder / HEADER} is damaged: it does not name its arrays")
    for name, facts in files.items():
        if not _ARRAY_NAME.fullmatch(name) or not isinstance(facts, dict) or facts.keys() != _FACTS:
            raise IndexFormatError(
                f"{folder / HEADER} is damaged: it does not describe the array {shown(name)}"
            )
        file = _array_path(folder, header, name)
        size = file.stat().st_size if file.is_file() else None
        if size != facts["bytes"]:
            state = "is missing" if size is None else f"has {size} bytes"
            raise IndexFormatError(f"{file} {state}; the header says {facts['bytes']} bytes")


def _array_path(folder: Path, header: Mapping[str, Any], name: str) -> Path:
    """Return where an array lies."""
    return folder / str(header["arrays"]) / f"{name}.npy"


def read_folder(folder: Path, *, mmap: bool, verify: bool) -> Stored:
    """
    Return what `write_folder` wrote.

    Parameters
    ----------
    folder : Path
        The folder of the index.
    mmap : bool
        Map arrays read-only instead of reading them.
    verify : bool
        Compare the checksums of all arrays, which reads them.

    Returns
    -------
    Stored
        Values and arrays.

    Raises
    ------
    IndexFormatError
        If the folder is no index, is damaged, or has another format.
    """
    for _ in range(ATTEMPTS):
        seen = _header_bytes(folder)
        try:
            return _read_once(folder, mmap=mmap, verify=verify)
        except (IndexFormatError, OSError) as error:
            if _header_bytes(folder) == seen:
                if isinstance(error, IndexFormatError):
                    raise
                raise IndexFormatError(f"{folder} is damaged: {error}") from None
    raise IndexFormatError(f"{folder} was replaced {ATTEMPTS} times while it was read")


def _header_bytes(folder: Path) -> bytes | None:
    """Return a header as it stands, which tells whether an index was replaced meanwhile."""
    try:
        return (folder / HEADER).read_bytes()
    except OSError:
        return None


def _read_once(folder: Path, *, mmap: bool, verify: bool) -> Stored:
    """Return the values and arrays that the present header names."""
    header = read_header(folder)
    arrays = {}
    for name, facts in header["files"].items():
        path = _array_path(folder, header, name)
        if verify and _checksum(path) != facts["sha256"]:
            raise IndexFormatError(f"{path} is damaged: its checksum does not fit its content")
        arrays[name] = _read_array(path, facts, mmap=mmap)
    return Stored(header, arrays)


def _read_array(path: Path, facts: Mapping[str, Any], *, mmap: bool) -> NDArray[Any]:
    """Return one array, which must be what the header says."""
    try:
        # An empty array cannot be mapped.
        array = np.load(path, mmap_mode="r" if mmap and 0 not in facts["shape"] else None, allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise IndexFormatError(f"{path} is damaged: {error}") from None
    if array.dtype.str != facts["dtype"] or list(array.shape) != facts["shape"]:
        raise IndexFormatError(
            f"{path} holds {array.dtype.str} of shape {array.shape}; "
            f"the header says {facts['dtype']} of shape {tuple(facts['shape'])}"
        )
    return np.asarray(array)  # a plain view: a memmap would make every slice a memmap, slowly
