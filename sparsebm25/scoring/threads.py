"""Work on many queries, spread over threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from threading import Thread
from typing import TypeVar

T = TypeVar("T")
Done = TypeVar("Done")

PARTS_PER_THREAD = 8
"""So many parts leave little to wait for at the end, and each is long beside what it takes to begin one."""


def spread(work: Callable[[Sequence[T]], list[Done]], queries: Sequence[T], n_jobs: int) -> list[Done]:
    """
    Return what `work` gives for the queries, done in parts by several threads.

    Parameters
    ----------
    work : callable
        Returns one result a query of a sequence.
    queries : sequence
        The queries, in the form that `work` takes.
    n_jobs : int
        Threads, at least 1; the caller's own is one of them.

    Returns
    -------
    list
        In the order of the queries.

    Raises
    ------
    BaseException
        What `work` raised, for the first part if for several; parts that
        were not begun are left.

    Examples
    --------
    >>> from sparsebm25.scoring.threads import spread
    >>> spread(lambda part: [2 * query for query in part], [1, 2, 3], n_jobs=2)
    [2, 4, 6]
    """
    if n_jobs == 1 or len(queries) < 2:
        return work(queries)
    size = max(1, len(queries) // (PARTS_PER_THREAD * n_jobs))
    starts = range(0, len(queries), size)
    waiting = deque(starts)
    done: dict[int, list[Done]] = {}
    failed: dict[int, BaseException] = {}

    def take() -> None:
        while waiting:
            try:
                start = waiting.popleft()
            except IndexError:  # another thread was faster
                return
            try:
                done[start] = work(queries[start : start + size])
            except BaseException as error:
                failed[start] = error
                waiting.clear()

    helpers = [Thread(target=take, daemon=True) for _ in range(min(n_jobs, len(starts)) - 1)]
    for helper in helpers:
        helper.start()
    take()
    for helper in helpers:
        helper.join()
    if failed:
        raise failed[min(failed)]
    return [result for start in starts for result in done[start]]
