"""The form of an event in the admin: its sections, and the hints that it shows while the user fills it in."""

import re
from html import unescape

import pytest

from tests.factories import CustomFieldFactory, EventFactory, TicketFactory
from tests.support.admin import browser_for, submit_form
from tests.support.content_kinds import EVENT

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

LIST = "/admin/events/event/"
ADD = f"{LIST}add/"
SECTION = re.compile(r"<h2[^>]*>\s*(.*?)\s*</h2>", re.S)
HEADING = re.compile(r"<h1.*?</h1>", re.S)
LINK = re.compile(r'<a href="(/event/[^"]*)" class="quiet-link">')


def html_of(response):
    assert response.status_code == 200, response
    return response.content.decode()


def form_headings(response):
    return SECTION.findall(html_of(response).partition('id="content-main"')[2])


def heading(response):
    """The breadcrumbs of the page, as text."""
    (found,) = HEADING.findall(html_of(response))
    words = re.sub(r'<span class="material.*?</span>', " › ", found, flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]+>", "", words)).split())


# --- Sections ------------------------------------------------------------------------------------


def test_sections_are_in_order(author_browser):
    CustomFieldFactory(resource="event")

    assert form_headings(author_browser.get(ADD)) == [
        "Essentials", "Description", "Categories and tags", "Organizers", "Custom fields", "Status and attendance",
        "Cost and tickets", "Tickets", "Publishing", "Display",
    ]  # fmt: skip


def test_tickets_are_there_once_behind_the_cost(editor_browser):
    ticket = TicketFactory()

    text = html_of(editor_browser.get(EVENT.page(ticket.event)))

    places = [text.index(mark) for mark in ('id="id_cost"', 'id="tickets-group"', 'id="id_featured"')]
    assert places == sorted(places)
    assert text.count('name="tickets-TOTAL_FORMS"') == 1


def test_whoever_may_only_look_sees_tickets_too(author_browser):
    ticket = TicketFactory(name="Day pass")

    assert "Day pass" in html_of(author_browser.get(EVENT.page(ticket.event)))


def test_heading_names_the_record(editor_browser):
    event = EventFactory(title="Concert")

    assert [heading(editor_browser.get(path)) for path in (ADD, EVENT.page(event))] == [
        "Events › Add event",
        "Events › Concert",
    ]


@pytest.mark.parametrize(
    ("status", "has_page"), [("publish", True), ("draft", False), ("private", False), ("trash", False)]
)
def test_the_form_leads_to_the_public_page_where_there_is_one(editor_browser, status, has_page):
    event = EventFactory(title="Concert", status=status)

    assert LINK.findall(html_of(editor_browser.get(EVENT.page(event)))) == (["/event/concert"] if has_page else [])


def test_whoever_may_only_look_is_led_to_the_public_page_too(author_browser):
    assert LINK.findall(html_of(author_browser.get(EVENT.page(EventFactory(title="Concert"))))) == ["/event/concert"]


# --- Times ---------------------------------------------------------------------------------------

OUTPUT = re.compile(r'<output class="hint" for="([^"]*)" data-url="([^"]*)">(.*?)</output>', re.S)


def hint_for(client, what, **value):
    response = client.get(f"{LIST}hints/{what}/", value)
    assert response.status_code == 200, response
    return response.json()


def lines(response):
    """Return the hints of a form, by the ids of their fields."""
    return {names: unescape(text) for names, _address, text in OUTPUT.findall(html_of(response))}


TIMES = "id_start id_end id_all_day id_time_zone"
NO_ERRORS: dict[str, str] = {}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (
            {"start": "2026-11-21T20:00", "end": "2026-11-21T22:00", "time_zone": "asia/tokyo"},
            "Sat 21 Nov 2026, 20:00 – 22:00 in Tokyo is 12:00 – 14:00 in the site's time zone (Berlin). "
            "Duration: 2 hours.",
        ),
        (
            {"start": "2026-11-21T02:00", "end": "2026-11-22T22:30", "time_zone": "Asia/Tokyo"},
            "Sat 21 Nov 2026, 02:00 – Sun 22 Nov 2026, 22:30 in Tokyo is Fri 20 Nov 2026, 18:00 – "
            "Sun 22 Nov 2026, 14:30 in the site's time zone (Berlin). Duration: 1 day, 20 hours, 30 minutes.",
        ),
        (
            {"start": "2026-11-21T23:00", "end": "2026-11-21T23:00", "time_zone": "UTC"},
            "Sat 21 Nov 2026, 23:00 in UTC is Sun 22 Nov 2026, 00:00 in the site's time zone (Berlin).",
        ),
        (
            {"start": "2026-11-21T20:00", "end": "2026-11-21T20:00", "time_zone": "Asia/Tokyo"},
            "Sat 21 Nov 2026, 20:00 in Tokyo is 12:00 in the site's time zone (Berlin).",
        ),
        (
            {"start": "2026-11-21T20:00", "end": "2026-11-21T21:00"},
            "Sat 21 Nov 2026, 20:00 – 21:00 in the site's time zone (Berlin). Duration: 1 hour.",
        ),
        (
            {"start": "2026-11-21T20:00", "end": "2026-11-22T09:00", "all_day": "on", "time_zone": "Asia/Tokyo"},
            "Sat 21 Nov 2026 – Sun 22 Nov 2026, all day (2 full days).",
        ),
        ({"start": "2026-11-21", "end": "2026-11-21", "all_day": "on"}, "Sat 21 Nov 2026, all day (1 full day)."),
        (
            {"start": "2027-03-28T02:30", "end": "2027-03-28T04:00"},
            "Sun 28 Mar 2027, 03:30 – 04:00 in the site's time zone (Berlin). Duration: 30 minutes. "
            "02:30 does not exist that night because the clocks change. 03:30 is used instead.",
        ),
        (
            {"start": "2026-10-25T02:30", "end": "2026-10-25T04:00"},
            "Sun 25 Oct 2026, 02:30 – 04:00 in the site's time zone (Berlin). Duration: 2 hours, 30 minutes. "
            "02:30 occurs twice that night because the clocks change. The first of both times is used.",
        ),
        ({"start": "2026-11-21T20:00"}, ""),
        ({}, ""),
    ],
)
def test_times_are_shown_in_the_time_zones_of_event_and_site(settings, author_browser, value, text):
    settings.SITE_TIME_ZONE = "Europe/Berlin"

    assert hint_for(author_browser, "times", **value) == {"text": text, "errors": NO_ERRORS}


@pytest.mark.parametrize(
    ("value", "faults"),
    [
        (
            {"start": "2026-11-21T20:00", "end": "2026-11-21T19:59"},
            {"end": "An event cannot end before it starts."},
        ),
        (
            {"start": "2026-11-21", "end": "2026-11-20", "all_day": "on"},
            {"end": "An event cannot end before it starts."},
        ),
        (
            {"start": "\0", "end": "2026-02-30T10:00"},
            {
                "start": "Not a valid date. Use a format such as 2027-03-10, 10 March 2027 or tomorrow 9am.",
                "end": "2026-02-30 is not a valid date.",
            },
        ),
        (
            {"start": "0002-01-01T10:00", "end": "9" * 200},
            {
                "start": "The year must be between 1000 and 9998.",
                "end": "A date can have at most 100 characters.",
            },
        ),
        (
            {"time_zone": "Mars/Olympus"},
            {"time_zone": "Not a valid time zone. Use a name such as Europe/Rome, UTC or UTC+2."},
        ),
        (
            {"time_zone": "\0" * 500},
            {"time_zone": "Null characters are not allowed."},
        ),
    ],
)
def test_errors_in_times_are_reported_by_field(author_browser, value, faults):
    assert hint_for(author_browser, "times", **value) == {"text": "", "errors": faults}


def test_form_shows_the_times_of_its_event(settings, editor_browser):
    settings.SITE_TIME_ZONE = "Europe/Rome"
    # 2:30 for the second time, when summer time has ended.
    event = EventFactory(start="2027-10-31T01:30:00Z", end="2027-10-31T01:45:00Z", cost="€10")

    assert lines(editor_browser.get(EVENT.page(event))) == {
        TIMES: "Sun 31 Oct 2027, 02:30 – 02:45 in the site's time zone (Rome). Duration: 15 minutes.",
        "id_cost": "Shown as €10. API clients receive 10, with € before the number.",
    }


def test_new_form_shows_times_only_if_it_has_dates(author_browser):
    dated = author_browser.get(ADD, {"start": "2027-03-10T19:00", "end": "2027-03-10T21:00"})

    assert lines(author_browser.get(ADD)) == {TIMES: "", "id_cost": ""}
    assert lines(dated) == {
        TIMES: "Wed 10 Mar 2027, 19:00 – 21:00 in the site's time zone (UTC). Duration: 2 hours.",
        "id_cost": "",
    }


def test_form_with_errors_shows_the_submitted_times(author_browser):
    sent = {"title": "", "start": "2027-03-10T10:00", "end": "2027-03-10T12:00", "cost": "10 €"}

    assert lines(submit_form(author_browser, ADD, **sent)) == {
        TIMES: "Wed 10 Mar 2027, 10:00 – 12:00 in the site's time zone (UTC). Duration: 2 hours.",
        "id_cost": "Shown as 10€. API clients receive 10, with € after the number.",
    }


# --- Cost ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cost", "text"),
    [
        ("", ""),
        ("10", "Shown as $10. API clients receive 10, in the site's currency."),
        ("10 - 30", "Shown as $10 – $30. API clients receive 10 – 30, in the site's currency."),
        ("EUR 10 – 30", "Shown as EUR10 – EUR30. API clients receive 10 – 30, with EUR before the number."),
        ("10 €", "Shown as 10€. API clients receive 10, with € after the number."),
        ("free", "Free."),
        ("0", "Free."),
        ("A donation", "No price found. API clients receive this cost as text."),
    ],
)
def test_cost_hint_shows_the_values_of_the_api(author_browser, cost, text):
    assert hint_for(author_browser, "cost", cost=cost) == {"text": text, "errors": NO_ERRORS}


@pytest.mark.parametrize(
    ("cost", "fault"),
    [
        ("-5", "A cost cannot be negative."),
        ("1" * 201, "A cost can have at most 200 characters."),
        ("a\0b", "A cost cannot contain control characters."),
    ],
)
def test_errors_in_a_cost_are_reported(author_browser, cost, fault):
    assert hint_for(author_browser, "cost", cost=cost) == {"text": "", "errors": {"cost": fault}}


@pytest.mark.parametrize("what", ["times", "cost"])
def test_hints_are_only_for_users_who_can_fill_in_the_form(author_browser, subscriber, what):
    path = f"{LIST}hints/{what}/"
    subscriber.is_staff = True
    subscriber.save()

    assert browser_for(None).get(path).status_code == 302
    assert browser_for(subscriber).get(path).status_code == 403
    assert author_browser.post(path).status_code == 405
