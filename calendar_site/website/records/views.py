"""The pages of venues, organizers, categories and tags, with their events.

They are here, because they show events, and the other apps do not import events.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString

from calendar_site.api.output.loading import load_content_relations
from calendar_site.api.site_urls import urls_for
from calendar_site.core import clock
from calendar_site.core.clock import Moments
from calendar_site.core.dates.conversion import site_zone
from calendar_site.core.text.plain_text import shorten
from calendar_site.custom_fields.values import DisplayedValue
from calendar_site.feeds.views import feed_url
from calendar_site.website.calendar.filtered_calendar import FilteredCalendar
from calendar_site.website.calendar.frame import view_links
from calendar_site.website.calendar.scopes import CalendarScope, with_scope
from calendar_site.website.event_lists import list_past_events, list_upcoming_events
from calendar_site.website.record_display import (
    SUMMARY_LENGTH,
    custom_field_values,
    description_html,
    status_note,
    summarize,
    website_html,
)
from calendar_site.website.records.links import RecordLink, category_link, tag_link
from calendar_site.website.rendering import PageHead, render_page
from calendar_site.website.responsive_images import responsive_image
from calendar_site.website.status_display import (
    accessibility_labels,
)
from calendar_site.website.time_display import venue_zone_note
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from venues.address_display import format_address, map_url
from venues.models import Venue


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


@with_scope("venue")
def venue_page(request: HttpRequest, scope: CalendarScope) -> HttpResponse:
    venue: Venue = scope.record
    urls, relations = urls_for(request), load_content_relations([venue])
    head = PageHead(
        venue.title,
        is_translated=False,
        url=urls.page_url("venue", venue.slug),
        summary=summarize(venue.excerpt or venue.description),
        status_note=status_note(venue),
        api_url=urls.record_url("venues", venue.pk),
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


@with_scope("organizer")
def organizer_page(request: HttpRequest, scope: CalendarScope) -> HttpResponse:
    organizer: Organizer = scope.record
    urls, relations = urls_for(request), load_content_relations([organizer])
    head = PageHead(
        organizer.title,
        is_translated=False,
        url=urls.page_url("organizer", organizer.slug),
        summary=summarize(organizer.excerpt or organizer.description),
        status_note=status_note(organizer),
        api_url=urls.record_url("organizers", organizer.pk),
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


@with_scope("category")
def category_page(request: HttpRequest, scope: CalendarScope) -> HttpResponse:
    """Show a category with its events and the events of its sub-categories."""
    urls = urls_for(request)
    category: Category = scope.record
    parent = Category.objects.filter(pk=category.parent_id).first() if category.parent_id else None
    details = TermDetails(
        description=category.description,
        parent=category_link(parent, urls) if parent else None,
        children=[category_link(child, urls) for child in Category.objects.filter(parent=category.pk)],
    )
    head = PageHead(
        category.name,
        is_translated=False,
        url=category_link(category, urls).url,
        summary=shorten(category.description, SUMMARY_LENGTH),
        api_url=urls.record_url("categories", category.pk),
        calendar_url=feed_url(category_link(category, urls).url),
    )
    return _render_with_events(request, "taxonomy/term.html", head, scope, {"term": details})


@with_scope("tag")
def tag_page(request: HttpRequest, scope: CalendarScope) -> HttpResponse:
    urls = urls_for(request)
    tag: Tag = scope.record
    head = PageHead(
        tag.name,
        is_translated=False,
        url=tag_link(tag, urls).url,
        summary=shorten(tag.description, SUMMARY_LENGTH),
        api_url=urls.record_url("tags", tag.pk),
        calendar_url=feed_url(tag_link(tag, urls).url),
    )
    return _render_with_events(request, "taxonomy/term.html", head, scope, {"term": TermDetails(tag.description)})


def _render_with_events(
    request: HttpRequest, template: str, head: PageHead, scope: CalendarScope, details: Mapping[str, object]
) -> HttpResponse:
    """Render the page of a record with its upcoming events, and its past events, the latest first."""
    now = clock.now_among(Moments.EVENT_END)
    upcoming = list_upcoming_events(request, scope.filters, now)
    past = list_past_events(request, scope.filters, now, "past")
    views = view_links(FilteredCalendar(urls_for(request), scope, {}), clock.today(site_zone().tz))
    context = {"upcoming": upcoming, "past": past, "views": views, **details}
    return render_page(request, template, head, context, pages={"page": upcoming.page, "past": past.page})
