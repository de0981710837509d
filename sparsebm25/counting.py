"""From texts, token lists, fields or a matrix to counts, in one pass over the documents."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain, compress
from operator import ne
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from sparsebm25._blocks import posting_blocks
from sparsebm25._checks import checked_entries, checked_inside, is_sparse, shown
from sparsebm25._numbering import (
    CHUNK_CHARACTERS,
    Document,
    Numbering,
    Numbers,
    Reading,
    chunks_of,
    kept_tokens,
    missing,
)
from sparsebm25._workers import Workers
from sparsebm25.counts import MAX_POSTINGS, Counts, append_counts, join_fields, no_counts
from sparsebm25.protocols import Bools, Ints, TextAnalyzer
from sparsebm25.vocabulary import Vocabulary

__all__ = [
    "CHUNK_TOKENS",
    "Document",
    "count_documents",
    "count_ordinals",
    "counts_of_matrix",
    "missing",
    "no_documents",
]

T = TypeVar("T")

CHUNK_TOKENS = 2**25
"""Tokens held as numbers of four bytes before they become counts."""


def count_ordinals(ords: Ints, indptr: Ints, n_terms: int) -> Counts:
    """
    Return the counts of documents whose tokens are given as term ordinals.

    Parameters
    ----------
    ords : ndarray of shape (n_tokens,), dtype int32
        The documents' tokens, one document after the other; negative ones
        are tokens that do not count.
    indptr : ndarray of shape (n_docs + 1,), dtype int
        Where each document begins and ends in `ords`.
    n_terms : int
        One more than the largest ordinal.

    Returns
    -------
    Counts
        With one field.

    Notes
    -----
    Two linear passes, no sorting: turning documents-by-terms into
    terms-by-documents is a counting sort that lays the repeats of a term in
    a document side by side.
    """
    ords, indptr = kept_tokens(ords, indptr)
    docs, starts = _by_term(ords, indptr, n_terms)
    new = np.ones(docs.size, np.bool_)
    np.not_equal(docs[1:], docs[:-1], out=new[1:])
    new[starts[starts < docs.size]] = True  # also where it is the same document for the next term
    indices = docs[new]
    del docs  # they are as large as the result
    firsts = _places(new)
    term_starts = np.searchsorted(firsts, starts).astype(np.int32)
    for block in posting_blocks(indices.size):  # the distance to the next is the count
        np.subtract(firsts[block.start + 1 : block.stop + 1], firsts[block], out=firsts[block])
    return Counts(term_starts, indices, (firsts[:-1],), (np.diff(indptr).astype(np.int64),))


def _places(marks: Bools) -> Ints:
    """Return where marks are True, and the end, in 32 bits and block by block: NumPy would take 64."""
    places = np.full(np.count_nonzero(marks) + 1, marks.size, np.int32)
    filled = 0
    for block in posting_blocks(marks.size):
        found = np.flatnonzero(marks[block])
        places[filled : filled + found.size] = found + block.start
        filled += found.size
    return places


def _by_term(ords: Ints, indptr: Ints, n_terms: int) -> tuple[Ints, Ints]:
    """Return the document of each token, sorted by term and document, and where each term begins and ends."""
    ones = np.ones(ords.size, np.int8)  # the smallest there is: they are only carried along
    tokens = csr_array((ones, ords, indptr.astype(np.int32)), shape=(indptr.size - 1, n_terms)).tocsc()
    return tokens.indices, tokens.indptr


def count_documents(
    documents: Iterable[Document],
    analyzer: TextAnalyzer | None,
    fields: Sequence[str] = (),
    *,
    n_jobs: int = 1,
) -> tuple[Vocabulary, Counts]:
    """
    Return the vocabulary and the counts of documents.

    Parameters
    ----------
    documents : iterable of str, list of str, mapping or None
        Texts, token lists, or with `fields` mappings from field to text, to
        a list of texts whose tokens add up, or to None. None and NaN are
        empty documents. Generators are read once.
    analyzer : callable or None
        Turns a text into tokens. One that also has ``split`` and ``term``
        (see `sparsebm25.text.Analyzer`) is asked for the term of each
        distinct token once. None: only token lists are taken.
    fields : sequence of str, default ()
        Names of the fields to count; () for documents without fields.
    n_jobs : int, default 1
        Processes that turn documents into tokens and tokens into terms, at
        least 1. The result does not depend on it.

    Returns
    -------
    vocabulary : Vocabulary
        The distinct terms, sorted.
    counts : Counts
        One field a name, or one.

    Raises
    ------
    TypeError
        If a document or token is of a wrong type; the first wrong one is named.

    Notes
    -----
    One pass. Beside the result, the distinct raw tokens and at most
    `CHUNK_TOKENS` tokens, of four bytes each, are in memory; of the documents
    about half a million characters, with several processes two chunks of four
    million for each.

    Examples
    --------
    >>> from sparsebm25.counting import count_documents
    >>> vocabulary, counts = count_documents([["b", "a", "b"], [], ["a"]], None)
    >>> list(vocabulary), counts.tf.toarray().tolist()
    (['a', 'b'], [[1, 2], [0, 0], [1, 0]])
    """
    with closing(_numbered_parts(documents, analyzer, tuple(fields), n_jobs)) as parts:
        return _joined([_counted(numbers) for numbers in parts])


def _numbered_parts(
    documents: Iterable[Document], analyzer: TextAnalyzer | None, fields: tuple[str, ...], n_jobs: int
) -> Generator[Numbers, None, None]:
    """Yield the numbers of the tokens of consecutive parts of the documents; at least one."""
    reading = Reading(analyzer)
    if n_jobs == 1:
        numbering = Numbering(reading, fields, reading.terms)
        yield from _filled(numbering, chunks_of(documents, CHUNK_CHARACTERS), numbering.read)
        return
    with closing(Workers(analyzer, fields, n_jobs)) as workers:
        numbering = Numbering(reading, fields, workers.terms)
        yield from _filled(numbering, workers.pieces(documents), numbering.absorb)


def _filled(numbering: Numbering, pieces: Iterable[T], add: Callable[[T], None]) -> Iterator[Numbers]:
    """Yield the numbers whenever a numbering is full, and at the end."""
    for piece in pieces:
        add(piece)
        if numbering.n_tokens >= CHUNK_TOKENS:
            yield numbering.take()
    yield numbering.take()


def _counted(numbers: Numbers) -> tuple[Vocabulary, Counts]:
    """Return the vocabulary and the counts of numbered documents; their numbers change."""
    terms, ranks = _sorted_terms(numbers.terms)
    term_ords = ranks[numbers.places]
    fields = []
    for ords, lengths in zip(numbers.ords, numbers.lengths, strict=True):
        for block in posting_blocks(ords.size):  # in place: a copy of all of them would be large
            ords[block] = term_ords[ords[block]]
        indptr = np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))
        fields.append(count_ordinals(ords, indptr, len(terms)))
    return Vocabulary(terms), join_fields(fields)


def _sorted_terms(terms: Sequence[str | None]) -> tuple[list[str], Ints]:
    """Return the distinct terms, sorted, and where each of the given ones stands there; -1 for None."""
    given = [term for term in terms if term is not None]
    order = sorted(range(len(given)), key=given.__getitem__)  # looking the terms up later would take longer
    ordered = [given[place] for place in order]
    new = list(map(ne, ordered, chain((None,), ordered)))
    given_ranks = np.empty(len(given), np.int32)
    given_ranks[order] = np.cumsum(new) - 1
    ranks = np.full(len(terms), -1, np.int32)
    ranks[[term is not None for term in terms]] = given_ranks
    return list(compress(ordered, new)), ranks


def _joined(parts: Sequence[tuple[Vocabulary, Counts]]) -> tuple[Vocabulary, Counts]:
    """Return the vocabulary and the counts of consecutive parts."""
    vocabulary, counts = parts[0]
    if len(parts) > 1:
        for terms, _ in parts[1:]:
            vocabulary = vocabulary.union(terms)
        ords = [vocabulary.ords_of(terms) for terms, _ in parts]
        counts = append_counts([part for _, part in parts], ords, len(vocabulary))
    return vocabulary, counts


def counts_of_matrix(matrix: Any, terms: Iterable[str] | None = None) -> tuple[Vocabulary, Counts]:
    """
    Return the vocabulary and the counts that a sparse matrix holds.

    Parameters
    ----------
    matrix : sparse array or matrix of shape (n_docs, n_terms)
        Counts: whole numbers of at least 0 in any numeric dtype. Repeated
        entries are added, stored zeros dropped.
    terms : iterable of str, optional
        The term of each column, all distinct. Without them a term is the
        number of its column.

    Returns
    -------
    vocabulary : Vocabulary
        The terms that occur, sorted; with column numbers, all columns.
    counts : Counts
        With one field.

    Raises
    ------
    ValueError
        If an entry is negative, fractional or not finite, or the terms do
        not fit the columns.
    """
    columns = _checked_counts(matrix)
    if columns.nnz > MAX_POSTINGS:
        raise OverflowError(
            f"{columns.nnz} postings; one index holds at most {MAX_POSTINGS}: split the collection"
        )
    indptr, indices = (array.astype(np.int32, copy=False) for array in (columns.indptr, columns.indices))
    lengths = np.zeros(columns.shape[0], np.int64)
    for part in posting_blocks(indices.size):
        np.add.at(lengths, indices[part], columns.data[part].astype(np.int64))
    counts = Counts(indptr, indices, (columns.data,), (lengths,))
    if terms is None:
        return Vocabulary(range(counts.n_terms)), counts
    if isinstance(terms, str) or not isinstance(terms, Iterable):
        raise TypeError(f"terms must be an iterable of terms, got {shown(terms)}")
    names = list(terms)
    wrong = [name for name in names if not isinstance(name, str)]
    if wrong:
        raise TypeError(f"a term must be a str, got {shown(wrong[0])}")
    if len(names) != counts.n_terms or len(set(names)) != len(names):
        raise ValueError(
            f"terms must name each of the {counts.n_terms} columns once, got {len(names)} "
            f"names, {len(set(names))} of them distinct"
        )
    return _by_text(names, counts)


def _by_text(names: Sequence[str], counts: Counts) -> tuple[Vocabulary, Counts]:
    """Return the vocabulary of the terms that occur, sorted, and the counts in that order."""
    held = counts.doc_freqs > 0
    occurs = list(compress(names, held.tolist()))
    ordered = sorted(occurs)
    present = Counts(
        np.concatenate((counts.indptr[:1], counts.indptr[1:][held])),
        counts.indices,
        counts.field_tf,
        counts.field_lengths,
    )
    if ordered == occurs:
        return Vocabulary(ordered), present
    ranks = {name: rank for rank, name in enumerate(ordered)}
    ords = np.fromiter(map(ranks.__getitem__, occurs), np.int64, len(occurs))
    return Vocabulary(ordered), append_counts([present], [ords], len(ordered))


def _checked_counts(matrix: Any) -> Any:
    """Return the matrix term by term with sorted, positive whole numbers, or say what is wrong."""
    if not is_sparse(matrix) or len(matrix.shape) != 2:
        raise TypeError(f"counts must be a sparse matrix of documents by terms, got {shown(matrix)}")
    if matrix.dtype == np.float16:  # SciPy cannot turn it into columns
        matrix = matrix.astype(np.float32)
    by_rows_or_columns = matrix.format in ("csr", "csc")  # turned into columns without a list of entries
    entries = checked_inside(matrix) if by_rows_or_columns else checked_entries(matrix)
    _check_values(entries.data)
    if (
        not by_rows_or_columns
    ):  # repeated entries are added on the way, and sums of narrow types wrap silently
        entries = entries.astype(np.int64)
    columns = entries.tocsc(copy=entries.format == "csc")  # never the caller's own arrays
    if not columns.has_canonical_format:
        columns.data = columns.data.astype(np.int64)
        columns.sum_duplicates()
    if not columns.data.all():
        columns.eliminate_zeros()
    _check_largest(columns.data)
    columns.data = columns.data.astype(np.int32, copy=False)
    return columns


def _check_values(values: NDArray[Any]) -> None:
    """Refuse numbers that are no counts, a block at a time."""
    if values.dtype.kind not in "biuf":
        raise TypeError(f"counts must be numbers, got dtype {values.dtype}")
    for part in posting_blocks(values.size):
        block = values[part]
        bad = block < 0
        if block.dtype.kind == "f":
            bad |= ~np.isfinite(block) | (block != np.floor(block))
        if bad.any():
            raise ValueError(f"counts must be whole numbers >= 0, got {block[bad][0].item()!r}")
    _check_largest(values)


def _check_largest(data: NDArray[Any]) -> None:
    """Refuse counts that 32 bits cannot hold."""
    if data.size and data.max() > np.iinfo(np.int32).max:
        raise ValueError(f"a count must be at most {np.iinfo(np.int32).max}, got {data.max().item()!r}")


def no_documents(n_fields: int) -> tuple[Vocabulary, Counts]:
    """
    Return the vocabulary and the counts of an empty collection.

    Parameters
    ----------
    n_fields : int
        Number of fields, at least 1.

    Returns
    -------
    vocabulary : Vocabulary
        Without terms.
    counts : Counts
        Without documents.
    """
    return Vocabulary([]), no_counts(n_fields)
