"""Does every engine find what scoring every document would find? Asked before anything is timed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sparsebm25 import BM25Index
from sparsebm25.scoring import top_k

from .agreement import NOTHING_COMPARED, Ranking, agreement, overlap, same_bits
from .engines import Engine, Ours
from .texts import Tokens


class Check(NamedTuple):
    """Whether an engine finds the right documents (yes or NO), and what a reader should know about it."""

    same: str
    note: str


def exhaustive(index: BM25Index, queries: Tokens, k: int) -> list[Ranking]:
    """Return the best documents of each query, from the scores of all documents."""
    rankings = []
    for query in queries:
        scores = index.scores(query)
        docs = top_k(scores, k)
        docs = docs[scores[docs] > 0]
        rankings.append((docs, scores[docs]))
    return rankings


def checked(
    engines: Sequence[Engine], queries: Tokens, index: BM25Index, ks: Sequence[int]
) -> dict[str, Check]:
    """Return for each engine whether its hits are right by its own rule, at every k."""
    truths = {"": exhaustive(index, queries, max(ks))}
    checks = {}
    for engine in engines:
        if engine.rule not in truths:
            truths[engine.rule] = exhaustive(engine.same_rule(index), queries, max(ks))
        checks[engine.name] = _check(engine, queries, truths[engine.rule], truths[""], ks)
    return checks


def _check(
    engine: Engine, queries: Tokens, truth: list[Ranking], usual: list[Ranking], ks: Sequence[int]
) -> Check:
    """Return the check of one engine."""
    total = NOTHING_COMPARED
    identical = True
    for k in ks:
        found = engine.rankings(engine.search(queries, k))
        expected = [(docs[:k], scores[:k]) for docs, scores in truth]
        total += agreement(found, expected)
        identical &= same_bits(found, expected)
        if k == ks[0]:
            shared = overlap(found, [(docs[:k], scores[:k]) for docs, scores in usual])
    notes = [] if total.first is None else [str(total)]
    if isinstance(engine, Ours):
        notes.append("every bit" if identical else "other bits or another order than scoring every document")
        return Check("yes" if identical else "NO", "; ".join(notes))
    if engine.rule:
        notes.append(f"by its own rule: {engine.rule}; {shared:.1%} of the top {ks[0]} of the others")
    return Check("yes" if total.first is None else "NO", "; ".join(notes))


def check_notes(checks: dict[str, Check]) -> str:
    """Return the notes as lines."""
    return "\n".join(f"- {engine}: {check.note}" for engine, check in checks.items() if check.note)
