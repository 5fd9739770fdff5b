"""When an event happens, in the language of the reader."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from django.utils.translation import gettext as _

from calendar_site.core.dates.conversion import (
    Zone,
    is_site_time,
    keep_same_time,
    parse_zone,
    site_zone,
    to_rfc3339,
    zone_abbreviation,
)
from calendar_site.core.dates.formatting import (
    format_clock,
    format_day,
    format_day_and_clock,
    format_day_and_time,
    format_time,
)
from events.loading import EventRow
from events.models import Event

LAST_SECOND = time(23, 59, 59)


class EventTime(NamedTuple):
    """The start and the end of an event as text and for `<time datetime>`.

    `end` is "" if the start is enough; `start` is "" for one whole day whose date is in a heading above. `zone_note` is
    "" if the site has the same time then.
    """

    start: str
    start_iso: str
    end: str
    end_iso: str
    is_all_day: bool
    zone_note: str


def format_event_time(event: Event | EventRow, *, hides_fields: bool = False, shows_day: bool = True) -> EventTime:
    """Return when an event happens, in its own time zone.

    `hides_fields` is for a reader who may not see `all_day`: then an event from 00:00:00 to 23:59:59 counts as all day.
    If `shows_day` is false, for lists with a heading for each day, the day of the start is left out if the event ends
    on that day or in the night after it.
    """
    zone = parse_zone(event.time_zone)
    start, end = local_start(event), local_end(event)
    note = format_zone_note(zone, event.start, event.end)
    is_all_day = takes_whole_days(start, end) if hides_fields else event.all_day
    if is_all_day:
        return _format_days(start.date(), end.date(), shows_day, note)
    start_iso, end_iso = to_rfc3339(event.start, zone), to_rfc3339(event.end, zone)
    ends_in_the_night_after = end.date() - start.date() == timedelta(days=1) and end.time() < start.time()
    if start.date() != end.date() and not ends_in_the_night_after:
        return EventTime(format_day_and_time(start), start_iso, format_day_and_time(end), end_iso, False, note)
    # The end of daylight saving time shows the same clock time twice: only at the same moment is there no end to show.
    end_text = "" if start_iso == end_iso else _format_end(start, end)
    start_text = _format_start(start, shows_day=shows_day, has_unit=not end_text or end.time() == time())
    return EventTime(start_text, start_iso, end_text, end_iso, False, note)


def takes_whole_days(starts: datetime, ends: datetime) -> bool:
    """Return whether an event is from the first to the last second of a day, or of several."""
    return starts.time() == time() and ends.time() == LAST_SECOND


def local_start(event: Event | EventRow) -> datetime:
    """Return the start on the clock of the event's time zone, naive, as lists are ordered by it."""
    return datetime.fromisoformat(event.start_local)


def local_end(event: Event | EventRow) -> datetime:
    """Return the end on the clock of the event's time zone, naive."""
    return datetime.fromisoformat(event.end_local)


def format_moment(moment: datetime, zone_note: str) -> str:
    """Return a moment in its own time zone, with a note such as “Asia/Tokyo, JST” in parentheses."""
    text = format_day_and_time(moment)
    return f"{text} ({zone_note})" if zone_note else text


def format_zone_note(zone: Zone, *moments: datetime) -> str:
    """Return the name of a time zone with its abbreviation at the first moment.

    Return "" if clocks show the same time there as in the time zone of the site, at all these moments.
    """
    if is_site_time(zone, *moments):
        return ""
    text, abbreviation = zone.name.replace("_", " "), zone_abbreviation(moments[0], zone)
    return text if abbreviation == zone.name else f"{text}, {abbreviation}"


def venue_zone_note(name: str) -> str:
    """Return the name of a venue's time zone, "" if it is unknown or has the time of the site."""
    return "" if not name or keep_same_time(parse_zone(name), site_zone()) else name.replace("_", " ")


def _format_days(first: date, last: date, shows_day: bool, zone_note: str) -> EventTime:
    if first != last:
        return EventTime(format_day(first), first.isoformat(), format_day(last), last.isoformat(), True, zone_note)
    return EventTime(format_day(first) if shows_day else "", first.isoformat(), "", "", True, zone_note)


def _format_start(start: datetime, *, shows_day: bool, has_unit: bool) -> str:
    """Return the start of an event; `has_unit` is false if the unit follows the end, as in `18:00 bis 20:30 Uhr`."""
    if shows_day:
        return format_day_and_time(start) if has_unit else format_day_and_clock(start)
    return format_time(start) if has_unit else format_clock(start)


def _format_end(start: datetime, end: datetime) -> str:
    """Return the time of an end on the day of the start or in the night after it."""
    if start.date() == end.date():
        return format_time(end)
    # Translators: these two stand behind the “to” of “18:00 to 02:00 the next day”.
    return _("midnight") if end.time() == time() else _("%(clock)s the next day") % {"clock": format_time(end)}
