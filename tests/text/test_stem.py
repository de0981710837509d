"""Stems are Snowball's, loaded late, the same in every thread."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import snowballstemmer

import sparsebm25
from sparsebm25.text import SNOWBALL_LANGUAGES, Analyzer
from sparsebm25.text.stem import snowball, stem_snowball

WORDS = [
    f"{start}{middle}{end}"
    for start in "rst"
    for middle in ("unn", "ank", "onat")
    for end in ("ing", "ed", "s")
]


def test_language_names_are_those_of_snowball():
    """The list that is written down is the list of the installed library."""
    assert sorted(SNOWBALL_LANGUAGES) == sorted(snowballstemmer.algorithms())


@pytest.mark.parametrize("language", SNOWBALL_LANGUAGES)
def test_stems_are_snowballs(language):
    """Each language gives what its Snowball stemmer gives, asked once or twice."""
    stems = snowballstemmer.stemmer(language).stemWords(WORDS)

    assert [stem_snowball(word, language=language) for word in WORDS * 2] == stems * 2


def test_threads_do_not_share_a_stemmer_at_work():
    """Eight threads at once get the stems that one gets."""
    words = [f"{word}{number}ations" for word in WORDS for number in range(200)]
    expected = snowballstemmer.stemmer("english").stemWords(words)

    with ThreadPoolExecutor(8) as pool:
        stemmed = list(
            pool.map(lambda _: [stem_snowball(word, language="english") for word in words], range(8))
        )

    assert stemmed == [expected] * 8


def test_the_library_is_loaded_at_the_first_stem():
    """Neither importing nor making an analyzer loads snowballstemmer, the first stem does."""
    program = (
        "import sys\n"
        f"sys.path.insert(0, {str(Path(sparsebm25.__file__).parents[1])!r})\n"
        "from sparsebm25.text import Analyzer\n"
        "analyzer = Analyzer(language='english')\n"
        "print('snowballstemmer' in sys.modules, analyzer('maps'), 'snowballstemmer' in sys.modules)\n"
    )
    printed = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    ).stdout

    assert printed.split() == ["False", "['map']", "True"]


def test_a_lone_surrogate_is_its_own_stem(monkeypatch):
    """A stemmer in C that cannot take a lone surrogate does not end the analysis."""

    class Encoding:
        def stemWord(self, token: str) -> str:
            return token.encode().decode()[:-1]

    monkeypatch.setattr(snowballstemmer, "stemmer", lambda language: Encoding())
    monkeypatch.setattr("sparsebm25.text.stem.snowball", snowball.__wrapped__)

    assert Analyzer(tokens="whitespace", stemmer="english")("maps a\ud800s") == ["map", "a\ud800s"]
