"""Terms and their ordinals; strings as arrays."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsebm25 import vocabulary
from sparsebm25.string_table import StringTable
from sparsebm25.vocabulary import Vocabulary

TEXTS = st.text(st.characters(), max_size=6)  # all characters, lone surrogates included


@given(st.lists(TEXTS))
def test_a_table_is_its_strings(strings):
    """A table of strings reads as the list it was made of."""
    table = StringTable.of(strings)

    assert list(table) == strings
    assert [table[place] for place in range(-len(strings), len(strings))] == strings * 2
    assert table[1:3] == strings[1:3]
    assert table == StringTable.of(strings)
    assert pickle.loads(pickle.dumps(table)) == table
    with pytest.raises(IndexError):
        table[len(strings)]


@given(st.sets(TEXTS), TEXTS)
def test_both_kinds_of_vocabulary_agree(terms, other):
    """A vocabulary in memory and one over a table give the same ordinals."""
    listed = Vocabulary.of(terms)
    tabled = Vocabulary(StringTable.of(listed.terms))

    assert list(tabled) == sorted(terms)
    for term in (*terms, other, other + "x", other[:1]):
        assert listed.get(term) == tabled.get(term)
        assert (listed.get(term) is not None) == (term in terms) == (term in listed)
        assert listed.starting_with(term) == tabled.starting_with(term)
        assert {listed[place] for place in listed.starting_with(term)} == {
            t for t in terms if t.startswith(term)
        }
    assert listed == tabled
    assert pickle.loads(pickle.dumps(tabled)) == listed


@given(st.sets(TEXTS), st.sets(TEXTS))
def test_union_and_ordinals(left, right):
    """The union holds both, sorted, and tells where the terms of each stand."""
    one, other = Vocabulary.of(left), Vocabulary.of(right)
    both = one.union(other)

    assert list(both) == sorted(left | right)
    assert [both[place] for place in both.ords_of(other).tolist()] == list(other)
    assert (one.ords_of(other) >= 0).tolist() == [term in left for term in other]
    assert list(both.take(both.ords_of(one))) == list(one)


def test_column_numbers_as_terms():
    """Bare columns are terms by their number, and nothing else is."""
    columns = Vocabulary(range(3))

    assert columns.numbered
    assert [columns.get(term) for term in (0, np.int64(2), 3, -1, "0", 1.0)] == [0, 2, None, None, None, None]
    assert list(columns.union(Vocabulary(range(5)))) == [0, 1, 2, 3, 4]
    assert columns.union(Vocabulary(range(2))) is columns
    with pytest.raises(TypeError, match="column numbers"):
        columns.starting_with("1")


@pytest.mark.parametrize("other", [None, 3, 1.5, ("a",)])
def test_what_is_no_text_is_no_term(other):
    """Looking up something else than text finds nothing."""
    assert Vocabulary.of(["a"]).get(other) is None


def test_a_table_remembers_few_answers(monkeypatch):
    """What is remembered of a table is bounded, and answers stay right when it is forgotten."""
    monkeypatch.setattr(vocabulary, "_MEMO_SIZE", 2)
    table = Vocabulary(StringTable.of(["a", "b", "c"]))

    for term in ["a", "x", "b", "c", "a", "y", "b", "x"] * 2:
        assert table.get(term) == {"a": 0, "b": 1, "c": 2}.get(term)
        assert len(table._ords) <= 2
