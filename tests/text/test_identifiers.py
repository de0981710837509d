"""Names in code are found whole and by their parts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsebm25.text import SYMBOL_WORDS, Analyzer, split_identifiers, words
from sparsebm25.text.identifiers import _NAME, _KnownPieces, parts_ascii, parts_unicode
from sparsebm25.text.normalize import normalizer
from sparsebm25.text.tokenize import WordCharacters, split_unicode

ASCII_NAMES = st.text(st.sampled_from("aAbBsS1_-"), min_size=1)
ANY_TEXT = st.text(st.sampled_from("aAsS1_-+#. éÉ\u0301Яяא数\u200d") | st.characters())
LINES = st.lists(
    st.lists(ANY_TEXT | st.sampled_from([*SYMBOL_WORDS, ".NET", "a.netB", "getX", "c\u00ad#", "c\u200d++"])),
    max_size=4,
).map(lambda lines: "\n".join(map(" ".join, lines)))
SMALL_WORDS = st.lists(st.text(st.sampled_from("abcdeéя"), min_size=2, max_size=5), min_size=2, max_size=4)


def analyzed(text: str) -> list[str]:
    """Return the tokens of the analyzer for code."""
    return Analyzer(tokens="identifiers")(text)


def read_plainly(text: str, cjk: str | None) -> list[str]:
    """Return names and parts of a whole text, one name after the other, whatever its characters."""
    tokens = []
    for piece in split_unicode(text, WordCharacters("_-+#."), cjk):
        for name in _NAME.findall(piece):
            parts = [] if name.lower() in SYMBOL_WORDS else parts_unicode(name)
            tokens += [name, *parts] if len(parts) > 1 else [name]
    return tokens


@pytest.mark.case("U05")
@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("parseHTTPHeader", "parse http header"),
        ("load_user_profile", "load user profile"),
        ("LOAD_USER", "load user"),
        ("sign-in-page", "sign in page"),
        ("getX", "get x"),
        ("utf8Decode", "utf8 decode"),
        ("sha256Sum", "sha256 sum"),
        ("sha256sum", "sha256 sum"),
        ("x86_64", "x86 64"),
        ("2to3", "2 to3"),
        ("userIDs", "user ids"),
        ("URLsFound", "urls found"),
        ("naïveCount", "naïve count"),
        ("ÜberKlasse", "über klasse"),
        ("данныеПользователя", "данные пользователя"),
        ("HTTPСервер", "http сервер"),
        ("user__name", "user name"),
    ],
)
def test_a_compound_name_gives_itself_and_its_parts(name, parts):
    """Camel humps, acronyms, underscores, hyphens and digits begin parts; the whole name comes first."""
    assert analyzed(name) == [name.lower(), *parts.split()]


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("__init__", "init"),
        ("_private", "private"),
        ("--verbose", "verbose"),
        ("HTTP", "http"),
        ("utf8", "utf8"),
        ("URLs", "urls"),
        ("Kite", "kite"),
        ("X", "x"),
        ("42", "42"),
    ],
)
def test_a_name_of_one_part_gives_one_token(text, token):
    """Whole and part do not double."""
    assert analyzed(text) == [token]


@pytest.mark.case("U06")
def test_capitals_are_seen_before_they_are_lowered():
    """A camel-case name in a document is found by its own words and by itself."""
    document = set(analyzed("class InvoiceService:"))

    assert set(analyzed("InvoiceService")) <= document
    assert set(analyzed("invoice")) <= document


@pytest.mark.case("U07")
def test_tool_names_are_found_by_their_words():
    """The words of a query are terms of the one tool name that holds them both."""
    tools = ["calendar_add_event", "calendar_list_events", "mail_send"]

    shared = [len(set(analyzed("add event")) & set(analyzed(tool))) for tool in tools]
    assert shared == [2, 0, 0]


@pytest.mark.case("U13")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("c# guide", ["c#", "guide"]),
        ("C++ guide", ["c++", "guide"]),
        ("c guide", ["c", "guide"]),
        ("C++/C#, .NET; C++17", ["c++", "c#", ".net", "c++", "17"]),
        ("visual-c++ i++ abc++ c#er", ["visual", "c++", "i", "abc", "c", "er"]),
        ("example.net", ["example", "net"]),
    ],
)
def test_symbol_words_keep_their_signs(text, expected):
    """The listed words keep their signs, so that C# is not C; others lose them."""
    assert analyzed(text) == expected


@pytest.mark.parametrize("word", SYMBOL_WORDS)
def test_every_symbol_word_is_one_token(word):
    """Each listed word is kept, in capitals too."""
    assert analyzed(f"({word.upper()})") == [word]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("src/parser.py", ["src", "parser", "py"]),
        ("np.linalg.norm(x)", ["np", "linalg", "norm", "x"]),
        ("std::vector<int>", ["std", "vector", "int"]),
        ("v1.2.3", ["v1", "2", "3"]),
        ("don't", ["don", "t"]),
        ("用户Name", ["用户", "name"]),
        ("foo--bar - _ # . +", ["foo", "bar"]),
    ],
)
def test_other_characters_separate_names(text, expected):
    """A path or a dotted name gives its components, and is no token as a whole."""
    assert analyzed(text) == expected


@given(ASCII_NAMES)
def test_ascii_path_equals_unicode_path(name):
    """The parts of an ASCII name are those that the kinds of its characters give."""
    assert parts_ascii(name) == parts_unicode(name)


@given(LINES, st.sampled_from([None, "bigrams", "characters", "runs"]))
def test_fast_paths_equal_a_plain_reading(text, cjk):
    """Lines taken apart, dots as blanks and pieces known already change no token."""
    assert split_identifiers(text, cjk=cjk) == read_plainly(text, cjk)


@given(LINES, st.sampled_from([None, "NFC", "NFKD"]), st.sampled_from([None, "lower", "casefold"]))
def test_names_are_normalized_as_one_text(text, form, case):
    """The analyzer finds names in the form of the text, and normalizes them as if they stood in one text."""
    names = read_plainly(normalizer(form, None, "keep")(text), "bigrams")
    normalized = normalizer(form, case, "fold")

    analyzer = Analyzer(tokens="identifiers", normalize=form, case=case, accents="fold")
    assert analyzer.split(text) == (normalized("\n".join(names)).split("\n") if names else [])


def test_known_pieces_are_bounded(monkeypatch):
    """What is kept of the pieces met so far stays small, however many and long they are."""
    monkeypatch.setattr("sparsebm25.text.identifiers._KNOWN_PIECES", 3)
    known = _KnownPieces(str.lower)

    pieces = ["aB", "aB", "b", "c", "aB", "dE", "f", "g" * 1000]
    assert [known[piece] for piece in pieces] == [
        *(("ab", "a", "b"), ("ab", "a", "b"), ("b",), ("c",)),
        *(("ab", "a", "b"), ("de", "d", "e"), ("f",), ("g" * 1000,)),
    ]
    assert list(known) == ["dE", "f"]


@given(ANY_TEXT)
def test_parts_make_their_name(text):
    """Each name is followed by parts that spell it, but for underscores and hyphens."""
    tokens = iter(split_identifiers(text))
    for name in tokens:
        if name.lower() in SYMBOL_WORDS:
            continue
        spelled, wanted = "", name.replace("_", "").replace("-", "")
        if len(parts_unicode(name)) > 1:
            while spelled != wanted:
                spelled += next(tokens)
                assert wanted.startswith(spelled)


@given(SMALL_WORDS)
def test_spellings_of_a_compound_meet_in_its_parts(parts):
    """Camel, snake and kebab case of the same words have the same parts."""
    camel = parts[0] + "".join(part.capitalize() for part in parts[1:])

    for name in (camel, "_".join(parts), "-".join(parts)):
        assert analyzed(name) == [name.lower(), *parts]


@given(st.lists(st.text(st.sampled_from("abcxyz"), min_size=1)))
def test_plain_words_are_words(plain):
    """In prose without capitals, signs and digits there are no names to split."""
    assert split_identifiers(", ".join(plain)) == words(", ".join(plain)) == plain


@pytest.mark.parametrize("name", ["a" * 100_000, "A" * 100_000, "aB" * 50_000, "a_" * 50_000, "É" * 100_000])
def test_very_long_names(name):
    """A name of a hundred thousand characters is split without harm."""
    assert split_identifiers(name)[0] == name.strip("_")
