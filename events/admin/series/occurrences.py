"""The events of a series on its page: their dates, and how each deviates from the series."""

from __future__ import annotations

from bisect import bisect_left
from datetime import datetime
from typing import Any, NamedTuple

from django.core.paginator import Page, Paginator
from django.http import HttpRequest
from django.utils.translation import gettext as _

from calendar_site.back_office.urls import admin_url
from calendar_site.core.choices import Status
from calendar_site.core.dates.formatting import format_short_day, format_short_day_and_time
from events.admin.time_display import format_event_times
from events.choices import EventStatus
from events.models import Event, Series
from events.recurrence.schedules import Schedule
from events.series.dates import local_now
from events.series.deviations import MOVED, find_deviations

ROWS_PER_PAGE = 50


class Mark(NamedTuple):
    """A label beside an event; `kind` selects its colour."""

    kind: str
    label: str


class OccurrenceRow(NamedTuple):
    occurrence: str
    when: str
    title: str
    # "" for an occurrence that has no event.
    url: str
    marks: list[Mark]
    is_past: bool
    # Whether the series has earlier events, without which it cannot be split here.
    can_split: bool


def occurrence_page(series: Series, request: HttpRequest) -> tuple[Page, list[OccurrenceRow]]:
    """Return a page of occurrences; that of the next one, unless the request names another. At most seven queries.

    Events whose fields the user may not read are left out.
    """
    readable = Event.objects.filter(series=series).readable_by(request.user).with_fields_visible_to(request.user)
    ids = dict(readable.values_list("series_occurrence", "pk"))
    occurrences = sorted({*ids, *series.exdate})
    now = local_now(Schedule.of(series))
    paginator = Paginator(occurrences, ROWS_PER_PAGE)
    usual = min(bisect_left(occurrences, now) // ROWS_PER_PAGE + 1, paginator.num_pages)
    page = paginator.get_page(request.GET.get("page", usual))
    shown = list(page.object_list)
    events = Event.objects.in_bulk([ids[text] for text in shown if text in ids])
    deviations = find_deviations(series, list(events.values()))
    first = min(ids, default="")
    rows = []
    for text in shown:
        event: Any = events.get(ids.get(text, 0))
        can_split = event is not None and text > first
        rows.append(_row(series, text, event, deviations, is_past=text < now, can_split=can_split))
    return page, rows


def _row(
    series: Series, text: str, event: Event | None, deviations: dict[int, set[str]], *, is_past: bool, can_split: bool
) -> OccurrenceRow:
    if event is None:
        marks = [Mark("removed", _("Removed"))]
        return OccurrenceRow(text, _format_start(series, text), series.title, "", marks, is_past, can_split)
    return OccurrenceRow(
        occurrence=text,
        when=format_event_times(event, is_all_day=event.all_day),
        title=event.title,
        url=admin_url(event, "change", event.pk),
        marks=_marks(event, deviations[event.pk]),
        is_past=is_past,
        can_split=can_split,
    )


def _marks(event: Event, deviations: set[str]) -> list[Mark]:
    marks = []
    if event.status == Status.TRASH:
        marks.append(Mark("trash", _("In the trash")))
    if event.event_status != EventStatus.SCHEDULED:
        marks.append(Mark(event.event_status, str(EventStatus(event.event_status).label)))
    if MOVED in deviations:
        usual = _format_start(event, event.series_occurrence)
        marks.append(Mark("moved", _("Moved from %(day)s") % {"day": usual}))
    if deviations - {MOVED}:
        marks.append(Mark("changed", _("Changed")))
    return marks


def _format_start(row: Event | Series, local: str) -> str:
    moment = datetime.fromisoformat(local)
    return format_short_day(moment) if row.all_day else format_short_day_and_time(moment)
