"""The records that these exports contain, read in chunks."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from django.conf import settings
from django.db.models import Prefetch

from calendar_site.core.choices import PUBLIC_STATUSES, Status
from calendar_site.core.permissions import published_q
from events.models import Event, EventOrganizer, EventVenue
from organizers.models import Organizer
from venues.models import Venue

CHUNK_RECORDS = 200
# Venues and organizers in their order, which the records themselves do not have.
RELATED = (
    "categories",
    "tags",
    Prefetch("eventvenue_set", EventVenue.objects.select_related("venue").order_by("position", "pk")),
    Prefetch("eventorganizer_set", EventOrganizer.objects.select_related("organizer").order_by("position", "pk")),
)


def all_events() -> Iterator[Event]:
    """Yield all events outside the trash, in the order of their start, with their relations."""
    rows = Event.objects.exclude(status=Status.TRASH).select_related("image", "author")
    return rows.prefetch_related(*RELATED).order_by("start", "pk").iterator(CHUNK_RECORDS)


def public_events() -> Iterator[Event]:
    """Yield the published events that no password hides."""
    rows = Event.objects.filter(published_q(), status__in=PUBLIC_STATUSES, password="", hide_from_listings=False)
    rows = rows.select_related("image", "author").prefetch_related(*RELATED)
    return rows.order_by("start", "pk").iterator(CHUNK_RECORDS)


def all_venues() -> Iterator[Venue]:
    rows = Venue.objects.exclude(status=Status.TRASH).select_related("image", "author")
    return rows.order_by("pk").iterator(CHUNK_RECORDS)


def all_organizers() -> Iterator[Organizer]:
    rows = Organizer.objects.exclude(status=Status.TRASH).select_related("image", "author")
    return rows.order_by("pk").iterator(CHUNK_RECORDS)


def venues_of(event: Event) -> list[Venue]:
    """Return the venues of an event of these exports, the main one first."""
    return [link.venue for link in event.eventvenue_set.all() if link.venue.status != Status.TRASH]


def organizers_of(event: Event) -> list[Organizer]:
    links = event.eventorganizer_set.all()
    return [link.organizer for link in links if link.organizer.status != Status.TRASH]


def cost_without_symbol(event: Event) -> str:
    """Return the cost as the original stores it: without its currency, or without the one of the site."""
    symbol = event.cost_symbol or settings.DEFAULT_CURRENCY_SYMBOL
    return event.cost.replace(symbol, "").strip() if symbol else event.cost


def site_root() -> str:
    """Return the root of the URLs in exports, without a slash. Without PUBLIC_URL, it is this machine."""
    return settings.PUBLIC_URL.rstrip("/") or "http://localhost"


def page_url(path: str, slug: str) -> str:
    return f"{site_root()}/{path}/{quote(slug)}/"


def image_url(row: Event | Venue | Organizer) -> str:
    """Return the URL of the image of a record, "" without one."""
    return file_url(str(row.image.file)) if row.image else ""


def file_url(name: str) -> str:
    base = settings.MEDIA_URL if "://" in settings.MEDIA_URL else f"{site_root()}{settings.MEDIA_URL}"
    return base + quote(name)
