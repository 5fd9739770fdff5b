"""The details of an event for its page: time, places, organizers, prices and texts."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from django.utils.safestring import SafeString

from calendar_site.api.site_urls import SiteURLs
from calendar_site.core.dates.conversion import parse_zone
from calendar_site.custom_fields.values import DisplayedValue
from calendar_site.website.price_display import TicketDisplay, display_tickets, format_cost
from calendar_site.website.record_display import custom_field_values, description_html, website_html
from calendar_site.website.records.links import RecordLink, category_link, tag_link
from calendar_site.website.status_display import (
    OnlineAttendance,
    StatusNotice,
    accessibility_of_event,
    online_attendance,
    status_notice,
)
from calendar_site.website.time_display import EventTime, format_event_time
from events.choices import AttendanceMode, EventStatus
from events.loading import EventRow, LoadedEvent, LoadedEvents
from events.models import Event
from venues.address_display import format_address, map_url


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
    # Whether the time is only what was planned once.
    is_postponed: bool
    time: EventTime
    # The offset of the start from UTC, None for whole days, which have no time on another clock.
    offset_minutes: int | None
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


def make_event_details(event: LoadedEvent, loaded: LoadedEvents, parent: Event | None, urls: SiteURLs) -> EventDetails:
    row = event.row
    return EventDetails(
        is_protected=bool(row.password),
        status=status_notice(row),
        is_sold_out=row.sold_out,
        is_postponed=row.event_status == EventStatus.POSTPONED,
        time=format_event_time(row),
        offset_minutes=None if row.all_day else _offset_minutes(row),
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
        categories=[category_link(category, urls) for category in event.categories],
        tags=[tag_link(tag, urls) for tag in event.tags],
        custom_fields=custom_field_values(row, loaded.relations.custom_fields.get("event", ())),
        description=description_html(row.description),
    )


def _offset_minutes(row: Event | EventRow) -> int:
    offset = row.start.astimezone(parse_zone(row.time_zone).tz).utcoffset() or timedelta()
    return int(offset.total_seconds() // 60)
