"""The glossary of the interface: complete in every language, without contradictions."""

import csv
from collections import Counter

from django.conf import settings

from tests.support.programs import ROOT

LANGUAGES = ["English", "German", "French", "Spanish", "Italian", "Dutch", "Polish", "Portuguese"]


def read_rows(name):
    with (ROOT / "docs" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_term_is_there_once_and_in_every_language():
    terms = read_rows("glossary.csv")

    assert len(LANGUAGES) == len(settings.LANGUAGES)
    assert [row for row in terms if list(row) != LANGUAGES or not all(row.values())] == []
    assert [term for term, count in Counter(row["English"] for row in terms).items() if count > 1] == []


def test_no_term_is_one_to_avoid():
    terms = {language: {row[language].casefold() for row in read_rows("glossary.csv")} for language in LANGUAGES}
    avoided = read_rows("glossary-avoid.csv")

    assert [row for row in avoided if row["Avoid"].casefold() in terms[row["Language"]]] == []
