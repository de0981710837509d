"""What does one line say? JSON Lines, TSV and CSV as rows of named values."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TypeAlias, TypeVar

from sparsebm25._checks import shown
from sparsebm25.datasets._faults import Faults
from sparsebm25.datasets._keys import Keys, Row

NumberedLines: TypeAlias = Iterable[tuple[int, bytes]]
NumberedRows: TypeAlias = Iterator[tuple[int, Row]]
Line = TypeVar("Line")

LONGEST_CELL = 2**26  # characters: no document is as long, and a quote that is never closed ends here


def jsonl_rows(lines: NumberedLines, keys: Keys, faults: Faults) -> NumberedRows:
    """Yield the object of each line; a plain string is a text without an id."""
    yield from _parsed(_decoded(lines, faults), _json_row, faults)


def tsv_rows(lines: NumberedLines, keys: Keys, faults: Faults) -> NumberedRows:
    """Yield the cells of each line; the first line decides what the columns are."""
    texts = _decoded(lines, faults)
    for number, line in texts:
        cells = line.split("\t")
        if keys.chosen or (cells[0] in keys.ids and keys.text_keys(cells)):
            parse = partial(_tsv_row, _header(number, cells, keys, faults))
            yield from _parsed(texts, parse, faults)
        else:
            parse = partial(_plain_row, has_ids=len(cells) > 1)
            yield from _parsed(chain([(number, line)], texts), parse, faults)


def csv_rows(lines: NumberedLines, keys: Keys, faults: Faults) -> NumberedRows:
    """Yield the cells of each record under the names of the header row."""
    records = _csv_records(lines, faults)
    for number, cells in records:
        parse = partial(_named, _header(number, cells, keys, faults))
        yield from _parsed(records, parse, faults)


def _decoded(lines: NumberedLines, faults: Faults) -> Iterator[tuple[int, str]]:
    """Yield the text of each line that is not blank, without its line end."""
    for number, line in lines:
        try:
            text = line.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            faults.note(number, f"not UTF-8: byte 0x{line[error.start]:02x} at byte {error.start + 1}")
        else:
            if text and not text.isspace():
                yield number, text


def _parsed(lines: Iterable[tuple[int, Line]], parse: Callable[[Line], Row], faults: Faults) -> NumberedRows:
    """Yield what `parse` makes of each line."""
    for number, line in lines:
        try:
            row = parse(line)
        except ValueError as error:
            faults.note(number, error)
        else:
            yield number, row


def _json_row(line: str) -> Row:
    """Return the row of one JSON line."""
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"not JSON: {error.msg} at column {error.colno}, one object a line is needed"
        ) from None
    except RecursionError:
        raise ValueError("JSON is nested too deeply") from None
    if isinstance(value, str):
        return {"text": value}
    if not isinstance(value, dict):
        raise ValueError(f"one JSON object or string a line is needed, got {shown(value)}")
    return value


def _plain_row(line: str, *, has_ids: bool) -> Row:
    """Return the row of a text, or of an id, a tab and a text in which further tabs may stand."""
    if not has_ids:
        return {"text": line}
    doc_id, tab, text = line.partition("\t")
    if not tab:
        raise ValueError(f"an id, a tab and a text are needed, as in the first line, got {shown(line)}")
    return {"id": doc_id, "text": text}


def _header(number: int, cells: list[str], keys: Keys, faults: Faults) -> list[str]:
    """Return the column names, or end the reading: no line makes sense without them."""
    if not keys.text_keys(cells):
        faults.fail(number, f"the header needs one of {keys.text_names}, got {', '.join(cells)}")
    if len(set(cells)) < len(cells):
        faults.fail(number, f"the header names a column twice: {', '.join(cells)}")
    return cells


def _tsv_row(columns: Sequence[str], line: str) -> Row:
    """Return the cells of a TSV line under their column names."""
    return _named(columns, line.split("\t"))


def _named(columns: Sequence[str], cells: Sequence[str]) -> Row:
    """Return the cells under their column names."""
    if len(cells) != len(columns):
        raise ValueError(f"{len(columns)} columns are needed, as in the header, got {len(cells)}")
    return dict(zip(columns, cells, strict=True))


def _csv_records(lines: NumberedLines, faults: Faults) -> Iterator[tuple[int, list[str]]]:
    """Yield the records with the number of the line where each begins; a quoted cell may span lines."""
    # Bytes that are not UTF-8 pass as surrogates, so that a quoted cell is whole when its record is judged.
    reader = csv.reader((line.decode("utf-8", "surrogateescape") for _, line in lines), strict=True)
    while True:
        number = reader.line_num + 1
        try:
            cells = _next_record(reader)
            "".join(cells).encode("utf-8")
        except StopIteration:
            return
        except UnicodeEncodeError:
            faults.note(number, "not UTF-8")
        except csv.Error as error:
            faults.note(number, f"not CSV: {error}")
        else:
            if cells:
                yield number, cells


def _next_record(reader: Iterator[list[str]]) -> list[str]:
    """Return the next record; its cells may be longer than the csv module's limit, one for the process."""
    previous = csv.field_size_limit(LONGEST_CELL)
    try:
        return next(reader)
    finally:
        csv.field_size_limit(previous)
