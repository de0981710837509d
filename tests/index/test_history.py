"""What an index was before does not show in what it is."""

from __future__ import annotations

import copy
import threading

import pytest
from equality import assert_same_index, assert_same_run
from hypothesis import given
from hypothesis import strategies as st
from strategies import collections, field_collections, queries

from sparsebm25 import BM25Index, UnknownIds

SCHEMES = st.sampled_from(("lucene", "okapi", "bm25+", "tfidf"))


def names(documents, prefix):
    """Return ids for documents."""
    return [f"{prefix}{place}" for place in range(len(documents))]


@pytest.mark.promise(4)
@given(collections(), collections(), SCHEMES)
def test_adding_equals_fitting_at_once(first, second, scheme):
    """fit(A + B) and fit(A).add(B) are equal array by array, with ids and without."""
    for first_ids, second_ids in ((None, None), (names(first, "a"), names(second, "b"))):
        together = None if first_ids is None else first_ids + second_ids
        whole = BM25Index(scheme, analyzer=None).fit(first + second, together)
        parts = BM25Index(scheme, analyzer=None).fit(first, first_ids).add(second, second_ids)

        assert_same_index(parts, whole)


@pytest.mark.promise(4)
@given(collections(), collections(max_docs=4), st.data(), SCHEMES)
def test_removing_equals_never_having_had(kept, gone, data, scheme):
    """Documents that were added anywhere and removed leave nothing behind: no count, term, id or bit."""
    mixed = [(tokens, f"k{place}") for place, tokens in enumerate(kept)]
    for place, tokens in enumerate(gone):
        mixed.insert(data.draw(st.integers(0, len(mixed))), (tokens, f"g{place}"))
    index = BM25Index(scheme, analyzer=None).fit([tokens for tokens, _ in mixed], [name for _, name in mixed])
    index.scores(["a"])  # weights of the larger collection are made, and must not stay
    index.remove(names(gone, "g"))

    assert_same_index(index, BM25Index(scheme, analyzer=None).fit(kept, names(kept, "k")))


@pytest.mark.promise(4)
@given(collections(min_docs=1), st.data())
def test_replacing_equals_fitting_the_new_content(documents, data):
    """Replaced documents keep ids and positions; everything else is as if they had always been so."""
    places = data.draw(st.lists(st.integers(0, len(documents) - 1), unique=True))
    new = data.draw(collections(min_docs=len(places), max_docs=len(places)))
    edited = documents.copy()
    for place, tokens in zip(places, new, strict=True):
        edited[place] = tokens
    index = BM25Index(analyzer=None).fit(documents).replace(new, places)

    assert_same_index(index, BM25Index(analyzer=None).fit(edited))


@pytest.mark.promise(4)
@given(field_collections(), field_collections(max_docs=3))
def test_history_does_not_matter_with_fields(first, second):
    """Adding, removing and replacing mappings with metadata equals fitting what is left."""
    both = [{"title": ["a"], "body": ["b"], "year": 1}]
    first = [{**document, "year": place} for place, document in enumerate(both + first)]
    settings = {"fields": {"title": 2.0, "body": 1.0}, "analyzer": None}
    index = BM25Index(**settings).fit(first).add([{**both[0]}, *second])
    index.remove(range(len(first), len(first) + 1 + len(second)))
    assert_same_index(index, BM25Index(**settings).fit(first))

    index.replace([{"title": ["z"], "body": ["a", "a"], "year": 9}], [0])
    edited = [{"title": ["z"], "body": ["a", "a"], "year": 9}, *first[1:]]
    assert_same_index(index, BM25Index(**settings).fit(edited))


@pytest.mark.promise(5)
@given(st.lists(collections(max_docs=5), min_size=1, max_size=4), queries(), SCHEMES, st.integers(1, 6))
def test_partitions_equal_one_machine(parts, query, scheme, k):
    """Parts that are weighed with the sum of their statistics merge to the hits of one index, bit for bit."""
    whole = BM25Index(scheme, analyzer=None).fit([tokens for part in parts for tokens in part])
    indexes = [BM25Index(scheme, analyzer=None).fit(part) for part in parts]
    total = indexes[0].statistics
    for index in indexes[1:]:
        total = total + index.statistics
    merged = []
    start = 0
    for index, part in zip(indexes, parts, strict=True):
        shared = index.with_statistics(total)
        assert shared.scores(query).tobytes() == whole.scores(query)[start : start + len(part)].tobytes()
        merged += [(-hit.score, start + hit.doc_ord) for hit in shared.search(query, k)]
        start += len(part)
    expected = whole.search(query, k)

    assert sorted(merged)[:k] == [(-hit.score, hit.doc_ord) for hit in expected]


@given(collections(min_docs=1))
def test_automatic_ids_count_on_from_the_largest(documents):
    """Without ids new documents continue after the largest id, and no id is given twice at a time."""
    index = BM25Index(analyzer=None).fit(documents)
    if len(documents) > 1:
        index.remove([0])
    index.add([["a"], ["b"]])

    assert list(index.doc_ids)[-2:] == [len(documents), len(documents) + 1]
    assert len(set(index.doc_ids)) == len(index)


def test_ids_of_ones_own_must_be_given_again():
    """An index with own ids refuses new documents without, and known ids."""
    index = BM25Index().fit(["red"], ["x"])
    with pytest.raises(ValueError, match="ids must be given"):
        index.add(["blue"])
    with pytest.raises(ValueError, match=r"ids must be new, got 'x'.*use replace"):
        index.add(["blue"], ["x"])
    with pytest.raises(UnknownIds, match="not in the index of 1 documents: 'y'"):
        index.replace(["blue"], ["y"])

    assert index.search("red").doc_ids == ["x"]
    assert len(index.search("blue")) == 0


@pytest.mark.promise(9)
def test_a_failing_update_changes_nothing():
    """Whatever fails in the middle of a write, the index is the one before it, and still works."""

    def breaking(text):
        if text == "boom":
            raise RuntimeError("analyzer broke")
        return text.split()

    index = BM25Index(analyzer=breaking).fit(["red kite", "red pot"])
    before = copy.deepcopy(index)
    for attempt in (
        lambda: index.add(["new", "boom", "more"]),
        lambda: index.fit(["new", "boom"]),
        lambda: index.add(["one", 2]),
        lambda: index.add(["one"], ids=["a", "b"]),
        lambda: index.replace(["new", "boom"], [0, 1]),
        lambda: index.remove([0, 99]),
        lambda: index.fit(["new"], metadata=[7]),
    ):
        with pytest.raises((RuntimeError, TypeError, ValueError, KeyError)):
            attempt()
        assert_same_index(index, before)
    assert index.add(["blue kite"]).search("blue").doc_ids == [2]


@pytest.mark.promise(10)
def test_readers_see_one_state_at_a_time():
    """While a writer swaps collections, every run belongs to exactly one of them."""
    small = ["red kite"]
    large = ["red kite", "red pot", "red mug"]
    index = BM25Index().fit(small)
    answers = [BM25Index().fit(documents).search_many(["red", "red"]) for documents in (small, large)]
    stop = threading.Event()
    seen, errors = set(), []

    def read():
        while not stop.is_set():
            run = index.search_many(["red", "red"])
            try:
                assert_same_run(run, answers[len(run[0]) != 1])
                seen.add(len(run[0]))
            except AssertionError as error:
                errors.append(error)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for turn in range(200):
        index.fit(large if turn % 2 else small)
    stop.set()
    for reader in readers:
        reader.join()

    assert not errors
    assert seen <= {1, 3}


@pytest.mark.promise(10)
def test_writers_wait_for_each_other():
    """Documents that several threads add at once are all there."""
    index = BM25Index()
    index.fit(["seed"], ["seed"])

    def write(name):
        for place in range(10):
            index.add([f"word {name}"], [f"{name}{place}"])

    writers = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    assert len(index) == 41
    assert len(index.search("word", k=100)) == 40


def test_removed_and_borrowed():
    """An index that weighs with foreign statistics is read-only, and foreign must fit."""
    index = BM25Index().fit(["red kite"])
    shared = index.with_statistics(index.statistics)
    for write in (lambda: shared.add(["x"]), lambda: shared.remove([0]), lambda: shared.replace(["x"], [0])):
        with pytest.raises(ValueError, match="statistics of a larger collection"):
            write()
    with pytest.raises(ValueError, match="statistics lack the term 'kite'"):
        index.with_statistics(BM25Index().fit(["red"]).statistics)
    with pytest.raises(ValueError, match="got a document frequency"):
        BM25Index().fit(["red", "red"]).with_statistics(BM25Index().fit(["red"]).statistics)
    with pytest.raises(TypeError, match="statistics must be Statistics, got 3"):
        index.with_statistics(3)
