"""The docstring collection is real, always the same, fair to what it asks, and runs nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

import sparsebm25
from sparsebm25.datasets import Collection, load_docstrings

FAR = "It explains at length what happens to every kind of kite in wind, in rain and in the snow of winter."
"""A text that is long enough to be found without a summary."""

SOURCES = {
    "kites/__init__.py": """
        '''Everything about kites that one needs to know before flying one.'''
        from kites._fly import fly, _hidden
        from ._land import *
        raise SystemExit("this package was imported")
        """,
    "kites/_fly.py": f"""
        from kites._land import land

        def fly(kite):
            '''
            Send a kite up into the air.

            {FAR}

            See Also
            --------
            land : Bring a kite down again.
            Kite.color, kites.tails.tail
            :func:`~kites.fly` : Itself, :obj:`crash`.

            Notes
            -----
            Needs wind.
            '''

        def _hidden():
            '''Nobody sees this function, although its docstring has many words.'''

        def unexported():
            '''Nobody can import this function from a public place, so it is none.'''
        """,
    "kites/_land.py": f"""
        __all__ = ["land", "Kite"]

        def land(kite):
            '''
            land(kite, *, softly=True)

            Bring a kite down
            to the ground.

            {FAR}
            '''

        class Kite:
            '''Hold a kite.  {FAR}'''

            def color(self):
                '''Return the color of the kite, as one of the many names of colors.'''

            def _weight(self):
                '''Return the weight of the kite, which is of no concern to others.'''

        def left_out():
            '''Stay behind, as the list of exported names does not hold this one.'''
        """,
    "kites/tails.py": f"""
        try:
            import no_such_module
        except ImportError:
            def tail(kite):
                '''
                Return the tail.

                {FAR}
                '''

        def twin_1():
            '''
            Say the same as the twin.

            {FAR}
            '''

        def twin_2():
            '''
            Say the same as the twin.

            {FAR}
            '''

        def repeated():
            '''
            Repeat this very sentence below.

            Repeat this very sentence
            below. {FAR}
            '''

        def terse():
            '''Too terse.'''
        """,
    "kites/_newdocs.py": f"""
        add_newdoc("compiled", '''
            Count kites at compiled speed.

            {FAR}

            See Also
            --------
            fly
            ''')
        add_newdoc("kites._land", "Kite", ("string", '''
            The string of the kite is long, and strong, and costs little.
            '''))
        add_newdoc("kites._land", "Kite", [("sail", '''
            The sail of the kite is wide, and light, and costs a lot.
            ''')])
        add_newdoc("made", "up" + name)
        """,
    "kites/broken.py": "def (",
    "kites/tests/test_kites.py": "'''Tests are no documents, however many words their docstrings have.'''",
    "kites/data/table.py": "'''A folder that is no package holds no documents, whatever is in it.'''",
}


@pytest.fixture
def kites(tmp_path, monkeypatch) -> Collection:
    """Return the collection of a small package that must not be imported."""
    for name, source in SOURCES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(source))
    monkeypatch.syspath_prepend(tmp_path)
    return load_docstrings(packages=["kites", "no_such_package"])


@pytest.fixture(scope="module")
def collection() -> Collection:
    """Return the whole collection."""
    return load_docstrings()


def text_of(collection: Collection, doc_id: str) -> str:
    """Return the text of one document."""
    return collection.fields[collection.ids.index(doc_id)]["text"]


def printed(program: str, *, hash_seed: str) -> str:
    """Return what a program prints in a fresh interpreter that finds the tested package."""
    root = str(Path(sparsebm25.__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": root, "PYTHONHASHSEED": hash_seed}
    command = [sys.executable, "-c", program]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout


def flat(text: str) -> str:
    """Return a text in one line."""
    return " ".join(text.split())


def test_documents_have_public_names(kites):
    """Documents are named as users import them; private, unexported and terse ones are left out."""
    assert kites.ids == (
        "kites",
        "kites.Kite",
        "kites.Kite.color",
        "kites.Kite.sail",
        "kites.Kite.string",
        "kites.compiled",
        "kites.fly",
        "kites.land",
        "kites.tails.repeated",
        "kites.tails.tail",
        "kites.tails.twin_1",
        "kites.tails.twin_2",
    )
    assert [fields["title"] for fields in kites.fields] == list(kites.ids)


def test_queries_are_summaries_taken_out(kites):
    """An object is asked for by its summary, in one line, unless that would not tell it from others."""
    assert kites.queries == {
        "kites.fly": "Send a kite up into the air.",
        "kites.land": "Bring a kite down to the ground.",
        "kites.compiled": "Count kites at compiled speed.",
    }
    assert text_of(kites, "kites.fly") == f"{FAR}\n\nNotes\n-----\nNeeds wind."
    assert text_of(kites, "kites.land") == f"land(kite, *, softly=True)\n\n{FAR}"
    assert text_of(kites, "kites.tails.tail") == f"Return the tail.\n\n{FAR}"


def test_links_are_judgments(kites):
    """The object itself has grade 2, and what its See Also section links to has 1 if it is a document."""
    assert kites.qrels["kites.fly"] == {
        "kites.fly": 2,
        "kites.land": 1,
        "kites.Kite.color": 1,
        "kites.tails.tail": 1,
    }
    assert kites.qrels["kites.compiled"] == {"kites.compiled": 2, "kites.fly": 1}
    assert kites.qrels["kites.land"] == {"kites.land": 2}


def test_what_is_missing_is_noted(kites):
    """A package that is not there and a file that cannot be parsed are noted, and nothing else changes."""
    assert kites.notes == ("no_such_package is not installed", "1 source files could not be parsed")


def test_everything_is_missing():
    """Without any package the collection is empty and says why."""
    collection = load_docstrings(packages=["no_such_package"])

    assert (collection.ids, collection.fields, collection.queries, collection.qrels) == ((), (), {}, {})
    assert collection.notes == ("no_such_package is not installed",)


def test_collection_is_large_and_real(collection):
    """Installed packages give thousands of documents and a thousand queries, hundreds of them with links."""
    assert collection.notes == ()
    assert len(collection.ids) > 4000
    assert len(collection.queries) == 1000
    assert sum(len(grades) > 1 for grades in collection.qrels.values()) > 200
    assert {
        "json.JSONEncoder",
        "numpy.array",
        "numpy.linalg.norm",
        "numpy.reshape",
        "pathlib.Path.glob",
        "scipy.optimize.minimize",
        "scipy.special.eval_legendre",
        "sklearn.linear_model.Ridge",
    } <= set(collection.ids)


def test_collection_is_consistent(collection):
    """Ids are sorted and differ, each query is judged, and every judged document is there."""
    ids = set(collection.ids)

    assert list(collection.ids) == sorted(ids)
    assert len(collection.documents) == len(ids)
    assert collection.queries.keys() == collection.qrels.keys() <= ids
    assert all(grades.keys() <= ids and grades[own] == 2 for own, grades in collection.qrels.items())
    assert all(
        grade == 1
        for own, grades in collection.qrels.items()
        for other, grade in grades.items()
        if other != own
    )


def test_no_document_holds_its_own_query(collection):
    """No document that is asked for repeats its summary, and none shows the links that are judgments."""
    texts = {doc_id: fields["text"] for doc_id, fields in zip(collection.ids, collection.fields, strict=True)}

    assert [own for own, summary in collection.queries.items() if summary in flat(texts[own])] == []
    assert [doc_id for doc_id, text in texts.items() if "\nSee Also\n---" in f"\n{text}"] == []


def test_fewer_queries_are_the_first_ones():
    """The queries are chosen by an order of names: fewer of them are a beginning of more."""
    more, fewer = (load_docstrings(packages=["json", "statistics"], n_queries=number) for number in (8, 3))

    assert len(more.queries) == 8
    assert list(fewer.queries.items()) == list(more.queries.items())[:3]
    assert load_docstrings(packages=["json"], n_queries=0).queries == {}


def test_loading_is_repeatable():
    """Processes with different hash seeds load the same collection."""
    program = """
from sparsebm25.datasets import load_docstrings
collection = load_docstrings(packages=["json", "email"])
print((collection.ids, collection.fields, list(collection.queries.items()), collection.qrels))
"""

    assert printed(program, hash_seed="1") == printed(program, hash_seed="2")


def test_nothing_is_imported():
    """Reading the docstrings of a package imports no module of it."""
    program = """
import sys
from sparsebm25.datasets import load_docstrings
packages = ["sklearn", "sqlite3", "tkinter"]
assert len(load_docstrings(packages=packages).ids) > 1000
print([name for name in sys.modules if name.partition(".")[0] in packages])
"""

    assert printed(program, hash_seed="0") == "[]\n"


def test_progress_sees_every_file():
    """The caller can watch: what wraps the list of files is given all of them and passes them on."""
    seen = []

    def watch(files):
        seen.extend(name for name, _ in files)
        return iter(files)

    collection = load_docstrings(packages=["json"], progress=watch)

    assert "json.encoder" in seen
    assert collection == load_docstrings(packages=["json"])


@pytest.mark.parametrize(
    ("options", "error", "problem"),
    [
        ({"packages": "numpy"}, TypeError, "packages must be a sequence of names, got 'numpy'"),
        (
            {"packages": ["numpy.linalg"]},
            ValueError,
            "packages must be names without dots, got 'numpy.linalg'",
        ),
        ({"n_queries": -1}, ValueError, "n_queries must be an integer >= 0, got -1"),
        ({"n_queries": 1.5}, TypeError, "n_queries must be an integer, got 1.5"),
    ],
)
def test_wrong_arguments_are_refused(options, error, problem):
    """Wrong arguments are refused with name, value and what is allowed, before anything is read."""
    with pytest.raises(error, match=problem):
        load_docstrings(**options)
