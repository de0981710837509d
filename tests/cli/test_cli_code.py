"""What ``code`` prints of files that nobody vouches for."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest


def test_files_cannot_steer_the_terminal(run, tmp_path):
    """Controls in a line are shown as question marks, and no line comes after the last."""
    Path(tmp_path, "sly.py").write_text("tint = '\x1b[31m'\tagain\n")

    shown = run("code", str(tmp_path), "tint", "-C", 2, "--no-cache").out.splitlines()
    assert shown[1:] == ["     1: tint = '?[31m'\tagain"]


@pytest.mark.skipif(sys.platform != "linux", reason="needs file names of any bytes")
def test_a_path_that_is_no_text_is_printed(run, tmp_path):
    """The name of a file may hold bytes that are no UTF-8."""
    Path(tmp_path, "caf\udce9.py").write_text("espresso = 1\n")

    assert run("code", str(tmp_path), "espresso", "--no-cache").out.startswith("caf?.py")
