"""Documents as callers give them, read once into counts, ids and metadata."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from sparsebm25._checks import is_sparse, shown
from sparsebm25.counting import count_documents, counts_of_matrix
from sparsebm25.counts import Counts
from sparsebm25.index.doc_ids import distinct_ids, plain_id
from sparsebm25.index.settings import Settings
from sparsebm25.protocols import DocId
from sparsebm25.vocabulary import Vocabulary

Metadata: TypeAlias = Sequence[Mapping[str, Any] | None]


@dataclass(frozen=True)
class Batch:
    """
    Return documents that were read and checked, ready to go into an index.

    Parameters
    ----------
    vocabulary : Vocabulary
        Their terms.
    counts : Counts
        Their counts.
    ids : list of (str or int), or None
        Their ids; None where the index shall count on.
    metadata : sequence of (mapping or None), or None
        What filters may look at; None where no document has any.
    """

    vocabulary: Vocabulary
    counts: Counts
    ids: list[DocId] | None
    metadata: Metadata | None


def read_batch(
    documents: Any,
    ids: Any,
    metadata: Any,
    settings: Settings,
    terms: Iterable[str] | None = None,
    *,
    first: bool = True,
    n_jobs: int = 1,
) -> Batch:
    """
    Return documents in any form as a batch, with everything checked.

    Parameters
    ----------
    documents : iterable, or sparse matrix of shape (n_docs, n_terms)
        Texts, token lists, mappings of fields, or counts.
    ids : iterable of (str or int), or None
        One id a document, taken in step with the documents.
    metadata : iterable of (mapping or None), or None
        One mapping a document.
    settings : Settings
        Analyzer and fields.
    terms : iterable of str, or None
        The terms of a matrix's columns.
    first : bool
        Whether these are the first documents of their index, which must show
        every field; later ones may lack any.
    n_jobs : int
        Processes that analyze them, at least 1; ids and metadata are read in
        this one.

    Returns
    -------
    Batch
        The documents' counts, ids and metadata.

    Raises
    ------
    TypeError, ValueError
        Says what is wrong with which argument.
    """
    names = None if ids is None else _Column("ids", ids, plain_id)
    rows = None if metadata is None else _Column("metadata", metadata, _plain_row)
    columns = [column for column in (names, rows) if column is not None]
    spare = _Spare(settings)
    if is_sparse(documents):
        if settings.fields:
            raise TypeError("documents must be mappings for an index with fields, got a sparse matrix")
        vocabulary, counts = counts_of_matrix(documents, terms)
        for column in columns:
            column.take_rest()
    else:
        if terms is not None:
            raise TypeError("terms name the columns of a sparse matrix of counts, and documents is none")
        stream = _in_step(spare.watching(iterable_documents(documents)), columns)
        vocabulary, counts = count_documents(stream, settings.analyzer, settings.field_names, n_jobs=n_jobs)
    for column in columns:
        column.check_length(counts.n_docs)
    if first:
        spare.check_fields()
    found = spare.found if rows is None else rows.values
    return Batch(vocabulary, counts, None if names is None else distinct_ids(names.values), found)


class _Column:
    """Values that come beside the documents, one each, taken as the documents are."""

    def __init__(self, name: str, values: Any, checked: Callable[[Any, str], Any]) -> None:
        if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
            raise TypeError(f"{name} must be an iterable with one entry a document, got {shown(values)}")
        self._name = name
        self._rest = iter(values)
        self._checked = checked
        self.values: list[Any] = []

    def take(self) -> None:
        """Take the value of the next document, if there is one."""
        for value in self._rest:
            self.values.append(self._checked(value, self._name))
            return

    def take_rest(self) -> None:
        """Take all values that are left."""
        self.values.extend(self._checked(value, self._name) for value in self._rest)

    def check_length(self, n_docs: int) -> None:
        """Refuse fewer or more values than documents."""
        if len(self.values) == n_docs:
            self.take_rest()
        if len(self.values) != n_docs:
            raise ValueError(
                f"{self._name} must have one entry a document, got {len(self.values)} for {n_docs} documents"
            )


def _in_step(documents: Iterable[Any], columns: Sequence[_Column]) -> Iterable[Any]:
    """Return the documents; each takes its values with it, so that one source can feed all of them."""
    return _stepping(documents, columns) if columns else documents


def _stepping(documents: Iterable[Any], columns: Sequence[_Column]) -> Iterator[Any]:
    """Yield the documents and take the values of each."""
    for document in documents:
        for column in columns:
            column.take()
        yield document


def _plain_row(row: Any, name: str) -> Mapping[str, Any] | None:
    """Return one document's metadata as a mapping of its own."""
    if row is not None and not isinstance(row, Mapping):
        raise TypeError(f"{name} must hold mappings or None, got {shown(row)}")
    return None if row is None else dict(row)


class _Spare:
    """Collects the keys of mappings that are not fields: filters may look at them."""

    def __init__(self, settings: Settings) -> None:
        self._fields = frozenset(settings.field_names)
        self._names = settings.field_names
        self._seen: set[str] = set()
        self._kept: list[dict[str, Any]] = []
        self._any = False

    def check_fields(self) -> None:
        """Refuse a field that documents with content never have: most likely it is misspelled."""
        absent = [name for name in self._names if name not in self._seen]
        if absent and (self._seen or self._any):
            raise ValueError(f"fields names {absent[0]!r}, which none of the {len(self._kept)} documents has")

    def watching(self, documents: Iterable[Any]) -> Iterable[Any]:
        """Return the documents, noting their spare keys on the way."""
        return self._watch(documents) if self._fields else documents

    def _watch(self, documents: Iterable[Any]) -> Iterator[Any]:
        """Yield the documents and note what else they hold."""
        for document in documents:
            spare: dict[str, Any] = {}
            if isinstance(document, Mapping):
                for key, value in document.items():
                    if key in self._fields:
                        self._seen.add(key)
                    else:
                        spare[key] = value
            self._any |= bool(spare)
            self._kept.append(spare)
            yield document

    @property
    def found(self) -> Metadata | None:
        """Return the spare keys of every document, or None where there are none."""
        return self._kept if self._any else None


def iterable_documents(documents: Any) -> Iterable[Any]:
    """
    Return something that yields documents, or say what was given instead.

    Parameters
    ----------
    documents : object
        An iterable, or a column of a data frame.

    Returns
    -------
    iterable
        The documents.

    Raises
    ------
    TypeError
        If it is a single text, a mapping, a whole data frame or no iterable.
    """
    if isinstance(documents, str | bytes | Mapping):
        raise TypeError(f"documents must be an iterable of documents, got {shown(documents)}")
    if hasattr(documents, "columns") and hasattr(documents, "shape"):
        raise TypeError(f"documents must be one column of texts, got a whole {type(documents).__name__}")
    for convert in ("to_pylist", "to_list", "tolist"):  # columns of Arrow, pandas and polars, arrays
        method: Callable[[], Iterable[Any]] | None = getattr(documents, convert, None)
        if method is not None:
            return method()
    if not isinstance(documents, Iterable):
        raise TypeError(f"documents must be an iterable of documents, got {shown(documents)}")
    return documents
