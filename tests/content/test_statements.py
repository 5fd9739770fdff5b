"""Queries that are compiled less often than they run."""

import pytest

from calendar_site.content.statements import rows_by_id, total
from events.loading import EventRow
from events.models import Event
from tests.factories import EventFactory
from venues.loading import VenueRow
from venues.models import Venue

pytestmark = pytest.mark.django_db


def test_rows_by_id_are_those_of_a_queryset_in_the_order_asked_for():
    first, second, _other = EventFactory(cost="10"), EventFactory(all_day=True), EventFactory()

    rows = rows_by_id(Event, EventRow, [second.pk, first.pk])

    read = Event.objects.values_list(*EventRow._fields)
    assert rows == [read.get(pk=second.pk), read.get(pk=first.pk)]


def test_rows_by_id_leave_out_what_has_gone():
    assert rows_by_id(Venue, VenueRow, [999]) == []


def test_total_counts_what_a_queryset_has():
    EventFactory.create_batch(3)

    assert total(Event.objects.order_by("-pk")) == 3
    assert total(Event.objects.filter(title="Another")) == 0


def test_total_of_what_cannot_be_costs_no_query(django_assert_num_queries):
    with django_assert_num_queries(0):
        assert total(Event.objects.filter(pk__in=[])) == 0
