"""Where are the edges of words, so that a phrase can be found as it is written?"""

from __future__ import annotations

import re

from sparsebm25.text.tokenize import _cjk_letter, words

__all__ = ["is_cjk", "split_at_edges"]

_ASCII_WORD = re.compile("([A-Za-z0-9]+)")


def is_cjk(word: str) -> bool:
    """
    Return whether a word is a run of a script that is written without spaces.

    Parameters
    ----------
    word : str
        A word as ``words(text, cjk="runs")`` gives it.

    Returns
    -------
    bool
        True for Chinese and Japanese.

    Examples
    --------
    >>> from sparsebm25.text.boundaries import is_cjk
    >>> is_cjk("数据"), is_cjk("data"), is_cjk("данные")
    (True, False, False)
    """
    return not word.isascii() and _cjk_letter().match(word) is not None


def split_at_edges(text: str) -> list[str]:
    """
    Return a text cut at the edges of its words.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    list of str
        Gaps and words in turn, a gap first and last, which may be empty;
        joined they are the text. Chinese and Japanese runs belong to the
        gaps: their words have no edges that could be seen.

    See Also
    --------
    sparsebm25.scoring.phrases.Phrases : Finds phrases in texts cut like this.

    Examples
    --------
    >>> from sparsebm25.text.boundaries import split_at_edges
    >>> split_at_edges("for c++ code")
    ['', 'for', ' ', 'c', '++ ', 'code', '']
    >>> split_at_edges("redis缓存")
    ['', 'redis', '缓存']
    """
    if text.isascii():
        return _ASCII_WORD.split(text)
    pieces, end, gap = [], 0, 0
    for word in words(text, cjk="runs"):
        start = text.find(word, end)
        end = start + len(word)
        if not is_cjk(word):
            pieces += [text[gap:start], word]
            gap = end
    return [*pieces, text[gap:]]
