"""Calendars: their properties, their events, the time zones of these, and the limits of their size."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, time
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import icalendar
from django.contrib.auth.models import AnonymousUser

from calendar_site.api.site_urls import SiteURLs
from calendar_site.core.dates.conversion import in_utc, site_zone
from calendar_site.core.text.plain_text import shorten
from calendar_site.feeds.components import (
    WITH_BULLETS,
    Texts,
    clean_text,
    event_components,
    replace_property,
    set_transparency,
    withdrawn_component,
)
from calendar_site.feeds.loading import load_calendar_events
from calendar_site.feeds.series_components import CombinedSeries, combine_series
from calendar_site.feeds.time_zones import define_zone
from events.loading import EventRow
from events.protection.protected_fields import Reader
from events.querysets import EventQuerySet
from events.withdrawn_models import WithdrawnEvent

PRODUCT = "-//Event Calendar//Event Calendar//EN"
# Programs should fetch the calendar again after this time.
REFRESH = "PT1H"
# Calendars are the same for everybody: programs fetch them without credentials.
EVERYBODY = Reader(AnonymousUser())
# Google drops events of calendars beyond 1 MB without a word (D49).
MAX_BYTES = 900_000
MAX_EVENTS = 1000
# The characters of descriptions in a calendar that would be too large. The link to the page follows.
SHORT_DESCRIPTION = 500


class CalendarHead(NamedTuple):
    """The name of a calendar, "" for none, its description, and the URL of the page with the same events."""

    name: str
    url: str
    description: str = ""


class CalendarFile(NamedTuple):
    """A calendar, and how many events it lacks, or has with shortened descriptions, because of its limits."""

    content: bytes
    left_out: int = 0
    shortened: int = 0


def make_event_file(
    rows: Sequence[EventRow], urls: SiteURLs, *, combines_series: bool, texts: Texts = WITH_BULLETS
) -> CalendarFile:
    """Return a file with one event, or its series, for programs to add it to a calendar of the user.

    It has no properties of a calendar: Outlook would open a new calendar instead of adding the event. Nine queries at
    most, and 15 for a series.
    """
    loaded = load_calendar_events(rows, EVERYBODY)
    combined = CombinedSeries([], set(), {})
    if combines_series:
        combined = combine_series(loaded.events, None, EVERYBODY, urls)
    components = combined.components + event_components(loaded, urls, without=combined.event_ids, texts=texts)
    for component in components:
        set_transparency(component, blocks_time=True)
    return CalendarFile(_serialize(_new_calendar(), components, combined.years))


def make_calendar(
    head: CalendarHead,
    rows: Sequence[EventRow],
    urls: SiteURLs,
    *,
    combines_series: bool,
    scope: EventQuerySet | None = None,
    withdrawn: Iterable[WithdrawnEvent] = (),
    texts: Texts = WITH_BULLETS,
) -> CalendarFile:
    """Return a calendar to subscribe to, with these events. Nine queries at most, and 15 for series.

    With `combines_series`, the events of a series are one component with its recurrence rule, if all of them are in
    `scope`, the events of the calendar whatever their date; None for those of the site. `texts` says how descriptions
    are written. If the calendar is too large,
    the longest descriptions are shortened first, and then the latest events left out.
    """
    calendar = _new_calendar()
    # The library escapes no texts of unknown properties.
    if head.name:
        calendar.add("X-WR-CALNAME", icalendar.vText(clean_text(head.name)))
    if head.description:
        calendar.add("X-WR-CALDESC", icalendar.vText(clean_text(head.description)))
    calendar.add("X-ORIGINAL-URL", head.url)
    calendar.add("REFRESH-INTERVAL", icalendar.vDuration.from_ical(REFRESH), parameters={"VALUE": "DURATION"})
    calendar.add("X-PUBLISHED-TTL", REFRESH)
    included, left_out = rows[:MAX_EVENTS], len(rows[MAX_EVENTS:])
    loaded = load_calendar_events(included, EVERYBODY)
    combined = CombinedSeries([], set(), {})
    if combines_series:
        combined = combine_series(loaded.events, scope, EVERYBODY, urls)
    components = combined.components + event_components(loaded, urls, without=combined.event_ids, texts=texts)
    # A rule leaves out the dates of its events that were withdrawn.
    series = {row.series_id for row in included if row.id in combined.event_ids}
    components += [
        withdrawn_component(event, urls) for event in withdrawn if series.isdisjoint(event.links.get("series", ()))
    ]
    fitted, shortened = _fit(components)
    content = _serialize(calendar, fitted, combined.years)
    return CalendarFile(content, left_out + len(components) - len(fitted), shortened)


def _new_calendar() -> icalendar.Calendar:
    calendar = icalendar.Calendar()
    calendar.add("VERSION", "2.0")
    calendar.add("PRODID", PRODUCT)
    calendar.add("CALSCALE", "GREGORIAN")
    calendar.add("METHOD", "PUBLISH")
    return calendar


def _serialize(
    calendar: icalendar.Calendar, components: Sequence[icalendar.Event], years: Mapping[str, set[int]]
) -> bytes:
    for component in (*_time_zones(components, years), *components):
        calendar.add_component(component)
    return calendar.to_ical()


def _fit(components: list[icalendar.Event]) -> tuple[list[icalendar.Event], int]:
    """Return the components that fit into a calendar, and how many of them got shorter descriptions."""
    sizes = {id(component): len(component.to_ical()) for component in components}
    if sum(sizes.values()) <= _room():
        return components, 0
    shortened = 0
    for component in sorted(components, key=lambda component: -sizes[id(component)]):
        if sum(sizes.values()) > _room() and _shorten(component):
            sizes[id(component)] = len(component.to_ical())
            shortened += 1
    # The latest ones last.
    kept, used = set(), 0
    for component in sorted(components, key=_start_of):
        used += sizes[id(component)]
        if used > _room():
            break
        kept.add(id(component))
    return [component for component in components if id(component) in kept], shortened


def _room() -> int:
    """Return how many bytes the events may have, beside the calendar itself and its time zones."""
    return MAX_BYTES - 30_000 if MAX_BYTES > 100_000 else MAX_BYTES


def _shorten(component: icalendar.Event) -> bool:
    """Shorten a long description, and add the link to the page. Return whether it was long."""
    description = str(component.get("DESCRIPTION", ""))
    if len(description) <= SHORT_DESCRIPTION:
        return False
    replace_property(component, "DESCRIPTION", f"{shorten(description, SHORT_DESCRIPTION)}\n{component['URL']}")
    return True


def _start_of(component: icalendar.Event) -> datetime:
    start: Any = component["DTSTART"].dt  # type: ignore[union-attr] # the type of the library allows any property
    if not isinstance(start, datetime):
        start = datetime.combine(start, time(), site_zone().tz)
    return in_utc(start)


def _time_zones(components: Iterable[icalendar.Event], years: Mapping[str, set[int]]) -> list[icalendar.Timezone]:
    """Return the definitions of the zones in these components, for the years of their dates and `years`."""
    needed = defaultdict(set, {name: set(some) for name, some in years.items()})
    for component in components:
        for moment in (component.start, component.end):
            if isinstance(moment, datetime) and isinstance(moment.tzinfo, ZoneInfo):
                needed[moment.tzinfo.key].add(moment.year)
    return [define_zone(name, ZoneInfo(name), needed[name]) for name in sorted(needed)]
