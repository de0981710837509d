"""Arguments in, sections of the results out."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from . import __doc__ as purpose
from .build_speed import building
from .growth import growing
from .machine import described
from .memory_use import occupying
from .options import QUERY_SETS, Options, shown_command
from .parameters import changing
from .results import updated
from .search_speed import compiled_backend, scipy_backend, two_threads
from .small_catalogs import small

RESULTS = Path(__file__).parents[1] / "RESULTS.md"

SECTIONS: dict[int, tuple[str, Callable[[Options], str]]] = {
    1: ("The compiled backend beside its peers", compiled_backend),
    2: ("Plain SciPy beside its peers", scipy_backend),
    3: ("Two threads beside one", two_threads),
    4: ("Making an index", building),
    5: ("Memory, mapped loads, shared pages", occupying),
    6: ("Small catalogs", small),
    7: ("Growth", growing),
    8: ("Other k1 and b", changing),
}


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    titles = "\n".join(f"  {number}  {title}" for number, (title, _) in SECTIONS.items())
    made = argparse.ArgumentParser(
        "python -m benchmarks.peers",
        description=purpose,
        epilog=f"sections:\n{titles}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--shared-data", type=Path, required=True, help="folder of the collections")
    made.add_argument("--only", type=int, nargs="+", choices=SECTIONS, default=list(SECTIONS), metavar="N")
    made.add_argument("--collections", nargs="+", choices=QUERY_SETS, default=list(QUERY_SETS))
    made.add_argument("--queries", type=int, default=Options.n_queries, help="default %(default)s")
    made.add_argument("--documents", type=int, help="of each collection only the first so many")
    made.add_argument("--keep-stopwords", action="store_true", help="index and ask frequent words too")
    made.add_argument("--repeats", type=int, default=Options.repeats, help="turns; default %(default)s")
    made.add_argument("--growth", type=int, nargs="+", default=list(Options.sizes), metavar="DOCUMENTS")
    made.add_argument("--output", type=Path, default=RESULTS, help="the page to update")
    return made


def main() -> None:
    """Measure what was asked for, and write each section as soon as it is there."""
    asked = parser().parse_args()
    if sys.platform != "linux":
        sys.exit("these comparisons read /proc and run on Linux only")
    measured_on = f"{time.strftime('%Y-%m-%d')} by `{shown_command(sys.argv[1:])}` on {described()}."
    with TemporaryDirectory() as scratch:
        options = Options(
            shared_data=asked.shared_data,
            scratch=Path(scratch),
            collections=tuple(asked.collections),
            n_queries=asked.queries,
            n_documents=asked.documents,
            keep_stopwords=asked.keep_stopwords,
            repeats=asked.repeats,
            sizes=tuple(sorted(asked.growth)),
        )
        for number in asked.only:
            title, section = SECTIONS[number]
            start = time.perf_counter()
            body = f"{section(options)}\n\nMeasured {measured_on}"
            page = asked.output.read_text("utf-8") if asked.output.exists() else ""
            asked.output.write_text(updated(page, number, title, body), "utf-8")
            print(f"## {number}. {title}\n\n{body}\n\n({time.perf_counter() - start:.0f} s)\n", flush=True)


if __name__ == "__main__":
    main()
