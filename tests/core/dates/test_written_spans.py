"""Spans of time in the words of people."""

import pytest
from django.utils import translation

from calendar_site.core.dates.conversion import parse_zone
from calendar_site.core.dates.written_spans import parse_span

# A Saturday.
pytestmark = pytest.mark.time_machine("2026-11-28 09:00Z", tick=False)

UTC = parse_zone("UTC")


def span(text):
    parsed = parse_span(text, UTC)
    length = 10 if parsed.is_all_day else 16
    return tuple(str(moment)[:length] if moment else None for moment in parsed[:2])


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("5 Dec 10-13", "2026-12-05 10:00", "2026-12-05 13:00"),
        ("next Friday 7pm", "2026-12-04 19:00", None),
        ("tomorrow 7-9pm", "2026-11-29 19:00", "2026-11-29 21:00"),
        ("tomorrow 11-1pm", "2026-11-29 11:00", "2026-11-29 13:00"),
        ("7pm", "2026-11-28 19:00", None),
        ("at 7pm", "2026-11-28 19:00", None),
        ("Friday noon", "2026-12-04 12:00", None),
        ("5 Dec 22:00 - 2:00", "2026-12-05 22:00", "2026-12-06 02:00"),
        ("Sat 5 Dec, 10am – 1pm", "2026-12-05 10:00", "2026-12-05 13:00"),
        ("2027-12-05 10-13", "2027-12-05 10:00", "2027-12-05 13:00"),
        ("12-14 June 10-18", "2027-06-12 10:00", "2027-06-14 18:00"),
        ("5.12. 19.30", "2026-12-05 19:30", None),
        # Whole days.
        ("2027-12-05", "2027-12-05", "2027-12-05"),
        ("5 Dec", "2026-12-05", "2026-12-05"),
        ("27 Nov", "2027-11-27", "2027-11-27"),
        ("27 Nov 2026", "2026-11-27", "2026-11-27"),
        ("12.-14.6.", "2027-06-12", "2027-06-14"),
        ("12.6.-14.7.2028", "2027-06-12", "2028-07-14"),
        ("12-14 June", "2027-06-12", "2027-06-14"),
        ("June 12-14", "2027-06-12", "2027-06-14"),
        ("5 Dec - 7 Dec", "2026-12-05", "2026-12-07"),
    ],
)
def test_english(text, start, end):
    assert span(text) == (start, end)


@pytest.mark.parametrize(
    ("language", "text", "start", "end"),
    [
        ("de", "5. Dezember 10-13 Uhr", "2026-12-05 10:00", "2026-12-05 13:00"),
        ("de", "nächsten Freitag 19 Uhr", "2026-12-04 19:00", None),
        ("de", "12. bis 14. Juni", "2027-06-12", "2027-06-14"),
        ("de", "Sa 5.12. 10 bis 13 Uhr", "2026-12-05 10:00", "2026-12-05 13:00"),
        ("fr", "vendredi prochain 19h30", "2026-12-04 19:30", None),
        ("fr", "demain à 20h", "2026-11-29 20:00", None),
        ("fr", "du 12 au 14 juin", "2027-06-12", "2027-06-14"),
        ("es", "5 de diciembre 10-13", "2026-12-05 10:00", "2026-12-05 13:00"),
        ("es", "mañana a las 19:00", "2026-11-29 19:00", None),
        ("it", "dal 12 al 14 giugno", "2027-06-12", "2027-06-14"),
        ("it", "domani alle 20", "2026-11-29 20:00", None),
        ("nl", "5 december 10-13 uur", "2026-12-05 10:00", "2026-12-05 13:00"),
        ("nl", "volgende vrijdag 20:00", "2026-12-04 20:00", None),
        ("pl", "5 grudnia 10-13", "2026-12-05 10:00", "2026-12-05 13:00"),
        ("pl", "jutro o 20", "2026-11-29 20:00", None),
        ("pt", "12 a 14 de junho", "2027-06-12", "2027-06-14"),
        ("pt", "amanhã às 20h", "2026-11-29 20:00", None),
    ],
)
def test_other_languages(language, text, start, end):
    with translation.override(language):
        assert span(text) == (start, end)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "The date cannot be empty."),
        ("some day", "Not a valid date."),
        ("5 Dec 25:00", "25:00 is not a valid time."),
        ("5 Dec 13pm", "With am or pm, the hour must be between 1 and 12."),
        ("30 Feb 2027", "2027-02-30 is not a valid date."),
        ("14-12 June", "It ends before it starts."),
        ("5.13.", "Not a valid date."),
        ("x" * 101, "A date can have at most 100 characters."),
        # A number alone is no hour.
        ("5 Dec 10", "Not a valid date."),
    ],
)
def test_other_texts_are_refused(text, message):
    with pytest.raises(ValueError, match=message.replace(".", r"\.")):
        parse_span(text, UTC)


@pytest.mark.parametrize("text", ["1 " * 50, "-" * 100, "12-" * 33, "1.1." * 25, "at " * 33, "9:99" * 20])
def test_odd_texts_take_no_time(text):
    with pytest.raises(ValueError, match=r"."):
        parse_span(text, UTC)
