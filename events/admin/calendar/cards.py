"""The cards of events in the calendar."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from django.utils.translation import pgettext

from calendar_site.back_office.lists.columns import status_text
from calendar_site.back_office.urls import admin_url
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.core.dates.formatting import format_clock, format_day_without_weekday
from calendar_site.core.types import AnyUser
from events.admin.calendar.shown_times import shown_times
from events.admin.columns import venue_names
from events.admin.time_display import format_event_times
from events.choices import EventStatus
from events.event_days import days_of_event
from events.models import Event
from taxonomy.admin.colors import TermStyle, term_style

# Longer events are shown once, above the days.
MIN_LONG_DURATION = timedelta(days=7)
# The event statuses of events that do not take place as announced: their titles are struck through.
NOT_TAKING_PLACE = (EventStatus.CANCELLED, EventStatus.POSTPONED)


class CalendarCard(NamedTuple):
    """An event in the calendar, with only the fields that the list shows."""

    event: Event
    url: str
    # Times on the clock of the site, and the days on which it is shown.
    starts: datetime
    ends: datetime
    start: date
    end: date
    days: str
    # Whether it is shown above the days, because it is long.
    is_long: bool
    time: str
    # When it ends, if that is after midnight.
    until: str
    # When it starts in its own time zone, if the site has another time; "" otherwise.
    elsewhere: str
    when: str
    venues: str
    category: Any
    color: TermStyle
    # "" for an event that is published now.
    status: str
    # Labels such as "Cancelled" and "Sold out".
    marks: list[str]
    is_struck: bool
    is_repeated: bool
    can_move: bool
    move_url: str


def make_card(event: Any, user: AnyUser, list_query: str) -> CalendarCard:
    """Return the card of an event. `list_query` is the query string that leads from its form back to the calendar."""
    category = next(iter(event.categories.all()), None) if event.has_visible_fields else None
    is_all_day = event.all_day and event.has_visible_fields
    starts, ends, elsewhere = shown_times(event, is_all_day=is_all_day)
    first, last = days_of_event(starts, ends, is_all_day=is_all_day)
    is_after_midnight = max(starts, ends - timedelta(seconds=1)).date() > first and not is_all_day
    return CalendarCard(
        event=event,
        url=admin_url(event, "change", event.pk) + list_query,
        starts=starts,
        ends=ends,
        start=first,
        end=last,
        days=f"{format_day_without_weekday(first)} – {format_day_without_weekday(last)}",
        is_long=last - first >= MIN_LONG_DURATION,
        time="" if is_all_day else format_clock(starts),
        until=format_clock(ends) if is_after_midnight else "",
        elsewhere=elsewhere,
        when=format_event_times(event, is_all_day=is_all_day),
        venues=venue_names(event),
        category=category,
        color=term_style(category),
        status="" if event.is_published and event.status == Status.PUBLISH else status_text(event),
        marks=status_marks(event),
        is_struck=event.has_visible_fields and event.event_status in NOT_TAKING_PLACE,
        is_repeated=event.has_visible_fields and event.series_id is not None,
        can_move=event.status != Status.TRASH and permissions.can_edit(user, event),
        move_url=admin_url(event, "move", event.pk),
    )


def status_marks(event: Any) -> list[str]:
    """Return labels for what visitors have to know about the event: it was cancelled, or is sold out."""
    if not event.has_visible_fields:
        return []
    is_planned = event.event_status == EventStatus.SCHEDULED
    marks = [] if is_planned else [str(EventStatus(event.event_status).label)]
    return [*marks, pgettext("event", "Sold out")] if event.sold_out else marks
