"""Which calendars were larger than programs read, for editors (D49).

Programs show nothing when a calendar lacks events. The header of the response says it to those who look, and the start
page of the admin to everybody else.
"""

from __future__ import annotations

from typing import NamedTuple

from calendar_site.core.cached_hints import read_hint, write_hint

KEY = "feeds:too-large"
# A calendar that nobody has fetched for so long is forgotten.
SECONDS = 7 * 24 * 3600
# Those that were noticed last. A site of one large category has few of them.
MAX_CALENDARS = 8


class CalendarSize(NamedTuple):
    """How many events a calendar lacks, or has with shortened descriptions, because of its limits."""

    name: str
    # The URL of the page with the same events.
    url: str
    left_out: int
    shortened: int


def note_size(size: CalendarSize) -> None:
    """Note that a calendar was too large, or forget it if it no longer is.

    Notes are hints: they are kept in the cache, so that reading a calendar writes nothing to the database.
    """
    noted = too_large_calendars()
    current = [other for other in noted if other.url != size.url]
    if size.left_out or size.shortened:
        current = [size, *current]
    if current != noted:
        write_hint(KEY, [tuple(each) for each in current[:MAX_CALENDARS]], SECONDS)


def too_large_calendars() -> list[CalendarSize]:
    """Return the calendars that were too large when a program last fetched them, the latest first."""
    return [CalendarSize(*each) for each in read_hint(KEY, [])]
