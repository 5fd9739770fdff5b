"""The pages for people: coming events, each event, and the events of a venue, an organizer, a category or a tag.

All of them stand here, since all of them show events, and the other apps know nothing of events.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple

from django.core.paginator import Page
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from calendar_site.api.links import links_for
from calendar_site.api.selection import Selection
from calendar_site.api.shapes import as_many
from calendar_site.content.dates import site_wire
from calendar_site.pages import answer_page, data_block, page_address, page_of, status_note, summary
from events.loading import EventRow, load_events
from events.models import Event
from events.querysets import EventQuerySet
from events.representation import represent_events, structured_event
from events.when import When, day, when
from organizers.models import Organizer
from organizers.representation import person, represent_organizer
from taxonomy.models import Category, Tag
from taxonomy.representation import represent_category, represent_tag
from venues.models import Venue
from venues.pages import address_line
from venues.representation import place, represent_venue

# Lists name the venues, and nothing else that an event links to.
LISTED = Selection.of("venue")


class ListedEvent(NamedTuple):
    """An event (as the API answers it) with what a list says of it in words."""

    event: dict[str, Any]
    when: When
    venues: list[dict[str, Any]]
    status: str


class Day(NamedTuple):
    """The events under one heading; `date` is "" for those that began before today."""

    heading: str
    date: str
    events: list[ListedEvent]


class EventList(NamedTuple):
    """A page of events by day, and the parameter that asks for other pages."""

    parameter: str
    page: Page
    days: list[Day]


@require_safe
def coming_events(request: HttpRequest) -> HttpResponse:
    coming = _coming(request, _listed(request))
    canonical = page_address(f"{links_for(request).site}/", {"page": coming.page})
    return answer_page(request, "events/coming.html", title=_("Coming events"), canonical=canonical, coming=coming)


@require_safe
def event_page(request: HttpRequest, slug: str) -> HttpResponse:
    row = get_object_or_404(Event.objects.visible_to(request.user), slug=slug)
    links = links_for(request)
    (event,) = represent_events(load_events([row], request.user, Selection()), links)
    whole = Event.objects.visible_to(request.user).filter(pk=row.parent_id).first() if row.parent_id else None
    parts = _list(request, _listed(request).filter(parent=row.pk).by_wall_clock())
    return answer_page(
        request,
        "events/event.html",
        title=event["title"],
        canonical=page_address(event["url"], {"page": parts.page}),
        alternate=event["rest_url"],
        summary=summary(event),
        status_note=status_note(event),
        data_block=data_block(structured_event(event)),
        event=event,
        when=when(event),
        venues=[{**venue, "address_line": address_line(venue)} for venue in as_many(event["venue"])],
        whole=whole and {"title": whole.title, "url": links.page("event", whole.slug)},
        parts=parts,
    )


@require_safe
def venue_page(request: HttpRequest, slug: str) -> HttpResponse:
    row = get_object_or_404(Venue.objects.visible_to(request.user), slug=slug)
    links = links_for(request)
    venue = represent_venue(row, links)
    return _answer_with_events(
        request,
        "venues/venue.html",
        _listed(request).at_venues([row.pk]),
        title=venue["venue"],
        record=venue,
        alternate=links.item("venues", row.pk),
        status_note=status_note(venue),
        data_block=data_block(place(venue)),
        address_line=address_line(venue),
    )


@require_safe
def organizer_page(request: HttpRequest, slug: str) -> HttpResponse:
    row = get_object_or_404(Organizer.objects.visible_to(request.user), slug=slug)
    links = links_for(request)
    organizer = represent_organizer(row, links)
    return _answer_with_events(
        request,
        "organizers/organizer.html",
        _listed(request).by_organizers([row.pk]),
        title=organizer["organizer"],
        record=organizer,
        alternate=links.item("organizers", row.pk),
        status_note=status_note(organizer),
        data_block=data_block(person(organizer)),
    )


@require_safe
def category_page(request: HttpRequest, slug: str) -> HttpResponse:
    """A category with its events and those of the categories below it."""
    links = links_for(request)
    categories = Category.objects.counted()
    row = get_object_or_404(categories, slug=slug)
    above = categories.filter(pk=row.parent_id).first() if row.parent_id else None
    events = _listed(request).in_categories(Category.objects.with_descendants([row.pk]))
    return _answer_with_coming_events(
        request,
        "taxonomy/term.html",
        events,
        record=represent_category(row, links),
        above=above and represent_category(above, links),
        below=[represent_category(child, links) for child in categories.filter(parent=row.pk)],
    )


@require_safe
def tag_page(request: HttpRequest, slug: str) -> HttpResponse:
    row = get_object_or_404(Tag.objects.counted(), slug=slug)
    return _answer_with_coming_events(
        request, "taxonomy/term.html", _listed(request).tagged([row.pk]), record=represent_tag(row, links_for(request))
    )


def _answer_with_events(
    request: HttpRequest, template: str, events: EventQuerySet, *, record: dict[str, Any], **context: Any
) -> HttpResponse:
    """The page of a record with its coming events and its past ones, the latest first."""
    coming = _coming(request, events)
    past = _list(request, events.ending_by(timezone.now()).order_by("-start_local", "-pk"), "past")
    return answer_page(
        request,
        template,
        canonical=page_address(record["url"], {"page": coming.page, "past": past.page}),
        summary=summary(record),
        record=record,
        coming=coming,
        past=past,
        **context,
    )


def _answer_with_coming_events(
    request: HttpRequest, template: str, events: EventQuerySet, *, record: dict[str, Any], **context: Any
) -> HttpResponse:
    """The page of a term with its coming events."""
    coming = _coming(request, events)
    return answer_page(
        request,
        template,
        title=record["name"],
        canonical=page_address(record["url"], {"page": coming.page}),
        alternate=record["urls"]["self"],
        summary=summary(record),
        record=record,
        coming=coming,
        **context,
    )


def _listed(request: HttpRequest) -> EventQuerySet:
    return Event.objects.visible_to(request.user).listed()


def _coming(request: HttpRequest, events: EventQuerySet) -> EventList:
    """What is still to come, with what has begun on an earlier day and is not over under a heading of its own."""
    now = timezone.now()
    return _list(request, events.coming(now), today=site_wire(now)[:10])


def _list(request: HttpRequest, events: QuerySet, parameter: str = "page", *, today: str = "") -> EventList:
    """The page of `events` that the query asks for. Three queries, whatever its size; raises Http404."""
    page = page_of(request, events.values_list(*EventRow._fields, named=True), parameter)
    loaded = load_events(page.object_list, request.user, LISTED)
    return EventList(parameter, page, list(_days(represent_events(loaded, links_for(request)), today)))


def _days(events: list[dict[str, Any]], today: str) -> Iterator[Day]:
    """The events, which are in the order of their days, under a heading for each."""

    def date_of(event: dict[str, Any]) -> str:
        date = event["start_date"][:10]
        return date if date >= today else ""

    for date, group in groupby(events, key=date_of):
        heading = day(datetime.fromisoformat(date)) if date else _("Already under way")
        yield Day(heading, date, [_listed_event(event, names_day=not date) for event in group])


def _listed_event(event: dict[str, Any], *, names_day: bool) -> ListedEvent:
    return ListedEvent(event, when(event, names_day=names_day), as_many(event["venue"]), status_note(event))
