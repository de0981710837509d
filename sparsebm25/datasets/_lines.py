"""Where do the bytes come from? Files, gzip files and standard input, as numbered lines."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TypeAlias

ByteStream: TypeAlias = BinaryIO | gzip.GzipFile

STANDARD_INPUT = "-"
BOM = b"\xef\xbb\xbf"


def shown_name(source: str | Path) -> str:
    """Return the name of a source for messages."""
    return "<stdin>" if source == STANDARD_INPUT else str(source)


@contextmanager
def open_bytes(path: Path) -> Iterator[ByteStream]:
    """Open the bytes of a file, unpacked if its name ends in ``.gz``."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
            yield stream
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"{path}: damaged gzip data: {error}") from None


def numbered_lines(source: str | Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file or of standard input, counted from 1, without a byte order mark."""
    if source == STANDARD_INPUT:
        yield from _numbered(sys.stdin.buffer)  # not ours to close
    else:
        with open_bytes(Path(source)) as stream:
            yield from _numbered(stream)


def _numbered(stream: ByteStream) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a stream, counted from 1, without a byte order mark."""
    for number, line in enumerate(stream, 1):
        yield number, line.removeprefix(BOM) if number == 1 else line
