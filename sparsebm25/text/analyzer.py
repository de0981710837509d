"""Which terms does a text hold? Normalizer, tokenizer and token filters as one value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any

from sparsebm25._callables import checked_tokens
from sparsebm25._checks import choice, integer, shown
from sparsebm25.protocols import Stemmer, Tokenizer
from sparsebm25.text._custom import (
    check_name_or_callable,
    checked_stem,
    restored_callable,
    saved_form,
)
from sparsebm25.text.identifiers import name_splitter
from sparsebm25.text.normalize import ACCENTS, CASES, FORMS, normalizer
from sparsebm25.text.stem import SNOWBALL_LANGUAGES, stem_snowball
from sparsebm25.text.stopwords import LANGUAGE_LISTS, checked_stopwords, stopword_entries
from sparsebm25.text.tokenize import CJK_SEGMENTERS, two_or_more, words

__all__ = ["Analyzer"]

_TOKENS = ("words", "identifiers", "sklearn", "whitespace")


@dataclass(frozen=True, init=False)
class Analyzer:
    r"""
    Turn a text into its terms: normalize, split into tokens, filter the tokens.

    An analyzer is a value: two with equal settings are equal, it never changes, and
    it is saved by its settings. Documents and queries must go through equal ones.

    Parameters
    ----------
    language : str or None, default None
        Snowball name of a language: sets `stemmer`, and for ``"english"`` also
        ``stopwords="lucene"``, where these are not given.
    tokens : {"words", "identifiers", "sklearn", "whitespace"} or callable, default "words"
        ``"words"``: runs of letters, numbers and combining marks; an underscore or
        apostrophe separates. ``"identifiers"``: names and their parts, see
        `split_identifiers`. ``"sklearn"``: the pattern ``(?u)\b\w\w+\b``.
        ``"whitespace"``: ``str.split``. A callable gets the normalized text and
        returns a list of str.
    normalize : {"NFC", "NFKC", "NFD", "NFKD"} or None, default "NFC"
        Unicode form of the text. With a form, soft hyphens, variation selectors and
        other characters that only change how a word looks are dropped too; with None
        characters are taken as they come.
    case : {"lower", "casefold"} or None, default "lower"
        Casefold also joins ``ß`` and ``ss``; None keeps capitals.
    accents : {"keep", "fold"}, default "keep"
        Whether Latin and Greek letters lose their accents, see `fold_accents`.
    cjk : {"bigrams", "characters", "runs"}, default "bigrams"
        How ``"words"`` and ``"identifiers"`` split runs of Chinese and Japanese,
        which have no spaces. Hangul has, and is words.
    stopwords : str, iterable of str or None, default None
        Tokens to drop: ``"lucene"`` (its 33 English words; ``"english"`` is the same
        list) or any words. They are normalized and split like a text. An empty
        collection drops none, whatever the language.
    stemmer : str, callable or None, default None
        Name of a Snowball language, or a function from token to term; a token whose
        term is empty is dropped.
    min_length : int, default 1
        Shortest token kept, in characters, before stemming.

    See Also
    --------
    words : The default tokenizer.
    split_identifiers : The tokenizer for code.

    Notes
    -----
    Canonically equivalent texts have equal tokens (unless ``normalize=None``).
    Analyzers are safe to share between threads and are pickled by their settings.
    A stemmer costs more than all the rest: count raw tokens by `split` first, then
    ask `term` once for each distinct one. Snowball stemmers are several times faster
    where PyStemmer is installed, and give the same stems.

    Examples
    --------
    >>> from sparsebm25.text import Analyzer
    >>> analyzer = Analyzer(language="english")
    >>> analyzer("The stemmers of Gödel's editors")
    ['stemmer', 'gödel', 's', 'editor']
    >>> Analyzer(tokens="identifiers")("parseHTTPHeader")
    ['parsehttpheader', 'parse', 'http', 'header']
    >>> Analyzer.from_settings(analyzer.settings()) == analyzer
    True
    """

    tokens: str | Tokenizer
    normalize: str | None
    case: str | None
    accents: str
    cjk: str
    stopwords: str | frozenset[str] | None
    stemmer: str | Stemmer | None
    min_length: int
    _split: Callable[[str], list[str]] = field(init=False, repr=False, compare=False)
    _term: Callable[[str], str | None] = field(init=False, repr=False, compare=False)

    def __init__(
        self,
        language: str | None = None,
        *,
        tokens: str | Tokenizer = "words",
        normalize: str | None = "NFC",
        case: str | None = "lower",
        accents: str = "keep",
        cjk: str = "bigrams",
        stopwords: str | Iterable[str] | None = None,
        stemmer: str | Stemmer | None = None,
        min_length: int = 1,
    ) -> None:
        if language is not None:
            choice("language", language, SNOWBALL_LANGUAGES)
            stopwords = LANGUAGE_LISTS.get(language) if stopwords is None else stopwords
            stemmer = language if stemmer is None else stemmer
        check_name_or_callable("tokens", tokens, _TOKENS)
        choice("normalize", normalize, FORMS)
        choice("case", case, CASES)
        choice("accents", accents, ACCENTS)
        choice("cjk", cjk, CJK_SEGMENTERS)
        if stemmer is not None:
            check_name_or_callable("stemmer", stemmer, SNOWBALL_LANGUAGES)
        values = {
            "tokens": tokens,
            "normalize": normalize,
            "case": case,
            "accents": accents,
            "cjk": cjk,
            "stopwords": checked_stopwords(stopwords),
            "stemmer": stemmer,
            "min_length": integer("min_length", min_length, low=1),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_split", _splitter(self))
        object.__setattr__(self, "_term", _token_filter(self))

    def __call__(self, text: str) -> list[str]:
        """
        Return the terms of a text, one for each token kept, in order.

        Parameters
        ----------
        text : str
            Any text.

        Returns
        -------
        list of str
            Terms, repeated as often as they occur.

        Raises
        ------
        TypeError
            If `text` is not a str.
        """
        term = self._term
        return [kept for token in self.split(text) if (kept := term(token)) is not None]

    def split(self, text: str) -> list[str]:
        """
        Return the normalized tokens of a text, before the token filters.

        Parameters
        ----------
        text : str
            Any text.

        Returns
        -------
        list of str
            Raw tokens in order; `term` turns each into its term.

        Raises
        ------
        TypeError
            If `text` is not a str, or a custom tokenizer does not return a list of str.

        Examples
        --------
        >>> from sparsebm25.text import Analyzer
        >>> Analyzer(language="english").split("The maps")
        ['the', 'maps']
        """
        if not isinstance(text, str):
            raise TypeError(f"text must be a str, got {shown(text)}")
        return self._split(text)

    def term(self, token: str) -> str | None:
        """
        Return the term of a raw token, or None if the token is dropped.

        Parameters
        ----------
        token : str
            A token as `split` returns it.

        Returns
        -------
        str or None
            The token, stemmed if there is a stemmer; None for a stop word, a token
            shorter than `min_length`, or an empty stem.

        Raises
        ------
        TypeError
            If a custom stemmer does not return a str.

        Examples
        --------
        >>> from sparsebm25.text import Analyzer
        >>> analyzer = Analyzer(language="english")
        >>> analyzer.term("maps"), analyzer.term("the")
        ('map', None)
        """
        return self._term(token)

    def settings(self) -> dict[str, Any]:
        """
        Return the settings in a form that JSON can hold.

        Returns
        -------
        dict
            One entry for each parameter but `language`, which is resolved. A custom
            callable is given by its name: ``{"callable": "module:qualname"}``.

        See Also
        --------
        from_settings : The way back.

        Examples
        --------
        >>> from sparsebm25.text import Analyzer
        >>> Analyzer(tokens=str.split).settings()["tokens"]
        {'callable': 'builtins:str.split'}
        """
        return {name: saved_form(value) for name, value in self._parameters().items()}

    @classmethod
    def from_settings(
        cls,
        settings: Mapping[str, Any],
        *,
        tokens: Tokenizer | None = None,
        stemmer: Stemmer | None = None,
    ) -> Analyzer:
        """
        Return the analyzer that has these settings.

        Parameters
        ----------
        settings : mapping
            What `settings` returned. A missing entry has its default.
        tokens : callable or None, default None
            The custom tokenizer, if the settings name one.
        stemmer : callable or None, default None
            The custom stemmer, if the settings name one.

        Returns
        -------
        Analyzer
            Equal to the one that was saved.

        Raises
        ------
        ValueError
            If an entry is unknown or has a value that is not allowed; if a custom
            callable is not given, has another name than the saved one, or is given
            where none was saved.
        TypeError
            If `settings` is not a mapping or an entry has a value of the wrong type.

        Examples
        --------
        >>> from sparsebm25.text import Analyzer
        >>> saved = Analyzer(tokens=str.split).settings()
        >>> Analyzer.from_settings(saved, tokens=str.split)("Red kite!")
        ['red', 'kite!']
        """
        if not isinstance(settings, Mapping):
            raise TypeError(f"settings must be a mapping, got {shown(settings)}")
        names = [each.name for each in fields(cls) if each.compare]
        for name in settings:
            choice("an analyzer setting", name, names)
        values = dict(settings)
        for name, given in (("tokens", tokens), ("stemmer", stemmer)):
            if (restored := restored_callable(name, values.get(name), given)) is not None:
                values[name] = restored
        return cls(**values)

    def __reduce__(self) -> tuple[Callable[[], Analyzer], tuple[()]]:
        """Pickle and copy by the settings: the compiled functions are made anew."""
        return partial(type(self), **self._parameters()), ()

    def _parameters(self) -> dict[str, Any]:
        """Return the settings as given to the constructor."""
        return {each.name: getattr(self, each.name) for each in fields(self) if each.compare}


def _splitter(analyzer: Analyzer) -> Callable[[str], list[str]]:
    """Return normalizer and tokenizer as one function."""
    normalized = normalizer(analyzer.normalize, analyzer.case, analyzer.accents)
    if analyzer.tokens == "identifiers":
        cased = normalizer(analyzer.normalize, None, "keep")
        return name_splitter(cased, normalized, analyzer.cjk)
    tokenize = _tokenizer(analyzer.tokens, analyzer.cjk)
    return lambda text: tokenize(normalized(text))


def _tokenizer(tokens: str | Tokenizer, cjk: str) -> Tokenizer:
    """Return the function that splits a normalized text."""
    if callable(tokens):
        return partial(checked_tokens, tokens, name="tokens")
    named: dict[str, Tokenizer] = {
        "words": partial(words, cjk=cjk),
        "sklearn": two_or_more,
        "whitespace": str.split,
    }
    return named[tokens]


def _token_filter(analyzer: Analyzer) -> Callable[[str], str | None]:
    """Return stop words, minimum length and stemmer as one function."""
    entries = stopword_entries(analyzer.stopwords)
    dropped = frozenset(token for entry in entries for token in analyzer.split(entry))
    min_length = analyzer.min_length
    stem = _stem_function(analyzer.stemmer)

    def term(token: str) -> str | None:
        if len(token) < min_length or token in dropped:
            return None
        return token if stem is None else stem(token) or None

    return term


def _stem_function(stemmer: str | Stemmer | None) -> Stemmer | None:
    """Return the function from token to term, if there is one."""
    if stemmer is None:
        return None
    return partial(checked_stem, stemmer) if callable(stemmer) else partial(stem_snowball, language=stemmer)
