"""What do the options mean? Groups that several commands share, and the values they stand for."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from sparsebm25 import SCHEMES, Analyzer, BM25Index
from sparsebm25.runs import reading
from sparsebm25.text import SNOWBALL_LANGUAGES, STOPWORDS

_NO_STOPWORDS = "none"


def names(text: str) -> list[str]:
    """Return the names of ``title,text``."""
    found = [name.strip() for name in text.split(",")]
    if not all(found):
        raise argparse.ArgumentTypeError(f"must be names with commas between them, got {text!r}")
    return found


def boosts(text: str) -> dict[str, float]:
    """Return the numbers of ``title=2,text=1``; a name alone has 1."""
    found = {}
    for part in names(text):
        name, _, number = part.partition("=")
        try:
            found[name] = float(number or 1)
        except ValueError:
            raise argparse.ArgumentTypeError(f"must be like title=2,text=1, got {text!r}") from None
    return found


def add_corpus_options(parser: argparse.ArgumentParser) -> None:
    """Add what says how the corpus is read."""
    group = parser.add_argument_group("reading CORPUS")
    group.add_argument("--format", help="jsonl, tsv, csv, beir or files (default: the name tells)")
    group.add_argument(
        "--id-field", metavar="NAME", help="name of the id (default: _id, id, doc_id or docno)"
    )
    parts = group.add_mutually_exclusive_group()
    parts.add_argument(
        "--text-fields",
        type=names,
        metavar="NAMES",
        help="parts that make the text (default: title, and text, contents or body)",
    )
    parts.add_argument(
        "--fields",
        type=boosts,
        metavar="BOOSTS",
        help="parts that are kept apart and weighed (BM25F), such as title=2,text=1",
    )
    group.add_argument(
        "--skip-bad", action="store_true", help="skip malformed lines, of QUERIES too, and report them"
    )


def add_analyzer_options(parser: argparse.ArgumentParser) -> None:
    """Add what says how text becomes terms."""
    group = parser.add_argument_group("words")
    group.add_argument(
        "--language",
        help=f"stemmer of a language, with stop words for english: {', '.join(SNOWBALL_LANGUAGES)}",
    )
    group.add_argument(
        "--tokens",
        default="words",
        help=r"words (default), identifiers (names in code and their parts), "
        r"sklearn (\b\w\w+\b) or whitespace",
    )
    group.add_argument(
        "--stopwords",
        metavar="WORDS",
        help=f"words to drop: {', '.join(STOPWORDS)}, {_NO_STOPWORDS}, or a file of words",
    )
    group.add_argument("--stemmer", metavar="LANGUAGE", help="the stemmer alone")


def add_scheme_options(parser: argparse.ArgumentParser, *, kept: str | None = None) -> None:
    """Add what says how terms are weighed; `kept` says what holds where an option is left out."""
    index = BM25Index()
    group = parser.add_argument_group("weights")
    group.add_argument(
        "--scheme",
        help=f"{', '.join(SCHEMES)}, or a SMART name such as ltc.lnc (default: {kept or index.scheme})",
    )
    add_number_options(group, kept=kept)
    group.add_argument("--dtype", help=f"float32 or float64 (default: {kept or index.dtype})")


def add_number_options(group: Any, *, kept: str | None = None) -> None:
    """Add the numbers that schemes read."""
    index = BM25Index()
    options = {
        "--k1": ("saturation, at least 0", f"{index.k1:g}"),
        "--b": ("length normalization, in [0, 1]", f"{index.b:g}"),
        "--delta": ("lower bound of bm25l and bm25+", "the scheme's own"),
    }
    for option, (text, default) in options.items():
        group.add_argument(option, type=float, metavar="NUMBER", help=f"{text} (default: {kept or default})")


def _hits(text: str) -> int:
    """Return a number of hits that is worth asking for."""
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"invalid int value: {text!r}") from None
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, got {number}")
    return number


def add_k_option(parser: argparse.ArgumentParser, default: int) -> None:
    """Add the number of hits."""
    parser.add_argument(
        "-k", "--k", type=_hits, default=default, metavar="N", help="most hits a query (default: %(default)s)"
    )


def add_work_options(parser: argparse.ArgumentParser) -> None:
    """Add what changes no result."""
    parser.add_argument(
        "--n-jobs", type=int, default=1, metavar="N", help="threads that rank; -1 for one a processor"
    )
    add_progress_option(parser)


def add_progress_option(parser: argparse.ArgumentParser) -> None:
    """Add the choice of whether progress is shown."""
    parser.add_argument(
        "--progress",
        action=argparse.BooleanOptionalAction,
        help="show on standard error how far long work is (default: on a terminal)",
    )


def empty_index(args: argparse.Namespace) -> BM25Index:
    """Return the index that the options name, before there are documents in it."""
    analyzer = Analyzer(
        args.language, tokens=args.tokens, stopwords=_stopwords(args.stopwords), stemmer=args.stemmer
    )
    return BM25Index(analyzer=analyzer, fields=args.fields, **_weights(args))


def loaded_index(args: argparse.Namespace) -> BM25Index:
    """Return a saved index, mapped, with the parameters that the options name."""
    return BM25Index.load(args.index, mmap=True).with_params(**_weights(args))


def _weights(args: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of an index that were given."""
    given = vars(args)
    return {
        name: given[name] for name in ("scheme", "k1", "b", "delta", "dtype") if given.get(name) is not None
    }


def _stopwords(given: str | None) -> str | list[str] | None:
    """Return stop words by name, or those of a file."""
    if given is None or given in STOPWORDS:
        return given
    if given == _NO_STOPWORDS:
        return []
    if not Path(given).is_file():
        known = ", ".join([*STOPWORDS, _NO_STOPWORDS])
        raise ValueError(f"--stopwords must be {known}, or a file of words, got {given!r}")
    with reading(given) as lines:
        return [word for line in lines for word in line.split()]
