"""The names by which users know objects: re-exports are followed through the imports of modules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from sparsebm25.datasets._modules import Module, is_public

Place: TypeAlias = tuple[str, str]
"""A module and a qualified name in it; "" is the module itself."""


class Names:
    """Where the names of modules lead, and under which names the documented objects are public."""

    def __init__(self, modules: Mapping[str, Module]) -> None:
        self._modules = modules
        self._definitions: dict[Place, Place | None] = {}
        self.places: dict[str, Place] = {}
        self._by_last_part: dict[str, list[str]] = defaultdict(list)
        for module in modules.values():
            for name in module.docs:
                public = self._public_name(module.name, name)
                if public is not None:
                    self.places[public] = module.name, name
                    self._by_last_part[public.rpartition(".")[2]].append(public)
        self._public = {place: public for public, place in self.places.items()}

    def docstring(self, public: str) -> str:
        """Return the docstring of a public name."""
        module, name = self.places[public]
        return self._modules[module].docs[name]

    def definition(self, module: str, name: str) -> Place | None:
        """Return where ``module.name`` is defined, or None."""
        place = module, name
        if place not in self._definitions:
            self._definitions[place] = None  # ends circular imports
            self._definitions[place] = self._search(module, name)
        return self._definitions[place]

    def linked(self, name: str, own: str) -> str | None:
        """Return the public name that `name` means in the docstring of the public name `own`, or None."""
        scopes = [*_inner_first(own), *_inner_first(self.places[own][0])]
        documented = map(self._documented, [f"{scope}.{name}" for scope in scopes] + [name])
        return next(filter(None, documented), None) or self._only_one(name, own)

    def _only_one(self, name: str, own: str) -> str | None:
        """Return the public name in the package of `own` that ends in `name`, if there is just one."""
        package = own.partition(".")[0] + "."
        alike = [
            public
            for public in self._by_last_part[name.rpartition(".")[2]]
            if public.startswith(package) and public.endswith(f".{name}")
        ]
        return alike[0] if len(alike) == 1 else None

    def _search(self, module_name: str, name: str) -> Place | None:
        """Follow one name through definitions, imports and star imports of a module."""
        module = self._modules.get(module_name)
        if module is None:
            return None
        if name in module.bound:
            return module_name, name
        if name in module.imports:
            return self.definition(*module.imports[name])
        found = (self.definition(star, name) for star in module.stars if self._exports(star, name))
        return next(filter(None, found), None)

    def _exports(self, module_name: str, name: str) -> bool:
        """Tell whether ``from module import *`` gives `name`."""
        module = self._modules.get(module_name)
        if module is None:
            return False
        return not name.startswith("_") if module.exported is None else name in module.exported

    def _public_name(self, module: str, name: str) -> str | None:
        """Return the shortest name by which users can import what a module documents, or None."""
        if not name:
            return module if is_public(module) else None
        top = name.partition(".")[0]
        packages = reversed([package for package in _inner_first(module) if is_public(package)])
        home = next((package for package in packages if self.definition(package, top) == (module, top)), None)
        return home and f"{home}.{name}"

    def _documented(self, dotted: str) -> str | None:
        """Return the public name of what a dotted name leads to, or None."""
        for module in _inner_first(dotted):
            top, dot, members = dotted[len(module) + 1 :].partition(".")
            place = self.definition(module, top) if top else (module, "")
            if place and (place[0], place[1] + dot + members) in self._public:
                return self._public[place[0], place[1] + dot + members]
        return None


def _inner_first(dotted: str) -> Iterator[str]:
    """Yield a dotted name and the names around it: ``a.b.c``, ``a.b``, ``a``."""
    while dotted:
        yield dotted
        dotted = dotted.rpartition(".")[0]
