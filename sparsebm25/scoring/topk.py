"""The `k` best scores in the one total order: score descending, then position ascending."""

from __future__ import annotations

import numpy as np

from sparsebm25.protocols import Floats, Ints


def top_k(scores: Floats, k: int) -> Ints:
    """
    Return the positions of the `k` best scores, best first.

    Equal scores keep the order of their positions, inside the result and at
    its end, so that ``top_k(scores, k)`` begins ``top_k(scores, k + 1)``.

    Parameters
    ----------
    scores : ndarray of shape (n,), dtype float
        Without NaN.
    k : int
        How many; more than n gives n, 0 or less gives none.

    Returns
    -------
    ndarray of shape (min(k, n),), dtype int64
        Positions in `scores`.

    Notes
    -----
    O(n + k log k). A partial selection alone leaves open which of several
    equal scores survives; here the k-th score is found first, everything
    above it is taken, and the rest is filled up from the front.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebm25.scoring.topk import top_k
    >>> top_k(np.array([1.0, 2.0, 3.0, 3.0]), 3)
    array([2, 3, 1])
    """
    k = min(k, scores.size)
    if k <= 0:
        return np.empty(0, np.int64)
    if k == scores.size:
        chosen = np.arange(k)
    else:
        kth = np.partition(scores, -k)[-k]
        above = np.flatnonzero(scores > kth)
        tied = np.flatnonzero(scores == kth)[: k - above.size]
        chosen = np.concatenate((above, tied))
        chosen.sort()
    return chosen[np.argsort(-scores[chosen], kind="stable")]
