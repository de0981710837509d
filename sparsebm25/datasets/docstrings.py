"""A collection that is always at hand: the docstrings of the scientific Python that is installed."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from sparsebm25._checks import integer, shown
from sparsebm25.datasets._modules import SourceFile, read_module, source_files, spread_added
from sparsebm25.datasets._names import Names
from sparsebm25.datasets._sections import Parts, split_docstring
from sparsebm25.datasets.collection import Collection
from sparsebm25.protocols import DocId

__all__ = ["PACKAGES", "load_docstrings"]

PACKAGES = ("numpy", "scipy", "sklearn", "stdlib")
"""The packages that are read unless others are named; "stdlib" is the standard library."""

OWN_GRADE, LINKED_GRADE = 2, 1
MIN_WORDS = 10
MIN_REST_WORDS = 20
SUMMARY_WORDS = range(4, 31)


def load_docstrings(
    *,
    packages: Sequence[str] = PACKAGES,
    n_queries: int = 1000,
    progress: Callable[[Sequence[SourceFile]], Iterable[SourceFile]] | None = None,
) -> Collection:
    """
    Return the docstrings of installed packages with queries that they answer.

    Thousands of real documents, real queries and graded judgments without
    network and without files of one's own: enough to try a ranking, to compare
    schemes, and to test with. The sources are parsed; nothing is imported and
    nothing runs.

    Parameters
    ----------
    packages : sequence of str, optional
        Names of installed packages, "stdlib" for the standard library. One
        that is not installed is left out and named in `notes`. By default
        NumPy, SciPy, scikit-learn and the standard library.
    n_queries : int, default 1000
        How many queries at most, at least 0.
    progress : callable, optional
        Wraps the list of source files while they are read, such as
        ``tqdm.tqdm``.

    Returns
    -------
    Collection
        Documents sorted by id, which is the public name of what is documented
        (``numpy.linalg.norm``), with fields ``title`` (the name) and ``text``
        (the docstring, indentation removed, markup as written).

    Raises
    ------
    ValueError
        If `n_queries` is negative, or a package is not named by one word.
    TypeError
        If `packages` is no sequence of names, or `n_queries` no integer.

    See Also
    --------
    load_collection : A collection from files.

    Notes
    -----
    Documents. Public modules, functions, classes and methods whose docstring
    has at least 10 words, as far as it stands in sources written in Python (the
    docstrings that NumPy and SciPy add to compiled functions do). A name with a
    leading underscore is private; the public name of an object is the shortest
    one that a package around it offers.

    Queries. The query of an object is its summary, the first paragraph of its
    docstring, and is taken out of the document, so that the rest has to be
    found; the query's id is the object's name. An object is asked for if its
    summary has 4 to 30 words, no other document has the same, and the rest has
    at least 20 words and does not repeat it. Of these the first `n_queries` in
    the order of the SHA-256 of their names are taken: the same ones every time,
    and nearly the same ones after a package has changed.

    Judgments. The object itself has grade 2, and each document that its "See
    Also" section links to has grade 1. These sections are taken out of all
    documents, as they would give the answers away.

    Figures depend on the versions that are installed. About 30 MB of sources
    are parsed, which takes several seconds; NumPy alone takes about one.

    Examples
    --------
    >>> from sparsebm25.datasets import load_docstrings
    >>> collection = load_docstrings(packages=["json"])
    >>> collection.name, "json.JSONEncoder" in collection.ids
    ('docstrings', True)
    """
    if isinstance(packages, str) or not all(isinstance(package, str) for package in packages):
        raise TypeError(f"packages must be a sequence of names, got {shown(packages)}")
    n_queries = integer("n_queries", n_queries, low=0)
    found = {package: source_files(package) for package in packages}
    files = [file for package in found for file in found[package]]
    modules = [read_module(name, path) for name, path in (progress(files) if progress else files)]
    names = Names(spread_added(module for module in modules if module is not None))
    parts = _documented(names)
    asked = _answerable(parts)[:n_queries]
    return Collection(
        "docstrings",
        tuple(parts),
        _fields(parts, frozenset(asked)),
        {own: parts[own].summary for own in asked},
        {own: _judgments(own, parts, names) for own in asked},
        _notes(found, modules.count(None)),
    )


def _documented(names: Names) -> dict[str, Parts]:
    """Return the parts of every docstring that is long enough, by public name in order."""
    parts = {public: split_docstring(names.docstring(public)) for public in sorted(names.places)}
    return {public: part for public, part in parts.items() if len(part.text.split()) >= MIN_WORDS}


def _answerable(parts: Mapping[str, Parts]) -> list[str]:
    """Return the objects whose summary is a fair query, in the order of their hashes."""
    summaries = Counter(part.summary for part in parts.values())
    fair = [
        own
        for own, part in parts.items()
        if summaries[part.summary] == 1
        and len(part.summary.split()) in SUMMARY_WORDS
        and len(part.rest.split()) >= MIN_REST_WORDS
        and part.summary not in " ".join(part.rest.split())
    ]
    return sorted(fair, key=lambda own: hashlib.sha256(own.encode()).digest())


def _fields(parts: Mapping[str, Parts], asked: frozenset[str]) -> tuple[dict[str, str], ...]:
    """Return the documents; those that are asked for lack their summary."""
    return tuple(
        {"title": own, "text": part.rest if own in asked else part.text} for own, part in parts.items()
    )


def _judgments(own: str, parts: Mapping[str, Parts], names: Names) -> dict[DocId, int]:
    """Return the grades for the query of one object: itself, then the documents it links to."""
    linked = (names.linked(name, own) for name in parts[own].links)
    grades: dict[DocId, int] = {
        other: LINKED_GRADE for other in linked if other is not None and other in parts
    }
    return grades | {own: OWN_GRADE}


def _notes(found: Mapping[str, Sequence[SourceFile]], n_unparsed: int) -> tuple[str, ...]:
    """Return what is missing."""
    missing = [f"{package} is not installed" for package, files in found.items() if not files]
    return (*missing, *([f"{n_unparsed} source files could not be parsed"] if n_unparsed else []))
