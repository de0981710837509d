"""What does it cost to turn texts into terms?"""

from sparsebm25 import Analyzer

from .corpora import SHAPES, term_names, texts


class Split:
    """Normalize and tokenize: plain ASCII takes a shorter way than text with accents."""

    param_names = ["tokens", "letters"]
    params = [["words", "identifiers", "sklearn", "whitespace"], ["ascii", "accented"]]

    def setup(self, tokens, letters):
        self.documents = texts("abstracts")[:1000]
        if letters == "accented":
            self.documents = [text.replace("e", "é") for text in self.documents]
        self.analyzer = Analyzer(tokens=tokens)

    def time_split(self, tokens, letters):
        for text in self.documents:
            self.analyzer.split(text)


class Filter:
    """Stop words and stemming, once for each distinct token."""

    param_names = ["language"]
    params = [["english", "german", "russian"]]

    def setup(self, language):
        self.tokens = [name + "ingly" for name in term_names(SHAPES["abstracts"].n_terms)[:5000]]
        self.analyzer = Analyzer(language=language)

    def time_terms(self, language):
        for token in self.tokens:
            self.analyzer.term(token)
