"""Is every case held by a test, or deferred for a reason, and never both?"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from cases.deferred import DEFERRED

TESTS = Path(__file__).parents[1]

KINDS = {
    "S": "01 02 03 04 05 06 07 08 09 11 12 13 15 17 20 21 23 24 25 28 29 30 32 33",  # scoring
    "T": "01 02 03 04 08 09 10",  # ties and order
    "U": "01 02 03 04 05 06 07 08 10 11 12 13 14 15 16 17",  # text
    "M": "02 03 04 06 08 09 10 11",  # memory and scale
    "P": "01 02 03 04 05 06 07 08 09 10",  # persistence
    "A": "01 03 04 06 07 08 09 10 12 14 15 17 18 19",  # the interface
    "L": "02 03 04 05 06 08 11",  # pipelines
    "C": "01 02 03 04 05",  # concurrency
    "E": "01 02 03 04 07 08",  # evaluation
    "I": "01 02 03 04 05 06 07",  # interoperability
}
CASES = [kind + number for kind, numbers in KINDS.items() for number in numbers.split()]


def marked(path: Path, marker: str = "case") -> Iterator[str]:
    """Yield what the markers of one name in a file are given, which must be plain literals."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in (
            f"pytest.mark.{marker}",
            f"mark.{marker}",
        ):
            yield from map(ast.literal_eval, node.args)


def test_every_promise_is_held():
    """Each of the twelve promises has a test that is marked with its number."""
    held = {promise for path in sorted(TESTS.rglob("*.py")) for promise in marked(path, "promise")}

    assert held == set(range(1, 13))


def test_every_case_is_held_or_deferred():
    """Each known case is marked by a test or listed with a reason, not both; nothing else is marked."""
    held = {case for path in sorted(TESTS.rglob("*.py")) for case in marked(path)}

    assert sorted(held - set(CASES)) == []
    assert sorted(DEFERRED.keys() - set(CASES)) == []
    assert sorted(held & DEFERRED.keys()) == []
    assert sorted(set(CASES) - held - DEFERRED.keys()) == []
    assert len(set(CASES)) == len(CASES)
    assert all(DEFERRED.values())


def test_the_cases_are_those_of_the_list(shared_data):
    """Where the list of cases lies beside the collections, its ids are those known here."""
    path = shared_data.parent / "cases.md"
    if not path.is_file():
        pytest.skip("needs cases.md beside the collections")

    listed = re.findall(r"^\| ([A-Z]\d\d)\b", path.read_text("utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(CASES)
