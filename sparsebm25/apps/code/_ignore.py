"""
Which paths does git leave out? The pattern rules of gitignore(5).

A pattern becomes a regular expression of escaped characters. Repeats are atomic, each taking the first
place that fits, so that no pattern of a stranger's repository can make matching slow.
"""

from __future__ import annotations

import re
from itertools import groupby

_POSIX = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": " \\t-\\r",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
_NEVER = "(?!)"
_TRIMMED = re.compile(r"(?:\\.|[^\\ ]| +(?=[^ ])|\\$)*")  # a quoted space at the end stays
_PIECES = re.compile(
    r"""(?P<slash>\\?/)|(?P<stars>\*+)|(?P<any>\?)|\\(?P<quoted>.)
      | (?P<set>\[[!^]?+\]?+(?:\[:\w+:\]|\\.|[^]\\])*+\])
      | (?P<unclosed>[\[\\])|(?P<plain>.)""",
    re.DOTALL | re.VERBOSE,
)
_SET_ITEMS = re.compile(r"\[:(\w+):\]|\\?(.)(?:-\\?(.))?", re.DOTALL)


class IgnoreRules:
    """The rules of one ignore file, for paths below its folder; the last rule that fits decides."""

    def __init__(self, text: str) -> None:
        rules = [rule for line in text.removeprefix("\ufeff").split("\n") if (rule := _rule(line))]
        rules.reverse()  # the first branch that fits is then the last rule
        self._of_folder = _Branches([(pattern, ignored) for pattern, ignored, _ in rules])
        self._of_file = _Branches([(pattern, ignored) for pattern, ignored, folder in rules if not folder])

    def verdict(self, path: str, *, is_folder: bool) -> bool | None:
        """Return whether a path is ignored; None where no rule fits."""
        return (self._of_folder if is_folder else self._of_file).verdict(path)


class _Branches:
    """Patterns with their verdicts, as one pattern."""

    def __init__(self, rules: list[tuple[str, bool]]) -> None:
        self._verdicts = [verdict for _, verdict in rules]
        self._pattern = re.compile("|".join(f"({pattern})" for pattern, _ in rules) or _NEVER, re.DOTALL)

    def verdict(self, path: str) -> bool | None:
        """Return the verdict of the first pattern that fits the whole path."""
        match = self._pattern.fullmatch(path)
        return None if match is None or match.lastindex is None else self._verdicts[match.lastindex - 1]


def _rule(line: str) -> tuple[str, bool, bool] | None:
    """Return pattern, whether it ignores, whether it is for folders only; None for a line without a rule."""
    line = line.removesuffix("\r")
    if line.startswith("#"):
        return None
    trimmed = _TRIMMED.match(line)
    glob = trimmed[0] if trimmed else ""
    ignored = not glob.startswith("!")
    glob = glob.removeprefix("!")
    folder = glob.endswith("/")
    glob = glob.removesuffix("/")
    if not glob:
        return None
    if "/" not in glob:
        glob = f"**/{_one_segment(glob)}"
    return _path_pattern(glob.removeprefix("/")), ignored, folder


def _one_segment(glob: str) -> str:
    """Return a pattern for names, in which repeated stars are one star."""
    return "".join("*" if piece.lastgroup == "stars" else piece[0] for piece in _PIECES.finditer(glob))


def _path_pattern(glob: str) -> str:
    """Return the regular expression of a pattern for paths."""
    segments = [_Segment()]
    for piece in _PIECES.finditer(glob):
        if piece.lastgroup == "slash":
            segments.append(_Segment())
        else:
            segments[-1].append(piece)
    parts = ["/".join(map(str, part)) for any_folders, part in _runs(segments) if not any_folders]
    leading, trailing = segments[0].any_folders, segments[-1].any_folders
    first = "" if leading else parts.pop(0)
    last = ".+" if trailing else f"(?:[^/]+/)*{parts.pop()}" if parts else ""
    rest = "".join(f"(?>(?:[^/]+/)*?{part}/)" for part in parts) + last
    return rest if leading else f"{first}/{rest}" if rest else first


def _runs(segments: list[_Segment]) -> list[tuple[bool, list[_Segment]]]:
    """Return the neighbors that are, or are not, a double star."""
    grouped = groupby(segments, key=lambda segment: segment.any_folders)
    return [(any_folders, list(run)) for any_folders, run in grouped]


class _Segment:
    """What stands between two slashes of a pattern: fixed parts with stars between them."""

    def __init__(self) -> None:
        self._parts = [""]
        self._stars = 0

    @property
    def any_folders(self) -> bool:
        """Whether it is a double star, which stands for folders of any number."""
        return self._stars > 1 and self._parts == ["", ""]

    def append(self, piece: re.Match[str]) -> None:
        """Add a piece of the pattern at the end."""
        if piece.lastgroup == "stars":
            self._stars = len(piece[0])
            self._parts.append("")
        else:
            self._parts[-1] += _character_pattern(piece)

    def __str__(self) -> str:
        first, *rest = self._parts
        if not rest:
            return first
        middle = "".join(f"(?>[^/]*?{part})" for part in rest[:-1])
        return f"{first}{middle}[^/]*{rest[-1]}"


def _character_pattern(piece: re.Match[str]) -> str:
    """Return the regular expression of a piece that stands for one character."""
    match piece.lastgroup:
        case "any":
            return "[^/]"
        case "set":
            return _set_pattern(piece[0][1:-1])
        case "unclosed":
            return _NEVER
        case group:
            return re.escape(piece[group or 0])


def _set_pattern(body: str) -> str:
    """Return the regular expression of a bracket expression."""
    negated = body[0] in "!^"
    items = ""
    for posix, low, high in _SET_ITEMS.findall(body[negated:]):
        if posix and posix not in _POSIX:
            return _NEVER
        if posix:
            items += _POSIX[posix]
        elif high and low <= high:
            items += f"{re.escape(low)}-{re.escape(high)}"
        else:  # of a range that is the wrong way round, git takes the first character
            items += re.escape(low)
    return f"(?!/)[{'^' if negated else ''}{items}]"
