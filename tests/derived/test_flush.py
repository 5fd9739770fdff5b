"""Derived data after `flush`, which empties tables in any order."""

import pytest
from django.core.management.color import no_style
from django.db import connection

from events.listing.tables import tallies
from tests.factories import CategoryFactory, EventFactory, TagFactory


@pytest.mark.skipif(connection.vendor != "sqlite", reason="TRUNCATE of PostgreSQL runs no triggers for rows.")
def test_tallies_that_are_emptied_first_stay_empty(db):
    EventFactory(categories=[CategoryFactory()], tags=[TagFactory()])
    EventFactory(featured=True)
    names = [tally.name for tally in (tallies.EVENTS, *tallies.TERMS.values())]
    links = ["events_event_categories", "events_event_tags", "events_indexedcategory", "events_indexedtag"]

    with connection.cursor() as cursor:
        for statement in connection.ops.sql_flush(no_style(), [*names, *links, "events_event"]):
            cursor.execute(statement)

    assert [data.count_differences() for data in (tallies.event_tally, tallies.term_tallies)] == [0, 0]
