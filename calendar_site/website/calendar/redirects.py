"""Requests for a calendar that belong to another URL: of the filter form, and of links to The Events Calendar."""

from __future__ import annotations

from datetime import date

from django.http import Http404, HttpRequest

from calendar_site.website.calendar.filtered_calendar import FilteredCalendar, view_path
from events.calendar_periods import FIRST, LAST, LIST, MONTH, SINGLE_DAY, WEEK

# The views of the original by the values of its parameter `eventDisplay`.
ORIGINAL_VIEWS = {"list": LIST, "upcoming": LIST, "past": LIST, "month": MONTH, "week": WEEK, "day": SINGLE_DAY}
ORIGINAL_PARAMETERS = ("eventDisplay", "tribe_event_display", "tribe-bar-date", "tribe-bar-search", "tribe-bar-view")


def parse_day(text: str) -> date:
    """Return the day in a URL. Raises Http404, also for days around which Python has no whole weeks."""
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise Http404 from error
    if not FIRST <= day <= LAST:
        raise Http404
    return day


def url_of_form(request: HttpRequest, calendar: FilteredCalendar, view: str, today: date) -> str:
    """Return the URL of the day that the form for filters asks for, "" if the request is for that URL already."""
    text = request.GET.get("date", "")
    if view not in (MONTH, WEEK, SINGLE_DAY) or "date" not in request.GET:
        return ""
    return calendar.url(view_path(view, parse_day(text) if text else today, today))


def url_of_original(request: HttpRequest, calendar: FilteredCalendar, view: str, today: date) -> str:
    """Return the URL for the parameters of the original, for links and bookmarks of its visitors; "" without them."""
    sent = {name: request.GET[name] for name in ORIGINAL_PARAMETERS if request.GET.get(name)}
    if not sent:
        return ""
    display = sent.get("eventDisplay") or sent.get("tribe_event_display") or sent.get("tribe-bar-view") or ""
    view = ORIGINAL_VIEWS.get(display, view)
    day = parse_day(sent["tribe-bar-date"]) if "tribe-bar-date" in sent else today
    calendar = calendar.with_filter("search", sent.get("tribe-bar-search", calendar.chosen.get("search", "")))
    if view == LIST:
        return calendar.url(LIST, past="1" if display == "past" else "", date=day.isoformat() if day != today else "")
    return calendar.url(view_path(view, day, today))
