"""What generated tests are fed: collections, queries and scores drawn around every switch point."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st
from numpy.typing import DTypeLike, NDArray

TERMS = ("a", "b", "c", "red", "kite", "x2", "naïve", "ß", "отчёт", "खोज", "数据", "𝕏")
"""The vocabulary of generated documents: short, so that terms repeat, and of several scripts and widths."""

UNKNOWN_TERMS = ("zz", "неведомо")
"""Terms that no generated document holds; they sort after the Latin and between the other `TERMS`."""

SIZES = (0, 1, 2, 511, 512, 513, 4095, 4096, 4097)
"""Array sizes around the usual block sizes."""


def token_lists(
    terms: Sequence[str] = TERMS, *, min_size: int = 0, max_size: int = 12
) -> st.SearchStrategy[list[str]]:
    """Return token lists over `terms`: empty ones and repeated terms are common."""
    return st.lists(st.sampled_from(terms), min_size=min_size, max_size=max_size)


@st.composite
def collections(
    draw: st.DrawFn, *, min_docs: int = 0, max_docs: int = 12, terms: Sequence[str] = TERMS
) -> list[list[str]]:
    """Return documents as token lists, with empty documents and exact copies among them."""
    documents = draw(st.lists(token_lists(terms), min_size=min_docs, max_size=max_docs))
    if documents:
        copies = draw(st.lists(st.sampled_from(documents), max_size=max(0, max_docs - len(documents))))
        documents = draw(st.permutations([*documents, *copies]))
    return [list(tokens) for tokens in documents]


def field_collections(
    fields: Sequence[str] = ("title", "body"), *, min_docs: int = 0, max_docs: int = 8
) -> st.SearchStrategy[list[dict[str, list[str]]]]:
    """Return documents as mappings of fields to token lists; some fields are missing."""
    document = st.dictionaries(st.sampled_from(fields), token_lists(max_size=8))
    return st.lists(document, min_size=min_docs, max_size=max_docs)


def queries(*, max_size: int = 6) -> st.SearchStrategy[list[str]]:
    """Return queries as token lists: empty, with repeated and with unknown terms."""
    return token_lists((*TERMS, *UNKNOWN_TERMS), max_size=max_size)


def weighted_queries(*, max_size: int = 6) -> st.SearchStrategy[dict[str, float]]:
    """Return queries as mappings of terms, known and unknown, to positive weights."""
    weights = st.sampled_from((0.25, 1.0, 2.0)) | st.floats(0.01, 100.0, allow_nan=False)
    return st.dictionaries(st.sampled_from((*TERMS, *UNKNOWN_TERMS)), weights, max_size=max_size)


@st.composite
def score_vectors(
    draw: st.DrawFn, *, sizes: Sequence[int] = SIZES, levels: int = 4, dtype: DTypeLike = np.float64
) -> NDArray[np.floating]:
    """
    Return scores of at most `levels` distinct values, 0 among them: nearly all are tied.

    The long vectors are drawn from a seed, because a thousand single draws would
    spend the whole budget of an example on one array.
    """
    size = draw(st.sampled_from(sizes) | st.integers(0, 40))
    n_levels = draw(st.integers(1, levels))
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    values = np.concatenate((np.zeros(1), generator.random(n_levels - 1)))
    return values[generator.integers(0, n_levels, size)].astype(dtype)


def cutoffs(n: int, *, switches: Sequence[int] = ()) -> st.SearchStrategy[int]:
    """Return numbers of hits to ask for around 0, `n` and each of `switches`."""
    edges = {0, 1, *(edge + step for edge in (n, *switches) for step in (-1, 0, 1))}
    return st.sampled_from(sorted(edge for edge in edges if edge >= 0)) | st.integers(0, n + 2)


def bm25_parameters() -> st.SearchStrategy[dict[str, float]]:
    """Return `k1` and `b` with their limits (0, and 0 and 1) often among them."""
    return st.fixed_dictionaries(
        {
            "k1": st.sampled_from((0.0, 0.9, 1.2, 1.5)) | st.floats(0.01, 10.0),
            "b": st.sampled_from((0.0, 0.4, 0.75, 1.0)) | st.floats(0.0, 1.0),
        }
    )
