"""What do JSON files say of tools and entries? Lists of objects, and what an MCP server lists."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sparsebm25._checks import shown
from sparsebm25.apps._items import field_text, field_value, required_text
from sparsebm25.datasets._lines import STANDARD_INPUT, shown_name
from sparsebm25.runs import reading

_NAME = ("name", "tool_name", "toolName")
_SERVER = ("server_name", "serverName")
_SCHEMA = ("inputSchema", "input_schema")


class ToolText(NamedTuple):
    """The texts of one tool, under the names that the rankers know."""

    given: Mapping[str, Any]
    name: str
    server_name: str | None
    description: str | None
    keywords: tuple[str, ...]
    category: str | None

    @property
    def about(self) -> str:
        """Return all texts but the names and the category."""
        return " ".join((self.description or "", *self.keywords))

    @property
    def label(self) -> str:
        """Return how the tool is shown."""
        return f"{self.server_name}/{self.name}" if self.server_name else self.name


def read_json(path: str) -> Any:
    """Return the value of a JSON file."""
    source = codecs.getreader("utf-8-sig")(sys.stdin.buffer) if path == STANDARD_INPUT else path
    with reading(source) as lines:
        text = "".join(lines)
        try:
            return json.loads(text)
        except (json.JSONDecodeError, RecursionError) as error:
            raise ValueError(f"not JSON: {error}") from None


def read_objects(path: str) -> list[dict[str, Any]]:
    """Return the objects of a list, or of the answer of an MCP server."""
    value = read_json(path)
    objects = _listed(value)
    if not isinstance(objects, list):
        raise TypeError(
            f'{shown_name(path)} must hold a list of objects or {{"tools": [...]}}, got {shown(value)}'
        )
    for place, item in enumerate(objects):
        if not isinstance(item, dict):
            raise TypeError(f"item {place} of {shown_name(path)} must be an object, got {shown(item)}")
    return objects


def _listed(value: Any) -> Any:
    """Return what should be a list: the value, or what it holds under ``tools``, or ``result.tools``."""
    for key in ("result", "tools"):
        if isinstance(value, dict):
            value = value.get(key, value)
    return value


def read_tools(path: str) -> list[ToolText]:
    """Return the tools of a file."""
    return [_tool(item, place) for place, item in enumerate(read_objects(path))]


def _tool(item: Mapping[str, Any], place: int) -> ToolText:
    """Return the texts of one tool, or say what is wrong with it."""
    return ToolText(
        item,
        required_text(item, _NAME, place),
        field_text(item, _SERVER, place),
        field_text(item, ("description",), place),
        (*_keywords(item, place), *_properties(item, place)),
        field_text(item, ("category", *_SERVER), place),
    )


def _keywords(item: Mapping[str, Any], place: int) -> list[str]:
    """Return the keywords of a tool: a text or several."""
    value = field_value(item, ("keywords",))
    texts = value if isinstance(value, list) else [] if value is None else [value]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError(f"keywords of item {place} must be a str or a list of str, got {shown(value)}")
    return texts


def _properties(item: Mapping[str, Any], place: int) -> Iterator[str]:
    """Yield the names of the inputs of a tool, and their descriptions."""
    schema = _object(item, _SCHEMA, f"inputSchema of item {place}")
    for name, about in _object(schema, ("properties",), f"inputSchema.properties of item {place}").items():
        yield name
        text = about.get("description") if isinstance(about, dict) else None  # true is a schema, too
        if text is not None and not isinstance(text, str):
            raise TypeError(f"description of input {name!r} of item {place} must be a str, got {shown(text)}")
        yield text or ""


def _object(item: Mapping[str, Any], names: tuple[str, ...], label: str) -> Mapping[str, Any]:
    """Return the object that an item has under one of the names, an empty one if there is none."""
    value = field_value(item, names)
    if value is not None and not isinstance(value, dict):
        raise TypeError(f"{label} must be an object, got {shown(value)}")
    return value or {}
