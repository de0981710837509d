"""The open arrays of an index, for notebooks and for export."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from sparsebm25._checks import escaped
from sparsebm25.counts import Counts
from sparsebm25.index.batches import Metadata
from sparsebm25.index.doc_ids import DocIds
from sparsebm25.index.snapshot import Snapshot
from sparsebm25.protocols import Floats, TextAnalyzer
from sparsebm25.vocabulary import Vocabulary
from sparsebm25.weighting.statistics import Statistics
from sparsebm25.weighting.weigh import length_norms


class OpenArrays:
    """What an index holds and derives, by name; arrays are shared and read-only."""

    _snapshot: Snapshot

    @property
    def n_docs(self) -> int:
        """Return the number of documents."""
        return self._snapshot.n_docs

    @property
    def counts(self) -> Counts:
        """Return the term counts: `tf`, `doc_lengths`, `doc_freqs`, `mean_length`."""
        return self._snapshot.counts

    @property
    def vocabulary(self) -> Vocabulary:
        """Return the terms, in the order of the columns of ``counts.tf``."""
        return self._snapshot.vocabulary

    @property
    def doc_ids(self) -> DocIds:
        """Return the documents' ids, by position."""
        return self._snapshot.doc_ids

    @property
    def metadata(self) -> Metadata | None:
        """Return what filters may look at, one mapping or None a document; None if nobody has any."""
        return self._snapshot.metadata

    @property
    def statistics(self) -> Statistics:
        """Return the document frequencies and lengths that weights come from; partitions add them up."""
        return self._snapshot.statistics

    @property
    def idf(self) -> Floats:
        """Return the inverse document frequency of each term, (n_terms,), float64. Unit: nats."""
        return self._snapshot.weights.idf

    @property
    def length_norm(self) -> Floats:
        """Return ``1 - b + b * length / mean length``: (n_docs,), with fields (n_fields, n_docs); float64."""
        snapshot = self._snapshot
        norms = length_norms(snapshot.counts, snapshot.statistics, snapshot.settings.weighting)
        return np.stack(norms) if snapshot.settings.fields else norms[0]

    @property
    def postings(self) -> csr_array:
        """Return the weights, csr_array of shape (n_terms, n_docs): what a posting adds to a score."""
        return self._snapshot.weights.postings

    @property
    def absent_weights(self) -> Floats | None:
        """Return what each term adds to every document, (n_terms,); None if the scheme has no such part."""
        return self._snapshot.weights.absent_weights

    @property
    def analyzer(self) -> TextAnalyzer | None:
        """Return what turns text into tokens."""
        return self._snapshot.settings.analyzer

    @property
    def scheme(self) -> str:
        """Return the name of the scheme."""
        return self._snapshot.settings.scheme.name

    @property
    def k1(self) -> float:
        """Return the saturation parameter. Unit: tokens."""
        return self._snapshot.settings.k1

    @property
    def b(self) -> float:
        """Return the length normalization parameter."""
        return self._snapshot.settings.b

    @property
    def delta(self) -> float:
        """Return the lower bound of BM25L and BM25+."""
        return self._snapshot.settings.weighting.delta

    @property
    def fields(self) -> dict[str, float]:
        """Return the boosts of the fields by name; empty without fields."""
        return dict(self._snapshot.settings.fields)

    @property
    def dtype(self) -> np.dtype[np.floating]:
        """Return the dtype of weights and scores."""
        return np.dtype(self._snapshot.settings.dtype)

    def __len__(self) -> int:
        return self._snapshot.n_docs

    def __bool__(self) -> bool:
        return True  # an empty index is still an index

    def __contains__(self, doc_id: object) -> bool:
        return doc_id in self._snapshot.doc_ids

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {', '.join(f'{name}={value}' for name, value in self._facts())}>"

    def _repr_html_(self) -> str:
        """Return a static table for notebooks."""
        rows = "".join(f"<tr><th>{name}</th><td>{escaped(value)}</td></tr>" for name, value in self._facts())
        return f"<table>{rows}</table>"

    def _facts(self) -> list[tuple[str, str]]:
        """Return the settings and sizes that identify an index."""
        snapshot = self._snapshot
        settings = snapshot.settings
        facts = [("scheme", repr(settings.scheme.name)), ("k1", f"{settings.k1:g}"), ("b", f"{settings.b:g}")]
        if "delta" in settings.scheme.parameters:
            facts.append(("delta", f"{settings.weighting.delta:g}"))
        if settings.fields:
            facts.append(("fields", repr(dict(settings.fields))))
        facts += [("dtype", settings.dtype), ("analyzer", repr(settings.analyzer))]
        return [*facts, ("n_docs", str(snapshot.n_docs)), ("n_terms", str(len(snapshot.vocabulary)))]
