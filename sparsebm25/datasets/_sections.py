"""The parts of a docstring: its summary, what it links to, and the rest."""

from __future__ import annotations

import re
from dataclasses import dataclass

SEE_ALSO = re.compile(r"^See Also\n-+\n(.*?)(?=^\S[^\n]*\n[-=]{3,}$|\Z)", re.MULTILINE | re.DOTALL)
FIRST_PARAGRAPH = re.compile(
    r"(?P<signature>[\w.]+ ?\([^)]*\)[^\n]*(?:\n--)?\n\s*\n)?(?P<summary>.+?)(?=\n\s*\n|\Z)", re.DOTALL
)
NO_SUMMARY = re.compile(r"\.\.|>>>|[-*+] |\S.*\n *[-=~]{3,}")
ROLE = re.compile(r":[a-z][a-z:]*:(?=`)")
NAME = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")


@dataclass(frozen=True, slots=True)
class Parts:
    """A docstring without its See Also section; the summary is one line, and empty if there is none."""

    summary: str
    text: str  # all of it
    rest: str  # all but the summary
    links: tuple[str, ...]


def split_docstring(docstring: str) -> Parts:
    """Return the parts of a docstring, cleaned of indentation."""
    text = SEE_ALSO.sub("", docstring).strip()
    links = tuple(name for section in SEE_ALSO.findall(docstring) for name in linked_names(section))
    found = FIRST_PARAGRAPH.match(text)
    if found is None or NO_SUMMARY.match(found["summary"]):
        return Parts("", text, text, links)
    summary = " ".join(found["summary"].split())
    rest = text[: found.start("summary")] + text[found.end("summary") :].lstrip()
    return Parts(summary, text, rest, links)


def linked_names(section: str) -> list[str]:
    """Return the names in a See Also section: ``name, name : description``, with or without roles."""
    entries = [ROLE.sub("", line).partition(":")[0] for line in section.splitlines() if line[:1].strip()]
    names = [name.strip("`~ ") for entry in entries for name in entry.split(",")]
    return [name for name in names if NAME.fullmatch(name)]
