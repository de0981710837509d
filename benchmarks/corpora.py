"""
Collections to measure with: made from a seed, the same on every machine and for every version.

Term frequencies follow the Zipf-Mandelbrot law, document lengths a log-normal one, as in real text.
What is here is never changed, only appended to: a changed collection would make old timings lie.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array


@dataclass(frozen=True)
class Shape:
    """The size of a collection: documents, distinct terms, and the mean tokens of a document."""

    n_docs: int
    n_terms: int
    mean_length: float
    seed: int


SHAPES = {
    "titles": Shape(n_docs=50_000, n_terms=30_000, mean_length=9.0, seed=1),
    "abstracts": Shape(n_docs=5_000, n_terms=30_000, mean_length=160.0, seed=2),
    "passages": Shape(n_docs=100_000, n_terms=100_000, mean_length=55.0, seed=3),
}
"""Name -> shape; the seed belongs to the name."""

LENGTH_SPREAD = 0.6
"""Standard deviation of the logarithm of document lengths."""


def term_probabilities(n_terms: int, *, shift: float = 2.7, exponent: float = 1.07) -> NDArray[np.float64]:
    """Return how likely each term is: proportional to ``1 / (rank + shift) ** exponent``, (n_terms,)."""
    weights = 1.0 / (np.arange(1, n_terms + 1) + shift) ** exponent
    return weights / weights.sum()


def draw_terms(n_tokens: int, n_terms: int, generator: np.random.Generator) -> NDArray[np.int32]:
    """Return term ordinals drawn by their probability, (n_tokens,); ordinal 0 is the most frequent term."""
    ends = np.cumsum(term_probabilities(n_terms))
    ordinals = np.searchsorted(ends, generator.random(n_tokens), side="right")
    return np.minimum(ordinals, n_terms - 1).astype(np.int32)  # rounding may leave the last end below 1


def term_names(n_terms: int) -> list[str]:
    """Return a made-up word for each term: frequent ones are short, as in real text."""
    letters = "etaoinshrdlucmfwypvbgkjqxz"
    names = []
    for rank in range(n_terms):
        word = ""
        number = rank + 1
        while number:
            number, place = divmod(number - 1, len(letters))
            word = letters[place] + word
        names.append(word)
    return names


@lru_cache(maxsize=2)
def token_ordinals(name: str) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the tokens of a collection as term ordinals, and where each document begins and ends in them."""
    shape = SHAPES[name]
    generator = np.random.default_rng(shape.seed)
    middle = np.log(shape.mean_length) - LENGTH_SPREAD**2 / 2
    lengths = np.rint(generator.lognormal(middle, LENGTH_SPREAD, shape.n_docs)).astype(np.int32)
    bounds = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
    return draw_terms(int(bounds[-1]), shape.n_terms, generator), bounds


def count_matrix(name: str) -> csr_array:
    """Return the counts of a collection, (n_docs, n_terms), int32."""
    ordinals, bounds = token_ordinals(name)
    shape = (SHAPES[name].n_docs, SHAPES[name].n_terms)
    counts = csr_array((np.ones(ordinals.size, np.int32), ordinals, bounds), shape=shape)
    counts.sum_duplicates()
    return counts


def token_lists(name: str) -> list[list[str]]:
    """Return the documents of a collection as token lists."""
    ordinals, bounds = token_ordinals(name)
    words = np.array(term_names(SHAPES[name].n_terms), dtype=object)[ordinals]
    return [words[start:end].tolist() for start, end in pairwise(bounds)]


def texts(name: str) -> list[str]:
    """Return the documents of a collection as texts."""
    return [" ".join(tokens) for tokens in token_lists(name)]


def query_lists(name: str, n_queries: int, *, length: int = 6, seed: int = 0) -> list[list[str]]:
    """Return queries as token lists, drawn like documents: most of their terms are frequent ones."""
    n_terms = SHAPES[name].n_terms
    ordinals = draw_terms(n_queries * length, n_terms, np.random.default_rng(seed))
    words = np.array(term_names(n_terms), dtype=object)[ordinals]
    return words.reshape(n_queries, length).tolist()
