"""The files of a repository, counted and kept: what stands behind `CodeSearch` by default."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial, reduce
from os import PathLike
from pathlib import Path

import numpy as np

from sparsebm25._checks import integer
from sparsebm25.apps.code import _cache
from sparsebm25.apps.code._files import checked_root, file_text, listed, walk
from sparsebm25.apps.code._lines import best_lines, shown_lines
from sparsebm25.apps.code._refresh import ANALYZER, Progress, nothing_kept, refreshed
from sparsebm25.apps.code.results import CodeHit
from sparsebm25.index import BM25Index
from sparsebm25.protocols import Floats, Ints
from sparsebm25.scoring.topk import top_k

EXACT_CANDIDATES = 100
"""How many files that hold all names of a literal query are read, best first, to see whether they hold it."""

_QUOTES = ('""', "''", "``", "“”")


@dataclass(frozen=True)
class _State:
    """What searches see: an index that does not change any more, and its documents sorted by path."""

    kept: _cache.Kept
    paths: list[str]
    doc_ords: Ints
    skipped: dict[str, str]


class IndexedFiles:
    """Ranks the files of a repository as they were at the last refresh."""

    def __init__(
        self,
        root: Path,
        files: Iterable[str | PathLike[str]] | None,
        cache_base: Path | None,
        progress: Progress | None,
    ) -> None:
        self._root = root
        self._files = files
        self._progress = progress
        self._folder = cache_base and _cache.folder_for(root, cache_base, is_listed=files is not None)

    def open(self, *, rebuild: bool) -> None:
        """Take what is kept, unless all shall be made anew, and bring it up to date."""
        kept = None if rebuild or self._folder is None else _cache.load(self._folder)
        self._update(kept or nothing_kept())

    def refresh(self) -> None:
        """Bring the index up to date with the files."""
        self._update(self._state.kept)

    def _update(self, kept: _cache.Kept) -> None:
        """Read what has changed, keep the result, and publish it by one assignment."""
        checked_root(self._root)
        found = walk(self._root) if self._files is None else listed(self._root, self._files)
        now, skipped = refreshed(self._root, kept, found, self._progress)
        if self._folder is not None and now is not kept:
            try:
                now = _cache.save(self._folder, now, self._root)
            except OSError as error:
                warnings.warn(
                    f"the index is not kept for the next run: {error}", RuntimeWarning, stacklevel=4
                )
        ords = {str(path): doc_ord for doc_ord, path in enumerate(now.index.doc_ids)}
        paths = sorted(ords)
        self._state = _State(now, paths, np.array([ords[path] for path in paths], np.int64), skipped)

    @property
    def index(self) -> BM25Index:
        """The index of the files."""
        return self._state.kept.index

    @property
    def skipped(self) -> dict[str, str]:
        """Why files are not in the index: path -> reason."""
        return dict(self._state.skipped)

    def search(self, query: str, k: int, n_lines: int, context: int) -> list[CodeHit]:
        """Return the best files, those that hold a literal query first; equal ones by path."""
        k = integer("k", k, low=0)  # the replaced system takes a negative one
        state = self._state
        index = state.kept.index
        scores = index.scores(query)[state.doc_ords]
        text_of = cache(partial(_present_text, self._root))
        literal = literal_query(query)
        exact = [] if literal is None else _exact_places(state, scores, query, k, literal, text_of)
        chosen = set(exact)
        best = [place for place in top_k(scores, k + len(exact)).tolist() if scores[place] > 0]
        weights = term_weights(index, query)
        hits = []
        for place in [*exact, *(place for place in best if place not in chosen)][:k]:
            text = text_of(state.paths[place]) if n_lines else ""
            held = literal if place in chosen else None
            matches = best_lines(text, weights, ANALYZER.split, n_lines, held)  # each token is a term
            lines = shown_lines(text.removesuffix("\n").split("\n"), matches, context)
            hits.append(CodeHit(state.paths[place], float(scores[place]), lines, place in chosen))
        return hits


def literal_query(query: str) -> re.Pattern[str] | None:
    """Return a pattern of a query that is quoted or one name of several parts, at the borders of words."""
    literal = query.strip()
    if len(literal) > 2 and literal[0] + literal[-1] in _QUOTES:
        literal = literal[1:-1]
    elif len(literal.split()) != 1 or len(ANALYZER(literal)) < 2:
        return None
    if "\n" in literal or not ANALYZER(literal):
        return None
    pattern = re.escape(literal)
    if re.match(r"\w", literal):
        pattern += rf"(?<!\w{pattern})"  # after the literal, so that the search can look for its characters
    if re.match(r"\w", literal[-1]):
        pattern += r"(?!\w)"
    return re.compile(pattern)


def term_weights(index: BM25Index, query: str) -> dict[str, float]:
    """Return the rarity of each distinct token of a query that the index knows."""
    ords = {token: index.vocabulary.get(token) for token in ANALYZER(query)}
    return {token: float(index.idf[ord_]) for token, ord_ in ords.items() if ord_ is not None}


def _exact_places(
    state: _State,
    scores: Floats,
    query: str,
    k: int,
    literal: re.Pattern[str],
    text_of: Callable[[str], str],
) -> list[int]:
    """Return which of the best files with all tokens of a query hold it literally, best first."""
    held = _docs_with_all(state.kept.index, ANALYZER(query))
    in_order = np.isin(state.doc_ords, held)
    candidates = top_k(np.where(in_order, scores, 0), min(held.size, max(k, EXACT_CANDIDATES)))
    return [place for place in candidates.tolist() if literal.search(text_of(state.paths[place]))]


def _docs_with_all(index: BM25Index, tokens: Iterable[str]) -> Ints:
    """Return the documents that hold all tokens, ascending."""
    ords = [index.vocabulary.get(token) for token in set(tokens)]
    counts = index.counts
    postings = [
        np.empty(0, np.int32)
        if ord_ is None
        else counts.indices[counts.indptr[ord_] : counts.indptr[ord_ + 1]]
        for ord_ in ords
    ]
    return reduce(partial(np.intersect1d, assume_unique=True), postings)


def _present_text(root: Path, path: str) -> str:
    """Return the text of a file as it is now; nothing if it cannot be read any more."""
    try:
        return file_text((root / path).read_bytes()) or ""
    except OSError:
        return ""
