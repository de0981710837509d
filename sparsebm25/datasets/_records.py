"""What does a row say as a document? Id, text and the rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sparsebm25._checks import shown
from sparsebm25.datasets._faults import Faults
from sparsebm25.datasets._keys import Keys, Row
from sparsebm25.protocols import DocId


@dataclass(frozen=True, slots=True)
class Record:
    """
    One document as it was read.

    Parameters
    ----------
    id : str or int
        Document id, verbatim: ``"007"``, ``"7"`` and ``7`` are three ids.
    text : str or dict of str to str
        The joined text, or the text of each field where fields are kept apart.
    metadata : dict
        Everything else that the record held, as read.

    Examples
    --------
    >>> from sparsebm25.datasets import Record
    >>> Record("d1", "red kite", {"year": 1999}).metadata["year"]
    1999
    """

    id: DocId
    text: str | dict[str, str]
    metadata: dict[str, Any]


def row_records(
    rows: Iterator[tuple[int, Row]], keys: Keys, faults: Faults, *, joined: bool
) -> Iterator[Record]:
    """Yield the record of each row; the first one decides whether rows have ids or are numbered."""
    known_layout = lru_cache(keys.layout)  # most rows have the names of the row before
    numbered = None
    for number, row in rows:
        try:
            id_key, text_keys = known_layout(tuple(row))
            if numbered and id_key is not None:
                raise ValueError(f"{id_key} is given, but the first record has no id")
            if numbered is False and id_key is None:
                raise ValueError(f"no id: the first record has one, so {' or '.join(keys.ids)} is needed")
            doc_id = number if id_key is None else _doc_id(id_key, row[id_key])
            record = _record(doc_id, row, id_key, text_keys, joined=joined)
        except ValueError as error:
            faults.note(number, error)
        else:
            numbered = id_key is None
            yield record


def _record(
    doc_id: DocId, row: Row, id_key: str | None, text_keys: tuple[str, ...], *, joined: bool
) -> Record:
    """Return one row as a record; what is neither id nor text is metadata."""
    fields = {key: _text(key, row[key]) for key in text_keys}
    text = " ".join(filter(None, fields.values())) if joined else fields
    metadata = {key: value for key, value in row.items() if key != id_key and key not in fields}
    return Record(doc_id, text, metadata)


def _doc_id(key: str, value: object) -> DocId:
    """Return an id verbatim if it is text or a whole number."""
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise ValueError(f"{key} must be text that is not empty or a whole number, got {shown(value)}")
    return value


def _text(key: str, value: object) -> str:
    """Return the text of one value; null and NaN are empty, the texts of a list are joined."""
    if isinstance(value, str):
        return value
    if value is None or value != value:
        return ""
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return " ".join(value)
    raise ValueError(f"{key} must be text, a list of texts or null, got {shown(value)}")
