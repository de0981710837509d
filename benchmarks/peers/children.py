"""Work in a process of its own: fresh memory, nothing compiled or imported before."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any


def command(function: Callable[..., Any], arguments: dict[str, Any]) -> list[str]:
    """Return the command line that calls a function of these benchmarks with keyword arguments."""
    return [
        sys.executable,
        "-m",
        __name__,
        f"{function.__module__}:{function.__qualname__}",
        json.dumps(arguments),
    ]


def in_child(function: Callable[..., Any], **arguments: Any) -> Any:
    """Return what a function returns in a fresh process; both ways through JSON."""
    done = subprocess.run(command(function, arguments), check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def main(target: str, arguments: str) -> None:
    """Call a function by its name and print what it returns."""
    module, _, name = target.partition(":")
    print(json.dumps(getattr(importlib.import_module(module), name)(**json.loads(arguments))))


if __name__ == "__main__":
    main(*sys.argv[1:])
