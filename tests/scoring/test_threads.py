"""Parts of the work in several threads: the same results, and the same errors."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsebm25.scoring.threads import spread


@pytest.mark.promise(3)
@given(st.integers(0, 200), st.integers(1, 5))
def test_results_stand_in_the_order_of_the_queries(n_queries, n_jobs):
    """However the parts fall, each query's result is at its place."""
    assert spread(lambda part: [-query for query in part], range(n_queries), n_jobs) == [
        -query for query in range(n_queries)
    ]


def test_the_threads_work_at_the_same_time():
    """Two threads are both at work before either is done; the caller's own is one of them."""
    both = threading.Barrier(2, timeout=60)
    seen = set()

    def work(part):
        if len(seen) < 2:
            seen.add(threading.current_thread())
            both.wait()
        return list(part)

    assert spread(work, range(2), 2) == [0, 1]
    assert len(seen) == 2
    assert threading.current_thread() in seen


@pytest.mark.parametrize("n_jobs", [1, 2, 4])
def test_the_first_wrong_query_is_named(n_jobs):
    """Of several parts that fail, the error of the first is raised, and the threads have ended."""
    running = threading.active_count()

    def work(part):
        if wrong := [query for query in part if query >= 50]:
            raise ValueError(f"query {wrong[0]}")
        return list(part)

    with pytest.raises(ValueError, match=r"^query 50$"):
        spread(work, range(100), n_jobs)
    assert threading.active_count() == running


def test_after_an_error_no_further_part_is_begun():
    """What could not be used is not worked out."""
    begun = []

    def work(part):
        begun.append(part[0])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        spread(work, range(1000), 2)
    assert len(begun) <= 2
