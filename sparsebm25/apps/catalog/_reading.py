"""How does a catalog read its texts? The original way and ours, as two values of one kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sparsebm25._checks import shown
from sparsebm25.apps.catalog._alphabet import alphabetic_words, split_alphabetic
from sparsebm25.text.boundaries import is_cjk, split_at_edges
from sparsebm25.text.normalize import normalizer
from sparsebm25.text.tokenize import words

MIN_PART = 3
"""Characters that a term needs to match a part of a word; a shorter one must be the word."""

_FILLER = """
    a about an and any are be by can do does find for from help how i in into is it its looking me my need
    of on or please search some that the this to use using via want what which with
"""
_OWN_NAMES = {"baam", "marketplace"}  # of the system that the original served

_folded = normalizer("NFC", "lower", "fold")
_SIBILANTS = ("s", "x", "z", "ch", "sh")


@dataclass(frozen=True, slots=True)
class Reading:
    """
    Return one way to read texts.

    Parameters
    ----------
    terms : callable
        From a text to its words, in the form in which they are compared.
    plain : callable
        From a text to the form in which phrases are compared.
    pieces : callable
        From a plain text to its gaps and words, see `split_at_edges`.
    unspaced : callable
        Whether a term is of a script without spaces: any part of it is a word too.
    singulars, plurals : callable
        Other forms of a term: parts of words to fall back to; whole words that are as good.
    filler : frozenset of str
        Words that ask for nothing.
    """

    terms: Callable[[str], list[str]]
    plain: Callable[[str], str]
    pieces: Callable[[str], list[str]]
    unspaced: Callable[[str], bool]
    singulars: Callable[[str], list[str]]
    plurals: Callable[[str], list[str]]
    filler: frozenset[str]

    def matches_parts(self, form: str) -> bool:
        """Return whether a form of a term may match a part of a word."""
        return len(form) >= MIN_PART or self.unspaced(form)


def _never(_: str) -> bool:
    """Return False: the original knows no script without spaces."""
    return False


def _none(_: str) -> list[str]:
    """Return no forms: the original knows no plurals of a term."""
    return []


def _without_s(term: str) -> list[str]:
    """Return the term without its last s, if enough is left and no second one."""
    stem = term[:-1]
    return [stem] if term.endswith("s") and not stem.endswith("s") and len(stem) >= MIN_PART else []


def _singulars(term: str) -> list[str]:
    """Return what the term may be the English plural of: caches, boxes, queries."""
    stems = _without_s(term)
    if term.endswith("es") and term[:-2].endswith(_SIBILANTS) and len(term) >= MIN_PART + 2:
        stems.append(term[:-2])
    if term.endswith("ies") and len(term) >= MIN_PART + 2:
        stems.append(f"{term[:-3]}y")
    return stems


def _plurals(term: str) -> list[str]:
    """Return the English plurals that the term may have."""
    if len(term) < MIN_PART:
        return []
    if term.endswith("y"):
        return [f"{term[:-1]}ies", f"{term}s"]
    return [f"{term}es"] if term.endswith(_SIBILANTS) else [f"{term}s"]


def _lowered_words(text: str) -> list[str]:
    """Return the words in small letters: split first, because a capital may become two characters."""
    return [word.lower() for word in alphabetic_words(text)]


def _folded_words(text: str) -> list[str]:
    """Return the words in small letters without accents."""
    return words(_folded(text), cjk="runs")


def _folded_plain(text: str) -> str:
    """Return the text in small letters without accents, each blank a single space."""
    return " ".join(_folded(text).split())


ORIGINAL = Reading(
    terms=_lowered_words,
    plain=str.lower,
    pieces=split_alphabetic,
    unspaced=_never,
    singulars=_without_s,
    plurals=_none,
    filler=frozenset(_FILLER.split()) | _OWN_NAMES,
)
BETTER = Reading(
    terms=_folded_words,
    plain=_folded_plain,
    pieces=split_at_edges,
    unspaced=is_cjk,
    singulars=_singulars,
    plurals=_plurals,
    filler=frozenset(_FILLER.split()),
)


def noise_words(noise: Iterable[str], reading: Reading) -> frozenset[str]:
    """Return the terms of a catalog's noise words."""
    if isinstance(noise, str) or not isinstance(noise, Iterable):
        raise TypeError(f"noise must be a collection of words, got {shown(noise)}")
    given = list(noise)
    for word in given:
        if not isinstance(word, str):
            raise TypeError(f"noise must hold str only, got {shown(word)}")
    return frozenset(term for word in given for term in reading.terms(word))
