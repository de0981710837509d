"""How often does each term occur in each document? Everything else follows from this."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from sparsebm25._blocks import posting_blocks, terms_in
from sparsebm25._lazy import Derived, freeze, lazy
from sparsebm25.protocols import Bools, Ints

MAX_POSTINGS = 2**31 - 1
"""Index arrays stay 32-bit: wider ones double the memory and make SciPy copy."""


@dataclass(frozen=True, eq=False)
class Counts(Derived):
    """
    Return the term counts of a collection, field by field.

    The stored entries lie term by term, documents ascending, because that is
    the order in which scoring reads them; weights share `indptr` and
    `indices` and only bring numbers of their own. `tf` is the same matrix
    with documents as rows.

    Parameters
    ----------
    indptr : ndarray of shape (n_terms + 1,), dtype int32
        Where the postings of each term begin and end.
    indices : ndarray of shape (n_postings,), dtype int32
        Document ordinal of each posting, ascending within a term.
    field_tf : tuple of ndarray of shape (n_postings,), dtype int32
        Occurrences, one array a field; a collection without fields has one.
        Unit: tokens. A posting has at least one occurrence in some field.
    field_lengths : tuple of ndarray of shape (n_docs,), dtype int64
        Length of every document, one array a field. Unit: tokens.

    Notes
    -----
    The arrays are shared, never copied, and read-only.

    Examples
    --------
    >>> from sparsebm25 import BM25Index
    >>> counts = BM25Index().fit(["red kite red", "blue kite"]).counts
    >>> counts.tf.toarray()  # columns: blue, kite, red
    array([[0, 1, 2],
           [1, 1, 0]], dtype=int32)
    >>> counts.doc_lengths, counts.doc_freqs
    (array([3, 2]), array([1, 2, 1], dtype=int32))
    """

    indptr: Ints
    indices: Ints
    field_tf: tuple[Ints, ...]
    field_lengths: tuple[Ints, ...]

    def __post_init__(self) -> None:
        freeze(self.indptr, self.indices, *self.field_tf, *self.field_lengths)

    @property
    def n_docs(self) -> int:
        """Return the number of documents."""
        return int(self.field_lengths[0].size)

    @property
    def n_terms(self) -> int:
        """Return the number of distinct terms."""
        return int(self.indptr.size) - 1

    @property
    def n_postings(self) -> int:
        """Return the number of stored (term, document) pairs."""
        return int(self.indices.size)

    @lazy
    def tf(self) -> csr_array:
        """Return the counts as csr_array of shape (n_docs, n_terms), int32; made once, O(n_postings)."""
        tf = self._by_term(sum(self.field_tf[1:], self.field_tf[0])).T.tocsr()
        freeze(tf.data, tf.indices, tf.indptr)
        return tf

    def field_matrix(self, field: int) -> csr_array:
        """
        Return the counts of one field as a matrix of documents by terms.

        Parameters
        ----------
        field : int
            Place of the field, from 0.

        Returns
        -------
        csr_array of shape (n_docs, n_terms), dtype int32
            Only stored entries > 0; a new matrix, O(n_postings).
        """
        matrix = self._by_term(self.field_tf[field].copy()).T.tocsr()
        matrix.eliminate_zeros()
        return matrix

    def _by_term(self, data: Ints) -> csr_array:
        """Return term-major counts on the shared structure."""
        return csr_array((data, self.indices, self.indptr), shape=(self.n_terms, self.n_docs), copy=False)

    @property
    def doc_freqs(self) -> Ints:
        """Return the number of documents that hold each term, (n_terms,), int32."""
        return np.diff(self.indptr)

    @property
    def collection_freqs(self) -> Ints:
        """Return the occurrences of each term in all documents, (n_terms,), int64. Unit: tokens."""
        total = np.zeros(self.n_postings + 1, np.int64)
        np.cumsum(sum(self.field_tf[1:], self.field_tf[0]), out=total[1:])
        return np.diff(total[self.indptr])

    @lazy
    def doc_lengths(self) -> Ints:
        """Return the tokens of each document over all fields, (n_docs,), int64."""
        lengths = sum(self.field_lengths[1:], self.field_lengths[0])
        freeze(lengths)
        return lengths

    @property
    def field_totals(self) -> tuple[int, ...]:
        """Return the tokens of all documents, field by field."""
        return tuple(int(lengths.sum()) for lengths in self.field_lengths)

    @property
    def mean_length(self) -> float:
        """Return the mean tokens of a document over all fields; 0 without documents."""
        return sum(self.field_totals) / self.n_docs if self.n_docs else 0.0

    @lazy
    def nbytes(self) -> int:
        """Return the bytes of the arrays."""
        arrays = (self.indptr, self.indices, *self.field_tf, *self.field_lengths)
        return sum(array.nbytes for array in arrays)

    def check(self) -> None:
        """
        Check the invariants of the arrays, in O(n_postings).

        Raises
        ------
        ValueError
            Names the invariant that does not hold.
        """
        if self.indptr[0] != 0 or self.indptr[-1] != self.indices.size or (np.diff(self.indptr) < 0).any():
            raise ValueError(f"indptr must rise from 0 to {self.indices.size}")
        if self.indices.size and not (self.indices.min() >= 0 and self.indices.max() < self.n_docs):
            raise ValueError(f"indices must lie in 0 to {self.n_docs - 1}")
        rises = np.diff(self.indices) > 0
        starts = self.indptr[1:-1][(self.indptr[1:-1] > 0) & (self.indptr[1:-1] < self.indices.size)] - 1
        rises[starts] = True
        if not rises.all():
            raise ValueError("the documents of a term must rise")
        if any(tf.shape != self.indices.shape or (tf < 0).any() for tf in self.field_tf):
            raise ValueError(f"each field needs {self.indices.size} counts of at least 0")
        if any(lengths.size != self.n_docs or (lengths < 0).any() for lengths in self.field_lengths):
            raise ValueError(f"each field needs {self.n_docs} lengths of at least 0")


def no_counts(n_fields: int) -> Counts:
    """
    Return the counts of no documents.

    Parameters
    ----------
    n_fields : int
        Number of fields, at least 1.

    Returns
    -------
    Counts
        Without documents and terms.
    """
    nothing = np.zeros(0, np.int32)
    return Counts(np.zeros(1, np.int32), nothing, (nothing,) * n_fields, (np.zeros(0, np.int64),) * n_fields)


def append_counts(parts: Sequence[Counts], term_ords: Sequence[Ints], n_terms: int) -> Counts:
    """
    Return the counts of several collections, one after the other.

    Parameters
    ----------
    parts : sequence of Counts
        At least one, all with the same number of fields.
    term_ords : sequence of ndarray of shape (n_terms of the part,), dtype int
        Where each part's terms stand in the result.
    n_terms : int
        Number of terms of the result.

    Returns
    -------
    Counts
        Documents in the order of the parts.

    Raises
    ------
    OverflowError
        If the result has more than 2**31 - 1 postings or documents.

    Notes
    -----
    O(n_postings + n_terms); each posting is copied once to its place.
    """
    n_postings = sum(part.n_postings for part in parts)
    n_docs = sum(part.n_docs for part in parts)
    if max(n_postings, n_docs) > MAX_POSTINGS:
        raise OverflowError(
            f"{n_postings} postings of {n_docs} documents; one index holds at most {MAX_POSTINGS} of each: "
            "split the collection and share the statistics"
        )
    doc_freqs = np.zeros(n_terms, np.int64)
    for part, ords in zip(parts, term_ords, strict=True):
        doc_freqs[ords] += part.doc_freqs
    indptr = np.concatenate(([0], np.cumsum(doc_freqs))).astype(np.int32)
    n_fields = len(parts[0].field_tf)
    indices = np.empty(n_postings, np.int32)
    field_tf = tuple(np.empty(n_postings, np.int32) for _ in range(n_fields))
    filled = indptr[:-1].astype(np.int64)
    first_doc = 0
    for part, ords in zip(parts, term_ords, strict=True):
        moves = filled[ords] - part.indptr[:-1]
        for block in posting_blocks(part.n_postings):
            terms, n_held = terms_in(part.indptr, block)
            places = np.arange(block.start, block.stop) + np.repeat(moves[terms], n_held)
            indices[places] = part.indices[block] + np.int32(first_doc)
            for tf, part_tf in zip(field_tf, part.field_tf, strict=True):
                tf[places] = part_tf[block]
        filled[ords] += part.doc_freqs
        first_doc += part.n_docs
    lengths = tuple(np.concatenate([part.field_lengths[f] for part in parts]) for f in range(n_fields))
    return Counts(indptr, indices, field_tf, lengths)


def keep_documents(counts: Counts, keep: Bools) -> tuple[Counts, Ints]:
    """
    Return the counts of some documents, and the terms that are left.

    Parameters
    ----------
    counts : Counts
        The counts of all documents.
    keep : ndarray of shape (n_docs,), dtype bool
        Which documents stay; their order does not change.

    Returns
    -------
    kept : Counts
        Counts of the kept documents; terms that none of them holds are gone.
    term_ords : ndarray of shape (n_terms of kept,), dtype int
        Ordinals of the terms that are left, ascending.
    """
    stays = keep[counts.indices]
    kept_before = np.concatenate(([0], np.cumsum(stays)))
    doc_freqs = np.diff(kept_before[counts.indptr])
    term_ords = np.flatnonzero(doc_freqs)
    indptr = np.concatenate(([0], np.cumsum(doc_freqs[term_ords]))).astype(np.int32)
    new_ord = (np.cumsum(keep) - 1).astype(np.int32)
    kept = Counts(
        indptr,
        new_ord[counts.indices[stays]],
        tuple(tf[stays] for tf in counts.field_tf),
        tuple(lengths[keep] for lengths in counts.field_lengths),
    )
    return kept, term_ords


def reorder_documents(counts: Counts, new_ords: Ints) -> Counts:
    """
    Return the same counts with the documents at other positions.

    Parameters
    ----------
    counts : Counts
        The counts.
    new_ords : ndarray of shape (n_docs,), dtype int
        New position of each document; a permutation.

    Returns
    -------
    Counts
        Postings sorted again within each term.
    """
    moved = new_ords.astype(np.int32)[counts.indices]
    terms = np.repeat(np.arange(counts.n_terms, dtype=np.int32), counts.doc_freqs)
    order = np.lexsort((moved, terms))
    old_ords = np.argsort(new_ords)
    return Counts(
        counts.indptr,
        moved[order],
        tuple(tf[order] for tf in counts.field_tf),
        tuple(lengths[old_ords] for lengths in counts.field_lengths),
    )


def spread_terms(counts: Counts, term_ords: Ints, n_terms: int) -> Counts:
    """
    Return the same counts on a larger vocabulary.

    Parameters
    ----------
    counts : Counts
        The counts.
    term_ords : ndarray of shape (n_terms of counts,), dtype int
        Where each term stands in the larger vocabulary, ascending.
    n_terms : int
        Size of the larger vocabulary.

    Returns
    -------
    Counts
        Shares all arrays but `indptr`; terms without postings have none.
    """
    doc_freqs = np.zeros(n_terms, np.int64)
    doc_freqs[term_ords] = counts.doc_freqs
    indptr = np.concatenate(([0], np.cumsum(doc_freqs))).astype(np.int32)
    return Counts(indptr, counts.indices, counts.field_tf, counts.field_lengths)


def join_fields(fields: Sequence[Counts]) -> Counts:
    """
    Return one set of counts whose fields are the given single-field ones.

    Parameters
    ----------
    fields : sequence of Counts
        One a field, over the same documents and terms.

    Returns
    -------
    Counts
        A posting for every pair that some field holds, zeros where another
        field does not.
    """
    if len(fields) == 1:
        return fields[0]
    n_docs, n_terms = fields[0].n_docs, fields[0].n_terms
    keys = [
        np.repeat(np.arange(n_terms, dtype=np.int64) * n_docs, part.doc_freqs) + part.indices
        for part in fields
    ]
    pairs = np.sort(np.concatenate(keys))  # and not np.unique, which hashes integers, many times slower
    pairs = pairs[np.append(pairs[1:] != pairs[:-1], True)] if pairs.size else pairs
    field_tf = []
    for part, part_keys in zip(fields, keys, strict=True):
        tf = np.zeros(pairs.size, np.int32)
        tf[np.searchsorted(pairs, part_keys)] = part.field_tf[0]
        field_tf.append(tf)
    indptr = np.searchsorted(pairs, np.arange(n_terms + 1, dtype=np.int64) * n_docs).astype(np.int32)
    indices = (pairs % max(n_docs, 1)).astype(np.int32)
    return Counts(indptr, indices, tuple(field_tf), tuple(part.field_lengths[0] for part in fields))


def restrict_fields(counts: Counts, fields: Sequence[int]) -> Counts:
    """
    Return the counts of some fields: only pairs that one of them holds.

    Parameters
    ----------
    counts : Counts
        The counts of all fields.
    fields : sequence of int
        Places of the fields to keep, in the new order.

    Returns
    -------
    Counts
        On the same vocabulary; document frequencies are those of the kept fields.
    """
    held = np.zeros(counts.n_postings, np.bool_)
    for field in fields:
        held |= counts.field_tf[field] > 0
    held_before = np.concatenate(([0], np.cumsum(held)))
    return Counts(
        held_before[counts.indptr].astype(np.int32),
        counts.indices[held],
        tuple(counts.field_tf[field][held] for field in fields),
        tuple(counts.field_lengths[field] for field in fields),
    )
