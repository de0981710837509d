"""The router: tools are kept, requests come, candidates and a judgment go back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparsebm25._checks import choice, finite, integer, shown
from sparsebm25.apps._items import field_weight, slice_end
from sparsebm25.apps._matches import Matches, matches_of
from sparsebm25.apps.router._compatible import ranked_by_name, rounded
from sparsebm25.apps.router._queries import Request, Synonyms, checked_synonyms
from sparsebm25.apps.router._results import GUIDANCE, Candidate, Route
from sparsebm25.apps.router._state import RANKERS, State
from sparsebm25.apps.router._tools import read_tools
from sparsebm25.apps.router._views import Reading, better_reading, compatible_reading
from sparsebm25.counting import missing
from sparsebm25.index.sums import best_positive
from sparsebm25.index.writing import WriterLock
from sparsebm25.protocols import Floats, Ints
from sparsebm25.text.stopwords import checked_stopwords, stopword_entries

_FILLER = """
    a about all an and any are as at be been by can could did do does for from get give had has have here how
    i if in into is it its list me my of on or our show so tell that the then there these this those to us
    we what when where which who whom will with you your
"""
FILLER = frozenset(_FILLER.split())
"""Words of requests that say nothing about the tool that is wanted."""


@dataclass(frozen=True)
class _Ranked:
    """The answer to one request: tools in order with their scores, and the two best of all."""

    places: Ints
    scores: Floats
    top: float
    second: float


class Router:
    r"""
    Return a router: it keeps tools and finds those that a request may mean.

    An adviser, not a decider: it hands a short list to the model that chooses,
    and says whether the case is clear.

    Parameters
    ----------
    tools : iterable of mapping or object, default ()
        Tools with the texts ``name``, and where there are any ``description``,
        ``keywords`` (a text or a list of them) and ``category``.
    compatible : bool, default False
        Whether to answer exactly as the router that this one replaces: ASCII
        words, scores with three decimals, equal ones in the order of names by
        locale, the margin of what `k` left; `k` is read like the end of a
        JavaScript slice, so that a negative one drops the last ranks.
    ranker : {"bm25", "tfidf"}, default "bm25"
        How texts are scored: BM25, or the cosine of TF-IDF vectors.
    synonyms : mapping of str to list of str, optional
        Words that a request may mean: each adds the words of its list. Read like
        text, so that several words, capitals and plurals do; compatible, one word
        each, taken as it stands.
    stopwords : str, iterable of str, optional
        Words that are passed over, in place of 63 of English.
    name_weight : float, default 2
        How often the name counts: 0 not at all, 1 like any text; what is above 1
        weighs the name's own score, which is added. Compatible, the name is
        repeated so often.
    k1 : float, default 1.5
        Saturation, at least 0. Unit: tokens.
    b : float, default 0.75
        Length normalization in [0, 1].
    expansion_weight : float, optional
        Weight of words that synonyms add, beside 1 for those of the request. By
        default 0.5, and 0 where descriptions are longer than 200 on average.
    margin_threshold : float, default 0.15
        Confidence is low if the best two scores differ by less, as a part of the best.
    min_top_score : float, default 0
        A route whose best score is below has no candidates.
    hint_boost : float, default 0.1
        Is added to the score of tools whose category, or whose name up to its
        first dot, is a word of the request.
    language : str or None, default "english"
        Snowball name of the language of the tools: words count half as written
        and half by stem. None for no stems. Not read if compatible.
    name_grams : int, default 4
        Length of the character n-grams by which a word that no name holds is looked
        for in names. 0 for none. Not read if compatible, nor where `name_weight` is
        at most 1.

    See Also
    --------
    sparsebm25.apps.tools.ToolRanker : Ranks a list that stays with the caller.

    Notes
    -----
    BM25 scores are the sum over two texts, the whole tool and its name, and over
    two forms of each word; each has its own idf. Names abbreviate and join words:
    one that no name holds, as written or by stem, counts in the score of the name
    by its n-grams, which share its weight; length 4 suits most European languages
    [1]_. A router may be used by several threads, and pickled; a reader never sees
    half of a change.

    References
    ----------
    .. [1] P. McNamee and J. Mayfield, "Character N-Gram Tokenization for European
       Language Text Retrieval", Information Retrieval 7, 2004.

    Examples
    --------
    >>> from sparsebm25.apps.router import Router
    >>> router = Router([
    ...     {"name": "mail.sendMessage", "description": "Send an e-mail"},
    ...     {"name": "files.read", "description": "Contents of a file"},
    ... ])
    >>> [candidate.tool for candidate in router.search("sending messages")]
    ['mail.sendMessage']
    >>> [candidate.tool for candidate in router.search("profiles")]
    ['files.read']
    >>> router.route("weather tomorrow").confidence
    'none'
    """

    def __init__(
        self,
        tools: Iterable[Any] = (),
        compatible: bool = False,
        *,
        ranker: str = "bm25",
        synonyms: Mapping[str, Iterable[str]] | None = None,
        stopwords: str | Iterable[str] | None = None,
        name_weight: float = 2,
        k1: float = 1.5,
        b: float = 0.75,
        expansion_weight: float | None = None,
        margin_threshold: float = 0.15,
        min_top_score: float = 0.0,
        hint_boost: float = 0.1,
        language: str | None = "english",
        name_grams: int = 4,
    ) -> None:
        choice("ranker", ranker, RANKERS)
        lowest = -np.inf if compatible else 0.0
        self._compatible = compatible
        self._expansion_weight = (
            None if expansion_weight is None else finite("expansion_weight", expansion_weight, low=lowest)
        )
        self._margin_threshold = finite("margin_threshold", margin_threshold, low=lowest)
        self._min_top_score = finite("min_top_score", min_top_score)
        self._hint_boost = finite("hint_boost", hint_boost, low=0)
        length = integer("name_grams", name_grams, low=0)
        reading = _reading(compatible, checked_synonyms(synonyms), stopwords, name_weight, language, length)
        self._writing = WriterLock()
        self._state = State.empty(reading, ranker, k1=k1, b=b)
        self.add(tools)

    @property
    def tool_names(self) -> list[str]:
        """Return the names of the tools, in the order in which they came."""
        return [tool.name for tool in self._state.tools]

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_writing"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _writing=WriterLock())

    def __len__(self) -> int:
        return len(self._state.tools)

    def __repr__(self) -> str:
        ranker = "tfidf" if self._state.by_cosine else "bm25"
        return f"<Router of {len(self)} tools, ranker={ranker!r}, compatible={self._compatible}>"

    def add(self, tools: Iterable[Any]) -> Router:
        """
        Add tools after those that are there; several may have one name.

        Parameters
        ----------
        tools : iterable of mapping or object
            As for `Router`.

        Returns
        -------
        Router
            The router itself, which is as it was if a tool is refused.

        Raises
        ------
        TypeError, ValueError
            Names the tool, by its place, and what is missing or is no text.
        """
        new = read_tools(tools)
        with self._writing:
            self._state = self._state.added(new)
        return self

    def remove(self, names: Iterable[str]) -> Router:
        """
        Remove all tools of some names.

        Parameters
        ----------
        names : iterable of str
            Names of tools that are there.

        Returns
        -------
        Router
            Answers as if it had never had them.

        Raises
        ------
        UnknownIds
            If there is no tool of a name; nothing is removed then.
        """
        if isinstance(names, str) or not isinstance(names, Iterable):
            raise TypeError(f"names must be an iterable of str, got {shown(names)}")
        gone = list(names)
        with self._writing:
            self._state = self._state.removed(gone)
        return self

    def search(
        self, query: str | None, k: int = 8, *, explain: bool = False, include_description: bool = False
    ) -> list[Candidate]:
        """
        Return the best tools for a request, best first.

        Parameters
        ----------
        query : str or None
            A request in words.
        k : int, default 8
            How many at most, at least 0.
        explain : bool, default False
            Whether to say what each word adds to a score.
        include_description : bool, default False
            Whether to hand out descriptions.

        Returns
        -------
        list of Candidate
            Equal scores keep the order of the tools.

        Examples
        --------
        >>> from sparsebm25.apps.router import Router
        >>> router = Router([{"name": "mail.send"}, {"name": "mail.read"}], hint_boost=0)
        >>> [found.matches for found in router.search("read mail", k=1, explain=True)]
        [(('read', 1.386...), ('mail', 0.364...))]
        """
        state, requests = self._asked(query)
        ranked = self._ranked(state, requests, k)
        return self._candidates(state, requests, ranked, explain, include_description)

    def route(
        self, query: str | None, k: int = 8, *, explain: bool = False, include_description: bool = False
    ) -> Route:
        """
        Return the best tools for a request, and how clear the case is.

        Parameters
        ----------
        query : str or None
            A request in words.
        k : int, default 8
            How many candidates at most, at least 0; the margin is that of the
            whole ranking.
        explain : bool, default False
            Whether to say what each word adds to a score.
        include_description : bool, default False
            Whether to hand out descriptions.

        Returns
        -------
        Route
            Without candidates, and with confidence "none", if nothing matches,
            the best score is below `min_top_score`, or `k` is 0.
        """
        state, requests = self._asked(query)
        ranked = self._ranked(state, requests, k)
        if not ranked.places.size or ranked.top < self._min_top_score:
            return Route((), "none", GUIDANCE["none"])
        close = ranked.top > 0 and (ranked.top - ranked.second) / ranked.top < self._margin_threshold
        confidence = "low" if close else "high"
        candidates = self._candidates(state, requests, ranked, explain, include_description)
        return Route(tuple(candidates), confidence, GUIDANCE[confidence])

    def route_many(
        self,
        queries: Iterable[str | None],
        k: int = 8,
        *,
        explain: bool = False,
        include_description: bool = False,
    ) -> list[Route]:
        """
        Return the routes of many requests.

        Parameters
        ----------
        queries : iterable of str
            Requests.
        k : int, default 8
            How many candidates at most for each.
        explain : bool, default False
            Whether to say what each word adds to a score.
        include_description : bool, default False
            Whether to hand out descriptions.

        Returns
        -------
        list of Route
            What `route` returns for each.
        """
        if isinstance(queries, str) or not isinstance(queries, Iterable):
            raise TypeError(f"queries must be an iterable of str, got {shown(queries)}")
        return [
            self.route(query, k, explain=explain, include_description=include_description)
            for query in queries
        ]

    def _asked(self, query: str | None) -> tuple[State, list[Request]]:
        """Return the tools of this moment, and what a request asks of each of their indexes."""
        if missing(query):
            query = ""
        if not isinstance(query, str):
            raise TypeError(f"a query must be a str, got {shown(query)}")
        state = self._state
        return state, state.requests(query, self._expansion_weight)

    def _ranked(self, state: State, requests: Sequence[Request], k: int) -> _Ranked:
        """Return the best tools in order."""
        limit = slice_end(k) if self._compatible else integer("k", k, low=0)
        scores = state.scores(requests, self._hint_boost)
        if self._compatible:
            places = compared = ranked_by_name(scores, state.name_ranks)[:limit]
            scores = rounded(scores)
        else:
            compared = best_positive(scores, max(limit, 2))
            places = compared[:limit]
        best: list[float] = scores[compared[:2]].tolist()
        top, second, *_ = (*best, 0.0, 0.0)
        return _Ranked(places, scores[places], top, second)

    def _candidates(
        self,
        state: State,
        requests: Sequence[Request],
        ranked: _Ranked,
        explain: bool,
        include_description: bool,
    ) -> list[Candidate]:
        """Return ranked tools as candidates."""
        matches: Sequence[Matches | None] = [None] * ranked.places.size
        if explain:
            contributions = state.contributions(requests, ranked.places)
            labels = [request.words for request in requests]
            shown_values = rounded if self._compatible else np.asarray
            matches = matches_of(contributions, labels, ranked.places.size, shown_values)
        found = zip(ranked.places.tolist(), ranked.scores.tolist(), matches, strict=True)
        tools = state.tools
        return [
            Candidate(
                tools[place].name,
                score,
                tools[place].category,
                matched,
                tools[place].description if include_description else None,
            )
            for place, score, matched in found
        ]


def _reading(
    compatible: bool,
    synonyms: Synonyms,
    stopwords: str | Iterable[str] | None,
    name_weight: float,
    language: str | None,
    name_grams: int,
) -> Reading:
    """Return how requests and tools are read, or say which setting is wrong."""
    passed_over = FILLER if stopwords is None else stopword_entries(checked_stopwords(stopwords))
    if compatible:
        return compatible_reading(synonyms, passed_over, finite("name_weight", name_weight))
    weight = field_weight("name_weight", name_weight)
    return better_reading(synonyms, passed_over, weight, language, name_grams)
