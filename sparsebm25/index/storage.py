"""Snapshots to folders and back: what of an index is written, and under which name."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from sparsebm25._checks import shown
from sparsebm25.counts import Counts
from sparsebm25.errors import IndexFormatError
from sparsebm25.index.batches import Metadata
from sparsebm25.index.doc_ids import DocIds
from sparsebm25.index.folders import Arrays, Stored, read_folder, write_folder
from sparsebm25.index.settings import Settings, checked_settings, saved_analyzer
from sparsebm25.index.snapshot import Snapshot
from sparsebm25.protocols import DocId, TextAnalyzer
from sparsebm25.string_table import StringTable
from sparsebm25.text import Analyzer
from sparsebm25.vocabulary import Vocabulary
from sparsebm25.weighting.weigh import Weights


def save(snapshot: Snapshot, folder: Path) -> None:
    """
    Write a snapshot into a folder.

    Parameters
    ----------
    snapshot : Snapshot
        The state to write, weights included.
    folder : Path
        New, or holding an index.

    Raises
    ------
    IndexFormatError
        If there is something else at `folder`.
    TypeError
        If metadata cannot be written as JSON.
    ValueError
        If the snapshot weighs with borrowed statistics.
    """
    if snapshot.borrowed is not None:
        raise ValueError(
            "cannot save: this index weighs with the statistics of a larger collection; save the original"
        )
    counts, weights = snapshot.counts, snapshot.weights
    arrays: dict[str, NDArray[Any]] = {
        "indptr": counts.indptr,
        "indices": counts.indices,
        "weights": weights.postings.data,
        "idf": weights.idf,
        **{f"tf_{field}": tf for field, tf in enumerate(counts.field_tf)},
        **{f"lengths_{field}": lengths for field, lengths in enumerate(counts.field_lengths)},
    }
    if weights.absent_weights is not None:
        arrays["absent_weights"] = weights.absent_weights
    values = {
        "settings": snapshot.settings.to_json(),
        "n_docs": counts.n_docs,
        "min_weight": weights.min_weight if counts.n_postings else None,
        "terms": _put_strings(arrays, "terms", snapshot.vocabulary.terms),
        "ids": _put_ids(arrays, snapshot.doc_ids),
        "metadata": _put_metadata(arrays, snapshot.metadata),
    }
    write_folder(folder, Stored(values, arrays))


def load(folder: Path, *, mmap: bool, verify: bool, analyzer: TextAnalyzer | None) -> Snapshot:
    """
    Return the snapshot that `save` wrote.

    Parameters
    ----------
    folder : Path
        The folder.
    mmap : bool
        Map arrays instead of reading them.
    verify : bool
        Compare the checksums of all arrays.
    analyzer : callable or None
        The analyzer, where the saved one held a custom callable.

    Returns
    -------
    Snapshot
        The saved state.

    Raises
    ------
    IndexFormatError
        If the folder is no index, is damaged, or has another format.
    ValueError
        If a custom callable is missing or of another name.
    """
    stored = read_folder(folder, mmap=mmap, verify=verify)
    try:
        return _snapshot_of(stored, folder, analyzer)
    except (KeyError, IndexError, AttributeError, TypeError) as error:
        raise IndexFormatError(f"{folder} is damaged: its header does not fit ({error!r})") from None


def _snapshot_of(stored: Stored, folder: Path, analyzer: TextAnalyzer | None) -> Snapshot:
    """Return the snapshot that values and arrays describe."""
    values, arrays = stored.values, stored.arrays
    settings = _settings_of(values["settings"], folder, analyzer)
    fields = range(settings.n_fields)
    counts = Counts(
        arrays["indptr"],
        arrays["indices"],
        tuple(arrays[f"tf_{field}"] for field in fields),
        tuple(arrays[f"lengths_{field}"] for field in fields),
    )
    _check_arrays(stored, folder, counts, settings)
    postings = csr_array(
        (arrays["weights"], counts.indices, counts.indptr), shape=(counts.n_terms, counts.n_docs), copy=False
    )
    smallest = values["min_weight"]
    return Snapshot(
        settings,
        Vocabulary(_strings(values["terms"], arrays, "terms")),
        counts,
        _ids_of(values["ids"], arrays),
        _JsonRows(_table(arrays, "metadata")) if values["metadata"] else None,
        stored=Weights(
            postings, arrays["idf"], arrays.get("absent_weights"), np.inf if smallest is None else smallest
        ),
    )


def _check_arrays(stored: Stored, folder: Path, counts: Counts, settings: Settings) -> None:
    """Refuse arrays that do not fit together: compiled code trusts every position in them."""
    values, arrays = stored.values, stored.arrays
    n_terms, n_docs, n_postings = counts.n_terms, counts.n_docs, counts.n_postings
    fits = (
        values["n_docs"] == n_docs
        and all(arrays[name].dtype == np.int32 for name in ("indptr", "indices"))
        and counts.indptr[0] == 0
        and counts.indptr[-1] == n_postings
        and _rises(counts.indptr)
        and (n_postings == 0 or 0 <= counts.indices.min() <= counts.indices.max() < n_docs)
        and all(tf.shape == (n_postings,) for tf in counts.field_tf)
        and all(lengths.shape == (n_docs,) for lengths in counts.field_lengths)
        and arrays["weights"].shape == (n_postings,)
        and arrays["weights"].dtype == settings.dtype
        and arrays["idf"].shape == (n_terms,)
        and (n_terms, n_docs) == (values["terms"]["count"], values["ids"]["count"])
        and all(_is_table(arrays, name) for name in ("terms", "ids", "metadata"))
    )
    if not fits:
        raise IndexFormatError(f"{folder} is damaged: its arrays do not fit together")


def _rises(ends: NDArray[Any], block: int = 2**10) -> bool:
    """Return whether no value is below the one before; in blocks, to take no memory for a mapped array."""
    starts = range(0, ends.size - 1, block)
    return all((np.diff(ends[start : start + block + 1]) >= 0).all() for start in starts)


def _is_table(arrays: Arrays, name: str) -> bool:
    """Return whether stored strings, if there are any, lie inside their text."""
    if f"{name}_ends" not in arrays:
        return True
    ends, text = arrays[f"{name}_ends"], arrays[f"{name}_text"]
    return bool(ends[0] == 0 and ends[-1] == text.size and _rises(ends))


def _settings_of(plain: Mapping[str, Any], folder: Path, analyzer: TextAnalyzer | None) -> Settings:
    """Return the settings that a header holds; what an older header lacks has its default."""
    known = {"scheme", "k1", "b", "delta", "analyzer", "fields", "field_b", "dtype", "query_tf", "backend"}
    unknown = sorted(set(plain) - known)
    if unknown:
        raise IndexFormatError(f"{folder} has the setting {unknown[0]!r}, which this version does not know")
    defaults = {"scheme": "lucene", "k1": 1.5, "b": 0.75, "delta": None, "fields": None, "field_b": None}
    rest = {"dtype": "float32", "query_tf": "count", "backend": "auto"}
    given = {**defaults, **rest, **plain}
    given["analyzer"] = _analyzer_of(plain.get("analyzer"), folder, analyzer)
    try:
        return checked_settings(**given)
    except (ValueError, TypeError) as error:
        raise IndexFormatError(f"{folder} is damaged: {error}") from None


def _analyzer_of(saved: Any, folder: Path, given: TextAnalyzer | None) -> TextAnalyzer | None:
    """Return the saved analyzer, or the given one if it is the one that was saved."""
    if given is not None:
        described = saved_analyzer(given)
        if described != saved:
            raise ValueError(
                f"{folder} was saved with the analyzer {shown(saved, 200)}, got {shown(described, 200)}"
            )
        return given
    if saved is None:
        return None
    if "callable" in saved:
        raise ValueError(
            f"{folder} was saved with the custom analyzer {saved['callable']}: pass it as analyzer="
        )
    try:
        return Analyzer.from_settings(saved)
    except ValueError as error:
        raise ValueError(f"{folder} needs its analyzer: pass it as analyzer= ({error})") from None


def _put_strings(
    arrays: dict[str, NDArray[Any]], name: str, strings: Sequence[str] | range
) -> dict[str, Any]:
    """Add strings to the arrays, and return how they are stored."""
    if isinstance(strings, range):
        return {"stored": "numbers", "count": len(strings)}
    table = strings if isinstance(strings, StringTable) else StringTable.of(strings)
    arrays[f"{name}_text"], arrays[f"{name}_ends"] = table.blob, table.offsets
    return {"stored": "text", "count": len(table)}


def _table(arrays: Arrays, name: str) -> StringTable:
    """Return stored strings without decoding them."""
    return StringTable(arrays[f"{name}_text"], arrays[f"{name}_ends"])


def _strings(how: Mapping[str, Any], arrays: Arrays, name: str) -> StringTable | range:
    """Return stored strings, or the numbers that stand for them."""
    return range(int(how["count"])) if how["stored"] == "numbers" else _table(arrays, name)


def _put_ids(arrays: dict[str, NDArray[Any]], doc_ids: DocIds) -> dict[str, Any]:
    """Add ids to the arrays, and return how they are stored: text and numbers stay apart."""
    names = doc_ids.names
    if isinstance(names, _MixedIds):
        names = list(names)
    how = _put_strings(
        arrays, "ids", names if isinstance(names, range | StringTable) else [str(name) for name in names]
    )
    if not isinstance(names, range | StringTable) and any(isinstance(name, int) for name in names):
        arrays["ids_numbers"] = np.array([isinstance(name, int) for name in names], np.bool_)
        how["stored"] = "mixed"
    return {**how, "automatic": doc_ids.automatic}


def _ids_of(how: Mapping[str, Any], arrays: Arrays) -> DocIds:
    """Return stored ids without decoding them."""
    if how["stored"] == "mixed":
        return DocIds(_MixedIds(_table(arrays, "ids"), arrays["ids_numbers"]), automatic=how["automatic"])
    return DocIds(_strings(how, arrays, "ids"), automatic=how["automatic"])


class _MixedIds(Sequence[DocId]):
    """Ids of which some are numbers, decoded on demand."""

    def __init__(self, table: StringTable, numbers: NDArray[np.bool_]) -> None:
        self._table = table
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._table)

    @overload
    def __getitem__(self, place: int) -> DocId: ...
    @overload
    def __getitem__(self, place: slice) -> list[DocId]: ...
    def __getitem__(self, place: int | slice) -> DocId | list[DocId]:
        if isinstance(place, slice):
            return [self[at] for at in range(*place.indices(len(self)))]
        text = self._table[place]
        return int(text) if self._numbers[place] else text

    def __iter__(self) -> Iterator[DocId]:
        return (
            int(text) if number else text for text, number in zip(self._table, self._numbers, strict=True)
        )


def _put_metadata(arrays: dict[str, NDArray[Any]], metadata: Metadata | None) -> bool:
    """Add metadata to the arrays as one JSON text a document."""
    if metadata is None:
        return False
    if isinstance(metadata, _JsonRows):
        table = metadata.table
    else:
        table = StringTable.of(_json(row, doc_ord) for doc_ord, row in enumerate(metadata))
    arrays["metadata_text"], arrays["metadata_ends"] = table.blob, table.offsets
    return True


def _json(row: Mapping[str, Any] | None, doc_ord: int) -> str:
    """Return one document's metadata as JSON that reads back equal."""
    try:
        text = json.dumps(row)
        back = json.loads(text)
        equal = back == row or ("NaN" in text and json.dumps(back) == text)  # NaN equals nothing
    except (TypeError, ValueError):
        equal = False
    if not equal:
        raise TypeError(
            f"metadata must hold JSON values to be saved, got {shown(row)} for document {doc_ord}"
        )
    return text


class _JsonRows(Sequence["Mapping[str, Any] | None"]):
    """Metadata of a loaded index, decoded on demand."""

    def __init__(self, table: StringTable) -> None:
        self.table = table

    def __len__(self) -> int:
        return len(self.table)

    @overload
    def __getitem__(self, place: int) -> Mapping[str, Any] | None: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Mapping[str, Any] | None]: ...
    def __getitem__(self, place: int | slice) -> Any:
        if isinstance(place, slice):
            return [json.loads(text) for text in self.table[place]]
        return json.loads(self.table[place])

    def __iter__(self) -> Iterator[Mapping[str, Any] | None]:
        return map(json.loads, self.table)
