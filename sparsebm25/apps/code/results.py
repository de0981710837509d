"""What a search in code gives back: files, and the lines that answer."""

from __future__ import annotations

from typing import Any, NamedTuple


class CodeLine(NamedTuple):
    """
    Return a line of a file that shares names with the query.

    Parameters
    ----------
    line : int
        Its number, from 1.
    text : str
        The first 200 characters of the line, with its indentation.
    matched_tokens : tuple of str
        The query's tokens that it holds, sorted.
    before, after : tuple of str, default ()
        The lines around it, cut alike, as many as were asked for and are there.

    Examples
    --------
    >>> from sparsebm25.apps.code import CodeLine
    >>> CodeLine(3, "def load_user(name):", ("load", "user")).matched_tokens
    ('load', 'user')
    """

    line: int
    text: str
    matched_tokens: tuple[str, ...]
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


class CodeHit(NamedTuple):
    """
    Return a file that fits the query.

    Parameters
    ----------
    path : str
        Its path below the repository, with forward slashes.
    score : float
        Higher is better; comparable within one search only.
    lines : tuple of CodeLine
        The lines that answer; none where only the path fits.
    exact : bool, default False
        Whether a line holds the query literally.

    Examples
    --------
    >>> from sparsebm25.apps.code import CodeHit, CodeLine
    >>> hit = CodeHit("user.py", 1.5, (CodeLine(3, "load_user()", ("user",)),))
    >>> hit.path, hit.lines[0].line
    ('user.py', 3)
    """

    path: str
    score: float
    lines: tuple[CodeLine, ...]
    exact: bool = False

    def to_dict(self) -> dict[str, Any]:
        """
        Return the hit in a form that JSON can hold.

        Returns
        -------
        dict
            One entry a field, lines as dictionaries too.
        """
        return {**self._asdict(), "lines": [line._asdict() for line in self.lines]}
