"""Looking at what was recorded of changes, in tests."""

from typing import Any

from django.apps import apps
from django.db.models import Model


def recorded_changes(record: Any) -> list[tuple[str, str, str, list[str]]]:
    """Return what was done to a record, by whom, through which channel, and to which fields: the oldest first."""
    return [
        (change.history_kind, change.history_username, change.history_channel, change.history_changed)
        for change in type(record).history.filter(id=record.pk).order_by("history_id")
    ]


def last_revision(record: Any) -> Any:
    """The last state that was recorded."""
    return type(record).history.filter(id=record.pk).first()


def recorded_models() -> list[type[Model]]:
    """Every model that has a history."""
    return [model for model in apps.get_models() if hasattr(model._meta, "simple_history_manager_attribute")]


def all_revisions() -> list[dict[str, Any]]:
    """All rows of all histories, to be compared with the same at another time."""
    return [row for model in recorded_models() for row in model.history.order_by("history_id").values()]
