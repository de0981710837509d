"""Which indexes does a router look into? Whole texts and names: words, stems, and parts of words in names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    terms: Callable[[str], Sequence[str]]
    """From a word of a request to its terms in this index, which share its weight."""
    weight: float = 1.0
    unheld_by: range = range(0)
    """Places of other views: here only words count of which none of those has a term."""


@dataclass(frozen=True)
class Reading:
    """How requests and tools are read."""

    words: Callable[[str], list[str]]
    expansion: Expansion
    views: tuple[View, ...]


def compatible_reading(synonyms: Synonyms, stopwords: frozenset[str], name_weight: float) -> Reading:
    """Return the reading of the replaced router: one text a tool, its name repeated."""
    words = partial(ascii_words, stopwords=stopwords)
    text = partial(_name_repeated, times=int(name_weight))
    return Reading(words, partial(verbatim, synonyms), (View(text, words, _itself),))


def better_reading(
    synonyms: Synonyms, stopwords: frozenset[str], name_weight: float, language: str | None, name_grams: int
) -> Reading:
    """Return the reading by identifiers: words as written and stems count half each, others by n-grams."""
    exact = Analyzer(tokens="identifiers", stopwords=stopwords)
    stems = Analyzer(tokens="identifiers", stopwords=stopwords, stemmer=language)
    stem = partial(_stem, stems=stems)
    forms: list[tuple[TextAnalyzer, Callable[[str], Sequence[str]]]] = [(exact, _itself)]
    if language is not None:
        forms.append((stems, partial(_only, term=stem)))
    texts: list[tuple[Callable[[Tool], str], float]] = [(partial(_whole, named=name_weight > 0), 1.0)]
    if name_weight > 1:
        texts.append((_name, name_weight - 1))
    views = [
        View(text, analyzer, terms, weight / len(forms))
        for text, weight in texts
        for analyzer, terms in forms
    ]
    if name_weight > 1 and name_grams:
        analyzer = partial(_grams_of_text, words=exact, length=name_grams)
        by_words = range(len(forms), len(views))
        views.append(View(_name, analyzer, partial(grams, length=name_grams), name_weight - 1, by_words))
    expansion = analyzed(synonyms, Analyzer(stopwords=stopwords), exact, stem)
    return Reading(exact, expansion, tuple(views))


def grams(word: str, length: int) -> list[str]:
    """Return the character n-grams of a word: none if it is shorter."""
    return [word[start : start + length] for start in range(len(word) - length + 1)]


def _grams_of_text(text: str, words: TextAnalyzer, length: int) -> list[str]:
    """Return the character n-grams of the words of a text."""
    return [gram for word in words(text) for gram in grams(word, length)]


def _itself(word: str) -> tuple[str]:
    """Return a word as its only term."""
    return (word,)


def _only(word: str, term: Callable[[str], str]) -> tuple[str]:
    """Return the only term of a word."""
    return (term(word),)


def _stem(word: str, stems: Analyzer) -> str:
    """Return the stem of a word; the word itself if an analyzer leaves nothing of it."""
    return stems.term(word) or word


def _name(tool: Tool) -> str:
    """Return the name of a tool."""
    return tool.name


def _name_repeated(tool: Tool, times: int) -> str:
    """Return the name of a tool, so many times, with its other texts."""
    return " ".join((*(tool.name,) * times, tool.description or "", tool.keywords))


def _whole(tool: Tool, named: bool) -> str:
    """Return all texts of a tool, with or without its name."""
    parts = (tool.name if named else "", tool.description or "", tool.keywords, tool.category or "")
    return " ".join(parts)
