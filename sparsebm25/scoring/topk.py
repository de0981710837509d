"""The `k` best scores in the one total order: score descending, then position ascending."""

from __future__ import annotations

import numpy as np

from sparsebm25.protocols import Floats, Ints

FEW = 256
"""So many scores are sorted in the time that selecting among them would take."""

MOST_ROWS = 128
"""Rows of the view over which maxima are taken: each maximum stands for that many documents."""

LEAST_ROWS = 8
"""With fewer, looking at every document is as fast."""

MAXIMA_PER_HIT = 6
"""Maxima a hit that is asked for: so many that two of the best seldom share one."""


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
    if k == scores.size or scores.size <= FEW:
        return np.argsort(-scores, kind="stable")[:k]
    kth = np.partition(scores, -k)[-k]
    above = np.flatnonzero(scores > kth)
    tied = np.flatnonzero(scores == kth)[: k - above.size]
    chosen = np.concatenate((above, tied))
    chosen.sort()
    return chosen[np.argsort(-scores[chosen], kind="stable")]


def candidates(sums: Floats, k: int, slack: float = 0.0) -> Ints:
    """
    Return positions among which are the `k` best of the sums above 0.

    Parameters
    ----------
    sums : ndarray of shape (n,), dtype float
        Without NaN.
    k : int
        How many of the best must be among them, at least 1.
    slack : float, default 0.0
        By how much the least of the best may be missed, at least 0: what
        rounding takes away when sums are changed afterwards.

    Returns
    -------
    ndarray of shape (n_candidates,), dtype int64
        Positions of sums above 0, ascending: few more than `k` where that
        saves time, all of them where it does not.

    Notes
    -----
    O(n), at the speed of reading. The sums are seen as a matrix whose columns
    are documents far apart; the k-th greatest of the columns' maxima is a
    score that at least `k` documents reach, so only columns that reach it are
    looked into.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebm25.scoring.topk import candidates
    >>> candidates(np.array([0.0, 2.0, 3.0]), k=1)
    array([1, 2])
    >>> sums = np.zeros(100_000)
    >>> sums[[7, 800, 99_999]] = 1.0, 3.0, 2.0
    >>> candidates(sums, k=1)
    array([800])
    """
    n_rows = min(MOST_ROWS, sums.size // (MAXIMA_PER_HIT * k))
    if n_rows < LEAST_ROWS:
        return np.flatnonzero(sums > 0)
    n_columns = sums.size // n_rows
    matrix = sums[: n_rows * n_columns].reshape(n_rows, n_columns)
    maxima = matrix.max(axis=0)
    floor = np.partition(maxima, -k)[-k] - slack
    if floor <= 0:
        return np.flatnonzero(sums > 0)
    columns = np.flatnonzero(maxima >= floor)
    places = np.flatnonzero(matrix.take(columns, axis=1) >= floor)
    rows, nth = np.divmod(places, columns.size)
    rest = np.flatnonzero(sums[matrix.size :] >= floor)
    return np.concatenate((rows * n_columns + columns[nth], rest + matrix.size))
