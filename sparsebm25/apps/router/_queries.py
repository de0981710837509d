"""Which terms does a request ask for? Its words, and those that synonyms add."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypeAlias

from sparsebm25._checks import shown

Synonyms: TypeAlias = Mapping[str, tuple[str, ...]]
Expansion: TypeAlias = Callable[[list[str]], list[str]]
"""From the words of a request to the words that synonyms add."""


class Request(NamedTuple):
    """The terms of one request in one index."""

    weights: dict[str, float]
    words: dict[str, str]
    """For each term the word that it comes from, in the order of the request."""


def checked_synonyms(synonyms: object) -> Synonyms:
    """Return synonyms as tuples of str, or say what is allowed."""
    if synonyms is None:
        return {}
    if not isinstance(synonyms, Mapping):
        raise TypeError(f"synonyms must be a mapping from str to a list of str, got {shown(synonyms)}")
    checked: dict[str, tuple[str, ...]] = {}
    for word, others in synonyms.items():
        listed = (
            tuple(others) if isinstance(others, Iterable) and not isinstance(others, str | Mapping) else None
        )
        if not isinstance(word, str) or listed is None or not all(isinstance(other, str) for other in listed):
            raise TypeError(f"synonyms must map a str to a list of str, got {shown(word)}: {shown(others)}")
        checked[word] = listed
    return checked


def verbatim(synonyms: Synonyms) -> Expansion:
    """Return the expansion by words that are taken as they stand."""
    return lambda words: [other for word in words for other in synonyms.get(word, ())]


def analyzed(
    synonyms: Synonyms,
    key_words: Callable[[str], list[str]],
    words_of: Callable[[str], list[str]],
    term: Callable[[str], str],
) -> Expansion:
    """Return the expansion by words and phrases that are read like text; forms of a word are one."""
    phrases: dict[str, list[tuple[list[str], list[str]]]] = {}
    for phrase, others in synonyms.items():
        if terms := [term(word) for word in key_words(phrase)]:
            added = [word for other in others for word in words_of(other)]
            phrases.setdefault(terms[0], []).append((terms, added))

    def expansion(words: list[str]) -> list[str]:
        terms = [term(word) for word in words]
        return [
            word
            for place, first in enumerate(terms)
            for phrase, added in phrases.get(first, ())
            if terms[place : place + len(phrase)] == phrase
            for word in added
        ]

    return expansion


def expanded(words: list[str], expansion: Expansion, weight: float) -> dict[str, float]:
    """Return the distinct words of a request with weight 1, then those that synonyms add."""
    weights = dict.fromkeys(words, 1.0)
    if weight > 0:
        for word in expansion(list(weights)):
            weights.setdefault(word, weight)
    return weights


def request_of(weights: Mapping[str, float], term: Callable[[str], str]) -> Request:
    """Return the terms of weighted words; of several words with one term the first counts."""
    words: dict[str, str] = {}
    for word in weights:
        words.setdefault(term(word), word)
    return Request({found: weights[word] for found, word in words.items()}, words)
