"""Compiled queries that run by the database driver, without Django's cursor."""

import pytest
from django.db import IntegrityError, OperationalError, ProgrammingError, connection
from django.db.utils import DatabaseError
from django.test.utils import CaptureQueriesContext

from calendar_site.core.database.driver import run_as_health_check, run_sql
from calendar_site.core.database.postgresql_settings import PREPARE_THRESHOLD, postgresql_settings
from events.models import Event
from tests.factories import EventFactory, VenueFactory

API = "/cal/events/v1"
# Outside of a transaction, which would not survive another connection.
COMMITTED = pytest.mark.django_db(transaction=True, serialized_rollback=True)


def test_values_are_parameters(db):
    rows = run_sql("SELECT %s, %s, '100%%'", ("it's", 7))

    assert [tuple(row) for row in rows] == [("it's", 7, "100%")]


def test_logged_queries_return_the_same_rows(client, db):
    event = EventFactory(venues=[VenueFactory()])
    paths = ["events", f"events/{event.pk}", f"events/by-slug/{event.slug}", "venues", "events?search=xylophone"]

    direct = [client.get(f"{API}/{path}").content for path in paths]
    with CaptureQueriesContext(connection) as queries:
        logged = [client.get(f"{API}/{path}").content for path in paths]

    assert logged == direct
    assert len(queries) > len(paths)


def test_errors_are_those_of_django(db):
    with pytest.raises(DatabaseError) as raised:
        run_sql("SELECT nothing FROM nowhere", ())

    assert not isinstance(raised.value, IntegrityError)
    assert raised.type.__module__ == ProgrammingError.__module__


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite keeps statements itself.")
def test_queries_that_keep_their_plan_are_prepared(db):
    kept, planned = "SELECT %s + 58001", "SELECT %s + 58002"

    for number in range(PREPARE_THRESHOLD + 2):
        run_sql(kept, (number,), keeps_plan=True)
        run_sql(planned, (number,))

    prepared = [sql for (sql,) in run_sql("SELECT statement FROM pg_prepared_statements", ())]
    assert [sql for sql in prepared if "5800" in sql] == ["SELECT $1 + 58001"]


@pytest.fixture
def unchecked_connection():
    """Return the connection as it is when a request begins."""
    connection.ensure_connection()
    connection.health_check_enabled, connection.health_check_done = True, False
    yield connection
    connection.close()


@COMMITTED
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no connection that can be lost.")
def test_lost_connection_is_replaced_before_the_first_query_of_a_request_only(unchecked_connection):
    process = process_of(unchecked_connection)
    lose_connection(process)

    ((other,),) = run_as_health_check("SELECT pg_backend_pid() WHERE %s < %s", (1, 2))

    assert other != process
    lose_connection(other)
    with pytest.raises(OperationalError):
        run_as_health_check("SELECT pg_backend_pid()")


@COMMITTED
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no connection that can be lost.")
def test_error_of_a_connection_that_works_is_raised(unchecked_connection):
    process = process_of(unchecked_connection)
    unchecked_connection.connection.execute("SET statement_timeout = 10")

    with pytest.raises(OperationalError, match="statement timeout"):
        run_as_health_check("SELECT pg_sleep(5)")

    assert process_of(unchecked_connection) == process


@COMMITTED
def test_health_check_takes_no_query_of_its_own(unchecked_connection, monkeypatch):
    # Sends SELECT 1.
    monkeypatch.setattr(unchecked_connection, "is_usable", lambda: pytest.fail("Another query."))

    rows = run_as_health_check("SELECT 58003 WHERE %s < %s", (1, 2))

    assert [tuple(row) for row in rows] == [(58003,)]
    assert unchecked_connection.health_check_done


@COMMITTED
def test_unsettled_events_are_found_without_a_health_check(unchecked_connection, monkeypatch):
    # Sends SELECT 1.
    monkeypatch.setattr(unchecked_connection, "is_usable", lambda: pytest.fail("Another query."))

    assert not Event.objects.has_unsettled()
    assert unchecked_connection.health_check_done


@COMMITTED
def test_connection_that_cannot_be_opened_is_tried_once(unchecked_connection, monkeypatch):
    unchecked_connection.close()
    unchecked_connection.health_check_done = False
    attempts = []

    def refuse(parameters):
        attempts.append(parameters)
        raise OperationalError

    monkeypatch.setattr(unchecked_connection, "get_new_connection", refuse)

    with pytest.raises(OperationalError):
        run_as_health_check("SELECT 58004")

    assert len(attempts) == 1


def process_of(connection):
    return connection.connection.info.backend_pid


def lose_connection(process):
    """End a process of the server, as a restart of the server does."""
    raw = connection.copy()
    try:
        with raw.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [process])
            assert cursor.fetchone() == (True,)
    finally:
        raw.close()


def test_nothing_is_prepared_behind_a_transaction_pooler():
    settings = postgresql_settings({}, max_age=0, pool_size=0, has_sessions=False)

    assert settings["OPTIONS"]["prepare_threshold"] is None
