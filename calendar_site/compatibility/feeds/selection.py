"""The events of a feed of the original: which ones its address and its parameters ask for."""

from __future__ import annotations

from calendar import monthrange
from datetime import date
from typing import Any, NamedTuple

from django.http import HttpRequest

from calendar_site.core import clock
from calendar_site.core.clock import Moments
from calendar_site.core.dates.conversion import site_zone
from calendar_site.feeds.calendars import EVERYBODY, MAX_EVENTS
from calendar_site.feeds.subscriptions import is_past, select_events
from events.calendar_periods import FIRST, LAST
from events.models import Event
from events.querysets import EventQuerySet
from taxonomy.models import Category

# How many events the original sends.
ORIGINAL_LIMIT = 30
MAX_IDS = 100


class Selected(NamedTuple):
    """Events in the order of a feed, and how many of them it has."""

    events: EventQuerySet
    limit: int = ORIGINAL_LIMIT


class FeedDays(NamedTuple):
    """The first and the last day that a feed is about."""

    first: date
    last: date


def listed_events(links: dict[str, Any] | None = None) -> EventQuerySet:
    """Return the events that everybody finds in lists; those with a term if `links` has its ids by the relation."""
    events = Event.objects.visible_to(EVERYBODY.user).listed()
    for relation, ids in (links or {}).items():
        events = events.with_fields_visible_to(EVERYBODY.user).linked_to(relation, list(ids))
    return events


def select(request: HttpRequest, events: EventQuerySet, days: FeedDays | None = None) -> Selected:
    """Return those of the events that the parameters of the request ask for, of these days if there are any."""
    days = days or _days_of_parameters(request)
    if ids := _ids(request):
        return Selected(events.filter(pk__in=ids).ordered_by_local_start())
    if days is not None:
        parameters = request.GET.copy()
        parameters.pop("tribe-bar-date", None)
        found = select_events(parameters, events, EVERYBODY).on_days(*_from_today(days))
        return Selected(found.ordered_by_local_start(), MAX_EVENTS)
    found = select_events(request.GET, events, EVERYBODY)
    if is_past(request):
        return Selected(found.ending_by(clock.now_among(Moments.EVENT_END)).order_by("-start_local", "-pk"))
    if request.GET.get("tribe-bar-date"):
        return Selected(found.ordered_by_local_start())
    return Selected(found.upcoming(clock.now_among(Moments.EVENT_END)))


def parse_month(text: str) -> FeedDays | None:
    """Return the days of a month such as `2027-06`, None for another text."""
    try:
        first = date.fromisoformat(f"{text}-01")
    except ValueError:
        return None
    return _within_calendar(first, first.replace(day=monthrange(first.year, first.month)[1]))


def parse_day(text: str) -> FeedDays | None:
    """Return a day such as `2027-06-12`, None for another text."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return _within_calendar(day, day)


def today() -> FeedDays:
    day = clock.today(site_zone().tz)
    return FeedDays(day, day)


def this_month() -> FeedDays:
    day = clock.today(site_zone().tz)
    return FeedDays(day.replace(day=1), day.replace(day=monthrange(day.year, day.month)[1]))


def ids_of_category(slug: str) -> set[int] | None:
    """Return the ids of a category and of those below it, None for an unknown one."""
    category = Category.objects.filter(slug=slug).first()
    return Category.objects.descendant_ids([category.pk]) if category else None


def _within_calendar(first: date, last: date) -> FeedDays | None:
    return FeedDays(first, last) if first >= FIRST and last <= LAST else None


def _from_today(days: FeedDays) -> FeedDays:
    """Return the days without those of the current month that have passed, which the original leaves out."""
    present = today().first
    is_this_month = days.first <= present <= days.last and days.first != days.last
    return FeedDays(present, days.last) if is_this_month else days


def _days_of_parameters(request: HttpRequest) -> FeedDays | None:
    """Return the days that the parameters of the original's views name."""
    display = request.GET.get("tribe_event_display") or request.GET.get("eventDisplay")
    text = request.GET.get("tribe-bar-date", "")
    if display == "month":
        return parse_month(text[:7]) if text else this_month()
    if display == "day":
        return parse_day(text) if text else today()
    return None


def _ids(request: HttpRequest) -> list[int]:
    """Return the ids in the parameter `event_ids`."""
    texts = request.GET.get("event_ids", "").split(",")[:MAX_IDS]
    return [int(text) for text in texts if text.strip().isdecimal() and len(text.strip()) <= 18]
