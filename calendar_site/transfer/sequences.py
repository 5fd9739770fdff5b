"""Ids of new records after records with given ids."""

from __future__ import annotations

from collections.abc import Iterable

from django.core.management.color import no_style
from django.db import connection, models


def set_sequences(known: Iterable[type[models.Model]]) -> None:
    """Let the next records of these models get ids after the existing ones."""
    statements = connection.ops.sequence_reset_sql(no_style(), list(known))
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
