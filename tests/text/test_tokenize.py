"""Words of every script are found whole, and runs without spaces are cut into pieces that can meet."""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from sparsebm25.text import Analyzer, words
from sparsebm25.text.tokenize import WordCharacters, ascii_table, split_ascii, split_unicode, two_or_more

ASCII = st.text(st.sampled_from("aB3 _-'.,\x00\n") | st.characters(max_codepoint=127))
CJK = st.text(st.sampled_from("数据检索カタかなー々〇㐀𠀀ｶ") | st.sampled_from("\u3099\uff9e\u0301"))
TEXTS = st.text(
    st.sampled_from("aé9_ -'\u0301\u093f\u0e31가数ｶ\ud800")
    | st.characters(exclude_categories=["Cn"], exclude_characters="\u200c\u200d")
)


def words_by_category(text: str) -> list[str]:
    """Return the runs of letters, marks and numbers, character by character."""
    runs = groupby(text, key=lambda character: unicodedata.category(character)[0] in "LMN")
    return ["".join(run) for inside, run in runs if inside]


@given(TEXTS)
def test_words_are_runs_of_letters_marks_and_numbers(text):
    """The table-driven splitter finds what the definition says."""
    assert words(text) == words_by_category(text)


@given(ASCII, st.sampled_from(["", "_-+#."]))
def test_ascii_path_equals_unicode_path(text, signs):
    """ASCII text gets from the table of bytes what the table of characters would give it."""
    assert split_ascii(text, ascii_table(signs)) == split_unicode(text, WordCharacters(signs), "bigrams")


@given(st.text(st.sampled_from("aZé9_ -数\u0301") | st.characters()))
def test_sklearn_pattern_equals_scikit_learn(text):
    """The pattern called `sklearn` gives CountVectorizer's tokens."""
    analyzer = Analyzer(tokens="sklearn", normalize=None)

    assert analyzer(text) == CountVectorizer().build_analyzer()(text)


@pytest.mark.case("U01")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("найти отчёт", ["найти", "отчёт"]),
        ("검색 도구 목록", ["검색", "도구", "목록"]),
        ("naïve", ["naïve"]),
        ("plain ascii, too", ["plain", "ascii", "too"]),
    ],
)
def test_letters_of_every_script_are_word_characters(text, expected):
    """Cyrillic, Hangul and accented words are words."""
    assert words(text) == expected


@pytest.mark.case("U02")
@pytest.mark.parametrize(
    "text", ["खोज इंजन", "สวัสดีครับ ไทย", "நூல் தேடல்", "résumé café".replace("é", "e\u0301")]
)
def test_marks_belong_to_the_word(text):
    r"""Vowel signs and combining accents do not cut a word, as they do with ``\w+``."""
    assert words(text) == text.split()
    assert re.findall(r"\w+", text) != text.split()


@pytest.mark.case("U03")
def test_cjk_runs_become_bigrams():
    """A Chinese word is found inside a run without spaces."""
    analyzer = Analyzer()

    assert analyzer("数据检索工具") == ["数据", "据检", "检索", "索工", "工具"]
    assert set(analyzer("检索")) <= set(analyzer("数据检索工具"))


@pytest.mark.parametrize(
    ("cjk", "expected"),
    [
        ("bigrams", ["数据", "据库", "a", "ｶﾞｷﾞ", "々"]),
        ("characters", ["数", "据", "库", "a", "ｶﾞ", "ｷﾞ", "々"]),
        ("runs", ["数据库", "a", "ｶﾞｷﾞ", "々"]),
        (None, ["数据库a", "ｶﾞｷﾞ", "々"]),
    ],
)
def test_ways_to_split_cjk(cjk, expected):
    """A run is cut, or kept and set apart; a voicing mark belongs to the kana before it."""
    assert words("数据库a ｶﾞｷﾞ、々", cjk=cjk) == expected


@pytest.mark.parametrize(
    "run",
    [
        "㐀㐁㐂",
        "\U00020000\U0002a700\U00030000",
        "\U00031350\U000323b0",
        "ひらがな",
        "カタカナー",
        "時々刻々",
        "\uf900\ufa0e",
    ],
)
def test_all_of_han_and_kana_is_cjk(run):
    """Extensions, also those newer than Python's tables, kana and iteration marks make one run."""
    assert words(f"ab{run}9", cjk="runs") == ["ab", run, "9"]


@given(CJK)
def test_pieces_of_a_run_make_the_run(text):
    """Characters joined give the runs; bigrams are the pairs of neighbors, or the one character."""
    for run in words(text, cjk="runs"):
        characters = words(run, cjk="characters")
        pairs = [left + right for left, right in pairwise(characters)]

        assert "".join(characters) == run
        assert words(run, cjk="bigrams") == (pairs or characters)


@pytest.mark.case("U16")
@pytest.mark.parametrize("tokens", ["words", "identifiers"])
def test_scripts_without_spaces_break_from_latin(tokens):
    """Latin letters glued to Chinese are a word of their own."""
    assert Analyzer(tokens=tokens)("redis缓存") == ["redis", "缓存"]


@pytest.mark.case("U17")
def test_words_are_whole():
    """A short word is not found inside a longer one."""
    assert "the" not in words("theme editor")
    assert "the" in words("the end")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("می\u200cخواهم", ["می\u200cخواهم"]),
        ("क्\u200dष", ["क्\u200dष"]),
        ("ab\u200d \u200ccd\u200d\u200c.", ["ab", "cd"]),
        ("👩\u200d💻 \u200d", []),
        ("数\u200d据", ["数", "据"]),
    ],
)
def test_joiners_count_inside_words_only(text, expected):
    """Zero-width joiners spell a word from inside; at an edge or alone they are nothing."""
    assert words(text, cjk="bigrams") == expected


@pytest.mark.parametrize("text", ["\x00", "\ud800", "a\x00b\ud800c", "", " \n\u2028", "\U0010ffff"])
def test_odd_characters_separate(text):
    """NUL, lone surrogates, line separators and unassigned characters are not part of words."""
    assert words(text) == re.findall("[abc]", text)


@pytest.mark.parametrize("letter", ["a", "é", "数", "ि", "A1"])
def test_very_long_words(letter):
    """A word of a hundred thousand characters is a word."""
    assert words(letter * 100_000) == [letter * 100_000]


def test_two_or_more_drops_single_letters():
    """scikit-learn's pattern keeps underscores and drops one-letter words."""
    assert two_or_more("a bc d_e isn't") == ["bc", "d_e", "isn"]
