"""Calendars: their properties, their events, and the time zones of these."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

import icalendar
from django.contrib.auth.models import AnonymousUser

from calendar_site.api.site_urls import SiteURLs
from events.feeds.components import clean_text, event_components
from events.feeds.loading import load_calendar_events
from events.feeds.series_components import CombinedSeries, combine_series
from events.feeds.time_zones import define_zone
from events.loading import EventRow
from events.protection.protected_fields import Reader
from events.querysets import EventQuerySet

PRODUCT = "-//Event Calendar//Event Calendar//EN"
# Programs should fetch the calendar again after this time.
REFRESH = "PT1H"
# Calendars are the same for everybody: programs fetch them without credentials.
EVERYBODY = Reader(AnonymousUser())


class CalendarHead(NamedTuple):
    """The name of a calendar, and the URL of the page with the same events."""

    name: str
    url: str


def make_calendar(
    head: CalendarHead,
    rows: Sequence[EventRow],
    urls: SiteURLs,
    *,
    combines_series: bool,
    scope: EventQuerySet | None = None,
) -> bytes:
    """Return a calendar with these events. Nine queries at most, and 15 for series.

    With `combines_series`, the events of a series are one component with its recurrence rule, if all of them are in
    `scope`, the events of the calendar whatever their date; None for those of the site.
    """
    calendar = icalendar.Calendar()
    calendar.add("VERSION", "2.0")
    calendar.add("PRODID", PRODUCT)
    calendar.add("CALSCALE", "GREGORIAN")
    calendar.add("METHOD", "PUBLISH")
    # The library escapes no texts of unknown properties.
    calendar.add("X-WR-CALNAME", icalendar.vText(clean_text(head.name)))
    calendar.add("X-ORIGINAL-URL", head.url)
    calendar.add("REFRESH-INTERVAL", icalendar.vDuration.from_ical(REFRESH), parameters={"VALUE": "DURATION"})
    calendar.add("X-PUBLISHED-TTL", REFRESH)
    loaded = load_calendar_events(rows, EVERYBODY)
    combined = CombinedSeries([], set(), {})
    if combines_series:
        combined = combine_series(loaded.events, scope, EVERYBODY, urls)
    components = combined.components + event_components(loaded, urls, without=combined.event_ids)
    for component in (*_time_zones(components, combined.years), *components):
        calendar.add_component(component)
    return calendar.to_ical()


def _time_zones(components: Iterable[icalendar.Event], years: Mapping[str, set[int]]) -> list[icalendar.Timezone]:
    """Return the definitions of the zones in these components, for the years of their dates and `years`."""
    needed = defaultdict(set, {name: set(some) for name, some in years.items()})
    for component in components:
        for moment in (component.start, component.end):
            if isinstance(moment, datetime) and isinstance(moment.tzinfo, ZoneInfo):
                needed[moment.tzinfo.key].add(moment.year)
    return [define_zone(name, ZoneInfo(name), needed[name]) for name in sorted(needed)]
