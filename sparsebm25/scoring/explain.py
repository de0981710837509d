"""Why does this document have this score? The same numbers as the score, as a tree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sparsebm25.counts import Counts
from sparsebm25.records import Explanation
from sparsebm25.scoring.queries import QueryTerms
from sparsebm25.weighting.statistics import Statistics
from sparsebm25.weighting.weigh import Weighting, Weights, length_norms


@dataclass(frozen=True, slots=True)
class Explainer:
    """
    Return an explainer of the scores that `weights` give.

    Parameters
    ----------
    counts : Counts
        What was counted.
    statistics : Statistics
        What the idf and the mean lengths come from.
    weighting : Weighting
        Scheme and parameters.
    weights : Weights
        The weights that scoring uses.
    fields : tuple of str
        Names of the fields; () without fields.
    """

    counts: Counts
    statistics: Statistics
    weighting: Weighting
    weights: Weights
    fields: tuple[str, ...] = ()

    def explain(self, query: QueryTerms, doc_ord: int) -> Explanation:
        """
        Return what each term of a query gives to one document.

        Parameters
        ----------
        query : QueryTerms
            The query.
        doc_ord : int
            Position of the document.

        Returns
        -------
        Explanation
            A sum over the query's terms, in text order; its addends sum to
            the score up to the rounding of the scores' dtype.
        """
        parts = []
        for term_ord, weight in zip(query.term_ords.tolist(), query.weights.tolist(), strict=True):
            place = self._posting(term_ord, doc_ord)
            if place is not None:
                parts.append(self._term(term_ord, weight, place, doc_ord))
        if query.constant:
            parts.append(
                Explanation(query.constant, "absent weights: what every document gets for the query's terms")
            )
        name = self.weighting.scheme.name
        return Explanation(
            self._score(query, doc_ord), f"score under {name}: sum over the query's terms", tuple(parts)
        )

    def _posting(self, term_ord: int, doc_ord: int) -> int | None:
        """Return the place of a posting, or None where the document lacks the term."""
        start, end = int(self.counts.indptr[term_ord]), int(self.counts.indptr[term_ord + 1])
        place = start + int(np.searchsorted(self.counts.indices[start:end], doc_ord))
        return place if place < end and self.counts.indices[place] == doc_ord else None

    def _score(self, query: QueryTerms, doc_ord: int) -> float:
        """Return the score of one document, by the additions of the exact path."""
        score = self.weights.dtype.type(0)
        for term_ord, weight in zip(query.term_ords.tolist(), query.weights, strict=True):
            place = self._posting(term_ord, doc_ord)
            if place is not None:
                score += self.weights.postings.data[place] * weight
        return float(score + self.weights.dtype.type(query.constant)) if query.constant else float(score)

    def _term(self, term_ord: int, query_weight: float, place: int, doc_ord: int) -> Explanation:
        """Return one term's contribution with what it is made of."""
        term = self.statistics.vocabulary[term_ord]
        weight = self.weights.postings.data[place]
        value = float(weight * self.weights.dtype.type(query_weight))
        idf = float(self.weights.idf[term_ord])
        doc_freq, n_docs = int(self.statistics.doc_freqs[term_ord]), self.statistics.n_docs
        parts = (
            Explanation(query_weight, "query weight"),
            Explanation(idf, f"idf: the term is in {doc_freq} of {n_docs} documents"),
            Explanation(
                float(weight) / idf if idf else 0.0,
                f"tf part, without the idf, of {self.weighting.scheme.formula}",
                self._inputs(place, doc_ord),
                "inputs",
            ),
        )
        return Explanation(value, f"{term!r}: query weight * idf * tf part", parts, "product")

    def _inputs(self, place: int, doc_ord: int) -> tuple[Explanation, ...]:
        """Return the counts, lengths and parameters that went into the tf part."""
        inputs = []
        norms = _length_norms_of(self.counts, self.statistics, self.weighting, doc_ord)
        for field, tf in enumerate(self.counts.field_tf):
            of_field = f" in field {self.fields[field]!r}" if self.fields else ""
            length = int(self.counts.field_lengths[field][doc_ord])
            mean = self.statistics.mean_lengths[field]
            inputs += [
                Explanation(float(tf[place]), f"tf: occurrences{of_field}", (), "inputs"),
                Explanation(
                    norms[field],
                    f"length norm{of_field}: b = {self.weighting.b[field]:g}, {length} tokens, mean {mean:g}",
                    (),
                    "inputs",
                ),
            ]
            if self.fields:
                inputs.append(Explanation(self.weighting.boosts[field], f"boost{of_field}", (), "inputs"))
        for name in ("k1", "delta"):
            if name in self.weighting.scheme.parameters:
                inputs.append(Explanation(float(getattr(self.weighting, name)), name, (), "inputs"))
        return tuple(inputs)


def _length_norms_of(
    counts: Counts, statistics: Statistics, weighting: Weighting, doc_ord: int
) -> tuple[float, ...]:
    """Return the length norm of one document in each field."""
    one = Counts(
        counts.indptr[:1],
        counts.indices[:0],
        tuple(tf[:0] for tf in counts.field_tf),
        tuple(lengths[doc_ord : doc_ord + 1] for lengths in counts.field_lengths),
    )
    return tuple(float(norm[0]) for norm in length_norms(one, statistics, weighting))
