"""Which of these tools fits the request? The ranker of a list that the caller holds and may change."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from sparsebm25._checks import choice, integer, shown
from sparsebm25.apps._items import field_text, field_weight, getter, required_text, slice_end
from sparsebm25.apps._matches import Matches, matches_of
from sparsebm25.counting import missing
from sparsebm25.index import BM25Index
from sparsebm25.index.sums import IndexSum, best_positive
from sparsebm25.protocols import TextAnalyzer
from sparsebm25.text import Analyzer

__all__ = ["RankedTool", "ToolRanker"]

Values = list[tuple[Any, ...]]
"""For each item what it holds under each spelling of the three names: equal values, equal index."""


class RankedTool(NamedTuple):
    """
    Return one tool that a query found.

    Parameters
    ----------
    item : object
        The caller's own object.
    score : float
        Higher is better; above 0.
    matches : tuple of (str, float), or None
        The words of the query that it matches and what each adds to the score,
        largest first; None if not asked for.

    Examples
    --------
    >>> from sparsebm25.apps.tools import ToolRanker
    >>> tools = [{"server_name": "chat", "tool_name": "sendMessage", "description": "Send a message"}]
    >>> best = ToolRanker().search("send", tools, explain=True)[0]
    >>> [(term, round(value, 2)) for term, value in best.matches]
    [('send', 0.7)]
    """

    item: Any
    score: float
    matches: Matches | None = None


class _Ranking(NamedTuple):
    """Indexes with what they were made from: the list itself, its items and their values."""

    source: object
    items: list[Any]
    values: Values
    indexes: IndexSum


class ToolRanker:
    """
    Return a ranker of tools that belong to servers, by BM25.

    The list of tools stays with the caller and comes with each request; what
    comes back are its own objects. An index is made at the first request and
    kept until the texts of the list change.

    Parameters
    ----------
    compatible : bool, default False
        Whether to rank exactly as the ranker that this one replaces: words are
        runs of letters, marks and numbers, fields are one text, and the index
        is kept as long as the list is the same object, whatever happens in it.
        Then `k` may be any number: below 1 gives nothing, fractions are cut.
    k1 : float, default 1.5
        Saturation, at least 0. Unit: tokens.
    b : float, default 0.75
        Length normalization in [0, 1].
    names : sequence of str, default ("server_name", "tool_name", "description")
        Keys or attributes that hold an item's three texts. Each is also looked
        for in camelCase, such as ``serverName``.
    weights : mapping of str to float, optional
        How often a field counts, by its name in `names`: 1 like any text, more if
        it is also scored by itself with the weight that is above 1, and 0 not at
        all. By default the tool's name has 2, the others 1. Not with `compatible`.
    analyzer : Analyzer or callable, optional
        Turns a text into its terms; by default ``Analyzer(tokens="identifiers")``,
        which splits camelCase and acronyms and pairs Chinese and Japanese
        characters. Not with `compatible`.

    See Also
    --------
    sparsebm25.apps.router.Router : Keeps its tools, and says how sure it is.

    Notes
    -----
    Whether the texts changed is found out by comparing them, which reads three
    attributes an item and no text that is still the same object. A ranker may be
    used by several threads.

    Examples
    --------
    >>> from sparsebm25.apps.tools import ToolRanker
    >>> tools = [
    ...     {"serverName": "files", "toolName": "readFile", "description": "Contents of a file"},
    ...     {"serverName": "chat", "toolName": "postMessage", "description": "Send a message"},
    ... ]
    >>> [tool["toolName"] for tool in ToolRanker().rank("read a file", tools, k=1)]
    ['readFile']
    """

    def __init__(
        self,
        compatible: bool = False,
        *,
        k1: float = 1.5,
        b: float = 0.75,
        names: Sequence[str] = ("server_name", "tool_name", "description"),
        weights: Mapping[str, float] | None = None,
        analyzer: TextAnalyzer | None = None,
    ) -> None:
        if compatible and (weights is not None or analyzer is not None):
            raise ValueError(
                "compatible=True has its own words and one weight; weights and analyzer must be None, "
                f"got {shown(weights)} and {shown(analyzer)}"
            )
        self._compatible = compatible
        self._names = _spellings(names)
        self._spelled = tuple(chain.from_iterable(self._names))
        self._weights = _checked_weights(tuple(names), weights, compatible)
        self._analyzer = analyzer or (_compatible_words if compatible else Analyzer(tokens="identifiers"))
        self._empty = BM25Index(
            "lucene-k1+1", k1=k1, b=b, analyzer=self._analyzer, dtype="float64", query_tf="set"
        )
        self._ranking: _Ranking | None = None

    def rank(self, query: str | None, items: Sequence[Any], k: int = 10) -> list[Any]:
        """
        Return the best items for a query, best first.

        Parameters
        ----------
        query : str or None
            A request in words.
        items : sequence of mapping or object
            Tools. Each must have a tool name; a missing server name or
            description is an empty text.
        k : int, default 10
            How many at most, at least 0.

        Returns
        -------
        list
            The same objects that are in `items`; equal scores keep their order.

        Raises
        ------
        TypeError, ValueError
            Names the item and the field that is missing or is no text.
        """
        return [found.item for found in self.search(query, items, k)]

    def rank_many(self, queries: Iterable[str | None], items: Sequence[Any], k: int = 10) -> list[list[Any]]:
        """
        Return the best items for each of many queries.

        Parameters
        ----------
        queries : iterable of str
            Requests.
        items : sequence of mapping or object
            Tools, as for `rank`.
        k : int, default 10
            How many at most for each query.

        Returns
        -------
        list of list
            What `rank` returns for each.
        """
        if isinstance(queries, str) or not isinstance(queries, Iterable):
            raise TypeError(f"queries must be an iterable of str, got {shown(queries)}")
        limit = self._limit(k)
        asked = [self._terms(query) for query in queries]
        if limit <= 0 or not any(asked) or not _has_items(items):
            return [[] for _ in asked]
        ranking = self._current(items)
        return [[found.item for found in self._found(ranking, terms, limit, False)] for terms in asked]

    def search(
        self, query: str | None, items: Sequence[Any], k: int = 10, *, explain: bool = False
    ) -> list[RankedTool]:
        """
        Return the best items with their scores.

        Parameters
        ----------
        query : str or None
            A request in words.
        items : sequence of mapping or object
            Tools, as for `rank`.
        k : int, default 10
            How many at most.
        explain : bool, default False
            Whether to say what each word adds to a score.

        Returns
        -------
        list of RankedTool
            Best first.
        """
        limit = self._limit(k)
        terms = self._terms(query)
        if limit <= 0 or not terms or not _has_items(items):
            return []
        return self._found(self._current(items), terms, limit, explain)

    def _found(self, ranking: _Ranking, terms: list[str], limit: int, explain: bool) -> list[RankedTool]:
        """Return the best items of a ranking."""
        queries = [terms] * len(ranking.indexes.indexes)
        scores = ranking.indexes.scores(queries)
        chosen = best_positive(scores, limit)
        matches: Sequence[Matches | None] = [None] * chosen.size
        if explain:
            labels = [dict(zip(terms, terms, strict=True))] * len(queries)
            matches = matches_of(ranking.indexes.contributions(queries, chosen), labels, chosen.size)
        return [
            RankedTool(ranking.items[place], float(scores[place]), found)
            for place, found in zip(chosen.tolist(), matches, strict=True)
        ]

    def _limit(self, k: int) -> int:
        """Return how many items are wanted."""
        return slice_end(k) if self._compatible else integer("k", k, low=0)

    def _terms(self, query: str | None) -> list[str]:
        """Return the distinct terms of a query, in its order."""
        if missing(query):
            return []
        if not isinstance(query, str):
            raise TypeError(f"a query must be a str, got {shown(query)}")
        return list(dict.fromkeys(self._analyzer(query)))

    def _current(self, items: Sequence[Any]) -> _Ranking:
        """Return the ranking of a list: the kept one, if it is still right."""
        kept = self._ranking
        if self._compatible and kept is not None and kept.source is items:
            return kept
        listed = list(items)
        values = [self._values(item) for item in listed]
        unchanged = kept is not None and kept.values == values
        indexes = kept.indexes if kept is not None and unchanged else self._indexed(listed)
        self._ranking = ranking = _Ranking(items, listed, values, indexes)
        return ranking

    def _values(self, item: Any) -> tuple[Any, ...]:
        """Return what an item holds under each spelling of the names."""
        return tuple(map(getter(item), self._spelled))

    def _texts(self, item: Any, place: int) -> tuple[str, ...]:
        """Return the three texts of an item."""
        server, tool, description = self._names
        return (
            field_text(item, server, place) or "",
            required_text(item, tool, place),
            field_text(item, description, place) or "",
        )

    def _indexed(self, items: list[Any]) -> IndexSum:
        """Return one index of all texts, and one for each field that counts more than once."""
        texts = [self._texts(item, place) for place, item in enumerate(items)]
        counted = [field for field, weight in enumerate(self._weights) if weight]
        documents = [[" ".join(row[field] for field in counted) for row in texts]]
        weights = [1.0]
        for field, weight in enumerate(self._weights):
            if weight > 1:
                documents.append([row[field] for row in texts])
                weights.append(weight - 1)
        return IndexSum(tuple(self._empty.with_params().fit(each) for each in documents), tuple(weights))


def _has_items(items: Sequence[Any]) -> bool:
    """Return whether there is a list with something in it."""
    if isinstance(items, str | Mapping) or not hasattr(items, "__len__"):
        raise TypeError(f"items must be a sequence of mappings or objects, got {shown(items)}")
    return len(items) > 0


def _compatible_words(text: str) -> list[str]:
    """Return the runs of letters, marks and numbers; joiners separate, Chinese is not split."""
    text = unicodedata.normalize("NFC", text).lower()
    return "".join(sign if unicodedata.category(sign)[0] in "LMN" else " " for sign in text).split()


def _spellings(names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return each name with its camelCase form."""
    if isinstance(names, str) or len(names) != 3 or not all(isinstance(name, str) for name in names):
        raise ValueError(
            f"names must be three str, for server name, tool name and description, got {shown(names)}"
        )
    return tuple(tuple(dict.fromkeys((name, _camel(name)))) for name in names)


def _camel(name: str) -> str:
    """Return a snake_case name in camelCase."""
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))


def _checked_weights(
    names: tuple[str, ...], weights: Mapping[str, float] | None, compatible: bool
) -> tuple[float, ...]:
    """Return how often each field counts."""
    usual = dict(zip(names, (1.0, 1.0 if compatible else 2.0, 1.0), strict=True))
    if weights is None:
        return tuple(usual.values())
    if not isinstance(weights, Mapping):
        raise TypeError(f"weights must be a mapping from field to number, got {shown(weights)}")
    for name in weights:
        choice("a field in weights", name, names)
    return tuple(field_weight(f"weights[{name!r}]", weight) for name, weight in {**usual, **weights}.items())
