"""Parts of words over a vocabulary, the best of several matches, and the order by several keys."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsebm25.counting import count_documents
from sparsebm25.scoring.partial import (
    agreeing_places,
    best_fields,
    best_matches,
    order_by,
    terms_holding,
)
from sparsebm25.string_table import StringTable

ALPHABET = "ab\u00e9\u00e8數据\U0001d54f\ud800"
"""Characters of one to four bytes, two of which share a byte, and a lone surrogate."""

TEXTS = st.text(ALPHABET, max_size=5)


@given(st.lists(TEXTS, max_size=12), TEXTS)
def test_parts_are_found_as_python_finds_them(terms, part):
    """The terms that hold a part are those for which Python says `part in term`."""
    expected = [place for place, term in enumerate(terms) if part in term]

    assert terms_holding(StringTable.of(terms), part).tolist() == expected


def test_a_part_does_not_span_two_terms():
    """The end of a term and the beginning of the next one are not read as one."""
    assert terms_holding(StringTable.of(["heat", "map"]), "tm").tolist() == []


@given(st.binary(max_size=12), st.binary(min_size=1, max_size=3), st.lists(st.integers(-2, 14)))
def test_agreeing_places(blob, wanted, places):
    """Places are kept where the bytes stand, whatever was asked about outside of the block."""
    found = agreeing_places(
        np.frombuffer(blob, np.uint8), np.frombuffer(wanted, np.uint8), np.array(places, np.int64)
    )

    assert found.tolist() == [at for at in places if at >= 0 and blob[at : at + len(wanted)] == wanted]


FIELD_TOKENS = st.lists(st.sampled_from("abc"), max_size=4)
DOCUMENTS = st.lists(
    st.fixed_dictionaries({"x": FIELD_TOKENS, "y": FIELD_TOKENS, "z": FIELD_TOKENS}), max_size=6
)


@given(DOCUMENTS, st.permutations([1, 2, 5]), st.dictionaries(st.sampled_from("abc"), st.integers(1, 3)))
def test_best_matches_of_best_fields(documents, weights, strengths):
    """A document gets the largest product of strength and field weight over all fields and matched terms."""
    fields = ["x", "y", "z"]
    vocabulary, counts = count_documents(documents, None, fields)
    matched = {vocabulary.get(term): strength for term, strength in strengths.items() if term in vocabulary}
    expected = [
        max(
            (
                weight * strengths.get(token, 0)
                for field, weight in zip(fields, weights, strict=True)
                for token in document[field]
            ),
            default=0,
        )
        for document in documents
    ]

    best = best_matches(
        best_fields(counts, np.array(weights)),
        np.array(list(matched), np.int64),
        np.array(list(matched.values()), np.int64),
    )

    assert best.tolist() == expected


def test_whole_numbers_stay_whole():
    """Whole weights give whole scores, others floats."""
    _, counts = count_documents([{"x": ["a"]}], None, ["x"])

    assert best_fields(counts, np.array([2])).dtype.kind == "i"
    assert best_fields(counts, np.array([0.5])).dtype.kind == "f"


ROWS = st.lists(st.tuples(st.booleans(), st.integers(0, 2), st.sampled_from((0.0, 0.25, 1.5))), max_size=15)


@given(ROWS, st.none() | st.integers(-1, 17))
def test_order_by_several_keys(rows, k):
    """The first positions are those of a stable sort by all keys, the larger first."""
    keys = [np.array([row[key] for row in rows], kind) for key, kind in enumerate((bool, int, float))]
    expected = sorted(range(len(rows)), key=lambda place: [-value for value in rows[place]])
    expected = expected if k is None else expected[: max(k, 0)]

    assert order_by(keys, k).tolist() == expected


@pytest.mark.parametrize("k", [1, 2, 3])
def test_ties_at_the_end_keep_their_order(k):
    """Where all keys are equal, the first positions are chosen."""
    assert order_by([np.zeros(4), np.zeros(4)], k).tolist() == list(range(k))
