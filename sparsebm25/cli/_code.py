"""Which files of a repository answer a query, and in which lines?"""

from __future__ import annotations

import argparse
import json
import os
import sys
import warnings
from collections.abc import Iterator

from sparsebm25.apps.code import CodeHit, CodeSearch
from sparsebm25.cli._output import counted, note, progress

_MAGENTA, _GREEN = 35, 32
_N_SKIPPED_SHOWN = 3
_CONTROLS = dict.fromkeys((*range(9), *range(10, 32), *range(127, 160)), "?")  # all but the tab


def run(args: argparse.Namespace) -> None:
    """Print the best files, each with the lines that answer."""
    search = _opened(args)
    hits = search.search(args.query, args.k, context=args.context)
    colored = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    for rank, hit in enumerate(hits, start=1):
        if args.json:
            print(json.dumps({"rank": rank, **hit.to_dict()}))
        else:
            print(*_shown(hit, colored), sep="\n")
    if not hits:
        note(f"no hits in {counted(search.n_files, 'file')}")


def _opened(args: argparse.Namespace) -> CodeSearch:
    """Return the search in the repository; what could not be read or kept is noted."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        search = CodeSearch.open(
            args.path,
            compatible=args.compatible,
            cache=args.cache,
            rebuild=args.rebuild,
            progress=lambda paths: progress(paths, "files", wanted=args.progress),
        )
    for warning in caught:
        note(str(warning.message))
    if skipped := search.skipped:
        some = [f"{_printable(path)} ({reason})" for path, reason in skipped.items()][:_N_SKIPPED_SHOWN]
        note(f"skipped {counted(len(skipped), 'file')}, such as {', '.join(some)}")
    return search


def _shown(hit: CodeHit, colored: bool) -> Iterator[str]:
    """Yield a file and its lines as grep shows them: in their order, gaps marked if lines have context."""
    exact = "  exact" if hit.exact else ""
    yield f"{_painted(_printable(hit.path), _MAGENTA, colored)}  {hit.score:.4f}{exact}"
    matched = {found.line: found.text for found in hit.lines}
    around = {
        number: text
        for found in hit.lines
        for lines, start in ((found.before, found.line - len(found.before)), (found.after, found.line + 1))
        for number, text in enumerate(lines, start)
    }
    texts = around | matched
    previous = min(texts, default=1) - 1
    for number in sorted(texts):
        if around and number > previous + 1:
            yield "     --"
        sign = ":" if number in matched else "-"
        yield f"{_painted(f'{number:>6}', _GREEN, colored)}{sign} {_printable(texts[number])}".rstrip()
        previous = number


def _painted(text: str, color: int, wanted: bool) -> str:
    """Return a text in a color of the terminal."""
    return f"\x1b[{color}m{text}\x1b[0m" if wanted else text


def _printable(text: str) -> str:
    """Return a text that changes nothing but its line when printed: neither controls nor half characters."""
    return text.encode("utf-8", "replace").decode().translate(_CONTROLS)
