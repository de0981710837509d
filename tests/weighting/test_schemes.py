"""The table of schemes: one contract for all rows, and each row against its oracle."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, replace

import numpy as np
import oracle
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from strategies import bm25_parameters, collections, queries

from sparsebm25.weighting import schemes as schemes_module
from sparsebm25.weighting.schemes import SCHEMES, Scheme, scheme_named
from sparsebm25.weighting.smart import smart_scheme
from sparsebm25.weighting.tf import norm_lengths

SMART_ROWS = ("ltc.lnc", "lnc.ltc", "nnn.nnn", "bpc.bpn")
"""Some SMART names that keep the contract too; all of them are held against their oracle elsewhere."""

CONTRACT = [*SCHEMES.values(), *map(smart_scheme, SMART_ROWS)]

every_scheme = pytest.mark.parametrize("scheme", CONTRACT, ids=lambda scheme: scheme.name)


def dense_scores(scheme, documents, query, *, k1, b, delta):
    """Return all scores, put together from a scheme's parts on dense arrays, as its docstring says."""
    terms = oracle.vocabulary(documents)
    tf = np.array([[tokens.count(term) for term in terms] for tokens in documents]).reshape(
        len(documents), -1
    )
    held = tf > 0
    doc_freqs = held.sum(axis=0)
    lengths = tf.sum(axis=1)
    norms = norm_lengths(lengths, lengths.mean() if len(documents) else 0.0, b=b)
    idf = scheme.idf(doc_freqs, len(documents))
    weights = np.zeros(tf.shape)
    postings = scheme.tf(tf[held], np.broadcast_to(norms[:, None], tf.shape)[held], k1=k1, delta=delta)
    absent = scheme.absent(k1, delta) if scheme.absent else 0.0
    weights[held] = postings - absent
    weights *= idf
    if scheme.cosine:
        weights = unit_rows(weights)
    counts = np.array([[float(query.count(term)) for term in terms]])
    if scheme.query:
        counts = scheme.query.tf(counts) * scheme.query.idf(doc_freqs, len(documents))
        counts = unit_rows(counts) if scheme.query.cosine else counts
    return (weights @ counts.T).ravel() + float((idf * absent * counts).sum())


def unit_rows(vectors):
    """Return the rows scaled to length 1; rows of zeros stay."""
    lengths = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
    return np.divide(vectors, lengths, out=np.zeros(vectors.shape), where=lengths > 0)


# The contract


@every_scheme
def test_empty_arrays_have_parts(scheme):
    """No terms have an idf of shape (0,), no postings have parts of shape (0,)."""
    assert scheme.idf(np.zeros(0, np.int32), 0).shape == (0,)
    assert scheme.tf(np.zeros(0), np.zeros(0), k1=1.5, delta=scheme.delta).shape == (0,)


@every_scheme
@given(
    doc_freqs=arrays(np.int32, st.integers(0, 6), elements=st.integers(0, 50)),
    tf=arrays(np.int32, st.integers(0, 6), elements=st.integers(1, 10**6)),
    parameters=bm25_parameters(),
)
def test_parts_keep_shape_and_are_finite(scheme, doc_freqs, tf, parameters):
    """Parts have one float64 value per term or posting, none of them NaN or infinite."""
    norms = norm_lengths(tf + 3, 10.0, b=parameters["b"])

    idf = scheme.idf(doc_freqs, 50)
    parts = scheme.tf(tf, norms, k1=parameters["k1"], delta=scheme.delta)

    for result, source in ((idf, doc_freqs), (parts, tf)):
        assert result.shape == source.shape
        assert result.dtype == np.float64
        assert np.isfinite(result).all()
    assert np.all(idf[doc_freqs == 0] == 0)


@every_scheme
@given(parameters=bm25_parameters(), tf=st.integers(1, 10**6), length=st.integers(1, 1000))
def test_occurrences_never_count_less_than_none(scheme, parameters, tf, length):
    """A present term's part is at least the absent part, and does not fall with another occurrence."""
    k1, norm = parameters["k1"], norm_lengths(np.array([length, length]), 30.0, b=parameters["b"])
    absent = scheme.absent(k1, scheme.delta) if scheme.absent else 0.0

    once, more = scheme.tf(np.array([tf, tf + 1]), norm, k1=k1, delta=scheme.delta)

    assert absent <= once <= more


CAN_ADD_NOTHING = {"robertson", "atire", "okapi", "bm25l", "ltc.lnc", "lnc.ltc", "bpc.bpn"}
"""Schemes under which a term of some frequency, or with some k1, adds nothing to a score, or lowers it."""


@every_scheme
def test_every_match_adds(scheme):
    """Under all other schemes a term of any frequency adds to the score of its documents."""
    n_docs = 7
    doc_freqs = np.arange(1, n_docs + 1)
    excess = [
        scheme.tf(np.ones(1), np.ones(1), k1=k1, delta=scheme.delta)
        - (scheme.absent(k1, scheme.delta) if scheme.absent else 0.0)
        for k1 in (0.0, 1.5, 1e9)
    ]
    smallest = min(scheme.idf(doc_freqs, n_docs)) * min(excess)
    if scheme.query:
        smallest *= min(scheme.query.idf(doc_freqs, n_docs))

    assert (smallest > 0) == (scheme.name not in CAN_ADD_NOTHING)


@every_scheme
def test_parameters_are_those_that_matter(scheme):
    """A scheme reads the parameters it names, and no other changes its parts."""
    tf, norms = np.array([2.0]), np.array([1.5])
    base = {"k1": 1.5, "delta": 0.5}

    def parts(length_norm=norms, **changed):
        values = {**base, **changed}
        absent = scheme.absent(**values) if scheme.absent else 0.0
        return *scheme.tf(tf, length_norm, **values), absent

    changes = {
        "k1": parts(k1=2.0) != parts(),
        "b": parts(length_norm=np.array([1.1])) != parts(),
        "delta": parts(delta=0.7) != parts(),
    }
    assert scheme.parameters == {name for name, matters in changes.items() if matters}
    assert (scheme.delta > 0) == ("delta" in scheme.parameters)


@every_scheme
def test_every_scheme_says_what_it_is(scheme):
    """Formula and source are one line each, in the symbols that the module explains."""
    for text in (scheme.formula, scheme.source):
        assert text.strip()
        assert "\n" not in text
    assert all((name if name != "b" else "norm") in scheme.formula for name in scheme.parameters)
    assert scheme.idf.__doc__
    assert scheme.tf.__doc__


@every_scheme
def test_schemes_are_shared_values(scheme):
    """A scheme cannot be changed, can be a key, and comes back equal from a pickle."""
    with pytest.raises(FrozenInstanceError):
        scheme.delta = 2.0

    assert pickle.loads(pickle.dumps(scheme)) == scheme
    assert len({scheme, replace(scheme)}) == 1


# Each row


def test_every_scheme_has_an_oracle():
    """No scheme is without a plain-Python twin, and no twin without a scheme."""
    assert SCHEMES.keys() == oracle.ORACLES.keys()


@pytest.mark.parametrize("name", SCHEMES)
@given(
    documents=collections(min_docs=1),
    query=queries(),
    parameters=bm25_parameters(),
    delta=st.sampled_from((0.0, 0.5, 1.0)) | st.floats(0.0, 5.0),
)
def test_scores_of_the_parts_are_the_papers(name, documents, query, parameters, delta):
    """Idf, tf part, absent part and query side, put together, give every document the oracle's score."""
    ours = dense_scores(SCHEMES[name], documents, query, **parameters, delta=delta)

    expected = [
        oracle.ORACLES[name](documents, query, doc_ord, **parameters, delta=delta)
        for doc_ord in range(len(documents))
    ]
    assert_allclose(ours, expected, rtol=1e-11, atol=1e-12)


@given(documents=collections(min_docs=1).filter(any), query=queries(), parameters=bm25_parameters())
def test_okapi_equals_rank_bm25(documents, query, parameters):
    """Scores of okapi are those of rank_bm25's BM25Okapi, negative ones included."""
    rank_bm25 = pytest.importorskip("rank_bm25")
    assume(parameters["k1"] > 0 and (parameters["b"] < 1 or all(documents)))  # it divides 0 by 0 there

    theirs = rank_bm25.BM25Okapi(documents, **parameters).get_scores(query)

    ours = dense_scores(SCHEMES["okapi"], documents, query, **parameters, delta=0.0)
    assert_allclose(ours, theirs, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize(("name", "sublinear"), [("tfidf", False), ("tfidf-sublinear", True)])
@given(documents=collections(min_docs=1).filter(any), query=queries())
def test_tfidf_equals_scikit_learn(name, sublinear, documents, query):
    """Scores of the TF-IDF schemes are the cosines of scikit-learn's TfidfVectorizer."""
    text = pytest.importorskip("sklearn.feature_extraction.text")
    vectorizer = text.TfidfVectorizer(
        tokenizer=list, preprocessor=None, lowercase=False, token_pattern=None, sublinear_tf=sublinear
    )
    theirs = (vectorizer.fit_transform(documents) @ vectorizer.transform([query]).T).toarray().ravel()

    ours = dense_scores(SCHEMES[name], documents, query, k1=1.5, b=0.75, delta=0.0)
    assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("case", "documents", "query", "k1", "plain", "scaled"),
    [
        pytest.param(
            *("S01", "red kite|red pot|blue mug|old lamp", "red", 1.5),
            *([0.277259, 0.277259, 0, 0], [0.693147, 0.693147, 0, 0]),
            marks=pytest.mark.case("S01"),
        ),
        pytest.param(
            *("S02", "ink pen cup|ink box jar", "ink", 1.5, [0.072929] * 2, [0.182322] * 2),
            marks=pytest.mark.case("S02"),
        ),
        pytest.param(
            *("S04", "owl", "owl", 1.5, [0.115073], [0.287682]),
            marks=pytest.mark.case("S04"),
        ),
        pytest.param(
            *("S05", "owl", "owl", 1.2, [0.130765], [0.287682]),
            marks=pytest.mark.case("S05"),
        ),
        pytest.param(
            *("S15", "a x x|a x x x|a x x x x", "a", 1.2),
            *([0.067611, 0.060696, 0.055064], [0.148744, 0.133531, 0.121141]),
            marks=pytest.mark.case("S15"),
        ),
    ],
)
def test_scores_by_hand(case, documents, query, k1, plain, scaled):
    """Scores of tiny collections are those worked out by hand, with and without k1 + 1."""
    tokens = [text.split() for text in documents.split("|")]
    arguments = {"documents": tokens, "query": query.split(), "k1": k1, "b": 0.75, "delta": 0.0}

    assert_allclose(dense_scores(SCHEMES["lucene"], **arguments), plain, atol=1e-6)
    assert_allclose(dense_scores(SCHEMES["lucene-k1+1"], **arguments), scaled, atol=1e-6)


@pytest.mark.case("S13")
@pytest.mark.parametrize(
    ("name", "present", "absent"), [("bm25l", 0.866434, 0.433217), ("bm25+", 2.197225, 1.098612)]
)
def test_absent_terms_score_by_hand(name, present, absent):
    """With its own delta, BM25L and BM25+ give a document without the term the absent part."""
    scheme = SCHEMES[name]

    scores = dense_scores(scheme, [["a"], ["b"]], ["a"], k1=1.5, b=0.75, delta=scheme.delta)

    assert_allclose(scores, [present, absent], atol=1e-6)


# Names


@pytest.mark.parametrize("name", [*SCHEMES, *SMART_ROWS])
def test_names_lead_to_their_scheme(name):
    """Every name, SMART names too, gives the scheme that bears it."""
    assert scheme_named(name).name == name


def test_a_scheme_needs_no_name():
    """A scheme of one's own passes as it is."""
    own = replace(SCHEMES["lucene"], name="own")

    assert scheme_named(own) is own


@pytest.mark.parametrize("name", ["bm25", "", "Lucene", "ltc", "ltc.xyz", "ltc.lnc.ltc", "ltc.lnc\n"])
def test_unknown_names_are_refused_with_the_choice(name):
    """The error names the argument, the value and every name there is."""
    with pytest.raises(ValueError, match="scheme must be ") as refused:
        scheme_named(name)

    assert str(refused.value).endswith(f"got {name!r}")
    assert all(known in str(refused.value) for known in SCHEMES)
    assert "SMART" in str(refused.value)


@pytest.mark.parametrize("name", [None, 1, b"lucene", ["lucene"]])
def test_names_that_are_no_text_are_refused(name):
    """Anything but a str or a Scheme is a wrong type."""
    with pytest.raises(TypeError, match="scheme must be a str or a Scheme"):
        scheme_named(name)


def test_the_table_cannot_be_changed():
    """Schemes are not registered: the table is read-only."""
    with pytest.raises(TypeError):
        SCHEMES["mine"] = SCHEMES["lucene"]


def test_the_table_is_typed_by_the_class_it_exports():
    """The class of the rows can be imported from where the table is."""
    assert schemes_module.Scheme is Scheme
    assert all(isinstance(scheme, Scheme) for scheme in SCHEMES.values())
