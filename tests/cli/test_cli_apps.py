"""``code``, ``tools``, ``route`` and ``catalog``: the four rankers, on files of one's own."""

from __future__ import annotations

import gzip
import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import sparsebm25
from sparsebm25.apps.catalog import Catalog
from sparsebm25.apps.catalog._catalog import DEFAULT_FIELDS
from sparsebm25.apps.code import CodeSearch
from sparsebm25.apps.router import Router
from sparsebm25.apps.tools import ToolRanker
from sparsebm25.cli import main
from sparsebm25.cli._tools_input import read_tools

COMMANDS = ("code", "tools", "route", "catalog")

WEATHER = {
    "name": "get_weather",
    "description": "What the sky will do",
    "inputSchema": {
        "type": "object",
        "properties": {"zipCode": {"type": "string", "description": "Postal number"}, "units": True},
    },
}
MAIL = {"name": "mail.send", "description": "Send a message", "inputSchema": {"type": "object"}}
READ = {"name": "files.read", "description": None, "keywords": ["contents", "open"], "category": "disk"}
TOOLS = [WEATHER, MAIL, READ]
ENTRIES = [
    {"name": "Red kites", "description": "Birds of prey."},
    {"name": "Kite club", "tags": ["hobby", "wind"], "description": "Flying of kites."},
    {"name": "", "tags": ["pots", "red"], "description": None},
]
SOURCE = """import os


def load_user(name):
    table = read(name)
    return table


def other():
    pass
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder in which the test stands: tools, entries, synonyms, and a small repository."""
    (tmp_path / "tools.json").write_text(json.dumps(TOOLS))
    (tmp_path / "entries.json").write_text(json.dumps(ENTRIES))
    (tmp_path / "synonyms.json").write_text(json.dumps({"forecast": ["weather"]}))
    repository = tmp_path / "repository"
    repository.mkdir()
    (repository / "users.py").write_text(SOURCE)
    (repository / "colors.py").write_text("RED, BLUE = range(2)\n")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def objects(printed: str) -> list[Any]:
    """Return the JSON objects of lines."""
    return [json.loads(line) for line in printed.splitlines()]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_ends_with_examples(capsys, command):
    """Each command is one that can be run, and its help ends with ways to call it."""
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])

    assert ended.value.code == 0
    assert f"  sparsebm25 {command}" in capsys.readouterr().out.partition("examples:\n")[2]
    assert callable(importlib.import_module(f"sparsebm25.cli._{command}").run)


def test_the_parser_loads_no_app():
    """To parse arguments, no app is loaded."""
    program = (
        "import sys; from sparsebm25.cli._parser import build_parser; build_parser();"
        "print([name for name in sys.modules if name.startswith('sparsebm25.apps')])"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(sparsebm25.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )

    assert done.stdout == "[]\n"


class TestReading:
    """Lists of objects, and what an MCP server lists."""

    @pytest.mark.parametrize(
        "wrapped",
        [TOOLS, {"tools": TOOLS, "nextCursor": "x"}, {"jsonrpc": "2.0", "id": 1, "result": {"tools": TOOLS}}],
        ids=["list", "tools", "result"],
    )
    @pytest.mark.parametrize("command", ["tools", "route", "catalog"])
    def test_every_form_is_the_same_list(self, here, run, command, wrapped):
        """A list, the result of an MCP server and its whole answer give the same output."""
        Path("wrapped.json").write_text(json.dumps(wrapped))
        outcome = run(command, "wrapped.json", "weather")

        assert (outcome.status, outcome.errors) == (0, [])
        assert "get_weather" in outcome.out
        assert outcome.out == run(command, "tools.json", "weather").out

    @pytest.mark.parametrize("command", ["tools", "route"])
    @pytest.mark.parametrize(
        "query", ["zip", "postal", "units", "contents"], ids=["name", "description", "bare", "keywords"]
    )
    def test_inputs_are_text(self, here, run, command, query):
        """A tool is found by the names and descriptions of its inputs, and by its keywords."""
        expected = "files.read" if query == "contents" else "get_weather"

        assert run(command, "tools.json", query).out.splitlines()[0].endswith(f"  {expected}")

    @pytest.mark.parametrize("command", ["tools", "route", "catalog"])
    def test_standard_input(self, here, run, standard_input, command):
        """The file may come from standard input."""
        standard_input("\ufeff" + json.dumps(TOOLS))

        assert run(command, "-", "weather") == run(command, "tools.json", "weather")

    def test_packed_files(self, here, run):
        """A file may be packed."""
        Path("tools.json.gz").write_bytes(gzip.compress(json.dumps(TOOLS).encode()))

        assert run("tools", "tools.json.gz", "weather") == run("tools", "tools.json", "weather")

    def test_servers_are_kept(self, here, run):
        """A tool of a server is shown with it, is found by it, and has it as its category."""
        rows = [{"serverName": "chat", "toolName": "post"}, {"server_name": "disk", "tool_name": "post"}]
        Path("servers.json").write_text(json.dumps(rows))

        assert run("tools", "servers.json", "post chat", "-k", 1).out.endswith("  chat/post\n")
        routed = json.loads(run("route", "servers.json", "post on disk", "--json").out)
        assert routed["candidates"][0]["category"] == "disk"

    @pytest.mark.parametrize("command", ["tools", "route", "catalog"])
    @pytest.mark.parametrize(
        ("content", "said"),
        [
            ("", "bad.json: not JSON: Expecting value: line 1 column 1 (char 0)"),
            ('[{"name": "a"},]', "bad.json: not JSON: "),
            ("[" * 100_000, "bad.json: not JSON: "),
            (b"\xff[]", "bad.json: 'utf-8' codec"),
            ("3", 'bad.json must hold a list of objects or {"tools": [...]}, got 3'),
            ('{"tools": 3}', "bad.json must hold a list of objects or {\"tools\": [...]}, got {'tools': 3}"),
            ('{"name": "a"}', 'bad.json must hold a list of objects or {"tools": [...]}, got '),
            ('[{"name": "a"}, "b"]', "item 1 of bad.json must be an object, got 'b'"),
        ],
        ids=["empty", "comma", "deep", "bytes", "number", "tools", "object", "item"],
    )
    def test_a_malformed_file_is_named(self, here, refused, command, content, said):
        """What is no JSON, or no list of objects, is told with its file and what is allowed."""
        Path("bad.json").write_bytes(content if isinstance(content, bytes) else content.encode())

        assert refused(command, "bad.json", "query").startswith(said)

    @pytest.mark.parametrize("command", ["tools", "route"])
    @pytest.mark.parametrize(
        ("item", "said"),
        [
            ({}, "item 1 must have a name or tool_name or toolName, got {}"),
            ({"name": 3}, "name or tool_name or toolName of item 1 must be a str, got 3"),
            ({"description": []}, "description of item 1 must be a str, got []"),
            ({"keywords": ["a", 3]}, "keywords of item 1 must be a str or a list of str, got ['a', 3]"),
            ({"inputSchema": "x"}, "inputSchema of item 1 must be an object, got 'x'"),
            (
                {"inputSchema": {"properties": []}},
                "inputSchema.properties of item 1 must be an object, got []",
            ),
            (
                {"inputSchema": {"properties": {"x": {"description": 3}}}},
                "description of input 'x' of item 1 must be a str, got 3",
            ),
        ],
        ids=["nameless", "name", "description", "keywords", "schema", "properties", "input"],
    )
    def test_a_malformed_tool_is_named(self, here, refused, command, item, said):
        """A tool of a wrong shape is named by its place, with what is allowed."""
        named = {"name": "b", **item} if item else item
        Path("bad.json").write_text(json.dumps([{"name": "a"}, named]))

        assert refused(command, "bad.json", "query").startswith(said)

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["tools", "nowhere.json", "x"], "nowhere.json: No such file or directory"),
            (["route", "tools.json", "x", "--synonyms", "nowhere.json"], "nowhere.json: No such file"),
            (["route", "tools.json", "x", "--synonyms", "tools.json"], "synonyms must be a mapping"),
            (["route", "-", "x", "--synonyms", "-"], "only one of TOOLS and --synonyms"),
            (["route", "tools.json", "x", "--ranker", "y"], "ranker must be one of 'bm25', 'tfidf', got 'y'"),
            (["route", "tools.json"], "QUERY"),
            (["tools", "tools.json", "x", "-k", "-1"], "k must be an integer >= 0, got -1"),
            (["tools", "tools.json", "x", "-k", "ten"], "invalid int value: 'ten'"),
            (["catalog", "nowhere.json"], "nowhere.json: No such file or directory"),
            (["catalog", "entries.json", "--offset", "-1"], "offset must be an integer >= 0, got -1"),
            (["catalog", "entries.json", "--limit", "0"], "limit must be an integer >= 1, got 0"),
            (["catalog", "entries.json", "--fields", "name=0"], "the weight of field 'name' must be above 0"),
            (["catalog", "entries.json", "--fields", "title"], "entry 0 has none of the fields title"),
            (["code", "nowhere", "x"], "nowhere"),
            (["code", "tools.json", "x"], "tools.json"),
            (["code", "repository", "x", "-k", "-1"], "k must be an integer >= 0, got -1"),
            (["code", "repository", "x", "-C", "-1"], "context must be an integer >= 0, got -1"),
        ],
    )
    def test_a_mistake_is_told_in_one_line(self, here, refused, arguments, said):
        """A mistake is one line that says what is wrong, with exit status 2."""
        assert said in refused(*arguments)


class TestTools:
    """``tools``: the ranker of a list."""

    def test_tools_are_printed(self, here, run):
        """Rank, score and name of the best tools are those of the ranker."""
        outcome = run("tools", "tools.json", "send the weather")
        found = ToolRanker(names=("server_name", "name", "about")).search(
            "send the weather", read_tools("tools.json")
        )

        assert (outcome.status, outcome.errors) == (0, [])
        assert [line.split() for line in outcome.out.splitlines()] == [
            [str(rank), f"{score:.4f}", tool.name] for rank, (tool, score, _) in enumerate(found, start=1)
        ]
        assert len(run("tools", "tools.json", "send the weather", "-k", 1).out.splitlines()) == 1

    def test_json_holds_the_tool_as_given(self, here, run):
        """--json prints one object a tool, with the tool as the file has it; --explain adds matches."""
        (plain,) = objects(run("tools", "tools.json", "send", "--json").out)
        (explained,) = objects(run("tools", "tools.json", "send", "--json", "--explain").out)

        assert plain == {"rank": 1, "score": pytest.approx(plain["score"]), "tool": MAIL}
        assert explained == {**plain, "matches": [{"term": "send", "contribution": plain["score"]}]}

    def test_explain_shows_words(self, here, run):
        """--explain prints under a tool what each word adds to its score."""
        first, second = run("tools", "tools.json", "send", "--explain").out.splitlines()

        assert second.split() == ["send", first.split()[1]]

    def test_compatible_words(self, here, run):
        """--compatible does not split names, so that a part of one finds nothing."""
        assert run("tools", "tools.json", "zip").out
        outcome = run("tools", "tools.json", "zip", "--compatible")

        assert (outcome.status, outcome.out, outcome.errors) == (0, "", ["sparsebm25: no tools"])


class TestRoute:
    """``route``: candidates, confidence and guidance."""

    def test_a_route_is_printed(self, here, run):
        """Candidates are printed with rank and score, then confidence and guidance."""
        outcome = run("route", "tools.json", "send a message")
        expected = Router(read_tools("tools.json")).route("send a message")

        *candidates, confidence, guidance = outcome.out.splitlines()
        assert (outcome.status, outcome.errors) == (0, [])
        assert [line.split() for line in candidates] == [
            [str(rank), f"{each.score:.4f}", each.tool] for rank, each in enumerate(expected.candidates, 1)
        ]
        assert (confidence, guidance) == ("confidence: high", expected.guidance)

    def test_json_is_the_route(self, here, run):
        """--json prints the route as one object."""
        expected = Router(read_tools("tools.json"), ranker="tfidf").route("send a message", 1)
        outcome = run("route", "tools.json", "send a message", "--ranker", "tfidf", "-k", 1, "--json")

        assert json.loads(outcome.out) == expected.to_dict()

    def test_nothing_fits(self, here, run):
        """Where nothing fits there is only the guidance."""
        out = run("route", "tools.json", "xyzzy", "--explain").out

        assert out.startswith("confidence: none\nNo tools look relevant")

    def test_synonyms_find_more(self, here, run):
        """--synonyms names a file of words that others may mean."""
        assert "get_weather" not in run("route", "tools.json", "forecast").out
        assert "get_weather" in run("route", "tools.json", "forecast", "--synonyms", "synonyms.json").out

    def test_explain_changes_no_rank(self, here, run):
        """--explain adds matches to the same candidates, in text and in JSON."""
        plain, explained = (
            json.loads(run("route", "tools.json", "send weather", "--json", *options).out)
            for options in ([], ["--explain"])
        )
        matches = [candidate.pop("matches") for candidate in explained["candidates"]]

        assert plain == explained
        assert sorted(match["term"] for each in matches for match in each) == ["send", "weather"]
        assert " send " in run("route", "tools.json", "send weather", "--explain").out

    def test_compatible_scores_have_three_decimals(self, here, run):
        """--compatible is the router that is replaced."""
        expected = Router(read_tools("tools.json"), compatible=True).route("send a message")
        outcome = run("route", "tools.json", "send a message", "--compatible", "--json")

        assert json.loads(outcome.out) == expected.to_dict()


class TestCatalog:
    """``catalog``: pages of what a query means, or of the listing."""

    def test_entries_are_printed(self, here, run):
        """Rank, score, name and matched terms of the entries are those of the catalog."""
        outcome = run("catalog", "entries.json", "red kites")

        assert (outcome.status, outcome.errors) == (0, [])
        assert [line.split() for line in outcome.out.splitlines()] == [
            ["1", "18", "Red", "kites", "(red,", "kites)"],
            ["2", "9", "Kite", "club", "(kites)"],
            ["3", "6", "pots,", "red", "(red)"],
        ]

    def test_without_a_query_all_are_listed(self, here, run):
        """Without a query there is the listing, page by page; where the next page starts is said."""
        first = run("catalog", "entries.json", "--limit", 2)
        second = run("catalog", "entries.json", "--limit", 2, "--offset", 2)
        beyond = run("catalog", "entries.json", "--offset", 9)

        assert first.out.splitlines() == ["   1  Red kites", "   2  Kite club"]
        assert first.errors == ["sparsebm25: 3 entries in all; the next page has --offset 2"]
        assert (second.out, second.errors) == ("   3  pots, red\n", [])
        assert (beyond.out, beyond.errors) == ("", ["sparsebm25: 3 entries in all"])

    @pytest.mark.parametrize("query", [[], ["kites"]], ids=["listing", "search"])
    def test_json_is_the_page(self, here, run, query):
        """--json prints the page as one object."""
        outcome = run("catalog", "entries.json", *query, "--offset", 1, "--limit", 1, "--json")

        assert json.loads(outcome.out) == Catalog(ENTRIES).page(*(query or [None]), 1, 1).to_dict()
        assert outcome.errors == []

    def test_nothing_found_is_guided(self, here, run):
        """Where nothing is found the guidance names the way to a listing on the command line."""
        outcome = run("catalog", "entries.json", "zebra")

        assert (outcome.status, outcome.out) == (0, "")
        assert "leave the query out" in outcome.errors[0]

    def test_fields_and_noise(self, here, run):
        """--fields says what is searched and what it is worth, --noise which words say nothing."""
        options = ("--fields", "description=5", "--noise", "birds,club")
        page = json.loads(run("catalog", "entries.json", "kites club", *options, "--json").out)

        expected = Catalog(ENTRIES, {"description": 5}, noise=["birds", "club"]).page("kites club")
        assert page == expected.to_dict()
        assert page["terms"] == ["kites"]

    def test_compatible_guidance(self, here, run):
        """--compatible is the catalog search that is replaced, its words included."""
        expected = Catalog(ENTRIES, compatible=True).page("zebra")
        outcome = run("catalog", "entries.json", "zebra", "--compatible", "--json")

        assert json.loads(outcome.out) == expected.to_dict()

    def test_help_names_the_usual_fields(self, capsys):
        """The help of ``catalog`` names the fields that the catalog takes by default."""
        with pytest.raises(SystemExit):
            main(["catalog", "--help"])
        usual = ",".join(f"{name}={weight:g}" for name, weight in DEFAULT_FIELDS.items())

        assert usual in "".join(capsys.readouterr().out.split())


class TestCode:
    """``code``: files of a repository, with the lines that answer."""

    def test_files_and_lines_are_printed(self, here, run):
        """A file is printed with its score, and below it its lines with their numbers, as in the file."""
        outcome = run("code", "repository", "read a user")
        (hit,) = CodeSearch.open("repository", cache=False).search("read a user")

        assert (outcome.status, outcome.errors) == (0, [])
        assert outcome.out.splitlines() == [
            f"users.py  {hit.score:.4f}",
            "     4: def load_user(name):",
            "     5:     table = read(name)",
        ]

    def test_context_is_merged(self, here, run):
        """With -C lines around are shown once each, and gaps between them are marked."""
        lines = run("code", "repository", "import other", "-C", 1).out.splitlines()

        assert lines[1:] == [
            "     1: import os",
            "     2-",
            "     --",
            "     8-",
            "     9: def other():",
            "    10-     pass",
        ]
        overlapping = run("code", "repository", "read a user", "--context", 1).out.splitlines()
        assert overlapping[1:] == [
            "     3-",
            "     4: def load_user(name):",
            "     5:     table = read(name)",
            "     6-     return table",
        ]

    def test_json_is_the_hit(self, here, run):
        """--json prints one object a file, with rank, lines and the lines around them."""
        hits = CodeSearch.open("repository", cache=False).search("load_user red", context=2)
        outcome = run("code", "repository", "load_user red", "--json", "-C", 2)

        expected = [{"rank": rank, **hit.to_dict()} for rank, hit in enumerate(hits, 1)]
        assert objects(outcome.out) == json.loads(json.dumps(expected))
        assert len(objects(run("code", "repository", "load_user red", "--json", "-k", 1).out)) == 1

    def test_exact_hits_are_marked(self, here, run):
        """A file that holds the query literally is marked."""
        assert run("code", "repository", '"def load_user"').out.splitlines()[0].endswith("  exact")

    def test_nothing_found(self, here, run):
        """If nothing is found, the number of files is said."""
        outcome = run("code", "repository", "xyzzy")

        assert (outcome.status, outcome.out) == (0, "")
        assert outcome.errors == ["sparsebm25: no hits in 2 files"]

    @pytest.mark.parametrize(
        ("terminal", "no_color", "options", "colored"),
        [
            (True, None, [], True),
            (True, "", [], True),
            (True, "1", [], False),
            (False, None, [], False),
            (True, None, ["--json"], False),
        ],
        ids=["terminal", "empty", "NO_COLOR", "pipe", "json"],
    )
    def test_colors_are_for_terminals(self, here, run, monkeypatch, terminal, no_color, options, colored):
        """Paths and numbers have colors on a terminal, unless NO_COLOR holds anything; JSON never has."""
        monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal, raising=False)
        monkeypatch.delenv("NO_COLOR", raising=False)
        if no_color is not None:
            monkeypatch.setenv("NO_COLOR", no_color)
        out = run("code", "repository", "load_user", *options).out

        assert ("\x1b[35musers.py\x1b[0m" in out) == colored
        assert ("\x1b" in out) == colored

    def test_the_index_is_kept_in_the_cache_folder(self, here, run):
        """An index is kept in the user's cache folder, but not with --no-cache; nothing in the repository."""
        before = sorted(Path("repository").iterdir())
        run("code", "repository", "user", "--no-cache")
        assert not Path("cache").exists()

        first = run("code", "repository", "user")
        assert any(path.is_file() for path in Path("cache").rglob("*"))
        assert first == run("code", "repository", "user") == run("code", "repository", "user", "--rebuild")
        assert sorted(Path("repository").iterdir()) == before

    def test_what_cannot_be_kept_is_noted(self, here, run, monkeypatch):
        """If the index cannot be kept, that is one line, and the search goes on."""
        Path("occupied").write_text("no folder")
        monkeypatch.setenv("XDG_CACHE_HOME", str(here / "occupied"))
        outcome = run("code", "repository", "load_user")

        assert outcome.out.startswith("users.py")
        assert len(outcome.errors) == 1
        assert outcome.errors[0].startswith("sparsebm25: ")

    def test_skipped_files_are_noted(self, here, run):
        """Files that are too large are counted and named with the reason."""
        Path("repository/large.py").write_bytes(b"x = 1\n" * 200_000)
        outcome = run("code", "repository", "load_user")

        assert outcome.errors == ["sparsebm25: skipped 1 file, such as large.py (larger than 1048576 bytes)"]

    def test_compatible_files(self, here, run):
        """--compatible is the tool that is replaced."""
        expected = CodeSearch.open("repository", compatible=True, cache=False).search("user table")
        outcome = run("code", "repository", "user table", "--compatible", "--no-cache", "--json")

        assert [(row["path"], row["score"]) for row in objects(outcome.out)] == [
            (hit.path, hit.score) for hit in expected
        ]
