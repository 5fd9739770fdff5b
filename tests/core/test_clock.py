"""How responses depend on the time."""

from datetime import UTC, date, datetime, timedelta

import pytest

from calendar_site.core import clock
from calendar_site.core.clock import Moments
from calendar_site.core.dates.conversion import parse_zone
from calendar_site.core.dates.parser import parse_wire_date

NOON = datetime(2027, 3, 10, 12, tzinfo=UTC)
ROME = parse_zone("Europe/Rome")


@pytest.fixture(autouse=True)
def at_noon(time_machine):
    time_machine.move_to(NOON, tick=False)


def use_of(function):
    with clock.recorded_time_use() as use:
        function()
    return use


def test_exact_time_is_noted():
    assert use_of(clock.now).is_exact


def test_moments_of_records_are_noted():
    use = use_of(lambda: clock.now_among(Moments.PUBLICATION))

    assert (use.moments, use.is_exact, use.ends) == ({Moments.PUBLICATION}, False, None)


def test_day_ends_at_midnight_of_its_zone():
    use = use_of(lambda: clock.today(ROME.tz))

    assert (use.since, use.ends) == (datetime(2027, 3, 9, 23, tzinfo=UTC), datetime(2027, 3, 10, 23, tzinfo=UTC))


def test_day_that_begins_during_the_response_is_not_noted_to_last(time_machine):
    with clock.recorded_time_use() as use:
        time_machine.shift(timedelta(hours=12))

        assert clock.today(UTC) == date(2027, 3, 11)
    assert use.ends == datetime(2027, 3, 11, tzinfo=UTC)


def test_earliest_of_several_ends_counts():
    def compare():
        assert not clock.has_passed(NOON + timedelta(hours=2))
        assert not clock.has_passed(NOON + timedelta(hours=1))
        assert clock.has_passed(NOON - timedelta(hours=1))

    use = use_of(compare)

    assert (use.since, use.ends) == (NOON - timedelta(hours=1), NOON + timedelta(hours=1))


@pytest.mark.parametrize("text", ["now", "+1 hour", "2 days ago", "next month", "last day of next month"])
def test_dates_that_keep_the_present_time_are_exact(text):
    assert use_of(lambda: parse_wire_date(text, ROME)).is_exact


@pytest.mark.parametrize("text", ["tomorrow", "10:30", "Monday", "Dec 1", "first Monday of next month", "today 9am"])
def test_other_relative_dates_last_until_midnight(text):
    use = use_of(lambda: parse_wire_date(text, ROME))

    assert (use.is_exact, use.ends) == (False, datetime(2027, 3, 10, 23, tzinfo=UTC))


def test_relative_dates_last_until_midnight_of_their_own_zone():
    use = use_of(lambda: parse_wire_date("tomorrow 10:30 America/New_York", ROME))

    assert use.ends == datetime(2027, 3, 11, 5, tzinfo=UTC)


@pytest.mark.parametrize("text", ["2027-03-10", "10 March 2027 10:30", "@1804674600", "last day of March 2027"])
def test_absolute_dates_do_not_depend_on_the_time(text):
    use = use_of(lambda: parse_wire_date(text, ROME))

    assert (use.is_exact, use.ends) == (False, None)


def test_time_can_be_read_outside_of_a_response():
    assert clock.now() == NOON
