"""Days and moments as each language writes them."""

from datetime import date, datetime

import pytest
from django.conf import settings
from django.utils.translation import override

from calendar_site.content import days

# An 11th, in whose month the Polish has a case of its own; a weekday and a month with letters beside ASCII.
WRITTEN = {
    "en": ("Wednesday 11 December 2030", "Wed 11 Dec 2030"),
    "de": ("Mittwoch, 11. Dezember 2030", "Mi, 11. Dez. 2030"),
    "fr": ("mercredi 11 décembre 2030", "mer. 11 déc. 2030"),
    "es": ("miércoles, 11 de diciembre de 2030", "mié, 11 dic 2030"),
    "it": ("mercoledì 11 dicembre 2030", "mer 11 dic 2030"),
    "nl": ("woensdag 11 december 2030", "wo 11 dec 2030"),
    "pt": ("quarta-feira, 11 de dezembro de 2030", "qua, 11 dez 2030"),
    "pl": ("środa, 11 grudnia 2030", "śr, 11 gru 2030"),
}


def test_every_language_has_its_way():
    assert list(WRITTEN) == list(days.FORMS) == [code for code, _name in settings.LANGUAGES]


@pytest.mark.parametrize("code", WRITTEN)
def test_day_is_written_as_in_the_language(code):
    with override(code):
        assert (days.day(date(2030, 12, 11)), days.short_day(date(2030, 12, 11))) == WRITTEN[code]


def test_moment_is_a_day_with_the_time_of_a_clock():
    moment = datetime(2030, 5, 4, 18, 5)

    assert days.day_and_clock(moment) == "Saturday 4 May 2030, 18:05"
    assert days.short_day_and_clock(moment) == "Sat 4 May 2030, 18:05"
    assert days.date_and_clock(moment) == "4 May 2030, 18:05"


def test_without_a_language_days_are_written_in_english():
    with override(None):
        assert days.day(date(2030, 12, 11)) == "Wednesday 11 December 2030"
