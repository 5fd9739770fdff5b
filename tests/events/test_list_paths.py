"""Lists of events have the same events and totals in each of the ways in which they are found and counted."""

from datetime import UTC, datetime, timedelta
from itertools import combinations

import pytest
from django.utils.http import urlencode

from events import list_paths, querysets
from events.models import Event
from tests.factories import CategoryFactory, EventFactory, TagFactory, UserFactory, VenueFactory
from tests.support.api_client import api_client_for
from tests.support.tallied_totals import tally_every_list
from venues.models import Venue

EVENTS = "/cal/events/v1/events"
pytestmark = pytest.mark.django_db
ROME, MILAN = {"geo_lat": 41.9028, "geo_lng": 12.4964}, {"geo_lat": 45.4642, "geo_lng": 9.19}
TICKET = {"name": "Regular", "price": 10, "currency": "EUR"}
LATER = datetime.now(UTC) + timedelta(days=90)
AROUND_ROME = {"geoloc_lat": 41.9, "geoloc_lng": 12.5}
AROUND_ITALY = {**AROUND_ROME, "geoloc_radius": 500}


@pytest.fixture(autouse=True, params=["few events", "few venues", "sparse", "dense"])
def way(request, monkeypatch):
    """Find and count lists as those of a small calendar, or as long ones with few or with most of the events."""
    if request.param == "few venues":
        return
    monkeypatch.setattr(list_paths, "FEW_VENUES", -1)
    if request.param == "few events":
        return
    tally_every_list(monkeypatch)
    monkeypatch.setattr(list_paths, "FEW_EVENTS", 1)
    monkeypatch.setattr(querysets, "MANY_ACCESSIBLE", 1)
    monkeypatch.setattr(list_paths.EventFilterSet, "is_dense", lambda *arguments: request.param == "dense")


@pytest.fixture(autouse=True, params=[False, True], ids=["few places", "most places"])
def are_most_venues_found(request, monkeypatch):
    """Find events by the venues within a circle, or by those outside it."""
    monkeypatch.setattr(list_paths.EventFilterSet, "has_most_venues", request.param)


@pytest.fixture
def varied_events():
    """Create events, and return the values that lists filter by with each."""
    rome, ostia = VenueFactory(**ROME, accessibility=["step_free"]), VenueFactory(geo_lat=41.8, geo_lng=12.4)
    milan, nowhere = VenueFactory(**MILAN), VenueFactory(accessibility=["quiet_hour"])
    draft = VenueFactory(**ROME, status="draft", accessibility=["step_free"])
    later, trashed = VenueFactory(**ROME, status="future", published_at=LATER), VenueFactory(**MILAN, status="trash")
    jazz, folk = CategoryFactory(slug="jazz"), CategoryFactory(slug="folk")
    swing = CategoryFactory(slug="swing", parent=jazz)
    loud, late = TagFactory(slug="loud"), TagFactory(slug="late")
    events = [
        {"venues": [rome], "categories": [jazz], "tags": [loud]},
        {"venues": [rome, ostia], "categories": [jazz, folk], "tags": [loud, late], "end": "+40 days 12:00"},
        {"venues": [ostia, milan], "categories": [swing, folk], "event_status": "cancelled"},
        {
            "venues": [milan],
            "categories": [folk],
            "tags": [late],
            "attendance_mode": "mixed",
            "tickets": [TICKET, TICKET],
        },
        {"venues": [nowhere], "categories": [jazz, swing], "event_status": "postponed"},
        {"venues": [nowhere, rome], "attendance_mode": "online", "event_status": "moved_online"},
        {"venues": [draft], "accessibility": ["hearing_loop", "quiet_hour"], "end": "+30 days 12:00"},
        {"venues": [draft, milan], "tags": [late], "accessibility": ["step_free"]},
        {"categories": [swing], "tags": [loud, late], "tickets": [TICKET]},
        {"event_status": "cancelled", "attendance_mode": "online"},
        {"venues": [later], "featured": True},
        {"venues": [trashed, nowhere]},
        # Not in lists of visitors.
        {"venues": [rome], "categories": [jazz], "tags": [loud], "status": "draft", "tickets": [TICKET]},
        {"venues": [rome], "categories": [jazz], "tags": [loud], "password": "sesame", "event_status": "cancelled"},
        {"venues": [rome], "categories": [jazz], "tags": [loud], "hide_from_listings": True},
        {"title": "Past", "venues": [rome], "start": "-9 days 10:00", "end": "-9 days 12:00"},
    ]
    return [_create(number, values) for number, values in enumerate(events)]


def _create(number, values):
    days = {"start": f"+{number // 2 + 1} days 10:00", "end": f"+{number // 2 + 1} days {12 + number % 3}:00"}
    return EventFactory(**{"title": f"Event {(number * 5) % 7}", **days, **values})


def places(event, user):
    return [venue for venue in event.venues.all() if venue.status == "publish" or (user and venue.status != "trash")]


def has_categories(event, *slugs):
    return any({each.slug, each.parent.slug if each.parent else ""} & set(slugs) for each in event.categories.all())


def has_tags(event, *slugs):
    return any(tag.slug in slugs for tag in event.tags.all())


def is_accessible(event, feature, user):
    return feature in event.accessibility or any(feature in venue.accessibility for venue in places(event, user))


# Parameters, and what they ask of an event.
FILTERS = [
    ({"event_status": "cancelled"}, lambda event, user: event.event_status == "cancelled"),
    ({"event_status": "scheduled,cancelled"}, lambda event, user: event.event_status in ("scheduled", "cancelled")),
    ({"event_status": "scheduled"}, lambda event, user: event.event_status == "scheduled"),
    ({"attendance_mode": "in_person"}, lambda event, user: event.attendance_mode == "in_person"),
    ({"attendance_mode": "online,mixed"}, lambda event, user: event.attendance_mode in ("online", "mixed")),
    ({"accessibility": "step_free"}, lambda event, user: is_accessible(event, "step_free", user)),
    ({"accessibility": "quiet_hour"}, lambda event, user: is_accessible(event, "quiet_hour", user)),
    ({"featured": "true"}, lambda event, user: event.featured),
    ({"ticketed": "true"}, lambda event, user: event.tickets.exists()),
    ({"ticketed": "false"}, lambda event, user: not event.tickets.exists()),
    ({"geoloc": "true"}, lambda event, user: any(venue.geo_lat for venue in places(event, user))),
    ({"geoloc": "false"}, lambda event, user: not any(venue.geo_lat for venue in places(event, user))),
    (AROUND_ROME, lambda event, user: any(venue.geo_lat and venue.geo_lat < 42 for venue in places(event, user))),
    (AROUND_ITALY, lambda event, user: any(venue.geo_lat for venue in places(event, user))),
    ({"categories": "jazz"}, lambda event, user: has_categories(event, "jazz")),
    ({"categories": "jazz,folk"}, lambda event, user: has_categories(event, "jazz", "folk")),
    ({"tags": "loud,late"}, lambda event, user: has_tags(event, "loud", "late")),
    ({"tags": "late"}, lambda event, user: has_tags(event, "late")),
]
PAIRS = [
    (first, second)
    for first, second in combinations(FILTERS, 2)
    if not first[0].keys() & second[0].keys() and not ("geoloc" in first[0] and "geoloc_lat" in second[0])
]


def is_listed(event, user, filters):
    # Filters by fields that a password protects leave out the event.
    is_visible = bool(user) or (event.status == "publish" and not (filters and event.password))
    return is_visible and not event.hide_from_listings and event.title != "Past"


def check(client, events, filters, user, **arguments):
    """Check the events and the total of a list, and return the ids."""
    parameters = {name: value for values, _condition in filters for name, value in values.items()}
    expected = {
        event.pk
        for event in events
        if is_listed(event, user, filters) and all(condition(event, user) for _values, condition in filters)
    }
    answer = ask(client, **parameters, **arguments, per_page=50)
    listed = [event["id"] for event in answer["events"]]
    assert (set(listed), answer["total"], len(listed)) == (expected, len(expected), len(expected)), parameters
    return listed


def ask(client, **arguments):
    return client.get(f"{EVENTS}?{urlencode(arguments)}").json()


ORDERS = [
    {},
    {"order": "desc"},
    {"orderby": "end_date"},
    {"orderby": "title"},
    {"orderby": "date"},
    {"orderby": "modified", "order": "asc"},
]


@pytest.mark.parametrize("order", ORDERS)
def test_filters_find_their_events_on_each_page(client, varied_events, order):
    for values, condition in FILTERS:
        listed = check(client, varied_events, [(values, condition)], None, **order)

        second = ask(client, **values, **order, per_page=2, page=2) if len(listed) > 2 else {"events": []}
        assert [event["id"] for event in second["events"]] == listed[2:4], values


def test_filters_find_the_events_that_an_editor_sees(varied_events, editor):
    api = api_client_for(editor)
    for filter_ in FILTERS:
        check(api, varied_events, [filter_], editor)
        check(api, varied_events, [filter_], editor, orderby="title")


def test_filters_find_the_events_that_their_author_sees(varied_events):
    author = UserFactory(role="author")
    Event.objects.update(author=author)
    Venue.objects.update(author=author)
    api = api_client_for(author)
    for filter_ in FILTERS:
        check(api, varied_events, [filter_], author)
        check(api, varied_events, [filter_], author, orderby="title")


def test_combined_filters_find_their_events(client, varied_events):
    for pair in PAIRS:
        check(client, varied_events, pair, None)


def test_lists_by_end_begin_with_the_first_that_ends(client, varied_events):
    whole = check(client, varied_events, [], None, orderby="end_date")
    ends = {event.pk: event.end for event in varied_events}

    assert whole == sorted(whole, key=lambda pk: (ends[pk], pk))
    assert check(client, varied_events, [], None, orderby="end_date", order="desc") == whole[::-1]
    assert check(client, varied_events, [], None, orderby="end_date", ends_after="today") == whole
    started = ask(client, orderby="end_date", order="desc", starts_before="+2 days", start_date="today")
    assert [event["id"] for event in started["events"]] == [
        event.pk for event in sorted(varied_events[:4], key=lambda event: (event.end, event.pk), reverse=True)
    ]
