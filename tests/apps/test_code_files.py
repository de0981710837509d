"""The files of a repository are found, and everything that is not taken is reported or listed as a rule."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from repository import grown

from sparsebm25.apps.code import CodeSearch
from sparsebm25.apps.code import _files as files_module


def opened(root: Path, **options: object) -> CodeSearch:
    """Return a search that keeps nothing."""
    return CodeSearch.open(root, cache=False, **options)


def paths(search: CodeSearch) -> list[str]:
    """Return the paths of the indexed files."""
    return sorted(search.index.doc_ids)


def test_skip_rules_look_below_the_repository_only(tmp_path):
    """Folders of tools and compiled files are left out; names of folders above the repository are free."""
    root = tmp_path / "build" / "dist"
    skipped = ["build/a.py", "x/node_modules/a.js", ".venv/a.py", ".git/config", "x/dist/a", "a.pyc", "B.PNG"]
    grown(root, dict.fromkeys([*skipped, "a.py", ".github/ci.yml", "builds/b.py", "png"], "kite"))

    search = opened(root)

    assert paths(search) == [".github/ci.yml", "a.py", "builds/b.py", "png"]
    assert search.skipped == {}


def test_binary_and_large_files_are_reported(tmp_path):
    """A NUL byte makes a file binary, size is limited, and both are reported; other bytes are replaced."""
    limit = files_module.MAX_BYTES
    grown(tmp_path, {"a.dat": b"kite\0", "big.txt": b"x" * (limit + 1), "full.txt": b"x" * limit})
    grown(tmp_path, {"latin.txt": b"caf\xe9 kite", "bom.txt": b"\xef\xbb\xbfkite", "empty.txt": b""})

    search = opened(tmp_path)

    assert search.skipped == {"a.dat": "binary", "big.txt": f"larger than {limit} bytes"}
    assert search.n_files == 4
    assert [hit.path for hit in search.search("kite")] == ["bom.txt", "latin.txt"]


def test_unreadable_files_are_reported(tmp_path, monkeypatch):
    """A file and a folder that the system refuses are named with its reason; the rest is searched."""
    grown(tmp_path, {"a.py": "kite", "b.py": "kite", "in/c.py": "kite"})
    read_bytes, scandir = Path.read_bytes, os.scandir

    def refused(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", lambda p: refused(p) if p.name == "b.py" else read_bytes(p))
    monkeypatch.setattr(os, "scandir", lambda p: refused(p) if Path(p).name == "in" else scandir(p))

    search = opened(tmp_path)

    reason = "unreadable: Permission denied"
    assert search.skipped == {"b.py": reason, "in/": reason}
    assert paths(search) == ["a.py"]


def test_links_are_not_followed(tmp_path):
    """Loops, links to folders and links to files neither hang a search nor bring anything in twice."""
    root = grown(tmp_path / "root", {"in/a.py": "kite"})
    outside = grown(tmp_path / "outside", {"b.py": "kite"})
    (root / "loop").symlink_to(root)
    (root / "in" / "up").symlink_to("..")
    (root / "outside").symlink_to(outside)
    (root / "b.py").symlink_to(outside / "b.py")
    (root / "dangling").symlink_to("nowhere")

    assert paths(opened(root)) == ["in/a.py"]


def test_files_may_be_listed(tmp_path):
    """A list of files overrides the rules; what is not there is reported, twice named is taken once."""
    grown(
        tmp_path, {"build/a.py": "kite", "b.py": "kite", "c.py": "kite", ".gitignore": "b.py", "d.bin": b"\0"}
    )

    search = opened(tmp_path, files=["build/a.py", tmp_path / "b.py", "./b.py", "gone.py", "build", "d.bin"])

    assert paths(search) == ["b.py", "build/a.py"]
    assert search.skipped == {"build": "no file", "d.bin": "binary", "gone.py": "no file"}


def test_listed_files_must_be_below_the_root(tmp_path):
    """A path that leaves the repository is refused with its name."""
    grown(tmp_path, {"root/a.py": "kite", "b.py": "kite"})

    with pytest.raises(ValueError, match=r"files must be below .*root', got '\.\./b\.py'"):
        opened(tmp_path / "root", files=["a.py", "../b.py"])
    with pytest.raises(TypeError, match=r"files must be an iterable of paths, got 'a\.py'"):
        opened(tmp_path / "root", files="a.py")
    with pytest.raises(TypeError, match=r"files must hold paths, got 7"):
        opened(tmp_path / "root", files=[7])


@pytest.mark.parametrize("compatible", [False, True])
def test_the_root_must_be_a_folder(tmp_path, compatible):
    """A repository that does not exist, is a file, or is no path is refused with its name."""
    grown(tmp_path, {"a.py": "kite"})

    with pytest.raises(FileNotFoundError, match=r"root must be a folder, and nothing is at .*gone"):
        opened(tmp_path / "gone", compatible=compatible)
    with pytest.raises(NotADirectoryError, match=r"root must be a folder, and .*a\.py' is a file"):
        opened(tmp_path / "a.py", compatible=compatible)
    with pytest.raises(TypeError, match="root must be the path of a folder, got None"):
        opened(None, compatible=compatible)


def test_names_in_any_encoding(tmp_path):
    """File names that are Unicode, or bytes that are none, are found and read."""
    grown(tmp_path, {"größe/файл.py": "kite"})
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.py")).write_text("kite")
    except OSError:
        pytest.skip("this file system takes Unicode names only")

    hits = opened(tmp_path).search("kite")

    assert [(hit.path, len(hit.lines)) for hit in hits] == [("größe/файл.py", 1), ("\udcff.py", 1)]


def test_an_empty_repository(tmp_path):
    """Nothing to search is no error: there are no hits."""
    search = opened(tmp_path)

    assert (search.n_files, search.search("kite"), search.skipped) == (0, [], {})
    assert repr(search) == "<CodeSearch of 0 files, 0 skipped>"


def test_progress_sees_the_files_that_are_read(tmp_path):
    """The caller can watch the reading, and can wrap nothing away."""
    grown(tmp_path, {"a.py": "kite", "b.py": "pot"})
    seen = []

    def watched(names):
        for name in names:
            seen.append(name)
            yield name

    assert opened(tmp_path, progress=watched).n_files == 2
    assert seen == ["a.py", "b.py"]
