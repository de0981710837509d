"""Which commands are there, and what do they take?"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NoReturn

from sparsebm25 import __version__
from sparsebm25.cli._app_options import (
    add_catalog_arguments,
    add_code_arguments,
    add_route_arguments,
    add_tools_arguments,
)
from sparsebm25.cli._options import (
    add_analyzer_options,
    add_corpus_options,
    add_k_option,
    add_number_options,
    add_progress_option,
    add_scheme_options,
    add_work_options,
    names,
)

_CORPUS = "a JSONL, TSV or CSV file (.gz too), a BEIR folder, a folder of text files, or - for standard input"
_INDEX = "a folder that sparsebm25 index has made"


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are raised, to be told in one line like all others."""

    def error(self, message: str) -> NoReturn:
        raise ValueError(f"{message} (see {self.prog} --help)")


@dataclass(frozen=True, slots=True)
class _Command:
    """A command: what it does, what it takes, and how it is used."""

    name: str
    does: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    examples: tuple[str, ...]


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line; `command` holds the name of what is asked."""
    starts = (f"{command.name} {command.examples[0]}".rstrip() for command in COMMANDS)
    parser = _Parser(
        prog="sparsebm25",
        description="Rank documents by BM25, as sparse linear algebra.",
        epilog=_shown("examples (each command tells more with --help):", starts),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS:
        added = commands.add_parser(
            command.name,
            help=command.does,
            description=f"{command.does[0].upper()}{command.does[1:]}.",
            epilog=_shown("examples:", (f"{command.name} {example}" for example in command.examples)),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.add_arguments(added)
    return parser


def _shown(title: str, calls: Iterable[str]) -> str:
    """Return calls of the program as they are typed."""
    return "\n".join([title, *(f"  sparsebm25 {call}".rstrip() for call in calls)])


def _add_rank(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``rank``."""
    parser.add_argument("corpus", metavar="CORPUS", help=_CORPUS)
    _add_queries(parser)
    add_k_option(parser, 1000)
    parser.add_argument(
        "--out",
        default="-",
        metavar="FILE",
        help="the run, whole or not at all; packed if it ends in .gz (default: -, standard output)",
    )
    parser.add_argument("--tag", default="sparsebm25", help="name of the run, for its last column")
    parser.add_argument(
        "--ties",
        default="scores",
        help="scores (default): as they are; rank: lowered so that evaluators, which order equal scores "
        "by document id, keep the order of the run",
    )
    _add_making(parser)
    add_scheme_options(parser)
    add_work_options(parser)


def _add_index(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``index``."""
    parser.add_argument("corpus", metavar="CORPUS", help=_CORPUS)
    parser.add_argument(
        "-o", "--out", required=True, metavar="INDEX", help="a new folder, or an index, which is replaced"
    )
    parser.add_argument(
        "--keep-metadata",
        action="store_true",
        help="keep what a record holds beside id and text; search --json shows it (texts are never kept)",
    )
    _add_making(parser)
    add_scheme_options(parser)
    add_progress_option(parser)


def _add_search(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``search``."""
    parser.add_argument("index", metavar="INDEX", help=_INDEX)
    parser.add_argument("query", metavar="QUERY", help="text; nothing in it is read as an operator")
    add_k_option(parser, 10)
    parser.add_argument("--json", action="store_true", help="print one JSON object a hit")
    add_scheme_options(parser, kept="that of the index")


def _add_explain(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``explain``."""
    parser.add_argument("index", metavar="INDEX", help=_INDEX)
    parser.add_argument("query", metavar="QUERY", help="text")
    parser.add_argument("doc_id", metavar="DOC", help="id of a document")
    add_scheme_options(parser, kept="that of the index")


def _add_info(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``info``."""
    parser.add_argument("index", metavar="INDEX", help=_INDEX)


def _add_compare(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``compare``."""
    parser.add_argument("corpus", metavar="CORPUS", help=_CORPUS)
    _add_queries(parser)
    parser.add_argument(
        "qrels",
        nargs="?",
        metavar="QRELS",
        help="judgments as TREC or BEIR has them; can be left out if CORPUS is a BEIR folder",
    )
    parser.add_argument(
        "--split", default="test", help="which judgments of a BEIR folder (default: %(default)s)"
    )
    parser.add_argument("--schemes", type=names, metavar="NAMES", help="the rows (default: all that differ)")
    parser.add_argument(
        "--measures",
        type=names,
        metavar="NAMES",
        help="the columns, such as nDCG@10,MAP,P@5 (default: nDCG@10,MAP,MRR,R@100)",
    )
    add_k_option(parser, 1000)
    _add_making(parser)
    add_number_options(parser.add_argument_group("weights"))
    add_work_options(parser)


def _add_demo(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``demo``."""
    parser.add_argument(
        "--packages",
        type=names,
        metavar="NAMES",
        help="installed packages to read, and stdlib (default: numpy,scipy,sklearn,stdlib)",
    )
    parser.add_argument(
        "--n-queries", type=int, default=1000, metavar="N", help="most queries (default: %(default)s)"
    )
    add_work_options(parser)


def _add_queries(parser: argparse.ArgumentParser) -> None:
    """Add what queries are read from, and how."""
    parser.add_argument(
        "queries",
        nargs="?",
        metavar="QUERIES",
        help="as CORPUS; can be left out if CORPUS is a BEIR folder, whose own are taken then",
    )
    parser.add_argument(
        "--queries-format", metavar="FORMAT", help="format of QUERIES (default: its name tells)"
    )


def _add_making(parser: argparse.ArgumentParser) -> None:
    """Add what an index is made by."""
    add_corpus_options(parser)
    add_analyzer_options(parser)


COMMANDS = (
    _Command(
        "rank",
        "rank the documents for many queries and write a TREC run",
        _add_rank,
        (
            "corpus.jsonl queries.jsonl --out run.trec",
            "beir/scifact --language english --out run.trec.gz",
            "texts/ queries.tsv --k 100 --scheme bm25+ --k1 0.9 --b 0.4",
            "corpus.csv queries.csv --fields title=2,text=1 --n-jobs -1 --out run.trec",
            "- queries.tsv --format tsv < corpus.tsv | head",
        ),
    ),
    _Command(
        "index",
        "count the documents and keep the index in a folder",
        _add_index,
        ("corpus.jsonl -o my-index", "corpus.jsonl.gz -o my-index --language english --keep-metadata"),
    ),
    _Command(
        "search",
        "print rank, score and id of the best documents of an index; an index keeps no texts",
        _add_search,
        (
            'my-index "sparse matrix"',
            'my-index "sparse matrix" --k 3 --json',
            'my-index "sparse matrix" --scheme tfidf',
            'my-index -- "-k first a dash"',
        ),
    ),
    _Command(
        "explain",
        "print why a document has its score, as a tree",
        _add_explain,
        ('my-index "sparse matrix" doc-17',),
    ),
    _Command("info", "print the sizes and the settings of an index", _add_info, ("my-index",)),
    _Command(
        "compare",
        "print the quality and the time of BM25 schemes beside TF-IDF",
        _add_compare,
        (
            "corpus.jsonl queries.jsonl qrels.tsv",
            "beir/scifact --language english",
            "beir/scifact --schemes lucene,tfidf --measures nDCG@10,P@5",
        ),
    ),
    _Command(
        "demo",
        "rank the docstrings that are installed here, under all schemes: no files, no network",
        _add_demo,
        ("", "--packages numpy --n-queries 100"),
    ),
    _Command(
        "code",
        "print the files of a repository that answer a query, with their best lines",
        add_code_arguments,
        (
            '. "where are the settings read"',
            ". load_user -k 5 -C 2",
            """. '"raise KeyError"' --json""",
            'src "parse a date" --no-cache',
        ),
    ),
    _Command(
        "tools",
        "print the tools of a list that fit a request",
        add_tools_arguments,
        (
            'tools.json "send a message"',
            'tools.json "send a message" -k 3 --explain',
            '- "send a message" --json < tools-list-result.json',
        ),
    ),
    _Command(
        "route",
        "print the tools that a request may mean, and how clear the case is",
        add_route_arguments,
        (
            'tools.json "send a message"',
            'tools.json "write a letter" --synonyms synonyms.json --explain',
            'tools.json "send a message" --ranker tfidf -k 3 --json',
        ),
    ),
    _Command(
        "catalog",
        "print the entries of a catalog that a query means, or list them, page by page",
        add_catalog_arguments,
        (
            'entries.json "heat maps"',
            "entries.json --offset 20 --limit 20",
            'entries.json "heat map tool" --fields title=3,labels=2,text=1 --noise tool --json',
        ),
    ),
)
