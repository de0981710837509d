"""Everything shown is true: docstrings and their examples, and what the pages name."""

from __future__ import annotations

import doctest
import importlib
import inspect
import io
import re
from functools import cached_property

import pytest
from discovery import PACKAGE, PUBLIC_MODULES, ROOT, SOURCES, is_public, public_names, repository_files
from numpydoc.docscrape import get_doc_object
from numpydoc.validate import validate

from sparsebm25._lazy import lazy

PAGES = [ROOT / "README.md", *sorted((ROOT / ".github").glob("*.md"))]

MAX_LINES = 500

UNCHECKED = {
    "ES01": "an extended summary is for what the first line leaves open",
    "SA01": "See Also is for neighbors that a reader would miss, not for every object",
    "EX01": "`test_exported_names_have_examples` asks for them where users look",
}
"""The numpydoc checks that are not made, with the reason; all others are."""

FORBIDDEN = re.compile(
    r"py[p]i\.org|python[h]osted|registry\.np[m]js|deb\.de[b]ian|/(?:work|farm|tmp|root|home|Users)/"
)
"""Hosts of package registries and paths of one machine, each written so that this file holds none."""


def public_objects(module: str) -> dict[str, object]:
    """Return what a module defines for its users, by dotted name; of its classes, the members too."""
    found: dict[str, object] = {}
    for name in public_names(module):
        thing = getattr(importlib.import_module(module), name)
        if not (inspect.isfunction(thing) or inspect.isclass(thing)):
            continue
        if thing.__module__ != module and is_public(thing.__module__):
            continue  # documented where it is defined
        found[f"{module}.{name}"] = thing
        if inspect.isclass(thing):
            found |= {f"{module}.{name}.{key}": member for key, member in own_members(thing).items()}
    return found


def own_members(cls: type) -> dict[str, object]:
    """Return the public methods and properties that a class defines itself."""
    kinds = (property, classmethod, staticmethod, cached_property, lazy)
    return {
        key: member
        for key, member in vars(cls).items()
        if is_public(key) and (inspect.isfunction(member) or isinstance(member, kinds))
    }


def is_protocol(thing: object) -> bool:
    """Return whether a class only describes: it is never called, so it has no parameters to document."""
    return getattr(thing, "_is_protocol", False)


@pytest.mark.parametrize("module", PUBLIC_MODULES)
def test_docstrings_are_valid(module):
    """Every public object has a docstring that numpydoc finds complete and in order."""
    faults = [
        f"{name}: {code} {text}"
        for name, thing in public_objects(module).items()
        for code, text in validate(name)["errors"]
        if code not in UNCHECKED and not (code == "PR01" and is_protocol(thing))
    ]

    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("package", [name for name in PUBLIC_MODULES if SOURCES[name].stem == "__init__"])
def test_exported_names_have_examples(package):
    """Every function and class that a package exports shows how it is used; errors show themselves."""
    exported = {name: getattr(importlib.import_module(package), name) for name in public_names(package)}
    bare = [
        name
        for name, thing in exported.items()
        if (inspect.isfunction(thing) or inspect.isclass(thing))
        and not (inspect.isclass(thing) and issubclass(thing, BaseException))
        and not is_protocol(thing)
        and not get_doc_object(thing)["Examples"]
    ]

    assert not bare


@pytest.mark.parametrize(
    "module", [name for name, path in SOURCES.items() if ">>>" in path.read_text("utf-8")]
)
def test_docstring_examples_are_true(module, tmp_path, monkeypatch):
    """Every example prints what it shows, with nothing at hand but what it imports."""
    monkeypatch.chdir(tmp_path)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    report = io.StringIO()
    examples = doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(module), globs={})

    assert sum(runner.run(example, out=report.write).failed for example in examples) == 0, report.getvalue()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_named_paths_exist(page):
    """Every file that a page links to, and every path of this repository that it names, is there."""
    prose = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    links = [target for target in re.findall(r"\]\(([^)#\s]+)", prose) if ":" not in target]
    spans = [
        span for span in re.findall(r"`([^`\s]+/[^`\s]*)`", prose) if (ROOT / span.split("/")[0]).exists()
    ]

    missing = [target for target in links if not (page.parent / target).exists()]
    missing += [span for span in spans if not any(ROOT.glob(span.rstrip("/")))]
    assert not missing


def test_the_map_names_every_part():
    """The floor map for contributors names every module and folder at the top of the package."""
    page = (ROOT / ".github" / "CONTRIBUTING.md").read_text("utf-8")
    folders = [path.parent for path in PACKAGE.glob("*/__init__.py")]
    modules = [path for path in PACKAGE.glob("*.py") if path.name != "__init__.py"]
    names = [f"`sparsebm25/{path.name}/`" for path in folders] + [
        f"`sparsebm25/{path.name}`" for path in modules
    ]

    assert [name for name in sorted(names) if name not in page] == []


def test_files_are_short():
    """No source file is longer than a reader holds in mind."""
    lengths = {
        path.relative_to(ROOT).as_posix(): len(path.read_text("utf-8").splitlines())
        for path in repository_files()
        if path.suffix == ".py"
    }

    assert lengths
    assert {name: length for name, length in lengths.items() if length > MAX_LINES} == {}


def test_files_belong_to_no_machine():
    """No file names a package registry's host or a path of one machine."""
    found = [
        f"{path.relative_to(ROOT)}:{number}: {match[0]}"
        for path in repository_files()
        for number, line in enumerate(path.read_text("utf-8", errors="replace").splitlines(), start=1)
        if (match := FORBIDDEN.search(line))
    ]

    assert not found, "\n".join(found)
