"""Moving several events of a series to the trash."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.exceptions import PermissionDenied

from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.permissions import deletable_q
from calendar_site.core.types import AnyUser
from events.models import Event, Series
from events.recurrence.schedules import Schedule
from events.series.bulk_saves import MAX_TRASHED_AT_ONCE, EventWrite, save_events
from events.series.propagation import trash_in_background
from events.series.services import delete_series, end_series


def trash_occurrences(series: Series, *, since: str = "", user: AnyUser) -> int:
    """Move the events of a series to the trash, or those from an occurrence on. Return their number.

    A background task moves those that are too many at once. The series ends before that occurrence. Without earlier
    ones, it is deleted. Raises ValidationError and PermissionDenied.
    """
    with write_lock():
        events = Event.objects.filter(series=series)
        moved = events.not_trashed().filter(series_occurrence__gte=since)
        if moved.exclude(deletable_q(user, Event)).exists():
            raise PermissionDenied
        ids = list(moved.order_by("series_occurrence").values_list("pk", flat=True))
        trash_events(ids[:MAX_TRASHED_AT_ONCE], user)
        trash_in_background(ids[MAX_TRASHED_AT_ONCE:], user)
        if since and events.filter(series_occurrence__lt=since).exists():
            end_series(series, before=Schedule.of(series).start_of(since), user=user)
        else:
            delete_series(Series.objects.filter(pk=series.pk), user=user)
    return len(ids)


def trash_events(ids: Sequence[int], user: AnyUser) -> None:
    """Move events to the trash, and out of their series. Those in the trash stay as they are.

    They keep the occurrence, by which `series.undo` finds their place.
    """
    with write_lock():
        writes = []
        for event in Event.objects.filter(pk__in=ids).not_trashed().order_by("pk"):
            event.series = None
            writes.append(EventWrite(event, None))
        save_events(writes, user=user)
