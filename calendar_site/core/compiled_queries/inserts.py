"""INSERT statements that are built once for each model.

Django builds the statement anew for each row that it saves, which takes longer than running it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Any

from django.db import connection, models

from calendar_site.core.database.driver import run_sql


def insert_rows(rows: Collection[models.Model]) -> None:
    """Insert new rows of one model with one statement, and set their ids. Sends no signals, like `bulk_create()`.

    For as many rows as one record has, such as its links: the statement is not divided into batches.
    """
    if not rows:
        return
    model = type(next(iter(rows)))
    fields = _inserted_fields(model)
    values = [
        field.get_db_prep_save(field.pre_save(row, add=True), connection=connection) for row in rows for field in fields
    ]
    ids = run_sql(_insert_sql(model, len(rows)), tuple(values), keeps_plan=True)
    for row, (pk,) in zip(rows, ids, strict=True):
        row.pk = pk
        row._state.adding = False
        row._state.db = connection.alias


@lru_cache
def _inserted_fields(model: type[models.Model]) -> list[models.Field[Any, Any]]:
    """Return the fields with a column, without the id, which the database generates."""
    return [field for field in model._meta.local_concrete_fields if not isinstance(field, models.AutoField)]


@lru_cache(maxsize=256)
def _insert_sql(model: type[models.Model], count: int) -> str:
    quote: Callable[[Any], str] = connection.ops.quote_name
    fields = _inserted_fields(model)
    columns = ", ".join(quote(field.column) for field in fields)
    rows = ", ".join([f"({', '.join(['%s'] * len(fields))})"] * count)
    table, pk = quote(model._meta.db_table), quote(model._meta.pk.column)
    return f"INSERT INTO {table} ({columns}) VALUES {rows} RETURNING {pk}"  # noqa: S608
