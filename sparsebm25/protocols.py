"""The types that cross borders between floors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.floating[Any]]
Ints: TypeAlias = NDArray[np.integer[Any]]
Bools: TypeAlias = NDArray[np.bool_]

DocId: TypeAlias = str | int
"""The caller's name for a document, kept verbatim: the text ``"7"`` and the number 7 differ."""

Tokenizer: TypeAlias = Callable[[str], list[str]]
Stemmer: TypeAlias = Callable[[str], str]


class TextAnalyzer(Protocol):
    """Anything that turns a text into its tokens."""

    def __call__(self, text: str, /) -> list[str]:
        """Return the tokens of `text`, in order."""
        ...
