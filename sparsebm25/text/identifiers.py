"""Which names does a piece of code hold? Each is split into its parts, too."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from itertools import chain, groupby

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

_SIGNS = "_-+#"  # what a name or a symbol word holds beside letters, numbers and marks
(_DOTTED,) = (word for word in SYMBOL_WORDS if "." in word)
_ASCII_PIECES, _ASCII_PIECES_WITH_DOTS = ascii_table(_SIGNS), ascii_table(f"{_SIGNS}.")
_PIECES = WordCharacters(f"{_SIGNS}.")

_KNOWN_PIECES = 1 << 16
_KNOWN_CHARACTERS = 64  # longer pieces hardly come again


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


def piece_tokens(piece: str) -> list[str]:
    """Return the names in a piece of text without blanks, each followed by its parts if it has several."""
    if piece.isalpha() and piece.islower():
        return [piece]
    tokens = []
    for name in (piece,) if piece.isalnum() else _NAME.findall(piece):
        tokens.append(name)
        parts = parts_ascii(name) if name.isascii() else parts_unicode(name)
        if len(parts) > 1:
            tokens += parts
    return tokens


class _KnownPieces(dict[str, tuple[str, ...]]):
    """The tokens of the pieces met lately: any text is made of few pieces, most of the time."""

    def __init__(self, normalized: Callable[[str], str]) -> None:
        super().__init__()
        self._normalized = normalized

    def __missing__(self, piece: str) -> tuple[str, ...]:
        """Return the tokens of a piece that is not known."""
        tokens = tuple(map(self._normalized, piece_tokens(piece)))
        if len(piece) <= _KNOWN_CHARACTERS:
            if len(self) >= _KNOWN_PIECES:
                self.clear()
            self[piece] = tokens
        return tokens


def name_splitter(
    cased: Callable[[str], str], normalized: Callable[[str], str], cjk: str | None
) -> Callable[[str], list[str]]:
    """
    Return the function from a text to its names and parts, found by their case and then normalized.

    What brings a text into its form, `cased`, must leave ASCII as it is and work line by line.
    """
    tokens_of = _KnownPieces(normalized).__getitem__

    def split(text: str) -> list[str]:
        pieces = _ascii_pieces(text) if text.isascii() else _pieces(text, cased, cjk)
        return list(chain.from_iterable(map(tokens_of, pieces)))

    return split


def _ascii_pieces(text: str) -> list[str]:
    """Return the pieces of an ASCII text; dots are blanks unless one may begin a symbol word."""
    return split_ascii(text, _ASCII_PIECES_WITH_DOTS if _DOTTED in text.lower() else _ASCII_PIECES)


def _pieces(text: str, cased: Callable[[str], str], cjk: str | None) -> list[str]:
    """Return the pieces of any text; its ASCII lines, most of any code, take the fast path."""
    pieces: list[str] = []
    for is_ascii, lines in groupby(text.split("\n"), str.isascii):
        run = "\n".join(lines)
        pieces += _ascii_pieces(run) if is_ascii else split_unicode(cased(run), _PIECES, cjk)
    return pieces


@cache
def _plain_splitter(cjk: str | None) -> Callable[[str], list[str]]:
    """Return the function that splits texts in the form that they have."""
    return name_splitter(str, str, cjk)


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
    return _plain_splitter(cjk)(text)
