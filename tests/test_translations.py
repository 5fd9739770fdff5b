"""The translations: they follow the glossary and the typography of each language, and none is in English."""

import csv
import re

import pytest
from babel.messages.pofile import read_po
from django.conf import settings

from tests.support.programs import ROOT

(LOCALE,) = settings.LOCALE_PATHS
NAMES = {
    "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "nl": "Dutch", "pl": "Polish", "pt": "Portuguese"
}  # fmt: skip
# Placeholders, markup and code, which keep their own punctuation.
NOT_PROSE = re.compile(r"%\(\w+\)[a-z]|%[a-z%]|\{\w*\}|<[^>]*>|https?://\S*|\b(?:mailto|tel):")
# Quotes of other languages, besides the straight ones.
FOREIGN_QUOTES = {
    "de": '"«»”', "fr": '"„“”', "es": '"„“”', "it": '"„“”', "nl": '"«»„', "pl": '"«»“', "pt": '"„“”'
}  # fmt: skip
FRENCH_PLAIN_SPACE = re.compile(r" [;:!?»]|« |[^\s\u00a0\u202f%\w/(.…][;!?]|\w[;!?](?=\s|$)")
# Texts that are the same in a language as in English.
WORD = re.compile(r"[A-Za-z]{4,}")

in_every_language = pytest.mark.parametrize("code", NAMES)


def translations(code):
    """Each text with each form of its translation."""
    with (LOCALE / code / "LC_MESSAGES" / "django.po").open("rb") as file:
        catalog = read_po(file, locale=code)
    for entry in catalog:
        text = entry.id if isinstance(entry.id, str) else entry.id[0]
        if text:
            for form in entry.string if isinstance(entry.string, tuple) else (entry.string,):
                yield entry.context, text, form


def read_rows(name):
    with (ROOT / "docs" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@in_every_language
def test_terms_are_those_of_the_glossary(code):
    terms = {row["English"]: row[NAMES[code]] for row in read_rows("glossary.csv")}
    used = {text: form for context, text, form in translations(code) if text in terms and context is None}

    assert len(used) > 50
    assert used == {text: terms[text] for text in used}


@in_every_language
def test_avoided_terms_are_not_used(code):
    avoided = [row["Avoid"] for row in read_rows("glossary-avoid.csv") if row["Language"] == NAMES[code]]
    pattern = re.compile("|".join(rf"\b{re.escape(term)}\b" for term in avoided), re.IGNORECASE)

    assert [form for _context, _text, form in translations(code) if pattern.search(form)] == []


@in_every_language
def test_quotes_are_those_of_the_language(code):
    wrong = [
        form
        for _context, text, form in translations(code)
        if set(NOT_PROSE.sub("", form)) & set(FOREIGN_QUOTES[code]) and '"' not in NOT_PROSE.sub("", text)
    ]

    assert wrong == []


def test_french_has_narrow_spaces_before_double_punctuation():
    assert [form for _c, _text, form in translations("fr") if FRENCH_PLAIN_SPACE.search(NOT_PROSE.sub("x", form))] == []


@in_every_language
def test_apostrophes_are_typographic(code):
    wrong = [form for _c, _text, form in translations(code) if re.search(r"\w'\w", NOT_PROSE.sub("", form))]

    assert wrong == []


@in_every_language
def test_nothing_is_left_in_english(code):
    same = [
        text
        for _context, text, form in translations(code)
        if form == text and len(WORD.findall(NOT_PROSE.sub("", text))) > 2
    ]

    assert same == []
