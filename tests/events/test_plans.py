"""Query plans of the list of events: indexes cover the window, and no query reads the whole table."""

import re
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from calendar_site.core.clock import Moments, next_moment_columns
from calendar_site.core.compiled_queries.querysets import first_values
from events.listing import plan as list_plan
from tests.factories import CategoryFactory, EventFactory, TagFactory, VenueFactory
from tests.support.api_client import API

# A step of a plan that reads all events, or sorts what it has read (SQLite, PostgreSQL).
WHOLE = re.compile(r"SCAN (events_event|U\d)\b(?! USING COVERING INDEX event_protected)|Seq Scan on events_event ")
SORTED = re.compile(r"TEMP B-TREE FOR ORDER BY|Sort Key: events_event\.start_local")


@pytest.fixture
def linked(db):
    """An event with the terms that the lists ask for."""
    if connection.vendor == "postgresql":
        # Rows that earlier tests rolled back stay in the files of the table, and change what a plan seems to cost.
        with connection.cursor() as cursor:
            cursor.execute("TRUNCATE events_event CASCADE")
    # Lists without events need no statement for the page.
    EventFactory(start="2030-05-10 18:00", end="2030-05-10 20:00")
    return EventFactory(categories=[CategoryFactory(slug="music")], tags=[TagFactory(slug="loud")])


def plans_of(client, path, table="events_event"):
    """The plan of each statement that the answer took and that reads the table first."""
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path).status_code == 200
    first_tables = [(re.search(r'FROM "(\w+)"', query["sql"]), query["sql"]) for query in queries]
    return explain([statement for first, statement in first_tables if first and re.fullmatch(table, first[1])])


def explain(statements):
    """The plan of each statement."""
    command = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Small tables are read whole even where an index would serve.
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute("SET LOCAL enable_bitmapscan = off")
        plans = []
        for statement in statements:
            cursor.execute(f"{command} {statement.replace('%', '%%')}")
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
        "?search=ev",
        "?featured=false",
        "?search=ev&categories=music",
        "?ticketed=false",
    ],
)
def test_event_list_reads_its_window_in_order(client, linked, query):
    plans = plans_of(client, f"{API}/events{query}")

    windows = [plan for plan in plans if "event_window" in plan]
    assert len(windows) == 2  # the count and the page
    assert [plan for plan in plans if WHOLE.search(plan) or SORTED.search(plan)] == []


@pytest.mark.parametrize(
    "query",
    ["categories=music&orderby=title", "tags=loud&orderby=title&order=desc", "tags=loud&orderby=modified&order=asc"],
)
def test_other_orders_of_linked_events_read_the_links(client, linked, query):
    """Not all events of the window, or of the order."""
    page = plans_of(client, f"{API}/events?{query}")[0]

    assert re.search(r"indexed(category|tag)_window", page)
    assert not re.search(r"event_(window|title|modified)", page)


@pytest.mark.parametrize(
    ("order", "index"),
    [
        ("", "event_window"),
        ("&orderby=distance", "indexedvenue_window"),
        ("&orderby=date", "indexedvenue_window"),
        ("&orderby=modified&order=asc", "indexedvenue_window"),
    ],
)
def test_many_events_of_near_venues_are_read_in_order_or_from_the_links(client, linked, order, index, monkeypatch):
    monkeypatch.setattr(list_plan, "reads_less_in_order", lambda *_arguments: True)
    linked.venues.set([VenueFactory(geo_lat=52.5, geo_lng=13.4)])
    VenueFactory.create_batch(2, geo_lat=-33.9, geo_lng=151.2)

    query = f"geoloc_lat=52.5&geoloc_lng=13.4&geoloc_radius=10{order}"
    # The page begins with the column of the distance.
    page = plans_of(client, f"{API}/events?{query}", "events_eventvenue")[0]

    # The rows come from the first one. With so few rows, PostgreSQL may look for the link of each event in all links.
    assert re.findall(r"indexedvenue_window|event_(?:window|title|modified)", page)[0] == index


def test_search_reads_the_rows_that_its_index_finds(client, linked):
    plans = plans_of(client, f"{API}/events?search=event")

    assert len(plans) == 3  # the index, the count and the page
    assert [plan for plan in plans[1:] if WHOLE.search(plan)] == []


@pytest.mark.parametrize("query", ["?categories=music", "?tags=loud", "?categories=music&tags=loud"])
def test_list_of_a_term_reads_its_links_in_order_and_no_events(client, linked, query):
    plans = plans_of(client, f"{API}/events{query}", table=r"events_indexed\w+")

    assert len(plans) == 2  # the count and the page
    for plan in plans:
        assert re.search(r"indexed(category|tag)_window", plan)
        assert not re.search(r"events_event\b|TEMP B-TREE|Sort", plan)


def test_due_events_are_found_by_their_own_index(client, linked):
    # What the passing of time has published, read with the version of linked records.
    (plan,) = plans_of(client, f"{API}/events/{linked.pk}", table="events_linkedrecordsversion")

    assert "event_due" in plan
    assert not WHOLE.search(plan)


@pytest.mark.parametrize(
    ("moments", "indexes"),
    [(Moments.PUBLICATION, ["event_due", "event_publication"]), (Moments.EVENT_END, ["event_end"])],
)
def test_next_moments_are_found_by_indexes(linked, moments, indexes):
    with CaptureQueriesContext(connection) as queries:
        first_values(next_moment_columns(moments, datetime(2030, 5, 1, tzinfo=UTC)))

    (plan,) = explain([query["sql"] for query in queries])
    assert [index for index in indexes if index not in plan] == []
    assert not WHOLE.search(plan)


def test_long_events_are_found_by_their_own_index(client, linked):
    plans = plans_of(client, f"{API}/events?ends_after=2030-05-01")

    assert "event_long_" in plans[0]


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL decides it by what its last VACUUM has seen.")
@pytest.mark.parametrize("query", ["", "?ticketed=false", "?ends_after=2020-05-01"])
def test_totals_are_counted_without_reading_events(client, linked, query):
    plans = plans_of(client, f"{API}/events{query}")

    assert "USING COVERING INDEX event_window" in next(plan for plan in plans if "event_window" in plan)
