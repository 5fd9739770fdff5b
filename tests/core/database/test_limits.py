"""The limits of connections to the database."""

import pytest
from django.db import connection

from calendar_site.core.database.limits import limit_idle_time, limit_page_cache


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no sessions.")
def test_tasks_have_limited_transactions_only(db):
    with connection.cursor() as cursor:
        # A test that imports the WSGI application limits the statements of connections that are opened after it.
        cursor.execute("RESET statement_timeout")

    limit_idle_time(connection)

    with connection.cursor() as cursor:
        names = ("statement_timeout", "idle_in_transaction_session_timeout")
        limits = [cursor.execute(f"SHOW {name}").fetchone()[0] for name in names]
    assert limits == ["0", "25s"]


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has one page cache for all connections.")
def test_requests_keep_few_pages_of_the_database(db):
    with connection.cursor() as cursor:
        before = cursor.execute("PRAGMA cache_size").fetchone()[0]

        limit_page_cache(connection)

        limit = cursor.execute("PRAGMA cache_size").fetchone()[0]
        cursor.execute(f"PRAGMA cache_size = {before}")
    assert limit == -500
