"""Enqueuing tasks from below: services enqueue tasks that call services."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils.module_loading import import_string


def enqueue(path: str, *arguments: Any) -> None:
    """Enqueue the task at a path, such as "events.series.tasks.extend_one_series", in the transaction of the caller."""
    import_string(path).enqueue(*arguments)


def enqueue_later(path: str, *arguments: Any, at: datetime) -> None:
    """Enqueue the task at a path for a moment, in the transaction of the caller."""
    import_string(path).using(run_after=at).enqueue(*arguments)
