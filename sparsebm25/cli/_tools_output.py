"""How is a ranked tool shown? Its rank, its score and its name, and what each word adds."""

from __future__ import annotations

from typing import Any


def print_tool(rank: int, score: float, label: str, matches: tuple[tuple[str, float], ...] | None) -> None:
    """Print one tool, and below it its matches if there are any."""
    print(f"{rank:>4}  {score:9.4f}  {label}")
    if matches is not None:
        print(f"{'':17}{', '.join(f'{word} {value:.4f}' for word, value in matches)}".rstrip())


def matches_record(matches: tuple[tuple[str, float], ...] | None) -> dict[str, Any]:
    """Return matches as a part of a JSON object, an empty one if they were not asked for."""
    if matches is None:
        return {}
    return {"matches": [{"term": word, "contribution": value} for word, value in matches]}
