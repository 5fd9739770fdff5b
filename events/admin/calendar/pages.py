"""The page of the calendar: the events of a month, a week or a day that match the filters."""

from __future__ import annotations

from collections import defaultdict
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from unfold.views import ChangeList

from calendar_site.back_office.urls import admin_url, is_page
from calendar_site.core import clock
from calendar_site.core.date_format import format_day
from calendar_site.core.dates import site_zone
from events.admin.calendar.cards import CalendarCard, make_card
from events.admin.calendar.periods import LIST, MONTH, SINGLE_DAY, WEEK, Period, parse_period
from events.admin.calendar.time_grid import Block, bars, grid_days, hours
from events.admin.prefetches import prefetch_category_names
from events.admin.time_display import DEFAULT_DURATION, DEFAULT_START_TIME
from events.models import Event

if TYPE_CHECKING:
    from events.admin.event_admin import EventAdmin

VIEW, DAY = "view", "day"
# To see further events, users narrow the calendar with a filter.
MAX_EVENTS = 1000
MAX_EVENTS_PER_DAY = 5
# The time grid is scrolled to this minute of the day, or to an earlier event.
DEFAULT_FIRST_MINUTE = 8 * 60


class CalendarChangeList(ChangeList):
    """The events that match the filters, without pagination."""

    def get_filters_params(self, params: Any = None) -> dict[str, Any]:
        filters: dict[str, Any] = super().get_filters_params(params)
        return {name: value for name, value in filters.items() if name not in (VIEW, DAY)}

    def get_results(self, request: HttpRequest) -> None:
        self.result_count = self.full_result_count = 0
        self.result_list: list[Event] = []
        self.show_full_result_count = self.show_admin_actions = self.can_show_all = self.multi_page = False


class Day(NamedTuple):
    day: date
    name: str
    is_today: bool
    # Whether it is outside the month that is shown.
    is_outside: bool
    cards: list[CalendarCard]
    more_cards: list[CalendarCard]
    add_url: str | None


class GridColumn(NamedTuple):
    day: date
    name: str
    is_today: bool
    # The views of this day, and of its events as a list.
    url: str
    list_url: str
    blocks: list[Block]
    add_url: str | None


def is_calendar(request: HttpRequest) -> bool:
    return is_page(request, Event, "calendar")


def calendar_view(request: HttpRequest, *, model_admin: EventAdmin) -> HttpResponse:
    """Show the events of a period that match the filters."""
    if not model_admin.has_view_permission(request):
        raise PermissionDenied
    try:
        changelist = model_admin.get_changelist_instance(request)
    except IncorrectLookupParameters:
        return HttpResponseRedirect(request.path)
    request.heading = _("Calendar")  # type: ignore[attr-defined]
    now = clock.now().astimezone(site_zone().tz)
    period = parse_period(request.GET.get(VIEW), request.GET.get(DAY), now.date())
    found = changelist.queryset.on_days(period.first, period.last).ordered_by_local_start()
    events = list(found.prefetch_related(prefetch_category_names())[: MAX_EVENTS + 1])
    query = changelist.get_query_string({VIEW: period.view, DAY: period.day.isoformat()})[1:]
    here = urlencode({"_changelist_filters": query})
    cards = [make_card(event, request.user, f"?{here}") for event in events[:MAX_EVENTS]]
    short_cards = [card for card in cards if not card.is_long]
    add_url = f"{admin_url(Event, 'add')}?{here}" if model_admin.has_add_permission(request) else None
    show = _grid_context if period.is_grid else _days_context
    context = {
        **model_admin.admin_site.each_context(request),
        "cl": changelist,
        "opts": model_admin.opts,
        "media": model_admin.media,
        "title": _("Calendar"),
        "subtitle": period.name,
        "has_add_permission": bool(add_url),
        "period": period,
        "long_events": [card for card in cards if card.is_long],
        "views": [(name, label, _query(changelist, name, period.day)) for name, label in _views()],
        "navigation": [
            (
                "chevron_left",
                pgettext("a month, a week or a list", "Previous"),
                _query(changelist, period.view, period.previous.day),
            ),
            ("today", _("Today"), _query(changelist, period.view, now.date())),
            (
                "chevron_right",
                pgettext("a month, a week or a list", "Next"),
                _query(changelist, period.view, period.next.day),
            ),
        ],
        "categories": _legend(cards),
        "is_cut": len(events) > MAX_EVENTS,
        "most": MAX_EVENTS,
        **show(short_cards, period, changelist, now, add_url),
    }
    return TemplateResponse(request, "admin/events/event/calendar.html", context)


def calendar_of_list(request: HttpRequest) -> HttpResponse | None:
    """Return a redirect to the calendar for the list with the parameters of the calendar; None for any other list.

    A form that was opened from the calendar leads back there, as Django leads back to the filters of a list.
    """
    if VIEW not in request.GET:
        return None
    return HttpResponseRedirect(f"{admin_url(Event, 'calendar')}?{request.GET.urlencode()}")


def _days_context(
    cards: list[CalendarCard], period: Period, changelist: ChangeList, now: datetime, add_url: str | None
) -> dict[str, Any]:
    """Return the days of a month or a list."""
    by_day = _by_day(cards, period)

    def show(day: date) -> Day:
        return _day(day, by_day.get(day, []), period, now.date(), add_url)

    return {
        "weekdays": [WEEKDAYS[day.weekday()] for day in period.weeks[0]],
        "weeks": [[show(day) for day in week] for week in period.weeks],
        "days": [show(day) for day in sorted(by_day)],
    }


def _grid_context(
    cards: list[CalendarCard], period: Period, changelist: ChangeList, now: datetime, add_url: str | None
) -> dict[str, Any]:
    """Return the columns and the bars of a time grid."""
    columns = [
        GridColumn(
            day=day,
            name=format_day(day),
            is_today=day == now.date(),
            url=_query(changelist, SINGLE_DAY, day),
            list_url=_query(changelist, LIST, day),
            blocks=blocks,
            add_url=_add_url(add_url, day),
        )
        for day, blocks in grid_days(cards, period.days)
    ]
    tops = [block.top for column in columns for block in column.blocks]
    return {
        "columns": columns,
        "bars": bars(cards, period.days),
        "hours": hours(),
        "week": [(day, _query(changelist, SINGLE_DAY, day)) for day in period.week],
        "today": now.date(),
        "now_minute": now.hour * 60 + now.minute,
        "first_minute": max(0, min([*tops, DEFAULT_FIRST_MINUTE])),
    }


def _day(day: date, cards: list[CalendarCard], period: Period, today: date, add_url: str | None) -> Day:
    limit = MAX_EVENTS_PER_DAY if period.view == MONTH else len(cards)
    return Day(
        day=day,
        name=format_day(day),
        is_today=day == today,
        is_outside=period.view == MONTH and day.month != period.day.month,
        cards=cards[:limit],
        more_cards=cards[limit:],
        add_url=_add_url(add_url, day),
    )


def _add_url(add_url: str | None, day: date) -> str | None:
    """Return the URL of the form of a new event on this day, None for users who may not add any."""
    start = datetime.combine(day, DEFAULT_START_TIME)
    times = f"start={start:%Y-%m-%dT%H:%M}&end={start + DEFAULT_DURATION:%Y-%m-%dT%H:%M}"
    return f"{add_url}&{times}" if add_url else None


def _views() -> tuple[tuple[str, str], ...]:
    return ((MONTH, _("Month")), (WEEK, _("Week")), (SINGLE_DAY, _("Day")), (LIST, _("List")))


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
    return sorted((card.category.name, card.color) for card in by_category.values())
