"""Token tables: equal tokens, and only these, have equal ordinals; all at once as one by one."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsebm25 import _token_table
from sparsebm25._token_table import Spans, TokenTable

LETTERS = ("a", "b", "\0", "\n", " ", "é", "я", "数", "𝕏", "\ud800", "\udc00")
"""Of one to four bytes, with separators, terminators and halves of a character."""


def tokens():
    """Return tokens around the lengths at which they are stored in another way: 8 and 15 bytes."""
    edges = [
        letter * n for letter in ("a", "\0", "я", "\ud800") for n in (0, 1, 2, 4, 5, 7, 8, 9, 15, 16, 17)
    ]
    return st.sampled_from(edges) | st.text(st.sampled_from(LETTERS), max_size=18)


def batches():
    """Return lists of tokens that come one after the other; many come again."""
    pools = st.lists(tokens(), min_size=1, max_size=12)
    return pools.flatmap(lambda pool: st.lists(st.lists(st.sampled_from(pool), max_size=20), max_size=5))


WAYS = ("arrays", "crowded arrays", "dictionary", "in turn")


@contextmanager
def table_made(way):
    """Give what makes tables that work in one way: by arrays also with the worst of all hash functions."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_token_table, "FEW", {"dictionary": 10**9, "in turn": 5}.get(way, 0))
        if way == "crowded arrays":
            patch.setattr(TokenTable, "_hash", lambda self, keys: np.zeros(keys.shape[1], np.int64))
        yield TokenTable


@pytest.mark.parametrize("way", WAYS)
@given(batches=batches())
def test_ordinals_stand_for_their_tokens(way, batches):
    """Every token is found again by its ordinal; tables that work in one way have one ordinal a token."""
    with table_made(way) as make:
        table = make()
        ords = [table.ordinals(batch) for batch in batches]
        texts, places = table.tokens()

    assert [[texts[places[ord_]] for ord_ in batch] for batch in ords] == batches
    assert set(texts) == {token for batch in batches for token in batch}
    assert sorted(places.tolist()) == list(range(len(texts)))
    assert way == "in turn" or len(texts) == len(set(texts))


@pytest.mark.parametrize("way", WAYS)
@given(batches=batches())
def test_tokens_come_in_two_sorted_runs(way, batches):
    """Tokens rise by their text but for one place, so that sorting them takes linear time."""
    with table_made(way) as make:
        table = make()
        for batch in batches:
            table.ordinals(batch)
        texts, _ = table.tokens()

    assert sum(one > other for one, other in pairwise(texts)) <= 1


@pytest.mark.parametrize("way", WAYS)
@given(ours=batches(), theirs=batches())
def test_a_table_takes_in_another(way, ours, theirs):
    """Tokens of another table have an ordinal in this one, and its own keep theirs."""
    with table_made(way) as make:
        table, other = make(), make()
        own = [table.ordinals(batch) for batch in ours]
        ords = [other.ordinals(batch) for batch in theirs]
        here = table.absorb(other.contents())
        texts, places = table.tokens()

    assert [[texts[places[ord_]] for ord_ in batch] for batch in own] == ours
    assert [[texts[places[here[ord_]]] for ord_ in batch] for batch in ords] == theirs
    assert set(texts) == {token for batch in (*ours, *theirs) for token in batch}


def test_many_tokens_at_once():
    """A table that grows by far more than it holds keeps all of them."""
    words = [f"w{number}" for number in range(20_000)]
    table = TokenTable()
    first = table.ordinals(words[:5_000])
    ords = table.ordinals(words + words[::-1])

    assert np.array_equal(ords[:5_000], first)
    assert np.array_equal(ords[:20_000], ords[20_000:][::-1])
    assert np.unique(ords).size == 20_000


@given(st.lists(tokens()))
def test_spans_are_their_tokens(tokens):
    """Tokens in one block are read as they were written, whatever characters they hold."""
    assert Spans.of(tokens).texts() == tokens


@pytest.mark.parametrize("way", ["arrays", "dictionary"])
@pytest.mark.parametrize("wrong", [3, None, b"a", ["a"], float("nan")])
def test_what_is_no_str_is_no_token(way, wrong):
    """Neither way takes anything else for a token."""
    with table_made(way) as make, pytest.raises(TypeError):
        make().ordinals(["a", wrong])
