"""What do the four rankers take? The arguments of ``code``, ``tools``, ``route`` and ``catalog``."""

from __future__ import annotations

import argparse

from sparsebm25.cli._options import add_progress_option, boosts, names

_OBJECTS = "a JSON list of objects, or the result of tools/list of MCP (.gz too), or - for standard input"
_QUERY = "words of a request; nothing in it is read as an operator"


def add_code_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``code``."""
    parser.add_argument("path", metavar="PATH", help="the folder of a repository")
    parser.add_argument("query", metavar="QUERY", help="words or names; in quotes within, its literal text")
    _add_k(parser, 20, "files")
    parser.add_argument(
        "-C", "--context", type=int, default=0, metavar="N", help="lines around each line that is shown"
    )
    _add_json(parser, "one JSON object a file")
    cache = parser.add_argument_group("index")
    cache.add_argument("--rebuild", action="store_true", help="read all files anew")
    cache.add_argument(
        "--no-cache", dest="cache", action="store_false", help="keep no index in the user's cache folder"
    )
    _add_compatible(parser)
    add_progress_option(parser)


def add_tools_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``tools``."""
    _add_tools(parser)
    _add_k(parser, 10, "tools")
    _add_json(parser, "one JSON object a tool")
    _add_compatible(parser)


def add_route_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``route``."""
    _add_tools(parser)
    _add_k(parser, 8, "candidates")
    parser.add_argument(
        "--synonyms",
        metavar="FILE",
        help='a JSON object from a word to the words that it may mean: {"letter": ["mail"]}',
    )
    parser.add_argument("--ranker", default="bm25", help="bm25 (default) or tfidf")
    _add_json(parser, "one JSON object")
    _add_compatible(parser)


def add_catalog_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``catalog``."""
    parser.add_argument("entries", metavar="ENTRIES", help=_OBJECTS)
    parser.add_argument("query", nargs="?", metavar="QUERY", help="text; without it all entries are listed")
    parser.add_argument(
        "--offset", type=int, default=0, metavar="N", help="entries to pass over (default: %(default)s)"
    )
    parser.add_argument(
        "--limit", type=int, default=20, metavar="N", help="most entries shown (default: %(default)s)"
    )
    parser.add_argument(
        "--fields",
        type=boosts,
        metavar="WEIGHTS",
        help="what is searched, and its worth (default: name=3,tags=2,description=1)",
    )
    parser.add_argument(
        "--noise",
        type=names,
        default=(),
        metavar="WORDS",
        help="words that say nothing here, such as tool,server; dropped from QUERY",
    )
    _add_json(parser, "one JSON object")
    _add_compatible(parser)


def _add_tools(parser: argparse.ArgumentParser) -> None:
    """Add where tools are read from, what is asked, and whether scores are explained."""
    parser.add_argument("tools", metavar="TOOLS", help=_OBJECTS)
    parser.add_argument("query", metavar="QUERY", help=_QUERY)
    parser.add_argument("--explain", action="store_true", help="show what each word adds to a score")


def _add_k(parser: argparse.ArgumentParser, default: int, noun: str) -> None:
    """Add the number of answers."""
    parser.add_argument(
        "-k", "--k", type=int, default=default, metavar="N", help=f"most {noun} (default: %(default)s)"
    )


def _add_json(parser: argparse.ArgumentParser, form: str) -> None:
    """Add the choice of JSON."""
    parser.add_argument("--json", action="store_true", help=f"print {form}")


def _add_compatible(parser: argparse.ArgumentParser) -> None:
    """Add the choice to answer as the system that is replaced."""
    parser.add_argument(
        "--compatible", action="store_true", help="answer exactly as the system that this one replaces"
    )
