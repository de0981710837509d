"""Which scheme ranks better, and how sure is that? BM25 beside TF-IDF on one set of counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from types import MappingProxyType
from typing import Any, Protocol, TypeAlias

import numpy as np

from sparsebm25._checks import choice, shown
from sparsebm25._optional import require
from sparsebm25.evaluation._tables import html_table, text_table
from sparsebm25.evaluation.measures import AP, RR, Evaluation, Measure, R, evaluate, nDCG, parse_measure
from sparsebm25.evaluation.trec import Qrels, as_judgments
from sparsebm25.protocols import DocId, Floats
from sparsebm25.runs import Run
from sparsebm25.weighting.schemes import SCHEMES

__all__ = ["COMPARED", "MEASURES", "Comparison", "compare"]

COMPARED = tuple(name for name in SCHEMES if name != "lucene-k1+1")
"""The schemes that are compared unless others are named: all but the one that ranks as another does."""

MEASURES = (nDCG @ 10, AP, RR, R @ 100)
"""The measures that are computed unless others are named."""

Settings: TypeAlias = Iterable[str] | Mapping[str, Mapping[str, Any]]
"""Names of schemes, or name of a row -> arguments for `with_params`."""

N_FLIPS, FLIPS_A_BLOCK = 9999, 99
_NAMES_OF_MEANS = MappingProxyType({"AP": "MAP", "RR": "MRR"})


class Ranker(Protocol):
    """What is compared: an index, seen as something that ranks and can be given other parameters."""

    def search_many(
        self, queries: Any, k: int = ..., *, query_ids: Iterable[DocId] | None = ..., n_jobs: int = ...
    ) -> Run:
        """Return the best documents for each query."""
        ...

    def with_params(self, *args: Any, **params: Any) -> Ranker:
        """Return the same counts under other parameters."""
        ...


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """
    Return how well several rankings of the same queries do, side by side.

    Parameters
    ----------
    evaluations : mapping of str to Evaluation
        The values of each row's measures, per query, by the name of the row.
    seconds : mapping of str to float
        How long each row took to rank all queries. Unit: seconds.

    See Also
    --------
    compare : Makes one.

    Examples
    --------
    >>> from sparsebm25 import BM25Index
    >>> from sparsebm25.evaluation import RR
    >>> from sparsebm25.evaluation.compare import compare
    >>> index = BM25Index().fit(["oak oak oak", "red oak"], ids=["a", "b"])
    >>> rows = {"bm25": {}, "tfidf": {"scheme": "tfidf"}}
    >>> comparison = compare(index, {"q": "oak"}, {"q": {"a": 1}}, settings=rows, measures=[RR])
    >>> comparison.means()["tfidf"]
    {RR: 1.0}
    """

    evaluations: Mapping[str, Evaluation]
    seconds: Mapping[str, float]

    def means(self) -> dict[str, dict[Measure, float]]:
        """
        Return the means of all measures, by row.

        Returns
        -------
        dict of str to dict
            ``{row: {measure: mean}}``, in the order of the rows.
        """
        return {name: evaluation.means() for name, evaluation in self.evaluations.items()}

    def deltas(self, first: str, second: str, measure: Measure | str | None = None) -> Floats:
        """
        Return by how much one row is better than another, query by query.

        Parameters
        ----------
        first, second : str
            Names of rows.
        measure : Measure or str, optional
            One of the measures of the comparison; its first one if not given.

        Returns
        -------
        ndarray of shape (n_queries,), dtype float64
            Values of `first` minus those of `second`, in the order of
            ``evaluations[first].query_ids``.

        Raises
        ------
        ValueError
            If there is no such row or measure.
        """
        choice("first", first, self.evaluations)
        choice("second", second, self.evaluations)
        values, others = self.evaluations[first].per_query, self.evaluations[second].per_query
        chosen = next(iter(values)) if measure is None else _as_measure(measure)
        choice("measure", chosen, values)
        return values[chosen] - others[chosen]

    def p_value(self, first: str, second: str, measure: Measure | str | None = None) -> float:
        """
        Return how often chance alone would make two rows differ as much.

        Parameters
        ----------
        first, second : str
            Names of rows.
        measure : Measure or str, optional
            One of the measures of the comparison; its first one if not given.

        Returns
        -------
        float
            In (0, 1]; 1 if the rows do not differ.

        Raises
        ------
        ValueError
            If there is no such row or measure.

        Notes
        -----
        Fisher's two-sided randomization test, paired by query: if the rows
        were equally good, each query's difference could as well have the other
        sign. Of 9999 random choices of signs, from a fixed seed, those are
        counted whose mean is at least as far from 0 as the one observed [1]_.
        A table of many rows invites many tests: some will look significant.

        References
        ----------
        .. [1] M. D. Smucker, J. Allan and B. Carterette, "A Comparison of
           Statistical Significance Tests for Information Retrieval
           Evaluation", CIKM 2007.
        """
        return _sign_flip_p_value(self.deltas(first, second, measure))

    def to_pandas(self) -> Any:
        """
        Return the table as a pandas frame.

        Returns
        -------
        pandas.DataFrame
            Column ``name``, each measure as it is written, and ``seconds``.

        Raises
        ------
        MissingExtra
            If pandas is not installed.
        """
        pandas = require("pandas", "pandas")
        rows = [
            {
                "name": name,
                **{str(measure): mean for measure, mean in means.items()},
                "seconds": self.seconds[name],
            }
            for name, means in self.means().items()
        ]
        return pandas.DataFrame(rows)

    def _cells(self) -> list[list[str]]:
        """Return header and rows as text."""
        means = self.means()
        measures = next(iter(means.values()), {})
        header = ["scheme", *map(mean_name, measures), "seconds"]
        rows = [
            [name, *(f"{mean:.4f}" for mean in row.values()), f"{self.seconds[name]:.3f}"]
            for name, row in means.items()
        ]
        return [header, *rows]

    def __str__(self) -> str:
        header, *rows = self._cells()
        return text_table(header, rows)

    def __repr__(self) -> str:
        n_queries = max((len(each.query_ids) for each in self.evaluations.values()), default=0)
        queries = f"{n_queries:,} quer{'y' if n_queries == 1 else 'ies'}"
        return f"<Comparison of {', '.join(self.evaluations)}: {queries}>"

    def _repr_html_(self) -> str:
        """Return a static table for notebooks."""
        header, *rows = self._cells()
        return html_table(header, rows)


def compare(
    index: Ranker,
    queries: Mapping[Any, Any],
    qrels: Qrels,
    *,
    settings: Settings = COMPARED,
    measures: Measure | str | Iterable[Measure | str] = MEASURES,
    k: int = 1000,
    ties: str = "rank",
    n_jobs: int = 1,
    progress: Callable[[Sequence[str]], Iterable[str]] | None = None,
) -> Comparison:
    """
    Return how well the documents of an index are ranked under several schemes.

    The text was counted once, when the index was made: each row is another
    weighing of the same counts, so rows differ in nothing but what they name.

    Parameters
    ----------
    index : BM25Index
        The documents; its parameters hold wherever a row sets none.
    queries : mapping of (str or int) to query
        Query id to text, or any other form of query.
    qrels : mapping of mappings, or iterable of Qrel
        ``{query_id: {doc_id: relevance}}`` or rows.
    settings : iterable of str, or mapping of str to mapping, optional
        Names of schemes, or for each row its name and its arguments for
        `BM25Index.with_params`. By default the schemes of `SCHEMES`, without
        the one that ranks as another does.
    measures : Measure, str, or iterable of them, optional
        By default nDCG@10, AP, RR and R@100.
    k : int, default 1000
        Hits a query.
    ties : {"rank", "trec_eval"}, default "rank"
        As for `evaluate`.
    n_jobs : int, default 1
        Threads.
    progress : callable, optional
        Wraps the names of the rows while they are ranked, such as
        ``tqdm.tqdm``.

    Returns
    -------
    Comparison
        One row for each of the settings, in their order.

    Raises
    ------
    TypeError
        If `queries` is not a mapping, or `settings` is one string.
    ValueError
        If a scheme or a measure is unknown, or a parameter is not allowed;
        nothing is ranked then.

    See Also
    --------
    sparsebm25.evaluation.sweep.sweep : Tries values of `k1` and `b`.

    Notes
    -----
    ``seconds`` is the wall time of one call of `search_many` for all queries:
    the analysis of their text, the scores and the choice of the best `k`.
    Counting the documents and weighing the postings come before and are not in
    it, and neither is the evaluation. All queries are ranked once before the
    first row is timed, so that every row finds the same words stemmed already.

    Examples
    --------
    >>> from sparsebm25 import BM25Index
    >>> from sparsebm25.evaluation.compare import compare
    >>> index = BM25Index().fit(["oak oak oak oak oak oak", "red oak"], ids=["a", "b"])
    >>> qrels = {"q1": {"b": 1}}
    >>> comparison = compare(index, {"q1": "oak"}, qrels, settings=["lucene", "tfidf"], measures="nDCG@10")
    >>> comparison.means()
    {'lucene': {nDCG@10: 0.6309297535714575}, 'tfidf': {nDCG@10: 0.6309297535714575}}
    """
    check_queries(queries)
    rankers = {name: index.with_params(**params) for name, params in _rows(settings).items()}
    judged = as_judgments(qrels).to_dict()
    chosen = [_as_measure(each) for each in _listed(measures)]
    texts, query_ids = list(queries.values()), list(queries)
    index.search_many(texts, k, n_jobs=n_jobs)
    evaluations: dict[str, Evaluation] = {}
    seconds: dict[str, float] = {}
    for name in progress(list(rankers)) if progress else rankers:
        ranker = rankers[name]
        ranker.search_many(texts[:1], k)  # weights are made at the first use
        started = perf_counter()
        run = ranker.search_many(texts, k, query_ids=query_ids, n_jobs=n_jobs)
        seconds[name] = perf_counter() - started
        evaluations[name] = evaluate(chosen, judged, run, ties=ties)
    return Comparison(evaluations, seconds)


def check_queries(queries: object) -> None:
    """Refuse queries without ids."""
    if not isinstance(queries, Mapping):
        raise TypeError(f"queries must be a mapping from query id to query, got {shown(queries)}")


def _rows(settings: Settings) -> Mapping[str, Mapping[str, Any]]:
    """Return the arguments for `with_params` of each row."""
    if isinstance(settings, str):
        raise TypeError(f"settings must be names of schemes or a mapping, got the string {shown(settings)}")
    return settings if isinstance(settings, Mapping) else {name: {"scheme": name} for name in settings}


def _listed(measures: Measure | str | Iterable[Measure | str]) -> Sequence[Measure | str]:
    """Return measures as a list."""
    return [measures] if isinstance(measures, Measure | str) else list(measures)


def _as_measure(measure: Measure | str) -> Measure:
    """Return a measure by itself or by what is written."""
    return parse_measure(measure) if isinstance(measure, str) else measure


def mean_name(measure: Measure) -> str:
    """Return what the mean of a measure over queries is called: MAP for AP, MRR for RR, else the same."""
    return _NAMES_OF_MEANS.get(measure.name, measure.name) + str(measure).removeprefix(measure.name)


def _sign_flip_p_value(deltas: Floats) -> float:
    """Return the share of random signs for which the sum of `deltas` is as far from 0 as it is."""
    generator = np.random.default_rng(0)
    limit = abs(deltas.sum()) - 1e-12 * np.abs(deltas).sum()  # equal but for rounding is as far
    n_as_far = 0
    for _ in range(N_FLIPS // FLIPS_A_BLOCK):
        signs = generator.integers(0, 2, (FLIPS_A_BLOCK, deltas.size)) * 2 - 1
        n_as_far += int(np.count_nonzero(np.abs(signs @ deltas) >= limit))
    return (n_as_far + 1) / (N_FLIPS + 1)
