"""How good is a run? Measures over judged documents and their ranks, for all queries at once."""

from __future__ import annotations

import ast
import html
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType, ModuleType
from typing import Any

import numpy as np

from sparsebm25._checks import choice, integer, shown
from sparsebm25._optional import require
from sparsebm25.evaluation.trec import (
    AnyRun,
    JudgedRanks,
    JudgedRun,
    Judgments,
    Qrels,
    as_judgments,
    as_run,
    as_text,
    judge,
)
from sparsebm25.protocols import DocId, Floats, Ints
from sparsebm25.runs import falling_scores


@dataclass(frozen=True)
class Measure:
    """
    Return a measure of a ranking, written as ``nDCG @ 10`` or ``AP(rel=2) @ 100``.

    Calling a measure sets options, ``@`` sets the cutoff; both give a new
    measure. It prints as it is written, as in ir_measures.

    Parameters
    ----------
    name : {"nDCG", "AP", "RR", "R", "P", "Success", "Judged"}
        What is measured.
    cutoff : int, optional
        How many hits are looked at, at least 1; None looks at all. `R`, `P`
        and `Success` need one.
    rel : int, default 1
        Lowest grade that counts as relevant; not for `nDCG` and `Judged`.
    dcg : {"log2", "exp-log2"}, default "log2"
        Gain of a grade, for `nDCG`: the grade itself, or ``2**grade - 1``.
        Negative grades gain nothing.

    Raises
    ------
    ValueError
        If the name or a value is not one of those, or the measure has no such
        option.
    TypeError
        If a number is not an integer.

    See Also
    --------
    parse_measure : Reads a measure from text.

    Examples
    --------
    >>> from sparsebm25.evaluation import AP, nDCG
    >>> nDCG @ 10, AP(rel=2) @ 100
    (nDCG@10, AP(rel=2)@100)
    """

    name: str
    cutoff: int | None = None
    rel: int = 1
    dcg: str = "log2"

    def __post_init__(self) -> None:
        choice("name", self.name, _KINDS)
        if self.cutoff is not None:
            object.__setattr__(self, "cutoff", integer("cutoff", self.cutoff, low=1))
        object.__setattr__(self, "rel", integer("rel", self.rel))
        choice("dcg", self.dcg, ("log2", "exp-log2"))
        self._check_options(self._set_options())

    def __matmul__(self, cutoff: int) -> Measure:
        return replace(self, cutoff=cutoff)

    def __call__(self, **options: Any) -> Measure:
        """Return the measure with other options."""
        self._check_options(options)
        return replace(self, **options)

    def _check_options(self, names: Iterable[str]) -> None:
        """Refuse options that the measure does not read."""
        known = _KINDS[self.name].options
        for name in names:
            if name not in known:
                raise ValueError(f"{self.name} has no option {name!r}, only {', '.join(known) or 'a cutoff'}")

    def _set_options(self) -> dict[str, Any]:
        """Return the options that differ from their defaults."""
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if field.name in ("rel", "dcg") and getattr(self, field.name) != field.default
        }

    def __repr__(self) -> str:
        options = ",".join(f"{name}={value!r}" for name, value in self._set_options().items())
        cutoff = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"{self.name}({options}){cutoff}" if options else f"{self.name}{cutoff}"


_WRITTEN = re.compile(r"\s*(?P<name>\w+)\s*(?:\((?P<options>[^()]*)\))?\s*(?:@\s*(?P<cutoff>\d+))?\s*")
_ALIASES = MappingProxyType({"NDCG": "nDCG", "MAP": "AP", "MRR": "RR", "Recall": "R", "Precision": "P"})


def parse_measure(text: str) -> Measure:
    """
    Return the measure that a text names.

    Parameters
    ----------
    text : str
        Such as ``"nDCG@10"``, ``"AP(rel=2)@100"`` or ``"nDCG(dcg='exp-log2')@5"``.
        ``NDCG``, ``MAP``, ``MRR``, ``Recall`` and ``Precision`` are understood
        as other names of ``nDCG``, ``AP``, ``RR``, ``R`` and ``P``.

    Returns
    -------
    Measure
        Prints as the text, up to spaces and other names.

    Raises
    ------
    ValueError
        If there is no such measure or option, or the text is not of this form.

    Examples
    --------
    >>> from sparsebm25.evaluation import parse_measure
    >>> parse_measure("MRR @ 10")
    RR@10
    """
    name, options, cutoff = _parts(text)
    name = _ALIASES.get(name, name)
    if name not in _KINDS:
        raise ValueError(f"unknown measure {shown(name)}; choose from {', '.join(_KINDS)}")
    measure = Measure(name)(**options)
    return measure if cutoff is None else measure @ cutoff


def _parts(text: str) -> tuple[str, dict[str, Any], int | None]:
    """Return name, options and cutoff of a measure as written."""
    written = _WRITTEN.fullmatch(text)
    if written is None:
        raise ValueError(f"a measure is written like nDCG@10 or AP(rel=2)@100, got {shown(text)}")
    cutoff = None if written["cutoff"] is None else int(written["cutoff"])
    return written["name"], _parse_options(written["options"] or ""), cutoff


def _parse_options(text: str) -> dict[str, Any]:
    """Return the options of ``rel=2, dcg='log2'``."""
    options = {}
    for option in filter(str.strip, text.split(",")):
        name, _, value = option.partition("=")
        try:
            options[name.strip()] = ast.literal_eval(value.strip())
        except (ValueError, SyntaxError):
            raise ValueError(f"an option is written like rel=2 or dcg='log2', got {shown(option)}") from None
    return options


def _ndcg(judged: JudgedRun, measure: Measure) -> Floats:
    """Return the discounted gain as a share of what the judgments allow."""
    found, ideal = judged.found, judged.ideal
    return _share(_dcg(found, measure), _dcg(ideal, measure))


def _dcg(ranking: JudgedRanks, measure: Measure) -> Floats:
    """Return the sum of gains, each over the binary logarithm of its rank + 1."""
    top = _top(ranking, measure.cutoff)
    gains = np.maximum(top.relevance, 0)
    if measure.dcg == "exp-log2":
        gains = np.exp2(gains) - 1
    return top.sums(gains / np.log2(top.ranks + 1))


def _ap(judged: JudgedRun, measure: Measure) -> Floats:
    """Return the mean precision at the relevant documents; those not found count 0."""
    found = _relevant(judged.found, measure)
    return _share(found.sums(found.places() / found.ranks), _n_relevant(judged, measure))


def _rr(judged: JudgedRun, measure: Measure) -> Floats:
    """Return 1 over the rank of the first relevant document, or 0."""
    found = _relevant(judged.found, measure)
    return found.sums((found.places() == 1) / found.ranks)


def _recall(judged: JudgedRun, measure: Measure) -> Floats:
    """Return the share of the relevant documents that were found."""
    return _share(_relevant(judged.found, measure).counts(), _n_relevant(judged, measure))


def _precision(judged: JudgedRun, measure: Measure) -> Floats:
    """Return the share of the first `cutoff` ranks that hold a relevant document."""
    return _relevant(judged.found, measure).counts() / (measure.cutoff or 1)


def _success(judged: JudgedRun, measure: Measure) -> Floats:
    """Return 1 if a relevant document was found, else 0."""
    return (_relevant(judged.found, measure).counts() > 0).astype(float)


def _judged(judged: JudgedRun, measure: Measure) -> Floats:
    """Return the share of the hits that were judged at all."""
    n_hits = judged.n_hits if measure.cutoff is None else np.minimum(judged.n_hits, measure.cutoff)
    return _share(_top(judged.found, measure.cutoff).counts(), n_hits)


def _top(ranking: JudgedRanks, cutoff: int | None) -> JudgedRanks:
    """Return the entries down to the cutoff."""
    return ranking if cutoff is None else ranking.where(ranking.ranks <= cutoff)


def _relevant(ranking: JudgedRanks, measure: Measure) -> JudgedRanks:
    """Return the relevant entries down to the cutoff."""
    top = _top(ranking, measure.cutoff)
    return top.where(top.relevance >= measure.rel)


def _n_relevant(judged: JudgedRun, measure: Measure) -> Ints:
    """Return how many relevant documents each query has."""
    return judged.ideal.where(judged.ideal.relevance >= measure.rel).counts()


def _share(part: Floats | Ints, whole: Floats | Ints) -> Floats:
    """Return `part` / `whole`, and 0 where there is nothing to share."""
    return np.divide(part, whole, out=np.zeros(part.size), where=whole > 0)


@dataclass(frozen=True, slots=True)
class _Kind:
    """A measure's function with the options it reads."""

    values: Callable[[JudgedRun, Measure], Floats]
    options: tuple[str, ...] = ("rel",)
    needs_cutoff: bool = False


_KINDS: Mapping[str, _Kind] = MappingProxyType(
    {
        "nDCG": _Kind(_ndcg, options=("dcg",)),
        "AP": _Kind(_ap),
        "RR": _Kind(_rr),
        "R": _Kind(_recall, needs_cutoff=True),
        "P": _Kind(_precision, needs_cutoff=True),
        "Success": _Kind(_success, needs_cutoff=True),
        "Judged": _Kind(_judged, options=()),
    }
)

nDCG = Measure("nDCG")
"""Normalized discounted cumulative gain (Järvelin and Kekäläinen, ACM TOIS 20(4), 2002)."""
AP = Measure("AP")
"""Average precision; its mean over queries is MAP (Harman, Information Processing & Management 28, 1992)."""
RR = Measure("RR")
"""Reciprocal rank of the first relevant document (Kantor and Voorhees, Information Retrieval 2, 2000)."""
R = Measure("R")
"""Recall: the share of the relevant documents among the first hits."""
P = Measure("P")
"""Precision: the share of the first ranks that hold a relevant document."""
Success = Measure("Success")
"""Whether there is a relevant document among the first hits."""
Judged = Measure("Judged")
"""The share of the first hits that were judged: low values mean that the other measures know little."""


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation:
    """
    Return the values of some measures for each judged query of a run.

    Parameters
    ----------
    query_ids : tuple of (str or int), length n_queries
        The queries that count, in the order of the judgments.
    per_query : mapping of Measure to ndarray of shape (n_queries,)
        The value of each measure for each query, in [0, 1].

    Examples
    --------
    >>> from sparsebm25.evaluation import RR, evaluate
    >>> evaluation = evaluate(RR @ 10, {"q1": {"a": 1}}, {"q1": {"b": 2.0, "a": 1.0}})
    >>> evaluation
    <Evaluation of 1 query: RR@10 0.5000>
    >>> evaluation.per_query[RR @ 10]
    array([0.5])
    """

    query_ids: tuple[DocId, ...]
    per_query: Mapping[Measure, Floats]

    def means(self) -> dict[Measure, float]:
        """
        Return the mean of each measure over the queries.

        Returns
        -------
        dict of Measure to float
            In the order asked for; 0 if there are no queries.
        """
        return {
            measure: float(values.mean()) if values.size else 0.0
            for measure, values in self.per_query.items()
        }

    def to_pandas(self) -> Any:
        """
        Return the values as a pandas frame, one row a query and one column a measure.

        Returns
        -------
        pandas.DataFrame
            Column ``query_id``, then each measure as it is written.

        Raises
        ------
        MissingExtra
            If pandas is not installed.
        """
        pandas = require("pandas", "pandas")
        columns = {str(measure): values for measure, values in self.per_query.items()}
        return pandas.DataFrame({"query_id": self.query_ids, **columns})

    def __repr__(self) -> str:
        means = ", ".join(f"{measure} {mean:.4f}" for measure, mean in self.means().items())
        n_queries = len(self.query_ids)
        return f"<Evaluation of {n_queries:,} quer{'y' if n_queries == 1 else 'ies'}: {means}>"

    def _repr_html_(self) -> str:
        """Return a static table of the means for notebooks."""
        rows = "".join(
            f"<tr><td>{html.escape(str(measure))}</td><td>{mean:.4f}</td></tr>"
            for measure, mean in self.means().items()
        )
        head = f"<tr><th>measure</th><th>mean of {len(self.query_ids):,} queries</th></tr>"
        return f"<table>{head}{rows}</table>"


def evaluate(
    measures: Measure | str | Iterable[Measure | str],
    qrels: Qrels,
    run: AnyRun,
    *,
    ties: str = "rank",
    unanswered: str = "zero",
) -> Evaluation:
    """
    Return how good a run is by some measures, for each judged query.

    Parameters
    ----------
    measures : Measure, str, or iterable of them
        Such as ``[nDCG @ 10, "AP", "R@100"]``.
    qrels : mapping of mappings, or iterable of Qrel
        ``{query_id: {doc_id: relevance}}`` or rows.
    run : Run, mapping of mappings, or iterable of ScoredDoc
        The ranking to judge. Mappings and rows are ranked by score; equal
        scores stay in the order given.
    ties : {"rank", "trec_eval"}, default "rank"
        With ``"rank"`` the order of the run is judged as it is. With
        ``"trec_eval"`` it is reordered as that program does: scores as float32,
        descending, and equal ones by document id as text, descending.
    unanswered : {"zero", "skip"}, default "zero"
        What a judged query without hits counts: 0, or nothing, which overstates
        the quality of a run that leaves hard queries out.

    Returns
    -------
    Evaluation
        Values per query and their means. Queries without any judgment are left
        out; queries whose judgments are all below relevant count 0.

    Raises
    ------
    ValueError
        If a measure is unknown or lacks its cutoff, `ties` or `unanswered` is
        not one of those, or ids of `run` and `qrels` agree only as text, such
        as 7 and ``"7"``, which would make every value 0.
    TypeError
        If `qrels` or `run` has another form, or a grade is not an integer.

    Notes
    -----
    With ``ties="trec_eval"`` the values are those of trec_eval with its option
    ``-c`` (without it for ``unanswered="skip"``). The ideal ranking behind
    `nDCG` comes from the judgments, never from what was returned.

    Examples
    --------
    >>> from sparsebm25.evaluation import R, evaluate, nDCG
    >>> qrels = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}}
    >>> evaluate([nDCG @ 10, R @ 10], qrels, {"q1": {"a": 3.5}})
    <Evaluation of 2 queries: nDCG@10 0.3066, R@10 0.2500>
    """
    chosen = _chosen(measures)
    choice("ties", ties, ("rank", "trec_eval"))
    choice("unanswered", unanswered, ("zero", "skip"))
    judgments = as_judgments(qrels)
    judged = judge(judgments, as_run(run), by_trec_eval=ties == "trec_eval")
    counted = np.flatnonzero((judged.n_hits > 0) | (unanswered == "zero"))
    return Evaluation(
        tuple(judgments.query_ids[query_ord] for query_ord in counted.tolist()),
        {measure: _KINDS[measure.name].values(judged, measure)[counted] for measure in chosen},
    )


def _chosen(measures: Measure | str | Iterable[Measure | str]) -> list[Measure]:
    """Return measures that can be computed."""
    given = [measures] if isinstance(measures, (Measure, str)) else measures
    chosen = [parse_measure(measure) if isinstance(measure, str) else measure for measure in given]
    for measure in chosen:
        if not isinstance(measure, Measure):
            raise TypeError(f"measures must be measures or their names, got {shown(measure)}")
        if measure.cutoff is None and _KINDS[measure.name].needs_cutoff:
            raise ValueError(f"{measure} needs a cutoff, such as {measure}@10")
    return chosen


def with_ir_measures(measures: Iterable[Any], qrels: Qrels, run: AnyRun, *, ties: str = "rank") -> Any:
    """
    Return what ir_measures computes: for measures that are not here, and as a second opinion.

    Parameters
    ----------
    measures : iterable of (str, Measure, or ir_measures.Measure)
        Any measure of ir_measures, such as ``"ERR@20"``.
    qrels : mapping of mappings, or iterable of Qrel
        As for `evaluate`. Where all grades of a query are negative, they are
        handed over as 0.
    run : Run, mapping of mappings, or iterable of ScoredDoc
        As for `evaluate`.
    ties : {"rank", "trec_eval"}, default "rank"
        With ``"rank"`` it is given scores that fall strictly, so that it keeps
        the order of the run. With ``"trec_eval"`` it is given the scores as
        they are and breaks ties itself, for most measures as trec_eval does.

    Returns
    -------
    ir_measures.CalcResults
        ``.aggregated`` by measure, and ``.per_query``; all ids are text.

    Raises
    ------
    MissingExtra
        If ir_measures is not installed.
    ValueError
        If a measure is unknown, or two ids are written alike.

    Examples
    --------
    >>> from sparsebm25.evaluation import with_ir_measures
    >>> results = with_ir_measures(["Rprec"], {"q1": {"a": 1}}, {"q1": {"a": 2.0, "b": 1.0}})
    >>> [str(measure) for measure in results.aggregated], list(results.aggregated.values())
    (['Rprec'], [1.0])
    """
    library = require("ir_measures", "eval")
    choice("ties", ties, ("rank", "trec_eval"))
    chosen = [_theirs(library, measure) for measure in measures]
    judgments = _safe_grades(as_judgments(qrels))
    ranked = as_run(run)
    if ties == "rank":
        ranked = replace(ranked, scores=falling_scores(ranked.indptr, ranked.scores))
    return library.calc(chosen, as_text(judgments.to_dict()), as_text(ranked.to_dict()))


def _safe_grades(judgments: Judgments) -> Judgments:
    """Return judgments with a grade of at least 0 per query: pytrec_eval hangs or crashes without one."""
    highest = np.full(len(judgments.query_ids), -1)
    np.maximum.at(highest, judgments.query_ords, judgments.relevance)
    hopeless = highest[judgments.query_ords] < 0
    return replace(judgments, relevance=np.where(hopeless, 0, judgments.relevance))


def _theirs(library: ModuleType, measure: Any) -> Any:
    """Return a measure of ir_measures by what is written, ours included."""
    if isinstance(measure, library.Measure):
        return measure
    name, options, cutoff = _parts(str(measure))
    known = library.measures.registry
    if name not in known:
        raise ValueError(f"unknown measure {shown(name)}; ir_measures has {', '.join(known)}")
    return known[name](**options) if cutoff is None else known[name](**options) @ cutoff
