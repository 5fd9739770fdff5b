"""Reading the recorded history in tests."""

from typing import Any

from django.apps import apps
from django.db.models import Model


def recorded_changes(record: Any) -> list[tuple[str, str, str, list[str]]]:
    """Return kind, username, channel and changed fields of each revision of a record, the oldest first."""
    return [
        (change.history_kind, change.history_username, change.history_channel, change.history_changed)
        for change in type(record).history.filter(id=record.pk).order_by("history_id")
    ]


def last_revision(record: Any) -> Any:
    """Return the newest revision of a record."""
    return type(record).history.filter(id=record.pk).first()


def recorded_models() -> list[type[Model]]:
    """Return the models that have a history."""
    return [model for model in apps.get_models() if hasattr(model._meta, "simple_history_manager_attribute")]


def all_revisions() -> list[dict[str, Any]]:
    """Return all rows of all histories, to compare before and after a write."""
    return [row for model in recorded_models() for row in model.history.order_by("history_id").values()]
