"""From texts, token lists, fields or a matrix to counts, in one pass over the documents."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from sparsebm25._callables import checked_tokens
from sparsebm25._checks import checked_entries, is_sparse, shown
from sparsebm25.counts import MAX_POSTINGS, Counts, append_counts, join_fields, no_counts
from sparsebm25.protocols import Ints, TextAnalyzer
from sparsebm25.vocabulary import Vocabulary

Document: TypeAlias = str | Sequence[str] | Mapping[str, Any] | None
"""A text, its tokens, named fields of these, or nothing."""

CHUNK_TOKENS = 2**20
"""Tokens held as Python objects before they become counts."""


def missing(value: object) -> bool:
    """
    Return whether a value stands for no text.

    Parameters
    ----------
    value : object
        Anything.

    Returns
    -------
    bool
        True for None, NaN, and the ways in which data frames say "missing".
    """
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float | np.floating) and math.isnan(value)


class _FirstSeen(dict[str, int]):
    """Ordinals of terms in the order in which they are first asked for."""

    def __missing__(self, term: str) -> int:
        if not isinstance(term, str):
            raise TypeError(term)  # the caller knows which token it was
        self[str(term)] = ordinal = len(self)
        return ordinal


class _RawTokens(dict[str, int]):
    """Ordinal of the term of each raw token, -1 where the analyzer drops it; one call per distinct token."""

    def __init__(self, term_of: Callable[[str], str | None], terms: _FirstSeen) -> None:
        super().__init__()
        self._term_of = term_of
        self._terms = terms

    def __missing__(self, token: str) -> int:
        term = self._term_of(token)
        self[token] = ordinal = -1 if term is None else self._terms[term]
        return ordinal


class _FieldTokens:
    """The tokens of one field of the documents seen since the last flush."""

    def __init__(self) -> None:
        self.ords: list[int] = []
        self.ends: list[int] = []

    def counts(self, n_terms: int) -> Counts:
        """Return the counts of the tokens, in the order of first sight, and forget them."""
        ords = np.fromiter(self.ords, np.int32, len(self.ords))
        ends = np.fromiter(self.ends, np.int64, len(self.ends))
        self.ords, self.ends = [], []
        return count_ordinals(ords, np.concatenate(([0], ends)), n_terms)


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
    counted = ords >= 0
    if not counted.all():
        indptr = np.concatenate(([0], np.cumsum(counted)))[indptr]
        ords = ords[counted]
    n_docs = indptr.size - 1
    tokens = csr_array(
        (np.ones(ords.size, np.int8), ords, indptr.astype(np.int32)), shape=(n_docs, n_terms)
    ).tocsc()
    docs, starts = tokens.indices, tokens.indptr
    first = np.ones(docs.size + 1, np.bool_)  # a posting begins where the document or the term changes
    np.not_equal(docs[1:], docs[:-1], out=first[1:-1])
    first[starts] = True
    postings = np.flatnonzero(first)
    before = np.concatenate(([0], np.cumsum(first[:-1])))
    return Counts(
        before[starts].astype(np.int32),
        docs[postings[:-1]],
        (np.diff(postings).astype(np.int32),),
        (np.diff(indptr).astype(np.int64),),
    )


class _Counter:
    """Counts documents as they come; holds at most a chunk of them as tokens."""

    def __init__(self, analyzer: TextAnalyzer | None, fields: tuple[str, ...]) -> None:
        self._fields = fields
        self._tokens = [_FieldTokens() for _ in range(max(len(fields), 1))]
        self._terms = _FirstSeen()
        self._split, raw = _two_steps(analyzer, self._terms)
        self._raw_ordinal = raw.__getitem__
        self._chunks: list[list[Counts]] = [[] for _ in self._tokens]
        self._held = 0

    def add(self, document: Document) -> None:
        """Count one document."""
        if not self._fields:
            self._add_text(self._tokens[0], document)
        else:
            if missing(document):
                document = {}
            if not isinstance(document, Mapping):
                raise TypeError(
                    f"a document of an index with fields must be a mapping, got {shown(document)}"
                )
            for name, tokens in zip(self._fields, self._tokens, strict=True):
                self._add_text(tokens, document.get(name))
        if self._held >= CHUNK_TOKENS:
            self._flush()

    def _add_text(self, tokens: _FieldTokens, text: Document) -> None:
        """Append the tokens of one field of a document."""
        before = len(tokens.ords)
        if isinstance(text, str):
            if self._split is None:
                raise TypeError(f"this index takes token lists, not text (analyzer=None), got {shown(text)}")
            tokens.ords.extend(map(self._raw_ordinal, self._split(text)))
        elif isinstance(text, list | tuple):
            self._add_list(tokens, text)
        elif not missing(text):
            raise TypeError(f"a document must be a str, a list of tokens or None, got {shown(text)}")
        tokens.ends.append(len(tokens.ords))
        self._held += len(tokens.ords) - before

    def _add_list(self, tokens: _FieldTokens, parts: Sequence[Any]) -> None:
        """Append a list: tokens of a plain document, the values of a list-valued field."""
        if not self._fields or self._split is None:
            try:
                tokens.ords.extend(map(self._terms.__getitem__, parts))
            except TypeError:
                wrong = next((part for part in parts if not isinstance(part, str)), None)
                raise TypeError(
                    f"a token must be a str, got {shown(wrong)} of type {type(wrong).__name__}"
                ) from None
            return
        for part in parts:
            if not isinstance(part, str):
                raise TypeError(f"a field must hold text or a list of texts, got {shown(part)} in the list")
            tokens.ords.extend(map(self._raw_ordinal, self._split(part)))

    def _flush(self) -> None:
        """Turn the held tokens into counts."""
        for chunks, tokens in zip(self._chunks, self._tokens, strict=True):
            chunks.append(tokens.counts(len(self._terms)))
        self._held = 0

    def result(self) -> tuple[Vocabulary, Counts]:
        """Return the sorted vocabulary and the counts on it."""
        self._flush()
        terms = sorted(self._terms)
        rank = np.empty(len(terms), np.int64)
        rank[np.fromiter(map(self._terms.__getitem__, terms), np.int64, len(terms))] = np.arange(len(terms))
        fields = []
        for chunks in self._chunks:
            ranks = [rank[: chunk.n_terms] for chunk in chunks]
            fields.append(append_counts(chunks, ranks, len(terms)))
            chunks.clear()
        return Vocabulary(terms), join_fields(fields)


def _two_steps(
    analyzer: TextAnalyzer | None, terms: _FirstSeen
) -> tuple[Callable[[str], list[str]] | None, dict[str, int]]:
    """Return how to split a text, and the table from raw tokens to ordinals."""
    split = getattr(analyzer, "split", None)
    term = getattr(analyzer, "term", None)
    if analyzer is not None and (split is None or term is None):  # a plain callable does both at once
        return partial(checked_tokens, analyzer), terms
    if term is None:
        return None, terms
    return split, _RawTokens(term, terms)


def count_documents(
    documents: Iterable[Document], analyzer: TextAnalyzer | None, fields: Sequence[str] = ()
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

    Returns
    -------
    vocabulary : Vocabulary
        The distinct terms, sorted.
    counts : Counts
        One field a name, or one.

    Raises
    ------
    TypeError
        If a document or token is of a wrong type.

    Notes
    -----
    One pass. Beside the result only the distinct raw tokens and about a
    million tokens are in memory, never the documents.

    Examples
    --------
    >>> from sparsebm25.counting import count_documents
    >>> vocabulary, counts = count_documents([["b", "a", "b"], [], ["a"]], None)
    >>> list(vocabulary), counts.tf.toarray().tolist()
    (['a', 'b'], [[1, 2], [0, 0], [1, 0]])
    """
    counter = _Counter(analyzer, tuple(fields))
    for document in documents:
        counter.add(document)
    return counter.result()


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
    lengths = np.asarray(columns.sum(axis=1), np.int64).ravel()
    counts = Counts(
        columns.indptr.astype(np.int32),
        columns.indices.astype(np.int32),
        (columns.data.astype(np.int32),),
        (lengths,),
    )
    if terms is None:
        return Vocabulary(range(counts.n_terms)), counts
    if isinstance(terms, str):
        raise TypeError(f"terms must be an iterable of terms, got {shown(terms)}")
    names = list(terms)
    if len(names) != counts.n_terms or len(set(names)) != len(names):
        raise ValueError(
            f"terms must name each of the {counts.n_terms} columns once, got {len(names)} "
            f"names, {len(set(names))} of them distinct"
        )
    wrong = next((name for name in names if not isinstance(name, str)), None)
    if wrong is not None:
        raise TypeError(f"a term must be a str, got {shown(wrong)}")
    occurs = [name for name, doc_freq in zip(names, counts.doc_freqs.tolist(), strict=True) if doc_freq]
    ranks = {name: rank for rank, name in enumerate(sorted(occurs))}
    present = Counts(
        np.concatenate((counts.indptr[:1], counts.indptr[1:][counts.doc_freqs > 0])),
        counts.indices,
        counts.field_tf,
        counts.field_lengths,
    )
    ords = np.fromiter(map(ranks.__getitem__, occurs), np.int64, len(occurs))
    return Vocabulary(sorted(occurs)), append_counts([present], [ords], len(occurs))


def _checked_counts(matrix: Any) -> Any:
    """Return the matrix term by term with sorted, positive whole numbers, or say what is wrong."""
    if not is_sparse(matrix) or len(matrix.shape) != 2:
        raise TypeError(f"counts must be a sparse matrix of documents by terms, got {shown(matrix)}")
    entries = checked_entries(matrix)
    data: NDArray[Any] = entries.data
    if data.dtype.kind not in "biuf":
        raise TypeError(f"counts must be numbers, got dtype {data.dtype}")
    bad = ~np.isfinite(data) if data.dtype.kind == "f" else np.zeros(data.size, np.bool_)
    bad |= (data < 0) | (data != np.floor(data)) if data.dtype.kind != "b" else False
    if bad.any():
        raise ValueError(f"counts must be whole numbers >= 0, got {data[bad][0].item()!r}")
    _check_largest(data)
    # Widened before repeated entries are added: sums of narrow types wrap silently.
    columns = entries.astype(np.int64).tocsc()
    columns.sum_duplicates()
    columns.eliminate_zeros()
    _check_largest(columns.data)
    return columns


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
