"""Places: coordinates of venues, and events near a point."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from events.index_models import IndexedVenueCount
from events.listing import plan
from events.listing.figures import Figures
from tests.factories import EventFactory, VenueFactory
from tests.support.api_client import API, listed_ids

pytestmark = pytest.mark.django_db

EVENTS = f"{API}/events"
ROME = (41.9028, 12.4964)
MILAN = (45.4642, 9.1900)  # 477 km from Rome


@pytest.fixture(autouse=True, params=["few", "many", "most"])
def amount(request, monkeypatch):
    """Find events by the venues within a circle, check the venues of each event, or leave out those of other venues."""
    if request.param != "most":
        monkeypatch.setattr(Figures, "has_most_venues", False)
    if request.param == "many":
        monkeypatch.setattr(plan, "MAX_VENUES_READ_AT_ONCE", -1)
    return request.param


def at(lat, lng, **fields):
    return EventFactory(venues=[VenueFactory(geo_lat=lat, geo_lng=lng)], **fields)


def around(client, lat, lng, radius=None, **query):
    value = {"geoloc_lat": lat, "geoloc_lng": lng, **query}
    return listed_ids(client.get(EVENTS, value | ({} if radius is None else {"geoloc_radius": radius})), "events")


def test_geoloc_asks_for_coordinates(client):
    placed, nowhere, without = at(*ROME), EventFactory(venues=[VenueFactory()]), EventFactory()

    assert listed_ids(client.get(EVENTS, {"geoloc": "true"}), "events") == [placed.pk]
    assert listed_ids(client.get(EVENTS, {"geoloc": "false"}), "events") == [nowhere.pk, without.pk]


@pytest.mark.parametrize(("radius", "found"), [(476, False), (478, True), (None, False), (20038, True)])
def test_events_within_the_radius(client, radius, found):
    event = at(*MILAN)

    assert around(client, *ROME, radius) == ([event.pk] if found else [])
    assert around(client, *ROME, radius, geoloc="true") == ([event.pk] if found else [])


def test_radius_is_25_kilometres_unless_said_otherwise(client):
    # A degree of latitude is 111.195 km.
    near, _far = at(25 / 111.2, 0), at(25.1 / 111.19, 0)

    assert around(client, 0, 0) == [near.pk]


@pytest.mark.parametrize("centre", [ROME, (0, 0), (90, 0), (-90, 45), (33.3, -179.9)])
def test_radius_around_the_whole_earth_leaves_out_what_has_no_place_alone(client, centre):
    lat, lng = centre
    events = [at(*centre), at(-lat, lng - 180 if lng > 0 else lng + 180), at(0, 90)]
    EventFactory(venues=[VenueFactory()]), EventFactory()

    assert sorted(around(client, *centre, 20038)) == [event.pk for event in events]


def test_radius_of_zero_is_the_very_place(client):
    here, _beside = at(10, 20), at(10, 20.001)

    assert around(client, 10, 20, 0) == [here.pk]


@pytest.mark.parametrize(
    ("centre", "place"),
    [
        ((0, 179.99), (0, -179.99)),
        ((0, -179.99), (0, 179.99)),
        ((60, 180), (60, -180)),
        ((89.99, 0), (89.99, 180)),
        ((-89.99, -90), (-89.99, 90)),
        ((90, 0), (89.99, 77)),
        ((-90, 123), (-90, 0)),
        ((89.9, 10), (89.8, -170)),
    ],
)
def test_circles_reach_over_the_date_line_and_the_poles(client, centre, place):
    event = at(*place)
    at(*[-coordinate if coordinate else 45 for coordinate in place[:1]], place[1] / 2)

    assert around(client, *centre, 40) == [event.pk]


def test_nearest_comes_first_among_equal_starts(client):
    far = at(0, 0.2, start="2 weeks 18:00")
    near = at(0, 0.1, start="2 weeks 18:00")
    earlier = at(0, 0.15, start="1 week 18:00")

    assert around(client, 0, 0) == [earlier.pk, near.pk, far.pk]


def test_nearest_of_several_venues_counts_and_the_event_is_there_once(client):
    both = EventFactory(venues=[VenueFactory(geo_lat=0, geo_lng=0.2), VenueFactory(geo_lat=0, geo_lng=0.01)])
    one = at(0, 0.1)

    response = client.get(EVENTS, {"geoloc_lat": 0, "geoloc_lng": 0})

    assert listed_ids(response, "events") == [both.pk, one.pk]
    assert response.json()["total"] == 2


def test_venue_that_is_not_public_places_nothing(client, editor_api):
    event = EventFactory(venues=[VenueFactory(geo_lat=0, geo_lng=0, status="draft")])

    assert around(client, 0, 0) == []
    assert listed_ids(client.get(EVENTS, {"geoloc": "true"}), "events") == []
    assert around(editor_api, 0, 0) == [event.pk]


@pytest.mark.parametrize(
    ("venues", "counts_elsewhere"),
    [
        ([], False),
        ([ROME], True),
        ([ROME, MILAN], False),
        ([ROME, ROME, MILAN], True),
        # In the bounding box, which has all longitudes north of 43 degrees.
        ([(70, 30), (70, 30), ROME], False),
    ],
)
def test_events_elsewhere_are_counted_if_most_venues_are_in_the_circle(client, amount, venues, counts_elsewhere):
    placed = [at(*place) for place in venues]
    centre, radius = ((70, -150), 3000) if (70, 30) in venues else (ROME, 100)

    with CaptureQueriesContext(connection) as queries:
        found = around(client, *centre, radius)

    assert found == [event.pk for event, place in zip(placed, venues, strict=True) if place == centre]
    if amount == "most":
        assert any("indexedvenuecount" in query["sql"] for query in queries) == counts_elsewhere


def test_total_follows_the_venues_of_an_event(client):
    at(*ROME), at(*ROME)
    event = EventFactory()
    rome, milan = VenueFactory(geo_lat=ROME[0], geo_lng=ROME[1]), VenueFactory(geo_lat=MILAN[0], geo_lng=MILAN[1])
    totals = []

    for venues in ([], [milan], [milan, rome], [rome], [rome, milan], [milan], []):
        event.venues.set(venues)
        response = client.get(EVENTS, {"geoloc_lat": ROME[0], "geoloc_lng": ROME[1]})
        totals.append(response.json()["total"])
        assert len(listed_ids(response, "events")) == totals[-1]

    assert totals == [2, 2, 3, 3, 3, 2, 2]


def test_stale_row_of_an_event_prevents_no_write():
    other = EventFactory(start="+3 weeks 10:00")
    # As after TRUNCATE on PostgreSQL, when the numbers of events begin anew.
    IndexedVenueCount.objects.update(event_id=other.pk + 1)

    event = EventFactory(pk=other.pk + 1, start="+2 weeks 10:00")

    assert list(IndexedVenueCount.objects.values_list("event_id", "start")) == [(event.pk, event.start)]


def test_event_whose_venue_has_just_moved_away_is_left_out(client, monkeypatch):
    here, moved = at(*ROME), at(*MILAN)
    # As if the venue moved after the query for venues.
    ids = [venue.pk for event in (here, moved) for venue in event.venues.all()]
    monkeypatch.setattr(Figures, "venue_ids", ids)
    monkeypatch.setattr(Figures, "other_venue_ids", [])

    assert around(client, *ROME) == [here.pk]


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ({"geoloc": "maybe"}, "geoloc"),
        ({"geoloc_lat": "1"}, "geoloc_lat"),
        ({"geoloc_lng": "1"}, "geoloc_lng"),
        ({"geoloc_lat": "91", "geoloc_lng": "1"}, "geoloc_lat"),
        ({"geoloc_lat": "1", "geoloc_lng": "-180.1"}, "geoloc_lng"),
        ({"geoloc_lat": "nan", "geoloc_lng": "1"}, "geoloc_lat"),
        ({"geoloc_lat": "", "geoloc_lng": "1"}, "geoloc_lat"),
        ({"geoloc_lat": "1", "geoloc_lng": "1", "geoloc_radius": "-1"}, "geoloc_radius"),
        ({"geoloc_lat": "1", "geoloc_lng": "1", "geoloc_radius": "1e9"}, "geoloc_radius"),
        ({"geoloc_lat": "1", "geoloc_lng": "1", "geoloc_radius": "inf"}, "geoloc_radius"),
        ({"geoloc": "false", "geoloc_lat": "1", "geoloc_lng": "1"}, "geoloc"),
    ],
)
def test_bad_place_is_refused(client, query, named):
    response = client.get(EVENTS, query)

    assert response.status_code == 400
    assert list(response.json()["data"]["params"]) == [named]


def test_links_of_a_list_repeat_the_place(client):
    for _number in range(3):
        at(0, 0)

    body = client.get(EVENTS, {"geoloc_lat": "0", "geoloc_lng": "0.0", "per_page": 1}).json()

    assert "geoloc_lat=0&geoloc_lng=0.0" in body["next_rest_url"]


@pytest.mark.parametrize("count", [1, 3])
def test_list_around_a_place_query_count(client, amount, django_assert_num_queries, count):
    for _number in range(count):
        at(0, 0)

    # With many venues, another one counts the events in the window. With most, three more count the venues, the events
    # in the window, and those elsewhere.
    with django_assert_num_queries({"few": 6, "many": 7, "most": 9}[amount]):
        assert len(around(client, 0, 0)) == count


# --- The coordinates of a venue ------------------------------------------------------------------


def test_venue_has_coordinates(author_api, client):
    venue = author_api.post(f"{API}/venues", {"venue": "Hall", "geo_lat": "41.9028", "geo_lng": 12.4964}).json()

    assert (venue["geo_lat"], venue["geo_lng"]) == ROME
    geo = client.get(f"{API}/venues/{venue['id']}").json()["json_ld"]["geo"]
    assert geo == {"@type": "GeoCoordinates", "latitude": 41.9028, "longitude": 12.4964}


def test_coordinates_stay_unless_they_are_named_and_can_be_cleared(editor_api):
    venue = VenueFactory(geo_lat=1, geo_lng=2)
    address = f"{API}/venues/{venue.pk}"

    assert editor_api.patch(address, {"city": "Rome"}).json()["geo_lat"] == 1
    assert editor_api.patch(address, {"geo_lat": None, "geo_lng": ""}).json()["geo_lat"] is None


@pytest.mark.parametrize(
    "value",
    [
        {"geo_lat": 91, "geo_lng": 0},
        {"geo_lat": "north", "geo_lng": 0},
        {"geo_lat": True, "geo_lng": 0},
        {"geo_lat": 1},
        {"geo_lng": 1},
    ],
)
def test_bad_coordinates_are_refused_and_nothing_is_saved(editor_api, value):
    response = editor_api.post(f"{API}/venues", {"venue": "Hall", **value})

    assert response.status_code == 400, response.content
    assert editor_api.get(f"{API}/venues").json()["total"] == 0


def test_one_coordinate_alone_cannot_be_cleared(editor_api):
    venue = VenueFactory(geo_lat=1, geo_lng=2)

    assert editor_api.patch(f"{API}/venues/{venue.pk}", {"geo_lat": ""}).status_code == 400
    venue.refresh_from_db()
    assert venue.geo_lat == 1


def test_distance_to_the_nearest_venue_in_kilometers(client):
    two = EventFactory(
        venues=[VenueFactory(geo_lat=MILAN[0], geo_lng=MILAN[1]), VenueFactory(geo_lat=41.9, geo_lng=12.5)]
    )
    at(*MILAN)
    at(*ROME)
    query = {"geoloc_lat": ROME[0], "geoloc_lng": ROME[1], "geoloc_radius": 500}

    events = client.get(EVENTS, query).json()["events"]

    assert [event["distance"] for event in events] == [0.0, 0.431, 476.885]
    assert events[1]["id"] == two.pk
    fields = client.get(EVENTS, query | {"_fields": "events.distance"}).json()
    assert fields == {"events": [{"distance": event["distance"]} for event in events]}
    assert "distance" not in client.get(EVENTS).json()["events"][0]


def test_distance_of_a_venue_that_the_reader_may_not_see_is_not_told(client):
    hidden = VenueFactory(geo_lat=ROME[0], geo_lng=ROME[1], status="draft")
    event = EventFactory(venues=[hidden, VenueFactory(geo_lat=MILAN[0], geo_lng=MILAN[1])])

    (record,) = client.get(EVENTS, {"geoloc_lat": ROME[0], "geoloc_lng": ROME[1], "geoloc_radius": 500}).json()[
        "events"
    ]

    assert (record["id"], round(record["distance"])) == (event.pk, 477)


def test_record_with_its_distance_can_be_sent_back(client, editor_api):
    event = at(*ROME)
    (record,) = client.get(EVENTS, {"geoloc_lat": ROME[0], "geoloc_lng": ROME[1]}).json()["events"]

    response = editor_api.put(f"{EVENTS}/{event.pk}", record)

    assert response.status_code == 200
    assert "X-Ignored-Fields" not in response
