"""The door of Numba: how functions are compiled, and the small ones that all others need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np

from sparsebm25.protocols import Ints

Function = TypeVar("Function", bound=Callable[..., Any])
Number = Any
"""
A NumPy scalar: its width matters here, and names it better than a type checker can.

Numba keeps a function on disk under the names of its arguments' types, but
names records by numbers, which every process gives anew: what two processes
kept for float32 and for float64 can have one name. So each function of
candidates takes something else that tells the two apart, if only a number of
that type called `kind`; terms have one type of record for both.
"""

Record = Any
Records = Any
"""One record of `layouts.term_type` or `layouts.candidate_type`, and an array of them."""


def compiled(function: Function) -> Function:
    """
    Return a function that is compiled at its first call, and runs outside the interpreter's lock.

    Parameters
    ----------
    function : callable
        Written in the part of Python that Numba knows.

    Returns
    -------
    callable
        What it compiles to is kept on disk for the next process, where a
        folder can be written for that.
    """
    try:
        return cast("Function", numba.njit(nogil=True, cache=True)(function))
    except RuntimeError:  # "no locator available": neither beside the file nor in the user's cache
        return cast("Function", numba.njit(nogil=True)(function))


@compiled
def places(low: int, high: int) -> Any:
    """Return range(low, high) for indices: unsigned, so that none is looked at for being negative."""
    return range(np.uint64(low), np.uint64(high))


@compiled
def lower_bound(docs: Ints, low: int, high: int, doc: int) -> int:
    """Return the first place in docs[low:high] that is not before `doc`."""
    while low < high:
        middle = (low + high) >> 1
        if docs[np.uint64(middle)] < doc:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def ones(word: Number) -> Number:
    """Return the number of set bits of a word."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))
