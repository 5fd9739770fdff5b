"""Series as components of a calendar: the recurrence rule, and the events that differ from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import MAXYEAR, UTC, date, datetime
from typing import Any, NamedTuple

import icalendar
from django.db.models import Count

from calendar_site.api.site_urls import SiteURLs
from calendar_site.core.dates import resolve_local
from events.feeds.components import day_after, event_components, has_definition, series_uid
from events.feeds.loading import load_calendar_events, read_rows
from events.loading import LoadedEvent
from events.models import Event, Series
from events.protection.protected_fields import Reader
from events.recurrence.rules import Rule
from events.recurrence.schedules import Schedule
from events.series.deviations import is_moved

# The events of combined series in one calendar. Those of further series stay single events.
MAX_EVENTS = 1500
# A rule without an end repeats after the last event that exists.
YEARS_AHEAD = 5
# The properties in which the events of a series always differ.
OWN_PROPERTIES = ("UID", "DTSTAMP", "CREATED", "LAST-MODIFIED", "URL", "DTSTART", "DTEND")


class CombinedSeries(NamedTuple):
    """The components of series."""

    components: list[icalendar.Event]
    # The ids of the events that they contain.
    event_ids: set[int]
    # By time zone, the years in which they take place.
    years: dict[str, set[int]]


class Occurrence(NamedTuple):
    """An event of a series as a component of its own."""

    event: LoadedEvent
    component: icalendar.Event

    @property
    def start(self) -> str:
        """The local start that the series gave the event."""
        return self.event.row.series_occurrence


def combine_series(events: Iterable[LoadedEvent], reader: Reader, urls: SiteURLs) -> CombinedSeries:
    """Return the series of these events, with all listed events that the reader may see. 13 queries at most."""
    ids = dict.fromkeys(event.row.series_id or 0 for event in events if event.rrule is not None)
    listed = Event.objects.visible_to(reader.user).listed().with_fields_visible_to(reader.user)
    chosen = _choose(list(ids), listed.filter(series__in=ids))
    rows = listed.filter(series__in=chosen).order_by("series_occurrence", "pk")
    loaded = load_calendar_events(read_rows(rows, MAX_EVENTS), reader)
    by_series: dict[int, list[Occurrence]] = {pk: [] for pk in chosen}
    for event, component in zip(loaded.events, event_components(loaded, urls), strict=True):
        by_series[event.row.series_id or 0].append(Occurrence(event, component))
    combined = CombinedSeries([], set(), {})
    for series in Series.objects.filter(pk__in=chosen).order_by("pk"):
        _add_series(combined, series, by_series[series.pk], urls)
    return combined


def _choose(ids: list[int], events: Any) -> list[int]:
    """Return the first of these series that together have at most MAX_EVENTS events."""
    counts = dict(events.order_by().values_list("series").annotate(Count("pk")))
    chosen, total = [], 0
    for pk in ids:
        total += counts.get(pk, 0)
        if total <= MAX_EVENTS:
            chosen.append(pk)
    return chosen


def _add_series(combined: CombinedSeries, series: Series, occurrences: Sequence[Occurrence], urls: SiteURLs) -> None:
    """Add a series, unless a calendar cannot express it."""
    schedule = Schedule.of(series)
    regular = [each for each in occurrences if not is_moved(each.event.row, schedule)]
    if not regular or not (schedule.all_day or schedule.zone.tz is UTC or has_definition(schedule.zone)):
        return
    # The latest one is most likely to have the present values of the series.
    model = regular[-1]
    content = _content(model.component)
    combined.components.append(_rule_component(series, schedule, model, [each.start for each in occurrences], urls))
    for each in occurrences:
        if each not in regular or _content(each.component) != content:
            combined.components.append(_exception(each, schedule, series_uid(series.pk, urls)))
    combined.event_ids.update(each.event.row.id for each in occurrences)
    if has_definition(schedule.zone) and not schedule.all_day:
        years = {int(each.start[:4]) for each in occurrences}
        ahead = range(max(years), min(max(years) + YEARS_AHEAD, MAXYEAR) + 1)
        combined.years.setdefault(schedule.zone.name, set()).update(years, ahead)


def _rule_component(
    series: Series, schedule: Schedule, model: Occurrence, starts: Sequence[str], urls: SiteURLs
) -> icalendar.Event:
    """Return the component with the rule, and with the dates by which the events deviate from it."""
    last = max(series.extended_until, starts[-1])
    by_rule = (
        [
            str(start)
            for start in schedule.rule.occurrences(schedule.start, datetime.fromisoformat(last), schedule.zone.tz)
        ]
        if schedule.rule
        else []
    )
    # Those that the series leaves out later than events exist, and those whose events were removed or are not public.
    left_out = {text for text in series.exdate if text > last} | (set(by_rule) - set(starts))
    first = min([*by_rule, *starts])
    component = icalendar.Event(model.component)
    _replace(component, "UID", series_uid(series.pk, urls))
    _replace(component, "DTSTART", _start(schedule, first))
    _replace(component, "DTEND", _end(schedule, first))
    component.pop("RELATED-TO", None)
    if schedule.rule:
        component.add("RRULE", icalendar.vRecur.from_ical(str(_with_exact_end(schedule.rule, schedule))))
    if added := sorted(set(starts) - {*by_rule, first}):
        component.add("RDATE", [_start(schedule, text) for text in added])
    if left_out:
        component.add("EXDATE", [_start(schedule, text) for text in sorted(left_out)])
    return component


def _exception(occurrence: Occurrence, schedule: Schedule, uid: str) -> icalendar.Event:
    """Return the component of an event that differs from its series."""
    component = occurrence.component
    _replace(component, "UID", uid)
    component.pop("RELATED-TO", None)
    component.add("RECURRENCE-ID", _start(schedule, occurrence.start))
    return component


def _content(component: icalendar.Event) -> bytes:
    shared = icalendar.Event(component)
    for name in OWN_PROPERTIES:
        shared.pop(name, None)
    return shared.to_ical()


def _replace(component: icalendar.Event, name: str, value: object) -> None:
    component.pop(name, None)
    component.add(name, value)


def _start(schedule: Schedule, occurrence: str) -> date:
    start = schedule.start_of(occurrence)
    return start.date() if schedule.all_day else start


def _end(schedule: Schedule, occurrence: str) -> date:
    end = schedule.end_of(occurrence)
    return day_after(end.date()) if schedule.all_day else end


def _with_exact_end(rule: Rule, schedule: Schedule) -> Rule:
    """Return the rule with the form of UNTIL that RFC 5545 requires: a day of all-day events, else a moment in UTC."""
    if not rule.until:
        return rule
    until = rule.until_on_clock(schedule.zone.tz)
    if schedule.all_day:
        return replace(rule, until=until.strftime("%Y%m%d"))
    moment = resolve_local(until.replace(microsecond=0), schedule.zone.tz).astimezone(UTC)
    return replace(rule, until=moment.strftime("%Y%m%dT%H%M%SZ"))
