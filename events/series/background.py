"""The work on series that goes on in the background: the tasks that services enqueue (`tasks.py`)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder

from calendar_site.tasks.enqueue import enqueue


def extend_later(series_id: int) -> None:
    """Create the remaining occurrences of a series up to the horizon."""
    enqueue("events.series.tasks.extend_one_series", series_id)


def update_outdated_later(series_id: int) -> None:
    """Give the outdated events of a series its values."""
    enqueue("events.series.tasks.update_outdated_events", series_id)


def update_deleted_later(values: dict[str, Any], outdated: list[dict[str, Any]]) -> None:
    """Give outdated events of a deleted series its last values."""
    enqueue(
        "events.series.tasks.update_events_of_deleted", json.loads(json.dumps(values, cls=DjangoJSONEncoder)), outdated
    )


def render_later(ids: Sequence[int]) -> None:
    """Render these events."""
    enqueue("events.series.tasks.render_events", list(ids))


def trash_later(ids: Sequence[int], user_id: int | None) -> None:
    """Move these events to the trash, as the user may do."""
    enqueue("events.series.tasks.trash_single_events", list(ids), user_id)
