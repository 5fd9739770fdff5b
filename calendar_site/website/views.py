"""The HTML pages of records: each event, and the events of a venue, an organizer, a category or a tag.

All of them are here, because all of them show events, and the other apps do not import events.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.safestring import SafeString

from calendar_site.api.output.loading import load_content_relations
from calendar_site.api.output.selection import Selection
from calendar_site.api.site_urls import SiteURLs, urls_for
from calendar_site.core import clock
from calendar_site.core.clock import Moments
from calendar_site.core.dates.conversion import parse_zone, site_zone
from calendar_site.core.http.allowed_methods import read_only, with_form
from calendar_site.core.slugs import decode_slug
from calendar_site.core.text.plain_text import shorten
from calendar_site.custom_fields.values import DisplayedValue
from calendar_site.feeds.views import feed_url
from calendar_site.website.calendar.addresses import CalendarAddress
from calendar_site.website.calendar.frame import view_links
from calendar_site.website.calendar.scopes import Scope, find_scope
from calendar_site.website.event_lists import list_parts, list_past_events, list_upcoming_events
from calendar_site.website.password_page import check_submitted_password, password_page, reader_of_page
from calendar_site.website.price_display import TicketDisplay, display_tickets, format_cost
from calendar_site.website.record_display import (
    SUMMARY_LENGTH,
    custom_field_values,
    description_html,
    json_ld_script,
    status_note,
    summarize,
    website_html,
)
from calendar_site.website.rendering import PageHead, redirect_after_post, render_page
from calendar_site.website.responsive_images import responsive_image
from calendar_site.website.status_display import (
    OnlineAttendance,
    StatusNotice,
    accessibility_labels,
    accessibility_of_event,
    online_attendance,
    status_notice,
)
from calendar_site.website.time_display import EventTime, format_event_time, venue_zone_note
from events.assembly import load_record
from events.choices import AttendanceMode
from events.loading import LoadedEvent, LoadedEvents, load_events
from events.models import Event
from events.protection.preview_tokens import event_of_token
from events.protection.protected_fields import Reader, hides_fields
from events.representation import event_json_ld
from organizers.models import Organizer
from organizers.representation import organization_json_ld, represent_organizer
from taxonomy.loading import CategoryRow, TagRow
from taxonomy.models import Category, Tag
from venues.address_display import format_address, map_url
from venues.models import Venue
from venues.representation import place_json_ld, represent_venue


class RecordLink(NamedTuple):
    """A link to the page of another record."""

    name: str
    url: str


class EventVenueDetails(NamedTuple):
    """A venue on the page of an event."""

    name: str
    url: str
    address: str
    map_url: str


class EventDetails(NamedTuple):
    """The content of an event's page. Missing texts are ""."""

    is_protected: bool
    status: StatusNotice | None
    is_sold_out: bool
    time: EventTime
    online: OnlineAttendance | None
    venues: list[EventVenueDetails]
    organizers: list[RecordLink]
    accessibility: list[str]
    cost: str
    tickets: list[TicketDisplay]
    website: SafeString
    parent: RecordLink | None
    categories: list[RecordLink]
    tags: list[RecordLink]
    custom_fields: list[DisplayedValue]
    description: SafeString


class VenueDetails(NamedTuple):
    """The content of a venue's page, without its events."""

    address: str
    map_url: str
    time_zone: str
    accessibility: list[str]
    phone: str
    website: SafeString
    custom_fields: list[DisplayedValue]
    description: SafeString


class OrganizerDetails(NamedTuple):
    """The content of an organizer's page, without its events."""

    phone: str
    email: str
    website: SafeString
    custom_fields: list[DisplayedValue]
    description: SafeString


class TermDetails(NamedTuple):
    """The content of the page of a category or a tag, without its events."""

    description: str
    parent: RecordLink | None = None
    children: Sequence[RecordLink] = ()


@read_only
def event_preview_page(request: HttpRequest, token: str) -> HttpResponse:
    """Show an unpublished event to everybody who has the link, with only those linked records that they may see."""
    event = event_of_token(token)
    if event is None:
        raise Http404
    if event.is_published:
        # The page has become public meanwhile, and asks for the password if the event has one.
        return redirect_after_post(f"{reverse('event-page', kwargs={'slug': event.slug})}/")
    url = f"{urls_for(request).site}/preview/{token}/"
    response = _render_event(request, event, Reader(request.user, event.password), url=url, is_private=True)
    response["X-Robots-Tag"] = "noindex"
    return response


@with_form
def event_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show an event, or the form that asks for its password and submits to this view."""
    event = _get_visible(request, slug)
    reader = reader_of_page(request, event)
    if request.method == "POST":
        return check_submitted_password(request, event, reader)
    if hides_fields(event, reader):
        return password_page(request, event)
    return _render_event(request, event, reader, is_private=bool(event.password))


def _render_event(
    request: HttpRequest, event: Event, reader: Reader, *, url: str = "", is_private: bool = False
) -> HttpResponse:
    urls = urls_for(request)
    loaded = load_events([event], reader, Selection())
    # `json_ld` of the contract is made from the record of the API, so that both are the same.
    record = load_record(event.pk, reader, urls)
    if record is None:
        raise Http404
    parent = Event.objects.visible_to(request.user).filter(pk=event.parent_id).first() if event.parent_id else None
    listed = Event.objects.visible_to(request.user).listed()
    parts = list_parts(request, listed.filter(parent=event.pk).ordered_by_local_start(), "page")
    head = PageHead(
        event.title,
        is_translated=False,
        url=url or urls.page_url("event", event.slug),
        summary=summarize(event.excerpt or event.description),
        status_note=status_note(event),
        api_url=urls.record_url("events", event.pk),
        json_ld_script=json_ld_script(event_json_ld(record)),
        image=responsive_image(loaded.relations.image_of(event), urls),
        calendar_url=feed_url(urls.page_url("event", event.slug)) if event.is_published else "",
    )
    context = {"event": _event_details(loaded.events[0], loaded, parent, urls), "parts": parts}
    return render_page(request, "events/event.html", head, context, pages={"page": parts.page}, is_private=is_private)


def _event_details(event: LoadedEvent, loaded: LoadedEvents, parent: Event | None, urls: SiteURLs) -> EventDetails:
    row = event.row
    return EventDetails(
        is_protected=bool(row.password),
        status=status_notice(row),
        is_sold_out=row.sold_out,
        time=format_event_time(row),
        online=online_attendance(row, is_hidden=row.id in loaded.without_online_url),
        venues=[
            EventVenueDetails(
                venue.title,
                urls.page_url("venue", venue.slug),
                address=format_address(venue),
                map_url=map_url(venue) if row.show_map_link else "",
            )
            for venue in event.venues
            if row.attendance_mode != AttendanceMode.ONLINE
        ],
        organizers=[RecordLink(each.title, urls.page_url("organizer", each.slug)) for each in event.organizers],
        accessibility=accessibility_of_event(event),
        cost=format_cost(row),
        tickets=display_tickets(event.tickets, parse_zone(row.time_zone)),
        website=website_html("" if row.website == urls.page_url("event", row.slug) else row.website),
        parent=RecordLink(parent.title, urls.page_url("event", parent.slug)) if parent else None,
        categories=[_category_link(category, urls) for category in event.categories],
        tags=[_tag_link(tag, urls) for tag in event.tags],
        custom_fields=custom_field_values(row, loaded.relations.custom_fields.get("event", ())),
        description=description_html(row.description),
    )


@read_only
def venue_page(request: HttpRequest, slug: str) -> HttpResponse:
    scope = find_scope(request, "venue", slug)
    venue: Venue = scope.record
    urls, relations = urls_for(request), load_content_relations([venue])
    head = PageHead(
        venue.title,
        is_translated=False,
        url=urls.page_url("venue", venue.slug),
        summary=summarize(venue.excerpt or venue.description),
        status_note=status_note(venue),
        api_url=urls.record_url("venues", venue.pk),
        json_ld_script=json_ld_script(place_json_ld(represent_venue(venue, urls, relations))),
        image=responsive_image(relations.image_of(venue), urls),
        calendar_url=feed_url(urls.page_url("venue", venue.slug)) if venue.is_published else "",
    )
    details = VenueDetails(
        address=format_address(venue),
        map_url=map_url(venue),
        time_zone=venue_zone_note(venue.time_zone),
        accessibility=accessibility_labels(venue.accessibility),
        phone=venue.phone,
        website=website_html(venue.website),
        custom_fields=custom_field_values(venue, relations.custom_fields.get("venue", ())),
        description=description_html(venue.description),
    )
    return _render_with_events(request, "venues/venue.html", head, scope, {"venue": details})


@read_only
def organizer_page(request: HttpRequest, slug: str) -> HttpResponse:
    scope = find_scope(request, "organizer", slug)
    organizer: Organizer = scope.record
    urls, relations = urls_for(request), load_content_relations([organizer])
    head = PageHead(
        organizer.title,
        is_translated=False,
        url=urls.page_url("organizer", organizer.slug),
        summary=summarize(organizer.excerpt or organizer.description),
        status_note=status_note(organizer),
        api_url=urls.record_url("organizers", organizer.pk),
        json_ld_script=json_ld_script(organization_json_ld(represent_organizer(organizer, urls, relations))),
        image=responsive_image(relations.image_of(organizer), urls),
        calendar_url=feed_url(urls.page_url("organizer", organizer.slug)) if organizer.is_published else "",
    )
    details = OrganizerDetails(
        phone=organizer.phone,
        email=organizer.email,
        website=website_html(organizer.website),
        custom_fields=custom_field_values(organizer, relations.custom_fields.get("organizer", ())),
        description=description_html(organizer.description),
    )
    return _render_with_events(request, "organizers/organizer.html", head, scope, {"organizer": details})


@read_only
def category_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a category with its events and the events of its sub-categories."""
    urls = urls_for(request)
    scope = find_scope(request, "category", slug)
    category: Category = scope.record
    parent = Category.objects.filter(pk=category.parent_id).first() if category.parent_id else None
    details = TermDetails(
        description=category.description,
        parent=_category_link(parent, urls) if parent else None,
        children=[_category_link(child, urls) for child in Category.objects.filter(parent=category.pk)],
    )
    head = PageHead(
        category.name,
        is_translated=False,
        url=_category_link(category, urls).url,
        summary=shorten(category.description, SUMMARY_LENGTH),
        api_url=urls.record_url("categories", category.pk),
        calendar_url=feed_url(_category_link(category, urls).url),
    )
    return _render_with_events(request, "taxonomy/term.html", head, scope, {"term": details})


@read_only
def tag_page(request: HttpRequest, slug: str) -> HttpResponse:
    urls = urls_for(request)
    scope = find_scope(request, "tag", slug)
    tag: Tag = scope.record
    head = PageHead(
        tag.name,
        is_translated=False,
        url=_tag_link(tag, urls).url,
        summary=shorten(tag.description, SUMMARY_LENGTH),
        api_url=urls.record_url("tags", tag.pk),
        calendar_url=feed_url(_tag_link(tag, urls).url),
    )
    return _render_with_events(request, "taxonomy/term.html", head, scope, {"term": TermDetails(tag.description)})


def _category_link(category: Category | CategoryRow, urls: SiteURLs) -> RecordLink:
    return RecordLink(category.name, urls.page_url("events/category", category.slug))


def _tag_link(tag: Tag | TagRow, urls: SiteURLs) -> RecordLink:
    return RecordLink(tag.name, urls.page_url("events/tag", tag.slug))


def _render_with_events(
    request: HttpRequest, template: str, head: PageHead, scope: Scope, details: Mapping[str, object]
) -> HttpResponse:
    """Render the page of a record with its upcoming events, and its past events, the latest first."""
    now = clock.now_among(Moments.EVENT_END)
    upcoming = list_upcoming_events(request, scope.filters, now)
    past = list_past_events(request, scope.filters, now, "past")
    views = view_links(CalendarAddress(urls_for(request), scope, {}), clock.today(site_zone().tz))
    context = {"upcoming": upcoming, "past": past, "views": views, **details}
    return render_page(request, template, head, context, pages={"page": upcoming.page, "past": past.page})


def _get_visible(request: HttpRequest, slug: str) -> Event:
    """Return the event with this slug. Raises Http404 if the user may not see it."""
    # `visible_to` implies `not_trashed`, but the index of slugs needs exactly this condition.
    return get_object_or_404(Event.objects.visible_to(request.user).not_trashed(), slug=decode_slug(slug))
