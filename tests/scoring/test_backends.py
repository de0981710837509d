"""Every backend gives the hits of the exact path, bit for bit, whatever it passes over."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager

import numpy as np
import pytest
from equality import assert_same_array, assert_same_hits
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from sparsebm25 import BM25Index
from sparsebm25.errors import MissingExtra
from sparsebm25.scoring import available, backend_named, backends, batch, bounds
from sparsebm25.scoring.batch import Restriction

N_TERMS = 10
SIZES = (1, 2, 63, 64, 65, 1000, 8191, 8192, 8193, 20_000, 40_000)
"""Numbers of documents around words, blocks and ranges of documents."""

RANGE_BITS = st.sampled_from((6, 10, 13, bounds.RANGE_BITS))
"""Ranges of 64 documents up to those of the library: small ones make many of a few documents."""

CUTOFFS = (1, 9, 10, 11, 16, 17, 99, 100, 101, 511, 512, 999, 1000, 1001, 5000, 50_000)
SCHEMES = ("lucene", "atire", "robertson", "okapi", "bm25l", "bm25+", "tfidf")


@st.composite
def indexes(draw, schemes=SCHEMES):
    """Return indexes of generated counts: few distinct counts and lengths, so that ties are everywhere."""
    n_docs = draw(st.sampled_from(SIZES))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rates = draw(
        st.lists(st.sampled_from((0.0001, 0.001, 0.02, 0.2, 0.6, 1.0)), min_size=N_TERMS, max_size=N_TERMS)
    )
    most = draw(st.sampled_from((1, 2, 30)))
    columns = []
    for rate in rates:
        docs = np.flatnonzero(rng.random(n_docs) < rate)
        columns.append((docs, rng.integers(1, most, docs.size, endpoint=True)))
    indptr = np.concatenate(([0], np.cumsum([docs.size for docs, _ in columns])))
    counts = csr_array(
        (np.concatenate([tf for _, tf in columns]), np.concatenate([docs for docs, _ in columns]), indptr),
        shape=(N_TERMS, n_docs),
    ).T.tocsr()
    scheme, dtype = draw(st.sampled_from(schemes)), draw(st.sampled_from(("float32", "float64")))
    return BM25Index(scheme, b=draw(st.sampled_from((0.0, 0.75))), dtype=dtype).fit(counts)


WEIGHTS = st.sampled_from((1.0, 1.0, 2.0, 0.3, 7.7))
QUERIES = st.lists(st.dictionaries(st.integers(0, N_TERMS - 1), WEIGHTS, max_size=6), min_size=1, max_size=4)


def expected_hits(index, query, k, restriction=None):
    """Return ordinals and scores by looking at every document: score them all, sort them all, cut."""
    scores = index.scores(query)
    restriction = restriction or Restriction()
    holds = np.zeros(scores.size, np.bool_)
    for term_ord in query:
        holds[index.postings[[term_ord]].indices] = True
    if restriction.allowed is not None:
        holds &= restriction.allowed
    if restriction.boosts is not None:
        scores = scores * restriction.boosts
    doc_ords = np.flatnonzero(holds)
    best = doc_ords[np.lexsort((doc_ords, -scores[doc_ords]))][:k]
    return best, scores[best]


@contextmanager
def ranges(bits):
    """Bounds that are made meanwhile are of ranges of ``2**bits`` documents."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounds, "RANGE_BITS", bits)
        yield


def restrictions(draw, index):
    """Return a filter and boosts, or neither."""
    n_docs = index.postings.shape[1]
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rate = draw(st.sampled_from((None, None, 0.001, 0.5)))
    boosted = draw(st.sampled_from((False, False, True)))
    return Restriction(
        None if rate is None else rng.random(n_docs) < rate,
        rng.choice(np.array((0.5, 1.0, 3.0), index.postings.dtype), n_docs) if boosted else None,
    )


@pytest.mark.promise(3)
@given(st.data(), RANGE_BITS)
def test_backends_equal_scoring_everything(backend, data, bits):
    """Hits are those of a full sort of all scores: any cutoff, filter, boost, scheme and size of ranges."""
    index = data.draw(indexes())
    restriction = restrictions(data.draw, index)
    queries, k = data.draw(QUERIES), data.draw(st.sampled_from(CUTOFFS))
    snapshot = index._snapshot
    terms = snapshot.reader.read_many(queries)
    with ranges(bits):
        rankings = backend_named(backend).search_batch(snapshot.weights, terms, k, restriction)

    for query, (doc_ords, scores) in zip(queries, rankings, strict=True):
        best, best_scores = expected_hits(index, query, k, restriction)
        assert doc_ords.tolist() == best.tolist()
        assert_same_array(scores, best_scores)


@pytest.mark.promise(3)
@given(st.data(), st.integers(2, 3), RANGE_BITS)
def test_threads_change_no_bit(backend, data, n_jobs, bits):
    """Several threads that share one index find what a look at every document finds."""
    index = data.draw(indexes()).with_params(backend=backend)
    queries, k = data.draw(QUERIES), data.draw(st.sampled_from(CUTOFFS))
    with ranges(bits):
        run = index.search_many(queries, k, n_jobs=n_jobs)

    for query_id, query in enumerate(queries):
        best, best_scores = expected_hits(index, query, k)
        assert run[query_id].doc_ords.tolist() == best.tolist()
        assert_same_array(run[query_id].scores, best_scores)


@pytest.mark.promise(3)
@given(st.data(), st.sampled_from((1, 10**9)), st.sampled_from((0, 1, 10**9)), RANGE_BITS)
def test_tables_change_no_bit(data, min_postings, common, bits):
    """Hits do not depend on which terms have a row in which table."""
    if "numba" not in available():
        pytest.skip("needs the extra 'fast' (Numba)")
    index = data.draw(indexes(("lucene", "bm25+")))
    query, k = data.draw(QUERIES)[0], data.draw(st.sampled_from(CUTOFFS))
    with ranges(bits), pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounds, "MIN_POSTINGS", min_postings)
        patch.setattr(bounds, "POSTINGS_PER_RANGE", 0)
        patch.setattr(bounds, "COMMON", common)
        hits = index.with_params(backend="numba", k1=1.3).search(query, k)

    assert_same_hits(hits, index.with_params(backend="scipy", k1=1.3).search(query, k))


@pytest.mark.promise(3)
@given(indexes(("lucene", "robertson", "bm25+")), RANGE_BITS)
def test_bounds_hold_for_every_posting(index, bits):
    """Bounds, starts, weights at depths and bits are those that a look at each posting finds."""
    postings = index.postings
    with ranges(bits), pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounds, "MIN_POSTINGS", 1)
        made = bounds.bounds_of(index._snapshot.weights)
        edges = bounds.range_edges(postings.shape[1])
    row_of = {term_ord: row for row, term_ord in enumerate(made.frequent.tolist())}

    for term_ord in range(postings.shape[0]):
        own = slice(postings.indptr[term_ord], postings.indptr[term_ord + 1])
        docs, values = postings.indices[own], postings.data[own]
        assert made.max_weights[term_ord] == values.max(initial=0) or (values < 0).all()
        if (row := row_of.get(term_ord)) is None:
            continue
        assert [own.start + int((docs < edge).sum()) for edge in edges] == made.starts[row].tolist()
        for depth, weight in zip(bounds.DEPTHS, made.kth_weights[row], strict=True):
            assert weight == (np.sort(values)[-depth] if depth <= values.size else 0)
        if (place := made.common[row]) >= 0:
            bits = np.unpackbits(made.presence[place].astype("<u8").view(np.uint8), bitorder="little")
            assert np.flatnonzero(bits).tolist() == docs.tolist()
            for word in range(made.earlier.shape[1]):
                first = word * bounds.WORD // made.range_size * made.range_size
                before = ((docs >= first) & (docs < word * bounds.WORD)).sum()
                assert made.earlier[place, word] == before


@pytest.mark.promise(1)
def test_ties_at_the_cutoff_fall_to_the_first_documents(backend):
    """Of many equal scores the first documents survive, over all ranges of documents."""
    index = BM25Index(analyzer=None, backend=backend).fit([["a"]] * 20_000 + [["a", "a"]] + [["a"]] * 20_000)

    with ranges(10):
        index.search_many([["a"]])
    for k in (1, 2, 10, 100, 1000, 30_000):
        expected = [20_000, *range(20_000), *range(20_001, 40_001)]
        assert index.search(["a"], k).doc_ords.tolist() == expected[:k]


def test_backends_that_can_be_asked_for_are_there():
    """SciPy's is always there; "auto" always works."""
    assert backend_named("scipy").name == "scipy"
    assert set(available()) <= {"scipy", "numba"}
    assert len(BM25Index(backend="auto").fit(["red kite"]).search("kite")) == 1


def test_auto_compiles_once_it_pays(monkeypatch):
    """Queries are counted times documents; a batch is counted whole, and other weights anew."""
    monkeypatch.setattr(backends, "MIN_SCANNED", 3000)
    index = BM25Index(analyzer=None).fit([["a"]] * 1000)
    weights, auto = index._snapshot.weights, backend_named("auto")
    compiled = "numba" in available()

    assert [auto.ready(weights, 1) is batch.search_batch for _ in range(4)] == [
        True,
        True,
        *[not compiled] * 2,
    ]
    assert (auto.ready(index.with_params(k1=1.0)._snapshot.weights, 2)) is batch.search_batch
    assert (auto.ready(index.with_params(k1=1.1)._snapshot.weights, 3) is batch.search_batch) != compiled


def test_without_numba_the_extra_is_named():
    """Where Numba is missing, asking for it names the install line, and "auto" still works."""
    program = """
import sys
sys.modules["numba"] = None
from sparsebm25 import BM25Index, errors
from sparsebm25.scoring import available
assert available() == ("scipy",), available()
try:
    BM25Index(backend="numba")
except errors.MissingExtra as error:
    print(error)
assert len(BM25Index(backend="auto").fit(["red kite"]).search("kite")) == 1
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert "pip install 'sparsebm25[fast]'" in done.stdout
    assert issubclass(MissingExtra, ImportError)


def test_compiled_code_needs_no_folder_to_write_to(tmp_path):
    """Where no cache can be kept, functions are compiled for the process alone."""
    if "numba" not in available():
        pytest.skip("needs the extra 'fast' (Numba)")
    program = """
import numba, numpy

real = numba.njit
def without_cache(*functions, **options):
    if options.pop("cache", False):
        raise RuntimeError("cannot cache function: no locator available for file")
    return real(*functions, **options)

numba.njit = without_cache
from sparsebm25.scoring import _numba
print(_numba.ones(numpy.uint64(7)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "3"
