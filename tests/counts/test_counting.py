"""Counting: one pass, any form of document, nothing lost."""

from __future__ import annotations

import gc
from collections import Counter

import numpy as np
import oracle
import pytest
from equality import assert_same_array, assert_same_counts
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import bsr_array, coo_array, csc_array, csc_matrix, csr_array, csr_matrix
from strategies import collections, field_collections

from sparsebm25 import Analyzer, BM25Index, _blocks, counting
from sparsebm25.counting import count_documents, counts_of_matrix


def dense(documents, vocabulary):
    """Return counts by brute force."""
    counted = [Counter(tokens) for tokens in documents]
    return [[count[term] for term in vocabulary] for count in counted]


@given(collections())
def test_counts_equal_brute_force(documents):
    """Frequencies, lengths and document frequencies are those of counting by hand."""
    vocabulary, counts = count_documents(documents, None)
    counts.check()

    assert list(vocabulary) == oracle.vocabulary(documents)
    assert counts.tf.toarray().tolist() == dense(documents, vocabulary) or not documents
    assert counts.tf.shape == (len(documents), len(vocabulary))
    assert counts.doc_lengths.tolist() == [len(tokens) for tokens in documents]
    assert counts.doc_freqs.tolist() == [oracle.doc_freq(documents, term) for term in vocabulary]
    assert counts.collection_freqs.tolist() == counts.tf.sum(axis=0).tolist()
    assert counts.mean_length == oracle.mean_length(documents)


@given(collections(), st.integers(1, 12))
def test_chunks_do_not_show(documents, chunk):
    """Counting in chunks of any size gives the counts of one chunk."""
    whole = count_documents(documents, None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "CHUNK_TOKENS", chunk)
        parts = count_documents(iter(documents), None)

    assert list(parts[0]) == list(whole[0])
    assert_same_counts(parts[1], whole[1])


@given(collections())
def test_text_is_counted_as_its_tokens(documents):
    """Texts through an analyzer, through a plain callable and as token lists are counted alike."""
    texts = [" ".join(tokens) for tokens in documents]
    split = Analyzer(tokens="whitespace", case=None)
    tokens = [split(text) for text in texts]
    for result in (count_documents(texts, split), count_documents(texts, lambda text: split(text))):
        assert list(result[0]) == list(count_documents(tokens, None)[0])
        assert_same_counts(result[1], count_documents(tokens, None)[1])


def test_each_distinct_token_is_filtered_once():
    """Stemming and stop words look at the vocabulary, not at every token."""
    asked = []

    class Watching:
        def split(self, text):
            return text.split()

        def term(self, token):
            asked.append(token)
            return None if token == "the" else token.rstrip("s")

    vocabulary, counts = count_documents(["the maps map", "the map", "maps the the"], Watching())

    assert sorted(asked) == ["map", "maps", "the"]
    assert list(vocabulary) == ["map"]
    assert counts.tf.toarray().tolist() == [[2], [1], [1]]
    assert counts.doc_lengths.tolist() == [2, 1, 1]


@pytest.mark.promise(8)
@pytest.mark.parametrize("nothing", [None, float("nan"), np.float64("nan"), "", [], ()])
def test_missing_text_is_an_empty_document(nothing):
    """None, NaN and empty text are documents of length 0."""
    _, counts = count_documents(["red", nothing, "red"], Analyzer())

    assert counts.doc_lengths.tolist() == [1, 0, 1]


@given(field_collections())
def test_fields_are_counted_apart(documents):
    """Each field has its own counts and lengths, on one vocabulary; together they are the joined document."""
    fields = ("title", "body")
    vocabulary, counts = count_documents(documents, None, fields)
    counts.check()
    for place, name in enumerate(fields):
        tokens = [document.get(name, []) for document in documents]
        assert counts.field_matrix(place).toarray().tolist() == dense(tokens, vocabulary) or not documents
        assert counts.field_lengths[place].tolist() == [len(each) for each in tokens]
    joined = [[*document.get("title", []), *document.get("body", [])] for document in documents]
    assert_same_array(counts.tf.toarray(), count_documents(joined, None)[1].tf.toarray())


@given(collections(), st.integers(1, 5))
def test_counting_does_not_depend_on_blocks(documents, block):
    """Token lists have the same counts, however few tokens and postings are looked at together."""
    vocabulary, expected = count_documents(documents, None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_blocks, "BLOCK", block)
        _, counts = count_documents(documents, None)
    counts.check()

    assert_same_counts(counts, expected)
    assert counts.tf.toarray().tolist() == dense(documents, vocabulary) or not documents


def test_a_list_of_texts_is_one_field():
    """The tokens of a list-valued field add up; neighbors do not grow together."""
    vocabulary, counts = count_documents([{"tags": ["red kite", "high"]}], Analyzer(), ("tags",))

    assert list(vocabulary) == ["high", "kite", "red"]
    assert counts.doc_lengths.tolist() == [3]


@pytest.mark.promise(9)
@pytest.mark.parametrize(
    ("documents", "fields", "message"),
    [
        (["red", 3], (), "a document must be a str, a list of tokens or None, got 3"),
        ([["red", 3]], (), "a token must be a str, got 3 of type int"),
        ([["red", None]], (), "a token must be a str, got None"),
        ([{"title": "red"}], (), "a document must be a str.*got {'title'"),
        (["red"], ("title",), "a document of an index with fields must be a mapping, got 'red'"),
        ([{"title": 3}], ("title",), "a document must be a str.*got 3"),
        ([{"title": ["red", 3]}], ("title",), "a list of texts, got 3"),
        ([b"red"], (), "got b'red'"),
    ],
)
def test_wrong_documents_are_refused(documents, fields, message):
    """A document or token of a wrong type is named."""
    with pytest.raises(TypeError, match=message):
        count_documents(documents, Analyzer(), fields)


@given(
    collections(),
    st.sampled_from((csr_array, csr_matrix, csc_matrix, coo_array)),
    st.sampled_from("iufb"),
    st.integers(1, 5),
)
def test_a_matrix_of_counts_equals_its_documents(documents, make, kind, block):
    """Counts in any sparse format and numeric type give the counts of the documents, blocks of any size."""
    vocabulary, counts = count_documents(documents, None)
    types = {"i": np.int64, "u": np.uint16, "f": np.float32, "b": np.bool_}
    if kind == "b":
        documents = [sorted(set(tokens)) for tokens in documents]
        vocabulary, counts = count_documents(documents, None)
    matrix = make(counts.tf.astype(types[kind]))
    order = np.random.default_rng(len(documents)).permutation(len(vocabulary))
    shuffled = make(matrix.tocsc()[:, order])
    terms = [vocabulary[column] for column in order.tolist()]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_blocks, "BLOCK", block)
        named = counts_of_matrix(shuffled, terms)
        numbered = counts_of_matrix(matrix)

    assert list(named[0]) == list(vocabulary)
    assert_same_counts(named[1], counts)
    assert list(numbered[0]) == list(range(len(vocabulary)))
    assert_same_counts(numbered[1], counts)


@pytest.mark.parametrize("make", [csr_array, csc_matrix, coo_array])
def test_repeated_entries_add_and_zeros_vanish(make):
    """A matrix that stores an entry twice, or stores a zero, counts what it means, in the widest type."""
    entries = np.array([100, 101, 0, 1], np.int8)
    if make is coo_array:
        matrix = make((entries, ([0, 0, 1, 1], [1, 1, 0, 2])), shape=(2, 3))
    elif make is csr_array:
        matrix = make((entries, [1, 1, 0, 2], [0, 2, 4]), shape=(2, 3))
    else:
        matrix = make((entries[[2, 0, 1, 3]], [1, 0, 0, 1], [0, 1, 3, 4]), shape=(2, 3))
    vocabulary, counts = counts_of_matrix(matrix, ["x", "b", "a"])

    assert list(vocabulary) == ["a", "b"]
    assert counts.tf.toarray().tolist() == [[0, 201], [1, 0]]
    assert counts.doc_lengths.tolist() == [201, 1]


@pytest.mark.parametrize("make", [csr_array, csc_array, coo_array])
def test_a_matrix_stays_the_callers(make):
    """Counts share no array with the matrix, which can be written to afterwards."""
    matrix = make(np.array([[1, 0], [2, 3]], np.int32))
    _, counts = counts_of_matrix(matrix)
    matrix.data[:] = 9

    assert counts.tf.toarray().tolist() == [[1, 0], [2, 3]]


@pytest.mark.parametrize("make", [csr_array, csc_array, bsr_array])
def test_room_to_spare_stays(make):
    """Arrays of the matrix that are longer than its entries are neither read to their end nor cut."""
    matrix = make(np.array([[1, 0], [2, 3]], np.int32))
    matrix.data, matrix.indices = (np.concatenate((a, a)) for a in (matrix.data, matrix.indices))
    data, indices = matrix.data, matrix.indices
    _, counts = counts_of_matrix(matrix)

    assert matrix.data is data
    assert matrix.indices is indices
    assert counts.tf.toarray().tolist() == [[1, 0], [2, 3]]


@pytest.mark.parametrize("make", [csr_array, csc_array, coo_array])
def test_half_precision_counts(make):
    """Numbers that SciPy itself does not take are counts too."""
    matrix = make(np.array([[1, 0], [2, 3]], np.float32))
    matrix.data = matrix.data.astype(np.float16)

    assert counts_of_matrix(matrix)[1].tf.toarray().tolist() == [[1, 0], [2, 3]]


@pytest.mark.promise(9)
@pytest.mark.parametrize(
    ("matrix", "terms", "error", "message"),
    [
        (csr_array([[-1]]), None, ValueError, "whole numbers >= 0, got .*-1"),
        (csr_array([[0.5]]), None, ValueError, "whole numbers >= 0, got .*0.5"),
        (csr_array([[np.nan]]), None, ValueError, "whole numbers >= 0, got .*nan"),
        (csr_array([[np.inf]]), None, ValueError, "whole numbers >= 0, got .*inf"),
        (csr_array([[2.0**40]]), None, ValueError, "a count must be at most 2147483647"),
        (csr_array([[1j]]), None, TypeError, "counts must be numbers, got dtype complex128"),
        (csr_array([[1, 1]]), ["a"], ValueError, "each of the 2 columns once, got 1 names"),
        (csr_array([[1, 1]]), ["a", "a"], ValueError, "got 2 names, 1 of them distinct"),
        (csr_array([[1, 1]]), ["a", 1], TypeError, "a term must be a str, got 1"),
        (csr_array([[1, 0]]), ["a", None], TypeError, "a term must be a str, got None"),
        (csr_array([[1, 1]]), ["a", ["b"]], TypeError, "a term must be a str, got \\['b'\\]"),
        (csr_array([[1, 1]]), 5, TypeError, "terms must be an iterable of terms, got 5"),
        (np.ones((1, 1)), None, TypeError, "counts must be a sparse matrix"),
    ],
)
def test_wrong_matrices_are_refused(matrix, terms, error, message):
    """Counts that are no counts are refused, with the value."""
    with pytest.raises(error, match=message):
        counts_of_matrix(matrix, terms)


def test_sums_of_repeated_entries_must_fit():
    """Entries that are each small and together too large are refused, not wrapped."""
    matrix = coo_array(([2**31 - 1, 1], ([0, 0], [0, 0])), shape=(1, 1))

    with pytest.raises(ValueError, match="a count must be at most 2147483647"):
        counts_of_matrix(matrix)


def test_no_token_list_stays_in_memory():
    """After counting nothing refers to the documents."""

    class Tokens(list):
        pass

    documents = [Tokens(["red", "kite"]) for _ in range(50)]
    index = BM25Index(analyzer=None).fit(documents)
    index.scores(["red"])
    del documents
    gc.collect()

    assert not any(isinstance(each, Tokens) for each in gc.get_objects())
    assert len(index) == 50
