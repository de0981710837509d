"""How good is a ranking? Judgments, measures, and the files that evaluators exchange."""

from __future__ import annotations

from sparsebm25.evaluation.compare import Comparison, compare
from sparsebm25.evaluation.measures import (
    AP,
    RR,
    Evaluation,
    Judged,
    Measure,
    P,
    R,
    Success,
    evaluate,
    nDCG,
    parse_measure,
    with_ir_measures,
)
from sparsebm25.evaluation.sweep import Sweep, sweep
from sparsebm25.evaluation.trec import Qrel, ScoredDoc, read_qrels, write_qrels

__all__ = [
    "AP",
    "RR",
    "Comparison",
    "Evaluation",
    "Judged",
    "Measure",
    "P",
    "Qrel",
    "R",
    "ScoredDoc",
    "Success",
    "Sweep",
    "compare",
    "evaluate",
    "nDCG",
    "parse_measure",
    "read_qrels",
    "sweep",
    "with_ir_measures",
    "write_qrels",
]
