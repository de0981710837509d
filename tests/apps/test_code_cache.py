"""What is kept between runs saves reading, is never trusted when damaged, and is safe to share."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repository import grown
from workers import write_and_search

from sparsebm25.apps.code import CodeSearch, _cache
from sparsebm25.apps.code import _refresh as refresh_module
from sparsebm25.apps.code._cache import FileFacts
from sparsebm25.apps.code._files import FoundFile

DAY_NS = 24 * 3600 * 10**9


@pytest.fixture
def root(tmp_path) -> Path:
    """Return a small repository."""
    return grown(tmp_path / "root", {"a.py": "red kite", "b.py": "blue mug", "in/c.py": "red pot"})


@pytest.fixture
def reads(monkeypatch) -> list[str]:
    """Return the names of the files that are read from now on; none is too fresh to trust its times."""
    names: list[str] = []
    new_text = refresh_module._Reading._new_text

    def noted(self, file):
        names.append(file.path)
        return new_text(self, file)

    monkeypatch.setattr(refresh_module._Reading, "_new_text", noted)
    monkeypatch.setattr(refresh_module, "SETTLED_NS", -DAY_NS)
    return names


def shift_times(root: Path, seconds: float) -> None:
    """Give the files of a folder other times."""
    for path in root.rglob("*.py"):
        facts = path.stat()
        os.utime(path, (facts.st_atime, facts.st_mtime + seconds))


def answers(search: CodeSearch) -> list[object]:
    """Return what a search says about the words of these tests."""
    return [search.search(query) for query in ("red", "blue", "kite", "pot mug", "green", "py")]


def test_only_changed_files_are_read_again(root, tmp_path, reads):
    """The first run reads all, the next none; then only what is new or changed, and what has gone goes."""
    CodeSearch.open(root, cache=tmp_path / "cache")
    assert reads == ["a.py", "b.py", "in/c.py"]
    reads.clear()
    CodeSearch.open(root, cache=tmp_path / "cache")
    assert reads == []

    grown(root, {"b.py": "green mugs", "d.py": "red cup"})
    (root / "a.py").unlink()
    search = CodeSearch.open(root, cache=tmp_path / "cache")

    assert reads == ["b.py", "d.py"]
    assert answers(search) == answers(CodeSearch.open(root, cache=False))


def test_a_touched_file_is_read_and_not_counted_again(root, tmp_path, reads):
    """A new time with the old content costs one reading; the index stays, the next run trusts the time."""
    CodeSearch.open(root, cache=tmp_path / "cache")
    (index,) = (tmp_path / "cache").glob("*/index-*")
    shift_times(root, -60)
    reads.clear()
    CodeSearch.open(root, cache=tmp_path / "cache")
    assert reads == ["a.py", "b.py", "in/c.py"]
    reads.clear()
    CodeSearch.open(root, cache=tmp_path / "cache")

    assert reads == []
    assert list((tmp_path / "cache").glob("*/index-*")) == [index]


def test_a_fresh_file_is_looked_at_twice(root, tmp_path):
    """A change that leaves size and time as they were is seen, if the file was fresh when it was read."""
    path = root / "a.py"
    path.write_text("red kite")
    before = path.stat()
    CodeSearch.open(root, cache=tmp_path / "cache")
    path.write_text("red mice")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert CodeSearch.open(root, cache=tmp_path / "cache").search("mice")


def test_times_are_trusted_when_they_can_be():
    """Size and both times must be as they were, and older by two seconds than the reading."""
    second = 10**9
    file = FoundFile("a.py", 10, 5 * second, 6 * second)
    read = FileFacts(10, 5 * second, 6 * second, 8 * second + 1, "digest")

    assert refresh_module._is_unchanged(file, read)
    changes = {"size": 11, "mtime_ns": 4 * second, "ctime_ns": 5 * second, "read_ns": 8 * second}
    for name, value in changes.items():
        assert not refresh_module._is_unchanged(file, read._replace(**{name: value})), name


FILE = st.sampled_from(["a", "b/a", "b/c", "größe"])
CONTENT = st.sampled_from(["red kite", "blue mug", "red", "", "\0", None])


@settings(max_examples=15)
@given(st.lists(st.dictionaries(FILE, CONTENT, max_size=4), min_size=1, max_size=4))
def test_history_does_not_matter(tmp_path_factory, history):
    """Whatever was written, changed and deleted before, a refreshed search equals one made anew."""
    root, cache = tmp_path_factory.mktemp("root"), tmp_path_factory.mktemp("cache")
    staying = CodeSearch.open(root, cache=False)
    for files in history:
        for name, content in files.items():
            if content is None:
                (root / name).unlink(missing_ok=True)
            else:
                grown(root, {name: content})
        kept, anew = CodeSearch.open(root, cache=cache), CodeSearch.open(root, cache=False)
        assert answers(kept) == answers(staying.refresh()) == answers(anew)
        assert kept.skipped == staying.skipped == anew.skipped


def damage_state(folder: Path) -> None:
    """Change one character of the state file."""
    state = folder / "state.json"
    state.write_bytes(state.read_bytes().replace(b"b.py", b"B.py"))


def damage_array(folder: Path) -> None:
    """Change one byte of the largest array."""
    path = max(folder.glob("index-*/*/*.npy"), key=lambda path: path.stat().st_size)
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)


def forge_state(folder: Path) -> None:
    """Write a state file that is whole, and claims a file that the index has not."""
    state = _cache._read_state(folder)
    assert state is not None
    state["files"]["z.py"] = state["files"].pop("a.py")
    _cache._write_state(folder, state)


DAMAGES = {
    "state changed": damage_state,
    "state cut": lambda folder: os.truncate(folder / "state.json", 100),
    "state empty": lambda folder: os.truncate(folder / "state.json", 0),
    "state no JSON": lambda folder: (folder / "state.json").write_bytes(b"\xff\n{"),
    "state forged": forge_state,
    "state gone": lambda folder: (folder / "state.json").unlink(),
    "array changed": damage_array,
    "header gone": lambda folder: next(folder.glob("index-*/header.json")).unlink(),
    "index gone": lambda folder: shutil.rmtree(next(folder.glob("index-*"))),
}


@pytest.mark.promise(11)
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_cache_is_made_anew(root, tmp_path, reads, damage):
    """Whatever part is damaged or missing, all is read again, and the run after that reads nothing."""
    expected = answers(CodeSearch.open(root, cache=tmp_path / "cache"))
    (folder,) = (tmp_path / "cache").iterdir()
    damage(folder)
    reads.clear()

    assert answers(CodeSearch.open(root, cache=tmp_path / "cache")) == expected
    assert reads == ["a.py", "b.py", "in/c.py"]
    reads.clear()
    assert answers(CodeSearch.open(root, cache=tmp_path / "cache")) == expected
    assert reads == []


def test_another_version_is_made_anew(root, tmp_path, reads, monkeypatch):
    """An index of another version of the library is not used."""
    CodeSearch.open(root, cache=tmp_path / "cache")
    monkeypatch.setattr(_cache, "MADE_BY", [0])
    reads.clear()
    CodeSearch.open(root, cache=tmp_path / "cache")

    assert len(reads) == 3


def test_rebuild_reads_everything(root, tmp_path, reads):
    """On demand nothing that is kept is used."""
    CodeSearch.open(root, cache=tmp_path / "cache")
    reads.clear()
    CodeSearch.open(root, cache=tmp_path / "cache", rebuild=True)

    assert len(reads) == 3


def test_the_cache_is_the_users(root, tmp_path, monkeypatch):
    """By default the index lies under the user's cache folder; the repository stays as it was."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    before = sorted(root.rglob("*"))
    CodeSearch.open(root)

    assert len(list((tmp_path / "caches").glob("sparsebm25/code/*/state.json"))) == 1
    assert sorted(root.rglob("*")) == before


@pytest.mark.parametrize(
    ("platform", "expected"), [("linux", ".cache"), ("darwin", "Library/Caches"), ("win32", "AppData/Local")]
)
def test_the_usual_place_of_each_system(tmp_path, monkeypatch, platform, expected):
    """Without a setting, or with a relative one, which means nothing, the index goes where caches go."""
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.delenv("LOCALAPPDATA", raising=False)

    assert _cache.user_cache_folder() == tmp_path / expected


def test_nothing_is_kept_in_the_repository_unless_asked(root, monkeypatch):
    """A user's cache folder inside the repository is not used; one that is named is, and is not searched."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(root / "caches"))
    CodeSearch.open(root)
    assert not (root / "caches").exists()

    for _ in range(2):
        search = CodeSearch.open(root, cache=root / "kept")
        assert sorted(search.index.doc_ids) == ["a.py", "b.py", "in/c.py"]
    assert list(root.glob("kept/*/state.json"))


def test_lists_of_files_are_kept_apart(root, tmp_path, reads):
    """A search in some files does not throw away the index of all."""
    CodeSearch.open(root, cache=tmp_path / "cache")
    assert CodeSearch.open(root, cache=tmp_path / "cache", files=["a.py"]).n_files == 1
    reads.clear()

    assert CodeSearch.open(root, cache=tmp_path / "cache").n_files == 3
    assert reads == []


def test_an_index_that_cannot_be_kept(root, tmp_path):
    """Where nothing can be written, a warning says so and the search works."""
    grown(tmp_path, {"file": ""})

    with pytest.warns(RuntimeWarning, match="the index is not kept for the next run"):
        search = CodeSearch.open(root, cache=tmp_path / "file")
    assert search.search("kite")


def test_wrong_caches_are_refused(root):
    """Something that is neither a choice nor a path is named."""
    with pytest.raises(TypeError, match="cache must be True, False or the path of a folder, got 7"):
        CodeSearch.open(root, cache=7)


def test_old_indexes_go_away(root, tmp_path):
    """After a change only the new index is there; leftovers of killed runs go after a day."""
    CodeSearch.open(root, cache=tmp_path / "cache")
    (folder,) = (tmp_path / "cache").iterdir()
    for name in ("index-old", ".index-new.123"):
        (folder / name).mkdir()
    os.utime(folder / "index-old", (0, 0))
    grown(root, {"d.py": "green"})
    CodeSearch.open(root, cache=tmp_path / "cache")

    state = _cache._read_state(folder)
    assert state is not None
    assert {path.name for path in folder.iterdir()} == {
        *(".gitignore", ".index-new.123"),
        *("state.json", state["index"]),
    }


def test_an_index_that_another_process_replaced_is_saved_again(root, tmp_path):
    """New times of old content are kept with an index, also if the one that was loaded has gone meanwhile."""
    search = CodeSearch.open(root, cache=tmp_path / "cache")
    (folder,) = (tmp_path / "cache").iterdir()
    shutil.rmtree(next(folder.glob("index-*")))
    shift_times(root, -60)
    search.refresh()

    assert _cache.load(folder) is not None


@pytest.mark.promise(10)
def test_searches_hold_while_files_change(root, tmp_path):
    """A search that was opened before a refresh elsewhere goes on with what it saw."""
    old = CodeSearch.open(root, cache=tmp_path / "cache")
    expected = [[(hit.path, hit.score) for hit in hits] for hits in answers(old)]
    grown(root, {"a.py": "green kite kite", "z.py": "red red"})
    CodeSearch.open(root, cache=tmp_path / "cache")

    assert [[(hit.path, hit.score) for hit in hits] for hits in answers(old)] == expected


@pytest.mark.promise(10)
def test_processes_share_a_cache(root, tmp_path):
    """Three processes that write, refresh and search at the same time each find what they have written."""
    context = multiprocessing.get_context("spawn")
    with context.Manager() as manager:
        failures = manager.list()
        workers = [
            context.Process(target=write_and_search, args=(str(root), str(tmp_path / "cache"), at, failures))
            for at in range(3)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert list(failures) == []
        assert [worker.exitcode for worker in workers] == [0, 0, 0]
    assert answers(CodeSearch.open(root, cache=tmp_path / "cache")) == answers(
        CodeSearch.open(root, cache=False)
    )
