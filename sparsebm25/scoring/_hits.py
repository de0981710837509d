"""Compiled: which candidates are the best, and in which order?

`kind` is a score, of which only the type matters (see `_numba.Number`).
"""

from __future__ import annotations

import numpy as np

from sparsebm25.protocols import Bools
from sparsebm25.scoring._numba import Number, Records, compiled

FEW = 16
"""So few hits are sorted by insertion, more by the digits of their scores and documents."""

MANY = 512
"""Hits from which on digits of 11 bits pay: fewer of them, though each takes longer to count."""


@compiled
def keep_hits(allowed: Bools, constant: Number, least: Number, found: Records, start: int, end: int) -> int:
    """Keep the candidates that are allowed and score at least `least`; return the new end."""
    kept = start
    for at in range(start, end):
        doc, score = found[at].doc, found[at].score + constant
        if score >= least and (allowed.size == 0 or allowed[doc]):
            found[kept].doc = doc
            found[kept].score = score
            kept += 1
    return kept


@compiled
def kth_greatest(kind: Number, found: Records, n_found: int, k: int) -> int:
    """Return the k-th greatest bits of some records, whose bits lose their order (Hoare's selection)."""
    low, high, wanted = 0, n_found - 1, k - 1
    while low < high:
        pivot = found[(low + high) >> 1].bits
        left, right = low, high
        while left <= right:
            while found[left].bits > pivot:
                left += 1
            while found[right].bits < pivot:
                right -= 1
            if left <= right:
                bits = found[left].bits
                found[left].bits = found[right].bits
                found[right].bits = bits
                left += 1
                right -= 1
        if wanted <= right:
            high = right
        elif wanted >= left:
            low = left
        else:
            break
    return found[wanted].bits


@compiled
def keep_best(kind: Number, found: Records, spare: Records, n_found: int, k: int) -> Number:
    """Keep the `k` best of more candidates, equal ones by document; return the score of the last."""
    for at in range(n_found):
        spare[at].bits = found[at].bits
    last = kth_greatest(kind, spare, n_found, k)
    n_tied, places = 0, k
    for at in range(n_found):
        spare[n_tied].bits = -found[at].doc
        n_tied += found[at].bits == last
        places -= found[at].bits > last
    last_doc = -kth_greatest(kind, spare, n_tied, places)
    kept = 0
    for at in range(n_found):
        bits, doc = found[at].bits, found[at].doc
        found[kept].bits = bits
        found[kept].doc = doc
        kept += (bits > last) | ((bits == last) & (doc <= last_doc))
    found[n_found].bits = last
    return found[n_found].score


@compiled
def sort_few(kind: Number, found: Records, n_found: int) -> None:
    """Sort candidates by score, best first, equal scores by document: by insertion."""
    for at in range(1, n_found):
        doc, bits = found[at].doc, found[at].bits
        place = at
        while place > 0 and (-found[place - 1].bits, found[place - 1].doc) > (-bits, doc):
            found[place] = found[place - 1]
            place -= 1
        found[place].doc = doc
        found[place].bits = bits


@compiled
def deal(
    kind: Number,
    found: Records,
    spare: Records,
    n_found: int,
    by_doc: bool,
    most: Number,
    shift: int,
    size: int,
) -> None:
    """Put candidates in the order of one digit, of documents or falling scores; equal ones as they stand."""
    counts = np.zeros(size + 1, np.int64)
    for at in range(n_found):
        key = np.int64(found[at].doc) if by_doc else most - np.int64(found[at].bits)
        counts[((key >> shift) & (size - 1)) + 1] += 1
    for digit in range(size):
        counts[digit + 1] += counts[digit]
    for at in range(n_found):
        key = np.int64(found[at].doc) if by_doc else most - np.int64(found[at].bits)
        own = (key >> shift) & (size - 1)
        spare[counts[own]] = found[at]
        counts[own] += 1


@compiled
def sort_hits(kind: Number, found: Records, spare: Records, n_found: int) -> None:
    """Sort candidates by score, best first, equal scores by document: a radix sort unless they are few."""
    if n_found <= FEW:
        sort_few(kind, found, n_found)
        return
    width = 8 if n_found < MANY else 11
    most_doc, most, least = np.int64(0), np.int64(0), np.int64(found[0].bits)
    for at in range(n_found):
        most_doc = max(most_doc, np.int64(found[at].doc))
        most = max(most, np.int64(found[at].bits))
        least = min(least, np.int64(found[at].bits))
    here, there, n_deals = found, spare, 0
    for by_doc, span in ((True, most_doc), (False, most - least)):
        for shift in range(0, 63, width):
            if span >> shift > 0:
                deal(kind, here, there, n_found, by_doc, most, shift, 1 << width)
                here, there = there, here
                n_deals += 1
    if n_deals % 2 == 1:
        for at in range(n_found):
            found[at] = spare[at]
