"""What every command promises: one line for a mistake, an exit status, and quiet where a user wants quiet."""

from __future__ import annotations

import importlib
import os
import shlex
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import sparsebm25
from sparsebm25.cli import main
from sparsebm25.cli._output import PATIENCE, progress
from sparsebm25.cli._parser import COMMANDS as TABLE
from sparsebm25.cli._parser import build_parser
from sparsebm25.datasets.readers import FORMATS

COMMANDS = (
    "rank",
    "index",
    "search",
    "explain",
    "info",
    "compare",
    "demo",
    "code",
    "tools",
    "route",
    "catalog",
)
PROGRAM = [sys.executable, "-m", "sparsebm25"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(sparsebm25.__file__).parents[1])}


def test_every_command_has_help_with_examples(capsys):
    """``--help`` of each command ends with ways to call it, and that of the program names every command."""
    pages = {}
    for arguments in ([], *([command] for command in COMMANDS)):
        with pytest.raises(SystemExit) as ended:
            main([*arguments, "--help"])
        assert ended.value.code == 0
        pages[" ".join(arguments)] = capsys.readouterr().out

    assert all(f"\n    {command} " in pages[""] for command in COMMANDS)
    for command in COMMANDS:
        assert f"  sparsebm25 {command}" in pages[command].partition("examples:\n")[2]


def test_every_example_can_be_parsed():
    """Each example in the help is a call that the program understands."""
    for command in TABLE:
        for example in command.examples:
            arguments = [command.name, *_shell_words(example)]
            assert build_parser().parse_args(arguments).command == command.name


def _shell_words(example: str) -> list[str]:
    """Return the words of a command up to a pipe or a redirection."""
    words = shlex.split(example)
    ends = [place for place, word in enumerate(words) if word in ("|", "<")]
    return words[: ends[0]] if ends else words


def test_help_names_what_the_tables_hold(capsys):
    """The help of ``rank`` names every format and every scheme that there is."""
    with pytest.raises(SystemExit):
        main(["rank", "--help"])
    words = capsys.readouterr().out.replace(",", " ").split()

    assert {*FORMATS, *sparsebm25.SCHEMES} <= set(words)


def test_version(capsys):
    """``--version`` prints the version of the package."""
    with pytest.raises(SystemExit) as ended:
        main(["--version"])

    assert ended.value.code == 0
    assert capsys.readouterr().out == f"sparsebm25 {sparsebm25.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "COMMAND"),
        (["fly"], "invalid choice: 'fly'"),
        (["rank"], "CORPUS"),
        (["rank", "corpus.jsonl", "queries.jsonl", "--k", "ten"], "--k: invalid int value: 'ten'"),
        (["rank", "corpus.jsonl", "queries.jsonl", "--sch", "lucene"], "--sch"),
        (
            ["rank", "corpus.jsonl", "queries.jsonl", "--k1", "nan"],
            "k1 must be a finite number >= 0, got nan",
        ),
        (["rank", "corpus.jsonl", "queries.jsonl", "--b", "-1"], "b must be a finite number in [0, 1]"),
        (["rank", "corpus.jsonl", "queries.jsonl", "--scheme", "bm52"], "scheme must be lucene"),
        (["rank", "corpus.jsonl", "queries.jsonl", "--language", "elvish"], "language must be one of"),
        (["rank", "corpus.jsonl", "queries.jsonl", "--tokens", "x"], "tokens must be one of"),
        (
            ["rank", "corpus.jsonl", "queries.jsonl", "--stopwords", "x"],
            "--stopwords must be lucene, none, or",
        ),
        (["rank", "corpus.jsonl", "queries.jsonl", "--fields", "a=b"], "must be like title=2,text=1"),
        (["rank", "corpus.jsonl", "queries.jsonl", "--text-fields", "a,"], "names with commas between"),
        (
            ["rank", "corpus.jsonl", "queries.jsonl", "--fields", "a", "--text-fields", "a"],
            "not allowed with",
        ),
        (["rank", "corpus.jsonl", "queries.jsonl", "--format", "xml"], "format must be one of"),
        (["rank", "corpus.jsonl", "queries.jsonl", "--ties", "x"], "ties must be one of"),
        (["rank", "corpus.jsonl", "queries.jsonl", "--tag", "two words"], "tag must be text without white"),
        (["rank", "corpus.jsonl", "queries.jsonl", "--n-jobs", "0"], "n_jobs must be an integer >= 1"),
        (["rank", "corpus.jsonl", "queries.jsonl", "--out", "no/run"], "there is no folder"),
        (["rank", "nowhere.jsonl", "queries.jsonl"], "nowhere.jsonl: no such file or folder"),
        (["rank", "corpus.jsonl", "nowhere.jsonl"], "nowhere.jsonl: no such file or folder"),
        (["rank", "corpus.jsonl"], "QUERIES can be left out only if CORPUS is a BEIR folder"),
        (["rank", "-", "-"], "only one of CORPUS and QUERIES"),
        (
            ["compare", "corpus.jsonl", "queries.jsonl"],
            "QRELS can be left out only if CORPUS is a BEIR folder",
        ),
        (["compare", ".", "--split", "dev"], "--split must be one of 'test', got 'dev'"),
        (["compare", ".", "--measures", "R"], "R needs a cutoff"),
        (["compare", ".", "--schemes", "lucene,x"], "scheme must be lucene"),
        (["index", "corpus.jsonl", "-o", "."], "is not an index"),
        (["search", "nowhere", "red"], "nowhere is not an index"),
        (["info", "."], "is not an index"),
    ],
)
def test_a_mistake_is_told_in_one_line(folder, refused, arguments, said):
    """A mistake is one line on standard error that says what is wrong, with exit status 2."""
    before = sorted(folder.iterdir())

    assert said in refused(*arguments)
    assert sorted(folder.iterdir()) == before


def test_an_error_of_many_lines_is_told_in_one(folder, refused):
    """Even an error whose text has line ends is told in one line."""
    assert "nowhere x.jsonl" in refused("rank", "nowhere\nx.jsonl", "queries.jsonl")


def test_an_unknown_document_is_named(folder, run, refused):
    """A document that the index does not hold is named, and no traceback is shown."""
    run("index", ".", "-o", "kept")

    assert refused("explain", "kept", "red", "d9") == "ids not in the index of 3 documents: 'd9'"


def test_a_fault_of_ours_is_not_hidden(folder, monkeypatch):
    """An error that no user can put right is not told as if one could."""
    monkeypatch.setattr(sparsebm25.BM25Index, "fit", lambda *_, **__: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        main(["index", ".", "-o", "kept"])


def test_ctrl_c_is_quiet(folder, run, monkeypatch):
    """Ctrl-C ends with status 130 and without a word."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(sparsebm25.BM25Index, "fit", interrupted)
    outcome = run("index", ".", "-o", "kept")

    assert (outcome.status, outcome.out, outcome.errors) == (130, "", [])


def test_it_runs_as_a_module(folder):
    """``python -m sparsebm25`` runs a command, and its status is that of the process."""
    good = subprocess.run(
        [*PROGRAM, "rank", ".", "--k", "1"], env=ENVIRONMENT, capture_output=True, text=True
    )
    bad = subprocess.run([*PROGRAM, "info", "nowhere"], env=ENVIRONMENT, capture_output=True, text=True)

    assert [line.split()[:3] for line in good.stdout.splitlines()] == [["q1", "Q0", "d1"], ["q2", "Q0", "d2"]]
    assert (good.returncode, good.stderr) == (0, "")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr.startswith("sparsebm25: error: nowhere is not an index")
    assert bad.stderr.count("\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX pipes")
def test_a_closed_pipe_is_quiet(tmp_path):
    """Whoever reads the output may go away: no traceback, no complaint."""
    (tmp_path / "documents.txt").write_text("red\n" * 400)
    (tmp_path / "queries.txt").write_text("red\n" * 400)
    with subprocess.Popen(
        [*PROGRAM, "rank", "documents.txt", "queries.txt"],
        env=ENVIRONMENT,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read()

    assert said == b""
    assert process.returncode == 141


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_a_terminated_run_leaves_nothing(folder):
    """A process that is told to end while it writes leaves no file, not even an unfinished one."""
    before = sorted(folder.iterdir())
    with subprocess.Popen(
        [*PROGRAM, "rank", "-", "queries.jsonl", "--out", "run.trec"],
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        while sorted(folder.iterdir()) == before and process.poll() is None:
            time.sleep(0.01)  # until it has opened its output; its input stays open
        process.send_signal(signal.SIGTERM)
        process.wait()
        assert process.stderr is not None
        assert process.stderr.read() == b""

    assert process.returncode == 128 + signal.SIGTERM
    assert sorted(folder.iterdir()) == before


def test_the_handler_of_signals_is_given_back(folder, run):
    """After a command the process reacts to SIGTERM as it did before."""
    before = signal.getsignal(signal.SIGTERM)
    run("info", "nowhere")

    assert signal.getsignal(signal.SIGTERM) is before


def test_it_runs_in_any_thread(folder):
    """A command may be run in a thread, where signals cannot be handled."""
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(main, ["index", ".", "-o", "kept"]).result() == 0


def test_progress_is_for_terminals(capsys):
    """Where standard error is no terminal nothing shows progress, unless it is asked for."""
    items = ["a", "b"]

    assert progress(items, "documents", wanted=None) is items
    assert progress(items, "documents", wanted=False) is items
    assert list(progress(items, "documents", wanted=True)) == items
    assert capsys.readouterr().err == ""  # the work was short


def test_progress_waits(monkeypatch):
    """Progress is shown after two seconds of work, and on a terminal without being asked for."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    shown = progress(["a"], "documents", wanted=None)

    assert (PATIENCE, shown.delay) == (2.0, 2.0)
    assert list(shown) == ["a"]


def test_commands_load_only_what_they_need():
    """To parse arguments, neither readers, nor measures, nor tqdm are loaded."""
    program = (
        "import sys; from sparsebm25.cli import main; main(['info', 'nowhere']);"
        "print(sorted({'sparsebm25.datasets', 'sparsebm25.evaluation', 'tqdm'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=ENVIRONMENT, capture_output=True, text=True, check=True
    )

    assert done.stdout == "[]\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_its_module(command):
    """The parser's commands are those that can be run."""
    assert callable(importlib.import_module(f"sparsebm25.cli._{command}").run)
