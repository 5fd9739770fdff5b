"""INSERT statements that are built once for each model."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from calendar_site.core.compiled_queries.inserts import insert_rows
from events.models import Ticket
from tests.factories import EventFactory

pytestmark = pytest.mark.django_db


def tickets_of(event, count):
    return [
        Ticket(event=event, name=f"Row {number}", price=Decimal("12.50"), position=number) for number in range(count)
    ]


@pytest.mark.parametrize("count", [1, 3])
def test_rows_get_the_ids_of_the_database_in_their_order(count, django_assert_num_queries):
    event = EventFactory()
    tickets = tickets_of(event, count)

    with django_assert_num_queries(1):
        insert_rows(tickets)

    stored = Ticket.objects.filter(event=event).order_by("pk")
    assert [(ticket.pk, ticket.name) for ticket in tickets] == [(ticket.pk, ticket.name) for ticket in stored]
    assert len(stored) == count


def test_no_rows_take_no_query(django_assert_num_queries):
    with django_assert_num_queries(0):
        insert_rows([])


def test_prepared_inserts_store_the_same_values_as_the_first_one():
    event = EventFactory()
    (ticket,) = tickets_of(event, 1)
    ticket.available_from = datetime(2027, 3, 10, 9, 15, 30, tzinfo=UTC)

    # More often than the driver needs to prepare the statement.
    for _ in range(8):
        ticket.pk = None
        insert_rows([ticket])

    values = Ticket.objects.filter(event=event).values_list("price", "available_from", "available_until", "sold_out")
    assert list(values) == [(Decimal("12.50"), ticket.available_from, None, False)] * 8
