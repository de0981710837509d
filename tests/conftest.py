"""What every test can rely on: the option for real collections, the backends, the hypothesis profile."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import settings

import sparsebm25

# Reproducible by default, so that a red run is red again; `--hypothesis-profile=explore` looks further.
settings.register_profile("gate", max_examples=30, deadline=None, derandomize=True, print_blob=True)
settings.register_profile("explore", max_examples=2000, deadline=None, print_blob=True)
settings.load_profile("gate")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that names the folder of real collections."""
    parser.addoption(
        "--shared-data",
        type=Path,
        metavar="PATH",
        help="folder of real collections (scifact, cranfield, ...), which some tests need",
    )
    parser.addoption("--without-numba", action="store_true", help="run as where Numba is not installed")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse a folder that is not there, rather than skip what was asked for; hide Numba on demand."""
    if config.getoption("--without-numba"):
        sys.modules["numba"] = None  # type: ignore[assignment]  # importing it fails from here on
    folder = config.getoption("--shared-data")
    if folder is not None and not folder.is_dir():
        raise pytest.UsageError(f"--shared-data must name a folder, got {str(folder)!r}")


def pytest_report_header() -> str:
    """Say which package is tested: the checkout, or an installed one."""
    return f"sparsebm25 from {Path(sparsebm25.__file__).parent}"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test that takes `backend` on every backend that can run here."""
    if "backend" in metafunc.fixturenames:
        from sparsebm25.scoring.backends import available

        metafunc.parametrize("backend", available(), scope="session")


@pytest.fixture(scope="session")
def shared_data(request: pytest.FixtureRequest) -> Path:
    """Return the folder of real collections."""
    folder: Path | None = request.config.getoption("--shared-data")
    if folder is None:
        pytest.skip("needs --shared-data PATH (real collections)")
    return folder.resolve()
