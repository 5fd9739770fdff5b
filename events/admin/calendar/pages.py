"""The page of the calendar: the events of a month, a week or a day that match the filters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.template.response import TemplateResponse
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from calendar_site.back_office.content.content_admin import ContentModelAdmin
from calendar_site.back_office.lists.active_filters import FilteredChangeList
from calendar_site.back_office.urls import admin_url, is_page
from calendar_site.core import clock
from calendar_site.core.dates.conversion import site_zone
from calendar_site.core.dates.formatting import format_day
from events.admin.calendar.cards import CalendarCard, make_card
from events.admin.calendar.selection import MAX_EVENTS, select_events, select_other_zones
from events.admin.calendar.time_grid import Block, grid_days, has_time_slot, hours
from events.admin.prefetches import prefetch_category_names
from events.admin.time_display import DEFAULT_DURATION, DEFAULT_START_TIME
from events.calendar_bars import Bar, place_bars
from events.calendar_periods import LIST, MONTH, SINGLE_DAY, WEEK, Period, parse_period
from events.models import Event

VIEW, DAY = "view", "day"
# The lines of a day in a month, and how many of them may be bars. The others are behind a button.
MAX_LINES_PER_DAY = 5
MAX_BAR_ROWS = 3
# The time grid is scrolled to the first event, or else to this minute of the day.
DEFAULT_FIRST_MINUTE = 8 * 60
MINUTES_BEFORE_FIRST = 30


class CalendarChangeList(FilteredChangeList):
    """The events that match the filters, without pagination."""

    kept_parameters = (VIEW, DAY)

    def get_filters_params(self, params: Any = None) -> dict[str, Any]:
        filters: dict[str, Any] = super().get_filters_params(params)
        return {name: value for name, value in filters.items() if name not in self.kept_parameters}

    def get_results(self, request: HttpRequest) -> None:
        self.result_count = self.full_result_count = 0
        self.result_list: list[Event] = []
        self.show_full_result_count = self.show_admin_actions = self.can_show_all = self.multi_page = False


class Day(NamedTuple):
    """A day of a month or of a list."""

    day: date
    name: str
    is_today: bool
    # Whether it is outside the month that is shown.
    is_outside: bool
    # The events over several days that begin here, or go on here from the week before, and the rows that bars take.
    bars: list[Bar]
    bar_rows: int
    cards: list[CalendarCard]
    more_cards: list[CalendarCard]
    # The number of events for which the page has no room, and the view of the day that shows them.
    left_out: int
    url: str
    add_url: str | None


class GridColumn(NamedTuple):
    day: date
    name: str
    is_today: bool
    left_out: int
    # The views of this day, and of its events as a list.
    url: str
    list_url: str
    blocks: list[Block]
    add_url: str | None


class _Page(NamedTuple):
    """The period of a page, and how its parts link to other pages."""

    period: Period
    changelist: FilteredChangeList
    now: datetime
    # The form of a new event, None for users who may not add any.
    add_url: str | None
    left_out: dict[date, int]

    def url(self, view: str, day: date) -> str:
        return str(self.changelist.get_query_string({VIEW: view, DAY: day.isoformat()}))

    def add_url_on(self, day: date) -> str | None:
        start = datetime.combine(day, DEFAULT_START_TIME)
        times = f"start={start:%Y-%m-%dT%H:%M}&end={start + DEFAULT_DURATION:%Y-%m-%dT%H:%M}"
        return f"{self.add_url}&{times}" if self.add_url else None


def is_calendar(request: HttpRequest) -> bool:
    return is_page(request, Event, "calendar")


def calendar_view(request: HttpRequest, *, model_admin: ContentModelAdmin) -> HttpResponse:
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
    found = changelist.queryset.prefetch_related(prefetch_category_names())
    selection = select_events(found, period.first, period.last)
    query = changelist.get_query_string({VIEW: period.view, DAY: period.day.isoformat()})[1:]
    here = urlencode({"_changelist_filters": query})
    others = select_other_zones(found, period.first, period.last)
    events = {event.pk: event for event in (*selection.events, *others)}
    cards = [make_card(event, request.user, f"?{here}") for event in events.values()]
    # The period is one of the site's clock.
    cards = sorted((card for card in cards if is_in(period, card)), key=lambda card: card.starts)
    short_cards = [card for card in cards if not card.is_long]
    add_url = f"{admin_url(Event, 'add')}?{here}" if model_admin.has_add_permission(request) else None
    page = _Page(period, changelist, now, add_url, selection.left_out)
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
        "views": [(name, label, page.url(name, period.day)) for name, label in _views()],
        "navigation": _navigation(page),
        "categories": _legend(cards),
        "is_cut": bool(selection.left_out),
        "most": MAX_EVENTS,
        **_period_context(short_cards, page),
    }
    return TemplateResponse(request, "admin/events/event/calendar.html", context)


def is_in(period: Period, card: CalendarCard) -> bool:
    return card.start <= period.last and card.end >= period.first


def is_from_calendar(request: HttpRequest) -> bool:
    """Return whether a form was opened from the calendar."""
    return VIEW in QueryDict(request.GET.get("_changelist_filters", ""))


def calendar_of_list(request: HttpRequest) -> HttpResponse | None:
    """Return a redirect to the calendar for the list with the parameters of the calendar; None for any other list.

    A form that was opened from the calendar leads back there, as Django leads back to the filters of a list.
    """
    if VIEW not in request.GET:
        return None
    return HttpResponseRedirect(f"{admin_url(Event, 'calendar')}?{request.GET.urlencode()}")


def _period_context(cards: list[CalendarCard], page: _Page) -> dict[str, Any]:
    if page.period.is_grid:
        return _grid_context(cards, page)
    return _month_context(cards, page) if page.period.view == MONTH else _list_context(cards, page)


def _list_context(cards: list[CalendarCard], page: _Page) -> dict[str, Any]:
    """Return the days of a list that have events."""
    by_day = _by_day(cards, page.period.first, page.period.last)
    return {"days": [_day(day, by_day[day], page) for day in sorted(by_day)]}


def _month_context(cards: list[CalendarCard], page: _Page) -> dict[str, Any]:
    """Return the weeks of a month. In each, an event over several days is one bar, as far as there is room for bars."""
    weeks = page.period.weeks
    lasting = [card for card in cards if card.start < card.end]
    shown = []
    for week in weeks:
        bars = [bar for bar in place_bars(lasting, week) if bar.row <= MAX_BAR_ROWS]
        in_bars = {bar.card.event.pk for bar in bars}
        by_day = _by_day([card for card in cards if card.event.pk not in in_bars], week[0], week[-1])
        columns = enumerate(week, 1)
        shown.append([_day(day, by_day.get(day, []), page, bars=bars, column=column) for column, day in columns])
    return {"weekdays": [WEEKDAYS[day.weekday()] for day in weeks[0]], "weeks": shown}


def _grid_context(cards: list[CalendarCard], page: _Page) -> dict[str, Any]:
    """Return the columns and the bars of a time grid."""
    period, now = page.period, page.now
    columns = [
        GridColumn(
            day=day,
            name=format_day(day),
            is_today=day == now.date(),
            left_out=page.left_out.get(day, 0),
            url=page.url(SINGLE_DAY, day),
            list_url=page.url(LIST, day),
            blocks=blocks,
            add_url=page.add_url_on(day),
        )
        for day, blocks in grid_days(cards, period.days)
    ]
    tops = [block.top for column in columns for block in column.blocks]
    return {
        "columns": columns,
        "bars": place_bars([card for card in cards if not has_time_slot(card)], period.days),
        "hours": hours(),
        "week": [(day, page.url(SINGLE_DAY, day)) for day in period.week],
        "today": now.date(),
        "now_minute": now.hour * 60 + now.minute,
        "first_minute": max(0, min(tops) - MINUTES_BEFORE_FIRST) if tops else DEFAULT_FIRST_MINUTE,
    }


def _day(day: date, cards: list[CalendarCard], page: _Page, *, bars: Sequence[Bar] = (), column: int = 0) -> Day:
    """Return a day in a column of its week, with the bars of the week and the other events."""
    covering = [bar for bar in bars if bar.column <= column < bar.column + bar.span]
    bar_rows = max((bar.row for bar in covering), default=0)
    is_month = page.period.view == MONTH
    limit = MAX_LINES_PER_DAY - bar_rows if is_month else len(cards)
    return Day(
        day=day,
        name=format_day(day),
        is_today=day == page.now.date(),
        is_outside=is_month and day.month != page.period.day.month,
        bars=[bar for bar in covering if bar.column == column],
        bar_rows=bar_rows,
        cards=cards[:limit],
        more_cards=cards[limit:],
        left_out=page.left_out.get(day, 0),
        url=page.url(SINGLE_DAY, day),
        add_url=page.add_url_on(day),
    )


def _navigation(page: _Page) -> list[tuple[str, str, str]]:
    """Return the icon, label and URL of the links to the previous period, to that of today, and to the next one."""
    view = page.period.view
    return [
        ("chevron_left", pgettext("a month, a week or a list", "Previous"), page.url(view, page.period.previous.day)),
        ("today", _("Today"), page.url(view, page.now.date())),
        ("chevron_right", pgettext("a month, a week or a list", "Next"), page.url(view, page.period.next.day)),
    ]


def _views() -> tuple[tuple[str, str], ...]:
    return ((MONTH, _("Month")), (WEEK, _("Week")), (SINGLE_DAY, _("Day")), (LIST, _("List")))


def _by_day(cards: list[CalendarCard], first: date, last: date) -> dict[date, list[CalendarCard]]:
    """Return the cards of each day between these that has any, in their order."""
    days = defaultdict(list)
    for card in cards:
        day = max(card.start, first)
        while day <= min(card.end, last):
            days[day].append(card)
            day += timedelta(days=1)
    return dict(days)


def _legend(cards: list[CalendarCard]) -> list[tuple[str, Any]]:
    """Return the categories that give the cards their colors, each once, by name."""
    by_category = {card.category.pk: card for card in cards if card.category}
    return sorted((card.category.name, card.color) for card in by_category.values())
