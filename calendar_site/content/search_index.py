"""Derived data of events, venues and organizers: the index of their search texts."""

from __future__ import annotations

from django.db import connection
from django.db.models import Model

from calendar_site.core.search import index as search_index
from calendar_site.derived.registry import DerivedData, register
from calendar_site.derived.triggers import Trigger


def register_search_index(model: type[Model]) -> None:
    """Register the search index of the rows; see decision 0052."""
    name = str(model._meta.model_name)

    def triggers() -> list[Trigger]:
        # PostgreSQL keeps its indexes itself.
        if connection.vendor != "sqlite" or not search_index.supports_index():
            return []
        table = model._meta.db_table
        add, remove = search_index.indexing_statements(model)
        return [
            Trigger(f"{name}_search_added", table, "INSERT", add),
            Trigger(f"{name}_search_deleted", table, "DELETE", remove),
            Trigger(
                f"{name}_search_changed",
                table,
                "UPDATE OF id, search_text",
                remove + add,
                "NEW.id <> OLD.id OR NEW.search_text <> OLD.search_text",
            ),
        ]

    def rebuild() -> None:
        if search_index.supports_index():
            search_index.create_index(model)

    def count_differences() -> int:
        return int(search_index.has_index(model) and not search_index.is_index_right(model))

    search_index.indexed_models.add(model)
    register(DerivedData(f"search index of {name}s", triggers, rebuild, count_differences))
