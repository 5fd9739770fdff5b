"""The preview of a series: its dates before anything is saved."""

import pytest
from django.core.exceptions import ValidationError

from events.models import Series
from events.series.dates import preview_dates


@pytest.fixture(autouse=True)
def _today(time_machine, settings):
    time_machine.move_to("2027-03-10 12:00", tick=False)
    settings.SERIES_HORIZON_DAYS = 30


def series(**columns):
    dates = {"start_local": "2027-03-16 19:00:00", "end_local": "2027-03-16 21:00:00", "time_zone": "Europe/Rome"}
    return Series(**dates, **columns)


def test_preview_has_the_dates_of_the_rule_and_the_listed_ones():
    preview = preview_dates(
        series(rrule="FREQ=WEEKLY;COUNT=3", rdate=["2027-03-20 11:00:00"], exdate=["2027-03-23 19:00:00"])
    )

    dates = ["2027-03-16 19:00:00", "2027-03-20 11:00:00", "2027-03-30 19:00:00"]
    assert preview == (dates, 3, dates[-1], True)


def test_preview_is_limited_and_says_whether_the_series_goes_on(monkeypatch):
    endless = preview_dates(series(rrule="FREQ=DAILY"), limit=2)
    monkeypatch.setattr(Series, "MAX_OCCURRENCES", 3)
    limited = preview_dates(series(rrule="FREQ=DAILY;COUNT=4"))
    old = {"start_local": "2027-03-08 19:00:00", "end_local": "2027-03-08 21:00:00", "time_zone": "Europe/Rome"}
    begun = preview_dates(Series(**old, rrule="FREQ=DAILY;COUNT=9"))
    later = preview_dates(series(rrule="", rdate=["2028-01-01 12:00:00"]))

    assert endless == (["2027-03-16 19:00:00", "2027-03-17 19:00:00"], 31, "2027-04-15 19:00:00", False)
    assert (limited.total, limited.is_complete) == (3, False)
    # Two events have begun, and do not count for the limit.
    assert (begun.total, begun.last, begun.is_complete) == (5, "2027-03-12 19:00:00", False)
    assert (later.total, later.is_complete) == (1, False)


def test_preview_of_a_series_without_dates_is_refused():
    with pytest.raises(ValidationError) as refused:
        preview_dates(series(rrule="FREQ=WEEKLY;UNTIL=20270301"))

    assert list(refused.value.message_dict) == ["rrule"]
