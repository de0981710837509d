"""How long does it take? Engines take turns, and the best of several turns counts."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context


@dataclass(frozen=True)
class Timing:
    """The best turn: seconds by the clock, and for how many of them the processor worked for this process."""

    seconds: float
    processor: float

    @property
    def share(self) -> float:
        """Return how many processors were at work; below 1 the machine was busy with something else."""
        return self.processor / self.seconds


def turn(action: Callable[[], object]) -> Timing:
    """Return how long one turn of an action takes."""
    gc.collect()
    start, worked = time.perf_counter(), time.process_time()
    action()
    return Timing(time.perf_counter() - start, time.process_time() - worked)


def alternate(actions: Mapping[str, Callable[[], object]], repeats: int) -> dict[str, Timing]:
    """Return the best of several turns of each action; all have had a turn before any has the next one."""
    turns: dict[str, list[Timing]] = {name: [] for name in actions}
    for _ in range(repeats):
        for name, action in actions.items():
            turns[name].append(turn(action))
    return {name: min(taken, key=lambda timing: timing.seconds) for name, taken in turns.items()}


def two_processes(repeats: int) -> float:
    """Return how much more two processes count than one alone: how free both processors are."""
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        list(pool.map(count_up, [1, 1]))  # both have started
        turns = {n: lambda n=n: list(pool.map(count_up, [COUNT] * n)) for n in (1, 2)}
        best = alternate(turns, repeats)
    return 2 * best[1].seconds / best[2].seconds


COUNT = 5_000_000


def count_up(end: int) -> int:
    """Keep one processor at work without memory."""
    total = 0
    for number in range(end):
        total += number
    return total
