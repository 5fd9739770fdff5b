"""Calendars over HTTP: each page with a list of events, and each event, with the parameter `ical`.

These are the URLs of The Events Calendar, so that existing subscriptions go on (compatibility.md, section 7).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, time, timedelta
from functools import wraps
from typing import TypeVar

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.http import content_disposition_header
from django.views.decorators.csrf import csrf_exempt

from calendar_site.api.site_urls import urls_for
from calendar_site.content.models import Content
from calendar_site.core import clock
from calendar_site.core.clock import Moments
from calendar_site.core.dates.conversion import resolve_local, site_zone
from calendar_site.core.http.allowed_methods import View, read_only
from calendar_site.core.slugs import decode_slug
from calendar_site.feeds.calendars import (
    EVERYBODY,
    MAX_EVENTS,
    CalendarFile,
    CalendarHead,
    make_calendar,
    make_event_file,
)
from calendar_site.feeds.loading import read_rows
from calendar_site.feeds.subscriptions import is_past, is_selection, select_events
from calendar_site.site_profile.current import load_name
from events.feed_sizes import CalendarSize, note_size
from events.models import Event
from events.public_filters import InvalidFilter, after, ended_by, find_events, sent_filters
from events.querysets import EventQuerySet
from events.withdrawals import withdrawn_events
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from venues.models import Venue

PARAMETER = "ical"
# For so long, past events stay in calendars, so that programs do not take them for deleted ones (D49).
PAST_DAYS = timedelta(days=30)
# The parameters of the list of events by the relation that they filter by.
PARAMETERS = {"venues": "venue", "organizers": "organizer", "categories": "categories", "tags": "tags"}

Record = TypeVar("Record", bound=Content)


def feed_url(page_url: str) -> str:
    """Return the URL of the calendar with the events of a page.

    Without a query, because some programs lose it, and with a file type, because others look for it.
    """
    return f"{page_url.removesuffix('/')}.ics"


def readable_by_scripts(feed: View) -> View:
    """Return a view of a calendar that scripts of other sites may read, since it is the same for everybody."""
    read = read_only(feed)

    @csrf_exempt
    @wraps(feed)
    def view(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if request.method == "OPTIONS":
            response = HttpResponse(status=204, headers={"Allow": "GET, HEAD, OPTIONS"})
            response["Access-Control-Allow-Methods"] = "GET, HEAD, OPTIONS"
        else:
            response = read(request, *args, **kwargs)
        response["Access-Control-Allow-Origin"] = "*"
        return response

    return view


@readable_by_scripts
def upcoming_events_feed(request: HttpRequest) -> HttpResponse:
    """Return the calendar of the site, or of the events that the parameters of the original select."""
    head = CalendarHead(load_name(), f"{urls_for(request).site}/")
    if not is_selection(request):
        return _respond_filtered(request, head, "events", _listed())
    selected = select_events(request.GET, _listed(), EVERYBODY)
    if filters := sent_filters(request):
        period = ended_by(clock.now_among(Moments.EVENT_END)) if is_past(request) else after(_first_end())
        selected = selected.filter(pk__in=_filtered_ids(filters, period))
    events = selected.order_by("-start_local", "-pk") if is_past(request) else selected.upcoming(_first_end())
    # Nobody knows which of the events that were withdrawn the parameters would have selected.
    return _respond(request, head, "events", events, scope=selected, links={})


@readable_by_scripts
def event_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the calendar of one event, also if it is over, or hidden from lists."""
    event = _get_public(Event, slug)
    urls = urls_for(request)
    rows = read_rows(Event.objects.filter(pk=event.pk), 1)
    return _file_response(make_event_file(rows, urls, combines_series=_combines_series(request)), event.slug)


@readable_by_scripts
def venue_feed(request: HttpRequest, slug: str) -> HttpResponse:
    venue = _get_public(Venue, slug)
    head = CalendarHead(_named(venue.title), urls_for(request).page_url("venue", venue.slug))
    return _respond_linked(request, head, venue.slug, {"venues": [venue.pk]})


@readable_by_scripts
def organizer_feed(request: HttpRequest, slug: str) -> HttpResponse:
    organizer = _get_public(Organizer, slug)
    head = CalendarHead(_named(organizer.title), urls_for(request).page_url("organizer", organizer.slug))
    return _respond_linked(request, head, organizer.slug, {"organizers": [organizer.pk]})


@readable_by_scripts
def category_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the events of a category and of its subcategories."""
    category = get_object_or_404(Category, slug=decode_slug(slug))
    head = CalendarHead(_named(category.name), urls_for(request).page_url("events/category", category.slug))
    ids = Category.objects.descendant_ids([category.pk])
    return _respond_linked(request, head, category.slug, {"categories": ids})


@readable_by_scripts
def tag_feed(request: HttpRequest, slug: str) -> HttpResponse:
    tag = get_object_or_404(Tag, slug=decode_slug(slug))
    head = CalendarHead(_named(tag.name), urls_for(request).page_url("events/tag", tag.slug))
    return _respond_linked(request, head, tag.slug, {"tags": [tag.pk]})


def _respond_linked(
    request: HttpRequest, head: CalendarHead, name: str, links: Mapping[str, Collection[int]]
) -> HttpResponse:
    """Return the calendar of the events with one venue, organizer, category or tag."""
    ((relation, ids),) = links.items()
    return _respond_filtered(request, head, name, _findable().linked_to(relation, list(ids)), links)


def _respond_filtered(
    request: HttpRequest,
    head: CalendarHead,
    name: str,
    events: EventQuerySet,
    links: Mapping[str, Collection[int]] | None = None,
) -> HttpResponse:
    """Return the calendar of those of the events that the filters of the page select."""
    filters = sent_filters(request)
    if not filters:
        return _respond(
            request, head, name, events.upcoming(_first_end()), scope=events if links else None, links=links
        )
    # Within the events of the record: the limit of ids must not leave out any of them.
    linked = {PARAMETERS[relation]: ",".join(map(str, ids)) for relation, ids in (links or {}).items()}
    selected = events.filter(pk__in=_filtered_ids({**filters, **linked}, after(_first_end())))
    # Nobody knows which of the events that were withdrawn the filters would have selected.
    return _respond(request, head, name, selected.upcoming(_first_end()), scope=selected, links={})


def _filtered_ids(filters: Mapping[str, str], period: Mapping[str, str]) -> list[int]:
    """Return the ids of the events that everybody finds by these filters; none for one that is not valid."""
    try:
        found = find_events(EVERYBODY.user, {**filters, **period})
    except InvalidFilter:
        return []
    return found.first_ids(MAX_EVENTS + 1)


def _respond(
    request: HttpRequest,
    head: CalendarHead,
    name: str,
    events: EventQuerySet,
    *,
    scope: EventQuerySet | None = None,
    links: Mapping[str, Collection[int]] | None = None,
) -> HttpResponse:
    """Return a calendar. `links` are those of its events; None for the calendar of the site."""
    rows = read_rows(events, MAX_EVENTS + 1)
    calendar = make_calendar(
        head,
        rows,
        urls_for(request),
        combines_series=_combines_series(request),
        scope=scope,
        withdrawn=withdrawn_events(_first_end(), links),
    )
    if not is_selection(request):
        note_size(CalendarSize(head.name, head.url, calendar.left_out, calendar.shortened))
    return _file_response(calendar, name)


def _file_response(calendar: CalendarFile, name: str) -> HttpResponse:
    response = HttpResponse(
        calendar.content,
        content_type="text/calendar; charset=utf-8",
        headers={
            "Content-Disposition": content_disposition_header(as_attachment=True, filename=f"{name}.ics"),
            "X-Robots-Tag": "noindex, nofollow",
            "Cache-Control": "no-cache",
        },
    )
    if calendar.left_out or calendar.shortened:
        # For those who wonder why events are missing: programs ignore calendars that are too large.
        response["X-Calendar-Limits"] = f"left-out={calendar.left_out}, shortened={calendar.shortened}"
    return response


def _combines_series(request: HttpRequest) -> bool:
    """Return whether the client asks for recurrence rules. Raises BadRequest for an unknown form of series.

    The ids of series have the same parameter, which selects their events.
    """
    forms = [form for form in request.GET.getlist("series") if not form.isdecimal()]
    if not set(forms) <= {"events", "rule"}:
        raise BadRequest(forms)
    return "rule" in forms


def _named(title: str) -> str:
    """Return the name of the calendar of a record."""
    return f"{title} – {load_name()}"


def _listed() -> EventQuerySet:
    return Event.objects.visible_to(EVERYBODY.user).listed()


def _findable() -> EventQuerySet:
    """Return the events whose links everybody may see."""
    return _listed().with_fields_visible_to(EVERYBODY.user)


def _first_end() -> datetime:
    """Return the moment after which the events of a calendar end. It changes once a day."""
    zone = site_zone().tz
    return resolve_local(datetime.combine(clock.today(zone), time()) - PAST_DAYS, zone)


def _get_public(model: type[Record], slug: str) -> Record:
    """Return the record with this slug. Raises Http404 if it is not public."""
    return get_object_or_404(model.objects.visible_to(EVERYBODY.user).not_trashed(), slug=decode_slug(slug))
