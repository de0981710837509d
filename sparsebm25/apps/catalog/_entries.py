"""What do the entries say? Their fields as lists of texts, checked at the border."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from sparsebm25._checks import finite, shown
from sparsebm25.apps.catalog._reading import Reading
from sparsebm25.counting import missing
from sparsebm25.protocols import Bools

FieldTexts = dict[str, list[str]]


def check_weights(fields: Mapping[str, float]) -> None:
    """Refuse what is not a mapping from names to weights."""
    if not isinstance(fields, Mapping):
        raise TypeError(f"fields must be a mapping from field to weight, got {shown(fields)}")
    if not fields:
        raise ValueError("fields must name at least one field, got {}")
    for name, weight in fields.items():
        if not isinstance(name, str):
            raise TypeError(f"a field must be a str, got {shown(name)}")
        if finite(f"the weight of field {name!r}", weight) <= 0:
            raise ValueError(f"the weight of field {name!r} must be above 0, got {weight!r}")


def checked_entries(entries: Iterable[Any]) -> tuple[Any, ...]:
    """Return the entries, in their order."""
    if isinstance(entries, str | bytes | Mapping) or not isinstance(entries, Iterable):
        raise TypeError(f"entries must be an iterable of mappings or objects, got {shown(entries)}")
    return tuple(entries)


def value_of(entry: Any, name: str) -> Any:
    """Return a field of a mapping or an object, None where it has none."""
    value = entry.get(name) if isinstance(entry, Mapping) else getattr(entry, name, None)
    return None if missing(value) else value


def lenient_texts(fields: Sequence[str], place: int, entry: Any) -> FieldTexts:
    """Return the texts of the fields; what is no text is passed over."""
    return {
        name: [text for text in _listed(value_of(entry, name)) if isinstance(text, str)] for name in fields
    }


def strict_texts(fields: Sequence[str], place: int, entry: Any) -> FieldTexts:
    """Return the texts of the fields, or say what is wrong with the entry."""
    if not any(_has(entry, name) for name in fields):
        raise ValueError(f"entry {place} has none of the fields {', '.join(fields)}: {shown(entry)}")
    found = {name: _listed(value_of(entry, name)) for name in fields}
    for name, texts in found.items():
        for text in texts:
            if not isinstance(text, str):
                raise TypeError(
                    f"field {name!r} of entry {place} must be a str or a list of str, got {shown(text)}"
                )
    return found


def _has(entry: Any, name: str) -> bool:
    """Return whether a mapping or an object has a field, empty or not."""
    return name in entry if isinstance(entry, Mapping) else hasattr(entry, name)


def _listed(value: Any) -> list[Any]:
    """Return the texts that a field holds: several, one or none."""
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def names_license(label: str, license_text: str, reading: Reading) -> bool:
    """Return whether a label says no more than the license: it has words, all of them the license's."""
    words = reading.terms(label)
    return bool(words) and set(words) <= set(reading.terms(license_text))


def drop_license_labels(entry: Any, document: FieldTexts, license_field: str, reading: Reading) -> None:
    """Take the labels that only name the license out of the texts of an entry."""
    license_text = value_of(entry, license_field)
    if not isinstance(license_text, str):
        return
    for name in document:
        if isinstance(value_of(entry, name), list | tuple):
            document[name] = [
                label for label in document[name] if not names_license(label, license_text, reading)
            ]


def visible_mask(
    visible: Callable[[Any], bool] | Sequence[bool] | Bools | None, entries: Sequence[Any]
) -> Bools:
    """Return which entries may be seen at all."""
    if visible is None:
        return np.ones(len(entries), np.bool_)
    if callable(visible):
        return np.fromiter((bool(visible(entry)) for entry in entries), np.bool_, len(entries))
    mask = np.asarray(visible)
    if mask.dtype != np.bool_ or mask.shape != (len(entries),):
        raise ValueError(
            f"visible must be a callable or {len(entries)} booleans, one an entry, "
            f"got dtype {mask.dtype} of shape {mask.shape}"
        )
    return mask
