"""Events as components of a calendar."""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

import icalendar
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.encoding import iri_to_uri

from calendar_site.api.site_urls import SiteURLs
from calendar_site.core.dates.conversion import Zone, from_local, parse_zone
from calendar_site.core.text.html_lines import html_to_lines
from events.choices import AttendanceMode, EventStatus
from events.loading import EventRow, LoadedEvent, LoadedEvents
from events.models import Event
from events.uids import host_of_uid, uid_of, uid_of_withdrawn
from events.withdrawn_models import WithdrawnEvent
from organizers.loading import OrganizerRow
from taxonomy.loading import CategoryRow
from venues.loading import VenueRow

# The names of categories in a calendar, in characters. Beyond that they are left out.
MAX_CATEGORIES = 200_000
# Postponed events have no reliable date. All others take place.
STATUSES = {EventStatus.CANCELLED: "CANCELLED", EventStatus.POSTPONED: "TENTATIVE"}
LAST_SECOND = time(23, 59, 59)
# A SEQUENCE is the number of seconds from here to the last change: programs store it in 32 bits.
SEQUENCE_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


class Texts(NamedTuple):
    """How the descriptions of events are written."""

    # Returns the text of some sanitized HTML.
    describe: Callable[[str], str]
    # Whether an event whose description a password hides has an empty one.
    shows_hidden: bool = False


WITH_BULLETS = Texts(html_to_lines)

# Control characters, which RFC 5545 does not allow in texts.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class Times(NamedTuple):
    """The start and the end of an event, both as days (the end excluded), in UTC, or in the zone of the event."""

    start: date
    end: date


def event_components(
    loaded: LoadedEvents, urls: SiteURLs, *, without: Collection[int] = (), texts: Texts = WITH_BULLETS
) -> list[icalendar.Event]:
    """Return the events as components, apart from those with the ids `without`.

    `texts` says how descriptions are written.
    """
    events = [event for event in loaded.events if event.row.id not in without]
    return [
        event_component(event._replace(categories=categories), loaded, urls, texts)
        for event, categories in zip(events, fitting_categories(events), strict=True)
    ]


def fitting_categories(events: Iterable[LoadedEvent]) -> Iterator[list[CategoryRow]]:
    """Yield the categories of each event; none for those beyond MAX_CATEGORIES."""
    remaining = MAX_CATEGORIES
    for event in events:
        length = sum(len(category.name) for category in event.categories)
        if length <= remaining:
            remaining -= length
            yield event.categories
        else:
            yield []


def event_component(event: LoadedEvent, loaded: LoadedEvents, urls: SiteURLs, texts: Texts) -> icalendar.Event:
    """Return an event with the fields that everybody may see."""
    row = event.row
    times = event_times(row, hides_fields=row.id in loaded.hidden)
    component = icalendar.Event()
    component.add("UID", uid_of(row, urls))
    component.add("CREATED", row.published_at)
    # A scheduled event becomes public without a write.
    set_version(component, max(row.modified_at, row.published_at))
    set_times(component, times)
    component.add("SUMMARY", clean_text(row.title))
    component.add("URL", urls.page_url("event", row.slug))
    set_transparency(component, blocks_time=False)
    if row.id not in loaded.hidden:
        set_texts(component, row.description, event.categories, texts)
        _add_details(component, event, loaded, urls)
    elif texts.shows_hidden:
        set_texts(component, "", [], texts)
    return component


def withdrawn_component(event: WithdrawnEvent, urls: SiteURLs) -> icalendar.Event:
    """Return an event that was withdrawn as a cancelled one, with nothing but its identifier and its times (D49)."""
    component = icalendar.Event()
    component.add("UID", uid_of_withdrawn(event, urls))
    set_version(component, event.withdrawn_at)
    set_times(component, event_times(event, hides_fields=True))
    component.add("STATUS", "CANCELLED")
    set_transparency(component, blocks_time=False)
    return component


def set_transparency(component: icalendar.Event, *, blocks_time: bool) -> None:
    """Say whether the user is busy during the event. By default, programs assume so, even for exhibitions of months."""
    replace_property(component, "TRANSP", "OPAQUE" if blocks_time else "TRANSPARENT")
    # Outlook reads this one.
    replace_property(component, "X-MICROSOFT-CDO-BUSYSTATUS", icalendar.vText("BUSY" if blocks_time else "FREE"))


def set_version(component: icalendar.Event, changed_at: datetime) -> None:
    """Set the properties by which programs tell a changed event from the version that they have."""
    replace_property(component, "DTSTAMP", changed_at)
    replace_property(component, "LAST-MODIFIED", changed_at)
    replace_property(component, "SEQUENCE", max(0, (changed_at - SEQUENCE_EPOCH) // timedelta(seconds=1)))


def set_times(component: icalendar.Event, times: Times) -> None:
    """Set the start, and the end unless it is the same, which RFC 5545 does not allow."""
    replace_property(component, "DTSTART", times.start)
    component.pop("DTEND", None)
    if times.end != times.start:
        component.add("DTEND", times.end)


def set_texts(
    component: icalendar.Event,
    description: str,
    categories: Sequence[CategoryRow],
    texts: Texts = WITH_BULLETS,
) -> None:
    """Set the texts whose length a calendar limits."""
    replace_property(component, "DESCRIPTION", clean_text(texts.describe(description)))
    component.pop("CATEGORIES", None)
    if categories:
        component.add("CATEGORIES", [clean_text(category.name) for category in categories])


def replace_property(component: icalendar.Event, name: str, value: object) -> None:
    component.pop(name, None)
    component.add(name, value)


def _add_details(component: icalendar.Event, event: LoadedEvent, loaded: LoadedEvents, urls: SiteURLs) -> None:
    """Add the fields that a password would hide."""
    row = event.row
    component.add("STATUS", STATUSES.get(EventStatus(row.event_status), "CONFIRMED"))
    if event.venues and row.attendance_mode != AttendanceMode.ONLINE:
        _add_place(component, event.venues[0])
    _add_organizer(component, event.organizers)
    if row.online_url and row.id not in loaded.without_online_url:
        component.add("CONFERENCE", to_uri(row.online_url), parameters={"VALUE": "URI"})
    if image := loaded.relations.image_of(row):
        media_type = mimetypes.guess_type(image.file)[0] or "application/octet-stream"
        component.add("ATTACH", urls.media_url(image.file), parameters={"FMTTYPE": media_type})
    if event.rrule is not None:
        component.add("RELATED-TO", series_uid(row, urls))


def _add_place(component: icalendar.Event, venue: VenueRow) -> None:
    parts = (venue.title, venue.address, venue.city, venue.region, venue.zip, venue.country)
    component.add("LOCATION", clean_text(", ".join(part for part in parts if part)))
    if venue.geo_lat is not None and venue.geo_lng is not None:
        component["GEO"] = Coordinates((venue.geo_lat, venue.geo_lng))


def _add_organizer(component: icalendar.Event, organizers: Iterable[OrganizerRow]) -> None:
    """Add the first organizer, if it has the email address that the format requires."""
    for organizer in organizers:
        if is_email(organizer.email):
            # Quotes would end the parameter.
            name = clean_text(organizer.title).replace('"', "'")
            component.add("ORGANIZER", f"mailto:{organizer.email}", parameters={"CN": name})
        return


class Coordinates(icalendar.vGeo):
    """Coordinates without exponents, which RFC 5545 does not have: Greenwich is at 0.00002, not at 2e-05."""

    def to_ical(self) -> str:
        return ";".join(f"{number:.9f}".rstrip("0").rstrip(".") for number in (self.latitude, self.longitude))


def is_email(text: str) -> bool:
    """Return whether programs can send an email to the address. What people enter may be any text."""
    try:
        validate_email(text)
    except ValidationError:
        return False
    return text.isascii()


def to_uri(url: str) -> str:
    """Return a URL in ASCII: its host in Punycode, if that is possible, and the rest percent-encoded."""
    if url.isascii():
        return url
    scheme, separator, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    with suppress(UnicodeError):
        host = host.encode("idna").decode()
    return iri_to_uri(f"{scheme}{separator}{host}{slash}{path}")


def series_uid(event: Event | EventRow, urls: SiteURLs) -> str:
    """Return the identifier of the series of an event, on the host of the event's identifier."""
    return f"series-{event.series_id or 0}@{host_of_uid(uid_of(event, urls))}"


def event_times(row: Event | EventRow | WithdrawnEvent, *, hides_fields: bool) -> Times:
    """Return the times of an event. `hides_fields` is for a reader who may not see `all_day`.

    One that was withdrawn does not have it.
    """
    start, end = (datetime.fromisoformat(text) for text in (row.start_local, row.end_local))
    looks_all_day = start.time() == time() and end.time() == LAST_SECOND
    is_all_day = looks_all_day if hides_fields or isinstance(row, WithdrawnEvent) else row.all_day
    if is_all_day:
        return Times(start.date(), day_after(end.date()))
    zone = parse_zone(row.time_zone)
    # The second of two equal times on the clock, when daylight saving time ends, cannot be written in the zone.
    written = [from_local(text, zone).astimezone(UTC) for text in (row.start_local, row.end_local)]
    is_exact = has_definition(zone) and written == [row.start, row.end]
    tz = zone.tz if is_exact else UTC
    return Times(row.start.astimezone(tz), row.end.astimezone(tz))


def day_after(day: date) -> date:
    """Return the next day: calendars exclude the end of all-day events. No day follows the last one."""
    return day + timedelta(days=1) if day < date.max else day


def has_definition(zone: Zone) -> bool:
    """Return whether calendars define the zone. Those with a fixed offset are written in UTC."""
    return "/" in zone.name


def clean_text(text: str) -> str:
    """Return a text without characters that no text of a calendar may contain."""
    return _CONTROL.sub("", text)
