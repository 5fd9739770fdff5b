"""Dates and times as each language writes them."""

from datetime import UTC, date, datetime

import pytest
from django.conf import settings
from django.utils.translation import override

from calendar_site.core.dates import formatting

# An 11th, in whose month the Polish has a case of its own; a weekday and a month with letters beside ASCII.
FORMATTED = {
    "en": ("Wednesday 11 December 2030", "Wed 11 Dec 2030"),
    "de": ("Mittwoch, 11. Dezember 2030", "Mi, 11. Dez. 2030"),
    "fr": ("mercredi 11 décembre 2030", "mer. 11 déc. 2030"),
    "es": ("miércoles, 11 de diciembre de 2030", "mié, 11 dic 2030"),
    "it": ("mercoledì 11 dicembre 2030", "mer 11 dic 2030"),
    "nl": ("woensdag 11 december 2030", "wo 11 dec 2030"),
    "pt": ("quarta-feira, 11 de dezembro de 2030", "qua, 11 dez 2030"),
    "pl": ("środa, 11 grudnia 2030", "śr., 11 grudnia 2030"),
}


def test_every_language_has_formats():
    assert list(FORMATTED) == list(formatting.DAY_FORMATS) == [code for code, _name in settings.LANGUAGES]


@pytest.mark.parametrize("code", FORMATTED)
def test_day_is_formatted_as_in_the_language(code):
    with override(code):
        assert (
            formatting.format_day(date(2030, 12, 11)),
            formatting.format_short_day(date(2030, 12, 11)),
        ) == FORMATTED[code]


# Months whose abbreviations Django gets wrong, and the first of a month.
FRENCH_DAYS = {
    date(2030, 1, 1): ("mardi 1er janvier 2030", "1er janv. 2030"),
    date(2030, 2, 11): ("lundi 11 février 2030", "11 févr. 2030"),
    date(2030, 7, 31): ("mercredi 31 juillet 2030", "31 juill. 2030"),
}


@pytest.mark.parametrize("day", FRENCH_DAYS)
def test_french_days_have_their_ordinal_and_their_abbreviations(day):
    with override("fr"):
        assert (formatting.format_day(day), formatting.format_day_without_weekday(day)) == FRENCH_DAYS[day]


IN_SENTENCE = {
    "en": "4 May 2030, 18:05",
    "de": "4. Mai 2030 um 18:05\xa0Uhr",
    "fr": "4 mai 2030 à 18\xa0h\xa005",
    "es": "4 may 2030 a las 18:05",
    "it": "4 mag 2030 alle 18:05",
    "nl": "4 mei 2030 om 18:05\xa0uur",
    "pt": "4 mai 2030 às 18:05",
    "pl": "4 maja 2030 o 18:05",
}


@pytest.mark.parametrize("code", IN_SENTENCE)
def test_moment_in_a_sentence_is_worded_as_in_the_language(code):
    with override(code):
        assert formatting.format_in_sentence(datetime(2030, 5, 4, 18, 5, tzinfo=UTC)) == IN_SENTENCE[code]


def test_moment_is_a_day_and_a_time():
    moment = datetime(2030, 5, 4, 18, 5)

    assert formatting.format_day_and_time(moment) == "Saturday 4 May 2030, 18:05"
    assert formatting.format_short_day_and_time(moment) == "Sat 4 May 2030, 18:05"
    assert formatting.format_date_and_time(moment) == "4 May 2030, 18:05"


def test_days_are_in_english_without_a_language():
    with override(None):
        assert formatting.format_day(date(2030, 12, 11)) == "Wednesday 11 December 2030"
