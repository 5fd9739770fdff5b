"""The pages for people: coming events, each event, and the events of a venue, an organizer, a category or a tag.

All of them stand here, since all of them show events, and the other apps know nothing of events.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

from django.core.paginator import Page
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from calendar_site.api.links import links_for
from calendar_site.api.selection import Selection
from calendar_site.api.shapes import as_many
from calendar_site.content.dates import parse_zone, site_wire
from calendar_site.content.days import day
from calendar_site.content.loading import load_extras
from calendar_site.figures import figure_of, thumbnail_of
from calendar_site.pages import (
    answer_page,
    custom_facts,
    data_block,
    page_of,
    prose,
    read_only,
    see_other,
    status_note,
    summary,
    with_form,
)
from events.access import Reader, hides_fields, previewed
from events.loading import EventRow, load_events
from events.models import Event
from events.offers import cost, offers
from events.password_page import ask_for_password, reader_of, take_password
from events.querysets import EventQuerySet
from events.representation import represent_events, structured_event
from events.when import When, when
from organizers.models import Organizer
from organizers.representation import person, represent_organizer
from taxonomy.models import Category, Tag
from taxonomy.representation import represent_category, represent_tag
from venues.models import Venue
from venues.pages import address_line, map_link
from venues.representation import place, represent_venue

# Lists show the image and name the venues with their cities, and nothing else that an event has.
LISTED = Selection.of("image,venue.venue,venue.city")

Found = TypeVar("Found", Event, Venue, Organizer)


class ListedEvent(NamedTuple):
    """An event (as the API answers it) with what a list says of it in words."""

    event: dict[str, Any]
    when: When
    venues: list[dict[str, Any]]
    status: str
    thumbnail: str


class Day(NamedTuple):
    """The events under one heading; `date` is "" for those that began before today."""

    heading: str
    date: str
    events: list[ListedEvent]


class EventList(NamedTuple):
    """A page of events, by day."""

    page: Page
    days: list[Day]


@read_only
def coming_events(request: HttpRequest) -> HttpResponse:
    coming = _coming(request, _listed(request), timezone.now())
    return answer_page(
        request,
        "events/coming.html",
        title=_("Coming events"),
        address=f"{links_for(request).site}/",
        pages={"page": coming.page},
        is_home=True,
        coming=coming,
    )


@with_form
def event_page(request: HttpRequest, slug: str) -> HttpResponse:
    """An event; one that is protected asks for its password, and shows itself to browsers that gave it before."""
    row = _found(Event, request, slug)
    reader = reader_of(request, row)
    if request.method == "POST":
        return take_password(request, row, reader)
    if hides_fields(row, reader):
        return ask_for_password(request, row)
    return _show(request, row, reader, is_private=bool(row.password))


@read_only
def event_preview(request: HttpRequest, token: str) -> HttpResponse:
    """An event as its page will be, for whoever was given the link; what it links to shows as to everybody."""
    row = get_object_or_404(Event.objects.outside_trash(), pk=previewed(token))
    if row.is_published:
        # Its page is for everybody now, and asks for the password where there is one.
        return see_other(f"{reverse('event-page', kwargs={'slug': row.slug})}/")
    address = f"{links_for(request).site}/preview/{token}/"
    response = _show(request, row, Reader(request.user, row.password), address=address, is_private=True)
    response["X-Robots-Tag"] = "noindex"
    return response


def _show(
    request: HttpRequest, row: Event, reader: Reader, *, address: str = "", is_private: bool = False
) -> HttpResponse:
    links = links_for(request)
    loaded = load_events([row], reader, Selection())
    (event,) = represent_events(loaded, links)
    whole = Event.objects.visible_to(request.user).filter(pk=row.parent_id).first() if row.parent_id else None
    parts = _list(request, _listed(request).filter(parent=row.pk).by_wall_clock(), "page")
    return answer_page(
        request,
        "events/event.html",
        title=event["title"],
        address=address or event["url"],
        pages={"page": parts.page},
        alternate=event["rest_url"],
        is_private=is_private,
        is_protected=bool(row.password),
        summary=summary(event),
        status_note=status_note(event),
        data_block=data_block(structured_event(event)),
        figure=figure_of(event, loaded.extras),
        event=event,
        description=prose(event["description"]),
        when=when(event),
        venues=[_venue_of(event, venue) for venue in as_many(event["venue"])],
        cost=cost(event),
        offers=offers(loaded.events[0].tickets, parse_zone(event["timezone"])),
        custom_facts=custom_facts(event, loaded.extras.custom_fields.get("event", ())),
        whole=whole and {"title": whole.title, "url": links.page("event", whole.slug)},
        parts=parts,
    )


def _venue_of(event: dict[str, Any], venue: dict[str, Any]) -> dict[str, Any]:
    return {
        **venue,
        "address_line": address_line(venue),
        "map_link": map_link(venue) if event["show_map_link"] else "",
    }


@read_only
def venue_page(request: HttpRequest, slug: str) -> HttpResponse:
    row = _found(Venue, request, slug)
    links, extras = links_for(request), load_extras([row])
    venue = represent_venue(row, links, extras)
    return _answer_with_events(
        request,
        "venues/venue.html",
        _selectable(request).linked_to("venues", [row.pk]),
        title=venue["venue"],
        record=venue,
        alternate=links.item("venues", row.pk),
        status_note=status_note(venue),
        description=prose(venue["description"]),
        data_block=data_block(place(venue)),
        figure=figure_of(venue, extras),
        custom_facts=custom_facts(venue, extras.custom_fields.get("venue", ())),
        address_line=address_line(venue),
        map_link=map_link(venue),
    )


@read_only
def organizer_page(request: HttpRequest, slug: str) -> HttpResponse:
    row = _found(Organizer, request, slug)
    links, extras = links_for(request), load_extras([row])
    organizer = represent_organizer(row, links, extras)
    return _answer_with_events(
        request,
        "organizers/organizer.html",
        _selectable(request).linked_to("organizers", [row.pk]),
        title=organizer["organizer"],
        record=organizer,
        alternate=links.item("organizers", row.pk),
        status_note=status_note(organizer),
        description=prose(organizer["description"]),
        data_block=data_block(person(organizer)),
        figure=figure_of(organizer, extras),
        custom_facts=custom_facts(organizer, extras.custom_fields.get("organizer", ())),
    )


@read_only
def category_page(request: HttpRequest, slug: str) -> HttpResponse:
    """A category with its events and those of the categories below it."""
    links = links_for(request)
    categories = Category.objects.counted()
    row = get_object_or_404(categories, slug=slug)
    above = categories.filter(pk=row.parent_id).first() if row.parent_id else None
    return _answer_with_term(
        request,
        _selectable(request).linked_to("categories", Category.objects.with_descendants([row.pk])),
        represent_category(row, links),
        above=above and represent_category(above, links),
        below=[represent_category(child, links) for child in categories.filter(parent=row.pk)],
    )


@read_only
def tag_page(request: HttpRequest, slug: str) -> HttpResponse:
    row = get_object_or_404(Tag.objects.counted(), slug=slug)
    return _answer_with_term(
        request, _selectable(request).linked_to("tags", [row.pk]), represent_tag(row, links_for(request))
    )


def _answer_with_term(
    request: HttpRequest, events: EventQuerySet, term: dict[str, Any], **context: Any
) -> HttpResponse:
    return _answer_with_events(
        request,
        "taxonomy/term.html",
        events,
        title=term["name"],
        record=term,
        alternate=term["urls"]["self"],
        **context,
    )


def _answer_with_events(
    request: HttpRequest, template: str, events: EventQuerySet, *, record: dict[str, Any], **context: Any
) -> HttpResponse:
    """The page of a record with its coming events and its past ones, the latest first."""
    now = timezone.now()
    coming = _coming(request, events, now)
    past = _list(request, events.ending_by(now).order_by("-start_local", "-pk"), "past")
    return answer_page(
        request,
        template,
        address=record["url"],
        pages={"page": coming.page, "past": past.page},
        summary=summary(record),
        record=record,
        coming=coming,
        past=past,
        **context,
    )


def _found(model: type[Found], request: HttpRequest, slug: str) -> Found:
    """The record of this slug, if the reader may see it; raises Http404."""
    # Outside the trash in so many words: that is what the index of slugs holds.
    return get_object_or_404(model.objects.visible_to(request.user).outside_trash(), slug=slug)


def _listed(request: HttpRequest) -> EventQuerySet:
    return Event.objects.visible_to(request.user).listed()


def _selectable(request: HttpRequest) -> EventQuerySet:
    """Those of which the reader sees what they link to, so that no list tells a link that is hidden."""
    return _listed(request).showing_fields_to(request.user)


def _coming(request: HttpRequest, events: EventQuerySet, now: datetime) -> EventList:
    """What is not over, with what began on an earlier day at the top, under a heading of its own."""
    page, shown = _page(request, events.coming(now), "page")
    under_way = [event for event in shown if _began_before_today(event, now)]
    others = [event for event in shown if not _began_before_today(event, now)]
    return EventList(page, [*_under_way(under_way), *_days(others)])


def _list(request: HttpRequest, events: QuerySet, parameter: str) -> EventList:
    page, shown = _page(request, events, parameter)
    return EventList(page, list(_days(shown)))


def _page(request: HttpRequest, events: QuerySet, parameter: str) -> tuple[Page, list[dict[str, Any]]]:
    """The page that the query asks for and its events. Three queries, whatever its size; raises Http404."""
    page = page_of(request, events.values_list(*EventRow._fields, named=True), parameter)
    return page, represent_events(load_events(page.object_list, Reader(request.user), LISTED), links_for(request))


def _began_before_today(event: dict[str, Any], now: datetime) -> bool:
    """Also looks at the moment: what is still ahead may be on the day before on the clock of its own place."""
    return event["start_date"][:10] < site_wire(now)[:10] and datetime.fromisoformat(event["start"]) <= now


def _under_way(events: list[dict[str, Any]]) -> Iterator[Day]:
    if events:
        yield Day(_("Already under way"), "", [_listed_event(event, names_day=True) for event in events])


def _days(events: list[dict[str, Any]]) -> Iterator[Day]:
    """The events, which are in the order of their days, under a heading for each."""
    for date, group in groupby(events, key=lambda event: event["start_date"][:10]):
        heading = day(datetime.fromisoformat(date))
        yield Day(heading, date, [_listed_event(event, names_day=False) for event in group])


def _listed_event(event: dict[str, Any], *, names_day: bool) -> ListedEvent:
    in_words = when(event, names_day=names_day)
    return ListedEvent(event, in_words, as_many(event["venue"]), status_note(event), thumbnail_of(event))
