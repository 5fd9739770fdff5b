"""When an event happens, for a list."""

from datetime import datetime

from django.utils.translation import gettext as _

from calendar_site.content.dates import site_zone
from calendar_site.content.days import clock, short_day, short_day_and_clock


def time_span(event, *, is_all_day):
    """When an event happens, on its own clock; the zone is named where it is not the site's."""
    start, end = datetime.fromisoformat(event.start_local), datetime.fromisoformat(event.end_local)
    is_one_day = start.date() == end.date()
    if is_all_day:
        first, last = short_day(start), short_day(end)
        text = _("%(days)s, all day") % {"days": first if is_one_day else f"{first} – {last}"}
    else:
        text = short_day_and_clock(start)
        if end != start:
            text = f"{text} – {clock(end) if is_one_day else short_day_and_clock(end)}"
    return text if event.time_zone == site_zone().name else f"{text} ({event.time_zone})"
