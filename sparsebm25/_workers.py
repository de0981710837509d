"""Documents become numbers in several processes: in order, and with few documents in flight."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from sparsebm25._checks import shown
from sparsebm25._numbering import CHUNK_CHARACTERS, Document, Numbering, Piece, Reading, chunks_of
from sparsebm25.protocols import TextAnalyzer

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

T = TypeVar("T")
_Work: TypeAlias = Callable[[Reading, tuple[str, ...], list[Any]], T]

WORKER_CHARACTERS = 2**22
"""Characters that are sent to a process at a time: many, because each token comes back once a time."""

WORKER_TOKENS = 2**13
"""Distinct tokens whose terms a process is asked for at a time."""


class _NotLoaded(Exception):
    """Says why another process cannot load the analyzer."""


class Workers:
    """Processes that read with one analyzer; they start when there is enough to do."""

    def __init__(self, analyzer: TextAnalyzer | None, fields: tuple[str, ...], n_jobs: int) -> None:
        self._analyzer = analyzer
        self._fields = fields
        self._n_jobs = n_jobs
        self._pool: ProcessPoolExecutor | None = None
        try:
            self._pickled = pickle.dumps(analyzer)
        except Exception as error:
            raise self._refusal(error) from error

    def close(self) -> None:
        """Stop; what is not finished is given up."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def pieces(self, documents: Iterable[Document]) -> Iterator[Piece]:
        """Yield the numbers of consecutive chunks of documents."""
        chunks = chunks_of(documents, WORKER_CHARACTERS)
        first = list(islice(chunks, 2))
        if len(first) == 2:  # one chunk is done before a process has started
            from concurrent.futures import ProcessPoolExecutor  # takes long to load

            self._pool = ProcessPoolExecutor(self._n_jobs)
        return self._all(_piece, (_sent(chunk, self._fields) for chunk in chain(first, chunks)))

    def terms(self, tokens: list[str]) -> list[str | None]:
        """Return the term of each raw token, None where it is dropped."""
        slices = (tokens[start : start + WORKER_TOKENS] for start in range(0, len(tokens), WORKER_TOKENS))
        return [*chain.from_iterable(self._all(_terms, slices))]

    def _all(self, function: _Work[T], parts: Iterable[list[Any]]) -> Iterator[T]:
        """Yield what a function returns for each part, in order; a process has at most two parts to do."""
        waiting: deque[tuple[Future[T | None] | None, list[Any]]] = deque()
        for part in parts:
            if len(waiting) == 2 * self._n_jobs:
                yield self._result(function, *waiting.popleft())
            waiting.append((self._submitted(function, part), part))
        while waiting:
            yield self._result(function, *waiting.popleft())

    def _submitted(self, function: _Work[T], part: list[Any]) -> Future[T | None] | None:
        """Return the task of another process, None where there is none."""
        if self._pool is None:
            return None
        return self._pool.submit(_elsewhere, function, self._pickled, self._fields, part)

    def _result(self, function: _Work[T], task: Future[T | None] | None, part: list[Any]) -> T:
        """Return what a function returns for a part."""
        result = None if task is None else self._awaited(task)
        # What fails there fails here as well, with its own error, which need not be one that can be sent.
        return function(Reading(self._analyzer), self._fields, part) if result is None else result

    def _awaited(self, task: Future[T | None]) -> T | None:
        """Return the result of a task, None where there is none to have."""
        from concurrent.futures import BrokenExecutor

        try:
            return task.result()
        except BrokenExecutor:
            raise
        except _NotLoaded as error:
            raise self._refusal(error) from None
        except Exception:  # the part cannot be sent
            return None

    def _refusal(self, reason: Exception) -> TypeError:
        """Return the error where other processes cannot have the analyzer."""
        return TypeError(
            f"analyzer must be one that can be pickled for n_jobs={self._n_jobs}, such as a function of a "
            f"module, got {shown(self._analyzer)}: {reason}"
        )


def _piece(reading: Reading, fields: tuple[str, ...], documents: list[Document]) -> Piece:
    """Return the numbers of some documents."""
    numbering = Numbering(reading, fields, reading.terms)
    for chunk in chunks_of(documents, CHUNK_CHARACTERS):
        numbering.read(chunk)
    return numbering.piece()


def _terms(reading: Reading, fields: tuple[str, ...], tokens: list[str]) -> list[str | None]:
    """Return the terms of some tokens."""
    return reading.terms(tokens)


def _elsewhere(function: _Work[T], pickled: bytes, fields: tuple[str, ...], part: list[Any]) -> T | None:
    """Return what a function returns for a part, None where it fails; runs in a process of its own."""
    try:
        reading = _reading(pickled)
    except Exception as error:
        raise _NotLoaded(f"{type(error).__name__}: {error}") from None
    try:
        return function(reading, fields, part)
    except Exception:
        return None


@lru_cache(maxsize=1)
def _reading(pickled: bytes) -> Reading:
    """Return how an analyzer reads; kept for the next part."""
    return Reading(pickle.loads(pickled))


def _sent(documents: list[Document], fields: tuple[str, ...]) -> list[Any]:
    """Return what of documents is read: mappings may hold more than the fields."""
    if not fields:
        return documents
    return [
        {name: document[name] for name in fields if name in document}
        if isinstance(document, Mapping)
        else document
        for document in documents
    ]
