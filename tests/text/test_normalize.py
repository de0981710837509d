"""Every spelling of a text has one form, and only accents are ever taken away."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sparsebm25.text import fold_accents
from sparsebm25.text.normalize import ACCENTS, CASES, FORMS, normalize_unicode, normalizer

LETTERS = "abHKßŒøıſÅéꞵΣςάᾳйЁअिก็가힣ｶﾞがﬁ①ＡDŽ"
MARKS = "\u0301\u0308\u0323\u0331\u0345\u0307\u3099\u094d\u0e48"
UNSEEN = "\u00ad\u034f\ufe0f\u20e3\u2060\ufeff"
TEXTS = st.text(st.sampled_from(LETTERS + MARKS + UNSEEN + " -_.\x00\u200d\ud800") | st.characters())
NAMED_FORMS = [form for form in FORMS if form is not None]

forms, cases, accents = (st.sampled_from(list(choices)) for choices in (NAMED_FORMS, CASES, ACCENTS))


@given(TEXTS, forms, cases, accents)
def test_equivalent_texts_become_equal(text, form, case, accents):
    """Composed and decomposed spellings of a text have the same normal form."""
    normalized = normalizer(form, case, accents)

    spellings = {normalized(unicodedata.normalize(other, text)) for other in ("NFC", "NFD")}
    assert spellings == {normalized(text)}


@given(TEXTS, forms, cases, accents)
def test_result_is_in_its_form(text, form, case, accents):
    """The result is in the Unicode form that was asked for, also after the change of case."""
    assert unicodedata.is_normalized(form, normalizer(form, case, accents)(text))


@given(st.text(st.characters(max_codepoint=127)), st.sampled_from(list(FORMS)), cases, accents)
def test_ascii_path_equals_unicode_path(text, form, case, accents):
    """ASCII text gets from the short path what the long one would give it."""
    assert normalizer(form, case, accents)(text) == normalize_unicode(text, form, case, accents)


@given(TEXTS)
def test_without_form_and_case_nothing_changes(text):
    """With no form, no case and accents kept, characters are taken as they come."""
    assert normalizer(None, None, "keep")(text) == text


def test_form_is_restored_after_the_case():
    """A capital without a composed form meets its small letter, which has one."""
    normalized = normalizer("NFC", "lower", "keep")

    assert normalized("H\u0331") == normalized("ẖ") == "ẖ"


@pytest.mark.case("U15")
@pytest.mark.parametrize(
    ("text", "expected"), [("Straße", "strasse"), ("STRASSE", "strasse"), ("ﬁsh", "fish")]
)
def test_casefold_and_compatibility_form_join_spellings(text, expected):
    """Casefold joins ß and ss, NFKC takes ligatures apart."""
    assert normalizer("NFKC", "casefold", "keep")(text) == expected


@pytest.mark.parametrize("text", ["co\u00adoperate", "cooperate\ufe0f", "\ufeffcooperate", "coope\u2060rate"])
def test_unseen_characters_are_dropped(text):
    """Characters that change how a word looks, not which word it is, are no part of it."""
    assert normalizer("NFC", "lower", "keep")(text) == "cooperate"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Łódź", "Lodz"),
        ("Đà Nẵng", "Da Nang"),
        ("smørrebrød", "smorrebrod"),
        ("Æsir œuvre Straße", "AEsir oeuvre Strasse"),
        ("İstanbul ılık", "Istanbul ilik"),
        ("Ἀθῆναι", "Αθηναι"),
        ("e\u0301\u0323", "e"),
    ],
)
def test_accents_fold(text, expected):
    """Latin and Greek letters lose their accents; letters that do not decompose have a plain spelling."""
    assert fold_accents(text) == expected


@pytest.mark.parametrize("text", ["йод ёж їжак", "हिन्दी", "สวัสดีครับ", "שָׁלוֹם", "مُحَمَّد", "がぎぐ", "≠"])
def test_folding_leaves_other_scripts_alone(text):
    """A mark that makes another letter, or a vowel, is never dropped."""
    assert fold_accents(text) == text


@given(TEXTS)
def test_folding_is_idempotent_and_blind_to_spelling(text):
    """Folding twice is folding once, and equivalent texts fold to the same."""
    folded = fold_accents(text)

    assert fold_accents(folded) == folded == fold_accents(unicodedata.normalize("NFD", text))


@given(st.text(st.characters(categories=["L", "M"])))
def test_folding_never_empties_a_text(text):
    """Only marks that follow a letter go, so the letter stays."""
    assume(text)

    assert fold_accents(text)
