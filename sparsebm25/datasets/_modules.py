"""What do installed sources say? Modules read with `ast`: nothing is imported and nothing runs."""

from __future__ import annotations

import ast
import inspect
import os
import sysconfig
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

STANDARD_LIBRARY = "stdlib"
# Tests, data, build tools and copies of other projects: much to parse, little to read.
SKIPPED_FOLDERS = frozenset(
    {"test", "tests", "encodings", "pydoc_data"}
    | {"distutils", "ensurepip", "f2py", "idlelib", "lib2to3", "turtledemo", "externals", "_lib"}
)
COMPOUND = (ast.If, ast.Try, ast.TryStar, ast.With)

Documented: TypeAlias = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


SourceFile: TypeAlias = tuple[str, Path]
"""The name of a module and its file."""


@dataclass(slots=True)
class Module:
    """One source file: its docstrings, and where its names come from."""

    name: str
    docs: dict[str, str] = field(default_factory=dict)  # by qualified name, "" for the module's own
    bound: set[str] = field(default_factory=set)  # functions and classes of its own, documented or not
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)  # name here -> module, name there
    stars: list[str] = field(default_factory=list)  # modules of ``from module import *``
    exported: set[str] | None = None  # ``__all__`` if it is written out
    added: list[tuple[str, str, str]] = field(default_factory=list)  # module, name, docstring for elsewhere


def source_files(package: str) -> list[SourceFile]:
    """Return the modules of a package without tests, sorted within each folder; nothing if there is none."""
    if package == STANDARD_LIBRARY:
        return list(_walk("", Path(sysconfig.get_path("stdlib"))))
    if not package.isidentifier():
        raise ValueError(f"packages must be names without dots, got {package!r}")
    spec = find_spec(package)
    if spec is None:
        return []
    if spec.submodule_search_locations is None:
        return [(package, Path(spec.origin))] if spec.origin and spec.origin.endswith(".py") else []
    return [file for folder in spec.submodule_search_locations for file in _walk(package, Path(folder))]


def _walk(package: str, folder: Path) -> Iterator[SourceFile]:
    """Yield the modules in a folder and in the packages below it."""
    for parent, folders, files in os.walk(folder):
        here = Path(parent)
        folders[:] = sorted(
            name
            for name in folders
            if name not in SKIPPED_FOLDERS and (here / name / "__init__.py").is_file()
        )
        inner = (package, *here.relative_to(folder).parts)
        for file in sorted(files):
            stem, suffix = os.path.splitext(file)
            if suffix == ".py" and stem.isidentifier() and not stem.startswith(("test_", "conftest")):
                yield ".".join(filter(None, (*inner, "" if stem == "__init__" else stem))), here / file


def read_module(name: str, path: Path) -> Module | None:
    """Return what a source file holds, or None if it cannot be parsed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the syntax of others
            tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return None
    module = Module(name)
    package = name if path.stem == "__init__" else name.rpartition(".")[0]
    _keep_docstring(module, "", tree)
    for statement in _statements(tree.body):
        _keep(module, package, statement)
    return module


def spread_added(modules: Iterable[Module]) -> dict[str, Module]:
    """Return modules by name, each with the docstrings that other modules add to it."""
    by_name = {module.name: module for module in modules}
    for module in by_name.values():
        for target, name, docstring in module.added:
            if target in by_name and is_public(name):
                by_name[target].docs.setdefault(name, docstring)
                by_name[target].bound.add(name.partition(".")[0])
    return by_name


def is_public(name: str) -> bool:
    """Tell whether no part of a dotted name begins with an underscore."""
    return not any(part.startswith("_") for part in name.split("."))


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a module, those under conditions too."""
    for statement in body:
        if isinstance(statement, COMPOUND):
            for part in ("body", "orelse", "finalbody"):
                yield from _statements(getattr(statement, part, []))
            for handler in getattr(statement, "handlers", []):
                yield from _statements(handler.body)
        else:
            yield statement


def _keep(module: Module, package: str, statement: ast.stmt) -> None:
    """Keep what one statement says about the names of a module."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            module.bound.add(name)
            _keep_docstring(module, name, statement)
        case ast.ClassDef(name=name, body=body):
            module.bound.add(name)
            _keep_docstring(module, name, statement)
            for member in body:
                if isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef):
                    _keep_docstring(module, f"{name}.{member.name}", member)
        case ast.ImportFrom():
            _keep_imports(module, package, statement)
        case ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List() | ast.Tuple() as names):
            module.exported = {str(_literal(name)) for name in names.elts}
        case ast.Expr(value=ast.Call(func=ast.Name(id="add_newdoc"), args=[*place, name, docs])):
            target = _literal(place[0]) if place else package
            module.added += [(target, *added) for added in _added(_literal(name), _literal(docs))]


def _keep_docstring(module: Module, name: str, node: Documented) -> None:
    """Keep a public docstring, unless there is one of that name."""
    if is_public(name) and (docstring := ast.get_docstring(node)):
        module.docs.setdefault(name, docstring)


def _keep_imports(module: Module, package: str, statement: ast.ImportFrom) -> None:
    """Keep where the names of a ``from module import names`` come from."""
    parts = package.split(".")
    above = parts[: len(parts) - statement.level + 1] if statement.level else []
    source = ".".join([*above, *filter(None, [statement.module])])
    for alias in statement.names:
        if alias.name == "*":
            module.stars.append(source)
        else:
            module.imports[alias.asname or alias.name] = (source, alias.name)


def _added(name: object, docs: object) -> list[tuple[str, str]]:
    """Return name and docstring of each that is added: the object's own, or those of its members."""
    pairs = docs if isinstance(docs, list) else [docs if isinstance(docs, tuple) else ("", docs)]
    return [
        (f"{name}.{member}".removesuffix("."), inspect.cleandoc(docstring))
        for member, docstring in pairs
        if isinstance(docstring, str)
    ]


def _literal(expression: ast.expr) -> Any:
    """Return the value of an expression that is written out, or None."""
    try:
        return ast.literal_eval(expression)
    except (ValueError, TypeError):
        return None
