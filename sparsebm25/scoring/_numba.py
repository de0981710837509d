"""Compiled loops over postings: the additions of the exact path, for as few documents as will do.

Documents are taken in ranges whose sums stay in the processor's caches. Terms
whose largest weights together cannot lift a document to the k-th best score
so far are not essential (Turtle & Flood, 1995): only documents that hold an
essential term are looked at, and of these only the ones that the other terms
could still lift. Whoever is left gets its score by the additions of the exact
path, term after term in the order of the query.

Small functions take arrays and records, not tuples of arrays: Numba counts
references to each array that is taken out of a tuple.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np

from sparsebm25.protocols import Bools, Floats, Ints
from sparsebm25.scoring.bounds import RANGE_BITS, Bounds
from sparsebm25.scoring.layouts import HitTable, Postings, Queries

Function = TypeVar("Function", bound=Callable[..., Any])
Number = Any
"""A NumPy scalar: its width matters here, and names it better than a type checker can."""

Record = Any
Records = Any
"""One record of `layouts.term_type` or `layouts.candidate_type`, and an array of them."""

RANGE = 1 << RANGE_BITS

BLOCK = 32
"""Documents whose greatest sum is found before any of them is looked at."""

SPARSE = 4
"""With fewer than one essential posting in so many documents, visit postings, not documents."""

ADD = 16
"""Postings that are added in the time of one look-up."""

FEW = 16
"""So few hits are sorted by insertion, more by the digits of their scores and documents."""

MANY = 512
"""Hits from which on digits of 11 bits pay: fewer of them, though each takes longer to count."""


def compiled(function: Function) -> Function:
    """
    Return a function that is compiled at its first call, and runs outside the interpreter's lock.

    Parameters
    ----------
    function : callable
        Written in the part of Python that Numba knows.

    Returns
    -------
    callable
        What it compiles to is kept on disk for the next process, where a
        folder can be written for that.
    """
    try:
        return cast("Function", numba.njit(nogil=True, cache=True)(function))
    except RuntimeError:  # "no locator available": neither beside the file nor in the user's cache
        return cast("Function", numba.njit(nogil=True)(function))


@compiled
def lower_bound(docs: Ints, low: int, high: int, doc: int) -> int:
    """Return the first place in docs[low:high] that is not before `doc`."""
    while low < high:
        middle = (low + high) >> 1
        if docs[middle] < doc:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def ones(word: Number) -> Number:
    """Return the number of set bits of a word."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@compiled
def open_terms(
    indptr: Ints, bounds: Bounds, term_ords: Ints, weights: Floats, depth: int, terms: Records
) -> Number:
    """Fill in the terms of a query; return a sum that as many documents reach as `depth` says."""
    reached = weights.dtype.type(0)
    for i in range(term_ords.size):
        term = terms[i]
        term.weight = weights[i]
        term.top = weights[i] * bounds.max_weights[term_ords[i]]
        term.high = indptr[term_ords[i]]
        term.end = indptr[term_ords[i] + 1]
        row = lower_bound(bounds.frequent, 0, bounds.frequent.size, term_ords[i])
        if row < bounds.frequent.size and bounds.frequent[row] == term_ords[i]:
            term.row, term.common = row, bounds.common[row]
            if depth >= 0:
                reached = max(reached, weights[i] * bounds.kth_weights[row, depth])
        else:
            term.row, term.common = -1, -1
        place = i
        while place > 0 and terms[terms[place - 1].by_top].top > term.top:
            terms[place].by_top = terms[place - 1].by_top
            place -= 1
        terms[place].by_top = i
    return reached


@compiled
def split_terms(terms: Records, needed: Number) -> tuple[int, Number]:
    """Mark the essential terms; return how many are not, and the most that those add together."""
    n_rest = 0
    rest = 0.0
    while n_rest < terms.size and rest + terms[terms[n_rest].by_top].top < needed:
        rest += terms[terms[n_rest].by_top].top
        n_rest += 1
    for place in range(terms.size):
        terms[terms[place].by_top].essential = place >= n_rest
    return n_rest, rest


@compiled
def enter_range(docs: Ints, starts: Ints, term: Record, number: int) -> int:
    """Find the postings of a term in a range; return how many they are."""
    if term.row >= 0:
        term.low = starts[term.row, number]
        term.high = starts[term.row, number + 1]
    else:
        low = term.high
        if low < term.end and docs[low] < number << RANGE_BITS:  # it was not looked at for some ranges
            low = lower_bound(docs, low, term.end, number << RANGE_BITS)
        term.low = low
        while low < term.end and docs[low] < (number + 1) << RANGE_BITS:
            low += 1
        term.high = low
    return term.high - term.low


@compiled
def add_postings(docs: Ints, weights: Floats, term: Record, sums: Floats) -> None:
    """Add what a term gives to the documents of the present range."""
    for at in range(term.low, term.high):
        sums[np.uint32(docs[at] & (RANGE - 1))] += term.weight * weights[at]


@compiled
def clear_postings(docs: Ints, term: Record, sums: Floats) -> None:
    """Clear the sums of the documents of the present range that hold a term."""
    for at in range(term.low, term.high):
        sums[np.uint32(docs[at] & (RANGE - 1))] = 0


@compiled
def greatest_of(blocks: Ints, block: int) -> int:
    """Return the greatest bits of a block; in two dimensions, so that the loop is vectorized."""
    greatest = blocks[block, 0]
    for place in range(blocks.shape[1]):
        greatest = max(greatest, blocks[block, place])
    return greatest


@compiled
def strong_in_blocks(
    sums: Floats, blocks: Ints, first_doc: int, enough: Number, found: Records, n_found: int
) -> int:
    """Append the documents of a range whose sum is enough, and clear the sums; return the new end."""
    found[n_found].score = enough
    enough_bits = found[n_found].bits
    for block in range(blocks.shape[0]):
        if greatest_of(blocks, block) >= enough_bits:
            for place in range(block * BLOCK, (block + 1) * BLOCK):
                found[n_found].doc = first_doc + place
                found[n_found].score = sums[place]
                n_found += sums[place] >= enough
    sums[:] = 0
    return n_found


@compiled
def strong_in_postings(
    docs: Ints, terms: Records, sums: Floats, enough: Number, found: Records, n_found: int
) -> int:
    """Append the same documents as `strong_in_blocks`, by a visit to the essential postings."""
    for i in range(terms.size):
        if terms[i].essential:
            for at in range(terms[i].low, terms[i].high):
                place = np.uint32(docs[at] & (RANGE - 1))
                found[n_found].doc = docs[at]  # always written, kept if enough: no branch to guess wrong
                found[n_found].score = sums[place]
                n_found += sums[place] >= enough
                sums[place] = 0
    return n_found


@compiled
def place_of(docs: Ints, presence: Ints, earlier: Ints, term: Record, doc: int) -> int:
    """Return where a term's posting of a document of the present range stands, -1 without."""
    place = -1
    if term.common >= 0:
        word = presence[term.common, doc >> 6]
        bit = np.uint64(1) << np.uint64(doc & 63)
        if word & bit:
            place = term.low + earlier[term.common, doc >> 6] + ones(word & (bit - np.uint64(1)))
    else:
        at = lower_bound(docs, term.low, term.high, doc)
        if at < term.high and docs[at] == doc:
            place = at
    return place


@compiled
def keep_hopeful(
    docs: Ints,
    weights: Floats,
    presence: Ints,
    terms: Records,
    n_rest: int,
    rest: Number,
    needed: Number,
    sums: Floats,
    found: Records,
    start: int,
    end: int,
) -> int:
    """Keep the candidates that the other terms which they hold can lift; return the new end."""
    for at in range(start, end):
        found[at].score += rest
    for number in range(n_rest - 1, -1, -1):  # the term that adds the most rules out the most
        term = terms[terms[number].by_top]
        kept = start
        if term.common < 0:
            add_postings(docs, weights, term, sums)
        for at in range(start, end):
            doc, most = found[at].doc, found[at].score
            if term.common < 0:
                most += sums[np.uint32(doc & (RANGE - 1))] - term.top
            elif (presence[term.common, doc >> 6] >> np.uint64(doc & 63)) & np.uint64(1) == 0:
                most -= term.top
            found[kept].doc = doc
            found[kept].score = most
            kept += most >= needed
        if term.common < 0:
            clear_postings(docs, term, sums)
        end = kept
    return end


@compiled
def add_up(
    docs: Ints,
    weights: Floats,
    presence: Ints,
    earlier: Ints,
    terms: Records,
    sums: Floats,
    found: Records,
    start: int,
    end: int,
) -> None:
    """Give candidates their scores: term after term, by adding all its postings or by looking theirs up."""
    most_added = (end - start) * ADD
    for i in range(terms.size):
        term = terms[i]
        if term.high - term.low < most_added:
            add_postings(docs, weights, term, sums)
        else:
            for at in range(start, end):
                place = place_of(docs, presence, earlier, term, found[at].doc)
                if place >= 0:
                    sums[np.uint32(found[at].doc & (RANGE - 1))] += term.weight * weights[place]
    for at in range(start, end):
        own = np.uint32(found[at].doc & (RANGE - 1))
        found[at].score = sums[own]
        sums[own] = 0
    for i in range(terms.size):
        if terms[i].high - terms[i].low < most_added:
            clear_postings(docs, terms[i], sums)


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
def kth_greatest(found: Records, n_found: int, k: int) -> int:
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
def keep_best(found: Records, spare: Records, n_found: int, k: int) -> Number:
    """Keep the `k` best of more candidates, equal ones by document; return the score of the last."""
    for at in range(n_found):
        spare[at].bits = found[at].bits
    last = kth_greatest(spare, n_found, k)
    n_tied, places = 0, k
    for at in range(n_found):
        spare[n_tied].bits = -found[at].doc
        n_tied += found[at].bits == last
        places -= found[at].bits > last
    last_doc = -kth_greatest(spare, n_tied, places)
    kept = 0
    for at in range(n_found):
        bits, doc = found[at].bits, found[at].doc
        found[kept].bits = bits
        found[kept].doc = doc
        kept += (bits > last) | ((bits == last) & (doc <= last_doc))
    found[n_found].bits = last
    return found[n_found].score


@compiled
def sort_few(found: Records, n_found: int) -> None:
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
    found: Records, spare: Records, n_found: int, by_doc: bool, most: Number, shift: int, size: int
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
def sort_hits(found: Records, spare: Records, n_found: int) -> None:
    """Sort candidates by score, best first, equal scores by document: a radix sort unless they are few."""
    if n_found <= FEW:
        sort_few(found, n_found)
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
                deal(here, there, n_found, by_doc, most, shift, 1 << width)
                here, there = there, here
                n_deals += 1
    if n_deals % 2 == 1:
        for at in range(n_found):
            found[at] = spare[at]


@compiled
def collect(
    postings: Postings,
    bounds: Bounds,
    terms: Records,
    allowed: Bools,
    constant: Number,
    k: int,
    least: Number,
    sums: Floats,
    blocks: Ints,
    found: Records,
    spare: Records,
) -> int:
    """Collect the `k` best documents that score at least `least`, in no order; return how many they are."""
    docs, weights = postings.docs, postings.weights
    starts, presence, earlier = bounds.starts, bounds.presence, bounds.earlier
    epsilon = 4 * np.finfo(weights.dtype).eps
    shrink = 1 - epsilon * (terms.size + 2)  # more than rounding can take from a sum
    n_found, n_rest, moved = 0, 0, True
    rest: Number = 0.0
    needed: Number = 0.0
    for number in range(starts.shape[1] - 1):
        if moved:
            needed = least * shrink if constant == 0 else (least - constant) * shrink - epsilon * least
            n_rest, rest = split_terms(terms, needed)
            enough = max(weights.dtype.type((needed - rest) * shrink), np.finfo(weights.dtype).tiny)
            moved = False
        n_essential = 0
        for i in range(terms.size):
            if terms[i].essential:
                n_essential += enter_range(docs, starts, terms[i], number)
                add_postings(docs, weights, terms[i], sums)
        if n_essential == 0:
            continue
        if n_essential * SPARSE > RANGE:
            end = strong_in_blocks(sums, blocks, number << RANGE_BITS, enough, found, n_found)
        else:
            end = strong_in_postings(docs, terms, sums, enough, found, n_found)
        if n_rest > 0 and end > n_found:
            for place in range(n_rest):
                enter_range(docs, starts, terms[terms[place].by_top], number)
            end = keep_hopeful(
                docs, weights, presence, terms, n_rest, rest, needed, sums, found, n_found, end
            )
            add_up(docs, weights, presence, earlier, terms, sums, found, n_found, end)
        n_found = keep_hits(allowed, constant, least, found, n_found, end)
        if n_found >= 2 * k:  # soon: the k-th best of these is a far better start than a single term's
            # Later documents that tie with the last one stand behind it.
            least = np.nextafter(keep_best(found, spare, n_found, k), weights.dtype.type(np.inf))
            n_found = k
            moved = True
    if n_found > k:
        keep_best(found, spare, n_found, k)
        n_found = k
    return n_found


@compiled
def rank_queries(
    postings: Postings,
    bounds: Bounds,
    queries: Queries,
    allowed: Bools,
    k: int,
    depth: int,
    hits: HitTable,
    sums: Floats,
    blocks: Ints,
    terms: Records,
    found: Records,
    spare: Records,
) -> Ints:
    """Write the hits of each query, best first, into its row; return how many each has."""
    sizes = np.empty(queries.constants.size, np.int64)
    for query in range(sizes.size):
        own = slice(queries.indptr[query], queries.indptr[query + 1])
        constant = queries.constants[query]
        asked = terms[: own.stop - own.start]
        least = constant + open_terms(
            postings.indptr, bounds, queries.term_ords[own], queries.weights[own], depth, asked
        )
        if allowed.size > 0:  # the documents that reach it may not be allowed
            least = constant
        size = collect(postings, bounds, asked, allowed, constant, k, least, sums, blocks, found, spare)
        sort_hits(found, spare, size)
        for at in range(size):
            hits.doc_ords[query, at] = found[at].doc
            hits.scores[query, at] = found[at].score
        sizes[query] = size
    return sizes
