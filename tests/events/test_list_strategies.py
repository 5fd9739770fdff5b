"""Lists of events have the same events and totals in each of the ways in which they are found and counted."""

from datetime import UTC, datetime, timedelta
from itertools import combinations, product

import pytest
from django.db.models import Q
from django.utils.http import urlencode

from events.filtersets import EventFilterSet
from events.listing import conditions, figures, plan
from events.listing.figures import Figures
from events.models import Event
from tests.factories import (
    CategoryFactory,
    EventFactory,
    OrganizerFactory,
    SeriesFactory,
    TagFactory,
    UserFactory,
    VenueFactory,
)
from tests.support.api_client import api_client_for
from tests.support.tallied_totals import tally_every_list
from venues.models import Venue

EVENTS = "/cal/events/v1/events"
NOW = datetime(2030, 5, 1, 12, tzinfo=UTC)
pytestmark = [pytest.mark.django_db, pytest.mark.time_machine(NOW, tick=False)]
ROME, MILAN = {"geo_lat": 41.9028, "geo_lng": 12.4964}, {"geo_lat": 45.4642, "geo_lng": 9.19}
TICKET = {"name": "Regular", "price": 10, "currency": "EUR"}
FREE_TICKET = {"name": "Seat", "price": 0, "currency": "EUR"}
LATER = NOW + timedelta(days=90)
AROUND_ROME = {"geoloc_lat": 41.9, "geoloc_lng": 12.5}
AROUND_ITALY = {**AROUND_ROME, "geoloc_radius": 500}
STRATEGIES = list(product(["few events", "few venues", "sparse", "dense"], [False, True]))


def use_strategy(monkeypatch, length, are_most_venues_found):
    """Find and count lists as those of a small calendar, or as long ones with few or with most of the events.

    Events in a circle are found by its venues, or by those outside it.
    """
    monkeypatch.setattr(Figures, "has_most_venues", are_most_venues_found)
    if length == "few venues":
        return
    monkeypatch.setattr(plan, "MAX_VENUES_READ_AT_ONCE", -1)
    if length == "few events":
        return
    tally_every_list(monkeypatch)
    monkeypatch.setattr(figures, "MIN_MANY_EVENTS", 1)
    monkeypatch.setattr(conditions, "MIN_CHECKED_ACCESSIBLE", 1)
    monkeypatch.setattr(plan, "reads_less_in_order", lambda *arguments: length == "dense")


@pytest.fixture(params=range(len(STRATEGIES)), ids=[f"{length}, most venues: {most}" for length, most in STRATEGIES])
def strategy(request, monkeypatch):
    """Use one of the ways, and return its number."""
    use_strategy(monkeypatch, *STRATEGIES[request.param])
    return request.param


@pytest.fixture
def varied_events():
    """Create events, and return them with the values that lists filter by."""
    rome, ostia = (
        VenueFactory(**ROME, accessibility=["step_free"], slug="rome"),
        VenueFactory(geo_lat=41.8, geo_lng=12.4, slug="ostia"),
    )
    milan, nowhere = VenueFactory(**MILAN, slug="milan"), VenueFactory(accessibility=["quiet_hour"], slug="nowhere")
    draft = VenueFactory(**ROME, status="draft", accessibility=["step_free"])
    later, trashed = VenueFactory(**ROME, status="future", published_at=LATER), VenueFactory(**MILAN, status="trash")
    club, band = OrganizerFactory(slug="club"), OrganizerFactory(slug="band")
    jazz, folk = CategoryFactory(slug="jazz"), CategoryFactory(slug="folk")
    swing = CategoryFactory(slug="swing", parent=jazz)
    loud, late = TagFactory(slug="loud"), TagFactory(slug="late")
    series = SeriesFactory(title="Course", start="+2 days 18:00", end="+2 days 19:00", venues=[rome], slug="course")
    events = [
        {"venues": [rome], "categories": [jazz], "tags": [loud], "organizers": [club], "sold_out": True},
        {"venues": [rome, ostia], "categories": [jazz, folk], "tags": [loud, late], "end": "+40 days 12:00"},
        {"venues": [ostia, milan], "categories": [swing, folk], "event_status": "cancelled", "organizers": [band]},
        {
            "venues": [milan],
            "categories": [folk],
            "tags": [late],
            "attendance_mode": "mixed",
            "tickets": [TICKET, TICKET],
            "organizers": [club, band],
            "sold_out": True,
        },
        {"venues": [nowhere], "categories": [jazz, swing], "event_status": "postponed", "tickets": [FREE_TICKET]},
        {"venues": [nowhere, rome], "attendance_mode": "online", "event_status": "moved_online", "cost": "Free"},
        {"venues": [draft], "accessibility": ["hearing_loop", "quiet_hour"], "end": "+30 days 12:00"},
        {"venues": [draft, milan], "tags": [late], "cost": "free", "tickets": [TICKET], "organizers": [club, band]},
        {"categories": [swing], "tags": [loud, late], "tickets": [TICKET, FREE_TICKET], "sold_out": True},
        {"event_status": "cancelled", "attendance_mode": "online", "cost": "$10", "tickets": [FREE_TICKET]},
        {"venues": [later], "featured": True, "organizers": [club]},
        {"venues": [trashed, nowhere]},
        # Not in lists of visitors.
        {"venues": [rome], "categories": [jazz], "tags": [loud], "status": "draft", "tickets": [TICKET]},
        {
            "venues": [rome],
            "categories": [jazz],
            "tags": [loud],
            "password": "sesame",
            "event_status": "cancelled",
            "sold_out": True,
        },
        {"venues": [rome], "categories": [jazz], "tags": [loud], "hide_from_listings": True},
        {"title": "Past", "venues": [rome], "start": "-9 days 10:00", "end": "-9 days 12:00"},
    ]
    created = [_create(number, values) for number, values in enumerate(events)]
    for child in (created[3], created[7], created[13]):
        child.parent = created[0]
        child.save()
    Event.objects.filter(pk__in=[event.pk for event in created[::3]]).update(modified_at=NOW - timedelta(days=2))
    everything = Event.objects.prefetch_related("venues", "categories__parent", "tags", "tickets", "organizers")
    return list(everything.filter(Q(pk__in=[event.pk for event in created]) | Q(series=series)))


def _create(number, values):
    days = {"start": f"+{number // 2 + 1} days 10:00", "end": f"+{number // 2 + 1} days {12 + number % 3}:00"}
    return EventFactory(**{"title": f"Event {(number * 5) % 7}", "slug": f"event-{number}", **days, **values})


# --- What the parameters ask of an event, in Python


def places(event, user):
    return [venue for venue in event.venues.all() if venue.status == "publish" or (user and venue.status != "trash")]


def has_categories(event, *slugs):
    return any({each.slug, each.parent.slug if each.parent else ""} & set(slugs) for each in event.categories.all())


def has_tags(event, *slugs):
    return any(tag.slug in slugs for tag in event.tags.all())


def is_at(event, *slugs):
    return any(venue.slug in slugs for venue in event.venues.all())


def is_by(event, *slugs):
    return any(organizer.slug in slugs for organizer in event.organizers.all())


def is_accessible(event, feature, user):
    return feature in event.accessibility or any(feature in venue.accessibility for venue in places(event, user))


def is_free(event):
    prices = [ticket.price for ticket in event.tickets.all()]
    return event.cost in ("Free", "free") or (not event.cost and bool(prices) and not any(prices))


def day(number):
    return NOW + timedelta(days=number)


def everything(event, user):
    return True


# For each parameter, values and what they ask of an event.
FILTERS_BY_PARAMETER = {
    "event_status": [
        ({"event_status": "cancelled"}, lambda event, user: event.event_status == "cancelled"),
        ({"event_status": "scheduled,cancelled"}, lambda event, user: event.event_status in ("scheduled", "cancelled")),
        ({"event_status": "scheduled"}, lambda event, user: event.event_status == "scheduled"),
    ],
    "attendance_mode": [
        ({"attendance_mode": "in_person"}, lambda event, user: event.attendance_mode == "in_person"),
        ({"attendance_mode": "online,mixed"}, lambda event, user: event.attendance_mode in ("online", "mixed")),
    ],
    "accessibility": [
        ({"accessibility": "step_free"}, lambda event, user: is_accessible(event, "step_free", user)),
        ({"accessibility": "quiet_hour"}, lambda event, user: is_accessible(event, "quiet_hour", user)),
    ],
    "featured": [({"featured": "true"}, lambda event, user: event.featured)],
    "sold_out": [
        ({"sold_out": "true"}, lambda event, user: event.sold_out),
        ({"sold_out": "false"}, lambda event, user: not event.sold_out),
    ],
    "free": [
        ({"free": "true"}, lambda event, user: is_free(event)),
        ({"free": "false"}, lambda event, user: not is_free(event)),
    ],
    "ticketed": [
        ({"ticketed": "true"}, lambda event, user: bool(event.tickets.all())),
        ({"ticketed": "false"}, lambda event, user: not event.tickets.all()),
    ],
    "geoloc": [
        ({"geoloc": "true"}, lambda event, user: any(venue.geo_lat for venue in places(event, user))),
        ({"geoloc": "false"}, lambda event, user: not any(venue.geo_lat for venue in places(event, user))),
    ],
    "geoloc_lat": [
        (AROUND_ROME, lambda event, user: any(venue.geo_lat and venue.geo_lat < 42 for venue in places(event, user))),
        (AROUND_ITALY, lambda event, user: any(venue.geo_lat for venue in places(event, user))),
    ],
    "categories": [
        ({"categories": "jazz"}, lambda event, user: has_categories(event, "jazz")),
        ({"categories": "jazz,folk"}, lambda event, user: has_categories(event, "jazz", "folk")),
    ],
    "tags": [
        ({"tags": "loud,late"}, lambda event, user: has_tags(event, "loud", "late")),
        ({"tags": "late"}, lambda event, user: has_tags(event, "late")),
    ],
    "venue": [
        ({"venue": "rome"}, lambda event, user: is_at(event, "rome")),
        ({"venue": "rome,milan,ostia"}, lambda event, user: is_at(event, "rome", "milan", "ostia")),
    ],
    "organizer": [
        ({"organizer": "club"}, lambda event, user: is_by(event, "club")),
        ({"organizer": "club,band"}, lambda event, user: is_by(event, "club", "band")),
    ],
    "search": [({"search": "event 3"}, lambda event, user: event.title == "Event 3")],
    "post_parent": [
        ({"post_parent": "{event-0}"}, lambda event, user: event.parent is not None and event.parent.slug == "event-0"),
    ],
    "series": [({"series": "{series}"}, lambda event, user: event.series_id is not None)],
    "status": [({"status": "publish"}, lambda event, user: event.status == "publish")],
    "starts_before": [({"starts_before": "2030-05-05"}, lambda event, user: event.start < day(4.5))],
    "starts_after": [({"starts_after": "2030-05-04"}, lambda event, user: event.start > day(3.5))],
    "ends_before": [({"ends_before": "2030-05-05"}, lambda event, user: event.end < day(4.5))],
    "ends_after": [({"ends_after": "2030-05-05"}, lambda event, user: event.end > day(4.5))],
    "start_date": [({"start_date": "2030-05-04"}, lambda event, user: event.start >= day(2.5))],
    "end_date": [({"end_date": "2030-05-20"}, lambda event, user: event.end < day(19.5))],
    "modified_after": [({"modified_after": "2030-04-30"}, lambda event, user: event.modified_at > day(-1.5))],
    "modified_before": [({"modified_before": "2030-04-30"}, lambda event, user: event.modified_at < day(-1.5))],
    "strict_dates": [({"strict_dates": "true"}, everything)],
    "timezone": [({"timezone": "UTC"}, everything)],
    "order": [({"order": "desc"}, everything)],
    "orderby": [({"orderby": "title"}, everything), ({"orderby": "modified", "order": "asc"}, everything)],
}
FILTERS = [each for filters in FILTERS_BY_PARAMETER.values() for each in filters]
# Tested with others: they choose the page, or belong to another parameter. `include` is tested on its own, because it
# ignores dates and places.
OTHER_PARAMETERS = {"page", "per_page", "geoloc_lng", "geoloc_radius", "include"}
# Their links can stand for the events of a list.
LEADING = ("venue", "organizer", "tags", "categories", "ticketed", "geoloc", "geoloc_lat")
TIMES = {"start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after"}


def can_combine(first, second):
    """Return whether each of the parameters asks the same as alone."""
    names = first.keys() | second.keys()
    has_exact_dates = "strict_dates" in names and TIMES & names
    return not first.keys() & second.keys() and not {"geoloc", "geoloc_lat"} <= names and not has_exact_dates


PAIRS = [pair for pair in combinations(FILTERS, 2) if can_combine(pair[0][0], pair[1][0])]
LEADING_PAIRS = [
    (lead, other)
    for name in LEADING
    for lead in FILTERS_BY_PARAMETER[name]
    for other in FILTERS
    if can_combine(lead[0], other[0])
]
# The parameters about what a password hides.
HIDDEN = {
    "event_status", "attendance_mode", "accessibility", "featured", "sold_out", "free", "ticketed", "geoloc",
    "geoloc_lat",
    "categories", "tags", "venue", "organizer", "series",
}  # fmt: skip


def is_listed(event, user, parameters):
    is_visible = bool(user) or (event.status == "publish" and not (event.password and HIDDEN & parameters.keys()))
    # Without one of these parameters, a list begins with the events of yesterday.
    is_past = event.title == "Past" and not TIMES & parameters.keys() - {"start_date", "end_date"}
    return is_visible and not event.hide_from_listings and not is_past


def check(client, events, filters, user, **arguments):
    """Check the events and the total of a list, and return the ids."""
    ids = {f"{{{event.slug}}}": event.pk for event in events}
    ids["{series}"] = next(event.series_id for event in events if event.series_id)
    sent = {name: value for values, _condition in filters for name, value in values.items()} | arguments
    sent = {name: ids.get(value, value) for name, value in sent.items()}
    expected = {
        event.pk
        for event in events
        if is_listed(event, user, sent) and all(condition(event, user) for _values, condition in filters)
    }
    answer = ask(client, **sent, per_page=50)
    listed = [event["id"] for event in answer["events"]]
    assert (set(listed), answer["total"], len(listed)) == (expected, len(expected), len(expected)), sent
    return listed


def ask(client, **arguments):
    return client.get(f"{EVENTS}?{urlencode(arguments)}").json()


# --- Tests


def test_every_parameter_is_in_the_table():
    assert FILTERS_BY_PARAMETER.keys() | OTHER_PARAMETERS == EventFilterSet.base_filters.keys()
    assert all(name in values for name, filters in FILTERS_BY_PARAMETER.items() for values, _condition in filters)


ORDERS = [
    {},
    {"order": "desc"},
    {"orderby": "end_date"},
    {"orderby": "title"},
    {"orderby": "date"},
    {"orderby": "modified", "order": "asc"},
]


def test_filters_find_their_events_on_each_page(client, varied_events, strategy):
    for turn, order in enumerate(ORDERS):
        # Each filter in some of the ways, others for each order.
        for values, condition in FILTERS[(strategy + turn) % 4 :: 4]:
            if values.keys() & {"order", "orderby"}:
                continue
            listed = check(client, varied_events, [(values, condition)], None, **order)

            sent = {name: value for name, value in values.items() if "{" not in str(value)}
            second = ask(client, **sent, **order, per_page=2, page=2) if sent and len(listed) > 2 else {"events": []}
            assert [event["id"] for event in second["events"]] == (listed[2:4] if sent else []), values


def clients(name):
    """The client of a reader, and the user whose rights the conditions suppose, None for visitors."""
    if name == "visitor":
        return api_client_for(None), None
    user = UserFactory(role=name)
    if name == "author":
        Event.objects.update(author=user)
        Venue.objects.update(author=user)
    return api_client_for(user), user


@pytest.mark.parametrize("reader", ["visitor", "editor", "author"])
def test_every_parameter_works_with_each_that_can_lead(varied_events, strategy, reader):
    api, user = clients(reader)
    # Each pair in one of the ways, another one for each reader.
    turn = (strategy + ["visitor", "editor", "author"].index(reader)) % len(STRATEGIES)
    for pair in LEADING_PAIRS[turn :: len(STRATEGIES)]:
        check(api, varied_events, pair, user)


@pytest.mark.parametrize("reader", ["editor", "author"])
def test_filters_find_the_events_that_users_see(varied_events, strategy, reader):
    api, user = clients(reader)
    for filter_ in FILTERS[strategy % 2 :: 2]:
        check(api, varied_events, [filter_], user)
        if not filter_[0].keys() & {"order", "orderby"}:
            check(api, varied_events, [filter_], user, orderby="title")


def test_combined_filters_find_their_events(client, varied_events, strategy):
    for pair in PAIRS[strategy :: len(STRATEGIES)]:
        check(client, varied_events, pair, None)


def test_included_events_are_found_regardless_of_dates_and_places(client, varied_events, strategy):
    ids = sorted(event.pk for event in varied_events if event.status == "publish")
    shown = {event.pk for event in varied_events if not event.hide_from_listings and event.status == "publish"}
    jazz = {event.pk for event in varied_events if has_categories(event, "jazz") and not event.password} & shown

    for more, expected in [({}, shown), (AROUND_ROME, None), ({"starts_after": "2031-01-01"}, shown)]:
        answer = ask(client, include=",".join(map(str, ids)), per_page=50, **more)
        found = {event["id"] for event in answer["events"]}
        hidden = {event.pk for event in varied_events if event.password}
        assert found == (shown - hidden if expected is None else expected)
    answer = ask(client, include=",".join(map(str, ids)), categories="jazz", per_page=50)
    assert {event["id"] for event in answer["events"]} == jazz


def test_lists_by_end_begin_with_the_first_that_ends(client, varied_events, strategy):
    whole = check(client, varied_events, [], None, orderby="end_date")
    ends = {event.pk: event.end for event in varied_events}

    assert whole == sorted(whole, key=lambda pk: (ends[pk], pk))
    assert check(client, varied_events, [], None, orderby="end_date", order="desc") == whole[::-1]
    after_today = ({"ends_after": "2030-05-01"}, lambda event, user: event.end > day(0.5))
    assert check(client, varied_events, [after_today], None, orderby="end_date") == whole
    started = ask(client, orderby="end_date", order="desc", starts_before="+2 days", start_date="today")
    first = [event for event in varied_events if event.pk in whole and event.start < day(2.5)]
    assert [event["id"] for event in started["events"]] == [
        event.pk for event in sorted(first, key=lambda event: (event.end, event.pk), reverse=True)
    ]
