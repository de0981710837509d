"""The public names are written down, so that a change of the API is seen by whoever reads the change."""

from __future__ import annotations

import difflib

import pytest
from discovery import PUBLIC_MODULES, SOURCES, public_names

import sparsebm25

OFFERED = [name for name in PUBLIC_MODULES if SOURCES[name].stem == "__init__" or name.count(".") == 1]
"""The modules that users import from: the package, its modules, and its folders. What lies inside a folder is
offered by the folder, or is an inner part that may move."""

API: dict[str, str] = {
    "sparsebm25": (
        "Analyzer BM25Index BM25Transformer BM25Vectorizer Explanation Hit Hits IndexFormatError "
        "MissingExtra Run SCHEMES Scheme Statistics UnknownIds"
    ),
    "sparsebm25.apps": "Catalog CodeSearch Router ToolRanker",
    "sparsebm25.apps.catalog": "Catalog CatalogHit CatalogHits CatalogPage Ranking Wording",
    "sparsebm25.apps.code": "CodeHit CodeLine CodeSearch",
    "sparsebm25.apps.router": "Candidate Route Router",
    "sparsebm25.cli": "main",
    "sparsebm25.counting": (
        "CHUNK_TOKENS Document count_documents count_ordinals counts_of_matrix missing no_documents"
    ),
    "sparsebm25.counts": (
        "Counts MAX_POSTINGS append_counts join_fields keep_documents no_counts reorder_documents "
        "restrict_fields spread_terms"
    ),
    "sparsebm25.datasets": (
        "BadLines Collection Record load_collection load_docstrings read_documents read_queries"
    ),
    "sparsebm25.errors": "IndexFormatError MissingExtra UnknownIds",
    "sparsebm25.estimators": "BM25Transformer BM25Vectorizer",
    "sparsebm25.evaluation": (
        "AP Comparison Evaluation Judged Measure P Qrel R RR ScoredDoc Success Sweep compare "
        "evaluate nDCG parse_measure read_qrels sweep with_ir_measures write_qrels"
    ),
    "sparsebm25.index": "BM25Index",
    "sparsebm25.protocols": "Bools DocId Floats Ints Stemmer TextAnalyzer Tokenizer",
    "sparsebm25.records": "Explanation Hit Hits",
    "sparsebm25.runs": "Run write_trec",
    "sparsebm25.scoring": "available backend_named top_k",
    "sparsebm25.string_table": "StringTable",
    "sparsebm25.text": (
        "Analyzer SNOWBALL_LANGUAGES STOPWORDS SYMBOL_WORDS fold_accents split_identifiers words"
    ),
    "sparsebm25.vocabulary": "Terms Vocabulary",
    "sparsebm25.weighting": "QuerySide SCHEMES Scheme Statistics Weighting Weights scheme_named weigh",
}
"""Module -> its public names, in alphabetical order."""


def lines(api: dict[str, list[str]]) -> list[str]:
    """Return one line a name, so that a difference shows exactly what changed."""
    return sorted(f"{module}.{name}" for module, names in api.items() for name in names)


def test_public_names_are_the_written_ones():
    """Every public name of every module that is offered is in the table, and nothing else is."""
    written = lines({module: names.split() for module, names in API.items()})
    found = lines({module: public_names(module) for module in OFFERED})

    changes = [line for line in difflib.ndiff(written, found) if line[0] in "+-"]
    assert not changes, "not as in API (+ new, - gone):\n" + "\n".join(changes)


@pytest.mark.parametrize("name", public_names("sparsebm25"))
def test_top_level_name_is_there(name):
    """Each name that the package announces can be had from it and is shown by `dir`, lazy ones too."""
    assert getattr(sparsebm25, name) is not None
    assert name in dir(sparsebm25)


def test_unknown_top_level_name_is_refused():
    """A name that the package does not have is an AttributeError that names it."""
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = sparsebm25.no_such_name
