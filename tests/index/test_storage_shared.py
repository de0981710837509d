"""A folder that others hold, write, damage or forge at the same time."""

from __future__ import annotations

import json
import multiprocessing
import threading

import numpy as np
import pytest
from workers import save_often

from sparsebm25 import BM25Index, IndexFormatError
from sparsebm25.index import folders


@pytest.fixture
def saved(tmp_path):
    """Return the folder of a small saved index."""
    BM25Index().fit(["red kite", "red pot", "blue mug"]).save(tmp_path / "index")
    return tmp_path / "index"


@pytest.mark.promise(11)
def test_two_writers_leave_an_index(saved):
    """Processes that save into one folder at the same time all succeed, and the last index is there."""
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=save_often, args=(saved, 12)) for _ in range(2)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    assert [writer.exitcode for writer in writers] == [0, 0]
    assert len(BM25Index.load(saved)) == 1


@pytest.mark.promise(11)
@pytest.mark.parametrize("mmap", [False, True])
def test_readers_meet_the_old_or_the_new_index(saved, mmap):
    """An index can be loaded at any moment while another thread replaces it."""
    writer = threading.Thread(target=save_often, args=(saved, 25))
    writer.start()
    sizes = set()
    while writer.is_alive():
        sizes.add(len(BM25Index.load(saved, mmap=mmap)))
    writer.join()

    assert sizes <= {1, 3}


def test_folders_of_others_inside_are_kept(saved):
    """Saving removes the arrays that it replaces, and nothing else."""
    (saved / "notes").mkdir()
    (saved / "notes" / "mine.txt").write_text("kept")
    (saved / "readme.txt").write_text("kept")
    BM25Index().fit(["red"]).save(saved)

    assert (saved / "notes" / "mine.txt").read_text() == "kept"
    assert (saved / "readme.txt").read_text() == "kept"
    assert len([path for path in saved.iterdir() if path.is_dir()]) == 2


def test_an_empty_folder_may_be_filled(tmp_path):
    """A folder with nothing in it counts as new."""
    BM25Index().fit(["red"]).save(tmp_path)

    assert len(BM25Index.load(tmp_path)) == 1


def rewrite(folder, change):
    """Change the header of a saved index and put its checksum right."""
    header = json.loads((folder / "header.json").read_text())
    header.pop("sha256")
    change(header)
    text = {**header, "sha256": folders._content_checksum(header)}
    (folder / "header.json").write_text(json.dumps(text))


@pytest.mark.promise(11)
@pytest.mark.parametrize(
    "change",
    [
        lambda header: header.pop("files"),
        lambda header: header.pop("arrays"),
        lambda header: header.update(files=[]),
        lambda header: header.update(arrays="../other/0123456789abcdef"),
        lambda header: header["files"].update({"../x": {}}),
        lambda header: header["files"]["idf"].pop("sha256"),
        lambda header: header.update(settings=5),
        lambda header: header.update(terms=5),
        lambda header: header.update(ids=None),
        lambda header: header["ids"].update(count=10**12),
        lambda header: header.update(n_docs=4),
        lambda header: header["settings"].update(scheme="bm26"),
        lambda header: header["settings"].update(k1=-1),
        lambda header: header["settings"].update(dtype="float64"),
        lambda header: header["settings"].update(analyzer=7),
    ],
)
def test_forged_headers_are_refused(saved, change):
    """A header with a right checksum and wrong content is refused with one clear error."""
    rewrite(saved, change)

    with pytest.raises(IndexFormatError):
        BM25Index.load(saved)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"format": ' + "9" * 5000 + "}", "nul", "[1]"])
def test_headers_that_are_no_headers_are_refused(saved, text):
    """Whatever stands in the header's place, the error is ours."""
    (saved / "header.json").write_text(text)

    with pytest.raises(IndexFormatError):
        BM25Index.load(saved)


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("indices", 0, 2**31 - 1),
        ("indices", 0, -1),
        ("indptr", 1, 999),
        ("indptr", 0, 1),
        ("terms_ends", 1, 2**40),
    ],
)
def test_mapped_positions_are_checked(saved, name, place, value):
    """Positions that compiled code would follow out of an array are found without reading checksums."""
    array = np.load(next(saved.rglob(f"{name}.npy")), mmap_mode="r+")
    array[place] = value
    array.flush()

    with pytest.raises(IndexFormatError, match="do not fit together"):
        BM25Index.load(saved, mmap=True)


@pytest.mark.promise(10)
def test_shared_arrays_are_read_only(saved):
    """What several snapshots share cannot be changed through any of them, fitted or loaded."""
    for index in (
        BM25Index("bm25+").fit(["red kite"]),
        BM25Index.load(saved),
        BM25Index.load(saved, mmap=True),
    ):
        arrays = [index.postings.data, index.idf, index.counts.indices, index.counts.doc_lengths]
        arrays += [index.counts.tf.data, *index.counts.field_tf]
        for array in arrays:
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 0


def test_filters_cannot_change_metadata():
    """A filter sees metadata as it is kept and cannot write to it."""
    index = BM25Index().fit(["red"], metadata=[{"year": 1}])

    with pytest.raises(AttributeError):
        index.search("red", where=lambda row: row.update(year=2) or True)


def test_metadata_with_gaps_can_be_saved(tmp_path):
    """NaN in metadata, as data frames bring it, comes back as NaN."""
    BM25Index().fit(["red"], metadata=[{"year": float("nan")}]).save(tmp_path / "index")
    (row,) = BM25Index.load(tmp_path / "index").metadata

    assert np.isnan(row["year"])


def test_statistics_of_texts_and_columns_do_not_mix():
    """Terms that are texts and terms that are numbers have no common statistics."""
    texts, columns = BM25Index().fit(["red"]), BM25Index().fit(BM25Index().fit(["red"]).counts.tf)

    with pytest.raises(ValueError, match="texts and of column numbers"):
        texts.statistics + columns.statistics
    with pytest.raises(ValueError, match="kind of terms"):
        texts.with_statistics(columns.statistics)
