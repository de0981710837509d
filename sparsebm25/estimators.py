"""BM25 for scikit-learn: estimators that turn counts, or texts, into document weights."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray
from scipy.sparse import csr_array, csr_matrix
from sklearn import get_config
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from sparsebm25._checks import is_sparse
from sparsebm25.index import BM25Index
from sparsebm25.index.settings import checked_settings
from sparsebm25.protocols import Floats, Ints, TextAnalyzer
from sparsebm25.text import Analyzer
from sparsebm25.weighting import Scheme, Statistics, Weighting
from sparsebm25.weighting.tf import norm_lengths

__all__ = ["BM25Transformer", "BM25Vectorizer"]

_DEFAULT_ANALYZER = Analyzer()


class _DocumentWeights(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """What both estimators derive from the statistics they learned and their present parameters."""

    scheme: str | Scheme
    k1: float
    b: float
    delta: float | None
    doc_freqs_: Ints
    n_docs_: int
    mean_length_: float

    @property
    def idf_(self) -> Floats:
        """Return the inverse document frequency of each term, (n_terms,), float64. Unit: nats."""
        check_is_fitted(self)
        return self._weighting().scheme.idf(self.doc_freqs_, self.n_docs_)

    @property
    def absent_weights_(self) -> Floats:
        """Return what each term adds to every document, (n_terms,), float64; 0 for most schemes."""
        return self.idf_ * _absent_part(self._weighting())

    def _weighting(self) -> Weighting:
        """Return the parameters as weighing takes them, checked as an index checks its own."""
        settings: dict[str, Any] = {"analyzer": None, "fields": None, "field_b": None, "backend": "auto"}
        settings |= {"dtype": "float64", "query_tf": "count"}  # none of these changes a weight
        settings |= {"scheme": self.scheme, "k1": self.k1, "b": self.b, "delta": self.delta}
        return checked_settings(**settings).weighting

    def _weigh(self, tf: csr_array, doc_lengths: NDArray[Any], dtype: DTypeLike) -> Any:
        """Return the weights of documents in the container that scikit-learn is set to give."""
        weighting = self._weighting()
        norms = norm_lengths(doc_lengths, self.mean_length_, b=weighting.b[0])
        data = _entry_weights(tf, norms, self.idf_, weighting).astype(dtype)
        return _as_configured(csr_array((data, tf.indices, tf.indptr), shape=tf.shape))


class BM25Transformer(  # type: ignore[call-arg]
    OneToOneFeatureMixin,  # type: ignore[misc]
    _DocumentWeights,
    auto_wrap_output_keys=None,  # no `set_output`: sparse weights fit into no data frame
):
    """
    Turn term counts into BM25 weights of documents.

    The place of `sklearn.feature_extraction.text.TfidfTransformer` in a
    pipeline. `fit` learns how rare terms are and how long documents are on
    average; `transform` takes the lengths of documents from its own input,
    so that it weighs documents which it never saw.

    Parameters
    ----------
    scheme : str or Scheme, default "lucene"
        How counts become weights; see `sparsebm25.SCHEMES`.
    k1 : float, default 1.5
        Saturation, at least 0. Unit: tokens.
    b : float, default 0.75
        Length normalization in [0, 1].
    delta : float, optional
        Lower bound of ``"bm25l"`` and ``"bm25+"``, at least 0; the scheme's
        own value if not given.

    Attributes
    ----------
    doc_freqs_ : ndarray of shape (n_terms,), dtype int
        Documents that hold each term.
    n_docs_ : int
        Number of documents.
    total_length_ : float
        Tokens of all documents.
    mean_length_ : float
        Mean length of a document. Unit: tokens.
    idf_ : ndarray of shape (n_terms,)
        Inverse document frequency of each term. Unit: nats.
    absent_weights_ : ndarray of shape (n_terms,)
        What each term adds to every document, see Notes; 0 for most schemes.

    See Also
    --------
    BM25Vectorizer : Starts from text, and weighs queries too.

    Notes
    -----
    BM25 is not symmetric: documents are weighed, a query stays as counted.
    Where X is what `transform` returns, ``query_counts @ X.T`` holds BM25
    scores. ``X @ X.T`` holds none, because it weighs both sides.

    ``"bm25l"`` and ``"bm25+"`` give something to documents without the term.
    It stays out of the matrix, which holds the difference to it: add
    ``query_counts @ absent_weights_`` to all scores of a query.

    Counts need not be whole numbers; an entry above 0 is an occurrence. Only
    statistics are learned: after ``set_params`` there is no need to fit again.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebm25 import BM25Transformer
    >>> counts = np.array([[1, 0, 0], [1, 1, 0], [1, 1, 1]])
    >>> BM25Transformer().fit(counts).transform([[2, 0, 0], [0, 0, 0]]).toarray().round(6)
    array([[0.076304, 0.      , 0.      ],
           [0.      , 0.      , 0.      ]])
    """

    def __init__(
        self,
        scheme: str | Scheme = "lucene",
        *,
        k1: float = 1.5,
        b: float = 0.75,
        delta: float | None = None,
    ) -> None:
        self.scheme = scheme
        self.k1 = k1
        self.b = b
        self.delta = delta

    def fit(self, X: Any, y: Any = None) -> BM25Transformer:
        """
        Learn document frequencies and lengths, in place of those learned before.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_docs, n_terms)
            Counts, at least 0.
        y : None
            Not read.

        Returns
        -------
        BM25Transformer
            The estimator itself.
        """
        return self._learn(X, first=True)

    def partial_fit(self, X: Any, y: Any = None) -> BM25Transformer:
        """
        Learn from further documents; the result equals fitting all at once.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_docs, n_terms)
            Counts of documents that were not there yet.
        y : None
            Not read.

        Returns
        -------
        BM25Transformer
            The estimator itself.
        """
        return self._learn(X, first=not hasattr(self, "n_docs_"))

    def transform(self, X: Any) -> Any:
        """
        Return the weights of documents.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_docs, n_terms)
            Counts, of the fitted or of other documents.

        Returns
        -------
        sparse matrix of shape (n_docs, n_terms)
            In CSR form, float32 if `X` is, else float64; an array or a matrix
            as the option ``sparse_interface`` of scikit-learn says.
        """
        check_is_fitted(self)
        tf = self._checked_counts(X, reset=False)
        return self._weigh(tf, tf.sum(axis=1, dtype=np.float64), tf.dtype)

    def _learn(self, X: Any, *, first: bool) -> BM25Transformer:
        """Add the statistics of documents to those learned, or to none."""
        self._weighting()  # wrong parameters are refused before anything is learned
        tf = self._checked_counts(X, reset=first)
        n_docs, n_terms = tf.shape
        if first:
            self.doc_freqs_, self.n_docs_, self.total_length_ = np.zeros(n_terms, np.int64), 0, 0.0
        self.doc_freqs_ = self.doc_freqs_ + np.bincount(tf.indices, minlength=n_terms)
        self.n_docs_ += n_docs
        self.total_length_ += float(tf.sum(dtype=np.float64))
        self.mean_length_ = self.total_length_ / self.n_docs_
        return self

    def _checked_counts(self, X: Any, *, reset: bool) -> csr_array:
        """Return counts as a matrix of its own, with entries above 0 only."""
        checked = validate_data(
            self,
            X,
            reset=reset,
            accept_sparse="csr",
            dtype=(np.float64, np.float32),
            ensure_non_negative=True,
        )
        tf = csr_array(checked, copy=True)
        tf.sum_duplicates()
        tf.eliminate_zeros()
        return tf

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


class BM25Vectorizer(_DocumentWeights, auto_wrap_output_keys=None):  # type: ignore[call-arg]
    """
    Turn texts into BM25 weights of documents, and queries into their side of the score.

    The place of `sklearn.feature_extraction.text.TfidfVectorizer` in a
    pipeline, with the words and the weights of a `BM25Index`.

    Parameters
    ----------
    scheme : str or Scheme, default "lucene"
        How counts become weights; see `sparsebm25.SCHEMES`.
    analyzer : Analyzer or callable or None
        Turns texts into tokens; None takes token lists in their place.
    k1 : float, default 1.5
        Saturation, at least 0. Unit: tokens.
    b : float, default 0.75
        Length normalization in [0, 1].
    delta : float, optional
        Lower bound of ``"bm25l"`` and ``"bm25+"``, at least 0.
    dtype : {"float32", "float64"}, default "float32"
        Of the weights. They are computed in float64 and rounded once.
    query_tf : {"count", "set"}, default "count"
        Whether a word that a query repeats counts as often, or once.

    Attributes
    ----------
    statistics_ : Statistics
        Terms, document frequencies and lengths of the fitted documents.
    doc_freqs_ : ndarray of shape (n_terms,), dtype int
        Documents that hold each term.
    n_docs_ : int
        Number of documents.
    mean_length_ : float
        Mean length of a document. Unit: tokens.
    idf_ : ndarray of shape (n_terms,)
        Inverse document frequency of each term. Unit: nats.
    absent_weights_ : ndarray of shape (n_terms,)
        What each term adds to every document, see Notes; 0 for most schemes.

    See Also
    --------
    BM25Transformer : Starts from counts.
    sparsebm25.BM25Index : Ranks, filters, updates and explains.

    Notes
    -----
    BM25 is not symmetric, so documents and queries are transformed
    differently: ``transform_queries(queries) @ transform(documents).T`` holds
    BM25 scores. ``X @ X.T`` of document weights holds none.

    ``"bm25l"`` and ``"bm25+"`` give something to documents without the term.
    It stays out of the matrix, which holds the difference to it: add
    ``transform_queries(queries) @ absent_weights_`` to the scores of each
    query.

    A document's length is that of the whole document, with the words that
    have no column because they were not fitted. After ``set_params`` there is
    no need to fit again, unless the analyzer changed.

    Examples
    --------
    >>> from sparsebm25 import BM25Vectorizer
    >>> documents = ["red kite", "red pot", "blue mug", "old lamp"]
    >>> vectorizer = BM25Vectorizer().fit(documents)
    >>> weights = vectorizer.transform(documents)
    >>> (vectorizer.transform_queries(["red", "old pot"]) @ weights.T).toarray().round(4)
    array([[0.2773, 0.2773, 0.    , 0.    ],
           [0.    , 0.4816, 0.    , 0.4816]], dtype=float32)
    """

    def __init__(
        self,
        scheme: str | Scheme = "lucene",
        *,
        analyzer: TextAnalyzer | None = _DEFAULT_ANALYZER,
        k1: float = 1.5,
        b: float = 0.75,
        delta: float | None = None,
        dtype: str = "float32",
        query_tf: str = "count",
    ) -> None:
        self.scheme = scheme
        self.analyzer = analyzer
        self.k1 = k1
        self.b = b
        self.delta = delta
        self.dtype = dtype
        self.query_tf = query_tf

    def fit(self, documents: Iterable[Any], y: Any = None) -> BM25Vectorizer:
        """
        Learn terms, document frequencies and lengths, in place of those learned before.

        Parameters
        ----------
        documents : iterable of str, or of list of str
            Read once, so that generators do. None and NaN are empty documents.
        y : None
            Not read.

        Returns
        -------
        BM25Vectorizer
            The estimator itself.
        """
        return self._learned(self._index(documents).statistics)

    def partial_fit(self, documents: Iterable[Any], y: Any = None) -> BM25Vectorizer:
        """
        Learn from further documents; the result equals fitting all at once.

        New terms move the columns, which stay sorted: matrices from before
        and after do not go together.

        Parameters
        ----------
        documents : iterable of str, or of list of str
            Documents that were not there yet.
        y : None
            Not read.

        Returns
        -------
        BM25Vectorizer
            The estimator itself.
        """
        new = self._index(documents).statistics
        return self._learned(self.statistics_ + new if hasattr(self, "statistics_") else new)

    def fit_transform(self, documents: Iterable[Any], y: Any = None) -> Any:
        """
        Return the weights of the documents that are learned from, reading them once.

        Parameters
        ----------
        documents : iterable of str, or of list of str
            As for `fit`.
        y : None
            Not read.

        Returns
        -------
        sparse matrix of shape (n_docs, n_terms)
            As from `transform`.
        """
        index = self._index(documents)
        self._learned(index.statistics)
        return self._weigh(index.counts.tf, index.counts.doc_lengths, self.dtype)

    def transform(self, documents: Iterable[Any]) -> Any:
        """
        Return the weights of documents.

        Parameters
        ----------
        documents : iterable of str, or of list of str
            The fitted or other documents.

        Returns
        -------
        sparse matrix of shape (n_docs, n_terms)
            In CSR form; an array or a matrix as the option
            ``sparse_interface`` of scikit-learn says. Terms that were not
            fitted are left out.
        """
        check_is_fitted(self)
        index = self._index(documents)
        columns = self.statistics_.vocabulary.ords_of(index.vocabulary)
        tf = _moved_columns(index.counts.tf, columns, self.doc_freqs_.size)
        return self._weigh(tf, index.counts.doc_lengths, self.dtype)

    def transform_queries(self, queries: Any) -> Any:
        """
        Return the query's side of the score for many queries.

        Parameters
        ----------
        queries : iterable of queries
            Each in any form that `BM25Index.search` takes: texts, token
            lists, mappings of terms to weights.

        Returns
        -------
        sparse matrix of shape (n_queries, n_terms)
            Counts of the query's terms, or under TF-IDF schemes their
            weights; in the container that `transform` gives.
        """
        check_is_fitted(self)
        return _as_configured(self._index(()).with_statistics(self.statistics_).query_matrix(queries))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """
        Return the terms of the columns.

        Parameters
        ----------
        input_features : None
            Not read.

        Returns
        -------
        ndarray of shape (n_terms,), dtype object
            Sorted.
        """
        check_is_fitted(self)
        return np.array(list(self.statistics_.vocabulary), dtype=object)

    def _index(self, documents: Any) -> BM25Index:
        """Return an index of documents with the parameters of the estimator, which it checks."""
        if is_sparse(documents):
            raise TypeError("documents must be texts or token lists, got a sparse matrix of counts")
        return BM25Index(**self.get_params(deep=False)).fit(documents)

    def _learned(self, statistics: Statistics) -> BM25Vectorizer:
        """Keep statistics as what was learned."""
        self.statistics_ = statistics
        self.doc_freqs_ = statistics.doc_freqs
        self.n_docs_ = statistics.n_docs
        (self.mean_length_,) = statistics.mean_lengths
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags


def _entry_weights(tf: csr_array, length_norm: Floats, idf: Floats, weighting: Weighting) -> Floats:
    """Return the weight of each entry, float64, as `weigh` does but from counts that need not be whole."""
    docs = np.repeat(np.arange(tf.shape[0]), np.diff(tf.indptr))
    occurrences = tf.data.astype(np.float64)
    parts = weighting.scheme.tf(occurrences, length_norm[docs], k1=weighting.k1, delta=weighting.delta)
    weights = (parts - _absent_part(weighting)) * idf[tf.indices]
    if not weighting.scheme.cosine:
        return weights
    lengths = np.sqrt(np.bincount(docs, weights * weights, tf.shape[0]))
    lengths[lengths == 0] = 1.0
    return weights / lengths[docs]


def _moved_columns(tf: csr_array, columns: Ints, n_terms: int) -> csr_array:
    """Return counts with each column moved to its place among `n_terms`, left out where it has none (-1)."""
    places = columns[tf.indices]
    known = places >= 0
    indptr = np.concatenate(([0], np.cumsum(known)))[tf.indptr]
    return csr_array((tf.data[known], places[known], indptr), shape=(tf.shape[0], n_terms))


def _absent_part(weighting: Weighting) -> float:
    """Return the tf part of documents without the term."""
    absent = weighting.scheme.absent
    return 0.0 if absent is None else absent(weighting.k1, weighting.delta)


def _as_configured(matrix: csr_array) -> csr_array | csr_matrix:
    """Return a sparse array, or a sparse matrix where scikit-learn is set to give these."""
    wants_array = get_config().get("sparse_interface") == "sparray"
    return matrix if wants_array else csr_matrix(matrix)
