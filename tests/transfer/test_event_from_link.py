"""Filling in the form of a new event from a link."""

import json

import pytest

from events.models import Event
from tests.factories import TagFactory, VenueFactory
from tests.support.admin import browser_for, form_data, messages_in
from tests.support.html_page import parse_page
from tests.support.imports import ics_calendar, vevent

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine("2030-05-04 12:00Z", tick=False)]

PAGE = "/admin/transfer/source/event-from-link/"
LINK = "http://choir.example.org/concert"
CONCERT = {
    "@type": "MusicEvent",
    "name": "Choir concert",
    "startDate": "2030-06-01T19:00:00",
    "endDate": "2030-06-01T21:30:00",
    "description": "<p>All voices<script>alert(1)</script></p>",
    "location": {"@type": "Place", "name": "Old Mill"},
    "organizer": {"name": "Choir"},
    "keywords": "music, unknown",
    "offers": {"price": "10", "priceCurrency": "EUR"},
}


@pytest.fixture
def serve(serve_site):
    def start(body, media_type="text/html"):
        return serve_site(lambda path, parameters, headers: (200, {"Content-Type": media_type}, body.encode()))

    return start


def web_page(*nodes):
    # A script ends at the first closing tag.
    text = json.dumps(list(nodes)).replace("</", r"<\/")
    return f'<html><script type="application/ld+json">{text}</script></html>'


def fill_in(browser, **values):
    response = browser.post(PAGE, {"link": LINK, **values}, follow=True)
    assert response.status_code == 200
    return response


def test_page_with_one_event_fills_in_the_form(serve, editor_browser):
    venue, tag = VenueFactory(title="Old Mill"), TagFactory(name="music")
    serve(web_page(CONCERT))

    response = fill_in(editor_browser)

    form = form_data(response)
    assert {name: form[name][0] for name in ("title", "start", "end", "cost", "time_zone", "description")} == {
        "title": "Choir concert",
        "start": "2030-06-01T19:00",
        "end": "2030-06-01T21:30",
        "cost": "€10",
        "time_zone": "UTC",
        "description": "<p>All voices</p>",
    }
    assert (form["ordered_venues"], form["tags"]) == ([str(venue.pk)], [str(tag.pk)])
    assert messages_in(response) == [
        f"The form is filled in from {LINK}. Nothing is saved yet.",
        "It is not in the calendar yet, so add it: organizer “Choir”.",
    ]
    assert not Event.objects.exists()


def test_calendar_with_several_events_asks_which_one(serve, editor_browser):
    times = {"Past": "20290510T190000Z", "Later": "20300710T190000Z", "Next": "20300610T190000Z"}
    serve(ics_calendar(*(vevent(title, start) for title, start in times.items())), "text/calendar")

    choice = parse_page(fill_in(editor_browser))

    assert [row.text.strip() for row in choice.all("th", scope="row")] == ["Next", "Later", "Past"]
    assert "Monday 10 June 2030, 19:00" in choice.text
    assert form_data(fill_in(editor_browser, number="1"))["title"] == ["Later"]


def test_event_of_whole_days_has_days(serve, editor_browser):
    serve(ics_calendar(vevent("Fair", "20300610", DTEND="20300612")), "text/calendar")

    form = form_data(fill_in(editor_browser))

    assert (form["start"], form["end"], form["all_day"]) == (["2030-06-10"], ["2030-06-11"], ["on"])


@pytest.mark.parametrize(
    ("body", "link", "message"),
    [
        ("<html>Nothing</html>", LINK, "There are no schema.org events at this address."),
        ("BEGIN:VCALENDAR\r\n", LINK, "The calendar is incomplete"),
        ("", "ftp://choir.example.org", "Enter a URL that starts with http:// or https://."),
        ("", "", "Enter a URL that starts with http:// or https://."),
    ],
)
def test_link_without_events_says_so_beside_the_empty_form(serve, editor_browser, body, link, message):
    serve(body)

    response = editor_browser.post(PAGE, {"link": link}, follow=True)

    assert message in messages_in(response)[0]
    assert form_data(response)["title"] == [""]


def test_form_is_filled_in_only_where_the_link_leads(serve, editor_browser):
    serve(web_page(CONCERT))
    fill_in(editor_browser)

    for url in ("/admin/events/event/add/", "/admin/venues/venue/add/?filled_in=1"):
        assert form_data(editor_browser.get(url))["title"] == [""], url


def test_users_who_may_not_add_events_are_refused(serve, subscriber):
    site = serve(web_page(CONCERT))

    response = browser_for(subscriber).post(PAGE, {"link": LINK})

    assert (response.status_code, site.requests) == (302, [])
    assert response["Location"].startswith("/admin/login/")


def test_reading_a_link_needs_a_post(editor_browser):
    assert editor_browser.get(f"{PAGE}?link={LINK}").status_code == 405
