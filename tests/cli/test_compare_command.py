"""``compare``: a table of schemes for files of one's own, or for a BEIR folder alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from sparsebm25 import BM25Index
from sparsebm25.evaluation import read_qrels
from sparsebm25.evaluation.compare import COMPARED, Comparison, compare

TEXTS = ["Kites red kite over the lake", "red pots and red mugs", "Lakes blue lakes"]
IDS = ["d1", "d2", "d3"]


def as_printed(comparison: Comparison) -> dict[str, list[str]]:
    """Return the rows of a comparison as `table` reads them."""
    return {name: [f"{mean:.4f}" for mean in means.values()] for name, means in comparison.means().items()}


def table(printed: str) -> dict[str, list[str]]:
    """Return the rows of the printed table without their times, by name; the header is ``scheme``."""
    rows = [line.split() for line in printed.splitlines()[1:]]
    return {name: cells[:-1] for name, *cells in rows}


def test_a_folder_alone_is_enough(folder, run):
    """Of a BEIR folder documents, queries and judgments are taken; the table is that of `compare`."""
    outcome = run("compare", ".")
    assert (outcome.status, outcome.errors) == (0, [])
    assert outcome.out.splitlines()[0] == "3 documents, 2 judged queries, k = 1,000"

    index = BM25Index().fit(TEXTS, IDS)
    expected = compare(index, {"q1": "kite lake", "q2": "red"}, read_qrels("qrels.tsv"))
    printed = table(outcome.out)
    assert printed.pop("scheme") == ["nDCG@10", "MAP", "MRR", "R@100"]
    assert tuple(printed) == COMPARED
    assert printed == as_printed(expected)


def test_three_files_give_the_same_table(folder, run):
    """The same collection as three files gives the same table."""
    assert table(run("compare", "corpus.jsonl", "queries.jsonl", "qrels.tsv").out) == table(
        run("compare", ".").out
    )


def test_rows_columns_and_split_can_be_chosen(folder, run):
    """--schemes, --measures and --split choose what is compared, by what, and by which judgments."""
    Path("qrels.dev.tsv").write_text("q2 0 d1 1\n")
    options = ("--schemes", "lucene,ltc.lnc", "--measures", "P@1,MRR", "--split", "dev", "--k", 2, "--b", 0)
    printed = table(run("compare", ".", *options).out)

    index = BM25Index(b=0).fit(TEXTS, IDS)
    expected = compare(
        index,
        {"q2": "red"},
        read_qrels("qrels.dev.tsv"),
        settings=["lucene", "ltc.lnc"],
        measures=["P@1", "RR"],
        k=2,
    )
    assert printed.pop("scheme") == ["P@1", "MRR"]
    assert printed == as_printed(expected)


def test_ids_may_be_numbers(folder, run):
    """Numbers as ids of documents and queries meet the judgments, which are text."""
    Path("docs.jsonl").write_text('{"id": 1, "text": "red"}\n{"id": 2, "text": "blue"}\n')
    Path("asked.txt").write_text("blue\nunjudged\n")
    Path("judged.txt").write_text("1 0 2 1\n")
    outcome = run("compare", "docs.jsonl", "asked.txt", "judged.txt", "--schemes", "lucene")

    assert outcome.out.splitlines()[0] == "2 documents, 1 judged query, k = 1,000"
    assert table(outcome.out)["lucene"] == ["1.0000"] * 4


def test_judgments_of_other_queries_are_a_mistake(folder, refused):
    """If no query has a judgment, that is said instead of a table of zeros."""
    Path("judged.txt").write_text("other 0 d1 1\n")

    assert "nothing in common" in refused("compare", ".", ".", "judged.txt")


def test_a_malformed_judgment_is_named(folder, refused):
    """A malformed line of the judgments is named."""
    Path("judged.txt").write_text("q1 0 d1 good\n")

    assert refused("compare", ".", ".", "judged.txt").startswith("judged.txt: line 1 is not")


@pytest.mark.parametrize("options", [(), ("--fields", "title=2,text=1")], ids=["text", "fields"])
def test_published_quality(shared_data, run, options):
    """On a real collection BM25 ranks better than TF-IDF, as published, and fields are compared too."""
    analyzer = ("--language", "english", "--tokens", "sklearn")
    rows = table(
        run("compare", shared_data / "scifact", "--schemes", "lucene,tfidf", *analyzer, *options).out
    )

    assert float(rows["lucene"][0]) > float(rows["tfidf"][0]) + 0.05
    if not options:
        assert float(rows["lucene"][0]) == pytest.approx(0.6863, abs=0.001)
