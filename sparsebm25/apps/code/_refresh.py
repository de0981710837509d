"""What has changed since a repository was counted? Only that is read again."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from sparsebm25.apps.code._cache import FileFacts, Kept
from sparsebm25.apps.code._files import Found, FoundFile, file_text, unreadable
from sparsebm25.index import BM25Index
from sparsebm25.text import Analyzer

Progress: TypeAlias = Callable[[Sequence[str]], Iterable[str]]

ANALYZER = Analyzer(tokens="identifiers")
FIELDS = {"path": 5.0, "text": 1.0}
FIELD_B = {"path": 0.3, "text": 0.75}
SETTLED_NS = 2 * 10**9
"""A file that was read this soon after its last change may have changed again with the same time."""


def nothing_kept() -> Kept:
    """Return the state from which everything has to be read."""
    index = BM25Index(analyzer=ANALYZER, fields=FIELDS, field_b=FIELD_B, query_tf="set")
    return Kept(index, {})


def refreshed(root: Path, kept: Kept, found: Found, progress: Progress | None) -> tuple[Kept, dict[str, str]]:
    """
    Return the index of the files as they are now, and why files are skipped: path -> reason.

    What is kept is not changed; it is returned where nothing has changed.
    """
    reading = _Reading(root, kept.facts)
    doubtful = []
    for file in found.files:
        facts = kept.facts.get(file.path)
        if facts is not None and _is_unchanged(file, facts):
            reading.facts[file.path] = facts
        else:
            doubtful.append(file)
    known = [file for file in doubtful if file.path in kept.index]
    new = [file for file in doubtful if file.path not in kept.index]
    index = kept.index.with_params()  # shares the counts; searches go on in the old one
    # The paths are a list that grows as the documents are read, each path before its document is taken.
    replaced: list[str] = []
    index.replace(reading.documents(known, replaced, progress), ids=replaced)
    added: list[str] = []
    index.add(reading.documents(new, added, progress), ids=added)
    texts = {path for path, facts in reading.facts.items() if facts.digest is not None}
    index.remove([path for path in kept.index.doc_ids if path not in texts])
    binary = {path: "binary" for path, facts in reading.facts.items() if facts.digest is None}
    skipped = dict(sorted({**found.skipped, **binary, **reading.skipped}.items()))
    digests = {path: facts.digest for path, facts in kept.facts.items()}
    if digests != {path: facts.digest for path, facts in reading.facts.items()}:
        return Kept(index, reading.facts), skipped
    if kept.facts != reading.facts:
        return Kept(kept.index, reading.facts, kept.stored_as), skipped
    return kept, skipped


def _is_unchanged(file: FoundFile, facts: FileFacts) -> bool:
    """Return whether size and times show that a file is as it was; otherwise its content has to."""
    same = (file.size, file.mtime_ns, file.ctime_ns) == (facts.size, facts.mtime_ns, facts.ctime_ns)
    return same and max(file.mtime_ns, file.ctime_ns) + SETTLED_NS < facts.read_ns


class _Reading:
    """Reads files, notes what they were like, and gives those with new content to the index."""

    def __init__(self, root: Path, old: Mapping[str, FileFacts]) -> None:
        self._root = root
        self._old = old
        self.facts: dict[str, FileFacts] = {}
        self.skipped: dict[str, str] = {}

    def documents(
        self, files: Sequence[FoundFile], paths: list[str], progress: Progress | None
    ) -> Iterator[dict[str, str]]:
        """Yield a document for each file whose content is text and new, its path noted before."""
        if not files:
            return
        by_path = {file.path: file for file in files}
        names = list(by_path)
        for path in names if progress is None else progress(names):
            text = self._new_text(by_path[path])
            if text is not None:
                paths.append(path)
                yield {"path": path, "text": text}

    def _new_text(self, file: FoundFile) -> str | None:
        """Return the text of a file if it is not what was counted already."""
        read_ns = time.time_ns()
        try:
            content = (self._root / file.path).read_bytes()
        except OSError as error:
            self.skipped[file.path] = unreadable(error)
            return None
        text = file_text(content)
        digest = None if text is None else hashlib.blake2b(content, digest_size=16).hexdigest()
        self.facts[file.path] = FileFacts(file.size, file.mtime_ns, file.ctime_ns, read_ns, digest)
        old = self._old.get(file.path)
        return None if old is not None and old.digest == digest else text
