"""The search tool that `CodeSearch` replaces, rule by rule: what stands behind ``compatible=True``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from sparsebm25.apps.code._files import SKIPPED_NAMES, SKIPPED_SUFFIXES, unreadable
from sparsebm25.apps.code._lines import first_lines, shown_lines
from sparsebm25.apps.code._refresh import Progress
from sparsebm25.apps.code.results import CodeHit
from sparsebm25.index import BM25Index

MANIFEST = Path(".code-context", "files.all.txt")
MAX_FILES = 5000

_HUMP = re.compile("(?<=[a-z])(?=[A-Z])")
_RUN = re.compile("[a-z0-9]{2,}")


def compatible_tokens(text: str) -> list[str]:
    """Return the runs of at least two ASCII letters and digits, broken at underscores and simple humps."""
    return _RUN.findall(_HUMP.sub(" ", text).lower())


class CompatibleFiles:
    """Ranks the files of a repository, texts in memory, as they were when it was opened."""

    def __init__(
        self,
        root: Path,
        files: Iterable[str | os.PathLike[str]] | None,
        progress: Progress | None,
    ) -> None:
        self._root = root
        self._files = files
        self._progress = progress
        self.refresh()

    def refresh(self) -> None:
        """Read everything anew."""
        self.skipped: dict[str, str] = {}
        self._texts: list[tuple[str, str]] = []
        self.index = BM25Index("okapi", k1=1.5, b=0.75, dtype="float64", analyzer=compatible_tokens)
        self.index.fit(self._documents())

    def _documents(self) -> Iterator[list[str]]:
        """Yield the tokens of the files that have any; keep their texts."""
        given = candidates(self._root) if self._files is None else (os.fspath(file) for file in self._files)
        paths = list(given)
        for path in paths if self._progress is None else self._progress(paths):
            file = self._root / path
            if not file.is_file():
                self.skipped[path] = "no file"
                continue
            try:
                text = file.read_text("utf-8", "replace")
            except OSError as error:
                self.skipped[path] = unreadable(error)
                continue
            tokens = compatible_tokens(text)
            if tokens:
                self._texts.append((path, text))
                yield tokens
            else:
                self.skipped[path] = "no tokens"

    def search(self, query: str, k: int, n_lines: int, context: int) -> list[CodeHit]:
        """Return the best files with scores above 0; a negative `k` leaves out that many last ranks."""
        wanted = k if k >= 0 else len(self.index) + k
        tokens = set(compatible_tokens(query))
        hits = []
        for _, score, doc_ord in self.index.search(query, wanted):
            if score <= 0:
                break
            path, text = self._texts[doc_ord]
            lines = [line.strip() for line in text.splitlines()]
            matches = first_lines(lines, tokens, compatible_tokens, n_lines)
            hits.append(CodeHit(path, round(score, 4), shown_lines(lines, matches, context)))
        return hits


def candidates(root: Path) -> list[str]:
    """Return the paths of the manifest, or of the first files in the order of the file system."""
    manifest = root / MANIFEST
    if manifest.exists():
        return [line.strip() for line in manifest.read_text("utf-8").splitlines() if line.strip()]
    found = [
        str(path.relative_to(root)) for path in root.rglob("*") if path.is_file() and not _is_skipped(path)
    ]
    return found[:MAX_FILES]


def _is_skipped(path: Path) -> bool:
    """Return whether a name tells to leave a file out; those of the folders above the root count too."""
    return not SKIPPED_NAMES.isdisjoint(path.parts) or path.suffix.lower() in SKIPPED_SUFFIXES


_OPENED: dict[Path, CompatibleFiles] = {}


def opened(root: Path, progress: Progress | None, *, rebuild: bool) -> CompatibleFiles:
    """Return the files of a repository as this process read them first, whatever has changed since."""
    if rebuild or root not in _OPENED:
        _OPENED[root] = CompatibleFiles(root, None, progress)
    return _OPENED[root]
