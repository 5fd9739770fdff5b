"""Lists of events in other orders are the same, whether they are found by the window of starts or by their order."""

import pytest
from django.utils.http import urlencode

from events.listing import conditions, plan
from events.models import Event
from tests.factories import CategoryFactory, EventFactory
from tests.support.api_client import api_client_for, listed_ids

EVENTS = "/cal/events/v1/events"
pytestmark = pytest.mark.django_db


def listed(client, **arguments):
    return listed_ids(client.get(f"{EVENTS}?{urlencode(arguments)}"), "events")


@pytest.fixture
def jazz():
    """Return a category of some of a dozen events: past, running for weeks, later, drafts and hidden ones."""
    jazz = CategoryFactory(name="jazz")
    for number, title in enumerate(["Blues", "Adagio", "Coda", "Blues"]):
        EventFactory(title=title, start=f"+{number + 1} days 10:00", end=f"+{9 - number} days 12:00")
        short = {"start": f"+{number + 2} days 10:00", "end": f"+{number + 2} days 12:00"}
        EventFactory(title=title, categories=[jazz] if number % 2 else [], **short)
    EventFactory(title="Past", start="-9 days 10:00", end="-9 days 12:00", categories=[jazz])
    EventFactory(title="Running", start="-20 days 10:00", end="+20 days 12:00")
    EventFactory(title="Far", start="+900 days 10:00", end="+900 days 12:00")
    EventFactory(title="Abendlied", status="draft", categories=[jazz])
    EventFactory(title="Aria", hide_from_listings=True)
    return jazz


WINDOWS = [
    {},
    {"start_date": "2000-01-01", "end_date": "2100-01-01"},
    {"ends_after": "today"},
    {"starts_after": "today", "ends_before": "+5 days"},
    {"starts_before": "+3 days", "strict_dates": "true", "start_date": "-30 days"},
    {"categories": "jazz"},
    {"start_date": "+3 days", "categories": "jazz"},
]
ORDERS = [(key, order) for key in ("title", "modified", "date", "end_date", "start_date") for order in ("asc", "desc")]


@pytest.mark.parametrize("window", WINDOWS)
def test_pages_of_one_event_have_the_order_of_the_whole_list(client, jazz, window, monkeypatch):
    monkeypatch.setattr(plan, "MIN_READ_IN_ORDER", 1)
    for key, order in ORDERS:
        whole = listed(client, **window, orderby=key, order=order, per_page=50)
        pages = [
            listed(client, **window, orderby=key, order=order, per_page=1, page=page)
            for page in range(1, len(whole) + 1)
        ]

        assert whole
        assert [pk for page in pages for pk in page] == whole


def test_every_order_has_the_same_events(client, jazz, editor):
    for each in (client, api_client_for(editor)):
        for window in WINDOWS:
            expected = sorted(listed(each, **window, per_page=50))
            for key, order in ORDERS:
                assert sorted(listed(each, **window, orderby=key, order=order, per_page=50)) == expected


@pytest.mark.parametrize("many", [1, 500])
def test_modified_events_are_found_by_ids_or_in_the_window(client, monkeypatch, many):
    monkeypatch.setattr(conditions, "MIN_CHECKED_MODIFIED", many)
    ids = [EventFactory(start=f"+{number + 1} days 10:00").pk for number in range(4)]
    for pk, day in zip(ids, (2, 1, 4, 3), strict=True):
        Event.objects.filter(pk=pk).update(modified_at=f"2026-01-0{day}T12:00:00Z")

    assert listed(client, modified_after="2026-01-02T12:00:00Z") == [ids[2], ids[3]]
    assert listed(client, modified_before="2026-01-02T12:00:00Z") == [ids[1]]
    assert listed(client, modified_after="2026-01-01T12:00:00Z", modified_before="2026-01-04T12:00:00Z") == [
        ids[0],
        ids[3],
    ]
    assert listed(client, modified_after="2026-01-01T12:00:00Z", end_date="+3 days", orderby="modified") == [
        ids[2],
        ids[0],
    ]
    assert listed(client, modified_after="2027-01-01") == []
