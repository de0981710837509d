"""What does a router know of a tool?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sparsebm25._checks import shown
from sparsebm25.apps._items import field_text, field_value, required_text

RICH_DESCRIPTION = 200
"""From this mean length on, in UTF-16 units, descriptions need no help from synonyms."""

EXPANSION_WEIGHT = 0.5


class Tool(NamedTuple):
    """The texts of one tool."""

    name: str
    description: str | None
    keywords: str
    category: str | None

    @property
    def groups(self) -> set[str]:
        """Return the names of the groups it is in: its category and the first part of its name."""
        groups = {self.name.split(".")[0].lower()}
        return groups if self.category is None else groups | {self.category.lower()}


def read_tools(tools: Iterable[Any]) -> list[Tool]:
    """Return the texts of callers' tools, or say what is wrong with one."""
    if isinstance(tools, str) or not isinstance(tools, Iterable):
        raise TypeError(f"tools must be an iterable of mappings or objects, got {shown(tools)}")
    return [
        Tool(
            required_text(tool, ("name",), place),
            field_text(tool, ("description",), place),
            _keywords(tool, place),
            field_text(tool, ("category",), place),
        )
        for place, tool in enumerate(tools)
    ]


def _keywords(tool: Any, place: int) -> str:
    """Return the keywords of a tool as one text: they are a text or several."""
    value = field_value(tool, ("keywords",))
    if isinstance(value, list | tuple) and all(isinstance(keyword, str) for keyword in value):
        return " ".join(value)
    return field_text(tool, ("keywords",), place) or ""


def automatic_expansion(tools: Sequence[Tool]) -> float:
    """Return the weight of synonyms that suits the tools: none where descriptions are long."""
    lengths = [
        len(tool.description.encode("utf-16-le", "surrogatepass")) // 2
        for tool in tools
        if tool.description is not None
    ]
    rich = lengths and sum(lengths) / len(lengths) > RICH_DESCRIPTION
    return 0.0 if rich else EXPANSION_WEIGHT
