"""The router: the contract of the one that it replaces, and what it adds."""

from __future__ import annotations

import pickle
import threading
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsebm25 import UnknownIds
from sparsebm25.apps import Router

TOOLS = [
    {"name": "mail.send_letter", "description": "Write a letter to somebody", "category": "post"},
    {"name": "mail.read_letters", "description": "Letters that came", "category": "post"},
    {"name": "sky.forecast", "description": "Rain, wind and sun of tomorrow", "keywords": "weather"},
    {"name": "house.lamp", "description": "Switch a lamp on or off"},
]

both = pytest.mark.parametrize("compatible", [True, False])


@dataclass
class Tool:
    """A tool as a host may hold it."""

    name: str
    description: str | None = None
    keywords: list[str] | None = None
    category: str | None = None


def found(router, query, k=8):
    """Return the names of the tools that a search finds."""
    return [candidate.tool for candidate in router.search(query, k)]


def words_of(text, **settings):
    """Return the words that a compatible router finds in a text, in their order."""
    router = Router([{"name": text}], True, name_weight=1, hint_boost=0, k1=0, **settings)
    return [term for term, _ in router.search(text, explain=True)[0].matches]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Turn_the-lamp.ON", ["turn", "lamp"]),
        ("kites kiss gas axes", ["kites", "kite", "kiss", "gas", "axes", "axe"]),
        ("x 9 v2 größe", ["v2", "gr"]),
        ("openDoor it’s", ["opendoor"]),
    ],
)
def test_compatible_words(text, words):
    """Words are ASCII letters and digits, two or more, with a plural's singular after it."""
    assert words_of(text) == words


def test_compatible_scores_are_rounded_and_order_by_name():
    """Equal rounded scores come by name: signs, digits, letters; small letters before capitals."""
    names = ["Pear", "pear", "apple", "_x", "-x", "9x", "zoo", "Öl"]
    router = Router([{"name": name, "description": "fruit salad"} for name in names], True, name_weight=0)
    candidates = router.search("fruit", 99)

    assert [candidate.tool for candidate in candidates] == [
        "_x", "-x", "9x", "apple", "pear", "Pear", "zoo", "Öl",
    ]  # fmt: skip
    assert {candidate.score for candidate in candidates} == {0.057}


def test_equal_scores_keep_the_order_of_the_tools():
    """By default equal scores keep the order in which the tools came, whatever their names."""
    router = Router([{"name": name, "description": "fruit salad"} for name in ("bb", "aa", "cc")])

    assert found(router, "fruit") == ["bb", "aa", "cc"]


def test_scores_that_only_rounding_makes_equal_are_told_apart():
    """By default scores are not rounded before they are compared."""
    tools = [
        {"name": "a", "description": "kite " + "x1 " * 2000},
        {"name": "b", "description": "kite " + "x1 " * 1999},
    ]
    settings = {"hint_boost": 0, "name_weight": 0}

    assert found(Router(tools, True, **settings), "kite") == ["a", "b"]
    assert found(Router(tools, **settings), "kite") == ["b", "a"]


@pytest.mark.parametrize(
    ("k", "n"), [(0, 0), (1, 1), (-1, 3), (-9, 0), (2.7, 2), (99, 4), (float("nan"), 0), (None, 0)]
)
def test_compatible_limits_are_read_as_a_slice(k, n):
    """Compatible, a negative k drops the last ranks, fractions are cut, NaN and null give nothing."""
    router = Router([{"name": f"lamp{i}", "description": "light"} for i in range(4)], True)

    assert len(router.search("light", k)) == n


@both
def test_name_weight(compatible):
    """The weight of the name lifts it over descriptions; 0 takes names out."""
    tools = [{"name": "alpha", "description": "beta"}, {"name": "beta", "description": "alpha gamma delta"}]

    assert found(Router(tools, compatible, name_weight=3, hint_boost=0), "beta") == ["beta", "alpha"]
    assert found(Router(tools, compatible, name_weight=0, hint_boost=0), "beta") == ["alpha"]


@both
def test_saturation_and_length_normalization_are_settings(compatible):
    """Without saturation counts do not matter, without normalization lengths do not."""
    tools = [
        {"name": "a", "description": "kite kite kite"},
        {"name": "b", "description": "kite and much more of it"},
    ]
    flat = Router(tools, compatible, k1=0, hint_boost=0).search("kite")
    level = Router([{**tools[0], "description": "kite"}, tools[1]], compatible, b=0, hint_boost=0).search(
        "kite"
    )

    assert flat[0].score == flat[1].score
    assert level[0].score == level[1].score
    assert found(Router(tools, compatible, hint_boost=0), "kite") == ["a", "b"]


@both
def test_keywords_are_searched(compatible):
    """Keywords, a text or a list of them, are part of the tool."""
    tools = [Tool("a", keywords=["parcel", "stamp duty"]), {"name": "b", "keywords": "customs"}]
    router = Router(tools, compatible, hint_boost=0)

    assert found(router, "stamp") == ["a"]
    assert found(router, "customs") == ["b"]


def test_the_category_is_searched():
    """By default the words of the category find the tool."""
    tools = [{"name": "x", "category": "Home Automation"}, {"name": "y"}]

    assert found(Router(tools, hint_boost=0), "automate my home") == ["x"]
    assert found(Router(tools, True, hint_boost=0), "automation") == []


@both
def test_a_hint_lifts_its_group(compatible):
    """A word that is the category, or the name up to its first dot, adds the boost once."""
    plain = Router(TOOLS, compatible, hint_boost=0).search("letter post mail")
    lifted = Router(TOOLS, compatible, hint_boost=0.25).search("letter post mail")

    assert [candidate.score for candidate in lifted] == pytest.approx(
        [candidate.score + 0.25 for candidate in plain]
    )


def test_a_hint_alone_finds_a_compatible_tool():
    """Compatible, the category alone gives a tool the boost as its score, without matches."""
    (only,) = Router([{"name": "a.b", "category": "Garden"}], True).search("garden", explain=True)

    assert (only.score, only.category, only.matches) == (0.1, "Garden", ())


@both
def test_synonyms_weigh_less_than_words(compatible):
    """A synonym finds what the word does not; what has the word itself comes first; 0 turns them off."""
    tools = [{"name": "t1", "description": "rain"}, {"name": "t2", "description": "drizzle"}]
    synonyms = {"drizzle": ["rain"]}

    assert found(Router(tools, compatible, synonyms=synonyms), "drizzle") == ["t2", "t1"]
    assert found(Router(tools, compatible, synonyms=synonyms, expansion_weight=0), "drizzle") == ["t2"]
    half, whole = (
        Router(tools, compatible, synonyms=synonyms, expansion_weight=weight).search("drizzle")[1].score
        for weight in (0.5, 1)
    )
    assert whole == pytest.approx(2 * half, abs=0.002)


@both
def test_synonyms_suit_terse_tools_only(compatible):
    """By default synonyms are off where descriptions have more than 200 UTF-16 units on average."""
    synonyms = {"drizzle": ["rain"]}
    for sign, units in (("x", 1), ("𝕏", 2)):
        for length, weight in ((195, 1), (196, 0)):
            text = "rain " + sign * (length // units) + "x" * (length % units)
            tools = [{"name": "a", "description": text}, {"name": "b"}, {"name": "c", "description": None}]
            assert len(found(Router(tools, compatible, synonyms=synonyms), "drizzle")) == weight


def test_compatible_synonyms_are_taken_as_they_stand():
    """Compatible, capitals and several words in a synonym match nothing, nor does a key in another form."""
    tools = [{"name": "lamp", "description": "light bulb"}]

    assert not found(Router(tools, True, synonyms={"glow": ["Lamp", "light bulb"]}), "glow")
    assert not found(Router(tools, True, synonyms={"Glow": ["lamp"]}), "Glow")


def test_synonyms_are_read_like_text():
    """By default capitals, other forms, and several words on either side do."""
    tools = [{"name": "lamp", "description": "switch the light"}, {"name": "mail"}]
    router = Router(tools, synonyms={"Glowing Pear": ["Lights, Lamp"], "inform": ["mail"]})

    assert found(router, "the glow of ripe pears") == []
    assert found(router, "a glowing pear") == ["lamp"]
    assert found(router, "informs") == ["mail"]
    assert found(router, "pear glowing") == []


@both
def test_stopwords_are_passed_over(compatible):
    """Filler finds nothing; words of one's own take the place of the list."""
    tools = [{"name": "list_all", "description": "get the lamp"}]

    assert found(Router(tools, compatible), "get me all of the") == []
    assert found(Router(tools, compatible, stopwords=["lamp"]), "lamp") == []
    assert found(Router(tools, compatible, stopwords=["lamp"]), "get") == ["list_all"]
    assert found(Router(tools, compatible, stopwords=[]), "the") == ["list_all"]


@both
def test_cosines(compatible):
    """TF-IDF scores are at most 1, and an unknown word lowers them."""
    router = Router(TOOLS, compatible, ranker="tfidf", hint_boost=0, name_weight=1)
    known, unknown = (router.search(query)[0].score for query in ("lamp", "lamp zeppelin"))

    assert found(router, "lamp") == ["house.lamp"]
    assert 0 < unknown < known <= 1


def test_compatible_cosine_is_the_formula():
    """Two words, one in the only tool: the cosine is idf over the length of the query."""
    router = Router([{"name": "lamp"}], True, ranker="tfidf", hint_boost=0)

    assert router.search("lamp zeppelin", explain=True)[0].matches == (("lamp", 0.509),)


@both
def test_matches_sum_to_the_score(compatible):
    """What the words add, largest first, is the score; synonyms are among the words."""
    router = Router(TOOLS, compatible, hint_boost=0, synonyms={"wet": ["rain"]})
    for candidate in router.search("wet letters, wind or a lamp", explain=True):
        values = [value for _, value in candidate.matches]
        assert sum(values) == pytest.approx(candidate.score, abs=0.002 if compatible else 1e-12)
        assert values == sorted(values, reverse=True)
    assert {term for term, _ in router.search("wet", explain=True)[0].matches} == {"rain"}


def test_matches_name_the_words_that_were_typed():
    """By default a match by stem is named by the word of the request."""
    (match,) = Router([{"name": "lamp"}]).search("lamps", explain=True)[0].matches

    assert match[0] == "lamps"


@pytest.mark.case("A18")
@both
def test_what_is_not_asked_for_is_left_out(compatible):
    """Descriptions and matches come on request only, and a missing description never."""
    router = Router(
        [{"name": "lamp", "description": "light"}, {"name": "lamp2", "description": None}], compatible
    )

    assert set(router.search("lamp")[0].to_dict()) == {"tool", "score", "category"}
    assert router.search("lamp", include_description=True)[0].to_dict()["description"] == "light"
    assert "description" not in router.search("lamp2", include_description=True)[0].to_dict()
    assert router.route("lamp").candidates[0].to_dict() == router.search("lamp")[0].to_dict()


@both
def test_a_route_has_what_a_search_has(compatible):
    """A route, alone or among many, gives descriptions and matches on request, as a search does."""
    router = Router(TOOLS, compatible)
    for asked in ({"explain": True}, {"include_description": True}, {}):
        candidates = tuple(router.search("read the letter", **asked))
        assert router.route("read the letter", **asked).candidates == candidates
        assert router.route_many(["read the letter"], **asked)[0].candidates == candidates


@both
def test_confidence(compatible):
    """No match is none, a close second is low, a clear best is high; the threshold itself is high."""
    twins = [{"name": "aa", "description": "lamp"}, {"name": "bb", "description": "lamp"}, {"name": "cc"}]
    routes = [Router(twins, compatible).route(query) for query in ("boat", "lamp", "cc")]
    kinds = [(route.confidence, len(route.candidates), route.guidance.split()[0]) for route in routes]

    assert kinds == [("none", 0, "No"), ("low", 2, "The"), ("high", 1, "These")]
    assert Router(twins, compatible, margin_threshold=0).route("lamp").confidence == "high"
    assert Router(twins, compatible, min_top_score=9).route("lamp").to_dict()["confidence"] == "none"
    assert found(Router(twins, compatible, min_top_score=9), "lamp") == ["aa", "bb"]


def test_the_margin_is_that_of_the_whole_ranking():
    """By default k = 1 does not hide a close second; compatible, it does."""
    twins = [{"name": "aa", "description": "lamp"}, {"name": "bb", "description": "lamp"}]

    assert Router(twins).route("lamp", 1).confidence == "low"
    assert Router(twins).route("lamp", 0).confidence == "none"
    assert Router(twins, True).route("lamp", 1).confidence == "high"


def test_identifiers_and_all_scripts_are_words():
    """By default parts of camelCase and acronyms, all scripts, and pairs inside Chinese are found."""
    names = ["net.fetchHTMLPage", "почта", "搜索代码工具", "naïve_bayes"]
    router = Router([{"name": name} for name in names])
    answers = [found(router, query) for query in ("html", "почта", "代码", "NAI\u0308VE")]

    assert answers == [[name] for name in names]
    assert found(Router([{"name": names[0]}], True), "html") == []


def test_languages_are_a_setting():
    """Stems are those of the language; without one only words as written match."""
    tools = [{"name": "t", "description": "Häuser vermieten"}]

    assert found(Router(tools, language="german"), "vermietet") == ["t"]
    assert found(Router(tools, language=None), "vermietet") == []
    assert found(Router(tools, language=None), "vermieten") == ["t"]


@both
@pytest.mark.promise(8)
def test_nothing_is_defined(compatible):
    """No tools, no words, None and tools without any text: no error and no candidate."""
    for router in (Router([], compatible), Router([{"name": ""}], compatible), Router(TOOLS, compatible)):
        for query in ("", "  ", "!?", None, float("nan"), "zeppelin"):
            assert router.search(query, explain=True) == []
            assert router.route(query).confidence == "none"


@both
@given(st.text(max_size=30))
def test_no_string_is_a_crash(compatible, text):
    """Any text can be a name, a description, a synonym and a request, and names find their tools."""
    router = Router(
        [{"name": text, "description": text, "category": text}], compatible, synonyms={text: [text]}
    )
    for query in (text, "constructor", "__proto__", "toString"):
        assert len(router.search(query, explain=True)) <= 1


@pytest.mark.promise(4)
@both
def test_history_does_not_matter(compatible):
    """A router that got and lost tools answers as one that was made of those that are left."""
    changed = Router(TOOLS[:1], compatible).add(TOOLS[1:]).add([{"name": "gone"}, {"name": "gone"}])
    changed.remove(["gone", "mail.send_letter"])
    made = Router(TOOLS[1:], compatible)

    assert changed.tool_names == made.tool_names
    assert len(changed) == 3
    for query in ("letter", "lamp", "gone", "post"):
        assert changed.search(query, explain=True) == made.search(query, explain=True)


@pytest.mark.promise(10)
@pytest.mark.parametrize("settings", [{"compatible": True}, {}, {"language": None}, {"ranker": "tfidf"}])
def test_a_router_can_be_pickled(settings):
    """A copy from a pickle answers alike, also after changes of both, and is a router of its own."""
    router = Router(TOOLS, **settings, synonyms={"wet": ["rain"]}, stopwords=["a"])
    router.search("letter")
    copies = [pickle.loads(pickle.dumps(router, protocol)) for protocol in (2, pickle.HIGHEST_PROTOCOL)]
    for change in (
        lambda each: each,
        lambda each: each.add([{"name": "sky.rainbow", "description": "Rain in the sun"}]),
        lambda each: each.remove(["mail.send_letter"]),
    ):
        routers = [change(each) for each in (router, *copies)]
        for query in ("wet letters", "rain on somebody's lamps", "zeppelin", "a"):
            first, *others = [each.route(query, explain=True, include_description=True) for each in routers]
            assert others == [first] * len(copies)
    copies[0].remove(["house.lamp"])

    assert len(router) == len(copies[1]) == len(copies[0]) + 1


@pytest.mark.promise(9)
def test_a_refused_change_leaves_the_router():
    """A bad tool, or an unknown name, changes nothing."""
    router = Router(TOOLS)
    with pytest.raises(ValueError, match="item 1 must have a name"):
        router.add([{"name": "x"}, {"description": "y"}])
    with pytest.raises(UnknownIds, match="nobody"):
        router.remove(["house.lamp", "nobody"])

    assert router.tool_names == [tool["name"] for tool in TOOLS]


def test_tools_of_one_name_are_kept_apart():
    """Several tools may have one name: all are found, in their order, and all are removed."""
    router = Router([{"name": "x", "category": str(number), "description": "lamp"} for number in range(3)])

    assert [candidate.category for candidate in router.search("lamp")] == ["0", "1", "2"]
    assert len(router.remove(["x"])) == 0


@pytest.mark.promise(3)
@both
def test_a_batch_is_its_requests(compatible):
    """Many requests at once give what each gives alone."""
    router = Router(TOOLS, compatible)
    queries = ["letter", "", "rain", "post mail"]

    assert router.route_many(queries, 2) == [router.route(query, 2) for query in queries]


@pytest.mark.promise(10)
def test_changes_of_several_threads_all_arrive():
    """Tools that several threads add at once are all there."""
    router = Router()
    threads = [
        threading.Thread(target=lambda part=part: [router.add([{"name": f"t{part}x{i}"}]) for i in range(5)])
        for part in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(set(router.tool_names)) == 20
    assert found(router, "t2x3", 1) == ["t2x3"]


@pytest.mark.promise(9)
@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: Router([{"name": "a"}, {"title": "b"}]),
            ValueError,
            "item 1 must have a name, got {'title': 'b'}",
        ),
        (lambda: Router([{"name": 3}]), TypeError, "name of item 0 must be a str, got 3"),
        (
            lambda: Router([{"name": "a", "keywords": [1]}]),
            TypeError,
            r"keywords of item 0 must be a str, got \[1\]",
        ),
        (
            lambda: Router([{"name": "a", "category": 1}]),
            TypeError,
            "category of item 0 must be a str, got 1",
        ),
        (lambda: Router("tools"), TypeError, "tools must be an iterable of mappings or objects"),
        (lambda: Router(ranker="bm26"), ValueError, "ranker must be one of 'bm25', 'tfidf', got 'bm26'"),
        (lambda: Router(synonyms=["a"]), TypeError, "synonyms must be a mapping from str to a list of str"),
        (lambda: Router(synonyms={"a": "bc"}), TypeError, "must map a str to a list of str, got 'a': 'bc'"),
        (lambda: Router(synonyms={"a": [1]}), TypeError, r"must map a str to a list of str, got 'a': \[1\]"),
        (lambda: Router(synonyms={1: ["a"]}), TypeError, "must map a str to a list of str, got 1"),
        (lambda: Router(stopwords=[1]), TypeError, "stopwords must hold str only, got 1"),
        (lambda: Router(name_weight=0.5), ValueError, "name_weight must be 0 or at least 1, got 0.5"),
        (lambda: Router(name_weight="2"), TypeError, "name_weight must be a number, got '2'"),
        (lambda: Router(b=2), ValueError, "b must be a finite number in .* got 2"),
        (lambda: Router(expansion_weight=-1), ValueError, "expansion_weight must be a finite number >= 0"),
        (
            lambda: Router(margin_threshold=float("nan")),
            ValueError,
            "margin_threshold must be a finite number",
        ),
        (lambda: Router(language="klingon"), ValueError, "klingon"),
        (lambda: Router(name_grams=-1), ValueError, "name_grams must be an integer >= 0, got -1"),
        (lambda: Router(name_grams="4"), TypeError, "name_grams must be an integer, got '4'"),
        (lambda: Router().search("x", -1), ValueError, "k must be an integer >= 0, got -1"),
        (lambda: Router().search(["x"]), TypeError, r"a query must be a str, got \['x'\]"),
        (lambda: Router().route_many("x"), TypeError, "queries must be an iterable of str, got 'x'"),
        (lambda: Router().remove("x"), TypeError, "names must be an iterable of str, got 'x'"),
    ],
)
def test_bad_input_is_refused(call, error, message):
    """What is wrong is said in one error that names the argument, the value and what is allowed."""
    with pytest.raises(error, match=message):
        call()


def test_compatible_weights_may_be_negative():
    """Compatible, a negative weight turns synonyms off, and a negative or cut name weight takes names out."""
    tools = [{"name": "lamp", "description": "bulb"}]

    assert not found(Router(tools, True, synonyms={"glow": ["bulb"]}, expansion_weight=-1), "glow")
    assert not found(Router(tools, True, name_weight=0.9, hint_boost=0), "lamp")
    assert not found(Router(tools, True, name_weight=-2, hint_boost=0), "lamp")
