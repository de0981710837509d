"""Documents as numbers: every token becomes the ordinal of its term, a chunk of documents at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, compress, groupby, islice
from typing import Any, TypeAlias

import numpy as np

from sparsebm25._callables import checked_tokens
from sparsebm25._checks import shown
from sparsebm25._token_table import FEW, Contents, TokenTable
from sparsebm25.protocols import Ints, TextAnalyzer
from sparsebm25.text._spans import ascii_splitter, keeps_tokens

Document: TypeAlias = str | Sequence[str] | Mapping[str, Any] | None
"""A text, its tokens, named fields of these, or nothing."""

CHUNK_CHARACTERS = 2**19
"""Characters that are read at a time: what becomes of them stays in the processor's cache."""

_TOKEN_CHARACTERS = 8  # of a token that is not looked at
_FEW_CHARACTERS = FEW * _TOKEN_CHARACTERS  # of texts that need not be split at once


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


def chunks_of(documents: Iterable[Document], n_characters: int) -> Iterator[list[Document]]:
    """Yield the documents in lists that end when they hold about `n_characters`."""
    rest = iter(documents)
    chunk: list[Document] = []
    held = 0
    while few := list(islice(rest, 32)):  # measured together: one by one costs as much as splitting
        chunk += few
        held += len(few) + _characters(few)
        if held >= n_characters:
            yield chunk
            chunk, held = [], 0
    if chunk:
        yield chunk


def _characters(documents: list[Any]) -> int:
    """Return about how many characters documents hold."""
    kinds = set(map(type, documents))
    if kinds == {str}:
        return sum(map(len, documents))
    if kinds == {list}:
        return _TOKEN_CHARACTERS * sum(map(len, documents))
    values = (
        value
        for document in documents
        for value in (document.values() if isinstance(document, Mapping) else (document,))
    )
    return sum(
        len(text)
        for value in values
        for text in (value if isinstance(value, list | tuple) else (value,))
        if isinstance(text, str)
    )


@dataclass(frozen=True)
class Numbers:
    """
    The tokens of documents as ordinals, field by field.

    The term of ordinal t is ``terms[places[t]]``; terms may repeat, and None is one that does not count.
    """

    terms: list[str | None]
    places: Ints
    ords: tuple[Ints, ...]
    lengths: tuple[Ints, ...]


@dataclass(frozen=True)
class Piece:
    """The same in the form in which a process sends it: terms are yet to be asked for."""

    raw: Contents
    listed: Contents
    ords: tuple[Ints, ...]
    lengths: tuple[Ints, ...]


TermsOf: TypeAlias = Callable[[list[str]], list[str | None]]
"""Raw tokens to their terms, None for those that are dropped."""


class Reading:
    """How an analyzer reads: many texts at once if it can, and each distinct raw token once."""

    def __init__(self, analyzer: TextAnalyzer | None) -> None:
        self.split_ascii = ascii_splitter(analyzer)
        self.split: Any = getattr(analyzer, "split", None)
        self.term: Any = getattr(analyzer, "term", None)
        if analyzer is not None and (self.split is None or self.term is None):
            self.split, self.term = partial(checked_tokens, analyzer), None  # it does both at once
        if keeps_tokens(analyzer):
            self.term = None

    def terms(self, tokens: list[str]) -> list[str | None]:
        """Return the term of each raw token, None where it is dropped."""
        terms = list(map(self.term, tokens))
        _check_tokens(term for term in terms if term is not None)
        return [term if term is None else str(term) for term in terms]


class Numbering:
    """
    Numbers the tokens of documents as they come; holds distinct tokens and numbers, but no document.

    `terms_of` is asked for the term of each distinct raw token once, None for those that are dropped.
    """

    def __init__(self, reading: Reading, fields: tuple[str, ...], terms_of: TermsOf) -> None:
        self._reading = reading
        self._fields = fields
        self._terms_of = terms_of
        self._known: dict[str, str | None] = {}
        self._begin()

    def _begin(self) -> None:
        """Forget all documents."""
        self._raw = TokenTable()
        self._listed = TokenTable()  # of tokens that are terms already; theirs are the negative ordinals
        self._ords: list[list[Ints]] = [[np.empty(0, np.int32)] for _ in self._fields or ("",)]
        self._lengths: list[list[Ints]] = [[np.empty(0, np.int32)] for _ in self._fields or ("",)]
        self.n_tokens = 0

    def read(self, documents: Sequence[Document]) -> None:
        """Add documents; where that fails, all that were added before are forgotten."""
        try:
            self._read(documents)
        except Exception as error:
            failure = error
        else:
            return
        self._begin()
        for document in documents:  # together they fail at any of their faults, one by one at the first
            self._read([document])
        raise failure

    def absorb(self, piece: Piece) -> None:
        """Add the documents that another numbering has read."""
        places = _from_both_ends(self._raw.absorb(piece.raw), ~self._listed.absorb(piece.listed))
        for field, (ords, lengths) in enumerate(zip(piece.ords, piece.lengths, strict=True)):
            self._append(field, places[ords])
            self._lengths[field].append(lengths)

    def piece(self) -> Piece:
        """Return all documents so far in a form for `absorb`."""
        return Piece(self._raw.contents(), self._listed.contents(), *self._joined())

    def take(self) -> Numbers:
        """Return the numbers of all documents so far, and begin anew."""
        raw, listed = self._raw, self._listed
        ords, lengths = self._joined()
        self._begin()  # before texts are made: they take the memory of what was joined
        tokens, places = raw.tokens()
        terms, term_places = listed.tokens()
        both = _from_both_ends(places, term_places + np.int32(len(tokens)))
        return Numbers([*self._terms(tokens), *terms], both, ords, lengths)

    def _joined(self) -> tuple[tuple[Ints, ...], tuple[Ints, ...]]:
        """Return ordinals and lengths of each field as one array."""
        return tuple(map(np.concatenate, self._ords)), tuple(map(np.concatenate, self._lengths))

    def _terms(self, tokens: list[str]) -> list[str | None]:
        """Return the term of each raw token, None where it is dropped."""
        if self._reading.term is None:
            return [*tokens]
        new = [token for token in dict.fromkeys(tokens) if token not in self._known]
        self._known.update(zip(new, self._terms_of(new), strict=True))
        return [self._known[token] for token in tokens]

    def _append(self, field: int, ords: Ints) -> None:
        """Add the tokens of one field of some documents."""
        self._ords[field].append(ords)
        self.n_tokens += ords.size

    def _read(self, documents: Sequence[Document]) -> None:
        """Add documents, field by field."""
        if not self._fields:
            self._read_field(0, documents)
            return
        mappings = [_mapping(document) for document in documents]
        for field, name in enumerate(self._fields):
            self._read_field(field, [mapping.get(name) for mapping in mappings])

    def _read_field(self, field: int, values: Sequence[Any]) -> None:
        """Add what one field of each document holds."""
        held = None
        if not set(map(type, values)) <= {str, list, tuple}:
            held = [not missing(value) for value in values]
            values = list(compress(values, held))
        lengths: list[Ints] = [np.empty(0, np.int32)]
        for kind, run in groupby(values, type):
            ords, run_lengths = self._read_run(kind, list(run))
            self._append(field, ords)
            lengths.append(run_lengths)
        self._lengths[field].append(_spread(np.concatenate(lengths), held))

    def _read_run(self, kind: type, values: list[Any]) -> tuple[Ints, Ints]:
        """Return the tokens of values of one type as ordinals, and how many each has."""
        if issubclass(kind, str):
            return self._read_texts(values)
        if not issubclass(kind, list | tuple):
            raise TypeError(f"a document must be a str, a list of tokens or None, got {shown(values[0])}")
        if self._fields and self._reading.split is not None:
            return self._read_text_lists(values)
        ords = _ordinals(self._listed, list(chain.from_iterable(values)))
        return ~ords, np.fromiter(map(len, values), np.int32, len(values))

    def _read_texts(self, texts: list[str]) -> tuple[Ints, Ints]:
        """Return the tokens of texts; those in ASCII are split at once where that can be."""
        if self._reading.split is None:
            raise TypeError(f"this index takes token lists, not text (analyzer=None), got {shown(texts[0])}")
        if self._reading.split_ascii is None or sum(map(len, texts)) < _FEW_CHARACTERS:
            return self._split_each(texts)
        plain = np.fromiter(map(str.isascii, texts), np.bool_, len(texts))
        spans, plain_lengths = self._reading.split_ascii(list(compress(texts, plain.tolist())))
        plain_ords = self._raw.span_ordinals(spans)
        if plain.all():
            return plain_ords, plain_lengths
        other_ords, other_lengths = self._split_each(list(compress(texts, (~plain).tolist())))
        lengths = np.empty(len(texts), np.int32)
        lengths[plain], lengths[~plain] = plain_lengths, other_lengths
        of_plain = np.repeat(plain, lengths)
        ords = np.empty(of_plain.size, np.int32)
        ords[of_plain], ords[~of_plain] = plain_ords, other_ords
        return ords, lengths

    def _split_each(self, texts: list[str]) -> tuple[Ints, Ints]:
        """Return the tokens of texts that are split one by one."""
        tokens: list[str] = []
        ends = [0]
        for text in texts:
            tokens += self._reading.split(text)
            ends.append(len(tokens))
        return _ordinals(self._raw, tokens), np.diff(ends).astype(np.int32)

    def _read_text_lists(self, lists: list[Sequence[Any]]) -> tuple[Ints, Ints]:
        """Return the tokens of lists of texts, those of each list together."""
        texts = list(chain.from_iterable(lists))
        wrong = [text for text in texts if not isinstance(text, str)]
        if wrong:
            raise TypeError(f"a field must hold text or a list of texts, got {shown(wrong[0])} in the list")
        ords, lengths = self._read_texts(texts)
        ends = np.cumsum([0, *map(len, lists)])
        return ords, np.diff(np.concatenate(([0], np.cumsum(lengths)))[ends])


def kept_tokens(ords: Ints, indptr: Ints) -> tuple[Ints, Ints]:
    """Return the tokens of documents that are not negative, and where each document begins and ends then."""
    dropped = np.flatnonzero(ords < 0)
    if not dropped.size:
        return ords, indptr
    return np.delete(ords, dropped), indptr - np.searchsorted(dropped, indptr)


def _from_both_ends(ahead: Ints, behind: Ints) -> Ints:
    """Return a table whose entries 0, 1, 2 are those of `ahead`, and -1, -2, -3 the first of `behind`."""
    return np.concatenate((ahead, behind[::-1]))


def _spread(lengths: Ints, held: list[bool] | None) -> Ints:
    """Return the lengths of all values, 0 for those that are not held; None: all are."""
    if held is None:
        return lengths
    spread = np.zeros(len(held), np.int32)
    spread[held] = lengths
    return spread


def _mapping(document: Any) -> Mapping[str, Any]:
    """Return a document with fields."""
    if isinstance(document, Mapping):
        return document
    if missing(document):
        return {}
    raise TypeError(f"a document of an index with fields must be a mapping, got {shown(document)}")


def _ordinals(table: TokenTable, tokens: list[str]) -> Ints:
    """Return the ordinals of tokens, or say which one is no token."""
    try:
        return table.ordinals(tokens)
    except TypeError:
        _check_tokens(tokens)
        raise


def _check_tokens(tokens: Iterable[object]) -> None:
    """Refuse what is no token."""
    for token in tokens:
        if not isinstance(token, str):
            raise TypeError(f"a token must be a str, got {shown(token)} of type {type(token).__name__}")
