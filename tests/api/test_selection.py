"""`_fields`: responses with only the selected keys."""

import pytest

from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, VenueFactory
from tests.support.api_client import API


@pytest.fixture
def event_in_lima(db):
    """An event with two organizers, a venue in Lima, a category and a tag."""
    return EventFactory(
        title="Open air",
        venues=[VenueFactory(title="Park", city="Lima")],
        organizers=[OrganizerFactory(title="A"), OrganizerFactory(title="B")],
        categories=[CategoryFactory(name="Music")],
        tags=[TagFactory(name="Free")],
    )


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("_fields=title", {"title": "Open air"}),
        ("_fields=title,slug", {"title": "Open air", "slug": "open-air"}),
        ("_fields=%20title%20,%20slug%20", {"title": "Open air", "slug": "open-air"}),
        ("_fields[]=title&_fields[]=slug", {"title": "Open air", "slug": "open-air"}),
        ("_fields=title&_fields=slug", {"title": "Open air", "slug": "open-air"}),
        ("_fields[]=title,slug", {"title": "Open air", "slug": "open-air"}),
        ("_fields=title,,slug,", {"title": "Open air", "slug": "open-air"}),
        ("_fields=title,title.part", {"title": "Open air"}),
        ("_fields=venue.city", {"venue": {"city": "Lima"}}),
        ("_fields=venue.city,venue.venue", {"venue": {"city": "Lima", "venue": "Park"}}),
        ("_fields=organizer.organizer", {"organizer": [{"organizer": "A"}, {"organizer": "B"}]}),
        ("_fields=categories.name,tags.name", {"categories": [{"name": "Music"}], "tags": [{"name": "Free"}]}),
        ("_fields=cost_details.values", {"cost_details": {"values": []}}),
        ("_fields=venue.nothing", {"venue": {}}),
        ("_fields=nothing", {}),
        ("_fields=nothing,title", {"title": "Open air"}),
        ("_fields=.", {}),
        ("_fields=title.", {"title": "Open air"}),
        ("_fields=Title", {}),
    ],
)
def test_record_is_cut(client, event_in_lima, query, expected):
    assert client.get(f"{API}/events/{event_in_lima.pk}?{query}").json() == expected
    assert client.get(f"{API}/events/by-slug/open-air?{query}").json() == expected


def test_whole_value_wins_over_a_path_into_it(client, event_in_lima):
    whole = client.get(f"{API}/events/{event_in_lima.pk}").json()["venue"]

    for query in ("venue,venue.city", "venue.city,venue"):
        assert client.get(f"{API}/events/{event_in_lima.pk}?_fields={query}").json() == {"venue": whole}


@pytest.mark.parametrize("query", ["_fields=", "_fields=%20", "_fields=,", "_fields[a]=title"])
def test_empty_selection_is_everything(client, event_in_lima, query):
    assert (
        client.get(f"{API}/events/{event_in_lima.pk}?{query}").json()
        == client.get(f"{API}/events/{event_in_lima.pk}").json()
    )


def test_structured_data_are_whole_though_nothing_else_is_asked_for(client, event_in_lima):
    whole = client.get(f"{API}/events/{event_in_lima.pk}").json()["json_ld"]

    assert whole["location"]["name"] == "Park"
    assert client.get(f"{API}/events/{event_in_lima.pk}?_fields=json_ld").json() == {"json_ld": whole}
    assert client.get(f"{API}/events/{event_in_lima.pk}?_fields=json_ld.location.name").json() == {
        "json_ld": {"location": {"name": "Park"}}
    }


def test_list_is_cut_in_the_envelope_and_in_its_records(client, event_in_lima):
    assert client.get(f"{API}/events?_fields=total,events.title,events.venue.city").json() == {
        "total": 1,
        "events": [{"title": "Open air", "venue": {"city": "Lima"}}],
    }
    assert client.get(f"{API}/events?_fields=title").json() == {}
    assert client.get(f"{API}/events?_fields=events").json() == {"events": client.get(f"{API}/events").json()["events"]}


def test_headers_of_a_cut_list_stay(client, event_in_lima):
    response = client.get(f"{API}/events?_fields=nothing")

    assert (response["X-TEC-Total"], response["X-TEC-TotalPages"], response.json()) == ("1", "1", {})


@pytest.mark.parametrize("name", ["venues", "organizers", "categories", "tags"])
def test_lists_of_other_records_are_cut_alike(client, event_in_lima, name):
    key = {"venues": "venue", "organizers": "organizer"}.get(name, "name")
    whole = client.get(f"{API}/{name}").json()

    response = client.get(f"{API}/{name}?_fields=total,{name}.{key}")

    assert response.json() == {"total": whole["total"], name: [{key: record[key]} for record in whole[name]]}


def test_errors_are_never_cut(client, db):
    body = client.get(f"{API}/events/1?_fields=title").json()

    assert body == client.get(f"{API}/events/1").json()
    assert body["code"] == "rest-event-not-found"


def test_description_of_an_address_and_the_index_are_cut(client, db):
    assert client.options(f"{API}/events?_fields=methods").json() == {"methods": ["GET", "POST"]}
    assert client.get(f"{API}?_fields=namespace").json() == {"namespace": "cal/events/v1"}
    assert client.get(f"{API}/doc?_fields=openapi").json() == {"openapi": "3.1.0"}


@pytest.mark.parametrize(
    ("fields", "queries"),
    [
        ("events.title", 3),  # count, ids of the page, renderings
        ("events.venue.city", 5),  # and the version of linked records, and the venues without a copy
        ("events.organizer", 5),
        ("events.categories.name", 5),
        ("events.categories,events.tags", 6),
        ("events.tickets", 3),
        ("events.image", 3),
        ("events", 8),
        ("total", 1),
    ],
)
def test_what_is_cut_away_is_not_loaded(client, event_in_lima, django_assert_num_queries, fields, queries):
    with django_assert_num_queries(queries):
        client.get(f"{API}/events?_fields={fields}")


def test_single_record_is_loaded_completely_for_its_etag(client, event_in_lima, django_assert_num_queries):
    with django_assert_num_queries(7):
        whole = client.get(f"{API}/events/{event_in_lima.pk}")
    with django_assert_num_queries(7):
        title = client.get(f"{API}/events/{event_in_lima.pk}?_fields=title")

    assert title.json() == {"title": event_in_lima.title}
    assert title["ETag"] == whole["ETag"]
