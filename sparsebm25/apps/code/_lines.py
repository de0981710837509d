"""Which lines of a file answer a query?"""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from operator import itemgetter

from sparsebm25.apps.code.results import CodeLine
from sparsebm25.protocols import TextAnalyzer
from sparsebm25.text.normalize import normalizer

SHOWN_CHARACTERS = 200

Match = tuple[int, set[str]]
"""A line's position, from 0, and the query's tokens in it."""

# Token and line in one form, in which the line holds the token's characters wherever it has the token.
_folded = normalizer("NFC", "casefold", "keep")


def first_lines(lines: Sequence[str], tokens: set[str], analyzer: TextAnalyzer, n: int) -> list[Match]:
    """Return the first `n` lines that share a token with the query."""
    matches = ((place, tokens.intersection(analyzer(line))) for place, line in enumerate(lines))
    return list(islice((match for match in matches if match[1]), max(n, 0)))


def best_lines(
    text: str,
    weights: Mapping[str, float],
    analyzer: TextAnalyzer,
    n: int,
    literal: re.Pattern[str] | None = None,
) -> list[Match]:
    """
    Return the `n` lines whose distinct tokens weigh most, equal ones by position; literal ones first.

    A line weighs at most what the tokens weigh whose characters it holds: only lines are analyzed that may
    still be among the best, and common tokens are not looked for once rarer ones have settled the matter.
    All sums run from the heaviest token down, so that rounding keeps the bounds true.
    """
    if n <= 0:
        return []
    lines = text.split("\n")
    folded = _folded_text(text, lines)
    folded_lines = folded.split("\n")
    tokens = sorted(weights, key=weights.__getitem__, reverse=True)
    parts = [(_folded(token), weights[token]) for token in tokens]
    exact = set(_lines_matching(text, literal)) if literal else set()
    extra = 1.0 + sum(weights.values())
    sources: list[tuple[float, Iterable[int]]]
    sources = [(sum((weight for _, weight in parts), extra), sorted(exact))]
    sources += [
        (sum(weight for _, weight in parts[at:]), _lines_holding(folded, part))
        for at, (part, _) in enumerate(parts)
    ]
    best: list[tuple[tuple[float, int], set[str]]] = []
    seen: set[int] = set()
    for most, places in sources:
        for place in places:
            if len(best) == n and best[-1][0] <= (-most, place):
                break
            if place in seen:
                continue
            seen.add(place)
            start = extra if place in exact else 0.0
            bound = start
            for part, weight in parts:
                if part in folded_lines[place]:
                    bound += weight
            if len(best) == n and best[-1][0] <= (-bound, place):
                continue
            matched = weights.keys() & analyzer(lines[place])
            if matched:
                score = sum((weights[token] for token in tokens if token in matched), start)
                insort(best, ((-score, place), matched), key=itemgetter(0))
                del best[n:]
    return [(place, matched) for (_, place), matched in best]


def _folded_text(text: str, lines: Iterable[str]) -> str:
    """Return a text in the form in which tokens are looked for; most lines are ASCII, much faster."""
    if text.isascii():
        return _folded(text)
    return "\n".join(_folded("\n".join(run)) for _, run in groupby(lines, str.isascii))


def _lines_holding(text: str, part: str) -> Iterator[int]:
    """Yield the positions of the lines that hold some characters."""
    place = line_end = 0
    while (at := text.find(part, line_end)) >= 0:
        place += text.count("\n", line_end, at)
        yield place
        line_end = text.find("\n", at)
        if line_end < 0:
            return


def _lines_matching(text: str, literal: re.Pattern[str]) -> Iterator[int]:
    """Yield the positions of the lines that hold a literal."""
    place = start = 0
    for match in literal.finditer(text):
        place += text.count("\n", start, match.start())
        start = match.start()
        yield place


def shown_lines(lines: Sequence[str], matches: Sequence[Match], context: int) -> tuple[CodeLine, ...]:
    """Return lines as they are shown, with those around them."""

    def shown(start: int, end: int) -> tuple[str, ...]:
        return tuple(map(_cut, lines[max(start, 0) : end]))

    return tuple(
        CodeLine(
            place + 1,
            _cut(lines[place]),
            tuple(sorted(matched)),
            shown(place - context, place),
            shown(place + 1, place + 1 + context),
        )
        for place, matched in matches
    )


def _cut(line: str) -> str:
    """Return what is shown of a line: its beginning, with its indentation."""
    return line.rstrip()[:SHOWN_CHARACTERS]
