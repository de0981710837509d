"""Which terms does a request ask for? Its words, and those that synonyms add."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from sparsebm25._checks import shown

Synonyms: TypeAlias = Mapping[str, tuple[str, ...]]
Expansion: TypeAlias = Callable[[list[str]], list[str]]
"""From the words of a request to the words that synonyms add."""
Phrases: TypeAlias = dict[str, list[tuple[list[str], list[str]]]]
"""First term of a phrase -> the phrases that begin with it: their terms, and the words that they add."""


class Request(NamedTuple):
    """The terms of one request in one index."""

    weights: dict[str, float]
    words: dict[str, str]
    """For each term the word that it comes from, in the order of the request."""
    share: float
    """Which part of all words is asked for in this index, by weight."""


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


def verbatim(synonyms: Synonyms, words: list[str]) -> list[str]:
    """Return the synonyms of words, both taken as they stand."""
    return [other for word in words for other in synonyms.get(word, ())]


def analyzed(
    synonyms: Synonyms,
    key_words: Callable[[str], list[str]],
    words_of: Callable[[str], list[str]],
    term: Callable[[str], str],
) -> Expansion:
    """Return the expansion by words and phrases that are read like text; forms of a word are one."""
    phrases: Phrases = {}
    for phrase, others in synonyms.items():
        if terms := [term(word) for word in key_words(phrase)]:
            added = [word for other in others for word in words_of(other)]
            phrases.setdefault(terms[0], []).append((terms, added))
    return partial(_added_by_phrases, phrases, term)


def _added_by_phrases(phrases: Phrases, term: Callable[[str], str], words: list[str]) -> list[str]:
    """Return the words that the phrases among the words of a request add."""
    terms = [term(word) for word in words]
    return [
        word
        for place, first in enumerate(terms)
        for phrase, added in phrases.get(first, ())
        if terms[place : place + len(phrase)] == phrase
        for word in added
    ]


def expanded(words: list[str], expansion: Expansion, weight: float) -> dict[str, float]:
    """Return the distinct words of a request with weight 1, then those that synonyms add."""
    weights = dict.fromkeys(words, 1.0)
    if weight > 0:
        for word in expansion(list(weights)):
            weights.setdefault(word, weight)
    return weights


def request_of(asked: Mapping[str, float], terms_of: Callable[[str], Sequence[str]], share: float) -> Request:
    """Return the terms of weighted words, which split their weight; a term of several is the first one's."""
    words: dict[str, str] = {}
    weights: dict[str, float] = {}
    for word, weight in asked.items():
        terms = set(terms_of(word))
        for term in sorted(terms - words.keys()):
            words[term] = word
            weights[term] = weight / len(terms)
    return Request(weights, words, share)
