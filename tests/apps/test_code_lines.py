"""The lines that are shown are the best ones, found without looking at all of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sparsebm25 import Analyzer
from sparsebm25.apps.code._indexed import literal_query
from sparsebm25.apps.code._lines import best_lines, shown_lines

ANALYZER = Analyzer(tokens="identifiers")
WORDS = st.sampled_from(
    [
        *("load", "loadUser", "load_user", "user", "users", "a", "in", "C++", "x-y", "-", "\r"),
        *("ΟΔΟΣ", "Σ", "straße", "STRASSE", "e\u0301t", "ét", "fi\u00adle", "K", "İ", "ﬁ", "数据库", "据"),
    ]
)
LINES = st.lists(st.lists(WORDS | st.text(max_size=3), max_size=4).map(" ".join), max_size=8)
TEXT = LINES.map("\n".join)


def every_line(text: str, weights: dict[str, float], n: int) -> list[tuple[int, set[str]]]:
    """Return the best lines by looking at each of them."""
    matches = [(place, weights.keys() & ANALYZER(line)) for place, line in enumerate(text.split("\n"))]
    tokens = sorted(weights, key=weights.__getitem__, reverse=True)

    def rank(match: tuple[int, set[str]]) -> tuple[float, int]:
        return -sum(weights[token] for token in tokens if token in match[1]), match[0]

    return sorted((match for match in matches if match[1]), key=rank)[:n]


@given(text=TEXT, query=st.lists(WORDS, max_size=4).map(" ".join), n=st.integers(0, 4), data=st.data())
def test_best_lines_are_those_of_a_full_look(text, query, n, data):
    """In any script, with any weights, the lines are those that analyzing each line would give."""
    tokens = list(dict.fromkeys(ANALYZER(query)))
    numbers = data.draw(st.lists(st.sampled_from([0.1, 0.5, 1.0, 2.5]), min_size=len(tokens)))
    weights = dict(zip(tokens, numbers, strict=False))

    assert best_lines(text, weights, ANALYZER, n) == every_line(text, weights, n)


@given(text=TEXT, query=WORDS, n=st.integers(1, 4))
def test_literal_lines_come_first(text, query, n):
    """With a literal, the lines that hold it precede the others, each part in its own order."""
    literal = literal_query(f'"{query}"')
    weights = dict.fromkeys(ANALYZER(query), 1.0)
    lines = text.split("\n")
    expected = every_line(text, weights, len(lines))
    if literal is not None:
        expected.sort(key=lambda match: literal.search(lines[match[0]]) is None)

    assert best_lines(text, weights, ANALYZER, n, literal) == expected[:n]


def test_rare_names_decide():
    """The line with the rarest names wins, however many common ones another holds; equal ones by position."""
    text = "for user in users:\n    load(user)\n    parse_header(user)\n    load(user)\n"
    weights = {"for": 0.1, "user": 0.2, "in": 0.1, "load": 0.5, "parse_header": 3.0}

    assert [place for place, _ in best_lines(text, weights, ANALYZER, 3)] == [2, 1, 3]


def test_lines_as_they_are_shown():
    """Lines keep their indentation, also those around, and are cut to 200 characters; tokens are sorted."""
    lines = ["class A:\r", "    x" + "y" * 300, "    def b(self):", "", "        pass  ", "c"]

    (first, second) = shown_lines(lines, [(2, {"self", "def"}), (1, {"x"})], 2)

    assert first == (
        *(3, "    def b(self):", ("def", "self")),
        *(("class A:", lines[1][:200]), ("", "        pass")),
    )
    assert second.text == lines[1][:200]
    assert second.before == ("class A:",)


def test_what_is_a_literal():
    """A quoted text and one name of several parts are literals, plain words and sentences are not."""
    literal = [
        '"user"',
        "'load user'",
        "`f(x)`",
        "“read me”",
        "load_user",
        "loadUser",
        "a.b",
        "x86_64",
        "std::sort",
    ]
    words = ["user", "load user", '""', '"', "' '", '"a\nb"', "", "   ", "C++", '"don']

    assert [query for query in literal if literal_query(query) is None] == []
    assert [query for query in words if literal_query(query) is not None] == []


def test_literals_match_at_the_borders_of_words():
    """A literal is text, not a pattern; it keeps its case and is no part of a longer word."""
    cases = {
        "load_user": ("x.load_user()", "load_users", "preload_user", "Load_user"),
        '"a.b"': ("(a.b)", "axb", "aa.b", "a.bc"),
        '"(x"': ("f(x)", "f(xy)", "f x"),
        '"[a-z]+ (.*"': ("r'[a-z]+ (.*)'", "abc (.*", "[a-z]+ (x"),
    }
    for query, (fits, *others) in cases.items():
        literal = literal_query(query)
        assert literal is not None
        assert literal.search(fits), query
        assert not any(literal.search(other) for other in others), query
