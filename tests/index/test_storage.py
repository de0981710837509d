"""Plain arrays on disk: equal after loading, whole or not at all, never trusted when damaged."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
from equality import assert_same_hits, assert_same_index
from hypothesis import given
from hypothesis import strategies as st
from strategies import collections, field_collections, queries
from workers import search_and_tell

from sparsebm25 import Analyzer, BM25Index, IndexFormatError
from sparsebm25.index import folders

SCHEMES = st.sampled_from(("lucene", "robertson", "bm25+", "tfidf", "lnc.ltc"))


@pytest.fixture
def saved(tmp_path):
    """Return the folder of a small saved index."""
    BM25Index().fit(["red kite", "red pot", "blue mug"]).save(tmp_path / "index")
    return tmp_path / "index"


@pytest.mark.promise(3)
@given(documents=collections(), query=queries(), scheme=SCHEMES, mmap=st.booleans())
def test_reloaded_equals_saved(tmp_path_factory, documents, query, scheme, mmap):
    """A loaded or mapped index is the saved one, bit for bit, and can go on being changed."""
    folder = tmp_path_factory.mktemp("saved") / "index"
    index = BM25Index(scheme, analyzer=None, k1=0.9).fit(documents)
    index.save(folder)
    loaded = BM25Index.load(folder, mmap=mmap)

    assert_same_index(loaded, index)
    assert_same_hits(loaded.search(query), index.search(query))
    assert_same_index(loaded.with_params(b=0.1), index.with_params(b=0.1))
    assert_same_index(loaded.add([["new", "a"]]), index.add([["new", "a"]]))


@given(documents=field_collections())
def test_fields_metadata_and_mixed_ids_are_kept(tmp_path_factory, documents):
    """Fields, metadata and ids of both kinds come back as they were."""
    folder = tmp_path_factory.mktemp("saved") / "index"
    documents = [{"title": ["a"], "body": ["b"], "tags": ["x", 1]}, *documents]
    ids = [7 if place == 0 else f"00{place}" for place in range(len(documents))]
    index = BM25Index(fields={"title": 2.0, "body": 1.0}, field_b={"title": 0.1}, analyzer=None).fit(
        documents, ids
    )
    index.save(folder)
    loaded = BM25Index.load(folder, mmap=True)

    assert_same_index(loaded, index)
    assert loaded.fields == {"title": 2.0, "body": 1.0}
    assert loaded.doc_ids.ord_of(7) == 0
    assert loaded.doc_ids.ord_of("7") is None
    loaded.save(folder)  # what was decoded on demand can be written again
    assert_same_index(BM25Index.load(folder), index)


def test_an_empty_index_is_kept(tmp_path):
    """Nothing is saved and loaded as nothing."""
    BM25Index("bm25l").save(tmp_path / "index")
    loaded = BM25Index.load(tmp_path / "index", mmap=True)

    assert len(loaded) == 0
    assert len(loaded.add(["red"]).search("red")) == 1


def test_numbered_terms_are_kept(tmp_path):
    """An index of bare counts keeps its columns."""
    counts = BM25Index(analyzer=None).fit([["a", "b"], ["b"]]).counts.tf
    index = BM25Index(analyzer=None).fit(counts)
    index.save(tmp_path / "index")
    loaded = BM25Index.load(tmp_path / "index")

    assert_same_hits(loaded.search([1]), index.search([1]))
    assert loaded.vocabulary.numbered


def test_strange_terms_and_ids_are_kept(tmp_path):
    """Lone surrogates, NUL and long words survive the disk."""
    terms = ["\ud800", "\x00", "\U0010ffff", "x" * 10_000, "ﬁ", ""]
    index = BM25Index(analyzer=None).fit([terms], ["\udcff\n"])
    index.save(tmp_path / "index")
    loaded = BM25Index.load(tmp_path / "index", mmap=True)

    assert list(loaded.vocabulary) == sorted(terms)
    for term in terms:
        assert loaded.search([term]).doc_ids == ["\udcff\n"]


@pytest.mark.promise(11)
def test_files_are_plain_arrays_and_a_readable_header(saved):
    """Every file is a `.npy` without objects, or the JSON header with format and checksums."""
    header = json.loads((saved / "header.json").read_text())
    assert header["format"] == folders.FORMAT
    for path in saved.rglob("*"):
        if path.suffix == ".npy":
            assert np.load(path, allow_pickle=False).dtype.kind in "biuf"
            assert len(header["files"][path.stem]["sha256"]) == 64
        else:
            assert path.is_dir() or path.name == "header.json"


@pytest.mark.promise(11)
def test_every_flipped_byte_is_noticed(saved):
    """Damage of any file is refused with the file's name, and nothing is written over it."""
    intact = {path: path.read_bytes() for path in saved.rglob("*") if path.is_file()}
    for path, content in intact.items():
        for place in sorted({0, len(content) // 2, len(content) - 1}):
            damaged = bytearray(content)
            damaged[place] ^= 1
            path.write_bytes(damaged)
            with pytest.raises(IndexFormatError):
                BM25Index.load(saved)
            if path.name == "header.json":
                with pytest.raises(IndexFormatError):
                    BM25Index().save(saved)
            assert path.read_bytes() == damaged
        path.write_bytes(content)
    assert len(BM25Index.load(saved)) == 3


@pytest.mark.promise(11)
@pytest.mark.parametrize("mmap", [False, True])
def test_cut_and_missing_files_are_noticed(saved, mmap):
    """A file that is shorter than the header says, or gone, is named, mapped or not."""
    for path in sorted(saved.rglob("*.npy")):
        content = path.read_bytes()
        path.write_bytes(content[:-1])
        with pytest.raises(IndexFormatError, match=rf"{path.name} has {len(content) - 1} bytes"):
            BM25Index.load(saved, mmap=mmap)
        with pytest.raises(IndexFormatError):
            BM25Index().save(saved)
        path.unlink()
        with pytest.raises(IndexFormatError, match=f"{path.name} is missing"):
            BM25Index.load(saved, mmap=mmap)
        path.write_bytes(content)


@pytest.mark.promise(11)
def test_foreign_folders_and_files_are_left_alone(tmp_path):
    """What is not an index is refused with the reason, for loading and for saving."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "diary.txt").write_text("mine")
    (tmp_path / "file").write_text("mine too")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "header.json").write_text('{"kind": "something else"}')
    for name, message in (
        ("folder", "has no file header.json"),
        ("file", "has no file header.json"),
        ("other", "not the header"),
    ):
        for act in (BM25Index.load, BM25Index().save):
            with pytest.raises(IndexFormatError, match=message):
                act(tmp_path / name)
    assert (tmp_path / "folder" / "diary.txt").read_text() == "mine"
    assert (tmp_path / "file").read_text() == "mine too"
    with pytest.raises(IndexFormatError, match="is not an index"):
        BM25Index.load(tmp_path / "nowhere")


def rewrite(folder, change):
    """Change the header of a saved index and put its checksum right."""
    header = json.loads((folder / "header.json").read_text())
    header.pop("sha256")
    change(header)
    text = {**header, "sha256": folders._content_checksum(header)}
    (folder / "header.json").write_text(json.dumps(text))


def test_versions_and_settings(saved):
    """Another format and unknown settings are refused by name; a setting that is missing has its default."""
    rewrite(saved, lambda header: header["settings"].pop("k1"))
    assert BM25Index.load(saved).k1 == 1.5
    rewrite(saved, lambda header: header["settings"].update(k9=3))
    with pytest.raises(IndexFormatError, match="'k9'"):
        BM25Index.load(saved)
    rewrite(saved, lambda header: header.update(format=999))
    with pytest.raises(IndexFormatError, match="has index format 999; this version reads 1"):
        BM25Index.load(saved)


def test_headers_that_lie_about_arrays(saved):
    """An array of another type or shape than the header says is refused."""
    rewrite(saved, lambda header: header["files"]["indices"].update(dtype="<i8"))
    with pytest.raises(IndexFormatError, match=r"indices.npy holds <i4 of shape"):
        BM25Index.load(saved, mmap=True)


def test_checksums_are_optional_for_mapped_indexes(saved):
    """A mapped index is verified when asked to."""
    path = next(saved.rglob("weights.npy"))
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)

    BM25Index.load(saved, mmap=True)
    with pytest.raises(IndexFormatError, match="checksum"):
        BM25Index.load(saved, mmap=True, verify=True)


@pytest.mark.promise(11)
@pytest.mark.parametrize("step", ["fsync", "replace", "rename"])
@pytest.mark.parametrize("target", ["old", "new"])
def test_a_crash_while_saving_leaves_the_old_index(tmp_path, step, target):
    """A process that dies at any step of saving leaves the index that was there, or nothing."""
    BM25Index().fit(["old words"]).save(tmp_path / "old")
    script = f"""
import os
from sparsebm25 import BM25Index
index = BM25Index().fit(["new words", "and more"])
real, calls = os.{step}, [0]
def dying(*arguments):
    if calls[0] == {0 if step != "fsync" else 3}:
        os._exit(7)
    calls[0] += 1
    return real(*arguments)
os.{step} = dying
index.save({str(tmp_path / target)!r})
"""
    died = subprocess.run([sys.executable, "-c", script], check=False).returncode

    if target == "new":
        assert died == 7
        assert not (tmp_path / "new").exists()
    else:
        assert died == (0 if step == "rename" else 7)  # replacing an index renames no folder
        assert len(BM25Index.load(tmp_path / "old")) == (2 if step == "rename" else 1)
    for left in (path for path in tmp_path.rglob("*") if target == "old"):
        os.utime(left, (0, 0))  # long ago
    BM25Index().fit(["a"]).save(tmp_path / target)  # what a crash left behind is in nobody's way
    assert len(BM25Index.load(tmp_path / target)) == 1
    assert [path.name for path in (tmp_path / target).iterdir() if path.is_dir()] == [
        json.loads((tmp_path / target / "header.json").read_text())["arrays"]
    ]


def test_replacing_an_index_does_not_disturb_its_readers(saved):
    """A mapped index goes on answering after its folder got a new index."""
    reader = BM25Index.load(saved, mmap=True)
    BM25Index().fit(["green"]).save(saved)

    assert reader.search("kite").doc_ids == [0]
    assert BM25Index.load(saved).search("green").doc_ids == [0]


def own_analyzer(text):
    """Return the words of a text: a module-level callable, as users have them."""
    return text.split()


def test_custom_callables_are_saved_by_name(tmp_path):
    """A custom analyzer must be passed again, and must be the one that was saved."""
    BM25Index(analyzer=own_analyzer).fit(["Red kite"]).save(tmp_path / "index")

    with pytest.raises(ValueError, match=r"custom analyzer .*own_analyzer.*pass it as analyzer="):
        BM25Index.load(tmp_path / "index")
    with pytest.raises(ValueError, match="was saved with the analyzer"):
        BM25Index.load(tmp_path / "index", analyzer=Analyzer())
    assert len(BM25Index.load(tmp_path / "index", analyzer=own_analyzer).search("Red")) == 1


def test_analyzers_with_callables_inside(tmp_path):
    """An analyzer that holds a callable is passed again whole."""
    analyzer = Analyzer(tokens=own_analyzer)
    BM25Index(analyzer=analyzer).fit(["Red kite"]).save(tmp_path / "index")

    with pytest.raises(ValueError, match="own_analyzer"):
        BM25Index.load(tmp_path / "index")
    assert BM25Index.load(tmp_path / "index", analyzer=analyzer).analyzer == analyzer


def test_metadata_that_is_no_json_is_refused(tmp_path):
    """Metadata that would not come back equal is named before anything is written."""
    index = BM25Index().fit(["a", "b"], metadata=[None, {"when": object()}])

    with pytest.raises(TypeError, match=r"JSON values .* for document 1"):
        index.save(tmp_path / "index")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.promise(10)
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_answer_alike(saved, method):
    """A pickled or inherited index, mapped or not, answers the same in a child process."""
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system cannot {method}")
    context = multiprocessing.get_context(method)
    for index in (BM25Index.load(saved), BM25Index.load(saved, mmap=True)):
        queue = context.Queue()
        child = context.Process(target=search_and_tell, args=(index, queue))
        child.start()
        assert queue.get(timeout=60) == [tuple(hit) for hit in index.search("red kite")]
        child.join()


@given(collections(), SCHEMES)
def test_pickles_are_equal_and_carry_no_caches(documents, scheme):
    """A pickled index is equal; derived arrays are made again rather than carried."""
    index = BM25Index(scheme, analyzer=None).fit(documents)
    size = len(pickle.dumps(index))
    index.scores(["a"])
    index.counts.tf  # noqa: B018 - made and kept at first use

    assert len(pickle.dumps(index)) == size
    assert_same_index(pickle.loads(pickle.dumps(index)), index)


def test_a_saved_index_is_the_same_bytes_whatever_the_order_of_hashes(tmp_path):
    """Two processes with other hash seeds write the same arrays."""
    script = "import sys, sparsebm25; sparsebm25.BM25Index().fit(['red kite', 'blue pot']).save(sys.argv[1])"
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", script, str(tmp_path / seed)], check=True, env=environment)
    one, other = (
        {path.name: path.read_bytes() for path in (tmp_path / seed).rglob("*.npy")} for seed in "12"
    )

    assert one == other
