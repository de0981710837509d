"""The names to read a row by: which of its values are the id and the text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeAlias

Row: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Keys:
    """The names to read by; names chosen by the caller turn the first line of a TSV file into a header."""

    ids: tuple[str, ...]
    texts: tuple[tuple[str, ...], ...]
    id_required: bool = False
    chosen: bool = False

    def layout(self, names: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
        """Return which of a row's names are its id and the parts of its text, or say what is missing."""
        id_key = _first(self.ids, names)
        text_keys = self.text_keys(names)
        if id_key is None and self.id_required:
            raise ValueError(f"no id: {self.ids[0]} is needed, got {', '.join(names) or 'nothing'}")
        if not text_keys:
            raise ValueError(
                f"no text: one of {self.text_names} is needed, got {', '.join(names) or 'nothing'}"
            )
        return id_key, text_keys

    def text_keys(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the names of the text's parts: of each group of `texts` the first among `names`."""
        found = (_first(group, names) for group in self.texts)
        return tuple(key for key in found if key is not None)

    def choose(self, id_field: str | None, text_fields: Sequence[str] | None) -> Keys:
        """Return these keys with the caller's names in their place."""
        ids = self.ids if id_field is None else (id_field,)
        texts = self.texts if text_fields is None else tuple((name,) for name in text_fields)
        chosen = id_field is not None or text_fields is not None
        return Keys(ids, texts, id_required=id_field is not None, chosen=chosen)

    @property
    def text_names(self) -> str:
        """Return all names of texts, for messages."""
        return ", ".join(chain.from_iterable(self.texts))


DOCUMENT_KEYS = Keys(("_id", "id", "doc_id", "docno"), (("title",), ("text", "contents", "body")))
QUERY_KEYS = Keys(("_id", "id", "query_id", "qid"), (("text", "query"),))


def _first(wanted: Iterable[str], names: Iterable[str]) -> str | None:
    """Return the first of the wanted names that there is."""
    return next((name for name in wanted if name in names), None)
