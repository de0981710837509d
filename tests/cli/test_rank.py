"""``rank``: every layout in, one TREC run out, whole or not at all."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sparsebm25 import Analyzer, BM25Index, Run
from sparsebm25.cli._rank import named_runs
from sparsebm25.runs import write_trec

TEXTS = {"d1": "red kite", "d2": "red red pot", "d3": "blue lake"}
ASKED = {"q1": "red kite", "q2": "lake"}


def expected_run(**options: Any) -> Run:
    """Return the run of `TEXTS` for `ASKED`."""
    index = BM25Index(**options).fit(TEXTS.values(), list(TEXTS))
    return index.search_many(ASKED.values(), 1000, query_ids=list(ASKED))


def jsonl(rows: dict[str, str]) -> str:
    """Return JSON lines of ids and texts."""
    return "".join(json.dumps({"id": name, "text": text}) + "\n" for name, text in rows.items())


def tsv(rows: dict[str, str]) -> str:
    """Return lines of an id, a tab and a text."""
    return "".join(f"{name}\t{text}\n" for name, text in rows.items())


def csv(rows: dict[str, str]) -> str:
    """Return CSV with a header."""
    return "id,text\n" + "".join(f'{name},"{text}"\n' for name, text in rows.items())


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder in which the test stands, with a corpus and queries as TSV."""
    (tmp_path / "corpus.tsv").write_text(tsv(TEXTS))
    (tmp_path / "queries.tsv").write_text(tsv(ASKED))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gz"])
@pytest.mark.parametrize("layout", [jsonl, tsv, csv], ids=["jsonl", "tsv", "csv"])
def test_every_file_gives_the_same_run(here, run, layout: Callable[[dict[str, str]], str], packed):
    """JSONL, TSV and CSV, packed or not, give the run that the index gives."""
    ending = layout.__name__ + (".gz" if packed else "")
    for name, rows in (("docs", TEXTS), ("asked", ASKED)):
        content = layout(rows).encode()
        (here / f"{name}.{ending}").write_bytes(gzip.compress(content) if packed else content)
    outcome = run("rank", f"docs.{ending}", f"asked.{ending}", "--out", "run.trec")

    assert (outcome.status, outcome.out, outcome.errors) == (0, "", [])
    assert Run.from_trec(here / "run.trec") == expected_run()


def test_a_folder_of_texts(here, run):
    """Documents may be the files of a folder."""
    (here / "texts").mkdir()
    for name, text in TEXTS.items():
        (here / "texts" / name).write_text(text)
    run("rank", "texts", "queries.tsv", "--out", "run.trec")

    assert Run.from_trec("run.trec") == expected_run()


def test_standard_output_is_the_same_as_a_file(here, run):
    """Without --out the run goes to standard output, byte for byte as into a file."""
    printed = run("rank", "corpus.tsv", "queries.tsv", "--tag", "mine").out
    run("rank", "corpus.tsv", "queries.tsv", "--tag", "mine", "--out", "run.trec")

    assert printed == Path("run.trec").read_text()
    assert printed.splitlines()[0].endswith(" mine")


@pytest.mark.parametrize("arguments", [("-", "queries.tsv", "--format", "tsv"), ("corpus.tsv", "-")])
def test_standard_input(here, run, standard_input, arguments):
    """The corpus, or the queries, may come from standard input: JSON lines, or what --format says."""
    standard_input(tsv(TEXTS) if arguments[0] == "-" else jsonl(ASKED))

    assert run("rank", *arguments, "--out", "run.trec").errors == []
    assert Run.from_trec("run.trec") == expected_run()


def test_a_beir_folder_has_its_queries(folder, run):
    """Of a BEIR folder title and text are ranked for its own queries, unless others are named."""
    own, named = run("rank", "."), run("rank", ".", "queries.jsonl", "--queries-format", "jsonl")

    assert own.out == named.out
    assert [line.split()[:3:2] for line in own.out.splitlines()] == [
        ["q1", "d1"],
        ["q2", "d2"],
        ["q2", "d1"],
    ]


def test_k_limits_the_hits(here, run):
    """--k is the number of hits a query; asking for none is a mistake, not an empty run."""
    assert len(run("rank", "corpus.tsv", "queries.tsv", "--k", 1).out.splitlines()) == 2
    outcome = run("rank", "corpus.tsv", "queries.tsv", "--k", 0)
    assert (outcome.status, outcome.out) == (2, "")
    assert "at least 1, got 0" in " ".join(outcome.errors)


def test_the_output_is_not_the_input(here, run):
    """A run is never written over the corpus or the queries that it is made from."""
    for source in ("corpus.tsv", "queries.tsv"):
        before = (here / source).read_text()
        outcome = run("rank", "corpus.tsv", "queries.tsv", "--out", source)
        assert outcome.status == 2
        assert "--out must not be a file that is read" in " ".join(outcome.errors)
        assert (here / source).read_text() == before


def test_options_are_those_of_the_index(here, run):
    """Scheme, numbers, dtype and the options of the analyzer reach the index."""
    (here / "stop.txt").write_text("\ufeffred\npot\n")
    options = (
        "--scheme bm25+ --k1 0.9 --b 0.4 --delta 0.5 --dtype float64 --tokens sklearn --stopwords stop.txt"
    )
    run("rank", "corpus.tsv", "queries.tsv", *options.split(), "--stemmer", "english", "--out", "run.trec")

    analyzer = Analyzer(tokens="sklearn", stopwords={"red", "pot"}, stemmer="english")
    wanted = expected_run(scheme="bm25+", k1=0.9, b=0.4, delta=0.5, dtype="float64", analyzer=analyzer)
    assert Run.from_trec("run.trec") == wanted


def test_a_language_brings_its_stop_words_unless_there_shall_be_none(folder, run):
    """English drops its stop words; --stopwords none keeps them."""
    Path("the.txt").write_text("the\n")

    assert run("rank", ".", "the.txt", "--language", "english").out == ""
    kept = run("rank", ".", "the.txt", "--language", "english", "--stopwords", "none").out
    assert kept.split()[2] == "d1"


def test_fields_are_weighed(folder, run):
    """With --fields title and text are kept apart and weighed as BM25F."""
    outcome = run("rank", ".", "--fields", "title=3,text", "--out", "run.trec")

    rows = [json.loads(line) for line in Path("corpus.jsonl").read_text().splitlines()]
    index = BM25Index(fields={"title": 3.0, "text": 1.0}).fit(
        [{"title": row["title"], "text": row["text"]} for row in rows], [row["_id"] for row in rows]
    )
    assert outcome.errors == []
    assert Run.from_trec("run.trec") == index.search_many(["kite lake", "red"], 1000, query_ids=["q1", "q2"])


def test_parts_can_be_named(here, run):
    """--id-field and --text-fields name what the id and the text are."""
    (here / "own.csv").write_text("key,name,about\n" + "".join(f"{k},,{v}\n" for k, v in TEXTS.items()))
    run(
        *("rank", "own.csv", "queries.tsv", "--id-field", "key", "--text-fields", "name,about"),
        *("--out", "run.trec"),
    )

    assert Run.from_trec("run.trec") == expected_run()


def test_ties_can_be_kept_for_evaluators(here, run):
    """With --ties rank equal scores are written as falling ones, with --ties scores as they are."""
    (here / "same.txt").write_text("owl\nowl\n")
    (here / "owl.txt").write_text("owl\n")

    def scores(ties: str) -> list[float]:
        lines = run("rank", "same.txt", "owl.txt", "--ties", ties).out.splitlines()
        return [float(line.split()[4]) for line in lines]

    assert scores("scores")[0] == scores("scores")[1] == scores("rank")[0] > scores("rank")[1]


def test_threads_change_nothing(here, run):
    """Any number of threads gives the same bytes."""
    one, more = (run("rank", "corpus.tsv", "queries.tsv", "--n-jobs", n).out for n in (1, -1))

    assert one == more != ""


def test_empty_input_is_no_mistake(here, run):
    """No documents, or no queries, give an empty run."""
    (here / "none.tsv").write_text("")

    for arguments in (("none.tsv", "queries.tsv"), ("corpus.tsv", "none.tsv")):
        outcome = run("rank", *arguments)
        assert (outcome.status, outcome.out, outcome.errors) == (0, "", [])


def test_a_malformed_line_is_named(here, refused):
    """A malformed line ends the run; file and line are named."""
    (here / "bad.tsv").write_text("d1\tred\nno tab here\n")

    assert refused("rank", "bad.tsv", "queries.tsv").startswith("bad.tsv:2: an id, a tab and a text")


def test_malformed_lines_can_be_skipped(here, run):
    """With --skip-bad malformed lines of corpus and queries are skipped, counted and named."""
    (here / "bad.tsv").write_text(f"{tsv(TEXTS)}no tab here\n")
    (here / "bad-queries.tsv").write_text(f"{tsv(ASKED)}nor here\n")
    outcome = run("rank", "bad.tsv", "bad-queries.tsv", "--skip-bad", "--out", "run.trec")

    assert outcome.status == 0
    assert outcome.errors[0] == "sparsebm25: skipped 2 malformed lines, such as"
    assert [line.split(": ")[1] for line in outcome.errors[1:]] == ["bad.tsv:4", "bad-queries.tsv:3"]
    assert Run.from_trec("run.trec") == expected_run()


@pytest.mark.parametrize(
    ("name", "rows"), [("corpus.tsv", TEXTS), ("queries.tsv", ASKED)], ids=["documents", "queries"]
)
def test_an_id_given_twice_is_named(here, refused, name, rows):
    """A document id or a query id that occurs twice is named."""
    first = next(iter(rows))
    (here / name).write_text(f"{tsv(rows)}{first}\tagain\n")

    assert repr(first) in refused("rank", "corpus.tsv", "queries.tsv", "--out", "run.trec")
    assert not (here / "run.trec").exists()


def test_a_failed_run_leaves_what_was_there(here, refused):
    """If a run fails after much was written, the old file stays as it was, and nothing else is left."""
    many = "".join(f"q{n}\tred\n" for n in range(5000))
    (here / "many.tsv").write_text(f"{many}no tab here\n")
    (here / "run.trec").write_text("old")
    before = sorted(here.iterdir())

    assert "many.tsv:5001" in refused("rank", "corpus.tsv", "many.tsv", "--out", "run.trec")
    assert (here / "run.trec").read_text() == "old"
    assert sorted(here.iterdir()) == before


def test_an_interrupted_run_leaves_what_was_there(here, run, monkeypatch):
    """After Ctrl-C in the middle the old file stays as it was, and nothing else is left."""
    chunks = BM25Index.search_chunks

    def interrupted(self: BM25Index, *arguments: Any, **options: Any) -> Iterator[Run]:
        yield from chunks(self, *arguments, **options)
        raise KeyboardInterrupt

    monkeypatch.setattr(BM25Index, "search_chunks", interrupted)
    (here / "run.trec").write_text("old")
    before = sorted(here.iterdir())

    assert run("rank", "corpus.tsv", "queries.tsv", "--out", "run.trec").status == 130
    assert (here / "run.trec").read_text() == "old"
    assert sorted(here.iterdir()) == before


def test_queries_keep_their_ids_over_chunks():
    """Runs that are made in chunks carry the ids of their own queries, and together are one batch."""
    index = BM25Index().fit(TEXTS.values(), list(TEXTS))
    asked = {f"q{n}": text for n, text in enumerate(["red", "kite", "lake pot", "none"] * 3)}

    class Small(BM25Index):
        def search_chunks(self, *arguments: Any, **options: Any) -> Iterator[Run]:
            return index.search_chunks(*arguments, chunk_size=5, **options)

    chunks = list(named_runs(Small(), iter(asked.items()), 2, 1))

    assert [len(chunk) for chunk in chunks] == [5, 5, 2]
    assert Run.concatenate(chunks) == index.search_many(asked.values(), 2, query_ids=list(asked))


@pytest.mark.parametrize(
    ("name", "qrels", "n_queries", "ndcg"),
    [("scifact", "qrels.tsv", 300, 0.6863), ("cranfield", "qrels.binary1837.tsv", 225, 0.5227)],
)
def test_published_quality(shared_data, tmp_path, run, name, qrels, n_queries, ndcg):
    """The run of a real collection has the quality that other engines reach, by another evaluator."""
    ir_measures = pytest.importorskip("ir_measures", reason="needs ir_measures (extra `eval`)")
    target = tmp_path / "run.trec"
    options = ("--language", "english", "--tokens", "sklearn", "--out", target)
    assert run("rank", shared_data / name, *options).status == 0

    judged = list(ir_measures.read_trec_qrels(str(shared_data / name / qrels)))
    ranked = list(ir_measures.read_trec_run(str(target)))
    measure = ir_measures.nDCG @ 10
    assert len({each.query_id for each in ranked}) == n_queries
    assert ir_measures.calc_aggregate([measure], judged, ranked)[measure] == pytest.approx(ndcg, abs=0.001)


def test_written_as_it_is_made(here, run, monkeypatch):
    """The run is written chunk by chunk: `write_trec` is handed a stream, not a list."""
    handed: list[Any] = []
    monkeypatch.setattr(
        "sparsebm25.cli._rank.write_trec",
        lambda runs, *rest, **options: handed.append(runs) or write_trec(runs, *rest, **options),
    )
    run("rank", "corpus.tsv", "queries.tsv")

    assert isinstance(handed[0], Iterator)
