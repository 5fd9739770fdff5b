"""Making a series of a single event."""

from __future__ import annotations

from datetime import datetime
from typing import cast

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.types import AnyUser
from events.changes import SeriesChanges
from events.models import Event, Series
from events.recurrence.schedules import Schedule
from events.relations import load_relations
from events.series.dates import series_at
from events.series.services import save_series
from events.series.template import TEMPLATE_NAMES, EventTemplate


def repeat_event(event: Event, *, changes: SeriesChanges, user: AnyUser) -> Series:
    """Make an event the first one of a new series with its values, and create the others. Return the series.

    `changes` are the rule and the dates. The date of the event is always one of them: it is added if the rule does not
    have it, and not left out. Raises ValidationError and PermissionDenied.
    """
    with write_lock():
        # Read again: another request may have made a series of it since the caller loaded it.
        if Event.objects.filter(pk=event.pk, series__isnull=False).exists():
            raise ValidationError(_("The event belongs to a series already."))
        template = EventTemplate.of_event(event, load_relations([event])[event.pk])
        own = {
            "status": event.status,
            "author_id": event.author_id,
            "published_at": event.published_at,
            "start": event.start,
            "end": event.end,
            "time_zone": event.time_zone,
            "all_day": event.all_day,
        }
        values = cast("SeriesChanges", {**template.changes(TEMPLATE_NAMES), **own, **changes})
        values["exdate"] = [date for date in changes.get("exdate") or () if date != event.start_local]
        values["rdate"] = _with_own_date(event, values)
        return save_series(Series(), changes=values, user=user, first=event)


def _with_own_date(event: Event, changes: SeriesChanges) -> list[str]:
    """Return the additional dates, with that of the event if it would not be an occurrence."""
    series = series_at(
        event,
        rrule=changes.get("rrule") or "",
        rdate=changes.get("rdate") or (),
        exdate=changes.get("exdate") or (),
    )
    own = datetime.fromisoformat(event.start_local)
    is_occurrence = event.start_local in Schedule.of(series).occurrences(own)
    return sorted({*series.rdate, *(() if is_occurrence else (event.start_local,))})
