"""Which words say nothing about a text? Lists by name, or the caller's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from sparsebm25._checks import choice, shown

__all__ = ["STOPWORDS"]

_LUCENE = """
    a an and are as at be but by for if in into is it no not of on or such
    that the their then there these they this to was will with
"""

STOPWORDS: Mapping[str, frozenset[str]] = MappingProxyType({"lucene": frozenset(_LUCENE.split())})
"""Name -> list of stop words."""

LANGUAGE_LISTS: Mapping[str, str] = MappingProxyType({"english": "lucene"})


def checked_stopwords(stopwords: str | Iterable[str] | None) -> str | frozenset[str] | None:
    """Return the name of a list or the set of given words; None if there are none."""
    if stopwords is None:
        return None
    if isinstance(stopwords, str):
        choice("stopwords", stopwords, [*STOPWORDS, *LANGUAGE_LISTS])
        return LANGUAGE_LISTS.get(stopwords, stopwords)
    if not isinstance(stopwords, Iterable):
        raise TypeError(f"stopwords must be a name or a collection of str, got {shown(stopwords)}")
    words = frozenset(stopwords)
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"stopwords must hold str only, got {shown(word)}")
    return words or None


def stopword_entries(stopwords: str | frozenset[str] | None) -> frozenset[str]:
    """Return the words of a checked choice of stop words."""
    return STOPWORDS[stopwords] if isinstance(stopwords, str) else stopwords or frozenset()
