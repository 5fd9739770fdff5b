"""The structured data of event pages: what search engines read of each kind of event."""

import json
from datetime import UTC, datetime

import pytest

from tests.factories import EventFactory, OrganizerFactory, TicketFactory, VenueFactory
from tests.support.html_page import parse_page
from tests.support.image_files import plain_image

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine("2030-05-04 12:00Z", tick=False)]

SITE = "http://testserver"


def structured_data(client, slug="fair"):
    (script,) = parse_page(client.get(f"/event/{slug}/")).all("script", type="application/ld+json")
    return json.loads(script.text)


def create_fair(**values):
    dates = {"start": "2030-07-08 10:00", "end": "2030-07-08 18:00", "time_zone": "Europe/Rome"}
    return EventFactory(**{"title": "Fair", **dates, **values})


@pytest.mark.parametrize(
    ("start", "end", "all_day", "expected"),
    [
        ("2030-07-08 22:00", "2030-07-09 00:00", False, ("2030-07-08T22:00:00+02:00", "2030-07-09T00:00:00+02:00")),
        ("2030-07-08 22:00", "2030-07-09 02:00", False, ("2030-07-08T22:00:00+02:00", "2030-07-09T02:00:00+02:00")),
        ("2030-07-08 23:45", "2030-07-08 23:45", False, ("2030-07-08T23:45:00+02:00", None)),
        ("2030-07-08 00:00", "2030-07-08 01:00", False, ("2030-07-08T00:00:00+02:00", "2030-07-08T01:00:00+02:00")),
        ("2030-07-08", "2030-07-08", True, ("2030-07-08", "2030-07-08")),
        ("2030-07-08", "2030-07-10", True, ("2030-07-08", "2030-07-10")),
        # The offset is that of the date, and may change within the event.
        ("2030-12-08 10:00", "2030-12-08 18:00", False, ("2030-12-08T10:00:00+01:00", "2030-12-08T18:00:00+01:00")),
        ("2030-10-26 10:00", "2030-10-27 18:00", False, ("2030-10-26T10:00:00+02:00", "2030-10-27T18:00:00+01:00")),
    ],
)
def test_dates(client, start, end, all_day, expected):
    create_fair(start=start, end=end, all_day=all_day)

    data = structured_data(client)

    assert (data["startDate"], data.get("endDate")) == expected


def test_whole_event(client, keep):
    hall = VenueFactory(title="Hall", address="1 Main St", city="Rome", zip="00184", country="Italy")
    choir = OrganizerFactory(title="Choir", website="https://choir.example.org")
    image = keep(plain_image(size=(800, 600)))
    create_fair(
        description="<p>With <em>music</em>.</p>",
        venues=[hall],
        organizers=[choir],
        image=image,
        cost="CHF 10",
        website="https://fair.example.org",
    )

    data = structured_data(client)

    assert (data["@context"], data["@type"], data["name"], data["url"]) == (
        "https://schema.org", "Event", "Fair", f"{SITE}/event/fair/",
    )  # fmt: skip
    assert data["description"] == "With music."
    assert data["eventStatus"] == "https://schema.org/EventScheduled"
    assert data["eventAttendanceMode"] == "https://schema.org/OfflineEventAttendanceMode"
    assert data["image"][0].startswith(f"{SITE}/media/images/")
    place = data["location"]
    assert (place["@type"], place["name"]) == ("Place", "Hall")
    assert place["address"]["@type"] == "PostalAddress"
    assert (place["address"]["streetAddress"], place["address"]["addressLocality"]) == ("1 Main St", "Rome")
    assert (place["address"]["postalCode"], place["address"]["addressCountry"]) == ("00184", "Italy")
    assert data["organizer"]["name"] == "Choir"
    assert data["organizer"]["url"] == f"{SITE}/organizer/choir/"
    offer = data["offers"]
    assert (offer["@type"], offer["price"], offer["priceCurrency"]) == ("Offer", "10", "CHF")
    assert offer["availability"] == "https://schema.org/InStock"
    assert offer["url"] == "https://fair.example.org"


@pytest.mark.parametrize(
    ("values", "status"),
    [
        ({"event_status": "cancelled"}, "EventCancelled"),
        ({"event_status": "postponed"}, "EventPostponed"),
        ({"event_status": "rescheduled", "previous_start": datetime(2030, 6, 1, 8, tzinfo=UTC)}, "EventRescheduled"),
        ({"event_status": "moved_online", "attendance_mode": "online"}, "EventMovedOnline"),
    ],
)
def test_status(client, values, status):
    create_fair(**values)

    assert structured_data(client)["eventStatus"] == f"https://schema.org/{status}"


@pytest.mark.parametrize(
    ("mode", "expected", "types"),
    [
        ("in_person", "OfflineEventAttendanceMode", ["Place"]),
        ("online", "OnlineEventAttendanceMode", ["VirtualLocation"]),
        ("mixed", "MixedEventAttendanceMode", ["Place", "VirtualLocation"]),
    ],
)
def test_attendance(client, mode, expected, types):
    create_fair(attendance_mode=mode, venues=[VenueFactory(title="Hall")], online_url="https://live.example.org")

    data = structured_data(client)

    assert data["eventAttendanceMode"] == f"https://schema.org/{expected}"
    locations = data["location"] if isinstance(data["location"], list) else [data["location"]]
    assert [location["@type"] for location in locations] == types
    assert [location["url"] for location in locations if location["@type"] == "VirtualLocation"] == [
        "https://live.example.org" for kind in types if kind == "VirtualLocation"
    ]


def test_tickets_are_offers(client):
    fair = create_fair()
    TicketFactory(event=fair, name="Adult", price="12.50", currency="EUR", position=1)
    TicketFactory(event=fair, name="Child", price="0", currency="EUR", sold_out=True, position=2)

    offers = structured_data(client)["offers"]

    assert [(offer["price"], offer["priceCurrency"], offer["availability"]) for offer in offers] == [
        ("12.50", "EUR", "https://schema.org/InStock"),
        ("0.00", "EUR", "https://schema.org/SoldOut"),
    ]


def test_hidden_venues_and_missing_values_are_left_out(client):
    create_fair(venues=[VenueFactory(title="Secret hall", status="draft")])

    data = structured_data(client)

    assert data.keys().isdisjoint({"location", "organizer", "offers", "image"})
    assert "Secret" not in json.dumps(data)


def test_only_pages_of_one_event_have_structured_data(client):
    create_fair(venues=[VenueFactory(title="Hall")], password="x")

    for path in ("/", "/events/2030-07/", "/events/2030-07-08/", "/venue/hall/", "/event/fair/"):
        assert parse_page(client.get(path)).all("script", type="application/ld+json") == []


@pytest.mark.parametrize(
    ("start", "end", "all_day", "expected"),
    [
        ("2030-07-08 22:00", "2030-07-09 00:00", False, [":20300708T220000", ":20300709T000000"]),
        ("2030-07-08 22:00", "2030-07-09 02:00", False, [":20300708T220000", ":20300709T020000"]),
        ("2030-07-08 23:45", "2030-07-08 23:45", False, [":20300708T234500"]),
        ("2030-07-08 00:00", "2030-07-08 01:00", False, [":20300708T000000", ":20300708T010000"]),
        ("2030-07-08", "2030-07-08", True, [":20300708", ":20300709"]),
    ],
)
def test_calendar_files_have_the_same_days(client, start, end, all_day, expected):
    create_fair(start=start, end=end, all_day=all_day)

    lines = client.get("/event/fair.ics").content.decode().splitlines()

    event = lines[lines.index("BEGIN:VEVENT") :]
    found = [line for line in event if line.startswith(("DTSTART", "DTEND"))]
    assert [f":{line.rpartition(':')[2]}" for line in sorted(found, reverse=True)] == expected
