"""What the comparison stands on: the peers' rules, files, memory figures and turns."""

from __future__ import annotations

import io
import math
import re
from pathlib import Path

import numpy as np
import pytest

from benchmarks.peers import pisa_files
from benchmarks.peers.memory import held_bytes, mapped_sizes
from benchmarks.peers.rules import by_pisa, by_tantivy, one_byte_lengths
from benchmarks.peers.texts import spread, tokens_of, with_known_terms
from benchmarks.peers.timing import alternate
from sparsebm25 import BM25Index

DOCUMENTS = [["kite", "red"] + ["filler"] * length for length in (0, 3, 38, 39, 40, 120)]


def test_lengths_that_fit_in_a_byte():
    """There are 256 lengths, exact up to 40; beyond, neighbors share one, as Lucene and tantivy do."""
    lengths = one_byte_lengths()
    said = {length: lengths[np.searchsorted(lengths, length, "right") - 1] for length in range(1, 521)}

    assert lengths.size == 256
    assert (np.diff(lengths) > 0).all()
    assert all(said[length] == length for length in range(1, 41))
    assert said[41] == said[40]
    assert said[100] == said[101] == said[103] != said[104] == said[105]
    assert said[510] == said[520]


def test_the_rule_of_tantivy():
    """A score under tantivy's rule is the formula with the length that its byte says."""
    index = BM25Index(analyzer=None).fit(DOCUMENTS)
    mean = sum(map(len, DOCUMENTS)) / len(DOCUMENTS)
    idf = math.log(1 + 0.5 / 6.5)
    expected = [idf * 2.2 / (1 + 1.2 * (0.25 + 0.75 * length / mean)) for length in (2, 5, 40, 40, 42, 120)]

    assert by_tantivy(index).scores(["kite"]) == pytest.approx(expected, rel=1e-6)


def test_the_rule_of_pisa():
    """A score under PISA's rule is the formula, with the floor of its idf."""
    index = BM25Index(analyzer=None).fit([["a", "b"], ["a"], ["a", "c", "c"], ["d"]])
    rare, common = math.log(3.5 / 1.5), 1e-6

    scores = by_pisa(index).scores(["a", "c"])

    weight = 2.5 * 2 / (2 + 1.5 * (0.25 + 0.75 * 3 / 1.75))
    assert scores[2] == pytest.approx(rare * weight, rel=1e-5)
    assert scores[1] == pytest.approx(common * 2.5 / (1 + 1.5 * (0.25 + 0.75 / 1.75)), rel=1e-5)
    assert scores[3] == 0


@pytest.mark.parametrize("block", [1, 3, 100])
def test_posting_lists_are_written_after_their_lengths(block, monkeypatch):
    """However many postings are written at a time, each list comes after its length."""
    monkeypatch.setattr(pisa_files, "BLOCK", block)
    indptr, values = np.array([0, 2, 2, 5, 6], np.int32), np.array([4, 7, 1, 2, 3, 9], np.int32)
    file = io.BytesIO()

    pisa_files.write_lists(file, indptr, values)

    assert np.frombuffer(file.getvalue(), np.uint32).tolist() == [2, 4, 7, 0, 3, 1, 2, 3, 1, 9]


SMAPS = """\
7f00-7f01 r--p 00000000 fe:00 12                         /data/my index/weights.npy
Rss:                  40 kB
Pss:                   4 kB
VmFlags: rd mr
7f01-7f02 rw-p 00000000 00:00 0
Rss:                 999 kB
7f02-7f03 r--p 00001000 fe:00 13                         /data/my index/indices.npy
Rss:                  20 kB
7f03-7f04 r--p 00001000 fe:00 14                         /lib/other.so
Rss:                 999 kB
"""


def test_mapped_files_of_one_folder():
    """Sizes are summed over the files of the folder, and over no other mapping."""
    assert mapped_sizes(SMAPS, "/data/my index") == {"Rss": 60 * 1024, "Pss": 4 * 1024}


def test_arrays_count_once():
    """An array counts once with its bytes, through however many views it is held."""
    array = np.zeros(1_000_000, np.int8)

    held = held_bytes({"whole": array, "part": array[:10], "again": [array, array[5:]]})

    assert 1_000_000 <= held < 1_002_000


def test_engines_take_turns():
    """All engines have had a turn before any has its next one, and the best turn counts."""
    turns = []
    best = alternate({"one": lambda: turns.append(1), "two": lambda: turns.append(2)}, 3)

    assert turns == [1, 2, 1, 2, 1, 2]
    assert list(best) == ["one", "two"]
    assert all(timing.seconds > 0 for timing in best.values())


def test_words_that_all_engines_get():
    """Tokens are lower-case runs of two or more ASCII letters and digits, by default without stop words."""
    assert tokens_of("The C++ of 2026: naïve, é") == ["2026", "na", "ve"]
    assert tokens_of("The C++ of 2026", frozenset()) == ["the", "of", "2026"]


def test_queries_are_spread_and_known():
    """Fewer queries are spread evenly over all; those without a known term are left out."""
    queries = [[str(number)] for number in range(10)]
    index = BM25Index(analyzer=None).fit([["0"], ["4", "x"]])

    assert spread(queries, 5) == [["0"], ["2"], ["4"], ["6"], ["8"]]
    assert spread(queries, 50) == queries
    assert with_known_terms([*queries, [], ["nowhere", "x"]], index.vocabulary) == [
        ["0"],
        ["4"],
        ["nowhere", "x"],
    ]


def test_nothing_is_taken_for_a_benchmark():
    """The suite that keeps the history of timings finds benchmarks by their names, and none of them here."""
    sources = sorted(Path(pisa_files.__file__).parent.glob("*.py"))
    kinds = r"(?:def (?:time|timeraw|mem|peakmem|track)_|class (?:Time|Mem|PeakMem|Track)[A-Z_])"
    taken = re.compile(kinds + r"\w+")

    assert sources
    assert [found for source in sources for found in taken.findall(source.read_text("utf-8"))] == []
