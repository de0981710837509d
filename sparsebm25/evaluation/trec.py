"""Judgments and runs as people hold them (TREC and BEIR files, mappings, rows), and a run as judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from sparsebm25._checks import integer, shown
from sparsebm25.protocols import Bools, DocId, Floats, Ints
from sparsebm25.runs import Run, TextFile, places_in_query, reading, trec_texts, used_ordinals, writing

__all__ = ["Qrel", "ScoredDoc", "read_qrels", "write_qrels"]


class Qrel(NamedTuple):
    """
    Return one judgment: how relevant a document is for a query.

    Parameters
    ----------
    query_id : str or int
        The query.
    doc_id : str or int
        The document.
    relevance : int
        Its grade: 1 or more is relevant, 0 is judged and not relevant, and
        some collections use negative grades for worse than that.

    Examples
    --------
    >>> from sparsebm25.evaluation import Qrel
    >>> Qrel("q1", "a-17", 2).relevance
    2
    """

    query_id: DocId
    doc_id: DocId
    relevance: int


class ScoredDoc(NamedTuple):
    """
    Return one line of a run: the score of a document for a query.

    Parameters
    ----------
    query_id : str or int
        The query.
    doc_id : str or int
        The document.
    score : float
        Its score; higher is better.

    Examples
    --------
    >>> from sparsebm25.evaluation import ScoredDoc
    >>> ScoredDoc("q1", "a-17", 3.5).score
    3.5
    """

    query_id: DocId
    doc_id: DocId
    score: float


Qrels: TypeAlias = Mapping[Any, Mapping[Any, int]] | Iterable[tuple[DocId, DocId, int]]
"""Judgments as ``{query_id: {doc_id: relevance}}`` or as rows such as `Qrel`."""

AnyRun: TypeAlias = Run | Mapping[Any, Mapping[Any, float]] | Iterable[tuple[DocId, DocId, float]]
"""A `Run`, the same as ``{query_id: {doc_id: score}}``, or rows such as `ScoredDoc`."""

Value = TypeVar("Value")

_TREC_COLUMNS = ["query", "iteration", "document", "grade"]
_BEIR_COLUMNS = ["query-id", "corpus-id", "score"]


def read_qrels(path: TextFile) -> dict[str, dict[str, int]]:
    r"""
    Return the judgments of a TREC or BEIR file.

    Parameters
    ----------
    path : str, path, or text stream
        Lines of ``query iteration document grade``, separated by tabs or by
        white space; or three columns without the iteration below BEIR's header
        ``query-id corpus-id score``. Read as gzip if the name ends in ``.gz``.

    Returns
    -------
    dict of str to dict
        ``{query_id: {doc_id: relevance}}`` in the order of the file. Ids are
        text, exactly as they are written.

    Raises
    ------
    ValueError
        If a line is malformed or contradicts an earlier one; the message names
        file and line.
    OSError
        If the file cannot be opened.

    Examples
    --------
    >>> import io
    >>> from sparsebm25.evaluation import read_qrels
    >>> read_qrels(io.StringIO("q1 0 a 1\nq1 0 b 0\n"))
    {'q1': {'a': 1, 'b': 0}}
    """
    qrels: dict[str, dict[str, int]] = {}
    with reading(path) as lines:
        for number, query_id, doc_id, relevance in _qrel_rows(lines):
            grades = qrels.setdefault(query_id, {})
            if grades.setdefault(doc_id, relevance) != relevance:
                pair = f"document {shown(doc_id)} for query {shown(query_id)}"
                raise ValueError(f"line {number} grades {pair} {relevance}, after {grades[doc_id]} before")
    return qrels


def _qrel_rows(lines: Iterable[str]) -> Iterator[tuple[int, str, str, int]]:
    """Yield line number, query id, document id and grade of each line that is not blank."""
    expected = _TREC_COLUMNS
    numbered = ((number, line) for number, line in enumerate(lines, start=1) if line.strip())
    for place, (number, line) in enumerate(numbered):
        if place == 0 and line.split() == _BEIR_COLUMNS:
            expected = _BEIR_COLUMNS
            continue
        columns = line.rstrip("\r\n").split("\t")
        if len(columns) != len(expected):
            columns = line.split()
        try:
            query_id, *_, doc_id, grade = columns
            relevance = int(grade)
        except ValueError:
            columns = []
        if len(columns) != len(expected) or "" in columns:
            raise ValueError(f"line {number} is not '{' '.join(expected)}': {shown(line)}")
        yield number, query_id, doc_id, relevance


def write_qrels(qrels: Qrels, path: TextFile) -> None:
    """
    Write judgments as a TREC file, whole or not at all.

    Parameters
    ----------
    qrels : mapping of mappings, or iterable of Qrel
        The judgments.
    path : str, path, or text stream
        Where to write; compressed if its name ends in ``.gz``.

    Raises
    ------
    ValueError
        If an id is empty or holds white space, two ids are written alike,
        such as 7 and ``"7"``, or a document is judged twice.
    TypeError
        If a grade is not an integer.

    Examples
    --------
    >>> import sys
    >>> from sparsebm25.evaluation import Qrel, write_qrels
    >>> write_qrels([Qrel("q1", "a", 1)], sys.stdout)
    q1 0 a 1
    """
    written = as_text(as_judgments(qrels).to_dict())
    with writing(path) as stream:
        for query_text, grades in written.items():
            stream.writelines(f"{query_text} 0 {doc_text} {grade}\n" for doc_text, grade in grades.items())


@dataclass(frozen=True, eq=False, slots=True)
class Judgments:
    """Judgments as arrays, sorted by query and document; queries without any are left out."""

    query_ids: list[DocId]
    """(n_queries,), in order of appearance"""
    doc_ids: list[DocId]
    """(n_judged_docs,), in order of appearance"""
    query_ords: Ints
    """(n_judgments,), positions in `query_ids`, ascending"""
    doc_ords: Ints
    """(n_judgments,), positions in `doc_ids`, ascending within a query"""
    relevance: Ints
    """(n_judgments,), grades"""

    def to_dict(self) -> dict[DocId, dict[DocId, int]]:
        """Return the judgments as ``{query_id: {doc_id: relevance}}``."""
        qrels: dict[DocId, dict[DocId, int]] = {query_id: {} for query_id in self.query_ids}
        columns = (self.query_ords.tolist(), self.doc_ords.tolist(), self.relevance.tolist())
        for query_ord, doc_ord, grade in zip(*columns, strict=True):
            qrels[self.query_ids[query_ord]][self.doc_ids[doc_ord]] = grade
        return qrels


def as_judgments(qrels: Qrels) -> Judgments:
    """Return judgments in any accepted form as arrays."""
    query_places: dict[DocId, int] = {}
    doc_places: dict[DocId, int] = {}
    grades: dict[tuple[int, int], int] = {}
    for query_id, doc_id, relevance in _rows("qrels", qrels):
        query_ord = query_places.setdefault(query_id, len(query_places))
        doc_ord = doc_places.setdefault(doc_id, len(doc_places))
        grade = integer("relevance", relevance)
        if grades.setdefault((query_ord, doc_ord), grade) != grade:
            raise ValueError(f"qrels must grade document {shown(doc_id)} once for query {shown(query_id)}")
    rows = np.array([(*pair, grade) for pair, grade in sorted(grades.items())], np.int64).reshape(-1, 3)
    return Judgments(list(query_places), list(doc_places), *rows.T)


def as_run(run: AnyRun) -> Run:
    """Return a run in any accepted form as a `Run`."""
    return run if isinstance(run, Run) else Run.from_rows(_rows("run", run))


def as_text(values: Mapping[DocId, Mapping[DocId, Value]]) -> dict[str, dict[str, Value]]:
    """Return ``{query_id: {doc_id: value}}`` with ids as TREC columns; empty queries have no line."""
    query_texts = trec_texts("query id", list(values))
    return {
        query_text: dict(zip(trec_texts("document id", list(by_doc)), by_doc.values(), strict=True))
        for query_text, by_doc in zip(query_texts, values.values(), strict=True)
        if by_doc
    }


def _rows(name: str, given: object) -> Iterator[tuple[DocId, DocId, float]]:
    """Yield (query id, document id, value) of a mapping of mappings, or of rows of at least three."""
    if isinstance(given, Mapping):
        for query_id, values in given.items():
            if not isinstance(values, Mapping):
                raise TypeError(f"{name} must map query {shown(query_id)} to a mapping, got {shown(values)}")
            for doc_id, value in values.items():
                yield query_id, doc_id, value
        return
    if not isinstance(given, Iterable) or isinstance(given, (str, bytes)):
        raise TypeError(f"{name} must be a mapping of mappings or an iterable of rows, got {shown(given)}")
    for row in given:
        if not isinstance(row, tuple) or len(row) < 3:
            raise TypeError(f"{name} must hold rows of query id, document id and value, got {shown(row)}")
        yield row[:3]


@dataclass(frozen=True, eq=False, slots=True)
class JudgedRanks:
    """The judged documents of each query with the ranks they have in a ranking."""

    query_ords: Ints
    """(n,), ascending"""
    ranks: Ints
    """(n,), from 1, ascending within a query"""
    relevance: Ints
    """(n,), grades"""
    n_queries: int

    def where(self, kept: Bools) -> JudgedRanks:
        """Return only the entries that are `kept`."""
        return JudgedRanks(self.query_ords[kept], self.ranks[kept], self.relevance[kept], self.n_queries)

    def sums(self, values: Floats) -> Floats:
        """Return the sum of `values` per query."""
        return np.bincount(self.query_ords, values, self.n_queries).astype(np.float64, copy=False)

    def counts(self) -> Ints:
        """Return the number of entries per query."""
        return np.bincount(self.query_ords, minlength=self.n_queries)

    def places(self) -> Ints:
        """Return the place of each entry among those of its query, from 1."""
        return places_in_query(np.append(0, np.cumsum(self.counts()))) + 1


@dataclass(frozen=True, eq=False, slots=True)
class JudgedRun:
    """All that a measure looks at, by the queries of the judgments."""

    found: JudgedRanks
    """judged documents of the run, where it ranks them"""
    ideal: JudgedRanks
    """all judged documents, ranked by falling grade"""
    n_hits: Ints
    """(n_queries,), hits of the run, judged or not"""


def judge(judgments: Judgments, run: Run, *, by_trec_eval: bool) -> JudgedRun:
    """Return where a run ranks the judged documents, in its own order or in that of trec_eval."""
    n_queries, n_docs = len(judgments.query_ids), len(judgments.doc_ids)
    judged_query = _places("query", run.query_ids, judgments.query_ids)
    hit_queries = judged_query[run.query_ords]
    hit_docs = _judged_docs(judgments, run)[
        run.doc_ords[_trec_eval_order(run)] if by_trec_eval else run.doc_ords
    ]
    at = np.flatnonzero((hit_queries >= 0) & (hit_docs >= 0))
    # Judgments are sorted by query and document, so one binary search finds the judgment of each hit.
    known = judgments.query_ords * n_docs + judgments.doc_ords
    wanted = hit_queries[at] * n_docs + hit_docs[at]
    nearest = np.minimum(np.searchsorted(known, wanted), known.size - 1)
    at, nearest = at[known[nearest] == wanted], nearest[known[nearest] == wanted]
    by_query = np.argsort(hit_queries[at], kind="stable")
    at, relevance = at[by_query], judgments.relevance[nearest[by_query]]
    ranks = places_in_query(run.indptr)[at] + 1
    n_hits = np.zeros(n_queries, np.int64)
    n_hits[judged_query[judged_query >= 0]] = np.diff(run.indptr)[judged_query >= 0]
    return JudgedRun(JudgedRanks(hit_queries[at], ranks, relevance, n_queries), _ideal(judgments), n_hits)


def _ideal(judgments: Judgments) -> JudgedRanks:
    """Return the best ranking there can be."""
    relevance = judgments.relevance[np.lexsort((-judgments.relevance, judgments.query_ords))]
    unranked = JudgedRanks(judgments.query_ords, relevance, relevance, len(judgments.query_ids))
    return replace(unranked, ranks=unranked.places())


def _judged_docs(judgments: Judgments, run: Run) -> Ints:
    """Return the judged document of each document of the run, or -1: (n_docs,)."""
    used = used_ordinals(run.doc_ords, len(run.doc_ids))
    judged_docs = np.full(len(run.doc_ids), -1)
    judged_docs[used] = _places(
        "document", [run.doc_ids[doc_ord] for doc_ord in used.tolist()], judgments.doc_ids
    )
    return judged_docs


def _places(kind: str, ids: Sequence[DocId], judged: Sequence[DocId]) -> Ints:
    """Return the place of each id among the judged ones, or -1; refuse ids that agree only as text."""
    place_of = {judged_id: place for place, judged_id in enumerate(judged)}
    places = np.array([place_of.get(name, -1) for name in ids], np.int64)
    if (places < 0).all():
        alike = {str(name) for name in ids}.intersection(map(str, judged))
        if alike:
            example = f"such as {shown(min(alike))}"
            raise ValueError(
                f"{kind} ids of run and qrels must be of one type; they agree only as text, {example}"
            )
    return places


def _trec_eval_order(run: Run) -> Ints:
    """Return the places of all hits, ordered per query by float32 score, then by id as text, both falling."""
    with np.errstate(over="ignore"):
        scores = run.scores.astype(np.float32)
    query_ords = run.query_ords
    same_query = query_ords[1:] == query_ords[:-1]
    falling = (scores[1:] <= scores[:-1]) | ~same_query
    order = np.arange(scores.size) if falling.all() else np.lexsort((-scores, query_ords))
    scores = scores[order]
    tied = (scores[1:] == scores[:-1]) & same_query
    # Only ties need names, which are dear.
    in_tie = np.flatnonzero(np.append(tied, False) | np.append(False, tied))
    ties = np.cumsum(np.append(True, ~tied))[in_tie]
    names = _text_ranks(run, run.doc_ords[order[in_tie]])
    order[in_tie] = order[in_tie][np.lexsort((-names, ties))]
    return order


def _text_ranks(run: Run, doc_ords: Ints) -> Ints:
    """Return the place of each document's id among all of them sorted as text."""
    used = used_ordinals(doc_ords, len(run.doc_ids))
    texts = [str(run.doc_ids[doc_ord]) for doc_ord in used.tolist()]
    ranks = np.zeros(len(run.doc_ids), np.int64)
    ranks[used[sorted(range(used.size), key=texts.__getitem__)]] = np.arange(used.size)
    return ranks[doc_ords]
