"""The page of an event: related events, links to calendars, and markup for programs."""

from urllib.parse import parse_qs, urlsplit

import pytest

from tests.factories import CategoryFactory, EventFactory, SeriesFactory, TagFactory, VenueFactory
from tests.support.html_page import details_of, event_titles, parse_page

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine("2030-05-04 12:00Z", tick=False)]

SITE = "http://testserver"


def page_of(client, event):
    return parse_page(client.get(f"/event/{event.slug}/"))


def added(page):
    """The parameters of the links that add the event to a calendar, by the name of the service."""
    found = {}
    for link in page.one("main").all("a"):
        url = urlsplit(link["href"])
        if url.netloc != "testserver" and url.query:
            found[link.text] = {"host": url.netloc, **{name: value for name, (value,) in parse_qs(url.query).items()}}
    return found


# --- Adding to a calendar ----------------------------------------------------------------------


def test_event_can_be_added_to_calendars_on_the_web(client):
    hall = VenueFactory(title="Hall & Sons", address="12 Quay Street", city="Zürich")
    fair = EventFactory(
        title="Fair + #1 & more",
        start="2030-05-04 18:00",
        end="2030-05-04 20:00",
        time_zone="Europe/Zurich",
        venues=[hall],
        description="<p>By the river.</p>",
    )

    page = page_of(client, fair)

    url, place = f"{SITE}/event/{fair.slug}/", "Hall & Sons, 12 Quay Street, Zürich"
    text = f"By the river.\n\n{url}"
    outlook = {
        "rru": "addevent",
        "subject": "Fair + #1 & more",
        "startdt": "2030-05-04T16:00:00Z",
        "enddt": "2030-05-04T18:00:00Z",
        "body": text,
        "location": place,
    }
    assert added(page) == {
        "Google Calendar": {
            "host": "calendar.google.com",
            "action": "TEMPLATE",
            "text": "Fair + #1 & more",
            "dates": "20300504T160000Z/20300504T180000Z",
            "details": text,
            "location": place,
        },
        "Outlook.com": {"host": "outlook.live.com", **outlook},
        "Microsoft 365": {"host": "outlook.office.com", **outlook},
    }
    assert f"{SITE}/event/{fair.slug}.ics" in [link["href"] for link in page.one("main").all("a")]


def test_whole_days_are_added_without_times(client):
    camp = EventFactory(title="Camp", start="2030-05-04", end="2030-05-06", all_day=True)

    links = added(page_of(client, camp))

    assert links["Google Calendar"]["dates"] == "20300504/20300507"
    times = {name: links["Outlook.com"][name] for name in ("startdt", "enddt", "allday")}
    assert times == {"startdt": "2030-05-04", "enddt": "2030-05-07", "allday": "true"}


@pytest.mark.parametrize(
    ("status", "label", "is_offered"),
    [
        ("scheduled", "When", True),
        ("moved_online", "When", True),
        ("cancelled", "When", False),
        ("postponed", "Was planned for", False),
    ],
)
def test_only_events_that_take_place_can_be_added(client, status, label, is_offered):
    fair = EventFactory(title="Fair", start="2030-05-04 18:00", end="2030-05-04 20:00", event_status=status)

    page = page_of(client, fair)

    assert [summary.text for summary in page.all("summary")] == ["Add to calendar"] * is_offered
    assert added(page).keys() == ({"Google Calendar", "Outlook.com", "Microsoft 365"} if is_offered else set())
    assert details_of(page)[label] == ["Saturday 4 May 2030, 18:00 to 20:00"]
    assert len(page.all("s")) == (status == "postponed")


# --- Series ------------------------------------------------------------------------------------


def test_event_of_a_series_shows_when_it_repeats_and_its_next_dates(client):
    series = SeriesFactory(
        title="Knitting", start="2030-04-22 18:00", end="2030-04-22 20:00", rrule="FREQ=WEEKLY;COUNT=9"
    )
    EventFactory(title="Other", start="2030-05-06 10:00", end="2030-05-06 11:00")
    event = series.events.get(start_local="2030-05-13 18:00:00")

    page = page_of(client, event)

    (repeats,) = details_of(page)["Repeats"]
    assert repeats == (
        "Every week on Monday, 9 times Mon 6 May 2030, 18:00 Mon 20 May 2030, 18:00 Mon 27 May 2030, 18:00 "
        "Mon 3 Jun 2030, 18:00 Mon 10 Jun 2030, 18:00 All dates, All dates as iCalendar file"
    )
    links = {link.text: link["href"].removeprefix(SITE) for link in page.all("a")}
    assert links["All dates"] == f"/events/list/?series={series.pk}"
    listed = parse_page(client.get(links["All dates"]))
    assert event_titles(listed) == ["Knitting"] * 7
    assert [chip.one("bdi").text for chip in listed.all("a", **{"class": "chip"})] == ["Knitting"]
    calendar = client.get(links["All dates as iCalendar file"]).content.decode()
    # With those of the last thirty days.
    assert calendar.count("SUMMARY:Knitting") == 9
    assert "SUMMARY:Other" not in calendar


def test_private_series_is_not_named_on_pages(client):
    series = SeriesFactory(title="Knitting", start="2030-05-06 18:00", end="2030-05-06 20:00", status="private")
    event = series.events.order_by("start").first()
    event.status = "publish"
    event.save()

    page = page_of(client, event)

    assert "Repeats" not in details_of(page)
    assert client.get(f"/events/list/?series={series.pk}").status_code == 400


# --- Other events ------------------------------------------------------------------------------


def similar(page):
    return [
        (item.one("a").text, item.one("span").text) for item in page.one("ul", **{"class": "event-links"}).all("li")
    ]


def neighbors(page):
    navigation = page.one("nav", **{"aria-label": "Other events"})
    return [(link["rel"], link["href"].removeprefix(SITE)) for link in navigation.all("a")]


def test_similar_events_have_the_same_categories(client):
    jazz, film = CategoryFactory(name="Jazz"), CategoryFactory(name="Film")
    concert = EventFactory(title="Concert", start="2030-05-10 10:00", categories=[jazz])
    for number in range(5):
        EventFactory(title=f"Jazz {number}", start=f"2030-05-1{number} 12:00", categories=[jazz, film])
    EventFactory(title="Movie", start="2030-05-10 10:00", categories=[film])
    EventFactory(title="Over", start="2030-05-01 10:00", categories=[jazz])
    EventFactory(title="Draft", start="2030-05-10 09:00", categories=[jazz], status="draft")
    EventFactory(title="Secret", start="2030-05-10 09:00", categories=[jazz], password="x")
    EventFactory(title="Unlisted", start="2030-05-10 09:00", categories=[jazz], hide_from_listings=True)

    assert similar(page_of(client, concert)) == [
        (f"Jazz {number}", f"{day} {10 + number} May 2030, 12:00")
        for number, day in enumerate(("Fri", "Sat", "Sun", "Mon"))
    ]


@pytest.mark.parametrize("linked", ["tags", "venues"])
def test_similar_events_of_an_event_without_categories_share_tags_or_venues(client, linked):
    records = {"tags": TagFactory, "venues": VenueFactory}
    shared = {linked: [records[linked]()]}
    concert = EventFactory(title="Concert", start="2030-05-10 10:00", **shared)
    EventFactory(title="Whole day", start="2030-05-11", end="2030-05-11", all_day=True, **shared)
    EventFactory(title="Elsewhere", start="2030-05-11 10:00")

    assert similar(page_of(client, concert)) == [("Whole day", "Sat 11 May 2030")]


def test_dates_of_the_same_series_are_not_similar_events(client):
    jazz = CategoryFactory(name="Jazz")
    series = SeriesFactory(start="2030-05-06 18:00", end="2030-05-06 20:00", categories=[jazz])

    page = page_of(client, series.events.order_by("start").first())

    assert page.all("ul", **{"class": "event-links"}) == []


def test_events_before_and_after_are_linked(client):
    EventFactory(title="Before", start="2030-05-09 10:00")
    first, second = (EventFactory(title=title, start="2030-05-10 10:00") for title in ("First", "Second"))
    EventFactory(title="Draft", start="2030-05-10 11:00", status="draft")
    EventFactory(title="After", start="2030-05-12 10:00")

    assert neighbors(page_of(client, first)) == [("prev", "/event/before/"), ("next", "/event/second/")]
    assert neighbors(page_of(client, second)) == [("prev", "/event/first/"), ("next", "/event/after/")]


# --- For programs ------------------------------------------------------------------------------


def test_page_has_the_classes_of_h_event(client):
    fair = EventFactory(
        title="Fair", start="2030-05-04 18:00", end="2030-05-04 20:00", description="<p>By the river.</p>"
    )

    main = page_of(client, fair).one("main", **{"class": "h-event"})

    assert main.one("h1", **{"class": "p-name"}).text == "Fair"
    assert main.one("data", **{"class": "dt-start"})["value"] == "2030-05-04T18:00:00+00:00"
    assert main.one("data", **{"class": "dt-end"})["value"] == "2030-05-04T20:00:00+00:00"
    assert main.one("div", **{"class": "e-content"}).text == "By the river."


@pytest.mark.parametrize(("mode", "minutes"), [("online", ["120"]), ("mixed", ["120"]), ("in_person", [])])
def test_online_events_name_the_offset_for_clocks_of_visitors(client, mode, minutes):
    fair = EventFactory(
        title="Fair",
        start="2030-05-04 18:00",
        end="2030-05-04 20:00",
        time_zone="Europe/Zurich",
        attendance_mode=mode,
        online_url="https://example.org/",
    )

    notes = [note for note in page_of(client, fair).all("span") if "data-local-start" in note.attributes]

    assert [note["data-offset-minutes"] for note in notes] == minutes
    assert [note["data-local-start"] for note in notes] == ["2030-05-04T18:00:00+02:00"] * len(minutes)
