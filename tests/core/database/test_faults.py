"""Errors of the database that are no bugs."""

import time

import pytest
from django.db import connection
from django.db.models.signals import pre_save

from events.models import Event
from tests.support.api_client import API

pytestmark = [
    pytest.mark.django_db(transaction=True, serialized_rollback=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite does not end idle transactions."),
]


@pytest.fixture
def ended_transactions():
    """While an event is saved, its transaction is idle until PostgreSQL has ended it."""

    def be_idle(**_arguments):
        with connection.cursor() as cursor:
            cursor.execute("SET idle_in_transaction_session_timeout = 50")
        time.sleep(0.5)

    pre_save.connect(be_idle, sender=Event)
    yield
    pre_save.disconnect(be_idle, sender=Event)
    connection.close()


def test_write_whose_transaction_was_ended_is_unavailable(editor_api, ended_transactions):
    event = {"title": "Open air", "start_date": "2030-05-04 18:00:00", "end_date": "2030-05-04 20:00:00"}

    response = editor_api.post(f"{API}/events", event)

    connection.close()
    assert (response.status_code, response.headers["Retry-After"], response.json()["code"]) == (
        503,
        "5",
        "rest_unavailable",
    )
    assert not Event.objects.exists()
