"""Reading one event: dates in its zone, links in their order, and structured data."""

from datetime import UTC, datetime

import pytest

from calendar_site.api.shapes import single_or_list
from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, VenueFactory
from tests.support.api_client import API, invalid_params, json_of
from tests.support.api_writes import created_record, event_data, updated_record

pytestmark = pytest.mark.django_db


def read_event(client, event, query=""):
    return json_of(client.get(f"{API}/events/{event.pk}{query}"))


# --- Dates


@pytest.mark.parametrize(
    ("zone", "start", "utc", "moment", "abbreviation"),
    [
        ("UTC", "2027-03-10 10:00:00", "2027-03-10 10:00:00", "2027-03-10T10:00:00+00:00", "UTC"),
        ("Europe/Rome", "2027-03-10 10:00:00", "2027-03-10 09:00:00", "2027-03-10T10:00:00+01:00", "CET"),
        ("Europe/Rome", "2027-07-10 10:00:00", "2027-07-10 08:00:00", "2027-07-10T10:00:00+02:00", "CEST"),
        ("America/New_York", "2027-12-31 22:00:00", "2028-01-01 03:00:00", "2027-12-31T22:00:00-05:00", "EST"),
        ("Asia/Kathmandu", "2027-03-10 05:00:00", "2027-03-09 23:15:00", "2027-03-10T05:00:00+05:45", "+0545"),
        ("Pacific/Kiritimati", "2027-01-01 00:30:00", "2026-12-31 10:30:00", "2027-01-01T00:30:00+14:00", "+14"),
        ("UTC+2", "2027-07-10 10:00:00", "2027-07-10 08:00:00", "2027-07-10T10:00:00+02:00", "UTC+2"),
        ("UTC-5.5", "2027-07-10 10:00:00", "2027-07-10 15:30:00", "2027-07-10T10:00:00-05:30", "UTC-5.5"),
        (
            "America/Argentina/Buenos_Aires",
            "2027-07-10 10:00",
            "2027-07-10 13:00:00",
            "2027-07-10T10:00:00-03:00",
            "-03",
        ),
    ],
)
def test_dates_are_on_the_clock_of_the_event(client, zone, start, utc, moment, abbreviation):
    record = read_event(client, EventFactory(start=start, time_zone=zone))

    wall = f"{start}:00"[:19]
    assert {name: record[name] for name in ("start_date", "utc_start_date", "start", "timezone", "timezone_abbr")} == {
        "start_date": wall,
        "utc_start_date": utc,
        "start": moment,
        "timezone": zone,
        "timezone_abbr": abbreviation,
    }
    assert (record["end_date"], record["utc_end_date"], record["end"]) == (wall, utc, moment)
    assert record["json_ld"]["startDate"] == record["json_ld"]["endDate"] == moment


def test_event_over_a_change_of_time_has_two_offsets(client):
    record = read_event(client, EventFactory(start="2027-10-30 20:00", end="2027-10-31 20:00", time_zone="Europe/Rome"))

    assert (record["start"], record["end"]) == ("2027-10-30T20:00:00+02:00", "2027-10-31T20:00:00+01:00")
    assert (record["utc_start_date"], record["utc_end_date"]) == ("2027-10-30 18:00:00", "2027-10-31 19:00:00")
    # The abbreviation is the one at the start.
    assert record["timezone_abbr"] == "CEST"


def test_details_are_texts_with_their_zeros(client):
    record = read_event(client, EventFactory(start="2027-01-02 03:04:05", end="2027-11-12 13:14:15", time_zone="UTC+1"))

    def parts(*texts):
        return dict(zip(("year", "month", "day", "hour", "minutes", "seconds"), texts, strict=True))

    assert record["start_date_details"] == parts("2027", "01", "02", "03", "04", "05")
    assert record["end_date_details"] == parts("2027", "11", "12", "13", "14", "15")
    assert record["utc_start_date_details"] == parts("2027", "01", "02", "02", "04", "05")
    assert record["utc_end_date_details"] == parts("2027", "11", "12", "12", "14", "15")


def test_whole_days_end_with_their_last_second(client):
    record = read_event(
        client, EventFactory(start="2027-03-27 15:00", end="2027-03-28 09:00", all_day=True, time_zone="Europe/Rome")
    )

    assert (record["all_day"], record["start_date"], record["end_date"]) == (
        True,
        "2027-03-27 00:00:00",
        "2027-03-28 23:59:59",
    )
    # The 28th has 23 hours there.
    assert (record["utc_start_date"], record["utc_end_date"]) == ("2027-03-26 23:00:00", "2027-03-28 21:59:59")


def test_event_without_a_zone_is_in_that_of_the_site(client, settings):
    settings.SITE_TIME_ZONE = "Australia/Adelaide"

    record = read_event(client, EventFactory(start="2027-03-10 10:00"))

    assert (record["timezone"], record["timezone_abbr"]) == ("Australia/Adelaide", "ACDT")
    assert (record["start_date"], record["utc_start_date"]) == ("2027-03-10 10:00:00", "2027-03-09 23:30:00")


def test_event_keeps_its_zone_when_the_site_moves(client, settings):
    event = EventFactory(start="2027-03-10 10:00")
    settings.SITE_TIME_ZONE = "Asia/Tokyo"

    record = read_event(client, event)

    assert (record["timezone"], record["start_date"]) == ("UTC", "2027-03-10 10:00:00")


def test_publication_is_on_the_clock_of_the_site(client, settings, time_machine):
    time_machine.move_to("2027-07-10T12:00:00Z", tick=False)
    settings.SITE_TIME_ZONE = "America/New_York"
    event = EventFactory(published_at=datetime(2027, 1, 10, 3, tzinfo=UTC), time_zone="Asia/Tokyo")

    record = read_event(client, event)

    assert {name: record[name] for name in ("date", "date_utc", "modified", "modified_utc")} == {
        "date": "2027-01-09 22:00:00",
        "date_utc": "2027-01-10 03:00:00",
        "modified": "2027-07-10 08:00:00",
        "modified_utc": "2027-07-10 12:00:00",
    }


# --- Texts


def test_title_is_plain_text_as_it_was_written(client):
    """No entities, no curled quotes (D1)."""
    title = "Tom & Jerry's \"Best\" – 5 < 6 … 'n' more"

    record = read_event(client, EventFactory(title=title))

    assert record["title"] == record["json_ld"]["name"] == title


def test_description_is_safe(client):
    record = read_event(
        client, EventFactory(description="<p onclick='x()'>Hi<script>x()</script></p>", excerpt="Two\n\nlines")
    )

    assert (record["description"], record["excerpt"]) == ("<p>Hi</p>", "<p>Two</p>\n<p>lines</p>")
    # What there is of the two comes first: the excerpt.
    assert record["json_ld"]["description"] == "Two lines"


def test_website_is_the_page_of_the_event_where_there_is_none(client):
    without, with_one = EventFactory(title="Open air"), EventFactory(website="https://open.example.org/?a=1")

    record = read_event(client, without)
    assert record["website"] == record["url"] == "http://testserver/event/open-air/"
    assert read_event(client, with_one)["website"] == "https://open.example.org/?a=1"


# --- Links


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_venue_is_an_object_for_one_and_a_list_otherwise(client, count):
    venues = VenueFactory.create_batch(count)

    record = read_event(client, EventFactory(venues=venues))

    found = record["venue"] if isinstance(record["venue"], list) else [record["venue"]]
    assert isinstance(record["venue"], dict) is (count == 1)
    assert [venue["id"] for venue in found] == [venue.pk for venue in venues]
    location = record["json_ld"].get("location", [])
    places = [location] if isinstance(location, dict) else location
    assert [place["name"] for place in places] == [venue.title for venue in venues]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_organizer_is_always_a_list(client, count):
    organizers = OrganizerFactory.create_batch(count)

    record = read_event(client, EventFactory(organizers=organizers))

    assert [organizer["id"] for organizer in record["organizer"]] == [organizer.pk for organizer in organizers]


@pytest.mark.parametrize(
    ("field", "name", "factory"), [("venues", "venue", VenueFactory), ("organizers", "organizer", OrganizerFactory)]
)
def test_links_stay_in_the_order_given(client, field, name, factory):
    first, second, third = factory.create_batch(3)

    record = read_event(client, EventFactory(**{field: [third, first, second]}))

    assert [linked["id"] for linked in record[name]] == [third.pk, first.pk, second.pk]


@pytest.mark.parametrize(
    ("field", "name", "factory"), [("venues", "venue", VenueFactory), ("organizers", "organizer", OrganizerFactory)]
)
def test_linked_records_are_whole(client, field, name, factory):
    row = factory(phone="+39 0471", website="https://linked.example.org/")
    event = EventFactory(**{field: [row]})

    alone = client.get(f"{API}/{field}/{row.pk}").json()

    linked = read_event(client, event)[name]
    assert (linked if name == "venue" else linked[0]) == alone


@pytest.mark.parametrize(("field", "factory"), [("categories", CategoryFactory), ("tags", TagFactory)])
def test_terms_are_whole_and_in_the_order_of_their_names(client, field, factory):
    names = ["zither", "Accordion", "Émile", "banjo", "Étude", "drums"]
    rows = {name: factory(name=name) for name in names}
    event = EventFactory(**{field: list(rows.values())})

    record = read_event(client, event)

    expected = ["Accordion", "banjo", "drums", "Émile", "Étude", "zither"]
    assert [term["name"] for term in record[field]] == expected
    # D35.
    parent = {"parent": 0} if field == "tags" else {}
    assert record[field] == [{**client.get(f"{API}/{field}/{rows[name].pk}").json(), **parent} for name in expected]


def test_links_show_as_they_are_now(client, editor_api):
    venue = VenueFactory(title="Before")
    event = EventFactory(venues=[venue])

    editor_api.post(f"{API}/venues/{venue.pk}", {"venue": "After", "city": "Lima"})

    record = read_event(client, event)
    assert (record["venue"]["venue"], record["venue"]["city"]) == ("After", "Lima")


def test_part_names_the_whole(client):
    festival = EventFactory()
    part = EventFactory(parent=festival)

    assert (read_event(client, part)["post_parent"], read_event(client, festival)["post_parent"]) == (festival.pk, 0)


# --- By slug, and other arguments


def test_read_by_slug_is_the_read_by_id(client):
    event = EventFactory(
        title="Été à Łódź",
        venues=[VenueFactory()],
        organizers=[OrganizerFactory()],
        categories=[CategoryFactory()],
        tags=[TagFactory()],
    )

    by_slug = client.get(f"{API}/events/by-slug/ete-a-lodz")

    assert by_slug.status_code == 200
    assert by_slug.json() == read_event(client, event)


def test_zeros_before_an_id_mean_nothing(client):
    event = EventFactory()

    assert client.get(f"{API}/events/000{event.pk}").json()["id"] == event.pk


@pytest.mark.parametrize("path", ["{event.pk}", "by-slug/{event.slug}"])
def test_password_of_an_event_without_one_is_ignored(client, path):
    event = EventFactory()

    response = client.get(f"{API}/events/{path.format(event=event)}?password=anything")

    assert (response.status_code, response.json()["id"]) == (200, event.pk)
    assert "X-Ignored-Fields" not in response


def test_empty_password_is_refused(client):
    event = EventFactory()

    assert set(invalid_params(client.get(f"{API}/events/{event.pk}?password="))) == {"password"}


def test_structured_data_are_for_single_reads_only(client):
    EventFactory(venues=[VenueFactory()], organizers=[OrganizerFactory()])

    (record,) = client.get(f"{API}/events").json()["events"]

    assert "json_ld" not in record
    assert "json_ld" not in record["venue"]
    assert "json_ld" not in record["organizer"][0]
    assert client.get(f"{API}/events?_fields=events.json_ld").json() == {"events": [{}]}


def test_structured_data_name_only_what_there_is(client):
    event = EventFactory(title="Bare", start="2027-03-10 10:00", venues=[VenueFactory(title="Hall")])

    assert read_event(client, event)["json_ld"] == {
        "@context": "https://schema.org",
        "@type": "Event",
        "name": "Bare",
        "url": "http://testserver/event/bare/",
        "eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode",
        "eventStatus": "https://schema.org/EventScheduled",
        "startDate": "2027-03-10T10:00:00+00:00",
        "endDate": "2027-03-10T10:00:00+00:00",
        "location": {"@type": "Place", "name": "Hall", "url": "http://testserver/venue/hall/"},
    }


def test_json_ld_is_also_in_venue_and_organizer(client, db):
    """See D29."""
    event = EventFactory(venues=[VenueFactory(title="Hall")], organizers=[OrganizerFactory(title="Choir")])

    record = read_event(client, event)

    venue = client.get(f"{API}/venues/{record['venue']['id']}").json()
    organizer = client.get(f"{API}/organizers/{record['organizer'][0]['id']}").json()
    assert (record["venue"], record["organizer"]) == (venue, [organizer])
    assert (venue["json_ld"]["@type"], organizer["json_ld"]["@type"]) == ("Place", "Organization")
    assert client.get(f"{API}/events/{event.pk}?_fields=venue.json_ld.name").json() == {
        "venue": {"json_ld": {"name": "Hall"}}
    }


@pytest.mark.parametrize(
    ("cost", "offers"),
    [
        ("10 - 30", [{"price": "10"}, {"price": "30"}]),
        ("CHF 12.50", [{"price": "12.50", "priceCurrency": "CHF"}]),
        ("Free", [{"price": "0"}]),
        ("Donation", None),
        ("", None),
    ],
)
def test_amounts_of_the_cost_are_offers_if_there_are_no_tickets(client, editor_api, cost, offers):
    event = created_record(editor_api.post(f"{API}/events", event_data(cost=cost, website="https://e.example.org/")))

    json_ld = client.get(f"{API}/events/{event['id']}").json()["json_ld"]

    common = {
        "@type": "Offer",
        "url": "https://e.example.org/",
        "category": "primary",
        "availability": "https://schema.org/InStock",
        "validFrom": f"{event['date_utc'].replace(' ', 'T')}+00:00",
    }
    assert json_ld.get("offers") == (offers and single_or_list([{**common, **offer} for offer in offers]))


def test_parent_that_the_reader_may_not_see_is_0(client, editor_api, db):
    """See D32. An editor sees it, and a visitor who sends the event back changes nothing."""
    event = EventFactory(parent=EventFactory(status="draft"))

    assert read_event(client, event)["post_parent"] == 0
    assert editor_api.get(f"{API}/events/{event.pk}").json()["post_parent"] == event.parent_id


def test_parent_that_the_author_may_not_see_is_kept(author_api, author):
    event = EventFactory(author=author, parent=EventFactory(status="draft"))
    path = f"{API}/events/{event.pk}"

    response = author_api.put(path, author_api.get(path).json())

    assert updated_record(response)["post_parent"] == 0
    event.refresh_from_db()
    assert event.parent_id is not None


def test_password_of_a_create_is_ignored(editor_api):
    """See D26: only updates take it."""
    response = editor_api.post(f"{API}/events", event_data(password="secret"))

    created_record(response)
    assert response["X-Ignored-Fields"] == "password"


@pytest.mark.parametrize("cost", ["<b>10</b>", "10<img src=x onerror=alert(1)>", ["<i>10</i>", "20<script>x</script>"]])
def test_markup_in_a_cost_is_removed_before_it_is_parsed(editor_api, cost):
    """See D28."""
    event = created_record(editor_api.post(f"{API}/events", event_data(cost=cost)))

    assert event["cost_details"]["values"] == (["10", "20"] if isinstance(cost, list) else ["10"])
    assert "<" not in event["cost"]
