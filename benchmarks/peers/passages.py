"""
A collection of the shape of MS MARCO's passages, of any size, made from a seed.

Terms follow the Zipf-Mandelbrot law up to rank 10,000 and fall faster beyond, as in large collections of real
text: 8.8 million documents hold more than two million distinct terms, most of them in one document only.
Three of ten tokens repeat what their document said before. The first documents are those of any smaller
collection.
What is here is never changed: a changed collection would make old timings lie.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

CHUNK = 2**17
"""Documents drawn at a time, each chunk from a seed of its own."""

MEAN_LENGTH, LENGTH_SPREAD, REPEATED = 38.0, 0.45, 0.3
SHIFT, KNEE, TAIL_EXPONENT = 2.7, 10_000, 1.7

ID_BITS = 26
SCATTER = 0x9E3779B1
"""Odd, so that multiplying by it modulo a power of two only reorders: frequent terms lie anywhere by name."""

N_FUNCTION_WORDS, FUNCTION_SHARE = 60, 0.35
QUERY_LENGTHS = {2: 44, 3: 110, 4: 175, 5: 188, 6: 162, 7: 119, 8: 83, 9: 50, 10: 27, 11: 18, 12: 24}
"""Tokens of a query -> how many of a thousand web questions have so many."""


def draw_ranks(n_tokens: int, generator: np.random.Generator) -> NDArray[np.int64]:
    """Return the frequency ranks of tokens, from 0, (n_tokens,)."""
    head = 1.0 / (np.arange(1, KNEE + 1) + SHIFT)
    tail = (KNEE + SHIFT) * head[-1] / (TAIL_EXPONENT - 1)
    ends = np.cumsum(head) / (head.sum() + tail)
    chance = generator.random(n_tokens)
    ranks = np.searchsorted(ends, chance, side="right")
    rare = np.flatnonzero(ranks == KNEE)
    left = (1.0 - chance[rare]) / (1.0 - ends[-1])
    far = (KNEE + SHIFT) * left ** (-1.0 / (TAIL_EXPONENT - 1)) - SHIFT
    ranks[rare] = np.minimum(far, 2.0**50).astype(np.int64)
    half = 2 ** (ID_BITS - 1)
    return np.where(ranks < 2 * half, ranks, half + ranks % half)  # the farthest share names with the rare


def drawn_documents(chunk: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the ranks of the tokens of one chunk of documents, and where each of these begins and ends."""
    generator = np.random.default_rng((CHUNK, chunk))
    middle = np.log(MEAN_LENGTH) - LENGTH_SPREAD**2 / 2
    lengths = np.maximum(1, np.rint(generator.lognormal(middle, LENGTH_SPREAD, CHUNK))).astype(np.int64)
    bounds = np.concatenate(([0], np.cumsum(lengths)))
    ranks = draw_ranks(int(bounds[-1]), generator)
    starts = np.repeat(bounds[:-1], lengths)
    places = np.arange(ranks.size) - starts
    again = np.flatnonzero(generator.random(ranks.size) < REPEATED)
    ranks[again] = ranks[starts[again] + (generator.random(again.size) * places[again]).astype(np.int64)]
    return ranks, bounds


def name_numbers(ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number from which each term is named, below 2**26; a rank has one, a number one rank."""
    return ranks * SCATTER % 2**ID_BITS


def term_name(number: int) -> str:
    """Return a term; names ascend with their numbers."""
    return f"t{number:07x}"


def counted_chunks(n_docs: int) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]]:
    """Yield name numbers, counts and the numbers of postings a document, chunk by chunk."""
    for chunk in range(-(-n_docs // CHUNK)):
        ranks, bounds = drawn_documents(chunk)
        bounds = bounds[: min(CHUNK, n_docs - chunk * CHUNK) + 1]
        docs = np.repeat(np.arange(bounds.size - 1), np.diff(bounds))
        pairs = np.sort(docs << ID_BITS | name_numbers(ranks[: bounds[-1]]))
        starts = np.flatnonzero(np.diff(pairs, prepend=-1))
        counts = np.diff(starts, append=pairs.size).astype(np.int32)
        numbers = (pairs[starts] & 2**ID_BITS - 1).astype(np.int32)
        yield numbers, counts, np.bincount(pairs[starts] >> ID_BITS, minlength=bounds.size - 1)


def collection(n_docs: int) -> tuple[csr_array, list[str]]:
    """Return the counts of a collection, (n_docs, n_terms), int32, and the name of each term, ascending."""
    parts = list(counted_chunks(n_docs))
    indptr = np.concatenate(([0], np.cumsum(np.concatenate([postings for _, _, postings in parts]))))
    indices, data = np.empty(indptr[-1], np.int32), np.empty(indptr[-1], np.int32)
    occurs = np.zeros(2**ID_BITS, np.bool_)
    start = 0
    while parts:  # in a large collection every copy counts
        numbers, counts, _ = parts.pop(0)
        indices[start : start + numbers.size], data[start : start + numbers.size] = numbers, counts
        occurs[numbers] = True
        start += numbers.size
    present = np.flatnonzero(occurs)
    columns = np.empty(occurs.size, np.int32)
    columns[present] = np.arange(present.size)
    for first in range(0, indices.size, 2**24):
        part = indices[first : first + 2**24]
        part[:] = columns[part]
    names = [term_name(number) for number in present.tolist()]
    kind = np.int32 if indptr[-1] < 2**31 else np.int64
    return csr_array((data, indices, indptr.astype(kind)), shape=(n_docs, len(names))), names


def drawn_queries(n_queries: int, n_docs: int = 10_000) -> list[list[str]]:
    """Return queries: a third function words, the rest from one of the first documents, rarer words only."""
    generator = np.random.default_rng(CHUNK)
    ranks, bounds = drawn_documents(0)
    lengths = generator.choice(
        list(QUERY_LENGTHS), n_queries, p=np.array(list(QUERY_LENGTHS.values())) / 1000
    )
    sources = generator.integers(n_docs, size=n_queries)
    queries = []
    for length, source in zip(lengths.tolist(), sources.tolist(), strict=True):
        words = np.unique(ranks[bounds[source] : bounds[source + 1]])
        words = words[words >= N_FUNCTION_WORDS]
        n_function = int(generator.binomial(length, FUNCTION_SHARE))
        chosen = generator.permutation(words)[: length - n_function]
        function = draw_ranks(50 * n_function, generator)
        function = function[function < N_FUNCTION_WORDS][:n_function]
        numbers = name_numbers(generator.permutation(np.concatenate((chosen, function))))
        queries.append([term_name(number) for number in numbers.tolist()])
    return queries
