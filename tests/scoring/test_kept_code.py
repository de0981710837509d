"""Compiled code that one process keeps on disk is right in all others, whatever each of them began with."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys

import pytest
from discovery import PACKAGE

from sparsebm25.scoring import available

PROGRAM = f"""
import json, re, sys
sys.path.insert(0, {str(PACKAGE.parent)!r})
import numpy as np
from scipy.sparse import random_array
from sparsebm25 import BM25Index
from sparsebm25.scoring import _hits, _numba, _ranges

rng = np.random.default_rng(7)
counts = random_array((40_000, 8), density=0.3, format="csr", rng=rng)
counts.data = rng.integers(1, 9, counts.nnz)
queries = [{{0: 1, 1: 2, 2: 0.5}}, {{3: 1}}, {{4: 1, 5: 1, 6: 1, 7: 1}}]
for dtype in sys.argv[1:]:
    index = BM25Index(dtype=dtype).fit(counts)
    for k in (5, 100, 2000):
        runs = [index.with_params(backend=name).search_many(queries, k) for name in ("scipy", "numba")]
        assert runs[0].doc_ords.tobytes() == runs[1].doc_ords.tobytes(), (dtype, k)
        assert runs[0].scores.tobytes() == runs[1].scores.tobytes(), (dtype, k)

things = [thing for module in (_hits, _numba, _ranges) for thing in vars(module).values()]
functions = [thing for thing in things if hasattr(thing, "overloads")]
names = [made.fndesc.mangled_name for function in functions for made in function.overloads.values()]
numbers = re.compile("RecordILi[0-9]+E|B[0-9]+v[0-9]+")  # of records and functions: anew in each process
print(json.dumps(sorted({{numbers.sub("#", name) for name in names}})))
"""


def names_after(folder, *dtypes):
    """Return the names of compiled code, without its numbers, after searches in a process of their own."""
    command = [sys.executable, "-c", PROGRAM, *dtypes]
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout))


@pytest.mark.skipif("numba" not in available(), reason="needs the extra 'fast' (Numba)")
def test_code_for_either_dtype_is_kept_under_names_of_its_own(tmp_path):
    """Two processes that begin with another dtype keep no two functions of candidates under one name."""
    narrow, wide = names_after(tmp_path, "float32"), names_after(tmp_path, "float64")
    of_candidates = {name for name in narrow | wide if "unaligned" in name}

    assert len(of_candidates & narrow) == len(of_candidates & wide) > 10
    assert not narrow & wide & of_candidates
    names_after(tmp_path, "float32", "float64")
    names_after(tmp_path, "float64", "float32")


def test_a_change_of_what_is_compiled_in_changes_the_file_that_is_looked_at():
    """`_ranges.BUILT_ON` is the digest of the other files whose functions and layouts are compiled in."""
    folder, names = PACKAGE / "scoring", ("_hits.py", "_numba.py", "bounds.py", "layouts.py")
    files = b"".join((folder / name).read_bytes() for name in names)
    digest = hashlib.sha256(files.replace(b"\r\n", b"\n")).hexdigest()[:16]

    assert f'BUILT_ON = "{digest}"' in (folder / "_ranges.py").read_text(encoding="utf-8")
