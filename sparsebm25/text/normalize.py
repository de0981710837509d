"""Which spellings are the same text? Unicode forms, case and accents."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

__all__ = ["fold_accents"]

FORMS: Mapping[str | None, Callable[[str], str]] = MappingProxyType(
    {
        "NFC": partial(unicodedata.normalize, "NFC"),
        "NFKC": partial(unicodedata.normalize, "NFKC"),
        "NFD": partial(unicodedata.normalize, "NFD"),
        "NFKD": partial(unicodedata.normalize, "NFKD"),
        None: str,
    }
)
CASES: Mapping[str | None, Callable[[str], str]] = MappingProxyType(
    {"lower": str.lower, "casefold": str.casefold, None: str}
)
ACCENTS = ("keep", "fold")

# Characters that change how a word looks, not which word it is: soft hyphen, grapheme joiner, word joiner,
# byte order mark, variation selectors, and the enclosing marks of keycaps.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u180b-\u180d\u180f\u20dd-\u20e0\u20e2-\u20e4\u2060\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef]+"
)

_LATIN_OR_GREEK = (
    "A-Za-z\u00c0-\u02af\u0370-\u03ff\u1d00-\u1dbf\u1e00-\u1fff\u2c60-\u2c7f\ua720-\ua7ff\uab30-\uab6f"
)
_ACCENTS_ON_THEM = re.compile(f"(?<=[{_LATIN_OR_GREEK}])[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff]+")

# Letters that Unicode does not decompose, in the spelling that a plain keyboard gives them.
_PLAIN = {
    **{"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ŋ": "n", "ı": "i", "ſ": "s"},
    **{"Ø": "O", "Ł": "L", "Đ": "D", "Ð": "D", "Ħ": "H", "Ŧ": "T", "Ŋ": "N"},
    **{"æ": "ae", "œ": "oe", "ß": "ss", "þ": "th", "Æ": "AE", "Œ": "OE", "ẞ": "SS", "Þ": "TH"},
}
_NOT_PLAIN = re.compile(f"[{''.join(_PLAIN)}]")


def normalizer(normalize: str | None, case: str | None, accents: str) -> Callable[[str], str]:
    """Return the function that gives every spelling of a text one form; in ASCII only case can differ."""
    recase = CASES[case]

    def normalized(text: str) -> str:
        return recase(text) if text.isascii() else normalize_unicode(text, normalize, case, accents)

    return normalized


def normalize_unicode(text: str, normalize: str | None, case: str | None, accents: str) -> str:
    """
    Return `text` in its normal form, whatever characters it holds.

    The form is applied twice, because a change of case can leave it: ``H`` with a macron below
    is two characters, its small letter is one.
    """
    to_form, recase = FORMS[normalize], CASES[case]
    if normalize is not None:
        text = _UNSEEN.sub("", text)
    text = recase(to_form(text))
    return to_form(fold_accents(text) if accents == "fold" else text)


def fold_accents(text: str) -> str:
    """
    Return the text with Latin and Greek letters stripped of their accents.

    Lets ``Zürich`` meet ``Zurich`` where people type either. Only accents on Latin
    and Greek letters go: the breve that makes Cyrillic ``й`` a letter of its own and
    the vowel signs of Hindi or Thai stay.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    str
        The text in form NFC, without these accents; ``ø``, ``ł``, ``đ``, ``æ``,
        ``œ``, ``ß``, ``ı``, ``þ`` and a few more become plain letters.

    Notes
    -----
    A spelling such as ``ue`` for German ``ü`` is a matter of language, not of
    characters, and is not made.

    Examples
    --------
    >>> from sparsebm25.text import fold_accents
    >>> fold_accents("Łódź, naïve café, Αθήνα, й, हिन्दी")
    'Lodz, naive cafe, Αθηνα, й, हिन्दी'
    """
    bare = _ACCENTS_ON_THEM.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", _NOT_PLAIN.sub(lambda match: _PLAIN[match[0]], bare))
