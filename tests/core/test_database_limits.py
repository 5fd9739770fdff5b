"""The limits of connections to PostgreSQL."""

import pytest
from django.db import connection

from calendar_site.core.database_limits import limit_idle_time


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
