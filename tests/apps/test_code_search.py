"""Search in code finds files by names, parts of names and paths, and shows the lines that answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from repository import grown

from sparsebm25.apps.code import CodeHit, CodeLine, CodeSearch

FILES = {
    "server/http.py": "class HTTPServer:\n    def parseHTTPHeader(self, line):\n        return line\n",
    "server/users.py": "TABLE = {}\n\n\ndef load_user(name):\n    return TABLE[name]\n",
    "client.py": "from server.users import load_user\n\nprint(load_user('kite'))\n",
    "docs/notes.md": "Load the header of a user table.\nHeaders are parsed lazily.\n",
    "größe.py": "größeWert = 1\nнайтиПользователя = None\n",
}


@pytest.fixture(scope="module")
def search(tmp_path_factory) -> CodeSearch:
    """Return a search over a small repository."""
    return CodeSearch.open(grown(tmp_path_factory.mktemp("repository"), FILES), cache=False)


def paths(hits: list[CodeHit]) -> list[str]:
    """Return the paths of hits, best first."""
    return [hit.path for hit in hits]


@pytest.mark.case("U05")
def test_names_are_found_whole_and_by_their_parts(search):
    """A part of a name finds it, in any spelling; the full name ranks its file first."""
    assert {"server/http.py", "docs/notes.md"} == set(paths(search.search("header")))
    assert paths(search.search("parseHTTPHeader"))[0] == "server/http.py"
    assert paths(search.search("http server"))[0] == "server/http.py"
    assert set(paths(search.search("LoadUser"))) == {"server/users.py", "client.py", "docs/notes.md"}


@pytest.mark.case("A19")
def test_the_path_is_a_strong_signal(tmp_path):
    """A file named for what is asked precedes one that mentions it more often."""
    grown(tmp_path, {"src/parser.py": "parser = 1\nother = 2\n", "src/util.py": "parser\nparser\nparser\n"})

    assert paths(CodeSearch.open(tmp_path, cache=False).search("parser")) == ["src/parser.py", "src/util.py"]


def test_a_path_alone_is_a_hit(search):
    """A file whose path fits is found though its text does not; it has no lines to show."""
    (hit,) = search.search("notes")

    assert (hit.path, hit.lines, hit.exact) == ("docs/notes.md", (), False)


def test_lines_are_the_best_not_the_first(tmp_path):
    """Of many matching lines, those with most and rarest of the names are shown, best first."""
    lines = ["user = 1"] * 5 + ["def load(user):", "    cache.load_user(user)"]
    grown(tmp_path, {"a.py": "\n".join(lines), "b.py": "user", "c.py": "def x(): pass"})

    (hit, _) = CodeSearch.open(tmp_path, cache=False).search("load user", lines=2)

    assert hit.lines == (
        CodeLine(6, "def load(user):", ("load", "user")),
        CodeLine(7, "    cache.load_user(user)", ("load", "user")),
    )


def test_unicode_names(search):
    """Names in any script are split and found."""
    assert paths(search.search("größe")) == ["größe.py"]
    assert paths(search.search("пользователя")) == ["größe.py"]


def test_literal_queries_put_exact_lines_first(tmp_path):
    """A quoted query or a name of several parts lifts the files that hold it literally over better scores."""
    files = {
        "a.py": "get user name\n" * 20,
        "b.py": "x = 1\n" * 50 + "value = get_user_name(3)\n",
        "c.py": "GET_USER_NAME = 1\n",
        "d.py": "get_user_names()\n",
    }
    search = CodeSearch.open(grown(tmp_path, files), cache=False)

    hits = search.search("get_user_name")

    assert (hits[0].path, hits[0].exact, hits[0].lines[0].line) == ("b.py", True, 51)
    assert [hit.exact for hit in hits[1:]] == [False] * 3
    scores = [hit.score for hit in hits]
    assert scores[1:] == sorted(scores[1:], reverse=True)
    assert [(hit.path, hit.exact) for hit in search.search('"GET_USER_NAME = 1"', k=1)] == [("c.py", True)]
    assert [hit.exact for hit in search.search('"name user get"')] == [False] * 4
    assert not any(hit.exact for hit in search.search("get user name"))


@pytest.mark.parametrize("query", ["", "  ", "?!", '""', "zebra", "(", "[z-", "\\", ".*", "y\0z", '"(+*"'])
def test_queries_without_answer(search, query):
    """Text is never a pattern: signs and unknown words find nothing and break nothing."""
    assert search.search(query) == []


@pytest.mark.promise(6)
def test_k_cuts_one_order(search):
    """Each k gives the beginning of what more would give; less than nothing is refused."""
    hits = search.search("load user header")

    for k in range(7):
        assert search.search("load user header", k) == hits[:k]
    with pytest.raises(ValueError, match="k must be an integer >= 0, got -1"):
        search.search("load user header", -1)
    exact = search.search("load_user")
    assert [search.search("load_user", k) for k in (1, 2)] == [exact[:1], exact[:2]]


def test_repeated_words_count_once(search):
    """A word that a query repeats does not outweigh the others."""
    assert search.search("load load load header") == search.search("load header")


def test_equal_scores_come_by_path(tmp_path):
    """Copies of a file are ordered by path, also where they were added later."""
    grown(tmp_path, {"c/x.py": "kite", "b/x.py": "kite"})
    search = CodeSearch.open(tmp_path, cache=False)
    grown(tmp_path, {"a/x.py": "kite"})

    assert paths(search.refresh().search("kite")) == ["a/x.py", "b/x.py", "c/x.py"]
    assert paths(search.search("kite", k=1)) == ["a/x.py"]


def test_context_lines(search):
    """Lines around an answer are given as they are, as far as there are any."""
    line = search.search("def load_user", k=1, lines=1, context=2)[0].lines[0]

    assert line == (
        4,
        "def load_user(name):",
        ("def", "load", "load_user", "user"),
        ("", ""),
        ("    return TABLE[name]",),
    )


def test_hits_become_json(search):
    """A hit can be written as JSON, with every field by its name."""
    (hit,) = search.search("notes header", k=1, lines=1)
    restored = json.loads(json.dumps(hit.to_dict()))

    assert restored["path"] == "docs/notes.md"
    assert restored["lines"] == [
        {
            "line": 1,
            "text": "Load the header of a user table.",
            "matched_tokens": ["header"],
            "before": [],
            "after": [],
        }
    ]


def test_a_file_that_has_gone_shows_no_lines(tmp_path):
    """Between refreshes a deleted file is ranked, without lines; an edited one shows its present lines."""
    grown(tmp_path, {"a.py": "kite\n", "b.py": "pot\n"})
    search = CodeSearch.open(tmp_path, cache=False)
    (tmp_path / "a.py").unlink()
    grown(tmp_path, {"b.py": "\n\npot\n"})

    assert search.search("kite")[0].lines == ()
    assert search.search("pot")[0].lines[0].line == 3
    assert search.refresh().search("kite") == []


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"query": None}, TypeError, "query must be a str, got None"),
        ({"query": "a", "k": 1.5}, TypeError, "k must be an integer, got 1.5"),
        ({"query": "a", "lines": -1}, ValueError, "lines must be an integer >= 0, got -1"),
        ({"query": "a", "context": -1}, ValueError, "context must be an integer >= 0, got -1"),
    ],
)
def test_wrong_arguments_are_named(search, arguments, error, message):
    """The error says which argument is wrong and what is allowed."""
    with pytest.raises(error, match=message):
        search.search(**arguments)


def test_the_engine_is_at_hand(search):
    """The index behind a search explains its scores."""
    hit = search.search("header")[0]

    assert search.index.explain("header", hit.path).value == pytest.approx(hit.score)
    assert search.n_files == len(FILES)


def test_a_repository_that_goes_away(tmp_path):
    """A refresh without a repository is refused, and the search answers as before."""
    root = grown(tmp_path / "root", {"a.py": "kite"})
    search = CodeSearch.open(root, cache=False)
    (root / "a.py").unlink()
    root.rmdir()

    with pytest.raises(FileNotFoundError, match="root must be a folder"):
        search.refresh()
    assert paths(search.search("kite")) == ["a.py"]
    assert not Path(root).exists()
