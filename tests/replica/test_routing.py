"""Requests for which the replica is used. Here it is the same database, on a connection that cannot write."""

import psycopg
import pytest
from django.db import connection, connections
from django.test import Client
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from prometheus_client import REGISTRY

from calendar_site.accounts.password_links.tokens import PASSWORD_RESETS
from calendar_site.core.database.postgresql_settings import replica_settings
from calendar_site.replica import routing
from events.models import Event
from tests.factories import EventFactory, UserFactory
from tests.support.api_client import API

EVENTS = f"{API}/events"
LIMIT_MILLISECONDS = 300

pytestmark = [
    pytest.mark.django_db(transaction=True, serialized_rollback=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="Only PostgreSQL has replicas."),
]


@pytest.fixture(autouse=True)
def _replica(monkeypatch):
    # With an alias that the settings do not have, because the test runner knows none of its databases.
    replica = connection.copy(alias="read-only")
    database = {**connection.settings_dict, "OPTIONS": {"options": "-c default_transaction_read_only=on"}}
    replica.settings_dict = replica_settings(database, max_age=0, has_sessions=True)
    monkeypatch.setitem(connections.settings, routing.ALIAS, replica.settings_dict)
    monkeypatch.setattr(routing, "replica", routing.Replica())
    connections[routing.ALIAS] = replica
    yield
    replica.close()
    del connections[routing.ALIAS]


def run_statement(database, statement):
    with database.cursor() as cursor:
        cursor.execute(statement)


def replica_reads():
    """Return how many reads have used the replica, found it behind, or found it lost."""
    return [
        REGISTRY.get_sample_value("calendar_replica_reads_total", {"replica": outcome}) or 0
        for outcome in ("used", "behind", "lost")
    ]


def reads_of(path, **headers):
    """Return the status of a response, and how many reads have used the replica, found it behind or lost."""
    before = replica_reads()
    # A client of its own loads the middleware, which looks whether there is a replica.
    response = Client().get(path, headers=headers)
    return response.status_code, [now - earlier for now, earlier in zip(replica_reads(), before, strict=True)]


@pytest.mark.parametrize("path", [EVENTS, f"{API}/venues", "/"])
def test_public_reads_use_the_replica(path):
    EventFactory()

    assert reads_of(path) == (200, [1, 0, 0])


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        (f"{EVENTS}/{{event}}?password=wrong", {}),
        (f"{EVENTS}/{{event}}?%70assword=wrong", {}),
        (f"{EVENTS}/{{event}}", {"X-Event-Password": "wrong"}),
        (f"{EVENTS}/{{event}}", {"Cookie": "theme=dark"}),
        (f"{EVENTS}/{{event}}", {"If-Match": '"1"'}),
        ("/admin/login/", {}),
    ],
)
def test_other_requests_use_the_primary(path, headers, caplog):
    event = EventFactory()
    Event.objects.filter(pk=event.pk).update(password="letmein")

    _status, reads = reads_of(path.format(event=event.pk), **headers)

    assert (reads, caplog.messages) == ([0, 0, 0], [])


def test_link_to_set_a_password_saves_its_session(caplog):
    user = UserFactory(role="editor")
    encoded, token = urlsafe_base64_encode(force_bytes(user.pk)), PASSWORD_RESETS.make_token(user)
    path = f"/admin/password-reset/{encoded}/{token}/"

    assert reads_of(path) == (302, [0, 0, 0])
    assert reads_of(EVENTS) == (200, [1, 0, 0])
    assert caplog.messages == []


def test_query_that_reaches_the_time_limit_is_not_repeated():
    EventFactory()
    other = psycopg.connect(**connection.get_connection_params())
    databases = (connection, connections[routing.ALIAS])
    for database in databases:
        run_statement(database, f"SET statement_timeout = {LIMIT_MILLISECONDS}")
    try:
        other.execute("LOCK TABLE events_event")
        slow = reads_of(EVENTS)
    finally:
        other.close()
        for database in databases:
            run_statement(database, "RESET statement_timeout")

    assert slow == (503, [1, 0, 0])
    assert reads_of(EVENTS) == (200, [1, 0, 0])
