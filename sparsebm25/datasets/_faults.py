"""What happens to a malformed line? It ends the reading, or it is noted and skipped."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn

KEPT_MESSAGES = 5


@dataclass(slots=True)
class BadLines:
    """
    What was skipped: the number of malformed lines and the first messages.

    Give one to a reader and malformed lines are skipped and noted here
    instead of ending the reading with an error.

    Parameters
    ----------
    count : int, default 0
        Number of lines that were skipped.
    messages : list of str, optional
        What was wrong with the first of them, each with file and line number.

    Examples
    --------
    >>> from sparsebm25.datasets import BadLines
    >>> bad_lines = BadLines()
    >>> bad_lines.add("corpus.jsonl:17: not JSON")
    >>> bad_lines.count, bad_lines.messages
    (1, ['corpus.jsonl:17: not JSON'])
    """

    count: int = 0
    messages: list[str] = field(default_factory=list)

    def add(self, message: str) -> None:
        """
        Count one more line, and keep its message if it is among the first five.

        Parameters
        ----------
        message : str
            File, line number, what is wrong and what is allowed.
        """
        self.count += 1
        if len(self.messages) < KEPT_MESSAGES:
            self.messages.append(message)


@dataclass(frozen=True, slots=True)
class Faults:
    """What happens to a malformed line of one source: it ends the reading, or it is noted."""

    name: str
    bad_lines: BadLines | None

    def fail(self, line: int, problem: object) -> NoReturn:
        """Raise the error that names source, line and problem."""
        raise ValueError(f"{self.name}:{line}: {problem}") from None

    def note(self, line: int, problem: object) -> None:
        """Note a malformed line if the caller wants to go on, else raise."""
        if self.bad_lines is None:
            self.fail(line, problem)
        self.bad_lines.add(f"{self.name}:{line}: {problem}")
