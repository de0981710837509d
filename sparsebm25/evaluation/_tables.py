"""How is a table shown? As aligned text, and as HTML for notebooks."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

Cells = Sequence[str]


def text_table(header: Cells, rows: Iterable[Cells]) -> str:
    """Return lines of aligned columns: the first to the left, numbers to the right."""
    lines = [header, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(_text_line(line, widths) for line in lines)


def _text_line(cells: Cells, widths: Sequence[int]) -> str:
    """Return one line of a table."""
    first, *others = zip(cells, widths, strict=True)
    return "  ".join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)])


def html_table(header: Cells, rows: Iterable[Cells]) -> str:
    """Return a static table, all text escaped."""
    lines = [_html_line("th", header), *(_html_line("td", row) for row in rows)]
    return f"<table>{''.join(lines)}</table>"


def _html_line(kind: str, cells: Cells) -> str:
    """Return one line of a table as HTML."""
    return "<tr>" + "".join(f"<{kind}>{html.escape(cell)}</{kind}>" for cell in cells) + "</tr>"
