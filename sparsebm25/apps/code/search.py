"""Search in code: which files of a repository answer a question, and in which lines?"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from sparsebm25._checks import integer, shown
from sparsebm25.apps.code._cache import user_cache_folder
from sparsebm25.apps.code._compatible import CompatibleFiles, opened
from sparsebm25.apps.code._files import checked_files, checked_root
from sparsebm25.apps.code._indexed import IndexedFiles
from sparsebm25.apps.code.results import CodeHit
from sparsebm25.index import BM25Index

__all__ = ["CodeSearch"]


class CodeSearch:
    r"""
    Rank the files of a repository for a question or a name; made by `open`.

    Finds code by what it is about, where an exact search finds nothing or too
    much. Names count whole and by their parts, so that ``user name`` finds
    ``getUserName`` and ``USER_NAME``, and the path of a file counts more than
    its text.

    Parameters
    ----------
    files : IndexedFiles or CompatibleFiles
        The files, as `open` prepares them.

    See Also
    --------
    sparsebm25.text.split_identifiers : What the names in code are.

    Notes
    -----
    Exact search is left to tools for it, such as ripgrep: there are no regular
    expressions, no counts and no list of all places. A query that is quoted,
    or one name of several parts such as ``load_user``, is looked for literally
    too, in its case, among the best 100 files that hold all its names; files
    with such a line come first.

    Searches may run in several threads, also while `refresh` runs in one.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from sparsebm25.apps.code import CodeSearch
    >>> with TemporaryDirectory() as root:
    ...     _ = Path(root, "users.py").write_text("def load_user(name):\n    return TABLE[name]\n")
    ...     _ = Path(root, "colors.py").write_text("RED, BLUE = range(2)\n")
    ...     hits = CodeSearch.open(root, cache=False).search("loading a user by name")
    >>> [(hit.path, hit.lines[0].line, hit.lines[0].text) for hit in hits]
    [('users.py', 1, 'def load_user(name):')]
    """

    def __init__(self, files: IndexedFiles | CompatibleFiles) -> None:
        self._files = files

    @classmethod
    def open(
        cls,
        root: str | os.PathLike[str],
        *,
        compatible: bool = False,
        cache: bool | str | os.PathLike[str] = True,
        rebuild: bool = False,
        files: Iterable[str | os.PathLike[str]] | None = None,
        progress: Callable[[Sequence[str]], Iterable[str]] | None = None,
    ) -> CodeSearch:
        """
        Return a search over a repository, with its index brought up to date.

        Parameters
        ----------
        root : str or path
            The folder of the repository.
        compatible : bool, default False
            Behave as the tool that this one replaces, see Notes.
        cache : bool or path, default True
            Where the index is kept for the next run: True for the user's
            cache folder (``XDG_CACHE_HOME``, or the usual place of the
            system), False for nowhere, or a folder. Unless a folder is given,
            nothing is ever kept inside the repository.
        rebuild : bool, default False
            Read all files anew, whatever is kept.
        files : iterable of (str or path), optional
            The files to search, relative to `root` or below it; then no rule
            leaves any out, except that they must be text of at most 1 MiB.
        progress : callable, optional
            Wraps the list of paths while files are read, such as
            ``tqdm.tqdm``.

        Returns
        -------
        CodeSearch
            Ready to search.

        Raises
        ------
        FileNotFoundError, NotADirectoryError
            If `root` is not a folder.
        ValueError
            If one of `files` is not below `root`.
        TypeError
            If a path is not a path, or `files` not an iterable of them.

        Warns
        -----
        RuntimeWarning
            If the index cannot be kept; it is good for this run then.

        Notes
        -----
        Files. Those that git would not ignore by ``.gitignore`` files and
        ``.git/info/exclude`` (what git tracks all the same is left out too),
        without: links; names ``.git``, ``node_modules``, ``__pycache__``,
        ``.venv``, ``venv``, ``.code-context``, ``dist`` and ``build`` below
        `root`; suffixes of compiled files, images and archives; binary files
        (a NUL byte in the first 8192 bytes); files above 1 MiB. Bytes that
        are not UTF-8 are replaced. `skipped` tells what could not be taken.

        Cache. A file is read again if its size or times have changed, or were
        too fresh to tell when it was read, and counted again if its content
        has changed. An index that is damaged or of another version is made
        anew. Processes may refresh and search at the same time.

        Ranking. BM25F over path (boost 5, b 0.3) and text (b 0.75); each
        distinct token of the query counts once; equal scores come by path.

        With ``compatible=True``: tokens are runs of two or more ASCII letters
        and digits, broken at underscores and between a small and a capital
        letter; scores are those of `okapi` with repeated tokens counted, to 4
        decimals, and end at the first that is not above 0; a negative `k`
        drops that many of the last ranks; the first matching lines are shown
        rather than the best, without their indentation. Files are those named
        in ``.code-context/files.all.txt``, or the first 5000 in the order of
        the file system without the names and suffixes above, a name above
        `root` included; files without tokens are not counted. What was read is
        kept in this process, texts too, and not refreshed by `open`.
        """
        folder = checked_root(root)
        chosen = None if files is None else checked_files(files)
        if not isinstance(cache, bool | str | os.PathLike):
            raise TypeError(f"cache must be True, False or the path of a folder, got {shown(cache)}")
        if not compatible:
            indexed = IndexedFiles(folder, chosen, _cache_base(cache, folder), progress)
            indexed.open(rebuild=rebuild)
            return cls(indexed)
        if chosen is not None or cache is False:
            return cls(CompatibleFiles(folder, chosen, progress))
        return cls(opened(folder, progress, rebuild=rebuild))

    def search(self, query: str, k: int = 20, *, lines: int = 3, context: int = 0) -> list[CodeHit]:
        """
        Return the files that fit a query best, each with the lines that answer.

        Parameters
        ----------
        query : str
            Words or names; never read as query syntax, except that quotes
            around all of it ask for its literal text, see Notes of the class.
        k : int, default 20
            Most files wanted, at least 0; a negative one slices if compatible.
        lines : int, default 3
            Most lines of each file, at least 0: those whose distinct tokens
            are rarest together, best first, equal ones from the top.
        context : int, default 0
            Lines shown before and after each of them, at least 0.

        Returns
        -------
        list of CodeHit
            Best first; only files that share a token with the query. Lines
            are of the files as they are now.

        Raises
        ------
        TypeError
            If `query` is not a str, or a number not an integer.
        ValueError
            If `k`, `lines` or `context` is negative.
        """
        if not isinstance(query, str):
            raise TypeError(f"query must be a str, got {shown(query)}")
        k, lines, context = (
            integer("k", k),
            integer("lines", lines, low=0),
            integer("context", context, low=0),
        )
        return self._files.search(query, k, lines, context)

    def refresh(self) -> CodeSearch:
        """
        Read what has changed in the repository since it was opened.

        Returns
        -------
        CodeSearch
            The search itself.

        Raises
        ------
        FileNotFoundError, NotADirectoryError
            If the repository has gone; searches go on as before.
        """
        self._files.refresh()
        return self

    @property
    def index(self) -> BM25Index:
        """Return the index, with a document a file and, by default, the path as its id."""
        return self._files.index

    @property
    def n_files(self) -> int:
        """Return the number of files in the index."""
        return len(self._files.index)

    @property
    def skipped(self) -> dict[str, str]:
        """Return why files are not in the index though no rule leaves them out: path -> reason."""
        return self._files.skipped

    def __repr__(self) -> str:
        return f"<CodeSearch of {self.n_files} files, {len(self.skipped)} skipped>"


def _cache_base(cache: bool | str | os.PathLike[str], root: Path) -> Path | None:
    """Return the folder under which indexes are kept; never one inside the repository unless it is given."""
    if not isinstance(cache, bool):
        return Path(cache)
    folder = user_cache_folder() / "sparsebm25" / "code"
    return None if not cache or folder.resolve().is_relative_to(root) else folder
