"""Which words do all engines get? Lower-case runs of two or more ASCII letters and digits, no stop words."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from sparsebm25 import BM25Index
from sparsebm25.text.stopwords import STOPWORDS
from sparsebm25.vocabulary import Vocabulary

from .options import Options

TOKEN = re.compile(r"[a-z0-9]{2,}")

Tokens = list[list[str]]


def tokens_of(text: str, dropped: frozenset[str] = STOPWORDS["lucene"]) -> list[str]:
    """Return the tokens of a text, without those of Lucene's 33 English stop words or of another set."""
    return [token for token in TOKEN.findall(text.lower()) if token not in dropped]


def _dropped(options: Options) -> frozenset[str]:
    """Return the words that nobody gets."""
    return frozenset() if options.keep_stopwords else STOPWORDS["lucene"]


def read_texts(options: Options, collection: str) -> Iterator[str]:
    """Yield title and text of each document that has a token; engines differ in what an empty one is."""
    path = options.shared_data / collection / "corpus.jsonl.gz"
    dropped = _dropped(options)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        documents = (f"{row['title']} {row['text']}" for row in map(json.loads, lines))
        yield from islice((text for text in documents if tokens_of(text, dropped)), options.n_documents)


def read_tokens(options: Options, collection: str) -> Tokens:
    """Return the documents of a collection as token lists."""
    dropped = _dropped(options)
    return [tokens_of(text, dropped) for text in read_texts(options, collection)]


def read_queries(options: Options, name: str) -> Tokens:
    """Return a set of queries as token lists: as many as asked for, spread evenly over all there are."""
    own = options.shared_data / name / "queries.jsonl.gz"
    path = own if own.exists() else options.shared_data / f"{name}.jsonl.gz"
    dropped = _dropped(options)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        queries = [tokens_of(json.loads(line)["text"], dropped) for line in lines]
    return spread(queries, options.n_queries)


def spread(rows: Tokens, wanted: int) -> Tokens:
    """Return so many rows, evenly spread over all; all of them if there are no more."""
    if wanted >= len(rows):
        return rows
    return [rows[place * len(rows) // wanted] for place in range(wanted)]


def with_known_terms(queries: Tokens, vocabulary: Vocabulary) -> Tokens:
    """Return the queries that have a term of the collection; for others there is nothing to compare."""
    return [query for query in queries if any(vocabulary.get(token) is not None for token in query)]


def indexed(tokens: Tokens) -> BM25Index:
    """Return the index of token lists that the other engines are compared with."""
    return BM25Index(analyzer=None, backend="scipy").fit(tokens)


def write_tokens(path: Path, documents: Iterable[list[str]]) -> None:
    """Write token lists, one document a line, for processes that shall not spend time on reading."""
    with path.open("w", encoding="ascii") as file:
        file.writelines(" ".join(tokens) + "\n" for tokens in documents)


def written_tokens(path: str | Path) -> Tokens:
    """Return the token lists of such a file."""
    with Path(path).open(encoding="ascii") as file:
        return [line.split() for line in file]


def write_texts(path: Path, documents: Iterable[str]) -> None:
    """Write texts, one JSON string a line."""
    with path.open("w", encoding="ascii") as file:
        file.writelines(json.dumps(text) + "\n" for text in documents)


def written_texts(path: str | Path) -> list[str]:
    """Return the texts of such a file."""
    with Path(path).open(encoding="ascii") as file:
        return [json.loads(line) for line in file]
