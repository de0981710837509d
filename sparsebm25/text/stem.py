"""Which words count as forms of one word? The Snowball stemmers, by language."""

from __future__ import annotations

import threading
from functools import cache, lru_cache

from sparsebm25.protocols import Stemmer

__all__ = ["SNOWBALL_LANGUAGES"]

# Written down, because asking snowballstemmer costs its import.
SNOWBALL_LANGUAGES = (
    *("arabic", "armenian", "basque", "catalan", "czech", "danish", "dutch", "dutch_porter", "english"),
    *("esperanto", "estonian", "finnish", "french", "german", "greek", "hindi", "hungarian", "indonesian"),
    *("irish", "italian", "lithuanian", "nepali", "norwegian", "persian", "polish", "porter", "portuguese"),
    *("romanian", "russian", "serbian", "sesotho", "spanish", "swedish", "tamil", "turkish", "yiddish"),
)

_REMEMBERED = 1 << 16  # stems per language: the everyday words of a stream of queries


class _PerThread(threading.local):
    """A Snowball stemmer for each thread: it holds the word that it works on."""

    def __init__(self, language: str) -> None:
        import snowballstemmer

        self.stem: Stemmer = snowballstemmer.stemmer(language).stemWord


@cache
def snowball(language: str) -> Stemmer:
    """Return the stemmer of a Snowball language, the same one for the whole process."""
    local = _PerThread(language)

    @lru_cache(maxsize=_REMEMBERED)
    def stem(token: str) -> str:
        try:
            return local.stem(token)
        except (
            UnicodeEncodeError
        ):  # a lone surrogate, which PyStemmer (used where it is installed) cannot hold
            return token

    return stem


def stem_snowball(token: str, *, language: str) -> str:
    """Return the stem of a token; snowballstemmer is loaded at the first one."""
    return snowball(language)(token)
