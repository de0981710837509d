"""Which tools may a request mean, and how clear is the case?"""

from __future__ import annotations

import argparse
import json

from sparsebm25.apps.router import Route, Router
from sparsebm25.cli._tools_input import read_json, read_tools
from sparsebm25.cli._tools_output import print_tool


def run(args: argparse.Namespace) -> None:
    """Print the candidates, the confidence and the guidance."""
    route = _route(args)
    if args.json:
        print(json.dumps(route.to_dict()))
        return
    for rank, candidate in enumerate(route.candidates, start=1):
        print_tool(rank, candidate.score, candidate.tool, candidate.matches)
    print(f"confidence: {route.confidence}\n{route.guidance}")


def _route(args: argparse.Namespace) -> Route:
    """Return the route of the query, its candidates with their matches if those are wanted."""
    if args.tools == args.synonyms == "-":
        raise ValueError("only one of TOOLS and --synonyms can be standard input, got - for both")
    synonyms = None if args.synonyms is None else read_json(args.synonyms)
    router = Router(read_tools(args.tools), args.compatible, ranker=args.ranker, synonyms=synonyms)
    return router.route(args.query, args.k, explain=args.explain)
