"""The ranker of tools: the contract of the one that it replaces, and what it adds."""

from __future__ import annotations

import json
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from sparsebm25 import Analyzer
from sparsebm25.apps import ToolRanker


@dataclass
class Tool:
    """A tool as a host may hold it."""

    server_name: str
    tool_name: str
    description: str | None = None


def tool(name, description="", server="s"):
    """Return a tool as a mapping."""
    return {"serverName": server, "toolName": name, "description": description}


def names(ranked):
    """Return the names of ranked tools."""
    return [item["toolName"] for item in ranked]


TOOLS = [
    tool("plan_route", "Find the way between two towns", "maps"),
    tool("weather", "Rain and wind in a town", "sky"),
    tool("bookTable", "Reserve a table for dinner", "food"),
]

both = pytest.mark.parametrize("compatible", [True, False])


def test_recorded_rankings(shared_data):
    """Every recorded ranking of the replaced system is reproduced, in order and score."""
    record = json.loads((shared_data.parent / "behaviours" / "tool_ranker_vectors.json").read_text("utf-8"))
    wrong = []
    for row in record["vectors"]:
        found = ToolRanker(compatible=True).search(row["query"], row["items"], row["k"])
        order = [next(i for i, item in enumerate(row["items"]) if item is hit.item) for hit in found]
        scores = [round(hit.score, 6) for hit in found]
        if order != row["order"] or scores != pytest.approx([row["scores"][i] for i in order], abs=1e-6):
            wrong.append(row["id"])

    assert len(record["vectors"]) == 15
    assert not wrong


@both
def test_the_same_objects_come_back(compatible):
    """What comes back are the caller's own objects, best first, whatever their type."""
    items = [
        Tool("maps", "route", "towns"),
        tool("route", "route"),
        SimpleNamespace(toolName="x", serverName="y"),
    ]
    found = ToolRanker(compatible).rank("route", items)

    assert len(found) == 2
    assert found[0] is items[1]
    assert found[1] is items[0]


@both
@pytest.mark.parametrize("query", ["", "   ", "?!", None, float("nan")])
def test_a_query_without_words_finds_nothing(compatible, query):
    """A blank or wordless query finds nothing."""
    assert ToolRanker(compatible).rank(query, TOOLS) == []


@both
def test_no_items_and_none_wanted(compatible):
    """Nothing is found among no items, and nothing comes back if nothing is wanted."""
    ranker = ToolRanker(compatible)

    assert ranker.rank("town", []) == []
    assert ranker.rank("town", TOOLS, 0) == []


@both
def test_ties_keep_the_order_of_the_list(compatible):
    """Equal items come in the order given; more wanted than found gives all that match."""
    twins = [tool("spin", server=server) for server in ("b", "a", "c")] + [tool("stop")]
    ranker = ToolRanker(compatible)

    assert [item["serverName"] for item in ranker.rank("spin", twins, 2)] == ["b", "a"]
    assert ranker.rank("spin", twins, 50) == twins[:3]


@both
def test_repeated_words_count_once(compatible):
    """A word typed three times ranks and scores as typed once."""
    ranker = ToolRanker(compatible)

    assert ranker.search("town town TOWN table", TOOLS) == ranker.search("town table", TOOLS)


@both
def test_names_are_found_without_a_description(compatible):
    """A missing, None or empty description is an empty text."""
    bare = [{"serverName": "s", "toolName": "alpha"}, Tool("s", "alpha"), tool("alpha")]

    assert ToolRanker(compatible).rank("alpha undefined None", bare) == bare


@both
def test_composed_and_decomposed_text_meet(compatible):
    """Accents are found in either form; a word without the accent is another word; marks belong to words."""
    items = [tool("cafe\u0301"), tool("cafe"), tool("हिन्दी")]
    ranker = ToolRanker(compatible)

    assert ranker.rank("CAFÉ", items) == items[:1]
    assert ranker.rank("हिन्दी", items) == items[2:]
    assert ranker.rank("हिन", items) == []


def test_compatible_words():
    """Underscores and signs separate, capitals inside a word and scripts without spaces do not."""
    ranker = ToolRanker(compatible=True)
    items = [tool("drawMap"), tool("draw_map"), tool("地图 绘制"), tool("地图绘制"), tool("a\u200db")]

    assert ranker.rank("map", items) == items[1:2]
    assert ranker.rank("drawmap", items) == items[:1]
    assert ranker.rank("地图", items) == items[2:3]
    assert ranker.rank("b", items) == items[4:]


def test_compatible_limits_are_read_as_a_slice():
    """Compatible, fractions are cut, NaN, null and less than 1 give nothing, infinity all."""
    ranker = ToolRanker(compatible=True)
    twins = [tool("spin")] * 3
    counts = {
        k: len(ranker.rank("spin", twins, k)) for k in (-1, 0.9, 1.9, 2, float("inf"), float("nan"), None)
    }

    assert list(counts.values()) == [0, 0, 1, 2, 3, 0, 0]
    with pytest.raises(TypeError, match="k must be a number, got 'two'"):
        ranker.rank("spin", twins, "two")


def test_compatible_score_is_the_formula():
    """One matching word among two items of equal length scores its idf."""
    found = ToolRanker(compatible=True).search("rain", [tool("rain", "x"), tool("wind", "x")])

    assert found[0].score == pytest.approx(0.6931471805599453)


def test_compatible_index_is_kept_by_identity():
    """Compatible, changes inside a list are not seen; a copy, or another list in between, is."""
    ranker = ToolRanker(compatible=True)
    items = [tool("mail", "Send a letter")]
    assert ranker.rank("letter", items) == items
    items.append(tool("clock", "Tell the hour"))

    assert ranker.rank("hour", items) == []
    assert ranker.rank("letter", []) == []
    assert ranker.rank("hour", items) == []
    assert ranker.rank("hour", list(items)) == items[1:]
    assert ranker.rank("hour", items) == items[1:]


def test_changes_in_place_are_seen():
    """By default new, changed and removed items of the same list are seen at once."""
    ranker = ToolRanker()
    items = [Tool("s", "mail", "Send a letter"), Tool("s", "clock")]
    assert ranker.rank("hour", items) == []

    items[1].description = "Tell the hour"
    assert ranker.rank("hour", items) == [items[1]]
    items.append(Tool("s", "hourglass", "One hour of sand"))
    assert len(ranker.rank("hour", items)) == 2
    del items[0]
    assert ranker.rank("letter", items) == []


def test_an_equal_list_keeps_the_index(monkeypatch):
    """A copy of the list costs no new index, and the objects that come back are those of the copy."""
    ranker = ToolRanker()
    ranker.rank("town", TOOLS)
    monkeypatch.setattr(ToolRanker, "_indexed", None)
    copies = [dict(item) for item in TOOLS]

    assert ranker.rank("weather", copies)[0] is copies[1]


def test_names_are_split_into_their_parts():
    """By default parts of camelCase and acronyms are found, and pairs inside runs of Chinese."""
    items = [tool("parseHTTPHeader"), tool("数据分析工具"), tool("bookTable")]
    ranker = ToolRanker()

    assert names(ranker.rank("http", items)) == ["parseHTTPHeader"]
    assert names(ranker.rank("parsehttpheader", items)) == ["parseHTTPHeader"]
    assert names(ranker.rank("分析", items)) == ["数据分析工具"]


def test_fields_have_weights():
    """The weight of a field decides between a name and a description; a field of weight 0 is not searched."""
    items = [tool("alpha", "beta gamma delta"), tool("delta", "beta gamma alpha")]

    assert names(ToolRanker().rank("delta", items)) == ["delta", "alpha"]
    by_text = ToolRanker(weights={"tool_name": 0, "description": 3})
    assert names(by_text.rank("delta", items)) == ["alpha"]
    assert by_text.rank("s", items)


def test_accents_fold_on_request():
    """An analyzer of the caller's own decides which words are one."""
    ranker = ToolRanker(analyzer=Analyzer(accents="fold"))

    assert ranker.rank("cafe", [tool("café")])


def test_names_of_fields_are_the_callers():
    """Items say under which names they hold their texts; camelCase of these is understood."""
    items = [{"server": "s", "name": "spin", "longText": "turn around"}]

    assert ToolRanker(names=("server", "name", "long_text")).rank("around", items) == items


@both
def test_matches_sum_to_the_score(compatible):
    """What the words add, largest first, sums to the score."""
    found = ToolRanker(compatible).search("rain in a town or towns", TOOLS, explain=True)

    assert len(found) == 3
    for hit in found:
        values = [value for _, value in hit.matches]
        assert sum(values) == pytest.approx(hit.score)
        assert values == sorted(values, reverse=True)
    assert {term for term, _ in found[0].matches} == {"rain", "in", "a", "town"}
    assert ToolRanker(compatible).search("rain", TOOLS)[0].matches is None


@both
def test_a_batch_is_its_queries(compatible):
    """Many queries at once give what each gives alone."""
    ranker = ToolRanker(compatible)
    queries = ["town", "", "reserve dinner", "nothing of it"]

    assert ranker.rank_many(queries, TOOLS, 2) == [ranker.rank(query, TOOLS, 2) for query in queries]
    assert ranker.rank_many(queries, []) == [[]] * 4
    with pytest.raises(TypeError, match="queries must be an iterable of str"):
        ranker.rank_many("town", TOOLS)


@pytest.mark.promise(9)
@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: ToolRanker().rank("x", [tool("x"), {"serverName": "s"}]),
            ValueError,
            "item 1 must have a tool_n",
        ),
        (
            lambda: ToolRanker().rank("x", [tool(7)]),
            TypeError,
            "tool_name or toolName of item 0 must be a str, got 7",
        ),
        (
            lambda: ToolRanker().rank("x", [tool("x", ["y"])]),
            TypeError,
            r"description of item 0 .* got \['y'\]",
        ),
        (lambda: ToolRanker().rank("x", TOOLS, -1), ValueError, "k must be an integer >= 0, got -1"),
        (lambda: ToolRanker().rank("x", TOOLS, 1.5), TypeError, "k must be an integer, got 1.5"),
        (lambda: ToolRanker().rank(7, TOOLS), TypeError, "a query must be a str, got 7"),
        (
            lambda: ToolRanker().rank("x", "tools"),
            TypeError,
            "items must be a sequence of mappings or objects",
        ),
        (lambda: ToolRanker().rank("x", iter(TOOLS)), TypeError, "items must be a sequence"),
        (lambda: ToolRanker(names="abc"), ValueError, "names must be three str"),
        (lambda: ToolRanker(weights=[1, 2]), TypeError, "weights must be a mapping from field to number"),
        (
            lambda: ToolRanker(weights={"title": 2}),
            ValueError,
            "a field in weights must be one of 'server_name'",
        ),
        (
            lambda: ToolRanker(weights={"tool_name": -1}),
            ValueError,
            r"weights\['tool_name'\] .* >= 0, got -1",
        ),
        (lambda: ToolRanker(weights={"tool_name": 0.5}), ValueError, "must be 0 or at least 1, got 0.5"),
        (lambda: ToolRanker(True, analyzer=str.split), ValueError, "weights and analyzer must be None"),
        (lambda: ToolRanker(k1=-1), ValueError, "k1 must be a finite number >= 0, got -1"),
    ],
)
def test_bad_input_is_refused(call, error, message):
    """What is wrong is said in one error that names the argument, the value and what is allowed."""
    with pytest.raises(error, match=message):
        call()


def test_a_refused_list_leaves_the_ranker_as_it_was():
    """After a list with a bad item the ranker answers as before."""
    ranker = ToolRanker()
    before = ranker.rank("town", TOOLS)
    with pytest.raises(ValueError, match="item 0"):
        ranker.rank("town", [{}])

    assert ranker.rank("town", TOOLS) == before
