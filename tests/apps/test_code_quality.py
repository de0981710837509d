"""How well search in code ranks is known, and does not get worse unseen."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "code_quality.py"
MEASURED = {True: {"R@5": 0.4370, "RR@100": 0.3279}, False: {"R@5": 0.4380, "RR@100": 0.3281}}


def test_quality_on_questions_about_code(shared_data):
    """R@5 and MRR of the compatible and of the default setting are what the benchmark script printed."""
    found = runpy.run_path(str(SCRIPT))["measured"](shared_data / "code_cosqa")

    for compatible, means in MEASURED.items():
        assert found[compatible] == pytest.approx(means, abs=5e-4), compatible
