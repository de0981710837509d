"""The scikit-learn estimators: the same numbers as the index, in the manners of scikit-learn."""

from __future__ import annotations

import pickle

import numpy as np
import oracle
import pytest
from equality import assert_same_array
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array, csr_matrix
from sklearn import config_context, get_config
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator
from strategies import bm25_parameters, collections, queries

from sparsebm25 import SCHEMES, Analyzer, BM25Index
from sparsebm25.estimators import BM25Transformer, BM25Vectorizer

EVERY_SCHEME = (*SCHEMES, "ltc.lnc", "lnc.ltc")

every_scheme = pytest.mark.parametrize("scheme", EVERY_SCHEME)

schemes = st.sampled_from(EVERY_SCHEME)

TEXTS = ["red kite club", "red clay pot", "blue kite", "red red pot", "old blue lamp", "a red lamp"]
LABELS = [1, 0, 1, 0, 0, 1]

COUNTS = np.array([[1, 0, 0], [1, 1, 0], [1, 1, 1]])
"""The documents `a`, `a b` and `a b c`."""


def counted(documents):
    """Return the counts of token lists on their sorted terms."""
    terms = oracle.vocabulary(documents)
    tf = np.array([[tokens.count(term) for term in terms] for tokens in documents])
    return tf.reshape(len(documents), len(terms))


def scores(vectorizer, asked, documents):
    """Return dense scores put together from both sides, with what documents get without a match."""
    query_side = vectorizer.transform_queries(asked)
    constants = query_side @ vectorizer.absent_weights_
    return (query_side @ vectorizer.transform(documents).T).toarray() + constants[:, None]


# The contract of scikit-learn


@pytest.mark.parametrize("scheme", ["lucene", "bm25+", "tfidf"])
def test_transformer_passes_the_checks_of_scikit_learn(scheme):
    """`check_estimator` finds nothing, and it does check: it takes a transformer of counts seriously."""
    results = check_estimator(BM25Transformer(scheme), on_skip=None, on_fail=None)
    by_status = {status: [] for status in ("passed", "failed", "xfail", "skipped")}
    for result in results:
        by_status[result["status"]].append((result["check_name"], str(result["exception"])))

    assert by_status["failed"] == by_status["xfail"] == []
    assert len(by_status["passed"]) >= 40
    assert [name for name, _ in by_status["skipped"]] in ([], ["check_array_api_input"])


def test_tags_say_what_is_taken():
    """The transformer asks for counts, dense or sparse; the vectorizer asks for text."""
    counts, text = get_tags(BM25Transformer()), get_tags(BM25Vectorizer())

    assert (counts.input_tags.sparse, counts.input_tags.positive_only) == (True, True)
    assert (text.input_tags.string, text.input_tags.two_d_array) == (True, False)
    assert counts.requires_fit
    assert text.requires_fit


@pytest.mark.parametrize(
    "estimator",
    [
        BM25Transformer("bm25l", k1=0.9, b=0.4, delta=0.1),
        BM25Vectorizer("atire", analyzer=Analyzer("english"), k1=2, dtype="float64", query_tf="set"),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_clone_and_pickle_keep_what_there_is(estimator):
    """A clone has the parameters and nothing learned; a pickle has both."""
    documents = COUNTS if isinstance(estimator, BM25Transformer) else TEXTS
    fitted = clone(estimator).fit(documents)
    copy = pickle.loads(pickle.dumps(fitted))

    assert clone(fitted).get_params() == estimator.get_params() == copy.get_params()
    with pytest.raises(NotFittedError):
        clone(fitted).transform(documents)
    assert_same_array(copy.transform(documents).data, fitted.transform(documents).data)


def test_vectorizer_works_in_a_pipeline_and_a_grid_search():
    """A grid over `b` is searched through a pipeline, and each value of it is really used."""
    pipeline = make_pipeline(BM25Vectorizer(), LogisticRegression())
    search = GridSearchCV(pipeline, {"bm25vectorizer__b": [0.0, 0.5, 1.0]}, cv=2, error_score="raise")

    search.fit(TEXTS, LABELS)

    assert search.best_params_["bm25vectorizer__b"] in (0.0, 0.5, 1.0)
    assert search.predict(TEXTS).shape == (6,)
    weights = [pipeline[:1].set_params(bm25vectorizer__b=b).fit_transform(TEXTS).data for b in (0.0, 1.0)]
    assert not np.array_equal(*weights)


def test_transformer_stands_where_tfidf_stood():
    """After scikit-learn's own counting, the transformer gives the weights of the vectorizer."""
    texts = [text.replace("a ", "") for text in TEXTS]
    pipeline = make_pipeline(CountVectorizer(), BM25Transformer())
    vectorizer = BM25Vectorizer(analyzer=Analyzer(tokens="sklearn"), dtype="float64")

    weights = pipeline.fit_transform(texts)

    assert_array_equal(weights.toarray(), vectorizer.fit_transform(texts).toarray())
    assert_array_equal(pipeline.get_feature_names_out(), vectorizer.get_feature_names_out())
    search = GridSearchCV(
        make_pipeline(pipeline, LogisticRegression()), {"pipeline__bm25transformer__b": [0, 1]}
    )
    assert search.set_params(cv=2, error_score="raise").fit(texts, LABELS).best_score_ >= 0


def test_names_of_the_columns_are_the_terms():
    """The columns are the sorted terms, as objects, and each document's entries stand in its own."""
    vectorizer = BM25Vectorizer().fit(["pot kite", "éclair"])
    names = vectorizer.get_feature_names_out()

    assert names.dtype == object
    assert names.tolist() == ["kite", "pot", "éclair"]
    assert names[vectorizer.transform(["éclair pot"]).indices].tolist() == ["pot", "éclair"]


@pytest.mark.parametrize("estimator", [BM25Transformer, BM25Vectorizer])
def test_frames_are_not_offered(estimator):
    """Sparse weights fit into no data frame, so there is no `set_output` that could fail later."""
    assert not hasattr(estimator(), "set_output")


def test_the_kind_of_container_follows_scikit_learn():
    """The option `sparse_interface` decides between sparse matrix and sparse array, on both sides."""
    if "sparse_interface" not in get_config():
        pytest.skip("this scikit-learn has no option sparse_interface")
    vectorizer, transformer = BM25Vectorizer().fit(TEXTS), BM25Transformer().fit(COUNTS)
    for option, kind in {"spmatrix": csr_matrix, "sparray": csr_array}.items():
        with config_context(sparse_interface=option):
            assert type(vectorizer.transform(TEXTS)) is kind
            assert type(vectorizer.transform_queries(TEXTS)) is kind
            assert type(transformer.transform(csr_array(COUNTS))) is kind


@pytest.mark.parametrize("property_name", ["idf_", "absent_weights_"])
@pytest.mark.parametrize("estimator", [BM25Transformer, BM25Vectorizer])
def test_nothing_is_learned_before_fit(estimator, property_name):
    """What is derived from learned statistics is missing before there are any."""
    assert not hasattr(estimator(), property_name)


# The numbers


@given(scheme=schemes, documents=collections(min_docs=1), parameters=bm25_parameters())
def test_weights_are_those_of_the_index(scheme, documents, parameters):
    """Both estimators give a document the weights that the index gives it, bit for bit."""
    index = BM25Index(scheme, analyzer=None, dtype="float64", **parameters).fit(documents)
    expected = index.postings.T.tocsr()
    vectorizer = BM25Vectorizer(scheme, analyzer=None, dtype="float64", **parameters)

    for weights in (vectorizer.fit_transform(documents), vectorizer.transform(iter(documents))):
        assert_same_array(weights.toarray(), expected.toarray())
    if index.vocabulary:
        transformer = BM25Transformer(scheme, **parameters)
        assert_same_array(transformer.fit_transform(counted(documents)).toarray(), expected.toarray())
        assert_same_array(transformer.idf_, index.idf)


@given(
    scheme=schemes,
    query_tf=st.sampled_from(("count", "set")),
    documents=collections(),
    asked=st.lists(queries(), max_size=4),
    parameters=bm25_parameters(),
)
def test_product_of_both_sides_is_the_score(scheme, query_tf, documents, asked, parameters):
    """Queries times documents are the scores of the index, and with the constants those of the papers."""
    settings = {"analyzer": None, "dtype": "float64", "query_tf": query_tf, **parameters}
    index = BM25Index(scheme, **settings).fit(documents)
    vectorizer = BM25Vectorizer(scheme, **settings).fit(documents)

    found = scores(vectorizer, asked, documents)

    exact = np.array([index.scores(query) for query in asked]).reshape(len(asked), len(documents))
    matrix = index.score_matrix(asked).tocoo()
    assert_allclose(found, exact, rtol=1e-12, atol=1e-12)
    assert_allclose(found[matrix.coords], matrix.data, rtol=1e-12, atol=1e-12)
    if parameters["k1"] > 0 and scheme in SCHEMES:
        numbers = {**parameters, "delta": SCHEMES[scheme].delta, "query_tf": query_tf}
        for query, row in zip(asked, found, strict=True):
            paper = [
                oracle.ORACLES[scheme](documents, query, doc_ord, **numbers)
                for doc_ord in range(len(documents))
            ]
            assert_allclose(row, paper, rtol=1e-10, atol=1e-10)


def test_product_in_float32_is_the_score_matrix():
    """Without absent weights the sparse product of the default dtype is the score matrix, to its accuracy."""
    asked = ["red kite", "old pot pot", "unknown", ""]
    vectorizer = BM25Vectorizer().fit(TEXTS)
    product = vectorizer.transform_queries(asked) @ vectorizer.transform(TEXTS).T

    assert product.dtype == np.float32
    assert_allclose(product.toarray(), BM25Index().fit(TEXTS).score_matrix(asked).toarray(), rtol=1e-6)


def test_tfidf_equals_scikit_learn():
    """Under TF-IDF the weights are those of TfidfVectorizer."""
    analyzer = Analyzer(tokens="sklearn")
    ours = BM25Vectorizer("tfidf", analyzer=analyzer, dtype="float64").fit(TEXTS)
    theirs = TfidfVectorizer().fit(TEXTS)
    new = ["red lamp lamp", "never seen"]

    assert_allclose(ours.transform(new).toarray(), theirs.transform(new).toarray(), rtol=1e-12)


@pytest.mark.case("L02")
def test_new_documents_are_weighed_by_their_own_lengths():
    """`fit` keeps idf and mean length, `transform` takes lengths from its input."""
    transformer = BM25Transformer().fit(COUNTS)
    new = transformer.transform(np.array([[2, 0, 0], [0, 0, 0]]))
    vectorizer = BM25Vectorizer(dtype="float64").fit(["a", "a b", "a b c"])
    from_text = vectorizer.transform(["a a", "z"])

    assert transformer.mean_length_ == vectorizer.mean_length_ == 2.0
    for weights in (new, from_text):
        assert weights.shape == (2, 3)
        assert round(weights[[0], [0]].item(), 6) == 0.076304
        assert weights.nnz == 1


def test_unknown_words_have_no_column_but_a_length():
    """A word that was not fitted makes its document longer, so its other words count less."""
    vectorizer = BM25Vectorizer(dtype="float64").fit(TEXTS)
    plain, longer = vectorizer.transform(["red kite", "red kite zzz yyy"]).toarray()
    norm = 1 - 0.75 + 0.75 * 4 / vectorizer.mean_length_

    assert (longer[plain > 0] < plain[plain > 0]).all()
    assert_allclose(longer, np.where(plain > 0, vectorizer.idf_ / (1 + 1.5 * norm), 0), rtol=1e-12)


@pytest.mark.case("L03")
@every_scheme
def test_partial_fit_on_halves_is_fit_on_all(scheme):
    """Statistics add up: learning in parts gives what learning at once gives, with old and new terms."""
    tf = np.random.default_rng(0).integers(0, 3, (8, 5))
    whole = BM25Transformer(scheme).fit(tf)
    parts = BM25Transformer(scheme).partial_fit(tf[:3]).partial_fit(csr_array(tf[3:]))
    whole_text = BM25Vectorizer(scheme).fit(TEXTS)
    parts_text = BM25Vectorizer(scheme).partial_fit(TEXTS[:2]).partial_fit(TEXTS[2:])

    assert_same_array(parts.transform(tf).toarray(), whole.transform(tf).toarray())
    assert (parts.n_docs_, parts.total_length_) == (8, tf.sum())
    assert list(parts_text.get_feature_names_out()) == list(whole_text.get_feature_names_out())
    assert_same_array(parts_text.transform(TEXTS).toarray(), whole_text.transform(TEXTS).toarray())


def test_fit_forgets():
    """`fit` learns anew, whatever was learned before."""
    transformer = BM25Transformer().fit(np.ones((4, 2))).fit(COUNTS)
    vectorizer = BM25Vectorizer().fit(["other words"]).fit(TEXTS)

    assert_array_equal(transformer.doc_freqs_, [3, 2, 1])
    assert transformer.n_docs_ == 3
    assert vectorizer.n_docs_ == len(TEXTS)
    assert "other" not in vectorizer.get_feature_names_out()


@pytest.mark.case("L04")
@pytest.mark.parametrize("container", [np.asarray, csr_array, csr_matrix])
def test_arrays_and_matrices_mean_the_same(container):
    """Dense, sparse array and sparse matrix give the same weights, and `@` the same scores."""
    tf = np.array([[1, 2], [3, 4], [0, 1]])
    weights = BM25Transformer().fit_transform(container(tf))
    expected = BM25Transformer().fit_transform(tf)

    assert_same_array(weights.toarray(), expected.toarray())
    assert_same_array((container(tf) @ weights.T)[[0], :].sum(), (tf @ expected.T)[0].sum())


@pytest.mark.case("L08")
@pytest.mark.parametrize("dtype", ["int64", "int32", "uint8", "bool", "float32", "float64"])
def test_counts_of_any_dtype_weigh_the_same(dtype):
    """Whole numbers of any dtype give equal weights; only a float32 input keeps its accuracy."""
    tf = (np.arange(12).reshape(4, 3) % 2).astype(dtype)
    weights = BM25Transformer().fit_transform(csr_array(tf))
    expected = BM25Transformer().fit_transform(tf.astype(np.float64)).toarray()

    assert weights.dtype == (np.float32 if dtype == "float32" else np.float64)
    assert_same_array(weights.toarray(), expected.astype(weights.dtype))


@pytest.mark.case("I06")
@pytest.mark.case("I07")
def test_query_counts_times_weights_are_scores():
    """Nothing is normalized on the query's side: counts times exported weights are the BM25 scores."""
    documents = ["red kite", "red pot", "blue mug", "old lamp"]
    counter = CountVectorizer()
    weights = BM25Transformer().fit_transform(counter.fit_transform(documents))

    once = (counter.transform(["red"]) @ weights.T).toarray()[0]
    twice = (counter.transform(["red red"]) @ weights.T).toarray()[0]

    assert once.round(6).tolist() == [0.277259, 0.277259, 0, 0]
    assert_array_equal(twice, 2 * once)


def test_counts_need_not_be_whole():
    """Half an occurrence saturates as the formula says, and counts as an occurrence in df."""
    tf = np.array([[0.5, 0.0], [1.5, 2.5], [0.0, 3.0]])
    weights = BM25Transformer(k1=1.2, b=0.4).fit_transform(tf)
    norms = 1 - 0.4 + 0.4 * tf.sum(axis=1, keepdims=True) / (7.5 / 3)

    assert_allclose(weights.toarray(), np.log(1 + 1.5 / 2.5) * tf / (tf + 1.2 * norms), rtol=1e-12)


def test_input_is_read_only_and_may_be_untidy():
    """Repeated and zero entries are summed and dropped, in a copy: the caller's matrix stays as it was."""
    data, columns, rows = np.array([1.0, 1.0, 0.0, 3.0]), np.array([1, 1, 0, 2]), np.array([0, 3, 4])
    untidy = csr_array((data.copy(), columns.copy(), rows.copy()), shape=(2, 3))
    weights = BM25Transformer().fit_transform(untidy)

    assert_array_equal(weights.toarray(), BM25Transformer().fit_transform(untidy.toarray()).toarray())
    assert weights.nnz == 2
    for left, right in ((untidy.data, data), (untidy.indices, columns), (untidy.indptr, rows)):
        assert_array_equal(left, right)


@pytest.mark.parametrize(
    ("estimator", "documents"), [(BM25Transformer, COUNTS), (BM25Vectorizer, TEXTS)], ids=["counts", "text"]
)
def test_parameters_change_without_another_fit(estimator, documents):
    """Only statistics are learned: other parameters, even another scheme, take effect at once."""
    other = {"scheme": "bm25+", "k1": 0.9, "b": 0.4, "delta": 0.7}
    changed = estimator().fit(documents).set_params(**other)
    fresh = estimator(**other).fit(documents)

    assert_same_array(changed.transform(documents).toarray(), fresh.transform(documents).toarray())
    assert_same_array(changed.idf_, fresh.idf_)
    assert_same_array(changed.absent_weights_, fresh.absent_weights_)


# Empty input, wrong input


@pytest.mark.promise(8)
@every_scheme
@pytest.mark.parametrize("documents", [[], [""], [None, float("nan"), "..."]])
def test_empty_texts_are_defined(scheme, documents):
    """No documents and empty documents are learned from, weighed and asked without a warning."""
    vectorizer = BM25Vectorizer(scheme).fit(documents)

    assert vectorizer.transform(documents).shape == (len(documents), 0)
    assert vectorizer.get_feature_names_out().size == 0
    assert vectorizer.transform(["red kite", ""]).shape == (2, 0)
    assert vectorizer.transform_queries(["red", ""]).shape == (2, 0)
    assert BM25Vectorizer(scheme).fit(TEXTS).transform([]).shape == (0, 9)


@pytest.mark.promise(9)
@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"k1": -1}, ValueError, "k1 must be a finite number .*got -1"),
        ({"k1": float("nan")}, ValueError, "k1 must be a finite number"),
        ({"b": 1.5}, ValueError, r"b must be .* in \[0, 1\], got 1.5"),
        ({"b": "1"}, TypeError, "b must be a number"),
        ({"delta": -0.1}, ValueError, "delta must be a finite number"),
        ({"scheme": "bm26"}, ValueError, "scheme must be lucene, .* got 'bm26'"),
    ],
)
def test_wrong_parameters_are_refused_before_anything_is_learned(parameters, error, message):
    """The constructor takes what it is given, as scikit-learn asks; `fit` names what is wrong."""
    for estimator, documents in ((BM25Transformer(), COUNTS), (BM25Vectorizer(), TEXTS)):
        with pytest.raises(error, match=message):
            clone(estimator).set_params(**parameters).fit(documents)
        fitted = estimator.fit(documents)
        with pytest.raises(error, match=message):
            fitted.set_params(**parameters).partial_fit(documents)
        assert fitted.n_docs_ == len(documents)


@pytest.mark.promise(9)
@pytest.mark.parametrize(
    ("parameters", "message"),
    [({"dtype": "int8"}, "dtype must be"), ({"query_tf": "all"}, "query_tf must be")],
)
def test_vectorizer_refuses_unknown_options(parameters, message):
    """Options with few values name them."""
    with pytest.raises(ValueError, match=message):
        BM25Vectorizer(**parameters).fit(TEXTS)


@pytest.mark.promise(9)
@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ("one text", "documents must be an iterable of documents"),
        (csr_array(COUNTS), "documents must be texts or token lists, got a sparse matrix"),
        ([["red"], 3], "a document must be a str"),
    ],
)
def test_vectorizer_refuses_what_is_not_text(documents, message):
    """What is no collection of texts is refused by name, and nothing is learned from a part of it."""
    vectorizer = BM25Vectorizer().fit(TEXTS)
    for method in (vectorizer.fit, vectorizer.partial_fit, vectorizer.fit_transform, vectorizer.transform):
        with pytest.raises(TypeError, match=message):
            method(documents)

    assert vectorizer.n_docs_ == len(TEXTS)


@pytest.mark.promise(9)
@pytest.mark.parametrize("method", ["fit", "partial_fit", "transform"])
def test_transformer_refuses_what_is_not_counts(method):
    """Negative, infinite and missing counts are refused, and nothing is learned from them."""
    transformer = BM25Transformer().fit(COUNTS)
    for wrong in (-1.0, np.inf, np.nan):
        with pytest.raises(ValueError, match=r"Negative values|infinity|NaN"):
            getattr(transformer, method)(np.array([[1.0, wrong, 0.0]]))

    assert transformer.n_docs_ == len(COUNTS)
