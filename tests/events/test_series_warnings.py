"""Warnings about a new series, and the entry of its events in the menus of rows."""

import pytest
from django.contrib.messages import constants, get_messages

from events.models import Series
from tests.factories import EventFactory, SeriesFactory, VenueFactory
from tests.support.admin import browser_for, submit_form

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

ADD = "/admin/events/event/add/"
EVENTS = "/admin/events/event/"
WEEKLY = {
    "recurrence-frequency": "WEEKLY",
    "recurrence-days": ["TU"],
    "recurrence-ends": "count",
    "recurrence-count": "4",
}
TIMES = {"start": "2027-03-16T19:00", "end": "2027-03-16T21:00", "time_zone": "Europe/Rome"}


@pytest.fixture(autouse=True)
def _today(time_machine):
    time_machine.move_to("2027-03-20 12:00", tick=False)


def warnings_of(response):
    found = get_messages(response.wsgi_request)
    return [str(message) for message in found if message.level == constants.WARNING]


def test_new_series_warns_of_its_events(editor_browser):
    hall = VenueFactory()
    taken = {"time_zone": "Europe/Rome", "venues": [hall]}
    EventFactory(title="Fair", start="2027-03-30 20:30", end="2027-03-30 23:00", **taken)
    EventFactory(title="Ball", start="2027-04-06 10:00", end="2027-04-06 19:01", **taken)
    # Not at the same time, cancelled, at another venue, on another day.
    EventFactory(title="Market", start="2027-03-30 21:00", end="2027-03-30 22:00", **taken)
    EventFactory(title="Party", start="2027-03-30 19:00", end="2027-03-30 22:00", event_status="cancelled", **taken)
    EventFactory(title="Evening choirs", start="2027-03-30 10:00", end="2027-03-30 22:00", time_zone="Europe/Rome")
    EventFactory(title="Evening choir", start="2027-03-31 19:00", end="2027-03-31 22:00", **taken)

    response = submit_form(editor_browser, ADD, title="Evening choir", ordered_venues=[hall.pk], **TIMES, **WEEKLY)

    assert warnings_of(response) == [
        "1 event of the series is in the past.",
        "Other events at the same venue at the same time: Fair (Tue 30 Mar 2027), Ball (Tue 6 Apr 2027).",
        "Events on the same days with a similar title: Evening choirs.",
    ]


def test_event_that_is_repeated_warns_of_the_others(editor_browser):
    hall = VenueFactory()
    event = EventFactory(
        title="Choir", start="2027-03-23 19:00", end="2027-03-23 21:00", time_zone="Europe/Rome", venues=[hall]
    )
    EventFactory(title="Fair", start="2027-03-30 19:00", end="2027-03-30 21:00", time_zone="Europe/Rome", venues=[hall])

    response = submit_form(editor_browser, f"{EVENTS}{event.pk}/change/", **WEEKLY)

    assert warnings_of(response) == ["Other events at the same venue at the same time: Fair (Tue 30 Mar 2027)."]


def test_series_without_conflicts_has_no_warnings(editor_browser):
    response = submit_form(
        editor_browser,
        ADD,
        title="Choir",
        **{**TIMES, "start": "2027-03-23T19:00", "end": "2027-03-23T21:00"},
        **WEEKLY,
    )

    assert warnings_of(response) == []


def test_warnings_do_not_tell_of_events_that_the_user_may_not_see(author):
    hall = VenueFactory()
    for title in ("Choir", "Fair"):
        EventFactory(title=title, start="2027-03-30 19:00", end="2027-03-30 21:00", status="private", venues=[hall])

    response = submit_form(
        browser_for(author),
        ADD,
        title="Choir",
        ordered_venues=[hall.pk],
        **{**TIMES, "start": "2027-03-23T19:00", "end": "2027-03-23T21:00"},
        **WEEKLY,
    )

    assert warnings_of(response) == []


# --- The menu of rows ----------------------------------------------------------------------------


def test_menu_of_an_event_leads_to_its_series(editor_browser):
    series = SeriesFactory(rrule="FREQ=WEEKLY;COUNT=1", start="2027-04-01 19:00", end="2027-04-01 21:00")
    event, single = series.events.get(), EventFactory(start="2027-04-02 19:00")

    page = editor_browser.get(EVENTS).content.decode()
    response = editor_browser.get(f"{EVENTS}{event.pk}/series/")

    assert f'data-row="{event.pk}" data-can="change quick-edit trash duplicate series"' in page
    assert f'data-row="{single.pk}" data-can="change quick-edit trash duplicate"' in page
    assert response.url == f"/admin/events/series/{series.pk}/change/"
    assert editor_browser.get(f"{EVENTS}{single.pk}/series/").url == f"{EVENTS}{single.pk}/change/"


def test_series_that_the_user_may_not_see_is_not_opened(author):
    series = SeriesFactory(rrule="FREQ=WEEKLY;COUNT=1")
    Series.objects.update(status="private")
    event = series.events.get()

    browser = browser_for(author)

    assert f'data-row="{event.pk}" data-can="" ' in browser.get(EVENTS).content.decode()
    assert browser.get(f"{EVENTS}{event.pk}/series/").status_code == 403
