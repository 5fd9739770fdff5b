"""Derived data after writes at the same time."""

from __future__ import annotations

from copy import copy
from functools import partial

import pytest
from django.db import OperationalError, connection, transaction

from calendar_site.core.database.write_lock import write_lock
from calendar_site.derived.registry import registered
from events.index_models import EventTally
from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, VenueFactory
from tests.support.api_client import API, api_client_for
from tests.support.concurrency import call_at_once

WRITERS = 6


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time.")
@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_derived_data_is_right_after_parallel_writes_of_the_same_links(editor):
    venues = [VenueFactory().pk for _ in range(3)]
    organizers = [OrganizerFactory().pk for _ in range(3)]
    parent = CategoryFactory()
    categories = [CategoryFactory(parent=parent).pk for _ in range(3)]

    api = api_client_for(editor)

    def create(number):
        client = copy(api)
        # In another order for every other writer.
        order = slice(None, None, 1 if number % 2 else -1)
        for title in range(5):
            fields = {
                "title": f"Event {number} {title}",
                "start_date": "2031-05-01 10:00:00",
                "end_date": "2031-05-01 12:00:00",
                "status": "publish",
                "venue": [{"id": pk} for pk in venues[order]],
                "organizer": [{"id": pk} for pk in organizers[order]],
                "featured": number % 3 == 0,
                "categories": [*categories[order], "Music"],
                "tags": ["jazz", "swing"][order],
            }
            assert client.post(f"{API}/events", fields).status_code == 201

    call_at_once(*(partial(create, number) for number in range(WRITERS)))

    assert sum(EventTally.objects.values_list("count", flat=True)) == WRITERS * 5
    assert {data.name: data.count_differences() for data in registered()} == {data.name: 0 for data in registered()}


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time.")
@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_new_events_of_one_venue_and_organizer_do_not_wait_for_each_other(editor):
    links = {"venue": {"id": VenueFactory().pk}, "organizer": {"id": OrganizerFactory().pk}}
    api = api_client_for(editor)

    def create(title, day):
        dates = {"start_date": f"2031-05-{day} 10:00:00", "end_date": f"2031-05-{day} 12:00:00"}
        return copy(api).post(f"{API}/events", {"title": title, "status": "publish", **dates, **links}).status_code

    # The last of all, so that the others do not change until when the venue has events.
    assert create("Evening concert", "20") == 201

    with write_lock(parallel=True):
        assert create("Concert evening", "10") == 201
        assert call_at_once(partial(create, "Concert in the evening", "12")) == [201]

    assert {data.name: data.count_differences() for data in registered()} == {data.name: 0 for data in registered()}


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time.")
@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_status_of_a_venue_does_not_change_while_its_activity_begins():
    """Otherwise the activity would keep the old one: the change finds no row, which is not committed yet."""
    venue = VenueFactory(status="draft")
    other = connection.copy()
    try:
        with transaction.atomic():
            EventFactory(venues=[venue])
            with other.cursor() as cursor:
                cursor.execute("SET lock_timeout = 100")
                with pytest.raises(OperationalError, match="lock timeout"):
                    cursor.execute("UPDATE venues_venue SET status = 'publish' WHERE id = %s", [venue.pk])
    finally:
        other.close()
