"""Which entries of a catalog does a query mean? One page of them, or of the listing."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping
from typing import Any

from sparsebm25.apps.catalog import Catalog, CatalogPage, Wording
from sparsebm25.apps.catalog._catalog import DEFAULT_FIELDS
from sparsebm25.cli._output import counted, note
from sparsebm25.cli._tools_input import read_objects


def run(args: argparse.Namespace) -> None:
    """Print one page."""
    fields = args.fields or DEFAULT_FIELDS
    catalog = Catalog(
        read_objects(args.entries),
        fields,
        noise=args.noise,
        compatible=args.compatible,
        wording=None if args.compatible else Wording(listing="leave the query out"),
    )
    page = catalog.page(args.query, args.offset, args.limit)
    if args.json:
        print(json.dumps(page.to_dict()))
    else:
        _print_page(page, fields)


def _print_page(page: CatalogPage, fields: Iterable[str]) -> None:
    """Print one entry a line, with score and matched terms if they were searched for."""
    for rank, (entry, terms, _, score) in enumerate(page.rows, start=page.offset + 1):
        searched = "" if page.terms is None else f"  {score:6g}"
        matched = f"  ({', '.join(terms)})" if terms else ""
        print(f"{rank:>4}{searched}  {_label(entry, fields)}{matched}")
    if page.guidance is not None:
        note(page.guidance)
    elif page.next_offset is not None:
        note(f"{counted(page.total, 'entry')} in all; the next page has --offset {page.next_offset}")
    elif not page.rows:
        note(f"{counted(page.total, 'entry')} in all")


def _label(entry: Mapping[str, Any], fields: Iterable[str]) -> str:
    """Return the first field that says something."""
    value = next((value for name in fields if (value := entry.get(name))), "")
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
