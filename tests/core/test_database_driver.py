"""Compiled queries that run by the database driver, without Django's cursor."""

import pytest
from django.db import IntegrityError, ProgrammingError, connection
from django.db.utils import DatabaseError
from django.test.utils import CaptureQueriesContext

from calendar_site.core.database_driver import run_sql
from calendar_site.core.postgresql_settings import PREPARE_THRESHOLD, postgresql_settings
from tests.factories import EventFactory, VenueFactory

API = "/cal/events/v1"


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


def test_nothing_is_prepared_behind_a_transaction_pooler():
    settings = postgresql_settings({}, max_age=0, pool_size=0, has_sessions=False)

    assert settings["OPTIONS"]["prepare_threshold"] is None
