"""The pages of the calendar: a month, a week, a day, and the list of coming or past events."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from functools import wraps
from typing import Any, NamedTuple

from django.core.paginator import Page
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.dates import WEEKDAYS, WEEKDAYS_ABBR
from django.utils.translation import gettext as _

from calendar_site.content.suggestions import suggest
from calendar_site.core import clock
from calendar_site.core.clock import Moments
from calendar_site.core.dates.conversion import resolve_local, site_zone
from calendar_site.core.dates.formatting import format_day_of_year
from calendar_site.core.http import security_headers
from calendar_site.core.http.allowed_methods import View, read_only
from calendar_site.website.calendar.day_lists import in_order_of_day, make_day, make_week
from calendar_site.website.calendar.days import load_days
from calendar_site.website.calendar.embedding import allow_frames
from calendar_site.website.calendar.filtered_calendar import MAP, FilteredCalendar, calendar_of_request, day_path
from calendar_site.website.calendar.frame import chips_of, make_frame
from calendar_site.website.calendar.map import make_map, tile_options
from calendar_site.website.calendar.month import make_month
from calendar_site.website.calendar.programme import MAX_DAYS, MAX_EVENTS, make_programme, parse_days, span_from
from calendar_site.website.calendar.redirects import parse_day, url_of_form, url_of_original
from calendar_site.website.calendar.scopes import find_scope, respond_without_scope
from calendar_site.website.calendar.span import CalendarSpan, load_span
from calendar_site.website.event_lists import list_past_events, list_upcoming_events
from calendar_site.website.pagination import get_page
from calendar_site.website.record_display import description_html
from calendar_site.website.rendering import PageHead, render_page
from calendar_site.website.site import profile_of
from events.calendar_periods import LIST, MONTH, SINGLE_DAY, WEEK, Period
from events.models import Event
from events.public_filters import find_events

PROGRAMME = "programme"
# Search engines list the events, not each selection of them.
NOT_LISTED = "noindex, follow"


class NextEvent(NamedTuple):
    """The day of the next event after a period without events."""

    day: str
    url: str


class Suggestion(NamedTuple):
    """Another search, for one that found nothing."""

    text: str
    url: str


class WeekdayHead(NamedTuple):
    """The head of a column of a month."""

    name: str
    short: str


def calendar_view(name: str) -> Callable[[Callable[..., HttpResponse]], View]:
    """Return a decorator for a page of all events, or of those of the record that the path names.

    `name` is that of the view, "" for the view of the root.
    """

    def decorate(view: Callable[..., HttpResponse]) -> View:
        @read_only
        @wraps(view)
        def respond(request: HttpRequest, kind: str = "", slug: str = "", **path: str) -> HttpResponse:
            scope = find_scope(request, kind, slug) if kind else None
            if kind and scope is None:
                return respond_without_scope(request, kind, slug)
            calendar = calendar_of_request(request, scope)
            target = (name or profile_of(request).home_view, _today())
            if url := url_of_original(request, calendar, *target) or url_of_form(request, calendar, *target):
                return _redirect(url)
            response = view(request, calendar, **path)
            response["Permissions-Policy"] = security_headers.CALENDAR_PERMISSIONS_POLICY
            if calendar.chosen or calendar.embed_parameters or path:
                response["X-Robots-Tag"] = NOT_LISTED
            return allow_frames(response) if calendar.embed_parameters else response

        return respond

    return decorate


def _redirect(url: str) -> HttpResponse:
    response = HttpResponseRedirect(url)
    response["Cache-Control"] = "no-cache"
    return response


@calendar_view("")
def home_page(request: HttpRequest, calendar: FilteredCalendar) -> HttpResponse:
    """Show the calendar at the root of the site, in the view that the owner chose, below the introduction."""
    profile = profile_of(request)
    is_plain = not (calendar.chosen or calendar.embed_parameters)
    url = "" if calendar.chosen else f"{calendar.urls.site}/"
    intro = description_html(profile.saved.intro) if is_plain else ""
    if profile.home_view == MONTH:
        return _show_month(request, calendar, None, url, intro)
    return _show_list(request, calendar, url, intro)


@calendar_view(LIST)
def list_page(request: HttpRequest, calendar: FilteredCalendar) -> HttpResponse:
    """Show the coming events, those from a day on or of some days, or with `past` those that are over."""
    return _show_list(request, calendar)


@calendar_view(MONTH)
def month_page(request: HttpRequest, calendar: FilteredCalendar, month: str = "") -> HttpResponse:
    return _show_month(request, calendar, parse_day(f"{month}-01") if month else None)


@calendar_view(WEEK)
def week_page(request: HttpRequest, calendar: FilteredCalendar, day: str = "") -> HttpResponse:
    today, span = _today(), load_span(request)
    period = Period(WEEK, parse_day(day) if day else today, profile_of(request).first_weekday)
    _check_span(span, period.days)
    events = load_days(request, calendar.filters, period.first, period.last)
    context = {"lists": make_week(request, events, period.days, today, calendar)}
    title = _titled(calendar, period.name)
    return _render(request, "calendar/week.html", title, calendar, period, span, context, is_empty=not events)


@calendar_view(SINGLE_DAY)
def day_page(request: HttpRequest, calendar: FilteredCalendar, day: str = "") -> HttpResponse:
    today, span = _today(), load_span(request)
    period = Period(SINGLE_DAY, parse_day(day) if day else today)
    _check_span(span, period.days)
    events = load_days(request, calendar.filters, period.day, period.day)
    page = get_page(request, in_order_of_day(events), "page")
    context = {"lists": make_day(request, list(page.object_list), period.day, today)}
    title = _titled(calendar, period.name)
    return _render(
        request, "calendar/day.html", title, calendar, period, span, context, is_empty=not events, pages={"page": page}
    )


@calendar_view(MAP)
def map_page(request: HttpRequest, calendar: FilteredCalendar) -> HttpResponse:
    """Show the places of the coming events."""
    today, span = _today(), load_span(request)
    head = PageHead(
        _titled(calendar, _("Map of upcoming events")),
        calendar.url(MAP),
        calendar_url=calendar.calendar_url,
        is_translated=False,
    )
    found = make_map(request, calendar)
    context = {
        "is_embedded": bool(calendar.embed_parameters),
        "frame": make_frame(calendar, MAP, today, span, today),
        "map": found,
        "tile_options": tile_options(),
        "list_url": calendar.url(LIST),
        "is_empty": not (found.places or found.elsewhere),
        "suggestion": _find_suggestion(calendar) if not (found.places or found.elsewhere) else None,
    }
    response = render_page(request, "calendar/map.html", head, context, has_form=True)
    # The venues have pages of their own.
    response["X-Robots-Tag"] = NOT_LISTED
    return response


@calendar_view(PROGRAMME)
def programme_page(request: HttpRequest, calendar: FilteredCalendar) -> HttpResponse:
    """Show some days for paper: those from `date`, by default today, on; by default a week of them."""
    today, calendar_span = _today(), load_span(request)
    first = parse_day(request.GET["date"]) if request.GET.get("date") else today
    days = parse_days(request.GET.get("days", ""))
    _check_span(calendar_span, [first])
    span = span_from(first, days)
    events = load_days(request, calendar.filters, span.first, span.last)
    title = _("Programme, %(days)s") % {"days": span.name}
    head = PageHead(
        _titled(calendar, title),
        calendar.programme_url(date=first.isoformat() if first != today else "", days=days),
        calendar_url=calendar.calendar_url,
        is_translated=False,
    )
    context = {
        "days": make_programme(request, events, span),
        "chips": chips_of(calendar),
        "left_out": len(events[MAX_EVENTS:]),
        "first": first,
        "number": days,
        "max_days": MAX_DAYS,
        "chosen": calendar.chosen,
        "form_url": calendar.programme_url().partition("?")[0],
        "list_url": calendar.url(LIST),
    }
    response = render_page(request, "calendar/programme.html", head, context, has_form=True)
    response["X-Robots-Tag"] = NOT_LISTED
    return response


def _show_list(request: HttpRequest, calendar: FilteredCalendar, url: str = "", intro: str = "") -> HttpResponse:
    """`url` is the canonical one, by default that of the list. `intro` is HTML."""
    today = _today()
    day = parse_day(request.GET["date"]) if request.GET.get("date") else today
    now, span = clock.now_among(Moments.EVENT_END), load_span(request)
    _check_span(span, [day])
    shows_past = "past" in request.GET
    days = parse_days(request.GET["days"]) if request.GET.get("days") else 0
    if shows_past:
        events = list_past_events(request, calendar.filters, now, "page")
        title, query = _("Past events"), {"past": "1"}
    else:
        since = now if day == today else _start_of(day)
        until = _start_of(day + timedelta(days=days)) if days else None
        events = list_upcoming_events(request, calendar.filters, since, until)
        title = span_from(day, days).name if days else _("Upcoming events")
        query = {"date": "" if day == today else day.isoformat(), "days": str(days or "")}
    is_default = not any(query.values())
    head = PageHead(
        _titled(calendar, title),
        (is_default and url) or calendar.url(LIST, **query),
        calendar_url=calendar.calendar_url,
        is_translated=False,
    )
    context = {
        "is_embedded": bool(calendar.embed_parameters),
        "frame": make_frame(calendar, LIST, day, span, today),
        "events": events,
        "shows_past": shows_past,
        "intro": intro,
        "suggestion": None if events.days else _find_suggestion(calendar),
        "past_url": calendar.url(LIST, past=1),
    }
    response = render_page(request, "calendar/list.html", head, context, pages={"page": events.page}, has_form=True)
    if not is_default:
        response["X-Robots-Tag"] = NOT_LISTED
    return response


def _show_month(
    request: HttpRequest, calendar: FilteredCalendar, day: date | None, url: str = "", intro: str = ""
) -> HttpResponse:
    """`url` is the canonical one, by default that of the month. `intro` is HTML."""
    today, span = _today(), load_span(request)
    period = Period(MONTH, day or today, profile_of(request).first_weekday)
    days = period.days_inside
    _check_span(span, days)
    events = load_days(request, calendar.filters, days[0], days[-1])
    first = min((max(event.start, days[0]) for event in events), default=days[0])
    context = {
        "intro": intro,
        "weekdays": [WeekdayHead(WEEKDAYS[each.weekday()], WEEKDAYS_ABBR[each.weekday()]) for each in period.weeks[0]],
        "weeks": make_month(events, period, today, calendar),
        # Phones show the events of this day below the month, until visitors choose another.
        "chosen": today if today in days else first,
    }
    # Translators: such as “Concerts in June 2027”.
    title = _("%(name)s in %(month)s") % {"name": _name(calendar), "month": period.name}
    return _render(request, "calendar/month.html", title, calendar, period, span, context, is_empty=not events, url=url)


def _render(
    request: HttpRequest,
    template: str,
    title: str,
    calendar: FilteredCalendar,
    period: Period,
    span: CalendarSpan,
    context: Mapping[str, object],
    *,
    is_empty: bool,
    url: str = "",
    pages: Mapping[str, Page[Any]] | None = None,
) -> HttpResponse:
    """Render the page of a period."""
    head = PageHead(title, url or calendar.period_url(period), calendar_url=calendar.calendar_url, is_translated=False)
    frame = make_frame(calendar, period.view, period.day, span, _today(), period)
    next_event = _find_next(request, calendar, period, span) if is_empty else None
    shared = {
        "is_embedded": bool(calendar.embed_parameters),
        "frame": frame,
        "period": period,
        "is_empty": is_empty,
        "next_event": next_event,
        "suggestion": _find_suggestion(calendar) if is_empty and not next_event else None,
    }
    return render_page(request, template, head, {**shared, **context}, pages=pages, has_form=True)


def _find_suggestion(calendar: FilteredCalendar) -> Suggestion | None:
    """Return the list with the words of the search corrected; None without a correction."""
    text = suggest(calendar.chosen.get("search", ""), Event)
    return Suggestion(text, calendar.with_filter("search", text).url(LIST)) if text else None


def _find_next(
    request: HttpRequest, calendar: FilteredCalendar, period: Period, span: CalendarSpan
) -> NextEvent | None:
    """Return the first day with an event after this one, None if there is none. Two queries."""
    last = period.days_inside[-1]
    if last >= span.last:
        return None
    after = datetime.combine(last, time(23, 59, 59)).isoformat(sep=" ")
    found = find_events(request.user, {**calendar.filters, "strict_dates": "true", "starts_after": after})
    start = Event.objects.filter(pk__in=found.first_ids(1)).values_list("start_local", flat=True).first()
    if start is None:
        return None
    day = date.fromisoformat(start[:10])
    return NextEvent(format_day_of_year(day), calendar.url(day_path(day)))


def _titled(calendar: FilteredCalendar, title: str) -> str:
    """Return the title of a page, after the name of the record whose events it shows."""
    if calendar.scope is None:
        return title
    return _("%(name)s: %(period)s") % {"name": calendar.scope.name, "period": title}


def _name(calendar: FilteredCalendar) -> str:
    return calendar.scope.name if calendar.scope else _("Events")


def _check_span(span: CalendarSpan, days: Sequence[date]) -> None:
    """Raise Http404 for days so far from all events that crawlers should not find them."""
    if not span.overlaps(days[0], days[-1]):
        raise Http404


def _start_of(day: date) -> datetime:
    return resolve_local(datetime.combine(day, time()), site_zone().tz)


def _today() -> date:
    return clock.today(site_zone().tz)
