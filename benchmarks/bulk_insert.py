"""Insert many rows without the ORM: `executemany` on SQLite, COPY on PostgreSQL."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

import psycopg
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import Model
from django.db.models.fields import NOT_PROVIDED
from psycopg import sql


@contextlib.contextmanager
def bulk_load() -> Iterator[None]:
    """Make writes of this connection fast, at the price that a failure leaves the database unusable."""
    pragmas = ("journal_mode=OFF", "synchronous=OFF", "cache_size=-400000", "foreign_keys=OFF")
    if connection.vendor != "sqlite":
        with transaction.atomic(), connection.cursor() as cursor:
            # Foreign keys are not checked, row by row. Only superusers may do so.
            with contextlib.suppress(psycopg.errors.InsufficientPrivilege), transaction.atomic():
                cursor.execute("SET LOCAL session_replication_role = replica")
            yield
        return
    with connection.cursor() as cursor:
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
    with transaction.atomic():
        yield
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA journal_mode=WAL")
    # With the settings of the service again.
    connection.close()


def insert(instance: Model, columns: Iterable[str], rows: Iterable[tuple[Any, ...]]) -> None:
    """Insert rows with the values of `columns`. Other columns have the value of `instance`, or that of the database."""
    model, columns = type(instance), list(columns)
    others = {
        field.column: prepared(model, field.name, field.pre_save(instance, add=True))
        for field in model._meta.concrete_fields
        if field.column not in columns and not field.primary_key and field.db_default is NOT_PROVIDED
    }
    names, constants = [*columns, *others], tuple(others.values())
    complete = (row + constants for row in rows)
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            quoted = ", ".join(f'"{name}"' for name in names)
            marks = ", ".join(["%s"] * len(names))
            cursor.executemany(f'INSERT INTO "{model._meta.db_table}" ({quoted}) VALUES ({marks})', complete)
            return
        statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
            sql.Identifier(model._meta.db_table), sql.SQL(", ").join(map(sql.Identifier, names))
        )
        with cursor.cursor.copy(statement) as copy:
            for row in complete:
                copy.write_row(row)
        for statement in connection.ops.sequence_reset_sql(no_style(), [model]):
            cursor.execute(statement)


def prepared(model: type[Model], name: str, value: Any) -> Any:
    """Return a value of a field as it is sent to the database."""
    return model._meta.get_field(name).get_db_prep_save(value, connection)
