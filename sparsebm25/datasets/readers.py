"""How do documents and queries get in? One record at a time, from every common layout."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from sparsebm25._checks import choice, shown
from sparsebm25.datasets._faults import BadLines, Faults
from sparsebm25.datasets._folders import BeirFolder, beir_folder, file_text, require_beir, text_files
from sparsebm25.datasets._keys import DOCUMENT_KEYS, QUERY_KEYS, Keys
from sparsebm25.datasets._lines import STANDARD_INPUT, numbered_lines, shown_name
from sparsebm25.datasets._records import Record, row_records
from sparsebm25.datasets._rows import csv_rows, jsonl_rows, tsv_rows
from sparsebm25.protocols import DocId

__all__ = ["FORMATS", "read_documents", "read_queries"]

_ROWS = {"jsonl": jsonl_rows, "tsv": tsv_rows, "csv": csv_rows}
_SUFFIXES = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".tsv": "tsv",
    ".txt": "tsv",
    ".csv": "csv",
}

FORMATS = (*_ROWS, "beir", "files")
"""The formats by name; the last two are of folders."""


def read_documents(
    source: str | Path,
    *,
    format: str | None = None,
    id_field: str | None = None,
    text_fields: Sequence[str] | None = None,
    joined: bool = True,
    bad_lines: BadLines | None = None,
) -> Iterator[Record]:
    r"""
    Return the documents of a file, a folder or standard input.

    Records stream: memory holds one at a time, whatever the size of the file.

    Parameters
    ----------
    source : str or Path
        A file, packed if its name ends in ``.gz``; a folder; or ``"-"`` for
        standard input.
    format : str, optional
        ``"jsonl"``, ``"tsv"``, ``"csv"``, ``"beir"`` (a folder with
        ``corpus.jsonl`` or ``corpus.jsonl.gz``) or ``"files"`` (every text
        file of a folder). Without it the name tells (``.jsonl``, ``.ndjson``,
        ``.json``, ``.tsv``, ``.txt`` read as TSV, ``.csv``); a folder is
        ``"beir"`` if it holds a corpus file, else ``"files"``; standard input
        is ``"jsonl"``.
    id_field : str, optional
        Name of the id, then every record needs it. Without it the first of
        ``_id``, ``id``, ``doc_id``, ``docno`` that a record has.
    text_fields : sequence of str, optional
        Names of the text's parts, of which a record needs one at least.
        Without it ``title`` and the first of ``text``, ``contents``, ``body``
        that a record has.
    joined : bool, default True
        Whether the parts become one text, a blank between them (an empty part
        adds nothing), or a dict of fields.
    bad_lines : BadLines, optional
        Where malformed lines are noted and then skipped. Without it the first
        malformed line is an error.

    Returns
    -------
    iterator of Record
        Id, text and the other values of each document, in the order of the file.

    Raises
    ------
    FileNotFoundError
        If there is no such file or folder.
    ValueError
        If the format is unknown or does not suit the source, if `text_fields`
        is empty, if a line is malformed (the message holds file and line
        number), or if gzip data is damaged.
    TypeError
        If `text_fields` is one string instead of a sequence of them.

    See Also
    --------
    read_queries : The same for queries.
    load_collection : Documents, queries and judgments together.

    Notes
    -----
    Ids. JSON keeps text and whole numbers apart; other formats hold text. If
    the first record of a source has no id, then no record may have one, and the
    id of each is the number of its line (int, from 1). So ids that are given
    and numbers never mix. Duplicates are not looked for here: an index refuses
    them.

    JSONL. One object per line, or one string, which is a text without an id.
    A text that is null or NaN is empty; the strings of a list are joined.

    TSV. No quoting. The first line is a header if its first cell is an id name
    and another cell is a text name, or if `id_field` or `text_fields` is given.
    Without a header a line is an id, a tab and the text, in which further tabs
    may stand; if the first line has no tab, each line is a text without an id.

    CSV. A header row is needed; quoting as in RFC 4180.

    Text files. The id is the path below the folder with forward slashes, and
    files come sorted by it. Hidden files and folders (a leading dot), binary
    files (a NUL among their first 8192 bytes) and folders behind links are left
    out; bytes that are not UTF-8 are replaced by U+FFFD.

    Blank lines are skipped, a byte order mark is dropped, and a line that is
    not UTF-8 is malformed.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sparsebm25.datasets import read_documents
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "corpus.tsv")
    ...     _ = path.write_text("d1\tred kite\nd2\tblue mug\n")
    ...     [(record.id, record.text) for record in read_documents(path)]
    [('d1', 'red kite'), ('d2', 'blue mug')]
    """
    if isinstance(text_fields, str):
        raise TypeError(f"text_fields must be a sequence of names, got the string {shown(text_fields)}")
    if text_fields is not None and not text_fields:
        raise ValueError(f"text_fields must name one field at least, got {shown(text_fields)}")
    keys = DOCUMENT_KEYS.choose(id_field, text_fields)
    path, format = _resolved(source, format, _corpus)
    return _records(path, format, keys, bad_lines, joined=joined)


def read_queries(
    source: str | Path,
    *,
    format: str | None = None,
    id_field: str | None = None,
    text_field: str | None = None,
    bad_lines: BadLines | None = None,
) -> Iterator[tuple[DocId, str]]:
    r"""
    Return the id and the text of each query of a file, a folder or standard input.

    Layouts and rules are those of `read_documents`.

    Parameters
    ----------
    source : str or Path
        A file, a BEIR folder (its ``queries.jsonl`` or ``queries.jsonl.gz`` is
        read), a folder of text files, or ``"-"`` for standard input.
    format : str, optional
        ``"jsonl"``, ``"tsv"``, ``"csv"``, ``"beir"`` or ``"files"``. Without
        it the name tells.
    id_field : str, optional
        Name of the id. Without it the first of ``_id``, ``id``, ``query_id``,
        ``qid`` that a record has.
    text_field : str, optional
        Name of the text. Without it the first of ``text``, ``query`` that a
        record has.
    bad_lines : BadLines, optional
        Where malformed lines are noted and then skipped. Without it the first
        malformed line is an error.

    Returns
    -------
    iterator of tuple of (str or int, str)
        Query id, verbatim, and text, in the order of the file.

    Raises
    ------
    FileNotFoundError
        If there is no such file or folder.
    ValueError
        If the format is unknown or does not suit the source, if a line is
        malformed (the message holds file and line number), or if gzip data
        is damaged.

    See Also
    --------
    read_documents : The same for documents, with every rule.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sparsebm25.datasets import read_queries
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "queries.txt")
    ...     _ = path.write_text("red kite\nblue mug\n")
    ...     list(read_queries(path))
    [(1, 'red kite'), (2, 'blue mug')]
    """
    keys = QUERY_KEYS.choose(id_field, None if text_field is None else (text_field,))
    path, format = _resolved(source, format, _queries)
    records = _records(path, format, keys, bad_lines, joined=True)
    return ((record.id, str(record.text)) for record in records)


def _resolved(
    source: str | Path, format: str | None, part: Callable[[BeirFolder], Path]
) -> tuple[str | Path, str]:
    """Return what is to be read and its format, with a BEIR folder resolved to one of its files."""
    choice("format", format, (None, *FORMATS))
    if source == STANDARD_INPUT:
        choice("format of standard input", format, (None, *_ROWS))
        return source, format or "jsonl"
    path = Path(source)
    if path.is_dir():
        choice("format of a folder", format, (None, "beir", "files"))
        return _resolved_folder(path, format, part)
    if not path.exists():
        raise FileNotFoundError(errno.ENOENT, "no such file or folder", str(path))
    choice("format of a file", format, (None, *_ROWS))
    return path, format or _format_by_name(path)


def _resolved_folder(
    folder: Path, format: str | None, part: Callable[[BeirFolder], Path]
) -> tuple[Path, str]:
    """Return one file of a BEIR folder, or the folder of text files itself."""
    beir = require_beir(folder) if format == "beir" else beir_folder(folder)
    if beir is None or format == "files":
        return folder, "files"
    return part(beir), "jsonl"


def _corpus(beir: BeirFolder) -> Path:
    """Return the file of the documents."""
    return beir.corpus


def _queries(beir: BeirFolder) -> Path:
    """Return the file of the queries, or say that there is none."""
    if beir.queries is None:
        raise ValueError(f"{beir.folder} holds no queries: it has no queries.jsonl or queries.jsonl.gz")
    return beir.queries


def _format_by_name(path: Path) -> str:
    """Return the format that a file's name tells."""
    suffix = Path(path.stem).suffix if path.suffix == ".gz" else path.suffix
    try:
        return _SUFFIXES[suffix.lower()]
    except KeyError:
        raise ValueError(
            f"the name of {path} tells no format ({', '.join(_SUFFIXES)}); name it: {', '.join(_ROWS)}"
        ) from None


def _records(
    source: str | Path, format: str, keys: Keys, bad_lines: BadLines | None, *, joined: bool
) -> Iterator[Record]:
    """Return the records of a source whose format is known."""
    if format == "files":
        if keys.chosen:
            raise ValueError(f"text files have no fields to choose by name, but {source} is a folder of them")
        return _file_records(Path(source), bad_lines, joined=joined)
    faults = Faults(shown_name(source), bad_lines)
    rows = _ROWS[format](numbered_lines(source), keys, faults)
    return row_records(rows, keys, faults, joined=joined)


def _file_records(folder: Path, bad_lines: BadLines | None, *, joined: bool) -> Iterator[Record]:
    """Yield the text files of a folder, sorted by their path below it."""

    def unreadable(error: OSError | ValueError) -> None:
        if bad_lines is None:
            raise error
        bad_lines.add(str(error))

    for name, path in text_files(folder, unreadable):
        try:
            text = file_text(path)
        except (OSError, ValueError) as error:
            unreadable(error)
        else:
            if text is not None:
                yield Record(name, text if joined else {"text": text}, {})
