"""The reader of schema.org events: in files of JSON, and in web pages, as people really write them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from django.utils.dateparse import parse_duration
from django.utils.translation import gettext as _

from calendar_site.core.dates.conversion import Zone, in_utc, parse_zone, resolve_local, site_zone
from calendar_site.core.text.plain_text import unescape_references
from calendar_site.transfer.imports.errors import SourceError
from calendar_site.transfer.imports.records import ImageLink, ImportedRecord, RecordKind, RejectedRecord, SourceLink
from calendar_site.transfer.models import Source
from calendar_site.transfer.readers.fetching import fetch_file
from calendar_site.transfer.readers.text import content_key, decode, to_html, to_title
from events.choices import AttendanceMode, EventStatus
from events.models import Event

SCRIPT = re.compile(
    r"<script\b[^>]*\btype\s*=\s*[\"']?application/ld\+json[\"']?[^>]*>(.*?)</script\s*>", re.IGNORECASE | re.DOTALL
)
# What authors put around JSON so that old browsers ignore it.
WRAPPING = re.compile(r"^\s*(?:(?://|/\*)?\s*<!\[CDATA\[(?:\s*\*/)?|<!--)|(?:(?://|/\*)?\s*\]\]>(?:\s*\*/)?|-->|;)\s*$")
STRING_OR_COMMA = re.compile(r"\"(?:[^\"\\]|\\.)*\"|,(?=\s*[}\]])", re.DOTALL)
SUBTYPES = {"Festival", "Hackathon", "CourseInstance", "EventSeries"}
MAX_EVENTS = 20_000
MAX_DEPTH = 20
STATUSES = {
    "EventCancelled": EventStatus.CANCELLED,
    "EventPostponed": EventStatus.POSTPONED,
    "EventRescheduled": EventStatus.RESCHEDULED,
    "EventMovedOnline": EventStatus.MOVED_ONLINE,
}
MODES = {
    "OnlineEventAttendanceMode": AttendanceMode.ONLINE,
    "MixedEventAttendanceMode": AttendanceMode.MIXED,
    "OfflineEventAttendanceMode": AttendanceMode.IN_PERSON,
}
SYMBOLS = {"EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "CAD": "$", "AUD": "$", "CHF": "CHF "}


class InvalidEvent(ValueError):
    """An event that cannot be read."""


class JsonLdReader:
    """Reads the events of a file or page. A page may show only some of the events of a site."""

    is_complete = False

    def __init__(self, source: Source, local: Path | None = None, *, conditional: bool = False) -> None:
        self._source, self._local, self._conditional = source, local, conditional
        self._nodes: list[Mapping[str, Any]] = []
        self._broken: list[RejectedRecord] = []
        self._url = ""

    def fetch(self, folder: Path) -> None:
        """Load the file or page. Raises SourceError if it has no events."""
        file = fetch_file(self._source, folder, self._local, conditional=self._conditional)
        self._url = file.url
        self._nodes, self._broken = find_events(decode(file.read()))
        if not self._nodes and not self._broken:
            raise SourceError(_("There are no schema.org events at this address."))
        if len(self._nodes) > MAX_EVENTS:
            raise SourceError(_("The calendar has more than %(limit)s events.") % {"limit": MAX_EVENTS})

    def total(self) -> int:
        return len(self._nodes) + len(self._broken)

    def records(self) -> Iterator[ImportedRecord | RejectedRecord]:
        """Yield the events."""
        yield from self._broken
        zone = parse_zone(self._source.read_times_as) if self._source.read_times_as else None
        for node in self._nodes:
            title = to_title(_text(node.get("name") or node.get("headline")))
            try:
                yield read_event(node, title, self._url, zone)
            except (InvalidEvent, OverflowError) as error:
                yield RejectedRecord(reason=str(error), title=title, raw=json.dumps(node, default=str))


def find_events(text: str) -> tuple[list[Mapping[str, Any]], list[RejectedRecord]]:
    """Return the events of a page or file of JSON, and the parts that are no JSON."""
    is_json = text.lstrip()[:1] in ("[", "{")
    events: list[Mapping[str, Any]] = []
    broken: list[RejectedRecord] = []
    for block in [text] if is_json else SCRIPT.findall(text):
        try:
            _collect(_parse(block), events, 0)
        except (ValueError, RecursionError) as error:
            broken.append(RejectedRecord(reason=_("Not valid JSON: %(error)s") % {"error": error}, raw=block))
    return events, broken


def _parse(block: str) -> Any:
    """Return the value of JSON with control characters, trailing commas, or wrapped in comments. Raises ValueError."""
    text = block
    while (unwrapped := WRAPPING.sub("", text.strip())) != text:
        text = unwrapped
    try:
        return json.loads(text, strict=False)
    except json.JSONDecodeError as error:
        lines = [line for line in text.splitlines() if line.strip()]
        if error.msg == "Extra data" and lines and lines[0].lstrip()[:1] == "{":
            # A value on each line.
            return [json.loads(line, strict=False) for line in lines]
        return json.loads(STRING_OR_COMMA.sub(lambda match: "" if match[0] == "," else match[0], text), strict=False)


def _collect(value: Any, events: list[Mapping[str, Any]], depth: int) -> None:
    if depth > MAX_DEPTH:
        return
    if isinstance(value, list):
        for item in value:
            _collect(item, events, depth + 1)
    elif isinstance(value, Mapping):
        types = value.get("@type")
        names = [str(name).rpartition("/")[2] for name in (types if isinstance(types, list) else [types])]
        if any(name.endswith("Event") or name in SUBTYPES for name in names) and value.get("startDate"):
            events.append(value)
        for name in ("@graph", "itemListElement", "item", "event", "events", "subEvent", "mainEntity"):
            if name in value:
                _collect(value[name], events, depth + 1)


def read_event(node: Mapping[str, Any], title: str, page: str, read_as: Zone | None) -> ImportedRecord:
    """Return an event of schema.org. `page` is the URL of the page that it is on. Raises InvalidEvent."""
    if not title:
        raise InvalidEvent(_("It has no title."))
    zone = read_as or site_zone()
    start, is_day = _moment(node.get("startDate"), zone, ignores_offset=read_as is not None)
    end = _end_of(node, start, zone, ignores_offset=read_as is not None)
    url = urljoin(page, _text(node.get("url"))) if node.get("url") or page else ""
    values: dict[str, Any] = {
        "title": title[: Event.MAX_TITLE_LENGTH],
        "description": to_html(_text(node.get("description"))),
        "start": start,
        "end": end,
        "time_zone": zone.name,
        "all_day": is_day,
        "cost": _cost(node),
        "event_status": STATUSES.get(_name(node.get("eventStatus")), EventStatus.SCHEDULED),
        "attendance_mode": MODES.get(_name(node.get("eventAttendanceMode")), AttendanceMode.IN_PERSON),
    }
    if url.startswith(("http://", "https://")) and len(url) <= 2000:
        values["website"] = url
    place = _place(node.get("location"), values)
    identifier = _text(node.get("@id")) or _text(node.get("url"))
    key = content_key(start, title, place.get("title", ""))
    links = {
        "venues": (SourceLink(values=place),) if place else (),
        "organizers": _organizers(node.get("organizer")),
        "tags": tuple(SourceLink(values={"name": name[:200]}) for name in _keywords(node.get("keywords"))),
    }
    return ImportedRecord(
        kind=RecordKind.EVENT,
        # The same page may describe several dates.
        key=f"{identifier} {start:%Y-%m-%dT%H:%M%z}" if identifier else key,
        title=title,
        content_key=key,
        values=values,
        links={name: found for name, found in links.items() if found or name == "venues"},
        image=_image(node.get("image"), page),
        url=url,
        raw=json.dumps(node, default=str),
    )


def _moment(value: Any, zone: Zone, *, ignores_offset: bool) -> tuple[datetime, bool]:
    """Return an aware moment, and whether the value is a day alone. Raises InvalidEvent."""
    text = _text(value).strip().replace(" ", "T", 1)
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError as error:
        raise InvalidEvent(
            _("%(name)s: “%(value)s” is not a date.") % {"name": "startDate", "value": text[:50]}
        ) from error
    if not 1000 <= parsed.year <= 9998:
        raise InvalidEvent(_("%(name)s: “%(value)s” is not a date.") % {"name": "startDate", "value": text[:50]})
    is_day = len(text) <= 10
    if parsed.tzinfo is None or ignores_offset:
        return resolve_local(parsed.replace(tzinfo=None, microsecond=0), zone.tz), is_day
    return parsed.astimezone(UTC), is_day


def _end_of(node: Mapping[str, Any], start: datetime, zone: Zone, *, ignores_offset: bool) -> datetime:
    if node.get("endDate"):
        end, _is_day = _moment(node["endDate"], zone, ignores_offset=ignores_offset)
        return max(start, end, key=in_utc)
    duration = parse_duration(_text(node.get("duration"))) if node.get("duration") else None
    return start + duration if duration and timedelta() < duration < timedelta(days=3660) else start


def _text(value: Any) -> str:
    """Return a text, which may be in a list or in an object with `@value`."""
    if isinstance(value, list):
        return _text(value[0]) if value else ""
    if isinstance(value, Mapping):
        return _text(value.get("@value") or value.get("name") or value.get("url") or "")
    return "" if value is None or isinstance(value, bool) else str(value)


def _name(value: Any) -> str:
    """Return the name of a constant such as `https://schema.org/EventCancelled`."""
    return _text(value).rpartition("/")[2]


def _place(value: Any, values: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of the venue, an empty dict without one, and set the online fields of the event."""
    place: dict[str, Any] = {}
    for location in value if isinstance(value, list) else [value]:
        if isinstance(location, Mapping) and _name(location.get("@type")) == "VirtualLocation":
            url = _text(location.get("url"))
            if url.startswith(("http://", "https://")):
                values["online_url"] = url[:2000]
        elif isinstance(location, Mapping) and not place:
            place = _venue(location)
        elif isinstance(location, str) and location.strip() and not place:
            place = {"title": to_title(location)[: Event.MAX_TITLE_LENGTH]}
    return place


def _venue(location: Mapping[str, Any]) -> dict[str, Any]:
    address = location.get("address")
    parts: dict[str, str] = {}
    if isinstance(address, Mapping):
        names = {"address": "streetAddress", "city": "addressLocality", "state_province": "addressRegion"}
        names |= {"zip": "postalCode", "country": "addressCountry"}
        parts = {name: to_title(_text(address.get(key)))[:200] for name, key in names.items() if address.get(key)}
    elif address:
        parts = {"address": to_title(_text(address))[:500]}
    title = to_title(_text(location.get("name"))) or parts.get("address", "")
    if not title:
        return {}
    place: dict[str, Any] = {"title": title[: Event.MAX_TITLE_LENGTH], **parts}
    geo = location.get("geo")
    if isinstance(geo, Mapping):
        try:
            latitude, longitude = float(geo["latitude"]), float(geo["longitude"])
        except (KeyError, TypeError, ValueError):
            return place
        if abs(latitude) <= 90 and abs(longitude) <= 180 and (latitude or longitude):
            place |= {"geo_lat": latitude, "geo_lng": longitude}
    return place


def _organizers(value: Any) -> tuple[SourceLink, ...]:
    names = [
        to_title(_text(item))[: Event.MAX_TITLE_LENGTH] for item in (value if isinstance(value, list) else [value])
    ]
    return tuple(SourceLink(values={"title": name}) for name in dict.fromkeys(names) if name)[: Event.MAX_ORGANIZERS]


def _keywords(value: Any) -> list[str]:
    texts = value if isinstance(value, list) else str(value or "").split(",")
    names = (to_title(_text(text)) for text in texts)
    return list(dict.fromkeys(name for name in names if name))[:20]


def _image(value: Any, page: str) -> ImageLink | str:
    for item in value if isinstance(value, list) else [value]:
        url = _text(item.get("url") or item.get("contentUrl")) if isinstance(item, Mapping) else _text(item)
        url = urljoin(page, url) if url else ""
        if url.startswith(("http://", "https://")):
            alt = _text(item.get("caption")) if isinstance(item, Mapping) else ""
            return ImageLink(url, unescape_references(alt))
    return ""


def _cost(node: Mapping[str, Any]) -> str:
    """Return the price or the range of prices as text."""
    offers = node.get("offers")
    prices: list[Decimal] = []
    currency = ""
    for offer in offers if isinstance(offers, list) else [offers]:
        if isinstance(offer, Mapping):
            currency = currency or _text(offer.get("priceCurrency")).upper()
            prices += _prices(offer)
    if not prices or not any(prices):
        return "Free" if prices or node.get("isAccessibleForFree") in (True, "true", "True") else ""
    symbol = SYMBOLS.get(currency, f"{currency} " if currency else "")
    texts = [f"{symbol}{price:.2f}".removesuffix(".00") for price in sorted({min(prices), max(prices)})]
    return " – ".join(texts)


def _prices(offer: Mapping[str, Any]) -> list[Decimal]:
    prices = []
    for name in ("price", "lowPrice", "highPrice"):
        try:
            price = Decimal(_text(offer.get(name)).replace(",", "."))
        except InvalidOperation:
            continue
        if price.is_finite() and 0 <= price < 10**9:
            prices.append(price.quantize(Decimal("0.01")))
    return prices
