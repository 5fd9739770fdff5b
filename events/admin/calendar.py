"""The calendar of the admin: events by day, and moving them to other days."""

from __future__ import annotations

from collections import defaultdict
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect, JsonResponse
from django.template.response import TemplateResponse
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from unfold.views import ChangeList

from calendar_site.back_office.lists.columns import status_text
from calendar_site.back_office.urls import admin_url, is_page
from calendar_site.core import clock, permissions
from calendar_site.core.choices import Status
from calendar_site.core.date_format import format_clock, format_day, format_day_without_weekday
from calendar_site.core.dates import site_zone
from calendar_site.core.types import AnyUser
from calendar_site.core.write_lock import write_lock
from events.admin.columns import venue_names
from events.admin.periods import LIST, MONTH, WEEK, Period, parse_period
from events.admin.prefetches import hue_of, prefetch_category_names
from events.admin.time_display import DEFAULT_DURATION, DEFAULT_START_TIME, format_event_times
from events.models import Event
from events.services import move_event

if TYPE_CHECKING:
    from events.admin.event_admin import EventAdmin

VIEW, DAY = "view", "day"
# To see further events, users narrow the calendar with a filter.
MAX_EVENTS = 1000
MAX_EVENTS_PER_DAY = 5
# When the night is over that began with the day before.
END_OF_NIGHT = time(6)
# Longer events are shown once, above the days.
MIN_LONG_DURATION = timedelta(days=7)


class CalendarChangeList(ChangeList):
    """The events that match the filters, without pagination."""

    def get_filters_params(self, params: Any = None) -> dict[str, Any]:
        filters: dict[str, Any] = super().get_filters_params(params)
        return {name: value for name, value in filters.items() if name not in (VIEW, DAY)}

    def get_results(self, request: HttpRequest) -> None:
        self.result_count = self.full_result_count = 0
        self.result_list: list[Event] = []
        self.show_full_result_count = self.show_admin_actions = self.can_show_all = self.multi_page = False


class CalendarCard(NamedTuple):
    """An event in the calendar, with only the fields that the list shows."""

    event: Event
    url: str
    start: date
    end: date
    days: str
    # Whether it is shown above the days, because it is long.
    is_long: bool
    time: str
    when: str
    venues: str
    category: Any
    hue: Any
    # "" for an event that is published now.
    status: str
    can_move: bool
    move_url: str


class Day(NamedTuple):
    day: date
    name: str
    is_today: bool
    # Whether it is outside the month that is shown.
    is_outside: bool
    cards: list[CalendarCard]
    more_cards: list[CalendarCard]
    add_url: str | None


def is_calendar(request: HttpRequest) -> bool:
    return is_page(request, Event, "calendar")


def calendar_view(request: HttpRequest, *, model_admin: EventAdmin) -> HttpResponse:
    """Show the events of a month or a week that match the filters."""
    if not model_admin.has_view_permission(request):
        raise PermissionDenied
    try:
        changelist = model_admin.get_changelist_instance(request)
    except IncorrectLookupParameters:
        return HttpResponseRedirect(request.path)
    request.heading = _("Calendar")  # type: ignore[attr-defined]
    today = clock.today(site_zone().tz)
    period = parse_period(request.GET.get(VIEW), request.GET.get(DAY), today)
    found = changelist.queryset.on_days(period.first, period.last).ordered_by_local_start()
    events = list(found.prefetch_related(prefetch_category_names())[: MAX_EVENTS + 1])
    query = changelist.get_query_string({VIEW: period.view, DAY: period.day.isoformat()})[1:]
    here = f"?{urlencode({'_changelist_filters': query})}"
    cards = [_card(event, request.user, here) for event in events[:MAX_EVENTS]]
    by_day = _by_day([card for card in cards if not card.is_long], period)
    can_add = model_admin.has_add_permission(request)
    context = {
        **model_admin.admin_site.each_context(request),
        "cl": changelist,
        "opts": model_admin.opts,
        "media": model_admin.media,
        "title": _("Calendar"),
        "subtitle": period.name,
        "has_add_permission": can_add,
        "period": period,
        "weekdays": [WEEKDAYS[day.weekday()] for day in period.weeks[0]],
        "weeks": [
            [_day(day, by_day.get(day, []), period, today, can_add=can_add) for day in week] for week in period.weeks
        ],
        "days": [_day(day, by_day[day], period, today, can_add=can_add) for day in sorted(by_day)],
        "long_events": [card for card in cards if card.is_long],
        "views": [(name, label, _query(changelist, name, period.day)) for name, label in _views()],
        "navigation": [
            (
                "chevron_left",
                pgettext("a month, a week or a list", "Previous"),
                _query(changelist, period.view, period.previous.day),
            ),
            ("today", _("Today"), _query(changelist, period.view, today)),
            (
                "chevron_right",
                pgettext("a month, a week or a list", "Next"),
                _query(changelist, period.view, period.next.day),
            ),
        ],
        "categories": _legend(cards),
        "is_cut": len(events) > MAX_EVENTS,
        "most": MAX_EVENTS,
    }
    return TemplateResponse(request, "admin/events/event/calendar.html", context)


def move_view(request: HttpRequest, *, object_id: str, model_admin: EventAdmin) -> HttpResponse:
    """Move an event from the day `from` to the day `to`, and return JSON with a message."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    try:
        old, new = (date.fromisoformat(request.POST.get(name, "")) for name in ("from", "to"))
    except ValueError:
        return _error(_("Not a valid date."), 400)
    with write_lock():
        event = model_admin.get_object(request, unquote(object_id))
        if event is None:
            raise Http404
        if event.status == Status.TRASH or not model_admin.has_change_permission(request, event):
            return _error(_("You do not have permission to change “%(event)s”.") % {"event": event}, 403)
        if event.start_local[:10] != old.isoformat():
            return _error(_("Someone else has moved “%(event)s” in the meantime.") % {"event": event}, 409)
        try:
            move_event(event, step=new - old, user=request.user)
        except (ValueError, ValidationError) as error:
            return _error(" ".join(getattr(error, "messages", [str(error)])), 400)
    message = _("“%(event)s” was moved to %(day)s.") % {"event": event, "day": format_day(new)}
    return JsonResponse({"message": message, "from": new.isoformat(), "to": old.isoformat()})


def calendar_of_list(request: HttpRequest) -> HttpResponse | None:
    """Return a redirect to the calendar for the list with the parameters of the calendar; None for any other list.

    A form that was opened from the calendar leads back there, as Django leads back to the filters of a list.
    """
    if VIEW not in request.GET:
        return None
    return HttpResponseRedirect(f"{admin_url(Event, 'calendar')}?{request.GET.urlencode()}")


def _card(event: Any, user: AnyUser, list_query: str) -> CalendarCard:
    """Return the card of an event. `list_query` is the query string that leads from its form back to the calendar."""
    category = next(iter(event.categories.all()), None) if event.has_visible_fields else None
    is_all_day = event.all_day and event.has_visible_fields
    start, end = datetime.fromisoformat(event.start_local), datetime.fromisoformat(event.end_local)
    # An event that ends at midnight is over when the day begins, and one that ends in the night belongs to its evening.
    first, last = start.date(), max(start, end - timedelta(seconds=1)).date()
    if not is_all_day and end - start < timedelta(days=1) and end.time() <= END_OF_NIGHT:
        last = first
    return CalendarCard(
        event=event,
        url=admin_url(event, "change", event.pk) + list_query,
        start=first,
        end=last,
        days=f"{format_day_without_weekday(first)} – {format_day_without_weekday(last)}",
        is_long=last - first >= MIN_LONG_DURATION,
        time="" if is_all_day else format_clock(start),
        when=format_event_times(event, is_all_day=is_all_day),
        venues=venue_names(event),
        category=category,
        hue=hue_of(category) if category else "none",
        status="" if event.is_published and event.status == Status.PUBLISH else status_text(event),
        can_move=event.status != Status.TRASH and permissions.can_edit(user, event),
        move_url=admin_url(event, "move", event.pk),
    )


def _day(day: date, cards: list[CalendarCard], period: Period, today: date, *, can_add: bool) -> Day:
    start = datetime.combine(day, DEFAULT_START_TIME)
    times = f"?start={start:%Y-%m-%dT%H:%M}&end={start + DEFAULT_DURATION:%Y-%m-%dT%H:%M}"
    limit = MAX_EVENTS_PER_DAY if period.view == MONTH else len(cards)
    return Day(
        day=day,
        name=format_day(day),
        is_today=day == today,
        is_outside=period.view == MONTH and day.month != period.day.month,
        cards=cards[:limit],
        more_cards=cards[limit:],
        add_url=admin_url(Event, "add") + times if can_add else None,
    )


def _error(message: str, status: int) -> JsonResponse:
    return JsonResponse({"message": message}, status=status)


def _views() -> tuple[tuple[str, str], ...]:
    return ((MONTH, _("Month")), (WEEK, _("Week")), (LIST, _("List")))


def _query(changelist: ChangeList, view: str, day: date) -> str:
    return changelist.get_query_string({VIEW: view, DAY: day.isoformat()})


def _by_day(cards: list[CalendarCard], period: Period) -> dict[date, list[CalendarCard]]:
    """Return the cards of each day of the period that has any, in their order."""
    days = defaultdict(list)
    for card in cards:
        day = max(card.start, period.first)
        while day <= min(card.end, period.last):
            days[day].append(card)
            day += timedelta(days=1)
    return dict(days)


def _legend(cards: list[CalendarCard]) -> list[tuple[str, Any]]:
    """Return the categories that give the cards their colours, each once, by name."""
    by_category = {card.category.pk: card for card in cards if card.category}
    return sorted((card.category.name, card.hue) for card in by_category.values())
