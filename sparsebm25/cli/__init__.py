"""What was asked on the command line, and how is it shown? Arguments in, text out."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module

from sparsebm25.cli._output import complain
from sparsebm25.cli._parser import build_parser
from sparsebm25.errors import MissingExtra, UnknownIds

__all__ = ["main"]

# What a user can put right; anything else is a fault of ours and shows where it happened.
_USER_ERRORS = (ValueError, TypeError, OSError, UnknownIds, MissingExtra)


def main(argv: Sequence[str] | None = None) -> int:
    r"""
    Run one command of the command line and return its exit status.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments after the program's name; those of this process if not
        given.

    Returns
    -------
    int
        0 if all went well; 2 after an error that the user can put right, which
        is told in one line on standard error; 130 after Ctrl-C; 141 if whoever
        read the output went away.

    Raises
    ------
    SystemExit
        After ``--help`` and ``--version``, and when the process is told to end.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sparsebm25.cli import main
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     documents, queries = Path(folder, "documents.tsv"), Path(folder, "queries.tsv")
    ...     _ = documents.write_text("d1\tred kite\nd2\tblue mug\n")
    ...     _ = queries.write_text("q1\tkite\n")
    ...     main(["rank", str(documents), str(queries)])
    q1 Q0 d1 1 0.277258... sparsebm25
    0
    """
    try:
        with _unwinding_when_terminated():
            args = build_parser().parse_args(argv)
            import_module(f"sparsebm25.cli._{args.command}").run(args)  # each loads what it alone needs
            sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return 141
    except KeyboardInterrupt:
        return 130
    except _USER_ERRORS as error:
        complain(error)
        return 2
    return 0


@contextmanager
def _unwinding_when_terminated() -> Iterator[None]:
    """Let SIGTERM unwind the stack like Ctrl-C, so that files that are not whole yet go away."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may say what a signal does
        return
    previous = signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)


def _drop_output() -> None:
    """Let what is still buffered for a closed pipe go nowhere, or the interpreter complains when it ends."""
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
