"""Ordinals of many tokens at once: a hash table made of arrays."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sparsebm25.protocols import Bools, Ints

Keys: TypeAlias = NDArray[np.uint64]
Contents: TypeAlias = tuple[Keys, dict[str, int]]

_ENCODING = ("utf-8", "surrogatepass")  # any str has one form, and forms sort as the texts do
_KEY_BYTES = 16
_LONGEST = _KEY_BYTES - 1  # bytes of a token that is its own key; the last one holds its length
_NO_TOKEN = 255  # in place of a length
_FIRST_BYTES = np.array(
    [int.from_bytes((b"\xff" * n).ljust(8, b"\0"), sys.byteorder) for n in range(9)], np.uint64
)
_LENGTHS = np.array([int.from_bytes(bytes((*bytes(7), n)), sys.byteorder) for n in range(256)], np.uint64)


PADDING = _KEY_BYTES
"""Bytes of any value that a block needs behind its last token."""

FEW = 2**12
"""Up to so many tokens, looking up one by one is as fast as array operations, whose cost is that of many."""


@dataclass(frozen=True)
class Spans:
    """Tokens as places in a block of UTF-8 that has `PADDING`."""

    codes: NDArray[np.uint8]
    begins: Ints
    lengths: Ints  # bytes

    @classmethod
    def of(cls, tokens: Sequence[str]) -> Spans:
        """Return tokens as places in a block of their own."""
        codes = np.frombuffer("\0".join(tokens).encode(*_ENCODING) + bytes(1 + PADDING), np.uint8)
        ends = np.flatnonzero(codes[:-PADDING] == 0)
        if ends.size != len(tokens):  # there are no tokens, or some hold that character too
            sizes = np.fromiter((len(token.encode(*_ENCODING)) for token in tokens), np.int64, len(tokens))
            ends = np.cumsum(sizes + 1) - 1
        begins = np.concatenate(([0], ends + 1))[: ends.size]
        return cls(codes, begins, ends - begins)

    def where(self, chosen: Bools) -> Spans:
        """Return some of the tokens."""
        return Spans(self.codes, self.begins[chosen], self.lengths[chosen])

    def texts(self) -> list[str]:
        """Return the tokens as they are written."""
        block = self.codes.tobytes()
        bounds = zip(self.begins.tolist(), (self.begins + self.lengths).tolist(), strict=True)
        return [str(block[begin:end], *_ENCODING) for begin, end in bounds]


def _begins_character(codes: NDArray[np.uint8]) -> Bools:
    """Return which bytes of UTF-8 begin a character."""
    return np.not_equal(codes & 0xC0, 0x80)


class TokenTable:
    """
    Numbers tokens, equal ones alike.

    Looking up one string after another in a dictionary waits for memory at each of them. Here a token of
    up to 15 bytes is a pair of 64-bit numbers, its key, which holds all of it: so a chunk of tokens is
    hashed, found and compared by a few array operations. Longer tokens, and chunks of few tokens, are
    looked up in a dictionary; a token that comes both ways has two ordinals.
    """

    def __init__(self) -> None:
        self._n_tokens = 0
        self._keys: Keys = np.empty((2, 64), np.uint64)  # of every ordinal; then come places for more
        self._slots: Ints = np.full(64, -1, np.int32)  # the ordinal whose key is here, or -1
        self._words: dict[str, int] = {}  # without keys
        # Drawn anew for each table: nobody can prepare tokens that all want the same slot.
        self._factors: Keys = np.frombuffer(os.urandom(24), np.uint64) | np.uint64(1)

    def ordinals(self, tokens: list[str]) -> Ints:
        """Return the ordinals of tokens; a TypeError says that one of them is no str."""
        if len(tokens) >= FEW:
            return self.span_ordinals(Spans.of(tokens))
        "".join(tokens)  # refuses what is no str
        return self._look_up(tokens)

    def span_ordinals(self, spans: Spans) -> Ints:
        """Return the ordinals of tokens that are places in a block."""
        short = spans.lengths <= _LONGEST
        if short.all():
            return self._find(_keys(spans))
        ords = np.empty(short.size, np.int32)
        ords[short] = self._find(_keys(spans.where(short)))
        ords[~short] = self._look_up(spans.where(~short).texts())
        return ords

    def contents(self) -> Contents:
        """Return all tokens in a form that is small to send to another process."""
        return self._keys[:, : self._n_tokens].copy(), self._words

    def absorb(self, contents: Contents) -> Ints:
        """Return the ordinal here of each ordinal of another table."""
        keys, words = contents
        short = _with_token(keys)
        ords = np.empty(keys.shape[1], np.int32)
        ords[short] = self._find(keys.take(short, 1))
        ords[[*words.values()]] = self._look_up([*words])
        return ords

    def tokens(self) -> tuple[list[str], Ints]:
        """Return the tokens, two runs of them sorted by text, and where that of each ordinal stands."""
        if not self._n_tokens:
            return [], np.empty(0, np.int32)
        keys = self._keys[:, : self._n_tokens]
        short = _with_token(keys)
        first, second = keys.take(short, 1).view(">u8")  # as numbers that sort like their bytes
        short = short[np.lexsort((second, first))]
        words = sorted(self._words)
        places = np.empty(self._n_tokens, np.int32)
        places[short] = np.arange(short.size)
        places[[self._words[word] for word in words]] = np.arange(short.size, self._n_tokens)
        return [*_texts(keys.take(short, 1)), *map(str, words)], places

    def _look_up(self, words: list[str]) -> Ints:
        """Return the ordinals of tokens without keys."""
        new = [word for word in dict.fromkeys(words) if word not in self._words]
        no_keys = np.full((2, len(new)), _LENGTHS[_NO_TOKEN], np.uint64)
        self._words.update(zip(new, self._append(no_keys).tolist(), strict=True))
        return np.fromiter(map(self._words.__getitem__, words), np.int32, len(words))

    def _find(self, keys: Keys) -> Ints:
        """Return the ordinals of keys."""
        self._make_room(keys.shape[1])
        slots = self._hash(keys)
        ords = self._slots[slots]
        rest = np.flatnonzero(~self._holds(ords, keys))
        while rest.size:
            free = ords[rest] < 0
            self._claim(slots[rest[free]], keys.take(rest[free], 1))
            taken = rest[~free]
            slots[taken] = (slots[taken] + 1) % self._slots.size
            ords[rest] = self._slots[slots[rest]]
            rest = rest[~self._holds(ords[rest], keys.take(rest, 1))]
        return ords

    def _hash(self, keys: Keys) -> Ints:
        """Return the slot at which to look for each key first."""
        one, two, three = self._factors
        mixed = keys[0] * one
        mixed += keys[1] * two
        mixed ^= mixed >> np.uint64(32)
        mixed *= three
        return (mixed >> np.uint64(65 - self._slots.size.bit_length())).astype(np.int64)

    def _holds(self, ords: Ints, keys: Keys) -> Bools:
        """Return which of the ordinals, -1 for none, are those of the keys."""
        first, second = self._keys
        return (first[ords] == keys[0]) & (second[ords] == keys[1]) & (ords >= 0)

    def _claim(self, slots: Ints, keys: Keys) -> None:
        """Put new keys into free slots; of several that want one slot, equal or not, one gets it."""
        wanted_by = np.arange(slots.size, dtype=np.int32)
        self._slots[slots] = wanted_by
        won = self._slots[slots] == wanted_by
        self._slots[slots[won]] = self._append(keys[:, won])

    def _append(self, keys: Keys) -> Ints:
        """Return new ordinals for new keys."""
        n_tokens = self._n_tokens + keys.shape[1]
        if n_tokens > self._keys.shape[1]:
            larger = np.empty((2, 2 * n_tokens), np.uint64)
            larger[:, : self._n_tokens] = self._keys[:, : self._n_tokens]
            self._keys = larger
        self._keys[:, self._n_tokens : n_tokens] = keys
        ords = np.arange(self._n_tokens, n_tokens, dtype=np.int32)
        self._n_tokens = n_tokens
        return ords

    def _make_room(self, n_keys: int) -> None:
        """Keep half of the slots free, also if all of `n_keys` keys are new."""
        needed = 2 * (self._n_tokens + n_keys)
        if needed <= self._slots.size:
            return
        self._slots = np.full(1 << needed.bit_length(), -1, np.int32)
        keys = self._keys[:, : self._n_tokens]
        ords = _with_token(keys).astype(np.int32)
        slots = self._hash(keys.take(ords, 1))
        while ords.size:
            free = self._slots[slots] < 0
            self._slots[slots[free]] = ords[free]
            lost = self._slots[slots] != ords
            ords, slots = ords[lost], (slots[lost] + 1) % self._slots.size


def _keys(spans: Spans) -> Keys:
    """Return the keys of short tokens: their bytes, filled up with zeros, and their lengths."""
    codes, lengths = spans.codes, spans.lengths
    words = np.ndarray((codes.size - 7,), np.uint64, codes.data, strides=(1,)).copy()  # eight bytes from each
    keys = np.empty((2, lengths.size), np.uint64)
    np.bitwise_and(words[spans.begins], _FIRST_BYTES[np.minimum(lengths, 8)], out=keys[0])
    np.bitwise_and(words[spans.begins + 8], _FIRST_BYTES[np.maximum(lengths, 8) - 8], out=keys[1])
    keys[1] |= _LENGTHS[lengths]
    return keys


def _lengths(keys: Keys) -> NDArray[np.uint8]:
    """Return the length of the token of each key. Unit: bytes."""
    lengths: NDArray[np.uint8] = keys[1].view(np.uint8)[7::8]
    return lengths


def _with_token(keys: Keys) -> Ints:
    """Return which keys are those of tokens."""
    return np.flatnonzero(_lengths(keys) != _NO_TOKEN)


def _texts(keys: Keys) -> list[str]:
    """Return the tokens of keys."""
    lengths = _lengths(keys)
    codes = np.ascontiguousarray(keys.T).view(np.uint8).reshape(-1, _KEY_BYTES)
    codes = codes[np.arange(_KEY_BYTES) < lengths[:, np.newaxis]]
    text = str(codes.tobytes(), *_ENCODING)
    ends = np.cumsum(lengths, dtype=np.int64)
    if not text.isascii():
        ends = np.concatenate(([0], np.cumsum(_begins_character(codes))))[ends]
    return [text[begin:end] for begin, end in pairwise([0, *ends.tolist()])]
