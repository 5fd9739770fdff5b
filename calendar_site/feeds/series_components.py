"""Series as components of a calendar: the recurrence rule, and the events that differ from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import MAXYEAR, UTC, date, datetime, timedelta
from typing import NamedTuple

import icalendar
from django.db.models import Count, Max

from calendar_site.api.site_urls import SiteURLs
from calendar_site.core.dates.conversion import resolve_local
from calendar_site.feeds.components import (
    Times,
    day_after,
    event_components,
    fitting_categories,
    has_definition,
    replace_property,
    series_uid,
    set_texts,
    set_times,
    set_version,
)
from calendar_site.feeds.loading import TextDigest, load_calendar_events, read_descriptions, read_rows_to_compare
from events.loading import LoadedEvent
from events.models import Event, Series
from events.protection.protected_fields import Reader, always_shows_online_url
from events.querysets import EventQuerySet
from events.recurrence.rules import Rule
from events.recurrence.schedules import Schedule
from events.series.deviations import is_moved

# The events of combined series in one calendar. Those of further series stay single events.
MAX_COMBINED_EVENTS = 1500
# A rule without an end repeats after the last event that exists.
YEARS_AHEAD = 5
# The properties in which the events of a series always differ, or by time: CONFERENCE may appear before the start.
OWN_PROPERTIES = ("UID", "DTSTAMP", "SEQUENCE", "CREATED", "LAST-MODIFIED", "URL", "DTSTART", "DTEND", "CONFERENCE")


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
    # Without description and categories, which the limits of a calendar would cut in some of the events.
    component: icalendar.Event
    description: TextDigest

    @property
    def start(self) -> str:
        """The local start that the series gave the event."""
        return self.event.row.series_occurrence


class Dates(NamedTuple):
    """The local starts in the component of a series."""

    # With which the rule begins: clients count it as its first date, even if it does not match the rule.
    first: str
    # Later events that the rule does not give.
    added: list[str]
    # Dates of the rule without an event.
    left_out: list[str]


class Form(NamedTuple):
    """The properties that clients take from the rule component for each event of the series."""

    # The properties in which events do not always differ.
    content: bytes
    description: TextDigest
    category_ids: tuple[int, ...]
    # "" if it is hidden until shortly before the start: past events would differ from coming ones without a change.
    online_url: str
    # Clients repeat the exact one, so that an event ends earlier or later on the clock in a night when that changes.
    # None for all-day events.
    duration: timedelta | None


def combine_series(
    events: Iterable[LoadedEvent], scope: EventQuerySet | None, reader: Reader, urls: SiteURLs
) -> CombinedSeries:
    """Return the series of these events, with all listed events that the reader may see. 14 queries at most.

    `scope` are the events that may be in the calendar, past ones included; None for all. A series with other events is
    left out: its rule would show them, or repeat an exception.
    """
    ids = dict.fromkeys(event.row.series_id or 0 for event in events if event.rrule is not None)
    listed = Event.objects.visible_to(reader.user).listed().with_fields_visible_to(reader.user)
    chosen = _choose(list(ids), listed, scope)
    rows, digests = read_rows_to_compare(
        listed.filter(series__in=chosen).order_by("series_occurrence", "pk"), MAX_COMBINED_EVENTS
    )
    loaded = load_calendar_events(rows, reader)
    without_texts = loaded._replace(events=[event._replace(categories=[]) for event in loaded.events])
    by_series: dict[int, list[Occurrence]] = {pk: [] for pk in chosen}
    for event, component in zip(loaded.events, event_components(without_texts, urls), strict=True):
        by_series[event.row.series_id or 0].append(Occurrence(event, component, digests[event.row.id]))
    combined = CombinedSeries([], set(), {})
    written: list[Occurrence] = []
    # All events count: one that is no longer public changes the component as well, as does one that becomes public.
    changed = Series.objects.filter(pk__in=chosen).annotate(last_event_change=Max("events__modified_at"))
    for series in changed.order_by("pk"):
        occurrences = by_series[series.pk]
        published = [each.event.row.published_at for each in occurrences]
        changed_at = max(series.modified_at, series.last_event_change or series.modified_at, *published)
        # In some zones, the last hours of the year 9999 are no moments in UTC: such a series stays single events.
        with suppress(OverflowError):
            written += _add_series(combined, series, occurrences, urls, changed_at=changed_at)
    _add_texts(written)
    combined.components.extend(occurrence.component for occurrence in written)
    return combined


def _choose(ids: list[int], listed: EventQuerySet, scope: EventQuerySet | None) -> list[int]:
    """Return the series with all of their listed events in `scope`, MAX_COMBINED_EVENTS events together at most."""
    counts = _count_by_series(ids, listed)
    in_scope = counts if scope is None else _count_by_series(ids, scope)
    chosen, total = [], 0
    for pk in ids:
        count = counts.get(pk, 0)
        if in_scope.get(pk, 0) == count and total + count <= MAX_COMBINED_EVENTS:
            chosen.append(pk)
            total += count
    return chosen


def _count_by_series(ids: list[int], events: EventQuerySet) -> dict[int, int]:
    return dict(events.filter(series__in=ids).order_by().values_list("series").annotate(Count("pk")))


def _add_series(
    combined: CombinedSeries,
    series: Series,
    occurrences: Sequence[Occurrence],
    urls: SiteURLs,
    *,
    changed_at: datetime,
) -> list[Occurrence]:
    """Add the events and years of a series, and return its components, each with the event whose texts it will have.

    Returns no components if a calendar cannot express the series. Raises OverflowError, and adds nothing then.
    """
    schedule = Schedule.of(series)
    dates = _dates(series, schedule, [each.start for each in occurrences])
    if dates is None or not (schedule.all_day or schedule.zone.tz is UTC or has_definition(schedule.zone)):
        return []
    # Events before the first date of the rule stay single events.
    included = [each for each in occurrences if each.start >= dates.first]
    regular = {each.start: _form(each) for each in included if not is_moved(each.event.row, schedule)}
    if not regular:
        return []
    frequency = Counter(regular.values())
    # The latest of several with the most frequent form, which most likely has the present values of the series.
    model = max(
        (each for each in included if each.start in regular),
        key=lambda each: (frequency[regular[each.start]], each.start),
    )
    form = regular[model.start]
    written = [model._replace(component=_rule_component(schedule, dates, model, form))]
    written += [
        each._replace(component=_exception(each, schedule)) for each in included if regular.get(each.start) != form
    ]
    for _event, component, _digest in written:
        replace_property(component, "UID", series_uid(model.event.row, urls))
        component.pop("RELATED-TO", None)
        # The same for all components with one UID, so that no program takes an exception for outdated.
        set_version(component, changed_at)
    combined.event_ids.update(each.event.row.id for each in included)
    if has_definition(schedule.zone) and not schedule.all_day:
        years = {int(each.start[:4]) for each in included}
        ahead = range(max(years), min(max(years) + YEARS_AHEAD, MAXYEAR) + 1)
        combined.years.setdefault(schedule.zone.name, set()).update(years, ahead)
    return written


def _add_texts(written: Iterable[Occurrence]) -> None:
    """Add descriptions and categories to these components, first to those with rules. One query."""
    ordered = sorted(written, key=lambda each: "RECURRENCE-ID" in each.component)
    descriptions = read_descriptions((each.event.row.id, each.description.length) for each in ordered)
    categories = fitting_categories(each.event for each in ordered)
    for (event, component, _digest), names in zip(ordered, categories, strict=True):
        set_texts(component, descriptions.get(event.row.id, ""), names)


def _dates(series: Series, schedule: Schedule, starts: Sequence[str]) -> Dates | None:
    """Return the dates of the component; None if its rule would give others than the series."""
    if not starts or schedule.rule is None:
        return Dates(starts[0], list(starts[1:]), []) if starts else None
    last = max(series.extended_until, starts[-1])
    by_rule = [
        str(start)
        for start in schedule.rule.occurrences(schedule.start, datetime.fromisoformat(last), schedule.zone.tz)
    ]
    # Programs ignore local times that the clock skips, and do not count them.
    if not by_rule or not (schedule.all_day or all(_is_on_clock(text, schedule) for text in by_rule)):
        return None
    # Dates that the series leaves out later than events exist, and those whose events were removed or are not public.
    left_out = {text for text in series.exdate if text > last} | (set(by_rule) - set(starts))
    added = {text for text in starts if text > by_rule[0]} - set(by_rule)
    return Dates(by_rule[0], sorted(added), sorted(left_out))


def _is_on_clock(occurrence: str, schedule: Schedule) -> bool:
    return str(schedule.start_of(occurrence).replace(tzinfo=None)) == occurrence


def _form(occurrence: Occurrence) -> Form:
    row, shared = occurrence.event.row, icalendar.Event(occurrence.component)
    for name in OWN_PROPERTIES:
        shared.pop(name, None)
    category_ids = tuple(category.id for category in occurrence.event.categories)
    duration = None if row.all_day else row.end - row.start
    online_url = row.online_url if always_shows_online_url(row) else ""
    return Form(shared.to_ical(), occurrence.description, category_ids, online_url, duration)


def _rule_component(schedule: Schedule, dates: Dates, model: Occurrence, form: Form) -> icalendar.Event:
    """Return the component with the rule, and with the dates by which the events deviate from it."""
    component = icalendar.Event(model.component)
    set_times(component, _times(schedule, dates.first, form.duration))
    if not form.online_url:
        component.pop("CONFERENCE", None)
    if schedule.rule:
        component.add("RRULE", icalendar.vRecur.from_ical(str(_with_exact_end(schedule.rule, schedule))))
    if dates.added:
        component.add("RDATE", [_start(schedule, text) for text in dates.added])
    if dates.left_out:
        component.add("EXDATE", [_start(schedule, text) for text in dates.left_out])
    return component


def _times(schedule: Schedule, occurrence: str, duration: timedelta | None) -> Times:
    """Return the times of an occurrence with this exact duration; None for all-day events."""
    start = schedule.start_of(occurrence)
    if duration is None:
        return Times(start.date(), day_after(schedule.end_of(occurrence).date()))
    end = start.astimezone(UTC) + duration
    local = end.astimezone(schedule.zone.tz)
    # The second of two equal times on the clock cannot be written in the zone.
    return Times(start, end if local.fold else local)


def _exception(occurrence: Occurrence, schedule: Schedule) -> icalendar.Event:
    """Return the component of an event that differs from its series."""
    component = icalendar.Event(occurrence.component)
    component.add("RECURRENCE-ID", _start(schedule, occurrence.start))
    return component


def _start(schedule: Schedule, occurrence: str) -> date:
    start = schedule.start_of(occurrence)
    return start.date() if schedule.all_day else start


def _with_exact_end(rule: Rule, schedule: Schedule) -> Rule:
    """Return the rule with the form of UNTIL that RFC 5545 requires: a day of all-day events, else a moment in UTC."""
    if not rule.until:
        return rule
    until = rule.until_on_clock(schedule.zone.tz)
    if schedule.all_day:
        return replace(rule, until=until.strftime("%Y%m%d"))
    moment = resolve_local(until.replace(microsecond=0), schedule.zone.tz).astimezone(UTC)
    return replace(rule, until=moment.strftime("%Y%m%dT%H%M%SZ"))
