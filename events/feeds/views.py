"""Calendars over HTTP: each page with a list of events, and each event, with the parameter `ical`.

These are the URLs of The Events Calendar, so that existing subscriptions go on (compatibility.md, section 7).
"""

from __future__ import annotations

from functools import wraps
from typing import TypeVar

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.http import content_disposition_header

from calendar_site.api.site_urls import urls_for
from calendar_site.content.models import Content
from calendar_site.core import clock
from calendar_site.core.clock import Moments
from calendar_site.core.slugs import decode_slug
from calendar_site.pages.decorators import View, read_only
from events.feeds.calendars import EVERYBODY, CalendarHead, make_calendar
from events.feeds.loading import read_rows
from events.models import Event
from events.querysets import EventQuerySet
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from venues.models import Venue

PARAMETER = "ical"
# A calendar contains this many events; those that end first.
MAX_EVENTS = 500

Record = TypeVar("Record", bound=Content)


def page_or_feed(page: View, feed: View) -> View:
    """Return a view that answers requests with the parameter `ical`, whatever its value, with a calendar."""

    @wraps(page)
    def view(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        return (feed if PARAMETER in request.GET else page)(request, *args, **kwargs)

    return view


def feed_url(page_url: str) -> str:
    """Return the URL of the calendar with the events of a page."""
    return f"{page_url}?{PARAMETER}=1"


@read_only
def upcoming_events_feed(request: HttpRequest) -> HttpResponse:
    return _respond(
        request, CalendarHead(settings.SITE_NAME, f"{urls_for(request).site}/"), "events", _upcoming(_listed())
    )


@read_only
def event_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the calendar of one event, also if it is over, or hidden from lists."""
    event = _get_public(Event, slug)
    head = CalendarHead(_named(event.title), urls_for(request).page_url("event", event.slug))
    return _respond(request, head, event.slug, Event.objects.filter(pk=event.pk))


@read_only
def venue_feed(request: HttpRequest, slug: str) -> HttpResponse:
    venue = _get_public(Venue, slug)
    head = CalendarHead(_named(venue.title), urls_for(request).page_url("venue", venue.slug))
    return _respond_linked(request, head, venue.slug, _findable().linked_to("venues", [venue.pk]))


@read_only
def organizer_feed(request: HttpRequest, slug: str) -> HttpResponse:
    organizer = _get_public(Organizer, slug)
    head = CalendarHead(_named(organizer.title), urls_for(request).page_url("organizer", organizer.slug))
    return _respond_linked(request, head, organizer.slug, _findable().linked_to("organizers", [organizer.pk]))


@read_only
def category_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the events of a category and of its subcategories."""
    category = get_object_or_404(Category, slug=decode_slug(slug))
    head = CalendarHead(_named(category.name), urls_for(request).page_url("events/category", category.slug))
    ids = Category.objects.descendant_ids([category.pk])
    return _respond_linked(request, head, category.slug, _findable().linked_to("categories", ids))


@read_only
def tag_feed(request: HttpRequest, slug: str) -> HttpResponse:
    tag = get_object_or_404(Tag, slug=decode_slug(slug))
    head = CalendarHead(_named(tag.name), urls_for(request).page_url("events/tag", tag.slug))
    return _respond_linked(request, head, tag.slug, _findable().linked_to("tags", [tag.pk]))


def _respond_linked(request: HttpRequest, head: CalendarHead, name: str, events: EventQuerySet) -> HttpResponse:
    """Return the calendar of the events with one venue, organizer, category or tag."""
    return _respond(request, head, name, _upcoming(events), scope=events)


def _respond(
    request: HttpRequest, head: CalendarHead, name: str, events: EventQuerySet, *, scope: EventQuerySet | None = None
) -> HttpResponse:
    rows = read_rows(events, MAX_EVENTS)
    calendar = make_calendar(head, rows, urls_for(request), combines_series=_combines_series(request), scope=scope)
    return HttpResponse(
        calendar,
        content_type="text/calendar; charset=utf-8",
        headers={
            "Content-Disposition": content_disposition_header(as_attachment=True, filename=f"{name}.ics"),
            "X-Robots-Tag": "noindex, nofollow",
            "Cache-Control": "no-cache",
        },
    )


def _combines_series(request: HttpRequest) -> bool:
    """Return whether the client asks for recurrence rules. Raises BadRequest for an unknown form of series."""
    form = request.GET.get("series", "events")
    if form not in ("events", "rule"):
        raise BadRequest(form)
    return form == "rule"


def _named(title: str) -> str:
    """Return the name of the calendar of a record."""
    return f"{title} – {settings.SITE_NAME}"


def _listed() -> EventQuerySet:
    return Event.objects.visible_to(EVERYBODY.user).listed()


def _findable() -> EventQuerySet:
    """Return the events whose links everybody may see."""
    return _listed().with_fields_visible_to(EVERYBODY.user)


def _upcoming(events: EventQuerySet) -> EventQuerySet:
    return events.upcoming(clock.now_among(Moments.EVENT_END))


def _get_public(model: type[Record], slug: str) -> Record:
    """Return the record with this slug. Raises Http404 if it is not public."""
    return get_object_or_404(model.objects.visible_to(EVERYBODY.user).not_trashed(), slug=decode_slug(slug))
