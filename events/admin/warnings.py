"""Warnings about saved events and series, whose values are accepted but may be mistakes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from calendar_site.content.similar_titles import most_similar
from calendar_site.core import clock
from calendar_site.core.choices import Status
from calendar_site.core.dates.formatting import format_short_day
from calendar_site.core.types import AnyUser
from events.admin.venue_zones import zone_warning
from events.choices import EventStatus
from events.models import Event, Series
from events.querysets import EventQuerySet

MAX_SHOWN = 3
# Whose titles or times are compared.
MAX_COMPARED = 500
# The events that an action has changed, of which so many are checked.
MAX_CHECKED = 50
# The days of a series on which similar titles are looked for.
MAX_DAYS = 30
TIMES = {"start", "end", "all_day", "time_zone"}
CHECKED_FIELDS = {"title", "venues", "attendance_mode", *TIMES}


def event_warnings(event: Event, changed: Collection[str], user: AnyUser) -> list[str]:
    """Return warnings about what was changed. At most four queries."""
    warnings: list[str] = []
    if event.status == Status.TRASH or event.event_status == EventStatus.CANCELLED:
        return warnings
    if not TIMES.isdisjoint(changed) and clock.has_passed(event.end):
        warnings.append(_("“%(event)s” is in the past.") % {"event": event})
    if not {"venues", *TIMES}.isdisjoint(changed) and (titles := _events_at_same_place(event, user)):
        text = _("Other events at the same venue at the same time: %(titles)s.")
        warnings.append(text % {"titles": _join(titles)})
    if not {"venues", "attendance_mode", *TIMES}.isdisjoint(changed) and (text := zone_warning(event, user)):
        warnings.append(text)
    if not {"title", *TIMES}.isdisjoint(changed) and (titles := _similar_on_same_day(event, user)):
        text = _("Events on the same day with a similar title: %(titles)s.")
        warnings.append(text % {"titles": _join(titles)})
    return warnings


def warn_of_events(request: HttpRequest, changed: Sequence[tuple[Event, Collection[str]]]) -> None:
    """Show a summary of the warnings about events, each with the names of its changed fields.

    At most four queries for each of the first MAX_CHECKED events.
    """
    changed = [(event, names) for event, names in changed if not CHECKED_FIELDS.isdisjoint(names)]
    found = []
    for event, names in changed[:MAX_CHECKED]:
        if warnings := event_warnings(event, names, request.user):
            found.append((event, warnings))
    for event, warnings in found[:MAX_SHOWN]:
        messages.warning(request, f"{event}: {' '.join(warnings)}")
    more = len(found) - MAX_SHOWN
    if more > 0:
        text = ngettext(
            "There are warnings about %(count)d more event.", "There are warnings about %(count)d more events.", more
        )
        messages.warning(request, text % {"count": more})
    if len(changed) > MAX_CHECKED:
        text = _("Only the first %(most)d events were checked for times, venues and titles.")
        messages.warning(request, text % {"most": MAX_CHECKED})


def warn_of_series(request: HttpRequest, series: Series) -> None:
    """Show warnings about a new series, and about its events that exist by now. At most five queries."""
    events = list(series.events.order_by("start").only("start", "end", "start_local"))
    past = sum(clock.has_passed(event.end) for event in events)
    if past:
        text = ngettext(
            "%(count)d event of the series is in the past.", "%(count)d events of the series are in the past.", past
        )
        messages.warning(request, text % {"count": past})
    if titles := _clashes_with_series(series, events, request.user):
        text = _("Other events at the same venue at the same time: %(titles)s.")
        messages.warning(request, text % {"titles": _join(titles)})
    if titles := _similar_on_days_of_series(series, events, request.user):
        text = _("Events on the same days with a similar title: %(titles)s.")
        messages.warning(request, text % {"titles": _join(titles)})


def _clashes_with_series(series: Series, events: list[Event], user: AnyUser) -> list[str]:
    """Return the titles and days of other events that overlap with these, which last equally long."""
    venues = series.template["relations"]["venues"]
    if not venues or not events:
        return []
    others = _others_than(series, user).with_fields_visible_to(user).linked_to("venues", venues)
    others = others.starting_before(events[-1].end).ending_after(events[0].start).ordered_by_local_start()
    starts, titles = [event.start for event in events], []
    for title, start, end, start_local in others.values_list("title", "start", "end", "start_local")[:MAX_COMPARED]:
        # The last event that begins before the other one ends.
        number = bisect_left(starts, end) - 1
        if number >= 0 and events[number].end > start:
            titles.append(f"{title} ({format_short_day(datetime.fromisoformat(start_local))})")
    return titles


def _similar_on_days_of_series(series: Series, events: list[Event], user: AnyUser) -> list[str]:
    """Return similar titles of other events on the days of the next events."""
    coming = [event for event in events if not clock.has_passed(event.end)]
    days = Q(pk__in=[])
    for event in coming[:MAX_DAYS]:
        day = event.start_local[:10]
        days |= Q(start_local__gte=day, start_local__lte=f"{day} 23:59:59")
    others = _others_than(series, user).filter(days).order_by()
    return most_similar(series.title, others.values_list("title", flat=True)[:MAX_COMPARED])


def _others_than(series: Series, user: AnyUser) -> EventQuerySet:
    others: EventQuerySet = Event.objects.visible_to(user).exclude(series=series)
    return others.exclude(event_status=EventStatus.CANCELLED)


def _events_at_same_place(event: Event, user: AnyUser) -> list[str]:
    """Return the titles of other events that overlap with this one. A festival and its parts are no others."""
    venues = list(event.venues.values_list("pk", flat=True))
    if not venues:
        return []
    others = _others(event, user).with_fields_visible_to(user).linked_to("venues", venues)
    others = others.exclude(parent=event.pk).exclude(pk=event.parent_id or 0)
    overlapping = others.starting_before(event.end).ending_after(event.start).ordered_by_local_start()
    return list(overlapping.values_list("title", flat=True)[: MAX_SHOWN + 1])


def _similar_on_same_day(event: Event, user: AnyUser) -> list[str]:
    day = event.start_local[:10]
    others = _others(event, user).filter(start_local__gte=day, start_local__lte=f"{day} 23:59:59")
    return most_similar(event.title, others.order_by().values_list("title", flat=True)[:MAX_COMPARED])


def _others(event: Event, user: AnyUser) -> EventQuerySet:
    others: EventQuerySet = Event.objects.visible_to(user).exclude(pk=event.pk)
    return others.exclude(event_status=EventStatus.CANCELLED)


def _join(titles: Iterable[str]) -> str:
    titles = list(titles)
    return ", ".join([*titles[:MAX_SHOWN], *(["…"] if len(titles) > MAX_SHOWN else [])])
