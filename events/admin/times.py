"""When an event happens, for a list."""

from datetime import datetime, time, timedelta

from django.utils.translation import gettext as _

from calendar_site.content.dates import site_zone
from calendar_site.content.days import clock, short_day, short_day_and_clock

# When an event begins of which only the day is known, and how long it lasts.
EVENING = time(19, 0)
LENGTH = timedelta(hours=2)


def time_span(event, *, is_all_day):
    """When an event happens, on its own clock; the zone is named where it is not the site's."""
    text = span(*map(datetime.fromisoformat, (event.start_local, event.end_local)), is_all_day=is_all_day)
    return text if event.time_zone == site_zone().name else f"{text} ({event.time_zone})"


def span(start, end, *, is_all_day=False):
    """From one moment to another on one clock: what both have in common is said once."""
    is_one_day = start.date() == end.date()
    if is_all_day:
        first, last = short_day(start), short_day(end)
        return _("%(days)s, all day") % {"days": first if is_one_day else f"{first} – {last}"}
    if start == end:
        return short_day_and_clock(start)
    return f"{short_day_and_clock(start)} – {clock(end) if is_one_day else short_day_and_clock(end)}"


def span_beside(start, end, tz):
    """The same moments on the clock of another zone, with their days only where these are others there."""
    there = start.astimezone(tz), end.astimezone(tz)
    if any(moment.date() != start.date() for moment in (*there, end)):
        return span(*there)
    first, last = map(clock, there)
    return first if start == end else f"{first} – {last}"
