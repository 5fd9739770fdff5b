"""Queries that are compiled once and run many times."""

import pytest

from calendar_site.core.compiled_queries.queries import fetch_by_ids
from calendar_site.core.compiled_queries.querysets import count_rows
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
