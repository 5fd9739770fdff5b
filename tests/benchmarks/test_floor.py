"""The floor of the benchmark returns the same bytes as the service, so that the two are comparable."""

import base64
from datetime import UTC, datetime

import pytest

from benchmarks.floor import event_list
from calendar_site.accounts.services import create_application_password
from events.services import save_event
from tests.factories import (
    OPERATOR,
    CategoryFactory,
    EventFactory,
    OrganizerFactory,
    TagFactory,
    VenueFactory,
)
from tests.support.api_client import API, api_client_for, link_header

pytestmark = pytest.mark.urls("benchmarks.urls")

PATHS = [
    "events",
    "events?per_page=1&page=2",
    "events?start_date=2030-05-01&end_date=2030-05-31",
    "events?search=open",
    "events?venue={venue}",
    "events?categories=music",
    "events?ends_after=2030-05-01&starts_before=2030-05-31",
    "events?tags=outdoor",
    "events?geoloc_lat=52.5&geoloc_lng=13.4&geoloc_radius=30",
    "events?search=umbrella&per_page=2",
    "events?search=nowhere",
    "venues",
    "venues?only_with_upcoming=true",
    "organizers",
    "organizers?only_with_upcoming=true&per_page=1",
    "categories",
    "tags",
    "events/{event}",
    "events/by-slug/open-air",
]


@pytest.fixture
def benchmark_ids(db):
    """The ids of an event with everything that the benchmark's events have, and of its first venue."""
    parent = CategoryFactory(name="Music", slug="music")
    places = [
        VenueFactory(geo_lat=52.5, geo_lng=13.4, city="Łódź", accessibility=["hearing_loop"]),
        VenueFactory(website="https://example.org"),
    ]
    event = EventFactory(
        title="Open air",
        start="2030-05-04 18:00",
        end="2030-05-04 21:00",
        time_zone="America/New_York",
        cost="20 - 35 €",
        description="<p>Bring an umbrella.</p>",
        event_status="rescheduled",
        event_status_reason="Storm",
        previous_start=datetime(2030, 5, 3, 22, tzinfo=UTC),
        sold_out=True,
        attendance_mode="mixed",
        online_url="https://meet.example.org/open-air",
        hide_online_url=True,
        accessibility=["step_free", "quiet_hour"],
        venues=places,
        organizers=[OrganizerFactory(email="box@example.org")],
        categories=[CategoryFactory(parent=parent)],
        tags=[TagFactory(name="Outdoor", slug="outdoor"), TagFactory()],
    )
    save_event(event, changes={"tickets": [{"name": "Regular", "price": "12.50", "currency": "EUR"}]}, user=OPERATOR)
    EventFactory(title="Exhibition", start="2030-03-01", end="2030-06-01", all_day=True, time_zone="UTC+2")
    EventFactory.create_batch(2, venues=places[:1])
    EventFactory(title="Past", start="2020-05-05 10:00", end="2020-05-05 11:00", venues=[VenueFactory()])
    EventFactory(title="Far away", tags=[TagFactory()], venues=[VenueFactory(geo_lat=-33.9, geo_lng=18.4)])
    EventFactory(title="Open draft", status="draft", start="2030-05-05 10:00", end="2030-05-05 11:00")
    return {"event": event.pk, "venue": places[0].pk}


@pytest.mark.parametrize("path", PATHS)
def test_floor_returns_the_bytes_of_the_service(client, benchmark_ids, path):
    path = path.format(**benchmark_ids)

    service, floor = client.get(f"{API}/{path}"), client.get(f"/floor{API}/{path}")

    assert service.status_code == 200
    assert floor.content == service.content
    for name in ("X-TEC-Total", "X-TEC-TotalPages"):
        assert floor.get(name) == service.get(name)
    # The link to the index of the API, which costs nothing, is in responses of the service only.
    assert link_header(floor) == {name: url for name, url in link_header(service).items() if name in ("next", "prev")}


@pytest.mark.parametrize("path", PATHS)
def test_floor_returns_the_bytes_of_the_service_to_an_editor(client, editor, benchmark_ids, path):
    path = path.format(**benchmark_ids)
    _password, secret = create_application_password(editor, "benchmark")
    headers = {"Authorization": f"Basic {base64.b64encode(f'editor:{secret}'.encode()).decode()}"}

    service = api_client_for(editor).get(f"{API}/{path}")

    assert client.get(f"/floor{API}/{path}", headers=headers).content == service.content


@pytest.mark.parametrize("path", ["events", "events?start_date=2030-01-01&end_date=2030-12-31"])
def test_floor_counts_by_the_tally_as_the_service_counts(client, benchmark_ids, monkeypatch, path):
    # Fewer events are counted one by one.
    monkeypatch.setattr(event_list, "MIN_TALLIED", 1)
    EventFactory(start="2030-12-31 20:00", end="2030-12-31 23:00")
    EventFactory(start="2029-12-31 20:00", end="2030-01-01 03:00")

    service, floor = client.get(f"{API}/{path}"), client.get(f"/floor{API}/{path}")

    assert floor.json()["total"] == service.json()["total"]
