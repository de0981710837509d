"""The index: what do I keep and change?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sparsebm25._checks import shown
from sparsebm25.index.batches import read_batch
from sparsebm25.index.doc_ids import checked_ids, required_ids
from sparsebm25.index.reading import Searchable, thread_count
from sparsebm25.index.settings import checked_settings
from sparsebm25.index.snapshot import (
    Snapshot,
    appended,
    borrowing,
    empty_snapshot,
    replaced,
    reweighed,
    without,
)
from sparsebm25.index.writing import WriterLock
from sparsebm25.protocols import DocId, TextAnalyzer
from sparsebm25.text import Analyzer
from sparsebm25.weighting.schemes import Scheme
from sparsebm25.weighting.statistics import Statistics

_DEFAULT_ANALYZER = Analyzer()


class BM25Index(Searchable):
    """
    Return an index that ranks documents by BM25, as sparse linear algebra.

    Counts are kept, weights are derived from them at first use: parameters,
    scheme, added and removed documents never need the text again. A new
    index is empty, and everything that can be asked of an index can be asked
    of an empty one.

    Parameters
    ----------
    scheme : str or Scheme, default "lucene"
        How counts become weights; see `sparsebm25.SCHEMES`. SMART names such
        as ``"lnc.ltc"`` are understood.
    k1 : float, default 1.5
        Saturation, at least 0. Unit: tokens.
    b : float, default 0.75
        Length normalization in [0, 1].
    delta : float, optional
        Lower bound of ``"bm25l"`` and ``"bm25+"``, at least 0; the scheme's
        own value (0.5 and 1) if not given.
    analyzer : Analyzer or callable or None
        Turns a text into its tokens, for documents and for queries. None
        makes an index of token lists, which refuses text.
    fields : mapping of str to float, optional
        Names and boosts (> 0) of fields: documents are mappings then, and
        fields are combined before saturation (BM25F).
    field_b : mapping of str to float, optional
        Length normalization of single fields; others have `b`.
    dtype : {"float32", "float64"}, default "float32"
        Of weights and scores.
    query_tf : {"count", "set"}, default "count"
        Whether a word that a query repeats counts as often as written, or
        once.
    backend : {"auto", "scipy", "numba"}, default "auto"
        What adds up the scores; all give the same bits. "numba" needs the extra
        ``fast``; "auto" takes it where it is installed, once it has been asked
        enough for loading it to pay: a thousand queries of a million documents.

    See Also
    --------
    sparsebm25.Analyzer : Turns text into tokens.

    Notes
    -----
    All methods may be called from several threads: a reader works on one
    immutable snapshot, a writer publishes the next one by one assignment,
    writers wait for each other. A write that fails changes nothing.

    Examples
    --------
    >>> from sparsebm25 import BM25Index
    >>> index = BM25Index().fit(["red kite club", "red clay pot", "blue kite"], ids=["a", "b", "c"])
    >>> index.search("blue kite", k=2).doc_ids
    ['c', 'a']
    """

    def __init__(
        self,
        scheme: str | Scheme = "lucene",
        *,
        k1: float = 1.5,
        b: float = 0.75,
        delta: float | None = None,
        analyzer: TextAnalyzer | None = _DEFAULT_ANALYZER,
        fields: Mapping[str, float] | None = None,
        field_b: Mapping[str, float] | None = None,
        dtype: str = "float32",
        query_tf: str = "count",
        backend: str = "auto",
    ) -> None:
        settings = checked_settings(
            scheme=scheme,
            k1=k1,
            b=b,
            delta=delta,
            analyzer=analyzer,
            fields=fields,
            field_b=field_b,
            dtype=dtype,
            query_tf=query_tf,
            backend=backend,
        )
        self._publish(empty_snapshot(settings))

    def _publish(self, snapshot: Snapshot) -> None:
        """Make a state the one that readers see from now on."""
        if "_writing" not in self.__dict__:
            self._writing = WriterLock()
        self._snapshot = snapshot

    @classmethod
    def _of(cls, snapshot: Snapshot) -> BM25Index:
        """Return an index in a given state."""
        index = cls.__new__(cls)
        index._publish(snapshot)
        return index

    def fit(
        self,
        documents: Any,
        ids: Iterable[DocId] | None = None,
        *,
        metadata: Iterable[Mapping[str, Any] | None] | None = None,
        terms: Iterable[str] | None = None,
        n_jobs: int = 1,
    ) -> BM25Index:
        """
        Count documents, in place of all that the index held before.

        Parameters
        ----------
        documents : iterable of str, list of str or mapping; or sparse matrix
            Texts, token lists, or with `fields` mappings from field to text;
            read once, so that generators do. A sparse matrix of shape
            (n_docs, n_terms) holds counts. None and NaN are empty documents.
        ids : iterable of (str or int), optional
            One distinct id a document, kept verbatim, taken in step with
            the documents. Without them a document's id is its position.
        metadata : iterable of (mapping or None), optional
            What filters may look at, one mapping a document. For an index
            with fields the keys that are no fields are used if not given.
        terms : iterable of str, optional
            The terms of the columns of a sparse matrix. Without them, terms
            are the numbers of the columns.
        n_jobs : int, default 1
            Processes that analyze the documents; -1 for one a processor. The
            result does not depend on it. Worth it for many documents whose
            analysis is costly, because they have to be sent there.

        Returns
        -------
        BM25Index
            The index itself.

        Raises
        ------
        TypeError, ValueError
            Names the argument, the value and what is allowed; the index is
            as it was. With several processes also if the analyzer cannot be
            pickled.

        Notes
        -----
        Processes start in the way that `multiprocessing` is set to; where
        that is not ``"fork"``, a script needs its usual guard
        ``if __name__ == "__main__":``.

        Examples
        --------
        >>> from sparsebm25 import BM25Index
        >>> BM25Index().fit(text for text in ["red kite", "red pot"]).n_docs
        2
        """
        with self._writing:
            settings = self._snapshot.settings
            batch = read_batch(documents, ids, metadata, settings, terms, n_jobs=thread_count(n_jobs))
            self._publish(appended(empty_snapshot(settings), batch))
        return self

    def add(
        self,
        documents: Any,
        ids: Iterable[DocId] | None = None,
        *,
        metadata: Iterable[Mapping[str, Any] | None] | None = None,
        terms: Iterable[str] | None = None,
        n_jobs: int = 1,
    ) -> BM25Index:
        """
        Add documents at the end; the result equals fitting all at once.

        Parameters
        ----------
        documents, ids, metadata, terms, n_jobs : optional
            As for `fit`. Without ids, new documents continue after the
            largest id, if the index chose the ids itself.

        Returns
        -------
        BM25Index
            The index itself.

        Raises
        ------
        TypeError, ValueError
            Also if an id is in the index already; the index is as it was.

        Notes
        -----
        O(n_postings), because every posting moves to make room: add in
        batches rather than one by one.
        """
        with self._writing:
            snapshot = self._own_snapshot("add")
            first = not snapshot.n_docs
            batch = read_batch(
                documents,
                ids,
                metadata,
                snapshot.settings,
                terms,
                first=first,
                n_jobs=thread_count(n_jobs),
            )
            self._publish(appended(snapshot, batch))
        return self

    def remove(self, ids: Iterable[DocId]) -> BM25Index:
        """
        Remove documents; the result equals never having had them.

        Parameters
        ----------
        ids : iterable of (str or int)
            Distinct ids of documents in the index.

        Returns
        -------
        BM25Index
            The index itself.

        Raises
        ------
        UnknownIds
            If an id is not in the index; nothing is removed then.

        Notes
        -----
        O(n_postings).
        """
        with self._writing:
            snapshot = self._own_snapshot("remove")
            doc_ords = snapshot.doc_ids.ords_of(checked_ids(required_ids(ids)) or ())
            if doc_ords.size:
                self._publish(without(snapshot, doc_ords))
        return self

    def replace(
        self,
        documents: Any,
        ids: Iterable[DocId],
        *,
        metadata: Iterable[Mapping[str, Any] | None] | None = None,
        terms: Iterable[str] | None = None,
    ) -> BM25Index:
        """
        Give documents new content; they keep their ids and positions.

        Parameters
        ----------
        documents : iterable, or sparse matrix
            As for `fit`.
        ids : iterable of (str or int)
            Distinct ids of documents in the index, one a document.
        metadata, terms : iterable, optional
            As for `fit`.

        Returns
        -------
        BM25Index
            The index itself.

        Raises
        ------
        UnknownIds
            If an id is not in the index; nothing changes then.
        TypeError, ValueError
            As for `fit`.

        Notes
        -----
        O(n_postings log n_postings).
        """
        with self._writing:
            snapshot = self._own_snapshot("replace")
            batch = read_batch(documents, required_ids(ids), metadata, snapshot.settings, terms, first=False)
            doc_ords = snapshot.doc_ids.ords_of(batch.ids or ())
            if doc_ords.size:
                self._publish(replaced(snapshot, batch, doc_ords))
        return self

    def _own_snapshot(self, action: str) -> Snapshot:
        """Return the present state, if its statistics are those of its own documents."""
        if self._snapshot.borrowed is not None:
            raise ValueError(f"cannot {action}: this index weighs with the statistics of a larger collection")
        return self._snapshot

    def with_params(
        self,
        *,
        scheme: str | Scheme | None = None,
        k1: float | None = None,
        b: float | None = None,
        delta: float | None = None,
        fields: Mapping[str, float] | None = None,
        field_b: Mapping[str, float] | None = None,
        dtype: str | None = None,
        query_tf: str | None = None,
        backend: str | None = None,
    ) -> BM25Index:
        """
        Return a new index on the same counts with other parameters.

        Parameters
        ----------
        scheme, k1, b, delta : optional
            As for `BM25Index`; None keeps the present value.
        fields : mapping of str to float, optional
            New boosts. Fields that are left out do not count at all: neither
            for matches nor for document frequencies.
        field_b, dtype, query_tf, backend : optional
            As for `BM25Index`; None keeps the present value.

        Returns
        -------
        BM25Index
            Shares the counts; later changes of one index do not reach the
            other.

        Notes
        -----
        Weights are made at the first use, in O(n_postings); the text is not
        needed.

        Examples
        --------
        >>> from sparsebm25 import BM25Index
        >>> index = BM25Index().fit(["red", "red kite flies high"])
        >>> index.with_params(b=0).scores("red").round(4)
        array([0.0729, 0.0729], dtype=float32)
        """
        changes = {
            "scheme": scheme,
            "k1": k1,
            "b": b,
            "delta": delta,
            "fields": fields,
            "field_b": field_b,
            "dtype": dtype,
            "query_tf": query_tf,
            "backend": backend,
        }
        snapshot = self._snapshot
        return BM25Index._of(reweighed(snapshot, snapshot.settings.changed(changes)))

    def with_statistics(self, statistics: Statistics) -> BM25Index:
        """
        Return a new index that weighs with the statistics of a larger collection.

        Parts of a collection that share the sum of their `statistics` score
        their documents as one index of all would, bit for bit.

        Parameters
        ----------
        statistics : Statistics
            The sum over all parts, this one included.

        Returns
        -------
        BM25Index
            Read-only: it refuses `add`, `remove` and `replace`.

        Raises
        ------
        ValueError
            If the statistics cannot be of a collection that holds these
            documents.

        Examples
        --------
        >>> from sparsebm25 import BM25Index
        >>> left, right = BM25Index().fit(["red kite"]), BM25Index().fit(["red pot"])
        >>> both = left.statistics + right.statistics
        >>> whole = BM25Index().fit(["red kite", "red pot"])
        >>> left.with_statistics(both).scores("red kite")[0] == whole.scores("red kite")[0]
        np.True_
        """
        if not isinstance(statistics, Statistics):
            raise TypeError(f"statistics must be Statistics, got {shown(statistics)}")
        return BM25Index._of(borrowing(self._snapshot, statistics))

    def save(self, path: str | Path) -> None:
        """
        Write the index into a folder of plain arrays and a readable header.

        Parameters
        ----------
        path : str or Path
            A new folder, or one that holds an index, which is replaced at
            one stroke: a reader or a crash meets the old or the new one.
            Two processes must not write into one folder at the same time.

        Raises
        ------
        IndexFormatError
            If there is something else, or a damaged index; it is not touched.
        TypeError
            If metadata cannot be written as JSON.
        """
        from sparsebm25.index import storage  # whoever only ranks need not wait for it

        storage.save(self._snapshot, Path(path))

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        mmap: bool = False,
        verify: bool | None = None,
        analyzer: TextAnalyzer | None = None,
    ) -> BM25Index:
        """
        Return the index that `save` wrote.

        Parameters
        ----------
        path : str or Path
            The folder.
        mmap : bool, default False
            Map the arrays read-only instead of reading them: loading takes
            no time, and processes that map the same index share its memory.
        verify : bool, optional
            Whether to compare checksums of all arrays; sizes are always
            compared. By default what is read is verified: everything
            without `mmap`, only the header with it.
        analyzer : callable, optional
            Needed if the index was made with a custom callable, as its
            analyzer or inside it: functions are saved by name only.

        Returns
        -------
        BM25Index
            Answers as the saved one did, bit for bit.

        Raises
        ------
        IndexFormatError
            If the folder is not an index, is damaged, or of another format.
        ValueError
            If a custom callable is missing or of another name.
        """
        from sparsebm25.index import storage

        return cls._of(
            storage.load(
                Path(path), mmap=mmap, verify=not mmap if verify is None else verify, analyzer=analyzer
            )
        )

    def __getstate__(self) -> dict[str, Any]:
        return {"snapshot": self._snapshot}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._publish(state["snapshot"])
