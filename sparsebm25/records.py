"""What a search hands back: hits, and the explanation of a score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, overload

import numpy as np

from sparsebm25._checks import escaped
from sparsebm25._optional import require
from sparsebm25.protocols import DocId, Floats, Ints


class Hit(NamedTuple):
    """
    Return one document that a search found.

    Parameters
    ----------
    doc_id : str or int
        The caller's name for the document.
    score : float
        Score of the document for the query; higher is better.
    doc_ord : int
        Position of the document in the index that answered, from 0.

    Examples
    --------
    >>> from sparsebm25 import Hit
    >>> hit = Hit("a-17", 1.25, 0)
    >>> hit.doc_id, hit.score
    ('a-17', 1.25)
    """

    doc_id: DocId
    score: float
    doc_ord: int


class Hits(Sequence[Hit]):
    """
    Return the documents that a search found, best first.

    A sequence of `Hit` over two arrays, so that a thousand hits cost no
    thousand objects until they are looked at. Order is total: score
    descending, then position in the index ascending.

    Parameters
    ----------
    doc_ids : sequence of (str or int), length n_docs
        The id of every document of the index, by position; not copied.
    doc_ords : ndarray of shape (n_hits,), dtype int
        Positions of the found documents, best first.
    scores : ndarray of shape (n_hits,), dtype float
        Their scores.

    Examples
    --------
    >>> from sparsebm25 import BM25Index
    >>> hits = BM25Index().fit(["red kite", "red pot", "blue mug"]).search("kite")
    >>> [(hit.doc_id, round(hit.score, 4)) for hit in hits]
    [(0, 0.3923)]
    """

    __slots__ = ("_doc_ids", "doc_ords", "scores")

    def __init__(self, doc_ids: Sequence[DocId], doc_ords: Ints, scores: Floats) -> None:
        self._doc_ids = doc_ids
        self.doc_ords = doc_ords
        self.scores = scores

    @property
    def doc_ids(self) -> list[DocId]:
        """Return the ids of the found documents, best first."""
        return [self._doc_ids[doc_ord] for doc_ord in self.doc_ords.tolist()]

    def __len__(self) -> int:
        return int(self.doc_ords.size)

    @overload
    def __getitem__(self, place: int) -> Hit: ...
    @overload
    def __getitem__(self, place: slice) -> Hits: ...
    def __getitem__(self, place: int | slice) -> Hit | Hits:
        if isinstance(place, slice):
            return Hits(self._doc_ids, self.doc_ords[place], self.scores[place])
        doc_ord = int(self.doc_ords[place])
        return Hit(self._doc_ids[doc_ord], float(self.scores[place]), doc_ord)

    def __iter__(self) -> Iterator[Hit]:
        for doc_ord, score in zip(self.doc_ords.tolist(), self.scores.tolist(), strict=True):
            yield Hit(self._doc_ids[doc_ord], score, doc_ord)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Hits)
            and np.array_equal(self.doc_ords, other.doc_ords)
            and np.array_equal(self.scores, other.scores)
            and self.doc_ids == other.doc_ids
        )

    __hash__ = None  # type: ignore[assignment]  # holds arrays

    def __repr__(self) -> str:
        shown = ", ".join(f"({hit.doc_id!r}, {hit.score:.4f})" for hit in self[:3])
        return f"<{len(self)} hits: {shown}{', …' if len(self) > 3 else ''}>"

    def _repr_html_(self) -> str:
        """Return a static table for notebooks, all text escaped."""
        rows = "".join(
            f"<tr><td>{rank}</td><td>{escaped(hit.doc_id)}</td><td>{hit.score:.4f}</td></tr>"
            for rank, hit in enumerate(self[:50], start=1)
        )
        more = f"<p>and {len(self) - 50} more</p>" if len(self) > 50 else ""
        return f"<table><tr><th>rank</th><th>doc_id</th><th>score</th></tr>{rows}</table>{more}"

    def to_pandas(self) -> Any:
        """
        Return the hits as a pandas frame with columns rank, doc_id and score.

        Returns
        -------
        pandas.DataFrame
            One row a hit, best first; rank counts from 1.

        Raises
        ------
        MissingExtra
            If pandas is not installed.
        """
        pandas = require("pandas", "pandas")
        return pandas.DataFrame(
            {"rank": np.arange(1, len(self) + 1), "doc_id": self.doc_ids, "score": self.scores}
        )


@dataclass(frozen=True, slots=True)
class Explanation:
    """
    Return why a document has its score: a tree whose parts are named in words.

    Parameters
    ----------
    value : float
        What this part is worth. The values of a node's `parts` sum to its
        own wherever `combines` is ``"sum"``.
    sentence : str
        The part in words, with the formula where there is one.
    parts : tuple of Explanation
        What the value is made of; empty for a leaf.
    combines : {"sum", "product", "inputs"}
        How the parts make the value: they add up, multiply, or are the
        inputs of the formula in the sentence.

    Examples
    --------
    >>> from sparsebm25 import BM25Index
    >>> index = BM25Index().fit(["red kite", "red pot", "blue mug"])
    >>> tree = index.explain("red kite", 0)
    >>> [part.sentence.split(":")[0] for part in tree.parts]
    ["'kite'", "'red'"]
    """

    value: float
    sentence: str
    parts: tuple[Explanation, ...] = ()
    combines: str = "sum"

    def addends(self) -> list[Explanation]:
        """
        Return the parts that sum to the value, down to where sums end.

        Returns
        -------
        list of Explanation
            The node itself if it is not a sum of parts.
        """
        if self.combines != "sum" or not self.parts:
            return [self]
        return [leaf for part in self.parts for leaf in part.addends()]

    def __str__(self) -> str:
        return "\n".join(self._lines(0))

    def _lines(self, depth: int) -> Iterator[str]:
        """Yield the tree as indented lines."""
        yield f"{'  ' * depth}{self.value:.6g} = {self.sentence}"
        for part in self.parts:
            yield from part._lines(depth + 1)
