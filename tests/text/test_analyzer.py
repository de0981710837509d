"""An analyzer is a value: equal settings, equal terms, wherever and whenever it is used."""

from __future__ import annotations

import copy
import dataclasses
import gzip
import json
import multiprocessing
import pickle
import unicodedata
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsebm25.text import SNOWBALL_LANGUAGES, Analyzer

TEXTS = st.text(
    st.sampled_from("aAsßİΣé1_-'. #+\u0301\u0331\u00ad\u200d\ufe0fЯ数据ｶﾞ가ि\x00\ud800") | st.characters(),
    max_size=30,
)
SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "tokens": st.sampled_from(["words", "identifiers", "sklearn", "whitespace"]),
        "normalize": st.sampled_from(["NFC", "NFKC", "NFD", "NFKD"]),
        "case": st.sampled_from(["lower", "casefold", None]),
        "accents": st.sampled_from(["keep", "fold"]),
        "cjk": st.sampled_from(["bigrams", "characters", "runs"]),
        "stopwords": st.sampled_from(["lucene", None]) | st.lists(st.text(max_size=3), max_size=3),
        "stemmer": st.sampled_from(["english", "german", None]),
        "min_length": st.integers(1, 3),
    },
)
TEXT = "The Kites of Zürich's load_user, 数据检索 खोज"


def drop_final_s(token: str) -> str:
    """Return the token without a final s: a stemmer small enough to check by hand."""
    return token.removesuffix("s")


def half_words(text: str) -> list[str]:
    """Return the two halves of a text, for a tokenizer with a name."""
    return [text[: len(text) // 2], text[len(text) // 2 :]]


def documents(path) -> list[str]:
    """Return title and text of each document of a collection, or the text of each query."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    return [
        f"{record['title']} {record['text']}" if "title" in record else record["text"] for record in records
    ]


@given(SETTINGS, TEXTS)
def test_a_call_is_split_then_term(settings, text):
    """Counting raw tokens and asking once for each term is the same as analyzing the whole text."""
    analyzer = Analyzer(**settings)
    terms = {token: analyzer.term(token) for token in set(analyzer.split(text))}

    assert analyzer(text) == [terms[token] for token in analyzer.split(text) if terms[token] is not None]


@pytest.mark.case("U04")
@given(SETTINGS, TEXTS)
def test_equivalent_texts_have_equal_terms(settings, text):
    """The same text typed composed and decomposed gives the same terms."""
    analyzer = Analyzer(**settings)

    assert analyzer(unicodedata.normalize("NFD", text)) == analyzer(text)
    assert analyzer(unicodedata.normalize("NFC", text)) == analyzer(text)


@pytest.mark.case("U04")
def test_compatibility_form_joins_widths():
    """Full-width and plain letters meet in form NFKC; composed and decomposed accents in every form."""
    assert Analyzer(normalize="NFKC")("Ａ ｶﾞ") == Analyzer(normalize="NFKC")("a ガ") == ["a", "ガ"]
    assert Analyzer()("Re\u0301sumé") == ["résumé"]


@pytest.mark.case("U04")
def test_decomposed_collection_has_the_terms_of_the_composed_one(shared_data):
    """Vietnamese documents and queries give the same terms whichever side is decomposed."""
    analyzer = Analyzer()
    for file in ("corpus.jsonl.gz", "queries.jsonl.gz"):
        terms = [analyzer(text) for text in documents(shared_data / "xquad_vi" / file)]
        for folder in ("xquad_vi_nfd_docs", "xquad_vi_nfd_queries"):
            assert [analyzer(text) for text in documents(shared_data / folder / file)] == terms


def test_tokens_of_scifact(shared_data):
    """The pattern of scikit-learn, Lucene's stop words and English stems give the published token count."""
    analyzer = Analyzer(language="english", tokens="sklearn")

    assert (
        sum(len(analyzer(text)) for text in documents(shared_data / "scifact" / "corpus.jsonl.gz")) == 812_074
    )


@pytest.mark.case("U12")
def test_case_and_punctuation_are_no_part_of_a_term():
    """A word at the end of a sentence is found in any case."""
    assert Analyzer()("The lamp.") == ["the", "lamp"]
    assert Analyzer()("LAMP") == ["lamp"]


@given(SETTINGS)
def test_settings_make_an_equal_analyzer(settings):
    """Saved as JSON and loaded, an analyzer is equal, hashes equal and gives the same terms."""
    analyzer = Analyzer(**settings)
    loaded = Analyzer.from_settings(json.loads(json.dumps(analyzer.settings())))

    assert loaded == analyzer
    assert hash(loaded) == hash(analyzer)
    assert loaded(TEXT) == analyzer(TEXT)


def test_different_settings_make_different_analyzers():
    """Every setting counts for equality."""
    options = [
        {},
        {"tokens": "sklearn"},
        {"normalize": None},
        {"case": None},
        {"accents": "fold"},
        {"cjk": "runs"},
    ]
    options += [{"stopwords": ["a"]}, {"stemmer": "english"}, {"min_length": 2}]

    assert len({Analyzer(**each) for each in options}) == len(options)


@pytest.mark.case("U11")
@pytest.mark.parametrize(
    "settings", [{}, {"language": "german"}, {"tokens": half_words, "stemmer": drop_final_s}]
)
def test_copies_are_equal_and_work(settings):
    """A copy, a pickle, and a replacement that changes nothing are the same analyzer."""
    analyzer = Analyzer(**settings)
    copies = [
        copy.copy(analyzer),
        copy.deepcopy(analyzer),
        pickle.loads(pickle.dumps(analyzer)),
        dataclasses.replace(analyzer),
    ]

    assert copies == [analyzer] * 4
    assert [each(TEXT) for each in copies] == [analyzer(TEXT)] * 4


def test_it_works_in_a_spawned_process():
    """A process that starts from nothing gives the same terms."""
    analyzer = Analyzer(language="english", tokens="identifiers")

    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(analyzer, TEXT).result() == analyzer(TEXT)


def test_it_works_in_threads():
    """Threads that share one analyzer give the terms that one thread gives."""
    texts = [f"{TEXT} {chr(code)}{chr(code + 1)}" for code in range(0x1000, 0x1800)]
    expected = [Analyzer(language="english")(text) for text in texts]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(Analyzer(language="english"), texts)) == expected


def test_a_language_sets_what_is_not_given():
    """English has stop words and a stemmer, other languages a stemmer; what is given stays."""
    assert Analyzer("english") == Analyzer(stopwords="lucene", stemmer="english")
    assert Analyzer("german") == Analyzer(stemmer="german")
    assert Analyzer("english", stopwords=["red"], stemmer="porter") == Analyzer(
        stopwords=["red"], stemmer="porter"
    )


def test_short_tokens_are_dropped_before_stemming():
    """The minimum length is that of the raw token, in characters."""
    analyzer = Analyzer(min_length=3, stemmer=drop_final_s)

    assert analyzer("a ab abs खोज") == ["ab", "खोज"]


def test_capitals_can_stay():
    """Without case folding, capitals distinguish terms."""
    assert Analyzer(case=None)("US us") == ["US", "us"]
    assert Analyzer(case=None, tokens="identifiers")("getURL") == ["getURL", "get", "URL"]


@pytest.mark.case("U14")
@given(st.lists(st.text(st.characters(categories=["L", "N", "P"]), min_size=1)))
def test_a_custom_tokenizer_gives_the_tokens(tokens):
    """With ``str.split`` and no normalizing, a text of given tokens is those tokens."""
    assert Analyzer(tokens=str.split, normalize=None, case=None)(" ".join(tokens)) == tokens


@pytest.mark.case("U14")
def test_custom_callables_get_normalized_text_and_raw_tokens():
    """A tokenizer sees the text after form and case, a stemmer each token; what is empty is dropped."""
    analyzer = Analyzer(tokens=lambda text: text.split(","), stemmer=drop_final_s, stopwords=["OAK"])

    assert analyzer.split("Cafe\u0301s,,S,oak") == ["cafés", "", "s", "oak"]
    assert analyzer("Cafe\u0301s,,S,oak") == ["café"]


@pytest.mark.case("U11")
def test_both_sides_share_the_stemmer():
    """A query word meets the form of it that the document holds."""
    analyzer = Analyzer(stemmer=drop_final_s)

    assert analyzer("Maps") == analyzer("map") == ["map"]


def test_callables_are_saved_by_name():
    """Settings hold the names of callables; given again, they make an equal analyzer."""
    analyzer = Analyzer(tokens=half_words, stemmer=drop_final_s)
    settings = json.loads(json.dumps(analyzer.settings()))

    assert settings["stemmer"] == {"callable": f"{__name__}:drop_final_s"}
    assert Analyzer.from_settings(settings, tokens=half_words, stemmer=drop_final_s) == analyzer


@pytest.mark.parametrize(
    ("settings", "given", "message"),
    [
        ({"stemmer": drop_final_s}, {}, "saved with the callable stemmer .*:drop_final_s; .* got None"),
        (
            {"tokens": half_words},
            {"tokens": str.split},
            "callable tokens .*:half_words; .* got builtins:str.split",
        ),
        ({}, {"stemmer": drop_final_s}, "stemmer was not a callable when .* got .*:drop_final_s"),
        ({}, {"tokens": str.split}, "tokens was not a callable when .* got builtins:str.split"),
    ],
)
def test_a_saved_callable_must_be_given_again(settings, given, message):
    """A missing, different or needless callable is refused by name."""
    with pytest.raises(ValueError, match=message):
        Analyzer.from_settings(Analyzer(**settings).settings(), **given)


def test_unknown_settings_are_refused_and_missing_ones_have_defaults():
    """Settings of another version load if they can be understood."""
    assert Analyzer.from_settings({"stemmer": "english"}) == Analyzer(stemmer="english")
    with pytest.raises(ValueError, match=r"an analyzer setting must be one of 'tokens', .*, got 'stem'"):
        Analyzer.from_settings({"stem": "english"})
    with pytest.raises(TypeError, match="settings must be a mapping, got 'english'"):
        Analyzer.from_settings("english")
    with pytest.raises(TypeError, match="stemmer must be a callable or one of arabic"):
        Analyzer.from_settings({"stemmer": {"name": "english"}})


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"language": "klingon"}, ValueError, "language must be one of 'arabic', .*'yiddish', got 'klingon'"),
        ({"tokens": "word"}, ValueError, "tokens must be one of 'words', .*, got 'word'"),
        ({"tokens": 3}, TypeError, "tokens must be a callable or one of words, .*, got 3"),
        ({"normalize": "nfc"}, ValueError, "normalize must be one of 'NFC', .*None, got 'nfc'"),
        ({"case": "upper"}, ValueError, "case must be one of 'lower', 'casefold', None, got 'upper'"),
        ({"accents": True}, ValueError, "accents must be one of 'keep', 'fold', got True"),
        ({"cjk": None}, ValueError, "cjk must be one of 'bigrams', 'characters', 'runs', got None"),
        ({"stemmer": "klingon"}, ValueError, "stemmer must be one of 'arabic', .*, got 'klingon'"),
        ({"stemmer": ["english"]}, TypeError, "stemmer must be a callable or one of arabic, .*, got"),
        ({"min_length": 0}, ValueError, "min_length must be an integer >= 1, got 0"),
        ({"min_length": 1.5}, TypeError, "min_length must be an integer, got 1.5"),
        ({"min_len": 2}, TypeError, "min_len"),
    ],
)
def test_wrong_options_are_refused(options, error, message):
    """The message names the option, what was given and what is allowed."""
    with pytest.raises(error, match=message):
        Analyzer(**options)


@pytest.mark.parametrize("text", [None, float("nan"), 7, b"bytes", ["tokens"]])
def test_only_text_is_analyzed(text):
    """What is not a str is refused, by `split` and by a call."""
    for analyze in (Analyzer(), Analyzer().split):
        with pytest.raises(TypeError, match="text must be a str, got"):
            analyze(text)


@pytest.mark.parametrize("result", ["letters", None, [b"ab"], ["ab", 3], 7])
def test_a_custom_tokenizer_must_return_a_list_of_str(result):
    """A tokenizer that returns a str, nothing or other things is refused by name."""
    with pytest.raises(TypeError, match=r"tokens .*<lambda> must return a list of str, got"):
        Analyzer(tokens=lambda text: result)("any text")


def test_a_custom_tokenizer_may_return_any_iterable():
    """A tokenizer may yield its tokens."""
    assert Analyzer(tokens=lambda text: (token for token in text.split()))("Red kite") == ["red", "kite"]


def test_a_custom_stemmer_must_return_a_str():
    """A stemmer that forgets a word is refused by name."""
    with pytest.raises(TypeError, match=r"stemmer builtins:dict\.get must return a str, got None"):
        Analyzer(stemmer={}.get)("word")


@pytest.mark.parametrize("tokens", ["words", "identifiers", "sklearn", "whitespace"])
@pytest.mark.parametrize(
    "text", ["", " ", "\x00", "\ud800 \udfff", "é" * 100_000, "\u0301" * 50, "a\u0301_" * 1000]
)
def test_no_text_breaks_it(tokens, text):
    """Empty, odd and very long texts give a list of non-empty terms."""
    analyzer = Analyzer("english", tokens=tokens, accents="fold", normalize="NFKC")

    assert all(analyzer(text))


def test_every_language_stems_without_stop_words_of_its_own():
    """Every Snowball name is a language; only English brings a list of stop words."""
    with_list = [language for language in SNOWBALL_LANGUAGES if Analyzer(language).stopwords]

    assert with_list == ["english"]
