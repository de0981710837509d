"""What ``code`` prints of files that nobody vouches for."""

from __future__ import annotations

from pathlib import Path


def test_files_cannot_steer_the_terminal(run, tmp_path):
    """Controls in a line are shown as question marks, and no line comes after the last."""
    Path(tmp_path, "sly.py").write_text("tint = '\x1b[31m'\tagain\n")

    shown = run("code", str(tmp_path), "tint", "-C", 2, "--no-cache").out.splitlines()
    assert shown[1:] == ["     1: tint = '?[31m'\tagain"]
