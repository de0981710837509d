"""Which indexes does a router look into? Whole texts and names, as written and by stem."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from sparsebm25.apps.router._compatible import ascii_words
from sparsebm25.apps.router._queries import Expansion, Synonyms, analyzed, verbatim
from sparsebm25.apps.router._tools import Tool
from sparsebm25.protocols import TextAnalyzer
from sparsebm25.text import Analyzer


@dataclass(frozen=True)
class View:
    """One index of the tools: what it is made from, and what its scores are multiplied by."""

    text: Callable[[Tool], str]
    analyzer: TextAnalyzer
    term: Callable[[str], str]
    """From a word of a request to its term in this index."""
    weight: float = 1.0


@dataclass(frozen=True)
class Reading:
    """How requests and tools are read."""

    words: Callable[[str], list[str]]
    expansion: Expansion
    views: tuple[View, ...]


def compatible_reading(synonyms: Synonyms, stopwords: frozenset[str], name_weight: float) -> Reading:
    """Return the reading of the replaced router: one text a tool, its name repeated."""

    def text(tool: Tool) -> str:
        return " ".join((*(tool.name,) * int(name_weight), tool.description or "", tool.keywords))

    words = partial(ascii_words, stopwords=stopwords)
    return Reading(words, verbatim(synonyms), (View(text, words, str),))


def better_reading(
    synonyms: Synonyms, stopwords: frozenset[str], name_weight: float, language: str | None
) -> Reading:
    """Return the reading by identifiers; with a language, words as written and stems count half each."""
    exact = Analyzer(tokens="identifiers", stopwords=stopwords)
    stems = Analyzer(tokens="identifiers", stopwords=stopwords, stemmer=language)
    key_words = Analyzer(stopwords=stopwords)

    def stem(word: str) -> str:
        return stems.term(word) or word

    forms: list[tuple[Analyzer, Callable[[str], str]]] = [(exact, str)]
    if language is not None:
        forms.append((stems, stem))
    texts: list[tuple[Callable[[Tool], str], float]] = [(partial(_whole, named=name_weight > 0), 1.0)]
    if name_weight > 1:
        texts.append((lambda tool: tool.name, name_weight - 1))
    views = tuple(
        View(text, analyzer, term, weight / len(forms)) for text, weight in texts for analyzer, term in forms
    )
    return Reading(exact, analyzed(synonyms, key_words, exact, stem), views)


def _whole(tool: Tool, *, named: bool) -> str:
    """Return all texts of a tool, with or without its name."""
    parts = (tool.name if named else "", tool.description or "", tool.keywords, tool.category or "")
    return " ".join(parts)
