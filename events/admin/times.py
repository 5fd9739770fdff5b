"""When an event happens, for a list."""

from datetime import datetime

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from calendar_site.content.dates import site_zone

DAY, CLOCK = "D j M Y", "H:i"


def time_span(event, *, is_all_day):
    """When an event happens, on its own clock; the zone is named where it is not the site's."""
    start, end = datetime.fromisoformat(event.start_local), datetime.fromisoformat(event.end_local)
    first, last = date_format(start, DAY), date_format(end, DAY)
    if is_all_day:
        text = _("%(days)s, all day") % {"days": first if first == last else f"{first} – {last}"}
    else:
        closing = date_format(end, CLOCK) if first == last else f"{last}, {date_format(end, CLOCK)}"
        text = f"{first}, {date_format(start, CLOCK)}" + (f" – {closing}" if end != start else "")
    return text if event.time_zone == site_zone().name else f"{text} ({event.time_zone})"
