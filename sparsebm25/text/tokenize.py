"""Where does a word begin and end? Also in scripts that write no spaces."""

from __future__ import annotations

import operator
import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType

__all__ = ["words"]

# Scripts that are written without spaces between words: Han with all extensions, Hiragana, Katakana with
# its half-width and small letters, and their iteration marks. Whole blocks, so that characters newer than
# this Python's Unicode tables are found too.
_CJK = (
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U0001aff0-\U0001b16f\U00020000-\U0003ffff"
)
_CJK_MARKS = "\u0300-\u036f\u302a-\u302d\u3099\u309a\uff9e\uff9f"  # they belong to the character before
_CJK_CHARACTER = re.compile(f".[{_CJK_MARKS}]*")

WORD_CHARACTER = r"[^\x00-/:-@\[-`{-\x7f]"  # where other characters beyond ASCII are blanks already
JOINERS = "\u200c\u200d"  # ZWNJ and ZWJ: spelling inside a word, nothing at its edge
_JOINERS_AT_EDGE = re.compile(f"(?<!{WORD_CHARACTER})[{JOINERS}]+|[{JOINERS}]+(?!{WORD_CHARACTER})")

_TWO_OR_MORE = re.compile(r"(?u)\b\w\w+\b")  # scikit-learn's default `token_pattern`


@cache
def _cjk_letter() -> re.Pattern[str]:
    """Return the pattern of one letter of a run; compiled at the first text that needs it."""
    return re.compile(f"[{_CJK}]")


@cache
def _cjk_run() -> re.Pattern[str]:
    """Return the pattern of a run."""
    return re.compile(f"[{_CJK}][{_CJK}{_CJK_MARKS}]*")


def characters(run: str) -> list[str]:
    """Return the characters of a run, each with its marks."""
    return _CJK_CHARACTER.findall(run)


def bigrams(run: str) -> list[str]:
    """Return the overlapping pairs of characters of a run; a single character stays alone."""
    units = characters(run)
    return list(map(operator.add, units, units[1:])) or units


def whole(run: str) -> list[str]:
    """Return the run as it is."""
    return [run]


CJK_SEGMENTERS: Mapping[str, Callable[[str], list[str]]] = MappingProxyType(
    {"bigrams": bigrams, "characters": characters, "runs": whole}
)


class WordCharacters(dict[int, str]):
    """
    A table for ``str.translate``: letters, numbers, marks and joiners stay, the rest is a blank.

    It fills itself with the characters it meets, so nothing is scanned at import.
    """

    def __init__(self, signs: str = "") -> None:
        super().__init__((ord(sign), sign) for sign in signs)

    def __missing__(self, code: int) -> str:
        """Return what becomes of a character met for the first time."""
        character = chr(code)
        kept = unicodedata.category(character)[0] in "LMN" or character in JOINERS
        self[code] = character if kept or _cjk_letter().match(character) else " "
        return self[code]


def ascii_table(signs: str = "") -> bytes:
    """Return the same table for ASCII, for ``bytes.translate``."""
    return bytes(
        code if code < 128 and (chr(code).isalnum() or chr(code) in signs) else 0x20 for code in range(256)
    )


def split_ascii(text: str, table: bytes) -> list[str]:
    """Return the pieces of an ASCII text between its blanks."""
    return text.encode("ascii").translate(table).decode("ascii").split()


def split_unicode(text: str, table: WordCharacters, cjk: str | None) -> list[str]:
    """Return the pieces of any text between its blanks, runs of CJK segmented."""
    text = text.translate(table)
    if cjk is not None and _cjk_letter().search(text):
        segment = CJK_SEGMENTERS[cjk]
        text = _cjk_run().sub(lambda run: f" {' '.join(segment(run[0]))} ", text)
    if "\u200c" in text or "\u200d" in text:
        text = _JOINERS_AT_EDGE.sub("", text)
    return text.split()


_ASCII_WORDS = ascii_table()
_WORDS = WordCharacters()


def words(text: str, *, cjk: str | None = None) -> list[str]:
    r"""
    Return the words of a text: its runs of letters, numbers and combining marks.

    Unlike ``\w+``, words of Hindi, Thai or decomposed text stay whole, and an
    underscore separates.

    Parameters
    ----------
    text : str
        Text in the case and Unicode form that the words shall have.
    cjk : {"bigrams", "characters", "runs"} or None, default None
        What becomes of a run of Chinese or Japanese characters, which has no spaces:
        overlapping pairs, single characters, or the run set apart from its neighbors.
        With None it is treated like letters of any script.

    Returns
    -------
    list of str
        The words in order. Zero-width joiners stay inside a word.

    See Also
    --------
    split_identifiers : Also splits names such as ``parseHTTPHeader`` into their parts.

    Notes
    -----
    Linear in the length of the text; ASCII text takes a path several times faster.

    Examples
    --------
    >>> from sparsebm25.text import words
    >>> words("don't load_user, naïve!")
    ['don', 't', 'load', 'user', 'naïve']
    >>> words("redis缓存工具", cjk="bigrams")
    ['redis', '缓存', '存工', '工具']
    """
    return split_ascii(text, _ASCII_WORDS) if text.isascii() else split_unicode(text, _WORDS, cjk)


def two_or_more(text: str) -> list[str]:
    r"""Return the matches of scikit-learn's default token pattern, ``(?u)\b\w\w+\b``."""
    return _TWO_OR_MORE.findall(text)
