"""``index``, ``search``, ``explain`` and ``info``: an index that is kept, and what can be asked of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sparsebm25 import BM25Index


@pytest.fixture
def kept(folder: Path, run) -> str:
    """Return the folder of an index that the command line made."""
    assert run("index", ".", "-o", "kept").out == "kept: 3 documents, 11 terms\n"
    return "kept"


def test_the_kept_index_is_the_fitted_one(kept, folder):
    """The index holds what fitting the same texts gives, with the ids verbatim."""
    index = BM25Index.load(kept)

    assert list(index.doc_ids) == ["d1", "d2", "d3"]
    assert index.search("lake").doc_ids == ["d1"]
    assert index.metadata is None


def test_ids_keep_their_type(folder, run):
    """Numbers in JSON stay numbers, text stays text, and lines without ids are numbered."""
    Path("mixed.jsonl").write_text('{"id": 7, "text": "red"}\n{"id": "7", "text": "red"}\n')
    Path("bare.txt").write_text("red\nblue\n")
    run("index", "mixed.jsonl", "-o", "mixed")
    run("index", "bare.txt", "-o", "bare")

    assert list(BM25Index.load("mixed").doc_ids) == [7, "7"]
    assert list(BM25Index.load("bare").doc_ids) == [1, 2]


def test_an_index_is_replaced_and_nothing_else(kept, folder, run, refused):
    """An index is replaced by a new one; any other folder is refused before the corpus is read."""
    Path("one.txt").write_text("owl\n")
    assert run("index", "one.txt", "-o", kept).out == "kept: 1 document, 1 term\n"

    Path("other").mkdir()
    assert refused("index", "nowhere.jsonl", "-o", "other").startswith("other is not an index")


def test_a_failed_index_leaves_what_was_there(kept, folder, refused):
    """If the corpus is malformed, the old index stays as it was, and no new folder appears."""
    Path("bad.jsonl").write_text('{"id": "a", "text": "red"}\nnot json\n')
    before = sorted(folder.iterdir())

    assert "bad.jsonl:2" in refused("index", "bad.jsonl", "-o", kept)
    assert "bad.jsonl:2" in refused("index", "bad.jsonl", "-o", "new")
    assert sorted(folder.iterdir()) == before
    assert len(BM25Index.load(kept)) == 3


def test_an_id_given_twice_is_named(folder, refused):
    """A document id that occurs twice is named."""
    Path("twice.tsv").write_text("a\tred\na\tblue\n")

    assert "'a'" in refused("index", "twice.tsv", "-o", "new")
    assert not Path("new").exists()


def test_malformed_lines_can_be_skipped(folder, run):
    """With --skip-bad one malformed line is counted and named, and the rest is kept."""
    Path("bad.jsonl").write_text('{"id": "a", "text": "red"}\nnot json\n')
    outcome = run("index", "bad.jsonl", "-o", "new", "--skip-bad")

    assert outcome.out == "new: 1 document, 1 term\n"
    assert outcome.errors[0] == "sparsebm25: skipped 1 malformed line, such as"
    assert outcome.errors[1].startswith("sparsebm25: bad.jsonl:2: not JSON")


def test_metadata_is_kept_when_asked_for(folder, run):
    """What a record holds beside id and text is kept with --keep-metadata only, with fields too."""
    Path("more.jsonl").write_text('{"id": "a", "text": "red", "year": 1999}\n{"id": "b", "text": "red"}\n')
    for options in ((), ("--fields", "text=2")):
        run("index", "more.jsonl", "-o", "without", *options)
        run("index", "more.jsonl", "-o", "with", "--keep-metadata", *options)
        lines = {name: run("search", name, "red", "--json").out.splitlines() for name in ("without", "with")}

        assert ["metadata" in json.loads(line) for line in lines["without"]] == [False, False]
        assert [json.loads(line).get("metadata") for line in lines["with"]] == [{"year": 1999}, None]


def test_search_prints_rank_score_and_id(kept, run):
    """A hit is a line of rank, score and id, best first; --k limits them."""
    lines = run("search", kept, "red lake kite").out.splitlines()

    assert [line.split()[0] for line in lines] == ["1", "2"]
    assert [line.split()[2] for line in lines] == BM25Index.load(kept).search("red lake kite").doc_ids
    assert run("search", kept, "red lake kite", "--k", 1).out.splitlines() == lines[:1]


def test_search_as_json(kept, run):
    """With --json a hit is an object of its own, with the score to the last bit."""
    rows = [json.loads(line) for line in run("search", kept, "red", "--json").out.splitlines()]

    hits = BM25Index.load(kept).search("red")
    assert rows == [
        {"rank": rank, "doc_id": hit.doc_id, "score": hit.score} for rank, hit in enumerate(hits, start=1)
    ]


def test_search_with_other_parameters(kept, run):
    """Scheme and numbers can be others than those of the index, without the text."""
    line = run("search", kept, "red", "--scheme", "tfidf", "--dtype", "float64", "--json").out.splitlines()[0]

    hit = BM25Index.load(kept).with_params(scheme="tfidf", dtype="float64").search("red")[0]
    assert json.loads(line)["score"] == hit.score


def test_no_hits_is_said_beside_the_output(kept, run):
    """Nothing found is no mistake: the output is empty, and it is said on standard error."""
    outcome = run("search", kept, "nothing such")

    assert (outcome.status, outcome.out, outcome.errors) == (0, "", ["sparsebm25: no hits"])


def test_a_query_can_begin_with_a_dash(kept, run):
    """After -- a query or an id may begin with a dash, and nothing in a query is an operator."""
    assert run("search", kept, "--", "-kite*").out.split()[2] == "d1"


def test_explain_prints_the_tree(kept, run):
    """The explanation is that of the index, as a tree of lines."""
    assert run("explain", kept, "red kite", "d1").out == f"{BM25Index.load(kept).explain('red kite', 'd1')}\n"


def test_an_id_on_the_command_line_is_text_or_the_number(folder, run, refused):
    """An id that is typed means the text; where only the number is an id, it means the number."""
    Path("mixed.jsonl").write_text(
        '{"id": 7, "text": "red"}\n{"id": "8", "text": "red kite"}\n{"id": 8, "text": "blue"}\n'
    )
    run("index", "mixed.jsonl", "-o", "mixed")
    index = BM25Index.load("mixed")

    assert run("explain", "mixed", "red", "7").out == f"{index.explain('red', 7)}\n"
    assert run("explain", "mixed", "red", "8").out == f"{index.explain('red', '8')}\n"
    assert refused("explain", "mixed", "red", "-9") == "ids not in the index of 3 documents: -9"


def test_info_prints_sizes_and_settings(folder, run):
    """Sizes, scheme with formula and its own numbers, fields and analyzer are printed, one a line."""
    run("index", ".", "-o", "kept", "--scheme", "bm25+", "--fields", "title=2,text", "--language", "english")
    facts = dict(line.split(maxsplit=1) for line in run("info", "kept").out.splitlines())

    assert facts["documents"] == "3"
    assert (facts["scheme"], facts["k1"], facts["b"], facts["delta"]) == ("bm25+", "1.5", "0.75", "1")
    assert facts["formula"].startswith("ln((N + 1) / df)")
    assert facts["fields"] == "title=2, text=1"
    assert "stemmer='english'" in facts["analyzer"]
    assert (facts["dtype"], facts["metadata"]) == ("float32", "no")


def test_info_shows_only_numbers_that_count(kept, run):
    """A number that the scheme does not read is not shown."""
    names = [line.split()[0] for line in run("info", kept).out.splitlines()]

    assert "k1" in names
    assert "delta" not in names
