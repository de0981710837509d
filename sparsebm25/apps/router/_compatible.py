"""What the replaced router does differently: ASCII words, rounded scores, an order of names by locale."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from sparsebm25.protocols import Floats, Ints

_WORD = re.compile("[a-z0-9]{2,}")

# Order of characters in the root collation of Unicode, for ASCII; case is looked at last.
_ORDER = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"
_RANK = {sign: rank for rank, sign in enumerate(_ORDER)}


def ascii_words(text: str, stopwords: frozenset[str]) -> list[str]:
    """Return the words of a text, each plural followed by its form without the s."""
    words: list[str] = []
    for word in _WORD.findall(text.lower()):
        if word not in stopwords:
            words.append(word)
            if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
                words.append(word[:-1])
    return words


def rounded(scores: Floats) -> Floats:
    """Return scores with three decimals, halves rounded up."""
    thousandths = scores * 1000
    whole = np.floor(thousandths)
    return (whole + (thousandths - whole >= 0.5)) / 1000


def _name_key(name: str) -> tuple[list[int], list[bool]]:
    """Return what names are ordered by: their letters, then small letters before capitals."""
    return [_RANK.get(sign, len(_RANK) + ord(sign)) for sign in name.lower()], [
        sign.isupper() for sign in name
    ]


def name_ranks(names: Sequence[str]) -> Ints:
    """Return the place of each name in the order of names; equal names have one place."""
    ranks = {name: rank for rank, name in enumerate(sorted(set(names), key=_name_key))}
    return np.array([ranks[name] for name in names], np.int64)


def ranked_by_name(scores: Floats, ranks: Ints) -> Ints:
    """Return the positions of scores above 0: best rounded score first, equal ones by name."""
    found = np.flatnonzero(scores > 0)
    return found[np.lexsort((ranks[found], -rounded(scores[found])))]
