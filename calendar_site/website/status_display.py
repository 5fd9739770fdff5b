"""Whether, how and how accessibly an event takes place, as text for the pages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from calendar_site.core.choices import Accessibility
from calendar_site.core.dates.conversion import parse_zone
from calendar_site.core.dates.formatting import format_day, format_day_and_time
from calendar_site.core.text.html import link_url
from events.choices import AttendanceMode, EventStatus
from events.loading import EventRow, LoadedEvent
from events.models import Event

SENTENCES = {
    EventStatus.CANCELLED: gettext_lazy("This event has been cancelled."),
    EventStatus.POSTPONED: gettext_lazy("This event has been postponed. The new date is not known yet."),
    EventStatus.RESCHEDULED: gettext_lazy("This event has been rescheduled. It was planned for %(date)s."),
    EventStatus.MOVED_ONLINE: gettext_lazy("This event has been moved online."),
}


class StatusNotice(NamedTuple):
    """The notice on the page of an event that does not take place as planned."""

    status: str
    sentence: str
    reason: str


class OnlineAttendance(NamedTuple):
    """How to attend an event online. `url` is "" for none, and `is_hidden` if it is shown later."""

    url: str
    is_hidden: bool


def status_notice(row: Event | EventRow) -> StatusNotice | None:
    """Return the notice about the status of an event, None if it takes place as planned."""
    status = EventStatus(row.event_status)
    if status == EventStatus.SCHEDULED:
        return None
    sentence = str(SENTENCES[status])
    if status == EventStatus.RESCHEDULED and row.previous_start:
        previous = row.previous_start.astimezone(parse_zone(row.time_zone).tz)
        date = format_day(previous.date()) if row.all_day else format_day_and_time(previous)
        sentence = sentence % {"date": date}
    return StatusNotice(status.value, sentence, row.event_status_reason)


def event_badges(row: Any, *, hides_fields: bool) -> list[tuple[str, str]]:
    """Return a class of CSS and a text for each badge of an event in a list."""
    if hides_fields:
        return []
    badges = []
    if row.event_status != EventStatus.SCHEDULED:
        badges.append((row.event_status, str(EventStatus(row.event_status).label)))
    if row.sold_out:
        badges.append(("sold-out", pgettext("event", "Sold out")))
    if row.attendance_mode == AttendanceMode.ONLINE and row.event_status != EventStatus.MOVED_ONLINE:
        badges.append(("online", _("Online")))
    return badges


def online_attendance(row: Event | EventRow, *, is_hidden: bool) -> OnlineAttendance | None:
    """Return how to attend an event online, None if that is not possible."""
    if row.attendance_mode == AttendanceMode.IN_PERSON:
        return None
    return OnlineAttendance("" if is_hidden else link_url(row.online_url), is_hidden)


def accessibility_of_event(event: LoadedEvent) -> list[str]:
    """Return the labels of the features of an event and its venues."""
    features = list(event.row.accessibility)
    for venue in event.venues:
        features += venue.accessibility
    return accessibility_labels(features)


def accessibility_labels(features: Iterable[str]) -> list[str]:
    found = set(features)
    return [str(feature.label) for feature in Accessibility if feature in found]
