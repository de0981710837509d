"""Which tools of a file fit a request?"""

from __future__ import annotations

import argparse
import json

from sparsebm25.apps.tools import ToolRanker
from sparsebm25.cli._output import note
from sparsebm25.cli._tools_input import read_tools
from sparsebm25.cli._tools_output import matches_record, print_tool


def run(args: argparse.Namespace) -> None:
    """Print the best tools, one a line."""
    ranker = ToolRanker(args.compatible, names=("server_name", "name", "about"))
    found = ranker.search(args.query, read_tools(args.tools), args.k, explain=args.explain)
    for rank, (tool, score, matches) in enumerate(found, start=1):
        if args.json:
            known = {"rank": rank, "score": score, "tool": tool.given}
            print(json.dumps({**known, **matches_record(matches)}))
        else:
            print_tool(rank, score, tool.label, matches)
    if not found:
        note("no tools")
