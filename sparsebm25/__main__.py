"""Run the command line: ``python -m sparsebm25``."""

from __future__ import annotations

import sys

from sparsebm25.cli import main

sys.exit(main())
