"""One immutable state of an index: readers hold it, writers publish the next one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sparsebm25._lazy import Derived, lazy
from sparsebm25.counting import no_documents
from sparsebm25.counts import (
    Counts,
    append_counts,
    keep_documents,
    reorder_documents,
    restrict_fields,
    spread_terms,
)
from sparsebm25.index.batches import Batch, Metadata
from sparsebm25.index.doc_ids import DocIds
from sparsebm25.index.settings import Settings
from sparsebm25.protocols import Bools, Ints
from sparsebm25.scoring.explain import Explainer
from sparsebm25.scoring.queries import QueryReader
from sparsebm25.vocabulary import Vocabulary
from sparsebm25.weighting.statistics import Statistics
from sparsebm25.weighting.weigh import Weights, weigh


@dataclass(frozen=True, eq=False)
class Snapshot(Derived):
    """
    Return a state of an index: what was counted, and how it is weighed.

    Parameters
    ----------
    settings : Settings
        The choices.
    vocabulary : Vocabulary
        The terms.
    counts : Counts
        The truth; weights are derived from it at first use and kept.
    doc_ids : DocIds
        The documents' names.
    metadata : sequence of (mapping or None), or None
        What filters may look at.
    borrowed : Statistics or None
        Statistics of a larger collection to weigh with; None for its own.
    stored : Weights or None
        Weights that were loaded with the counts, so that a mapped index
        need not compute its own.
    """

    settings: Settings
    vocabulary: Vocabulary
    counts: Counts
    doc_ids: DocIds
    metadata: Metadata | None = None
    borrowed: Statistics | None = None
    stored: Weights | None = None

    @lazy
    def statistics(self) -> Statistics:
        """Return the statistics that the weights come from."""
        return self.borrowed or Statistics.of(self.vocabulary, self.counts)

    @lazy
    def weights(self) -> Weights:
        """Return the weights of all postings; made at first use in O(n_postings)."""
        return self.stored or weigh(
            self.counts, self.statistics, self.settings.weighting, dtype=np.dtype(self.settings.dtype)
        )

    @lazy
    def reader(self) -> QueryReader:
        """Return the reader of queries."""
        settings = self.settings
        return QueryReader(
            settings.analyzer, self.weights, self.statistics, settings.scheme.query, settings.query_tf
        )

    @property
    def explainer(self) -> Explainer:
        """Return the explainer of scores."""
        settings = self.settings
        return Explainer(self.counts, self.statistics, settings.weighting, self.weights, settings.field_names)

    @property
    def n_docs(self) -> int:
        """Return the number of documents."""
        return self.counts.n_docs


def empty_snapshot(settings: Settings) -> Snapshot:
    """
    Return the state of an index without documents.

    Parameters
    ----------
    settings : Settings
        Its choices.

    Returns
    -------
    Snapshot
        Everything can be asked of it.
    """
    vocabulary, counts = no_documents(settings.n_fields)
    return Snapshot(settings, vocabulary, counts, DocIds(range(0), automatic=True))


def appended(snapshot: Snapshot, batch: Batch) -> Snapshot:
    """
    Return the state after new documents came to the end.

    Parameters
    ----------
    snapshot : Snapshot
        The state before; is not changed.
    batch : Batch
        The new documents.

    Returns
    -------
    Snapshot
        Its counts equal those of all documents counted at once.

    Raises
    ------
    ValueError
        If an id is known already, or texts meet bare columns.
    """
    if not batch.counts.n_docs:
        return snapshot
    doc_ids = snapshot.doc_ids.appended(batch.ids, batch.counts.n_docs)
    metadata = _joined_metadata(snapshot, batch)
    if not snapshot.n_docs:
        return Snapshot(snapshot.settings, batch.vocabulary, batch.counts, doc_ids, metadata)
    vocabulary, counts = _joined_counts(snapshot, batch)
    return Snapshot(snapshot.settings, vocabulary, counts, doc_ids, metadata)


def _joined_counts(snapshot: Snapshot, batch: Batch) -> tuple[Vocabulary, Counts]:
    """Return the counts of the old and the new documents on one vocabulary."""
    old, new = snapshot.vocabulary, batch.vocabulary
    if old.numbered != new.numbered and batch.counts.n_docs:
        kinds = ("texts", "column numbers")
        raise ValueError(
            f"the terms of this index are {kinds[old.numbered]}, "
            f"those of the new documents {kinds[new.numbered]}"
        )
    vocabulary = old.union(new)
    ords = [vocabulary.ords_of(old), vocabulary.ords_of(new)]
    return vocabulary, append_counts([snapshot.counts, batch.counts], ords, len(vocabulary))


def _joined_metadata(snapshot: Snapshot, batch: Batch) -> Metadata | None:
    """Return the metadata of the old and the new documents; None where nobody has any."""
    if snapshot.metadata is None and batch.metadata is None:
        return None
    old = snapshot.metadata or [None] * snapshot.n_docs
    return [*old, *(batch.metadata or [None] * batch.counts.n_docs)]


def without(snapshot: Snapshot, doc_ords: Ints) -> Snapshot:
    """
    Return the state after some documents are gone.

    Parameters
    ----------
    snapshot : Snapshot
        The state before; is not changed.
    doc_ords : ndarray of shape (n_removed,), dtype int
        Positions of the documents to remove.

    Returns
    -------
    Snapshot
        Nothing of the documents is left: no count, no term of theirs alone,
        no id.
    """
    keep = np.ones(snapshot.n_docs, np.bool_)
    keep[doc_ords] = False
    vocabulary, counts = _kept_counts(snapshot.vocabulary, snapshot.counts, keep)
    metadata = snapshot.metadata
    if metadata is not None:
        rows = [metadata[doc_ord] for doc_ord in np.flatnonzero(keep).tolist()]
        metadata = rows if any(rows) else None
    return Snapshot(snapshot.settings, vocabulary, counts, snapshot.doc_ids.kept(keep), metadata)


def _kept_counts(vocabulary: Vocabulary, counts: Counts, keep: Bools) -> tuple[Vocabulary, Counts]:
    """Return the counts of the kept documents on the terms that are left."""
    kept, term_ords = keep_documents(counts, keep)
    if vocabulary.numbered:  # columns keep their numbers, empty or not
        return vocabulary, spread_terms(kept, term_ords, len(vocabulary))
    return (vocabulary if term_ords.size == len(vocabulary) else vocabulary.take(term_ords)), kept


def replaced(snapshot: Snapshot, batch: Batch, doc_ords: Ints) -> Snapshot:
    """
    Return the state after documents got new content at their old positions.

    Parameters
    ----------
    snapshot : Snapshot
        The state before; is not changed.
    batch : Batch
        The new documents.
    doc_ords : ndarray of shape (n_replaced,), dtype int
        Where each of them goes.

    Returns
    -------
    Snapshot
        As if the new documents had been there from the start.
    """
    keep = np.ones(snapshot.n_docs + doc_ords.size, np.bool_)
    keep[doc_ords] = False
    both_vocabulary, both = _joined_counts(snapshot, batch)
    vocabulary, counts = _kept_counts(both_vocabulary, both, keep)
    survivors = np.flatnonzero(keep[: snapshot.n_docs])
    counts = reorder_documents(counts, np.concatenate((survivors, doc_ords)))
    metadata: Sequence[Any] | None = _joined_metadata(snapshot, batch)
    if metadata is not None:
        rows = list(metadata[: snapshot.n_docs])
        for place, doc_ord in enumerate(doc_ords.tolist()):
            rows[doc_ord] = metadata[snapshot.n_docs + place]
        metadata = rows if any(rows) else None
    return Snapshot(snapshot.settings, vocabulary, counts, snapshot.doc_ids, metadata)


def reweighed(snapshot: Snapshot, settings: Settings) -> Snapshot:
    """
    Return the same counts under other settings.

    Parameters
    ----------
    snapshot : Snapshot
        The state; its counts are shared.
    settings : Settings
        The new choices; may name fewer fields.

    Returns
    -------
    Snapshot
        Weights are made anew at first use where they would differ.
    """
    if settings.field_names == snapshot.settings.field_names:
        same = (settings.weighting, settings.dtype) == (snapshot.settings.weighting, snapshot.settings.dtype)
        made = snapshot.__dict__.get("weights", snapshot.stored)
        return replace(snapshot, settings=settings, stored=made if same else None)
    if snapshot.borrowed is not None:
        raise ValueError(
            "fields cannot change in an index that weighs with statistics of a larger collection"
        )
    places = [snapshot.settings.field_names.index(name) for name in settings.field_names]
    fewer = restrict_fields(snapshot.counts, places)
    vocabulary, counts = _kept_counts(snapshot.vocabulary, fewer, np.ones(fewer.n_docs, np.bool_))
    return Snapshot(settings, vocabulary, counts, snapshot.doc_ids, snapshot.metadata)


def borrowing(snapshot: Snapshot, statistics: Statistics) -> Snapshot:
    """
    Return the same documents, weighed with the statistics of a larger collection.

    Parameters
    ----------
    snapshot : Snapshot
        The state of one part of the collection.
    statistics : Statistics
        Sum of the statistics of all parts.

    Returns
    -------
    Snapshot
        Its vocabulary is that of the whole collection.

    Raises
    ------
    ValueError
        If the statistics lack a term of the documents, or their fields differ.
    """
    if len(statistics.field_totals) != snapshot.settings.n_fields:
        raise ValueError(
            f"statistics must be of {snapshot.settings.n_fields} fields, got {len(statistics.field_totals)}"
        )
    if statistics.vocabulary.numbered != snapshot.vocabulary.numbered and len(snapshot.vocabulary):
        raise ValueError("statistics must have the kind of terms of this index: texts, or column numbers")
    term_ords = statistics.vocabulary.ords_of(snapshot.vocabulary)
    if (term_ords < 0).any():
        lacking = snapshot.vocabulary[int(np.argmin(term_ords))]
        raise ValueError(f"statistics lack the term {lacking!r}, which a document of this index holds")
    own = Statistics.of(snapshot.vocabulary, snapshot.counts)
    if (
        (statistics.doc_freqs[term_ords] < own.doc_freqs).any()
        or statistics.n_docs < max(own.n_docs, int(statistics.doc_freqs.max(initial=0)))
        or any(total < part for total, part in zip(statistics.field_totals, own.field_totals, strict=True))
    ):
        raise ValueError(
            "statistics must count each document of this index, got a document frequency, "
            "number of documents or length below its own"
        )
    counts = spread_terms(snapshot.counts, term_ords, len(statistics.vocabulary))
    return replace(
        snapshot, vocabulary=statistics.vocabulary, counts=counts, borrowed=statistics, stored=None
    )
