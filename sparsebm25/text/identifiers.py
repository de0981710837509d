"""Which names does a piece of code hold? Each is split into its parts, too."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from sparsebm25.text.tokenize import (
    JOINERS,
    WORD_CHARACTER,
    WordCharacters,
    ascii_table,
    split_ascii,
    split_unicode,
)

__all__ = ["SYMBOL_WORDS", "split_identifiers"]

SYMBOL_WORDS = ("c++", "g++", "c#", "f#", "j#", "q#", ".net")
"""Words of programming that are kept whole with their signs, in any case."""

_SYMBOL = rf"(?<!{WORD_CHARACTER})(?<!_)(?i:{'|'.join(map(re.escape, SYMBOL_WORDS))})(?![^\W\d])"
_NAME = re.compile(rf"{_SYMBOL}|{WORD_CHARACTER}+(?:(?:_+|-(?!{_SYMBOL})){WORD_CHARACTER}+)*")

_SIGNS = "_-+#."  # what a name or a symbol word holds beside letters, numbers and marks
_ASCII_PIECES = ascii_table(_SIGNS)
_PIECES = WordCharacters(_SIGNS)


def _part_pattern(upper: str, lower: str, digit: str) -> re.Pattern[str]:
    """Return the pattern of one part: plural acronym (URLs), acronym, or word; then its digits."""
    acronyms = f"(?:{upper}){{2,}}s(?!{lower})|(?:{upper})+(?!{lower})"
    return re.compile(f"(?:{acronyms}|(?:{upper})?(?:{lower})+)(?:{digit})*|(?:{digit})+")


_ASCII_PART = _part_pattern("[A-Z]", "[a-z]", "[0-9]")
_SHAPE_PART = _part_pattern("Am*+", "[asm]m*+", "0m*+")


class _Shapes(dict[int, str]):
    """Character -> its kind: A capital, a small or caseless, 0 number, m mark; the given ones stay."""

    def __missing__(self, code: int) -> str:
        """Return the kind of a character met for the first time."""
        character = chr(code)
        kind = {"M": "m", "N": "0"}.get(unicodedata.category(character)[0], "a")
        self[code] = "A" if character.isupper() or character.istitle() else kind
        return self[code]


_SHAPE_OF = _Shapes({**{ord(sign): sign for sign in "_-s"}, **{ord(joiner): "m" for joiner in JOINERS}})


def parts_ascii(name: str) -> list[str]:
    """Return the parts of an ASCII name."""
    return _ASCII_PART.findall(name)


def parts_unicode(name: str) -> list[str]:
    """Return the parts of any name: the same pattern, matched on the kinds of its characters."""
    shape = name.translate(_SHAPE_OF)
    return [name[part.start() : part.end()] for part in _SHAPE_PART.finditer(shape)]


def name_tokens(name: str) -> list[str]:
    """Return a name and its parts, or only the name if it has one part."""
    if name.lower() in SYMBOL_WORDS:
        return [name]
    parts = parts_ascii(name) if name.isascii() else parts_unicode(name)
    return [name, *parts] if len(parts) > 1 else [name]


@lru_cache(maxsize=1 << 16)
def _piece_tokens(piece: str) -> tuple[str, ...]:
    """Return the names, with their parts, in a piece of text without blanks."""
    return tuple(token for name in _NAME.findall(piece) for token in name_tokens(name))


def split_names(pieces: list[str]) -> list[str]:
    """Return the names, with their parts, in the pieces of a text."""
    tokens: list[str] = []
    for piece in pieces:
        if piece.isalpha() and piece.islower():  # a plain word: most of any text
            tokens.append(piece)
        else:
            tokens.extend(_piece_tokens(piece))
    return tokens


def split_identifiers(text: str, *, cjk: str | None = None) -> list[str]:
    """
    Return the names in a text, each followed by its parts.

    Lets the query ``header`` find ``parseHTTPHeader``, while the whole name, a rare
    term, still finds it first.

    Parameters
    ----------
    text : str
        Code or prose in its own case: the capitals show where a part begins.
    cjk : {"bigrams", "characters", "runs"} or None, default None
        What becomes of a run of Chinese or Japanese characters; see `words`.

    Returns
    -------
    list of str
        Names and parts in order, in the case of the text. A name of one part gives
        one token.

    See Also
    --------
    words : Words only, names are not split into parts.

    Notes
    -----
    A name is a run of letters, numbers and marks, with underscores or single hyphens
    inside; those at its ends are dropped. Its parts begin after them, at a capital
    after a small letter, at the last capital of an acronym before a small letter, and
    after digits: digits belong to the letters before them. An acronym keeps its
    plural ``s``. Dots, slashes and all other characters separate names: a path or a
    dotted name gives its components, and is not a token as a whole.

    The symbol words c++, g++, c#, f#, j#, q# and .net are kept whole, in any case.

    Examples
    --------
    >>> from sparsebm25.text import split_identifiers
    >>> split_identifiers("parseHTTPHeader")
    ['parseHTTPHeader', 'parse', 'HTTP', 'Header']
    >>> split_identifiers("src/load_user.py __init__ sha256Sum")
    ['src', 'load_user', 'load', 'user', 'py', 'init', 'sha256Sum', 'sha256', 'Sum']
    >>> split_identifiers("C# and C++17, not c")
    ['C#', 'and', 'C++', '17', 'not', 'c']
    """
    if text.isascii():
        return split_names(split_ascii(text, _ASCII_PIECES))
    return split_names(split_unicode(text, _PIECES, cjk))
