"""The page of results keeps what was not measured again, and says missed where a target is missed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.peers.options import depths, shown_command
from benchmarks.peers.results import at_least, at_most, figure, missing_lines, table, updated


def test_sections_replace_themselves_only():
    """A section is replaced by its number, others stay as they are, in the order of their numbers."""
    page = updated(updated("", 7, "Growth", "slow"), 2, "SciPy", "fast\n\n### inner\n\n## 2 no heading")
    again = updated(page, 7, "Growth", "faster")

    assert [line for line in again.splitlines() if line.startswith("## ")] == [
        "## 2. SciPy",
        "## 2 no heading",
        "## 7. Growth",
    ]
    assert "slow" not in again
    assert again.count("faster") == 1
    assert updated(again, 7, "Growth", "slow") == page


@given(st.lists(st.integers(1, 12), unique=True, min_size=1), st.data())
def test_the_order_of_runs_does_not_matter(numbers, data):
    """Sections written in any order make the same page."""
    pages = ["", ""]
    for place, order in enumerate((numbers, data.draw(st.permutations(numbers)))):
        for number in order:
            pages[place] = updated(pages[place], number, f"title {number}", f"body {number}")

    assert pages[0] == pages[1]


@given(st.floats(1e-4, 1e7))
def test_figures_have_three_digits(value):
    """A figure is right to three digits and never written in powers of ten."""
    shown = figure(value)

    assert "e" not in shown
    assert float(shown.replace(",", "")) == pytest.approx(value, rel=6e-3)


def test_tables_are_even():
    """All lines of a table are equally long; columns of numbers are aligned right."""
    lines = table(
        ["engine", "ms", "note"], [["one", "12.5", "yes"], ["another", "7", "no, slow"]]
    ).splitlines()

    assert len({len(line) for line in lines}) == 1
    assert lines[1] == "| ------- | ---: | -------- |"
    assert lines[3] == "| another |    7 | no, slow |"


@given(st.floats(0, 100), st.floats(0, 100))
def test_missed_targets_are_called_missed(value, target):
    """A verdict says missed exactly where the figure is on the wrong side of its target."""
    assert at_least(value, target).startswith("missed") == (value < target)
    assert at_most(value, target).startswith("missed") == (value > target)


def test_the_missing_are_named():
    """Each engine that is missing has its line with the reason."""
    assert missing_lines({"PISA": "No module"}) == "- **PISA is missing**: No module"


def test_commands_name_no_machine():
    """The command of a run is shown without the paths of the machine."""
    arguments = ["--shared-data", "/data", "--only", "1", "2", "--output=/somewhere/R.md"]

    assert shown_command(arguments) == (
        "python -m benchmarks.peers --shared-data PATH --only 1 2 --output=PATH"
    )


def test_no_more_hits_than_documents():
    """A small collection is compared at the depths it has."""
    assert depths(99) == [10]
    assert depths(1000) == [10, 100, 1000]
