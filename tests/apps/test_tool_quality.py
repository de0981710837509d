"""The routers rank real tools as published, and better by default."""

from __future__ import annotations

import pytest

from sparsebm25.apps import Router
from sparsebm25.datasets import load_collection
from sparsebm25.evaluation import RR, R, Success, evaluate

MEASURES = [Success @ 1, Success @ 3, Success @ 5, Success @ 8, R @ 5, RR @ 8]


def quality(folder, **settings):
    """Return the mean of each measure, in percent, over the eight candidates that a router hands out."""
    collection = load_collection(folder)
    tools = [{"name": fields["title"], "description": fields["text"]} for fields in collection.fields]
    router = Router(tools, hint_boost=0, **settings)
    run = {
        query_id: {candidate.tool: candidate.score for candidate in router.search(query, 8)}
        for query_id, query in collection.queries.items()
    }
    means = evaluate(MEASURES, collection.qrels, run).means()
    return [round(100 * means[measure], 1) for measure in MEASURES]


def test_published_quality(shared_data):
    """Compatible, the figures are the published ones, to the decimal."""
    success_and_recall = [57.4, 74.5, 83.0, 91.5, 83.0]

    assert quality(shared_data / "tools_heritage171", compatible=True) == [*success_and_recall, 68.5]


def test_default_quality(shared_data):
    """By default the right tool is first more often, and more often among eight."""
    success_and_recall = [74.5, 83.0, 89.4, 97.9, 89.4]

    assert quality(shared_data / "tools_heritage171") == [*success_and_recall, 81.1]


@pytest.mark.parametrize("settings", [{"name_grams": 3}, {"name_grams": 5}, {"language": None}])
def test_quality_hangs_on_no_setting(shared_data, settings):
    """Shorter or longer n-grams, or no stems, still put nearly every right tool among eight."""
    first, _, _, eight, _, _ = quality(shared_data / "tools_heritage171", **settings)

    assert first >= 72
    assert eight >= 95


@pytest.mark.parametrize(("compatible", "recall", "reciprocal"), [(True, 79.2, 90.0), (False, 85.2, 93.1)])
def test_quality_on_many_tools(shared_data, compatible, recall, reciprocal):
    """Among four thousand tools of camelCase names the default finds more, and finds it earlier."""
    *_, found, rank = quality(shared_data / "tools_sealtools", compatible=compatible)

    assert (found, rank) == pytest.approx((recall, reciprocal), abs=0.1)
