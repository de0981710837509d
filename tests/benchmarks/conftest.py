"""The benchmarks are no part of the installed package: they are imported from the checkout."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

if "benchmarks" not in sys.modules:
    folder = Path(__file__).parents[2] / "benchmarks"
    spec = spec_from_file_location(
        "benchmarks", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    sys.modules["benchmarks"] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules["benchmarks"])
