"""What a collection says about its terms: the numbers that partitions can add up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sparsebm25.counts import Counts
from sparsebm25.protocols import Ints
from sparsebm25.vocabulary import Vocabulary


@dataclass(frozen=True, eq=False)
class Statistics:
    """
    Return the statistics that weights depend on beside a document's own counts.

    Statistics of disjoint collections add up with ``+``. An index that weighs
    its documents with the sum (`BM25Index.with_statistics`) scores them as
    one index of all documents would, bit for bit.

    Parameters
    ----------
    vocabulary : Vocabulary
        The terms.
    doc_freqs : ndarray of shape (n_terms,), dtype int
        Documents that hold each term.
    n_docs : int
        Number of documents.
    field_totals : tuple of int
        Tokens of all documents, field by field.

    Examples
    --------
    >>> from sparsebm25 import BM25Index
    >>> left = BM25Index().fit(["red kite", "red pot"]).statistics
    >>> right = BM25Index().fit(["blue kite"]).statistics
    >>> both = left + right
    >>> both.n_docs, both.field_totals, both.doc_freqs.tolist()
    (3, (6,), [1, 2, 1, 2])
    """

    vocabulary: Vocabulary
    doc_freqs: Ints
    n_docs: int
    field_totals: tuple[int, ...]

    @classmethod
    def of(cls, vocabulary: Vocabulary, counts: Counts) -> Statistics:
        """
        Return the statistics of a collection.

        Parameters
        ----------
        vocabulary : Vocabulary
            Its terms.
        counts : Counts
            Its counts.

        Returns
        -------
        Statistics
            Exact whole numbers.
        """
        return cls(vocabulary, counts.doc_freqs, counts.n_docs, counts.field_totals)

    @property
    def mean_lengths(self) -> tuple[float, ...]:
        """Return the mean length of each field over all documents; 0 without documents. Unit: tokens."""
        return tuple(total / self.n_docs if self.n_docs else 0.0 for total in self.field_totals)

    def __add__(self, other: Statistics) -> Statistics:
        if not isinstance(other, Statistics):
            return NotImplemented
        if len(self.field_totals) != len(other.field_totals):
            raise ValueError(
                f"statistics must be of equally many fields to add up, got {len(self.field_totals)} "
                f"and {len(other.field_totals)}"
            )
        if (
            self.vocabulary.numbered != other.vocabulary.numbered
            and len(self.vocabulary)
            and len(other.vocabulary)
        ):
            raise ValueError("statistics of texts and of column numbers do not add up")
        vocabulary = self.vocabulary.union(other.vocabulary)
        doc_freqs = np.zeros(len(vocabulary), np.int64)
        for part in (self, other):
            doc_freqs[vocabulary.ords_of(part.vocabulary)] += part.doc_freqs
        totals = tuple(a + b for a, b in zip(self.field_totals, other.field_totals, strict=True))
        return Statistics(vocabulary, doc_freqs, self.n_docs + other.n_docs, totals)
