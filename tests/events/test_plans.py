"""Query plans of the list of events: indexes cover the window, and no query reads the whole table."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import CategoryFactory, EventFactory, TagFactory
from tests.support.api_client import API

# A step of a plan that reads all events, or sorts what it has read (SQLite, PostgreSQL).
WHOLE = re.compile(r"SCAN (events_event|U\d)\b(?! USING INDEX event_protected)|Seq Scan on events_event ")
SORTED = re.compile(r"TEMP B-TREE FOR ORDER BY|Sort Key: events_event\.start_local")


@pytest.fixture
def linked(db):
    """An event with the terms that the lists ask for."""
    if connection.vendor == "postgresql":
        # Rows that earlier tests rolled back stay in the files of the table, and change what a plan seems to cost.
        with connection.cursor() as cursor:
            cursor.execute("TRUNCATE events_event CASCADE")
    return EventFactory(categories=[CategoryFactory(slug="music")], tags=[TagFactory(slug="loud")])


def plans_of(client, path):
    """The plan of each statement about events that the answer took, links apart."""
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path).status_code == 200
    statements = [query["sql"] for query in queries if re.search(r'FROM "events_event"', query["sql"])]
    explain = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Small tables are read whole even where an index would serve.
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute("SET LOCAL enable_bitmapscan = off")
        plans = []
        for statement in statements:
            cursor.execute(f"{explain} {statement.replace('%', '%%')}")
            plans.append("\n".join(str(row[-1]) for row in cursor.fetchall()))
    return plans


@pytest.mark.parametrize(
    "query",
    [
        "",
        "?page=1&per_page=100",
        "?start_date=2030-05-01&end_date=2030-05-31",
        "?starts_after=2030-05-01",
        "?starts_before=2030-05-01",
        "?ends_before=2030-05-01",
        "?ends_after=2020-05-01&starts_before=2040-05-01",
        "?ends_after=2020-05-01",
        "?search=event",
        "?featured=false",
        "?categories=music",
        "?tags=loud",
        "?ticketed=false",
    ],
)
def test_event_list_reads_its_window_in_order(client, linked, query):
    plans = plans_of(client, f"{API}/events{query}")

    windows = [plan for plan in plans if "event_window" in plan]
    assert len(windows) == 2  # the count and the page
    assert [plan for plan in plans if WHOLE.search(plan) or SORTED.search(plan)] == []


def test_due_events_are_found_by_their_own_index(client, linked):
    plans = plans_of(client, f"{API}/events/{linked.pk}")

    assert len(plans) == 2  # the event, and what the passing of time has published
    assert "event_due" in plans[1]


def test_long_events_are_found_by_their_own_index(client, linked):
    plans = plans_of(client, f"{API}/events?ends_after=2030-05-01")

    assert "event_long_end" in plans[0]


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL decides it by what its last VACUUM has seen.")
@pytest.mark.parametrize("query", ["", "?categories=music", "?tags=loud", "?ticketed=false", "?ends_after=2020-05-01"])
def test_totals_are_counted_without_reading_events(client, linked, query):
    plans = plans_of(client, f"{API}/events{query}")

    assert "USING COVERING INDEX event_window" in next(plan for plan in plans if "event_window" in plan)
