"""The calendars at the addresses of the original."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _

from calendar_site.api.site_urls import urls_for
from calendar_site.compatibility.feeds.selection import (
    FeedDays,
    ids_of_category,
    listed_events,
    parse_day,
    parse_month,
    select,
    this_month,
    today,
)
from calendar_site.core.slugs import decode_slug
from calendar_site.core.text.html_lines import html_to_plain_lines
from calendar_site.feeds.calendars import EVERYBODY, CalendarHead, make_calendar, make_event_file
from calendar_site.feeds.components import Texts
from calendar_site.feeds.loading import read_rows
from calendar_site.feeds.views import PARAMETER, readable_by_scripts
from calendar_site.site_profile.current import load_name
from events.models import Event
from events.querysets import EventQuerySet
from taxonomy.models import Category, Tag

# Asks for the calendar without its name, for Outlook.
OUTLOOK_PARAMETER = "outlook-ical"
# Clients of the original expect a description in each event, of nothing but its text.
PLAIN_TEXTS = Texts(html_to_plain_lines, shows_hidden=True)


@readable_by_scripts
def events_calendar(request: HttpRequest, month: str = "", day: str = "", view: str = "") -> HttpResponse:
    """Return the next 30 events, or those of the days that the path names."""
    days: FeedDays | None = None
    if month or day:
        days = parse_month(month) if month else parse_day(day)
        if days is None:
            raise Http404
    elif view in ("month", "today"):
        days = this_month() if view == "month" else today()
    return _respond(request, load_name(), listed_events(), f"{urls_for(request).site}/events/", days)


@readable_by_scripts
def category_calendar(request: HttpRequest, slug: str, view: str = "") -> HttpResponse:
    category = get_object_or_404(Category, slug=decode_slug(slug))
    events = listed_events({"categories": ids_of_category(category.slug) or ()})
    url = urls_for(request).page_url("events/category", category.slug)
    return _respond(request, f"{category.name} – {load_name()}", events, url, _days_of_view(view))


@readable_by_scripts
def tag_calendar(request: HttpRequest, slug: str, view: str = "") -> HttpResponse:
    tag = get_object_or_404(Tag, slug=decode_slug(slug))
    url = urls_for(request).page_url("events/tag", tag.slug)
    return _respond(request, f"{tag.name} – {load_name()}", listed_events({"tags": [tag.pk]}), url, _days_of_view(view))


@readable_by_scripts
def event_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Return one event, also if it is over, or hidden from lists."""
    rows = Event.objects.visible_to(EVERYBODY.user).not_trashed()
    event = get_object_or_404(rows, slug=decode_slug(slug))
    found = read_rows(Event.objects.filter(pk=event.pk), 1)
    calendar = make_event_file(found, urls_for(request), combines_series=False, texts=PLAIN_TEXTS)
    return _file_response(calendar.content, event.slug)


def _days_of_view(view: str) -> FeedDays | None:
    return {"month": this_month, "today": today}.get(view, lambda: None)()


def _respond(request: HttpRequest, name: str, events: EventQuerySet, url: str, days: FeedDays | None) -> HttpResponse:
    selected = select(request, events, days)
    shows_name = PARAMETER in request.GET or OUTLOOK_PARAMETER not in request.GET
    description = _("Events of %(name)s") % {"name": load_name()}
    head = CalendarHead(name if shows_name else "", url, description)
    rows = read_rows(selected.events, selected.limit)
    calendar = make_calendar(head, rows, urls_for(request), combines_series=False, texts=PLAIN_TEXTS)
    return _file_response(calendar.content, "events")


def _file_response(content: bytes, name: str) -> HttpResponse:
    return HttpResponse(
        content,
        content_type="text/calendar; charset=UTF-8",
        headers={
            "Content-Disposition": content_disposition_header(as_attachment=True, filename=f"{name}.ics") or "",
            "X-Robots-Tag": "noindex, nofollow",
            "Cache-Control": "no-cache",
        },
    )
