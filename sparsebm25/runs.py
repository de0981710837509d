"""A run: for each query its ranked, scored documents, as arrays, and as a TREC file."""

from __future__ import annotations

import io
import math
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, TextIO, TypeAlias

import numpy as np

from sparsebm25._checks import choice, escaped, shown
from sparsebm25._optional import require
from sparsebm25.protocols import DocId, Floats, Ints
from sparsebm25.records import Hits

__all__ = ["Run", "write_trec"]

TextFile: TypeAlias = str | os.PathLike[str] | TextIO
"""A file by its path, or a text stream that is open."""

_LARGEST = float(np.finfo(np.float32).max)


@dataclass(frozen=True, eq=False, repr=False)
class Run(Mapping[DocId, Hits]):
    """
    Return the ranked documents of many queries: a mapping from query id to `Hits`.

    Millions of hits are four arrays; a `Hits` is made when a query is looked
    up. Nothing is copied, and the arrays cannot be written to. Two runs are
    equal if the same queries, in the same order, have the same document ids in
    the same order with the same scores.

    Parameters
    ----------
    query_ids : sequence of (str or int), length n_queries
        The queries, each once.
    indptr : ndarray of shape (n_queries + 1,), dtype int
        Where the hits of each query begin and end.
    doc_ords : ndarray of shape (n_hits,), dtype int
        Positions of the found documents in `doc_ids`, best first per query.
    scores : ndarray of shape (n_hits,), dtype float
        Their scores; not NaN.
    doc_ids : sequence of (str or int), length n_docs
        The id of every document by position: a list, a range, or any table
        that decodes an id when asked.

    Raises
    ------
    ValueError
        If the parts do not fit together, a query id occurs twice, or a score
        is NaN.
    TypeError
        If positions are not integers or scores are not floats.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebm25.runs import Run
    >>> run = Run(["q1"], np.array([0, 2]), np.array([1, 0]), np.array([2.5, 1.0]), ["a", "b"])
    >>> run["q1"]
    <2 hits: ('b', 2.5000), ('a', 1.0000)>
    """

    query_ids: Sequence[DocId]
    indptr: Ints
    doc_ords: Ints
    scores: Floats
    doc_ids: Sequence[DocId]
    _places: dict[DocId, int] = field(init=False)

    def __post_init__(self) -> None:
        query_ids = tuple(self.query_ids)
        places = {query_id: place for place, query_id in enumerate(query_ids)}
        object.__setattr__(self, "query_ids", query_ids)
        object.__setattr__(self, "_places", places)
        for name in ("indptr", "doc_ords", "scores"):
            view = np.asarray(getattr(self, name)).view()
            view.flags.writeable = False
            object.__setattr__(self, name, view)
        _check_parts(self)
        if len(places) < len(query_ids):
            again = next(query_id for place, query_id in enumerate(query_ids) if places[query_id] != place)
            raise ValueError(f"query_ids must differ, got {shown(again)} twice")

    def __len__(self) -> int:
        return len(self.query_ids)

    def __iter__(self) -> Iterator[DocId]:
        return iter(self.query_ids)

    def __getitem__(self, query_id: DocId) -> Hits:
        try:
            place = self._places[query_id]
        except KeyError:
            raise KeyError(f"query {shown(query_id)} is not in this run of {len(self)} queries") from None
        hits = slice(self.indptr[place], self.indptr[place + 1])
        return Hits(self.doc_ids, self.doc_ords[hits], self.scores[hits])

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Run)
            and self.query_ids == other.query_ids
            and np.array_equal(self.indptr, other.indptr)
            and np.array_equal(self.scores, other.scores)
            and self._found_ids() == other._found_ids()
        )

    __hash__ = None  # type: ignore[assignment]  # holds arrays

    def __repr__(self) -> str:
        return f"<Run of {len(self):,} queries, {self.doc_ords.size:,} hits>"

    def _repr_html_(self) -> str:
        """Return a static table for notebooks: the best hit of the first queries, all text escaped."""
        rows = ""
        for query_id, hits in islice(self.items(), 20):
            cells = (query_id, len(hits), *(f"{hit.doc_id} ({hit.score:.4f})" for hit in hits[:1]))
            rows += "<tr>" + "".join(f"<td>{escaped(cell)}</td>" for cell in cells) + "</tr>"
        head = "<tr><th>query_id</th><th>hits</th><th>best hit</th></tr>"
        return f"<table>{head}{rows}</table><p>{len(self):,} queries, {self.doc_ords.size:,} hits</p>"

    def _found_ids(self) -> list[DocId]:
        """Return the document id of every hit."""
        return Hits(self.doc_ids, self.doc_ords, self.scores).doc_ids

    @property
    def query_ords(self) -> Ints:
        """Return the position of each hit's query in `query_ids`, of shape (n_hits,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.indptr))

    @classmethod
    def concatenate(cls, runs: Iterable[Run]) -> Run:
        """
        Return one run of several that rank the same documents for different queries.

        Parameters
        ----------
        runs : iterable of Run
            Runs over equal `doc_ids`, such as the chunks of one batch.

        Returns
        -------
        Run
            The queries of all runs, in their order; empty if there are none.

        Raises
        ------
        ValueError
            If the runs have different `doc_ids` or share a query id.
        """
        chunks = list(runs)
        doc_ids: Sequence[DocId] = chunks[0].doc_ids if chunks else ()
        for chunk in chunks:
            if chunk.doc_ids is not doc_ids and list(chunk.doc_ids) != list(doc_ids):
                raise ValueError("runs must share their doc_ids, got runs over different documents")
        sizes = [np.zeros(1, np.int64), *(np.diff(chunk.indptr) for chunk in chunks)]
        return cls(
            [query_id for chunk in chunks for query_id in chunk.query_ids],
            np.cumsum(np.concatenate(sizes)),
            np.concatenate([chunk.doc_ords for chunk in chunks] or [np.zeros(0, np.int32)]),
            np.concatenate([chunk.scores for chunk in chunks] or [np.zeros(0, np.float32)]),
            doc_ids,
        )

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[DocId, DocId, float]]) -> Run:
        """
        Return the run of (query id, document id, score) rows in any order.

        Parameters
        ----------
        rows : iterable of (query_id, doc_id, score)
            Each document at most once per query.

        Returns
        -------
        Run
            Queries in order of appearance; per query the scores fall, and
            equal scores keep the order of the rows. Scores are float64.

        Raises
        ------
        ValueError
            If a document occurs twice for one query, or a score is NaN.
        """
        query_places: dict[DocId, int] = {}
        doc_places: dict[DocId, int] = {}
        queries, docs, values = [], [], []
        for query_id, doc_id, score in rows:
            queries.append(query_places.setdefault(query_id, len(query_places)))
            docs.append(doc_places.setdefault(doc_id, len(doc_places)))
            values.append(score)
        query_ids, doc_ids = list(query_places), list(doc_places)
        query_ords, doc_ords = np.array(queries, np.int64), np.array(docs, np.int64)
        scores = np.array(values, np.float64)
        _check_once(query_ids, doc_ids, query_ords, doc_ords)
        order = np.lexsort((-scores, query_ords))
        sizes = np.bincount(query_ords, minlength=len(query_ids))
        return cls(query_ids, np.append(0, np.cumsum(sizes)), doc_ords[order], scores[order], doc_ids)

    @classmethod
    def from_trec(cls, path: TextFile) -> Run:
        """
        Return the run of a TREC file: ``query Q0 document rank score tag``.

        Parameters
        ----------
        path : str, path, or text stream
            The file; read as gzip if its name ends in ``.gz``.

        Returns
        -------
        Run
            As `from_rows` makes it: the score decides, then the order of the
            file; the rank column is not looked at. Ids are text.

        Raises
        ------
        ValueError
            If a line is malformed (the message names file and line), a
            document occurs twice for one query, or the file is not UTF-8.
        OSError
            If the file cannot be opened.
        """
        with reading(path) as lines:
            return cls.from_rows(_trec_rows(lines))

    def to_trec(self, path: TextFile, *, tag: str = "sparsebm25", ties: str = "scores") -> None:
        """
        Write a TREC file, whole or not at all.

        Parameters
        ----------
        path : str, path, or text stream
            Where to write; compressed if its name ends in ``.gz``.
        tag : str, default "sparsebm25"
            Name of the run, for the last column.
        ties : {"scores", "rank"}, default "scores"
            What the score column holds, see `write_trec`.

        Raises
        ------
        ValueError
            If an id or `tag` cannot be written, see `write_trec`.
        """
        write_trec([self], path, tag=tag, ties=ties)

    def to_dict(self) -> dict[DocId, dict[DocId, float]]:
        """
        Return the run as ``{query_id: {doc_id: score}}``, best document first.

        Returns
        -------
        dict of (str or int) to dict
            Plain Python values.
        """
        return {
            query_id: dict(zip(hits.doc_ids, hits.scores.tolist(), strict=True))
            for query_id, hits in self.items()
        }

    def to_pandas(self) -> Any:
        """
        Return the run as a pandas frame with columns query_id, doc_id, rank and score.

        Returns
        -------
        pandas.DataFrame
            One row a hit, in the order of the run; rank counts from 1.

        Raises
        ------
        MissingExtra
            If pandas is not installed.
        """
        pandas = require("pandas", "pandas")
        return pandas.DataFrame(
            {
                "query_id": [self.query_ids[query_ord] for query_ord in self.query_ords.tolist()],
                "doc_id": self._found_ids(),
                "rank": places_in_query(self.indptr) + 1,
                "score": self.scores,
            }
        )


def write_trec(runs: Iterable[Run], path: TextFile, *, tag: str = "sparsebm25", ties: str = "scores") -> None:
    """
    Write runs to one TREC file, one after the other, whole or not at all.

    Only one run is held at a time, so a long batch can be written as it is
    made. Evaluators such as trec_eval ignore the order of the lines and the
    rank column: they hold scores as float32 and order equal scores by document
    id, descending.

    Parameters
    ----------
    runs : iterable of Run
        Runs with different queries.
    path : str, path, or text stream
        Where to write; compressed if its name ends in ``.gz``.
    tag : str, default "sparsebm25"
        Name of the run, for the last column.
    ties : {"scores", "rank"}, default "scores"
        With ``"scores"`` the scores are written as they are, and are read
        back to the last bit. With ``"rank"`` they are lowered by as few
        float32 steps as make them fall strictly, so that evaluators keep the
        order of the run.

    Raises
    ------
    ValueError
        If an id or `tag` is empty or holds white space, two ids are written
        alike, such as 7 and ``"7"``, or a query occurs in two runs.

    Examples
    --------
    >>> import sys
    >>> from sparsebm25.runs import Run, write_trec
    >>> run = Run.from_rows([("q1", "a", 1.0), ("q1", "b", 1.0)])
    >>> write_trec([run], sys.stdout, ties="rank")
    q1 Q0 a 1 1.0 sparsebm25
    q1 Q0 b 2 0.9999999403953552 sparsebm25
    """
    choice("ties", ties, ("scores", "rank"))
    (tag,) = trec_texts("tag", [tag])
    seen: set[str] = set()
    with writing(path) as stream:
        for run in runs:
            query_texts = trec_texts("query id", run.query_ids)
            again = seen.intersection(query_texts)
            if again:
                raise ValueError(f"query {shown(again.pop())} occurs in two runs")
            seen.update(query_texts)
            stream.writelines(_trec_blocks(run, query_texts, tag, ties))


def _trec_blocks(run: Run, query_texts: list[str], tag: str, ties: str) -> Iterator[str]:
    """Yield the lines of each query as one text; all ids are checked before the first."""
    used = used_ordinals(run.doc_ords, len(run.doc_ids)).tolist()
    texts = trec_texts("document id", [run.doc_ids[doc_ord] for doc_ord in used])
    doc_texts = dict(zip(used, texts, strict=True))
    scores = falling_scores(run.indptr, run.scores) if ties == "rank" else run.scores
    bounds = run.indptr.tolist()
    for query_text, low, high in zip(query_texts, bounds, bounds[1:], strict=False):
        ranked = zip(run.doc_ords[low:high].tolist(), scores[low:high].tolist(), strict=True)
        yield "".join(
            f"{query_text} Q0 {doc_texts[doc_ord]} {rank} {score!r} {tag}\n"
            for rank, (doc_ord, score) in enumerate(ranked, start=1)
        )


def _trec_rows(lines: Iterable[str]) -> Iterator[tuple[str, str, float]]:
    """Yield query id, document id and score of each line that is not blank."""
    for number, line in enumerate(lines, start=1):
        columns = line.split()
        if not columns:
            continue
        try:
            query_id, _, doc_id, _, text, _ = columns
            score = float(text)
        except ValueError:
            score = math.nan
        if math.isnan(score):
            raise ValueError(f"line {number} is not 'query Q0 document rank score tag': {shown(line)}")
        yield query_id, doc_id, score


def trec_texts(name: str, ids: Sequence[object]) -> list[str]:
    """Return ids as columns of a TREC file, or name the one that cannot be written so."""
    texts = [str(value) for value in ids]
    for text in texts:
        if text.split() != [text]:
            raise ValueError(f"{name} must be text without white space to be written, got {shown(text)}")
    if len(set(texts)) < len(texts):
        again = Counter(texts).most_common(1)[0][0]
        raise ValueError(f"two different {name}s are both written {shown(again)}")
    return texts


def falling_scores(indptr: Ints, scores: Floats) -> Floats:
    """Return float32 scores that fall strictly within each query, lowered as little as the order needs."""
    places = places_in_query(indptr)
    # Every query gets a band of its own, below the bands of those before it: one running minimum serves all.
    bands = np.repeat(np.arange(indptr.size - 1) << 34, np.diff(indptr))
    falling = np.minimum.accumulate(_to_steps(scores) + places - bands) - places + bands
    # Ties at the lowest float32 have no room below: those before the last are raised.
    followers = np.repeat(indptr[1:], np.diff(indptr)) - np.arange(indptr[-1]) - 1
    return _from_steps(np.maximum(falling, followers - _to_steps(np.array([_LARGEST]))))


def _to_steps(scores: Floats) -> Ints:
    """Return scores as integers that count float32 values from 0: neighbors differ by 1."""
    bits = np.clip(scores, -_LARGEST, _LARGEST).astype(np.float32).view(np.int32).astype(np.int64)
    return np.where(bits < 0, -(bits & 0x7FFFFFFF), bits)


def _from_steps(steps: Ints) -> Floats:
    """Return the float32 values that `_to_steps` counts."""
    return np.where(steps < 0, -steps | 0x80000000, steps).astype(np.uint32).view(np.float32)


def places_in_query(indptr: Ints) -> Ints:
    """Return each hit's place within its query, from 0: (n_queries + 1,) -> (n_hits,)."""
    return np.arange(indptr[-1]) - np.repeat(indptr[:-1], np.diff(indptr))


def used_ordinals(ordinals: Ints, size: int) -> Ints:
    """Return the distinct ordinals below `size`, ascending, in linear time."""
    used = np.zeros(size, bool)
    used[ordinals] = True
    return np.flatnonzero(used)


@contextmanager
def reading(source: TextFile) -> Iterator[Iterable[str]]:
    """Yield the lines of a UTF-8 text, unpacked if its name ends in .gz; what is wrong with it names it."""
    import gzip  # only files need it
    import zlib

    path = os.fspath(source) if isinstance(source, (str, os.PathLike)) else None
    with ExitStack() as stack:
        stream: Any = source
        if path is not None:
            opened: Any = gzip.open if path.endswith(".gz") else open
            stream = stack.enter_context(opened(path, "rt", encoding="utf-8-sig", errors="surrogatepass"))
        try:
            yield stream
        except (ValueError, EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise ValueError(f"{path or getattr(source, 'name', 'the stream')}: {error}") from None


@contextmanager
def writing(target: TextFile) -> Iterator[TextIO]:
    """Yield a text stream whose file appears whole when the block ends, and not at all if it fails."""
    import gzip

    if not isinstance(target, (str, os.PathLike)):
        yield target
        return
    path = Path(os.path.realpath(target))
    if not path.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {str(path.parent)!r} to write {path.name!r} to")
    # A device or a pipe takes what comes and cannot be replaced.
    replaced = path.is_file() or not path.exists()
    written = path.with_name(f".{path.name}.{os.urandom(8).hex()}.part") if replaced else path
    try:
        with ExitStack() as stack:
            binary: Any = stack.enter_context(written.open("xb" if replaced else "wb"))
            if path.suffix == ".gz":  # no name and no time inside: the same text gives the same bytes
                binary = stack.enter_context(gzip.GzipFile("", "wb", fileobj=binary, mtime=0))
            yield stack.enter_context(
                io.TextIOWrapper(binary, encoding="utf-8", errors="surrogatepass", newline="\n")
            )
        if replaced:
            with written.open("rb+") as stored:
                os.fsync(stored.fileno())
            written.replace(path)
    finally:
        if replaced:
            written.unlink(missing_ok=True)


def _check_once(query_ids: list[DocId], doc_ids: list[DocId], query_ords: Ints, doc_ords: Ints) -> None:
    """Refuse a document that occurs twice for one query."""
    keys = np.sort(query_ords * len(doc_ids) + doc_ords)
    twice = keys[1:][keys[1:] == keys[:-1]]
    if twice.size:
        query_ord, doc_ord = divmod(int(twice[0]), len(doc_ids))
        where = f"query {shown(query_ids[query_ord])}"
        raise ValueError(f"document {shown(doc_ids[doc_ord])} occurs twice for {where}")


def _check_parts(run: Run) -> None:
    """Refuse arrays that do not fit together."""
    bounds, doc_ords, scores = run.indptr, run.doc_ords, run.scores
    kinds = bounds.dtype.kind + doc_ords.dtype.kind + scores.dtype.kind
    if kinds != "iif":
        dtypes = f"{bounds.dtype}, {doc_ords.dtype} and {scores.dtype}"
        raise TypeError(f"indptr, doc_ords and scores must be int, int and float arrays, got {dtypes}")
    if doc_ords.ndim != 1 or doc_ords.shape != scores.shape:
        raise ValueError(f"doc_ords and scores must have one length, got {doc_ords.shape} and {scores.shape}")
    ends = (0, doc_ords.size)
    if bounds.shape != (len(run) + 1,) or (bounds[0], bounds[-1]) != ends or (np.diff(bounds) < 0).any():
        expected = f"rise from 0 to {doc_ords.size} in {len(run) + 1} entries"
        raise ValueError(f"indptr must {expected}, got {shown(bounds.tolist())}")
    if doc_ords.size and not (doc_ords.min() >= 0 and doc_ords.max() < len(run.doc_ids)):
        found = f"{doc_ords.min()} to {doc_ords.max()}"
        raise ValueError(f"doc_ords must be at least 0 and below {len(run.doc_ids)}, got {found}")
    if np.isnan(scores).any():
        raise ValueError("scores must not be NaN")
