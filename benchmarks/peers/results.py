"""What is written down: Markdown tables, verdicts, and a page of which each run replaces its own sections."""

from __future__ import annotations

import re
from collections.abc import Sequence

_BEFORE_HEADING = re.compile(r"^(?=## \d+\. )", re.MULTILINE)

INTRODUCTION = """\
# sparsebm25 beside other engines

Written by `python -m benchmarks.peers`: all figures of a section come from one run on one machine, and each
section says when, where and by which command. Engines take turns, the best of several turns counts, one
thread unless it says otherwise. A ratio is the peer's figure divided by ours, so above 1 is better for us.
A target that is not reached is called missed.
"""


def figure(value: float) -> str:
    """Return a number with three significant digits, never in powers of ten."""
    if value >= 1000:
        return f"{value:,.0f}"
    digits = f"{value:.3g}"
    return f"{value:.6f}" if "e" in digits else digits


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table; the first column is aligned left, numbers right, other text left."""
    widths = [max(len(row[place]) for row in (header, *rows)) for place in range(len(header))]
    right = [place > 0 and any(_is_number(row[place]) for row in rows) for place in range(len(header))]
    rule = [
        f"{'-' * (width - at_right)}{':' * at_right}" for width, at_right in zip(widths, right, strict=True)
    ]
    lines = [_line(row, widths, right) for row in (header, *rows)]
    return "\n".join((lines[0], _line(rule, widths, right), *lines[1:]))


def _is_number(cell: str) -> bool:
    """Return whether a cell shows a number, perhaps with a unit."""
    return bool(re.match(r"[\d.,]+( |$)", cell))


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    """Return one line of a table."""
    padded = [
        cell.rjust(width) if at_right else cell.ljust(width)
        for cell, width, at_right in zip(cells, widths, right, strict=True)
    ]
    return f"| {' | '.join(padded)} |"


def at_least(value: float, target: float) -> str:
    """Return whether a figure that should be large is large enough."""
    return f"met (at least {target:g})" if value >= target else f"missed (at least {target:g})"


def at_most(value: float, target: float) -> str:
    """Return whether a figure that should be small is small enough."""
    return f"met (at most {target:g})" if value <= target else f"missed (at most {target:g})"


def missing_lines(missing: dict[str, str]) -> str:
    """Return one line for each engine that could not take part."""
    return "\n".join(f"- **{name} is missing**: {reason}" for name, reason in missing.items())


def updated(page: str, number: int, title: str, body: str) -> str:
    """Return a page of results with one section new; the others stay, in the order of their numbers."""
    parts = _BEFORE_HEADING.split(page)[1:]
    sections = {int(part[3 : part.index(".")]): part.strip() for part in parts}
    sections[number] = f"## {number}. {title}\n\n{body.strip()}"
    return "\n\n".join((INTRODUCTION.strip(), *(sections[key] for key in sorted(sections)))) + "\n"
