"""Totals of long lists, which come from the tally of days, are those of the events that the pages show."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from calendar_site.core.compiled_queries.query_shapes import BoundSQL
from calendar_site.core.compiled_queries.querysets import count_each
from events.listing import totals
from events.models import Event
from tests.factories import CategoryFactory, EventFactory, TagFactory
from tests.support.api_client import API
from tests.support.tallied_totals import tally_every_list


@pytest.fixture(autouse=True)
def _tallied(monkeypatch):
    """Few events are enough."""
    tally_every_list(monkeypatch)


@pytest.fixture
def calendar(db, author):
    """Events of every kind on days of two months, with long ones at both ends.

    Two of three are in a category or its subcategory, half of these in both, and two of three have a tag.
    """
    for day in range(0, 60, 3):
        start = datetime(2031, 5, 1, 22, 30, tzinfo=UTC) + timedelta(days=day)
        zone = ["UTC", "Asia/Tokyo", "America/Los_Angeles"][day % 3 - 1]
        EventFactory(start=str(start)[:19], end=str(start + timedelta(hours=3))[:19], time_zone=zone)
        EventFactory(
            start=str(start)[:19], featured=day % 2 == 0, hide_from_listings=day % 4 == 0, password="x" * (day % 5 == 0)
        )
        EventFactory(start=str(start)[:19], end=str(start + timedelta(days=20))[:19], featured=day % 6 == 0)
        EventFactory(start=str(start)[:19], status=["draft", "trash", "pending"][day % 3], author=author)
    # They end at the last second of a day, as windows do, and two are long.
    EventFactory(start="2031-06-01 00:00:00", end="2031-06-19 23:59:59", all_day=True)
    EventFactory(start="2031-06-01 00:00:00", end="2031-06-19 23:59:59", all_day=True)
    EventFactory(start="2031-06-19 00:00:00", end="2031-06-19 23:59:59", all_day=True)
    parent, tag = CategoryFactory(slug="fixture-category"), TagFactory(slug="fixture-tag")
    child, other = CategoryFactory(parent=parent), CategoryFactory()
    for event in Event.objects.order_by("pk"):
        event.categories.set([[parent, child], [child, other], [other]][event.pk % 3])
        event.tags.set([tag] if event.pk % 3 else [])
    now = timezone.now()
    future = Event.objects.filter(title__endswith="7").exclude(status="trash")
    future.update(status="future", published_at=now + timedelta(days=5))
    # Became due since, and published too early: no write has marked them.
    Event.objects.filter(title__endswith="8").update(status="future", published_at=now - timedelta(days=5))
    Event.objects.filter(title__endswith="9", status="publish").update(published_at=now + timedelta(days=5))


WINDOWS = [
    "start_date=2031-05-01&end_date=2031-07-30",
    "start_date=2031-05-11&end_date=2031-06-20",
    "start_date=2031-05-11 10:15&end_date=2031-06-20 15:20&strict_dates=true",
    "starts_after=2031-05-09",
    "starts_before=2031-06-19",
    "ends_after=2031-05-09",
    "ends_before=2031-06-19",
    "ends_after=2031-05-13&starts_before=2031-06-25",
    "start_date=2031-05-01&end_date=2031-06-30&featured=true",
    "starts_after=2031-05-09&featured=false",
]


@pytest.mark.parametrize("reader", ["client", "subscriber_api", "author_api", "editor_api"])
@pytest.mark.parametrize("query", WINDOWS)
@pytest.mark.parametrize("record", ["", "&categories=fixture-category", "&tags=fixture-tag"])
def test_totals_are_those_of_all_pages(calendar, request, reader, query, record, monkeypatch):
    api = request.getfixturevalue(reader)
    url = f"{API}/events?{query}{record}&per_page=100"
    listed = api.get(url).json()

    assert 0 < listed["total"] <= 100
    assert listed["total"] == len(listed["events"])

    monkeypatch.setattr(totals, "MIN_TALLIED", 10_000)
    monkeypatch.setattr(totals, "MIN_TALLIED_OF_TERM", 10_000)
    assert api.get(url).json()["total"] == listed["total"]


def test_total_of_an_empty_window_is_zero(client, calendar):
    assert client.get(f"{API}/events?start_date=2035-01-01&end_date=2036-12-31").json()["total"] == 0


@pytest.mark.parametrize("record", ["", "&categories=fixture-category", "&tags=fixture-tag"])
def test_totals_count_few_events_of_the_tally(client, calendar, monkeypatch, record):
    """The events in the middle of a window are not counted one by one."""
    counted = []

    def count(*lists, at_most=None):
        # The sum of the tally is SQL.
        counts = [None if isinstance(rows, BoundSQL) else min(rows.count(), at_most or 1000) for rows in lists]
        counted.extend(count for count in counts if count is not None)
        return [count_each(rows)[0] if count is None else count for rows, count in zip(lists, counts, strict=True)]

    monkeypatch.setattr(totals, "count_each", count)
    monkeypatch.setattr(totals, "count_rows", lambda rows, at_most=None: count(rows, at_most=at_most)[0])

    total = client.get(f"{API}/events?starts_after=2031-05-09{record}").json()["total"]

    assert sum(counted) < total


def test_long_events_are_read_once_for_page_and_total(client, calendar):
    with CaptureQueriesContext(connection) as queries:
        assert client.get(f"{API}/events?ends_after=2031-05-13&starts_before=2031-06-25").status_code == 200

    beginning = 'SELECT "events_event"."id" AS "pk", "events_event"."start_local" AS "start_local"'
    statements = [query["sql"] for query in queries if query["sql"].startswith(beginning)]
    assert len([statement for statement in statements if "is_long" in statement]) == 1


@pytest.mark.parametrize("record", ["", "&categories=fixture-category", "&tags=fixture-tag"])
def test_list_that_was_long_is_not_counted_again(client, calendar, django_assert_num_queries, record):
    url = f"{API}/events?starts_after=2031-05-09{record}"
    with CaptureQueriesContext(connection) as first:
        total = client.get(url).json()["total"]

    with django_assert_num_queries(len(first) - 1):
        assert client.get(url).json()["total"] == total

    # A list that begins a second later is as long.
    exact = f"{API}/events?strict_dates=1&starts_after=2031-05-07T12:00:{{:02}}{record}"
    with CaptureQueriesContext(connection) as first:
        client.get(exact.format(0))
    with django_assert_num_queries(len(first) - 1):
        client.get(exact.format(1))

    Event.objects.filter(start_local__gt="2031-05-20").delete()
    listed = client.get(f"{url}&per_page=100").json()
    assert 0 < listed["total"] < total
    assert listed["total"] == len(listed["events"])


def test_first_total_of_each_list_is_counted(client, calendar):
    """Also if lists with other days or records were long before."""
    other = TagFactory(slug="fixture-other")
    other.events.add(*Event.objects.filter(start_local__gt="2031-05-20"))
    TagFactory().events.add(*Event.objects.all())

    for query in (
        "starts_after=2031-05-09",
        "starts_after=2031-05-10",
        "starts_after=2031-05-09&strict_dates=1",
        "starts_after=2031-05-09&tags=fixture-tag",
        "starts_after=2031-05-09&tags=fixture-other",
        "starts_after=2031-05-09&categories=fixture-category",
    ):
        with CaptureQueriesContext(connection) as first:
            total = client.get(f"{API}/events?{query}").json()["total"]
        with CaptureQueriesContext(connection) as second:
            assert client.get(f"{API}/events?{query}").json()["total"] == total > 0
        assert len(second) == len(first) - 1, query


def test_number_of_remembered_lists_is_limited(client, calendar, monkeypatch):
    monkeypatch.setattr(totals, "MAX_LONG_LISTS", 3)

    for day in range(1, 9):
        assert client.get(f"{API}/events?starts_after=2031-05-0{day}").json()["total"] > 0
        assert len(totals._long_lists) <= 3
