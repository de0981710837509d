"""Which words of the query does a tool match, and what does each add to its score?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from sparsebm25.protocols import Floats

Matches: TypeAlias = tuple[tuple[str, float], ...]
"""Words of a query and what each adds to a score, largest first."""


def matches_of(
    contributions: Sequence[Mapping[Any, Floats]],
    labels: Sequence[Mapping[str, str]],
    n_chosen: int,
    shown: Callable[[Floats], Floats] = np.asarray,
) -> list[Matches]:
    """
    Return the matches of each chosen document.

    `labels` gives for each index the word of the query that a term comes from, in
    the order of the query, which is also the order of equal contributions.
    """
    sums: dict[str, Floats] = {word: np.zeros(n_chosen) for label in labels for word in label.values()}
    for terms, label in zip(contributions, labels, strict=True):
        for term, values in terms.items():
            sums[label[term]] += values
    added = [(word, (values > 0).tolist(), shown(values).tolist()) for word, values in sums.items()]
    return [
        tuple(
            sorted(
                ((word, values[place]) for word, matched, values in added if matched[place]),
                key=lambda match: -match[1],
            )
        )
        for place in range(n_chosen)
    ]
