"""Texts whose tokens are found all at once: as places in one block of characters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, TypeAlias

import numpy as np

from sparsebm25._token_table import PADDING, Spans
from sparsebm25.protocols import Ints
from sparsebm25.text.analyzer import Analyzer
from sparsebm25.text.normalize import CASES
from sparsebm25.text.tokenize import ascii_table

SplitAscii: TypeAlias = Callable[[Sequence[str]], tuple[Spans, Ints]]
"""ASCII texts to their raw tokens, one text after the other, and how many each text has."""

_BLANK = ord(" ")
_TABLES = {
    "words": ascii_table(),
    "sklearn": ascii_table("_"),
    "whitespace": bytes(_BLANK if chr(code).isspace() else code for code in range(256)),
}
"""Tokenizers for which ASCII is characters that stay, and characters that separate: what becomes of each."""


def ascii_splitter(analyzer: Any) -> SplitAscii | None:
    """Return the function that splits ASCII texts as an analyzer does, None if each must be split alone."""
    if type(analyzer) is not Analyzer or callable(analyzer.tokens) or analyzer.tokens not in _TABLES:
        return None
    return partial(
        _split, _table(analyzer.tokens, analyzer.case), shortest=2 if analyzer.tokens == "sklearn" else 1
    )


def keeps_tokens(analyzer: Any) -> bool:
    """Return whether each raw token of an analyzer is its own term."""
    return (
        type(analyzer) is Analyzer
        and not analyzer.stopwords
        and analyzer.stemmer is None
        and analyzer.min_length == 1
    )


@cache
def _table(tokens: str, case: str | None) -> bytes:
    """Return what becomes of each character: normalized, or a blank."""
    return bytes(_TABLES[tokens][ord(CASES[case](chr(code)))] if code < 128 else code for code in range(256))


def _split(table: bytes, texts: Sequence[str], *, shortest: int) -> tuple[Spans, Ints]:
    """Return the pieces of texts between blanks, `shortest` characters or more, and how many each has."""
    block = " ".join(["", *texts, " " * PADDING]).encode("ascii").translate(table)
    codes = np.frombuffer(block, np.uint8)
    filled = codes != _BLANK
    begins = np.flatnonzero(filled[1:] > filled[:-1]) + 1
    lengths = np.flatnonzero(filled[1:] < filled[:-1]) + 1 - begins
    if shortest > 1:
        kept = lengths >= shortest
        begins, lengths = begins[kept], lengths[kept]
    text_begins = np.ones(len(texts) + 1, np.int64)
    text_begins[1:] += np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)) + 1)
    return Spans(codes, begins, lengths), np.diff(np.searchsorted(begins, text_begins)).astype(np.int32)
