"""What does a router hold at one moment? Its tools and their indexes, and what a request scores in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sparsebm25._lazy import Derived, lazy
from sparsebm25.apps.router._compatible import name_ranks
from sparsebm25.apps.router._queries import Request, expanded, request_of
from sparsebm25.apps.router._tools import Tool, automatic_expansion
from sparsebm25.apps.router._views import Reading, View
from sparsebm25.errors import UnknownIds
from sparsebm25.index import BM25Index
from sparsebm25.index.sums import IndexSum
from sparsebm25.protocols import Floats, Ints
from sparsebm25.scoring.cosine import unit_query
from sparsebm25.weighting.schemes import SCHEMES

RANKERS = {"bm25": SCHEMES["lucene-k1+1"], "tfidf": replace(SCHEMES["tfidf"], query=None)}
"""Ranker -> its scheme; the queries of the second are weighed by `unit_query`."""


@dataclass(frozen=True, eq=False)
class State(Derived):
    """The tools at one moment; a change makes a new one."""

    reading: Reading
    indexes: IndexSum
    by_cosine: bool
    tools: tuple[Tool, ...] = ()

    @classmethod
    def empty(cls, reading: Reading, ranker: str, *, k1: float, b: float) -> State:
        """Return a state without tools."""
        scheme = RANKERS[ranker]
        indexes = IndexSum(
            tuple(
                BM25Index(scheme, k1=k1, b=b, analyzer=view.analyzer, dtype="float64")
                for view in reading.views
            ),
            tuple(view.weight for view in reading.views),
        )
        return cls(reading, indexes, scheme.cosine)

    def added(self, tools: Sequence[Tool]) -> State:
        """Return the state after tools came to the end."""
        documents = [map(view.text, tools) for view in self.reading.views]
        return replace(self, indexes=self.indexes.added(documents), tools=(*self.tools, *tools))

    def removed(self, names: Sequence[str]) -> State:
        """Return the state without the tools of some names."""
        gone, known = set(names), {tool.name for tool in self.tools}
        if not gone <= known:
            raise UnknownIds([name for name in names if name not in known], len(self.tools))
        places = [place for place, tool in enumerate(self.tools) if tool.name in gone]
        kept = tuple(tool for tool in self.tools if tool.name not in gone)
        return replace(self, indexes=self.indexes.removed(places), tools=kept)

    @lazy
    def expansion_weight(self) -> float:
        """Return the weight of synonyms that suits these tools."""
        return automatic_expansion(self.tools)

    @lazy
    def name_ranks(self) -> Ints:
        """Return the place of each tool's name in the order of names."""
        return name_ranks([tool.name for tool in self.tools])

    @lazy
    def groups(self) -> dict[str, list[int]]:
        """Return the positions of the tools of each group."""
        groups: dict[str, list[int]] = {}
        for place, tool in enumerate(self.tools):
            for group in tool.groups:
                groups.setdefault(group, []).append(place)
        return groups

    def requests(self, query: str, expansion_weight: float | None) -> list[Request]:
        """Return what a query asks of each index."""
        reading = self.reading
        weight = self.expansion_weight if expansion_weight is None else expansion_weight
        words = expanded(reading.words(query), reading.expansion, weight)
        return [self._request(view, words) for view in reading.views]

    def scores(self, requests: Sequence[Request], hint_boost: float) -> Floats:
        """Return the score of every tool; those of a group that is named in the request get more."""
        scores = self.indexes.scores(self._weights(requests))
        hinted = {place for word in requests[0].weights for place in self.groups.get(word, ())}
        scores[list(hinted)] += hint_boost
        return scores

    def contributions(self, requests: Sequence[Request], places: Ints) -> list[dict[str, Floats]]:
        """Return for each index what each term adds to the scores of some tools."""
        return self.indexes.contributions(self._weights(requests), places)

    def _request(self, view: View, words: Mapping[str, float]) -> Request:
        """Return what weighted words ask of one index."""
        asked = {word: weight for word, weight in words.items() if not self._held(word, view.unheld_by)}
        return request_of(asked, view.terms, sum(asked.values()) / (sum(words.values()) or 1.0))

    def _held(self, word: str, places: Iterable[int]) -> bool:
        """Return whether any of some indexes has a term of a word."""
        views, indexes = self.reading.views, self.indexes.indexes
        return any(term in indexes[place].vocabulary for place in places for term in views[place].terms(word))

    def _weights(self, requests: Sequence[Request]) -> list[dict[str, float]]:
        """Return the query weights for each index; the cosine of some words counts as much as they do."""
        if not self.by_cosine:
            return [request.weights for request in requests]
        return [
            {
                term: weight * request.share
                for term, weight in unit_query(request.weights, index.statistics).items()
            }
            for request, index in zip(requests, self.indexes.indexes, strict=True)
        ]
