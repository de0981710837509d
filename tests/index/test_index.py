"""The index as its users hold it: parameters, fields, emptiness, refusals."""

from __future__ import annotations

import numpy as np
import oracle
import pytest
from equality import assert_same_array, assert_same_hits, assert_same_index
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from strategies import bm25_parameters, collections, field_collections, queries

from sparsebm25 import SCHEMES, Analyzer, BM25Index

BM25_SCHEMES = ("lucene", "lucene-k1+1", "robertson", "atire", "okapi", "bm25l", "bm25+")


@given(
    collections(),
    queries(),
    st.sampled_from(sorted(SCHEMES)),
    bm25_parameters(),
    st.sampled_from(("float32", "float64")),
)
def test_with_params_equals_a_new_index(documents, query, scheme, parameters, dtype):
    """A view with other parameters is the index that would have been made with them, bit for bit."""
    view = BM25Index(analyzer=None).fit(documents).with_params(scheme=scheme, dtype=dtype, **parameters)
    new = BM25Index(scheme, analyzer=None, dtype=dtype, **parameters).fit(documents)

    assert_same_index(view, new)
    assert_same_hits(view.search(query), new.search(query))


def test_views_do_not_share_changes():
    """What is added to a view is not in the original, and the other way round."""
    index = BM25Index().fit(["red kite"])
    view = index.with_params(k1=2.0)
    view.add(["blue kite"])
    index.add(["green kite", "gray kite"])

    assert (len(view), len(index)) == (2, 3)


@pytest.mark.promise(7)
@given(collections(), queries(), st.sampled_from((*BM25_SCHEMES, "tfidf")), bm25_parameters())
def test_one_field_with_boost_one_is_plain(documents, query, scheme, parameters):
    """BM25F of one field with boost 1 is BM25, bit for bit."""
    plain = BM25Index(scheme, analyzer=None, **parameters).fit(documents)
    mappings = [{"body": tokens} for tokens in documents]
    fields = BM25Index(scheme, analyzer=None, fields={"body": 1.0}, **parameters).fit(mappings)

    assert_same_array(fields.scores(query), plain.scores(query))
    assert_same_hits(fields.search(query), plain.search(query))


@pytest.mark.parametrize("scheme", ["lucene", "lucene-k1+1", "robertson", "atire", "okapi"])
@given(
    documents=field_collections(),
    query=queries(),
    k1=st.sampled_from((0.0, 1.2)),
    boosts=st.tuples(*[st.sampled_from((0.5, 1.0, 3.0))] * 2),
    field_b=st.tuples(*[st.sampled_from((0.0, 0.4, 1.0))] * 2),
)
def test_bm25f_matches_the_paper(scheme, documents, query, k1, boosts, field_b):
    """Fields are normalized each by its own b, boosted, summed, and saturated once."""
    documents = [{"title": ["a"], "body": ["b"]}, *documents]
    boosts = dict(zip(("title", "body"), boosts, strict=True))
    field_b = dict(zip(("title", "body"), field_b, strict=True))
    index = BM25Index(scheme, k1=k1, fields=boosts, field_b=field_b, analyzer=None, dtype="float64").fit(
        documents
    )
    expected = [
        oracle.bm25f(
            documents, query, doc_ord, boosts=boosts, field_b=field_b, k1=k1, delta=index.delta, scheme=scheme
        )
        for doc_ord in range(len(documents))
    ]

    np.testing.assert_allclose(index.scores(query), expected, rtol=1e-10, atol=1e-12)


@given(documents=field_collections(), query=queries())
def test_a_view_on_one_field_is_an_index_of_that_field(documents, query):
    """Leaving out fields leaves out their matches, lengths and document frequencies."""
    documents = [{"title": ["a"], "body": ["b"]}, *documents]
    both = BM25Index(
        analyzer=None, fields={"title": 2.0, "body": 1.0}, field_b={"title": 0.3, "body": 0.6}
    ).fit(documents)
    only = BM25Index(analyzer=None, fields={"body": 1.0}, field_b={"body": 0.6}).fit(
        [{"body": document.get("body")} for document in documents]
    )
    view = both.with_params(fields={"body": 1.0})

    assert_same_hits(view.search(query), only.search(query))
    assert list(view.vocabulary) == list(only.vocabulary)


def test_open_arrays_have_the_shapes_of_the_glossary():
    """Counts, idf, norms and postings are there to be looked at, on one set of axes."""
    index = BM25Index("bm25+").fit(["red kite", "red pot", ""])

    assert index.counts.tf.shape == (3, 3)
    assert index.postings.shape == (3, 3)
    assert index.idf.shape == index.absent_weights.shape == (3,)
    assert index.length_norm.tolist() == pytest.approx([1.375, 1.375, 0.25])
    assert BM25Index().absent_weights is None
    assert BM25Index(fields={"a": 1, "b": 1}).fit([{"a": "x", "b": "y z"}]).length_norm.shape == (2, 1)


@pytest.mark.promise(8)
@pytest.mark.parametrize("scheme", [*sorted(SCHEMES), "ltc.lnc"])
@pytest.mark.parametrize("documents", [[], [""], ["", None, float("nan")]])
@pytest.mark.parametrize("fields", [None, {"body": 1.0}])
def test_empty_everything_is_defined(scheme, documents, fields, tmp_path, recwarn):
    """No documents, and documents of nothing: every method answers, without warning, NaN or hit."""
    index = BM25Index(scheme, fields=fields)
    if fields:
        documents = [{"body": text} for text in documents]
    index.fit(documents)
    n_docs = len(documents)

    for query in ("red", "", None, []):
        assert len(index.search(query)) == 0
        assert index.scores(query).tolist() == [0.0] * n_docs
    assert [len(hits) for hits in index.search_many(["red", ""]).values()] == [0, 0]
    assert len(index.search_many([])) == 0
    assert index.score_matrix(["red"]).shape == (1, n_docs)
    assert index.query_matrix(["red"]).shape == (1, 0)
    assert list(index.search_chunks([])) == []
    assert np.isfinite(index.length_norm).all()
    assert index.with_params(k1=0, b=1).scores("red").tolist() == [0.0] * n_docs
    index.save(tmp_path / "index")
    assert len(BM25Index.load(tmp_path / "index")) == n_docs
    index.remove(range(n_docs))
    assert len(index) == 0
    assert index.add([{"body": "red"}] if fields else ["red"]).search("red").doc_ids == [0]
    assert not recwarn.list


@pytest.mark.promise(2)
@pytest.mark.parametrize("k", [0, -1, -(10**9)])
def test_nothing_asked_nothing_given(k):
    """A `k` of 0 or less gives nothing; one larger than the matches gives them all."""
    index = BM25Index().fit(["red kite", "red pot", "blue"])

    assert len(index.search("red", k)) == 0
    assert len(index.search_many(["red"], k)[0]) == 0
    assert index.search("red", 10**12).doc_ids == [0, 1]


@pytest.mark.promise(9)
@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"scheme": "bm26"}, ValueError, "scheme must be lucene, .* got 'bm26'"),
        ({"k1": -0.1}, ValueError, "k1 must be a finite number >= 0, got -0.1"),
        ({"k1": float("nan")}, ValueError, "k1 must be a finite number >= 0, got nan"),
        ({"k1": float("inf")}, ValueError, "k1 must be a finite number >= 0, got inf"),
        ({"k1": "1.5"}, TypeError, "k1 must be a number, got '1.5'"),
        ({"k1": True}, TypeError, "k1 must be a number, got True"),
        ({"b": 1.01}, ValueError, r"b must be a finite number in \[0, 1\], got 1.01"),
        ({"delta": -1}, ValueError, "delta must be a finite number in .*, got -1"),
        ({"dtype": "int32"}, ValueError, "dtype must be one of 'float32', 'float64', got 'int32'"),
        ({"dtype": "nonsense"}, ValueError, "dtype must be one of"),
        ({"query_tf": "twice"}, ValueError, "query_tf must be one of 'count', 'set', got 'twice'"),
        ({"backend": "cuda"}, ValueError, "backend must be one of 'auto', 'scipy', 'numba'.*got 'cuda'"),
        ({"analyzer": "english"}, TypeError, "analyzer must be callable or None, got 'english'"),
        ({"fields": {}}, ValueError, "fields must name at least one field"),
        ({"fields": ["title"]}, TypeError, "fields must be a mapping from field to number"),
        ({"fields": {1: 1.0}}, TypeError, "fields must have str keys, got 1"),
        ({"fields": {"title": 0}}, ValueError, "fields must have boosts > 0"),
        ({"fields": {"title": -1}}, ValueError, r"fields\['title'\] must be a finite number in .*, got -1"),
        ({"field_b": {"title": 0.5}}, ValueError, "field_b names 'title', which is not one of the fields"),
        (
            {"fields": {"a": 1}, "field_b": {"a": 2}},
            ValueError,
            r"field_b\['a'\] must be .* in \[0, 1\], got 2",
        ),
        ({"k_1": 0.2}, TypeError, "k_1"),
    ],
)
def test_wrong_parameters_are_refused(arguments, error, message):
    """A parameter out of range is named with its value and what is allowed, at construction and in views."""
    with pytest.raises(error, match=message):
        BM25Index(**arguments)
    if arguments.keys() & {"fields", "analyzer"}:
        return
    with pytest.raises(error, match=message):
        BM25Index().with_params(**arguments)


@pytest.mark.promise(9)
@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"documents": "red"}, TypeError, "documents must be an iterable of documents, got 'red'"),
        ({"documents": {"a": "red"}}, TypeError, "documents must be an iterable of documents"),
        ({"documents": 5}, TypeError, "documents must be an iterable of documents, got 5"),
        ({"documents": None}, TypeError, "documents must be an iterable of documents, got None"),
        (
            {"documents": ["a", "b"], "ids": ["x"]},
            ValueError,
            "ids must have one entry a document, got 1 for 2",
        ),
        (
            {"documents": ["a", "b"], "ids": ["x", "x"]},
            ValueError,
            "ids must be distinct, got 'x' more than once",
        ),
        (
            {"documents": ["a"], "ids": "x"},
            TypeError,
            "ids must be an iterable with one entry a document, got 'x'",
        ),
        ({"documents": ["a"], "ids": [1.5]}, TypeError, "ids must be str or int, got 1.5 of type float"),
        ({"documents": ["a"], "ids": [True]}, TypeError, "ids must be str or int, got True"),
        (
            {"documents": ["a"], "metadata": [{}, {}]},
            ValueError,
            "metadata must have one entry a document, got 2 for 1",
        ),
        ({"documents": ["a", "b"], "ids": (x for x in "abc")}, ValueError, "got 3 for 2 documents"),
        ({"documents": ["a"], "metadata": [3]}, TypeError, "metadata must hold mappings or None, got 3"),
        ({"documents": ["a"], "metadata": {}}, TypeError, "metadata must be an iterable with one entry"),
        ({"documents": ["a"], "terms": ["a"]}, TypeError, "terms name the columns of a sparse matrix"),
    ],
)
def test_wrong_input_is_refused(arguments, error, message):
    """Documents, ids and metadata that do not fit are refused, and the index is as it was."""
    index = BM25Index().fit(["kept"])
    with pytest.raises(error, match=message):
        index.fit(**arguments)

    assert index.search("kept").doc_ids == [0]


def test_fields_that_nobody_has_are_named():
    """A boost for a field that no document has is an error; keys that are no fields are not indexed."""
    with pytest.raises(ValueError, match="fields names 'titel', which none of the 1 documents has"):
        BM25Index(fields={"titel": 2.0, "body": 1.0}).fit([{"title": "red", "body": "kite"}])
    with pytest.raises(ValueError, match="fields must be among 'body', got 'title'"):
        BM25Index(fields={"body": 1.0}).with_params(fields={"title": 1.0})
    index = BM25Index(fields={"body": 1.0}).fit([{"title": "red", "body": "kite"}])

    assert len(index.search("red")) == 0


def test_text_and_bare_columns_do_not_mix():
    """Texts cannot be added to an index whose terms are column numbers."""
    index = BM25Index().fit(csr_array([[1, 2], [0, 1]]))
    with pytest.raises(
        ValueError, match="the terms of this index are column numbers, those of the new documents texts"
    ):
        index.add(["red"])

    assert index.add(csr_array([[0, 0, 3]])).search([2]).doc_ids == [2]
    assert index.remove([2]).query_matrix([[1]]).shape == (1, 3)
    assert len(index.search([2])) == 0
    with pytest.raises(TypeError, match="a token of a query must be the number of a column, got 'red'"):
        index.search(["red"])


def test_ids_are_kept_verbatim():
    """The text "7", "007" and the number 7 are three documents; NumPy's numbers are numbers."""
    index = BM25Index().fit(["red"] * 4, ids=["7", "007", np.int64(7), "x" * 40])

    assert list(index.search("red").doc_ids) == ["7", "007", 7, "x" * 40]
    assert [type(doc_id) for doc_id in index.doc_ids] == [str, str, int, str]
    assert index.remove(["7"]).search("red").doc_ids == ["007", 7, "x" * 40]
    assert 7 in index
    assert "7" not in index


def test_one_source_feeds_documents_and_ids():
    """Ids are taken in step with the documents, so that one pass over a file gives both."""
    ids: list[str] = []

    def texts():
        for number, line in enumerate(["red kite", "red pot"]):
            ids.append(f"line {number}")
            yield line

    assert BM25Index().fit(texts(), ids).search("red").doc_ids == ["line 0", "line 1"]


def test_columns_of_data_frames():
    """A column of a data frame is a list of documents, missing values included; a whole frame is refused."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"text": ["red kite", None, "red pot"], "id": [5, 6, 7]}, index=[9, 9, 9])
    index = BM25Index().fit(frame["text"], ids=frame["id"])

    assert index.search("red").doc_ids == [5, 7]
    hits = index.search("red").to_pandas()
    assert hits.columns.tolist() == ["rank", "doc_id", "score"]
    assert hits["rank"].tolist() == [1, 2]
    with pytest.raises(TypeError, match="one column of texts, got a whole DataFrame"):
        BM25Index().fit(frame)


def test_hits_are_a_sequence_and_show_themselves():
    """Hits can be indexed, sliced, compared and shown, with text escaped."""
    hits = BM25Index().fit(["red kite", "red"], ids=["<b>", "b"]).search("red")

    assert hits[0].doc_id == hits[-2].doc_id == "b"
    assert [hit.doc_ord for hit in hits[1:]] == [0]
    assert hits == hits[:]
    assert "2 hits" in repr(hits)
    assert "&lt;b&gt;" in hits._repr_html_()


def test_an_index_tells_what_it_is():
    """The representation shows settings and sizes, and an empty index is still true."""
    index = BM25Index("bm25+", k1=0.9, fields={"title": 2.0})

    for words in ("'bm25+'", "k1=0.9", "b=0.75", "delta=1", "'title': 2.0", "n_docs=0"):
        assert words in repr(index)
    assert "bm25+" in index._repr_html_()
    assert index


def test_settings_are_readable():
    """Every parameter can be read back."""
    analyzer = Analyzer(language="english")
    index = BM25Index("bm25l", k1=1.1, b=0.2, analyzer=analyzer, dtype="float64")

    assert (index.scheme, index.k1, index.b, index.delta) == ("bm25l", 1.1, 0.2, 0.5)
    assert (index.analyzer, index.dtype, index.fields) == (analyzer, np.float64, {})
