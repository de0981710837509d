"""Which documents hold a phrase as it is written, with no letter right before or after it?"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from sparsebm25.protocols import Ints
from sparsebm25.scoring.partial import agreeing_places
from sparsebm25.string_table import StringTable

_EDGE, _BREAK = "\0", "\1"
_ORDINARY = str.maketrans({_EDGE: "\2", _BREAK: "\2"})  # control characters that nobody looks for


class Phrases:
    """
    Return texts in which phrases can be found at the edges of words.

    All texts lie in one block, with a mark on both sides of every word and a
    break after every text. A phrase
    with the same marks is then a plain part of the block: where it begins or
    ends with a word, its mark is the edge of a word there too. Only the
    places of the phrase's rarest word are looked at.

    Parameters
    ----------
    documents : iterable of iterable of list of str
        The texts of each document, each text cut at the edges of its words:
        gaps and words in turn, as `split_at_edges` gives them. A phrase
        never spans two texts.

    Notes
    -----
    Exact. The control characters U+0000, U+0001 and U+0002 are taken for one.

    Examples
    --------
    >>> from sparsebm25.scoring.phrases import Phrases
    >>> from sparsebm25.text.boundaries import split_at_edges
    >>> texts = ["a red kite", "a bored kite", "kite, red", "red red kite"]
    >>> phrases = Phrases([[split_at_edges(text.lower())] for text in texts])
    >>> phrases.holding(split_at_edges("red kite"))
    array([0, 3])
    """

    __slots__ = ("_byte_counts", "_indptr", "_places", "_texts", "_word_ords")

    def __init__(self, documents: Iterable[Iterable[Sequence[str]]]) -> None:
        word_ords: defaultdict[str, int] = defaultdict()
        word_ords.default_factory = word_ords.__len__
        tokens = array("i")
        marked = []
        for document in documents:
            texts = list(document)
            for pieces in texts:
                tokens.extend(map(word_ords.__getitem__, pieces[1::2]))
            marked.append("".join(_marked(pieces) + _BREAK for pieces in texts))
        self._word_ords = dict(word_ords)
        self._texts = StringTable.of(marked)
        words = np.frombuffer(tokens, np.int32)
        starts = np.flatnonzero(self._texts.blob == ord(_EDGE))[::2]
        self._places = starts[np.argsort(words, kind="stable")]
        self._indptr = np.concatenate(([0], np.cumsum(np.bincount(words, minlength=len(word_ords)))))
        self._byte_counts = np.bincount(self._texts.blob, minlength=256)

    def holding(self, phrase: Sequence[str]) -> Ints:
        """
        Return the documents that hold a phrase as it is written.

        Parameters
        ----------
        phrase : sequence of str
            The phrase, cut like the documents.

        Returns
        -------
        ndarray of shape (n_found,), dtype int64
            Document ordinals, ascending; all for the empty phrase.

        Notes
        -----
        Linear in the occurrences of the rarest word of the phrase; for a
        phrase without words, in the bytes of all texts.
        """
        wanted = StringTable.of([_marked(phrase)]).blob
        if not wanted.size:
            return np.arange(len(self._texts))
        places, known = self._rarest(phrase, wanted)
        starts = agreeing_places(self._texts.blob, wanted, places - known.start, known)
        ords = np.searchsorted(self._texts.offsets, starts, side="right") - 1
        return ords[np.diff(ords, prepend=-1) > 0]

    def _rarest(self, phrase: Sequence[str], wanted: Ints) -> tuple[Ints, range]:
        """Return all places of the rarest part of the phrase, ascending, and which of its bytes that is."""
        words = phrase[1::2]
        if not words:
            step = int(np.argmin(self._byte_counts[wanted]))
            return np.flatnonzero(self._texts.blob == wanted[step]), range(step, step + 1)
        found = [self._word_ords.get(word) for word in words]
        ords = [ord_ for ord_ in found if ord_ is not None]
        if len(ords) < len(words):
            return np.empty(0, np.int64), range(0)
        rarest = int(np.argmin(np.diff(self._indptr)[ords]))
        places = self._places[self._indptr[ords[rarest]] : self._indptr[ords[rarest] + 1]]
        before, word = (
            StringTable.of([_marked(part)]).blob.size
            for part in (phrase[: 2 * rarest + 1], ["", words[rarest], ""])
        )
        return places, range(before, before + word)


def _marked(pieces: Sequence[str]) -> str:
    """Return gaps and words as one text with marks at the edges of the words."""
    marked = _EDGE.join(pieces)
    if marked.count(_EDGE) + marked.count(_BREAK) < len(pieces):
        return marked
    return _EDGE.join(piece.translate(_ORDINARY) for piece in pieces)
