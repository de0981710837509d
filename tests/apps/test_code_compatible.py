"""With ``compatible=True`` search in code behaves as the tool that it replaces, rule by rule."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rank_bm25 import BM25Okapi
from repository import grown

from sparsebm25.apps.code import CodeSearch
from sparsebm25.apps.code._compatible import MAX_FILES, compatible_tokens

FILES = {
    "kite.py": "def fly_kite(wind):\n    return wind.speed\n",
    "mug.py": "class BlueMug:\n    size = 3\n",
    "pot.py": "pot = None\n",
    "sky.txt": "wind and sky\n",
    "sea.txt": "wave and sand\n",
}


def opened(root: Path, **options: object) -> CodeSearch:
    """Return a compatible search that this process does not keep."""
    return CodeSearch.open(root, compatible=True, cache=False, **options)


@pytest.fixture
def search(tmp_path) -> CodeSearch:
    """Return a compatible search over files in the order in which they are written here."""
    return opened(grown(tmp_path, FILES), files=FILES)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("fly_kite flyKite FLY_KITE fly-kite fly.kite", "fly kite " * 5),
        ("parseXMLFile XMLFile", "parse xmlfile xmlfile"),
        ("md5Hash 3dModel x2y", "md5hash 3d model x2y"),
        ("aBcDe", "bc de"),
        ("__name__ _x_ y", "name"),
        ("grün Tür 数据 данные", "gr"),
        ("it's a-b v2.0", "it v2"),
        ("", ""),
    ],
)
def test_tokens(text, tokens):
    """Runs of two or more ASCII letters and digits, broken at underscores and simple humps, in lower case."""
    assert compatible_tokens(text) == tokens.split()


def test_scores_are_those_of_rank_bm25(search):
    """Scores are BM25Okapi's with its floor for frequent words, repeated words counted, to four decimals."""
    names, texts = list(FILES), list(FILES.values())
    theirs = BM25Okapi([compatible_tokens(text) for text in texts])
    for query in ("wind", "wind wind sky", "blue mug size", "and", "fly kite and sand"):
        scores = theirs.get_scores(compatible_tokens(query))
        ranked = sorted(zip(names, scores, strict=True), key=lambda pair: -pair[1])
        expected = [(name, round(float(score), 4)) for name, score in ranked if score > 0]
        assert [(hit.path, hit.score) for hit in search.search(query)] == expected


def test_nothing_is_returned_for_words_of_half_the_files(tmp_path):
    """A word in half of the files has an idf of 0, in a single file a negative one: no file is returned."""
    grown(tmp_path, {"a.py": "kite", "b.py": "mug"})

    assert opened(tmp_path, files=["a.py", "b.py"]).search("kite") == []
    assert opened(tmp_path, files=["a.py"]).search("kite") == []


def test_ties_keep_the_order_of_the_files(tmp_path):
    """Equal scores come in the order of the list, not of the paths."""
    grown(tmp_path, {"b.py": "kite", "a.py": "kite", "x": "one", "y": "two", "z": "three"})

    hits = opened(tmp_path, files=["b.py", "x", "y", "z", "a.py"]).search("kite")

    assert [hit.path for hit in hits] == ["b.py", "a.py"]


@pytest.mark.parametrize(
    ("k", "n_hits"), [(20, 3), (2, 2), (0, 0), (-1, 3), (-2, 3), (-3, 2), (-4, 1), (-5, 0), (-9, 0)]
)
def test_a_negative_k_slices(tmp_path, k, n_hits):
    """A negative k drops that many of the last ranks of all files, those without a hit included."""
    files = {"a": "kite", "b": "mug", "c": "pot", "d": "sky", "e": "sea"}
    search = opened(grown(tmp_path, files), files=files)

    assert [hit.path for hit in search.search("kite mug pot", k)] == ["a", "b", "c"][:n_hits]


def test_lines_are_the_first_three(tmp_path):
    """The first three lines with a word of the query are shown, stripped and cut, tokens sorted."""
    text = f"  kite{'e' * 10}\n  wind kite {'x' * 300}\n\n\tkite\nwind\nwind kite sky\n"
    grown(tmp_path, {"a": text, "b": "mug", "c": "pot"})

    (hit,) = opened(tmp_path, files=["a", "b", "c"]).search("sky wind kite")

    shown = [(line.line, line.text, list(line.matched_tokens)) for line in hit.lines]
    assert shown == [
        (2, f"wind kite {'x' * 190}", ["kite", "wind"]),
        (4, "kite", ["kite"]),
        (5, "wind", ["wind"]),
    ]
    (first,) = opened(tmp_path, files=["a", "b", "c"]).search("sea wind", lines=1, context=1)[0].lines
    assert (first.text[:9], first.before, first.after) == ("wind kite", (f"kite{'e' * 10}",), ("",))


def test_files_without_tokens_are_not_counted(tmp_path):
    """Missing files and files of short words only are left out, reported, and change no score."""
    grown(tmp_path, {**FILES, "tiny": "a b c"})
    search = opened(tmp_path, files=[*FILES, "tiny", "gone"])

    assert search.n_files == len(FILES)
    assert search.skipped == {"tiny": "no tokens", "gone": "no file"}


def test_bytes_that_are_no_text_are_replaced(tmp_path):
    """Any file is read as text."""
    grown(tmp_path, {"a": b"\xff\0kite\xe9mug", "b": "pot", "c": "sky"})

    assert [hit.path for hit in opened(tmp_path, files=["a", "b", "c"]).search("mug")] == ["a"]


def test_skip_rules_look_at_the_whole_path(tmp_path):
    """Names and suffixes are skipped; a repository under a folder of such a name is skipped whole."""
    files = {"a.py": "kite", "dist/b.py": "kite", "x/venv/c.py": "kite", "d.PNG": "kite", "e.log": "kite"}
    grown(tmp_path, {**files, ".gitignore": "*.log"})
    inner = grown(tmp_path / "build" / "inner", {"a.py": "kite"})

    assert sorted(path for path, _ in opened(tmp_path)._files._texts) == [".gitignore", "a.py", "e.log"]
    assert opened(inner).n_files == 0


def test_the_manifest_names_the_files(tmp_path):
    """Where there is a manifest, its lines are the files, in its order, without other rules."""
    manifest = " dist/b.py \n\nkite.py\r\ngone.py\n"
    grown(tmp_path, {**FILES, "dist/b.py": "kite mug", ".code-context/files.all.txt": manifest})

    assert [path for path, _ in opened(tmp_path)._files._texts] == ["dist/b.py", "kite.py"]


def test_at_most_5000_files(tmp_path, monkeypatch):
    """Without a manifest the walk ends after 5000 files."""
    assert MAX_FILES == 5000
    monkeypatch.setattr("sparsebm25.apps.code._compatible.MAX_FILES", 3)

    assert opened(grown(tmp_path, FILES)).n_files == 3


def test_the_process_keeps_what_it_read_first(tmp_path):
    """A second opening gives the same index, changed files or not, until a rebuild."""
    grown(tmp_path, FILES)
    first = CodeSearch.open(tmp_path, compatible=True)
    grown(tmp_path, {"sky.txt": "zebra", "new.txt": "yak"})
    again = CodeSearch.open(tmp_path / ".", compatible=True)

    assert again.index is first.index
    assert again.search("sky")[0].lines[0].text == "wind and sky"
    assert again.search("zebra yak") == []
    rebuilt = CodeSearch.open(tmp_path, compatible=True, rebuild=True)
    assert {hit.path for hit in rebuilt.search("zebra yak")} == {"sky.txt", "new.txt"}
    assert CodeSearch.open(tmp_path, compatible=True).index is rebuilt.index


@pytest.mark.parametrize("query", ["", "a b c", "  ", "(", "数据"])
def test_queries_without_tokens(search, query):
    """A query without a token finds nothing."""
    assert search.search(query) == []


def vectors(shared_data: Path) -> dict[str, list[dict[str, object]]]:
    """Return the right values of the replaced tool."""
    path = shared_data.parent / "behaviours" / "code_search_vectors.json"
    if not path.is_file():
        pytest.skip("needs the vectors of the replaced tools beside the shared data")
    return json.loads(path.read_text("utf-8"))


def test_every_identifier_vector(shared_data):
    """Each name is split as the replaced tool splits it."""
    rows = vectors(shared_data)["identifier_vectors"]

    assert rows
    assert [row["text"] for row in rows if compatible_tokens(row["text"]) != row["tokens"]] == []


def test_every_search_vector(shared_data, tmp_path):
    """Each search gives the files, scores and lines of the replaced tool; raw scores agree too."""
    rows = vectors(shared_data)["search_vectors"]
    assert rows
    for row in rows:
        root = grown(tmp_path / row["id"], row["files"])
        search = opened(root, files=list(row["files"]))
        found = [
            {
                "path": hit.path,
                "score": hit.score,
                "matching_lines": [
                    {"line": line.line, "text": line.text, "matched_tokens": list(line.matched_tokens)}
                    for line in hit.lines
                ],
            }
            for hit in search.search(row["query"], row["top_k"])
        ]
        assert found == row["results"], row["id"]
        assert search.n_files == row["document_count"], row["id"]
        assert compatible_tokens(row["query"]) == row["query_tokens"], row["id"]
        if row["raw_scores_in_file_order"]:
            scores = search.index.scores(row["query"])
            assert scores == pytest.approx(row["raw_scores_in_file_order"], abs=1e-6), row["id"]
