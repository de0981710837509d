"""Which k1 and b rank best? A grid over both on one set of counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from sparsebm25._checks import finite
from sparsebm25._optional import require
from sparsebm25.evaluation._tables import html_table, text_table
from sparsebm25.evaluation.compare import Ranker, check_queries
from sparsebm25.evaluation.measures import Measure, evaluate, nDCG, parse_measure
from sparsebm25.evaluation.trec import Qrels, as_judgments
from sparsebm25.protocols import Floats

__all__ = ["Sweep", "sweep"]

_K1 = (0.6, 0.9, 1.2, 1.5, 1.8, 2.1)
_B = (0.3, 0.4, 0.5, 0.6, 0.75, 0.9)


@dataclass(frozen=True, eq=False, repr=False)
class Sweep:
    """
    Return the mean of one measure for each pair of `k1` and `b`.

    Parameters
    ----------
    measure : Measure
        What was measured.
    k1 : ndarray of shape (n_k1,), dtype float64
        The values tried, in the order given. Unit: tokens.
    b : ndarray of shape (n_b,), dtype float64
        The values tried, in the order given.
    values : ndarray of shape (n_k1, n_b), dtype float64
        Mean of the measure over the judged queries, in [0, 1].

    See Also
    --------
    sweep : Makes one.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebm25.evaluation import nDCG
    >>> from sparsebm25.evaluation.sweep import Sweep
    >>> tried = Sweep(nDCG @ 10, np.array([0.9, 1.5]), np.array([0.4]), np.array([[0.25], [0.5]]))
    >>> tried.best
    {'k1': 1.5, 'b': 0.4}
    >>> print(tried)
    nDCG@10   b=0.4
    k1=0.9   0.2500
    k1=1.5   0.5000
    """

    measure: Measure
    k1: Floats
    b: Floats
    values: Floats

    @property
    def best(self) -> dict[str, float]:
        """Return the pair with the largest value, for `with_params`; of equal ones the first."""
        k1_ord, b_ord = np.unravel_index(np.argmax(self.values), self.values.shape)
        return {"k1": float(self.k1[k1_ord]), "b": float(self.b[b_ord])}

    def to_pandas(self) -> Any:
        """
        Return the grid as a pandas frame.

        Returns
        -------
        pandas.DataFrame
            One row for each `k1`, one column for each `b`.

        Raises
        ------
        MissingExtra
            If pandas is not installed.
        """
        pandas = require("pandas", "pandas")
        return pandas.DataFrame(self.values, pandas.Index(self.k1, name="k1"), pandas.Index(self.b, name="b"))

    def _cells(self) -> list[list[str]]:
        """Return header and rows as text."""
        header = [str(self.measure), *(f"b={b:g}" for b in self.b.tolist())]
        rows = [
            [f"k1={k1:g}", *(f"{value:.4f}" for value in values)]
            for k1, values in zip(self.k1.tolist(), self.values.tolist(), strict=True)
        ]
        return [header, *rows]

    def __str__(self) -> str:
        header, *rows = self._cells()
        return text_table(header, rows)

    def __repr__(self) -> str:
        best = ", ".join(f"{name}={value:g}" for name, value in self.best.items())
        return f"<Sweep of {self.values.size} settings: {self.measure} {self.values.max():.4f} at {best}>"

    def _repr_html_(self) -> str:
        """Return a static table for notebooks."""
        header, *rows = self._cells()
        return html_table(header, rows)


def sweep(
    index: Ranker,
    queries: Mapping[Any, Any],
    qrels: Qrels,
    *,
    k1: Iterable[float] = _K1,
    b: Iterable[float] = _B,
    measure: Measure | str = nDCG @ 10,
    k: int | None = None,
    n_jobs: int = 1,
    progress: Callable[[Sequence[tuple[float, float]]], Iterable[tuple[float, float]]] | None = None,
) -> Sweep:
    """
    Return how well an index ranks for each pair of `k1` and `b`.

    The text was counted once, when the index was made; each pair is another
    weighing of the same counts.

    Parameters
    ----------
    index : BM25Index
        The documents, with a scheme that reads `k1` and `b`. The `b` of a
        field that has its own stays.
    queries : mapping of (str or int) to query
        Query id to text, or any other form of query.
    qrels : mapping of mappings, or iterable of Qrel
        ``{query_id: {doc_id: relevance}}`` or rows.
    k1, b : iterable of float, optional
        The values to try, at least one each.
    measure : Measure or str, default nDCG@10
        What is to be large.
    k : int, optional
        Hits a query. By default the cutoff of the measure, or 1000 if it has
        none.
    n_jobs : int, default 1
        Threads.
    progress : callable, optional
        Wraps the list of pairs while they are tried, such as ``tqdm.tqdm``.

    Returns
    -------
    Sweep
        The means, and the best pair: ``index.with_params(**swept.best)``.

    Raises
    ------
    TypeError
        If `queries` is not a mapping.
    ValueError
        If the grid is empty or a value is not allowed; nothing is ranked then.

    See Also
    --------
    sparsebm25.evaluation.compare.compare : Compares schemes.

    Notes
    -----
    O(n_postings) for the weights of a pair, and the time to rank all queries,
    n_k1 * n_b times. The best pair flatters itself on the queries that chose
    it: report the quality it has on others.

    Examples
    --------
    >>> from sparsebm25 import BM25Index
    >>> from sparsebm25.evaluation.sweep import sweep
    >>> index = BM25Index().fit(["oak oak elm fir ash yew", "oak"], ids=["a", "b"])
    >>> swept = sweep(index, {"q": "oak"}, {"q": {"a": 1}}, k1=[1.5], b=[0.0, 0.75], measure="RR")
    >>> swept.values
    array([[1. , 0.5]])
    >>> swept.best
    {'k1': 1.5, 'b': 0.0}
    """
    check_queries(queries)
    tried_k1 = np.array([finite("k1", value, low=0.0) for value in k1])
    tried_b = np.array([finite("b", value, low=0.0, high=1.0) for value in b])
    for name, tried in (("k1", tried_k1), ("b", tried_b)):
        if not tried.size:
            raise ValueError(f"{name} must hold at least one value to try, got none")
    chosen = parse_measure(measure) if isinstance(measure, str) else measure
    judged = as_judgments(qrels).to_dict()
    texts, query_ids = list(queries.values()), list(queries)
    depth = (chosen.cutoff or 1000) if k is None else k

    def mean(k1: float, b: float) -> float:
        run = index.with_params(k1=k1, b=b).search_many(texts, depth, query_ids=query_ids, n_jobs=n_jobs)
        return evaluate(chosen, judged, run).means()[chosen]

    pairs = list(product(tried_k1.tolist(), tried_b.tolist()))
    values = np.array([mean(*pair) for pair in (progress(pairs) if progress else pairs)])
    return Sweep(chosen, tried_k1, tried_b, values.reshape(tried_k1.size, tried_b.size))
