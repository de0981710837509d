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

import numpy as np

from sparsebm25.protocols import Bools, Floats, Ints
from sparsebm25.scoring._hits import keep_best, keep_hits, sort_hits
from sparsebm25.scoring._numba import Number, Record, Records, compiled, lower_bound, ones, places
from sparsebm25.scoring.bounds import Bounds
from sparsebm25.scoring.layouts import HitTable, Postings, Queries

BUILT_ON = "1d872fbf0668f9af"
"""
Digest of the other files that are compiled into the functions of this one: `_hits.py` and so on.

Numba looks whether this file has changed, not those, before it takes what it
kept on disk; a test sees to it that this line changes with them.
"""

BLOCK = 32
"""Documents whose greatest sum is found before any of them is looked at."""

SPARSE = 4
"""With fewer than one essential posting in so many documents, visit postings, not documents."""

ADD = 16
"""Postings that are added in the time of one look-up."""


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
def slot(doc: Number, sums: Floats) -> Number:
    """Return where the sum of a document of the present range stands: ranges are powers of two."""
    return np.uint32(doc) & np.uint32(sums.size - 1)


@compiled
def enter_range(docs: Ints, starts: Ints, term: Record, number: int, size: int) -> int:
    """Find the postings of a term in a range of so many documents; return how many they are."""
    if term.row >= 0:
        term.low = starts[term.row, number]
        term.high = starts[term.row, number + 1]
    else:
        low = term.high
        if low < term.end and docs[low] < number * size:  # it was not looked at for some ranges
            low = lower_bound(docs, low, term.end, number * size)
        term.low = low
        while low < term.end and docs[low] < (number + 1) * size:
            low += 1
        term.high = low
    return term.high - term.low


@compiled
def add_postings(docs: Ints, weights: Floats, term: Record, sums: Floats) -> None:
    """Add what a term gives to the documents of the present range."""
    weight = weights.dtype.type(term.weight)  # not read again for each posting
    for at in places(term.low, term.high):
        sums[slot(docs[at], sums)] += weight * weights[at]


@compiled
def clear_postings(docs: Ints, term: Record, sums: Floats) -> None:
    """Clear the sums of the documents of the present range that hold a term."""
    for at in places(term.low, term.high):
        sums[slot(docs[at], sums)] = 0


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
) -> Number:
    """Append the same documents as `strong_in_blocks`, by a visit to the essential postings."""
    end = np.uint64(n_found)
    for i in range(terms.size):
        if terms[i].essential:
            for at in places(terms[i].low, terms[i].high):
                place = slot(docs[at], sums)
                score = sums[place]
                sums[place] = 0
                found[end].doc = docs[at]  # always written, kept if enough: no branch to guess wrong
                found[end].score = score
                end = np.uint64(end + (score >= enough))
    return np.int64(end)


@compiled
def keep_by_presence(
    kind: Number, words: Ints, top: Number, needed: Number, found: Records, start: int, end: int
) -> Number:
    """Keep the candidates that a term can lift, the most it adds if they hold it; return the new end."""
    kept = np.uint64(start)
    for at in places(start, end):
        doc = np.uint32(found[at].doc)
        absent = 1 - ((words[doc >> np.uint32(6)] >> np.uint64(doc & np.uint32(63))) & np.uint64(1))
        most = found[at].score - top * absent
        found[kept].doc = doc
        found[kept].score = most
        kept = np.uint64(kept + (most >= needed))
    return np.int64(kept)


@compiled
def keep_by_sums(sums: Floats, top: Number, needed: Number, found: Records, start: int, end: int) -> Number:
    """Keep the candidates that a term can lift, what it adds to each in `sums`; return the new end."""
    kept = np.uint64(start)
    for at in places(start, end):
        doc = np.uint32(found[at].doc)
        most = found[at].score + (sums[slot(doc, sums)] - top)
        found[kept].doc = doc
        found[kept].score = most
        kept = np.uint64(kept + (most >= needed))
    return np.int64(kept)


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
    for at in places(start, end):
        found[at].score += rest
    for number in range(n_rest - 1, -1, -1):  # the term that adds the most rules out the most
        term = terms[terms[number].by_top]
        if term.common >= 0:
            end = keep_by_presence(
                weights.dtype.type(0), presence[term.common], term.top, needed, found, start, end
            )
        else:
            add_postings(docs, weights, term, sums)
            end = keep_by_sums(sums, term.top, needed, found, start, end)
            clear_postings(docs, term, sums)
    return end


@compiled
def add_by_presence(
    words: Ints,
    earlier: Ints,
    weights: Floats,
    term: Record,
    sums: Floats,
    found: Records,
    start: int,
    end: int,
) -> None:
    """Add what a common term gives to candidates: its posting's place is the number of bits before."""
    weight, low = weights.dtype.type(term.weight), term.low
    for at in places(start, end):
        doc = np.uint32(found[at].doc)
        word = words[doc >> np.uint32(6)]
        bit = np.uint64(1) << np.uint64(doc & np.uint32(63))
        if word & bit:
            place = np.uint64(low + earlier[doc >> np.uint32(6)] + ones(word & (bit - np.uint64(1))))
            sums[slot(doc, sums)] += weight * weights[place]


@compiled
def add_by_search(
    docs: Ints, weights: Floats, term: Record, sums: Floats, found: Records, start: int, end: int
) -> None:
    """Add what a term gives to candidates: its postings are searched for each."""
    weight, low, high = weights.dtype.type(term.weight), term.low, term.high
    for at in places(start, end):
        doc = found[at].doc
        place = np.uint64(lower_bound(docs, low, high, doc))
        if place < np.uint64(high) and docs[place] == doc:
            sums[slot(doc, sums)] += weight * weights[place]


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
        elif term.common >= 0:
            row = term.common
            add_by_presence(presence[row], earlier[row], weights, term, sums, found, start, end)
        else:
            add_by_search(docs, weights, term, sums, found, start, end)
    for at in places(start, end):
        own = slot(found[at].doc, sums)
        found[at].score = sums[own]
        sums[own] = 0
    for i in range(terms.size):
        if terms[i].high - terms[i].low < most_added:
            clear_postings(docs, terms[i], sums)


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
    kind = weights.dtype.type(0)
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
                n_essential += enter_range(docs, starts, terms[i], number, sums.size)
                add_postings(docs, weights, terms[i], sums)
        if n_essential == 0:
            continue
        if n_essential * SPARSE > sums.size:
            end = strong_in_blocks(sums, blocks, number * sums.size, enough, found, n_found)
        else:
            end = strong_in_postings(docs, terms, sums, enough, found, n_found)
        if n_rest > 0 and end > n_found:
            for place in range(n_rest):
                enter_range(docs, starts, terms[terms[place].by_top], number, sums.size)
            end = keep_hopeful(
                docs, weights, presence, terms, n_rest, rest, needed, sums, found, n_found, end
            )
            add_up(docs, weights, presence, earlier, terms, sums, found, n_found, end)
        n_found = keep_hits(allowed, constant, least, found, n_found, end)
        if n_found >= 2 * k:  # soon: the k-th best of these is a far better start than a single term's
            # Later documents that tie with the last one stand behind it.
            least = np.nextafter(keep_best(kind, found, spare, n_found, k), weights.dtype.type(np.inf))
            n_found = k
            moved = True
    if n_found > k:
        keep_best(kind, found, spare, n_found, k)
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
        sort_hits(constant, found, spare, size)
        for at in range(size):
            hits.doc_ords[query, at] = found[at].doc
            hits.scores[query, at] = found[at].score
        sizes[query] = size
    return sizes
