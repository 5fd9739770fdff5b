"""Queries that are compiled once and run many times."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection

from calendar_site.core.compiled_queries.queries import fetch_by_ids
from calendar_site.core.compiled_queries.querysets import CompiledQuerySet, count_rows, fetch_first
from calendar_site.core.database.driver import run_sql
from calendar_site.core.database.postgresql_settings import PREPARE_THRESHOLD
from events.loading import EventRow
from events.models import Event
from tests.factories import EventFactory
from venues.loading import VenueRow
from venues.models import Venue

pytestmark = pytest.mark.django_db


def test_fetch_by_ids_returns_the_rows_of_a_queryset_in_the_order_of_the_ids():
    first, second, _other = EventFactory(cost="10"), EventFactory(all_day=True), EventFactory()

    rows = fetch_by_ids(Event, EventRow, [second.pk, first.pk])

    read = Event.objects.values_list(*EventRow._fields)
    assert rows == [read.get(pk=second.pk), read.get(pk=first.pk)]


def test_fetch_by_ids_leaves_out_deleted_rows():
    assert fetch_by_ids(Venue, VenueRow, [999]) == []


def test_count_rows_agrees_with_the_queryset():
    EventFactory.create_batch(3)

    assert count_rows(Event.objects.order_by("-pk")) == 3
    assert count_rows(Event.objects.filter(title="Another")) == 0


def test_count_rows_of_an_empty_filter_costs_no_query(django_assert_num_queries):
    with django_assert_num_queries(0):
        assert count_rows(Event.objects.filter(pk__in=[])) == 0


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite keeps statements itself.")
def test_first_rows_keep_their_plan_if_only_moments_differ():
    by_moment = CompiledQuerySet(Venue).order_by("pk")
    by_title = CompiledQuerySet(Venue).order_by("-pk")

    for number in range(PREPARE_THRESHOLD + 2):
        older = by_moment.filter(created_at__lt=datetime(2027, 3, 10, tzinfo=UTC) + timedelta(hours=number))
        fetch_first(older, ("pk",), 3, older)
        named = by_title.filter(title=f"Hall {number}")
        fetch_first(named, ("pk",), 4, named)

    prepared = [sql for (sql,) in run_sql("SELECT statement FROM pg_prepared_statements", ())]
    assert [sql.partition(" LIMIT ")[2] for sql in prepared if "listed.*" in sql] == ["3) AS listed"]
