"""The `json_ld` of records, in the shape of the original (compatibility.md, 2.4).

Unlike the structured data of the contract, unset texts are "", and clients expect the keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, time
from typing import Any

from django.conf import settings

from calendar_site.api.shapes import single_or_list, to_list
from calendar_site.core.dates.conversion import parse_zone, resolve_local, to_rfc3339
from calendar_site.core.text.html import html_to_text
from events.costs import FREE, RANGE_SEPARATOR
from events.representation import ATTENDANCE_MODES_JSON_LD, CURRENCY_CODE, EVENT_STATUSES_JSON_LD

Record = Mapping[str, Any]
JSONLD = dict[str, Any]

CONTEXT = "http://schema.org"
# The codes of currencies that are written as a sign.
CURRENCY_CODES = {
    "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB", "₩": "KRW", "₺": "TRY", "₴": "UAH",
    "₪": "ILS", "₫": "VND", "฿": "THB", "R$": "BRL", "US$": "USD", "CA$": "CAD", "C$": "CAD", "A$": "AUD", "zł": "PLN",
    "Kč": "CZK", "Ft": "HUF",
}  # fmt: skip


def add_event_json_ld(event: Record) -> JSONLD:
    """Return a record of the contract with the `json_ld` of the event, and of its venues and organizers."""
    return {
        **event,
        "venue": single_or_list([add_place_json_ld(venue) for venue in to_list(event["venue"])]),
        "organizer": [add_person_json_ld(organizer) for organizer in event["organizer"]],
        "json_ld": event_json_ld(event),
    }


def add_place_json_ld(venue: Record) -> JSONLD:
    return {**venue, "json_ld": place_json_ld(venue)}


def add_person_json_ld(organizer: Record) -> JSONLD:
    return {**organizer, "json_ld": person_json_ld(organizer)}


def event_json_ld(event: Record) -> JSONLD:
    """Return an event of the contract as the original's Event."""
    venues, organizers = to_list(event["venue"]), event["organizer"]
    return {
        "@context": CONTEXT,
        "@type": "Event",
        "name": event["title"],
        "description": html_to_text(event["excerpt"] or event["description"]),
        **_image(event),
        "url": event["url"],
        "eventAttendanceMode": f"https://schema.org/{ATTENDANCE_MODES_JSON_LD[event['attendance_mode']]}",
        "eventStatus": f"https://schema.org/{EVENT_STATUSES_JSON_LD[event['event_status']]}",
        "startDate": event["start"],
        "endDate": event["end"],
        **({"location": place_json_ld(venues[0])} if venues else {}),
        **({"organizer": person_json_ld(organizers[0])} if organizers else {}),
        **({"offers": _offer(event)} if event["cost"] else {}),
        "performer": "Organization",
    }


def place_json_ld(venue: Record) -> JSONLD:
    address = {
        "streetAddress": venue["address"],
        "addressLocality": venue["city"],
        "addressRegion": venue["stateprovince"],
        "postalCode": venue["zip"],
        "addressCountry": venue["country"],
    }
    return {
        "@type": "Place",
        "name": venue["venue"],
        "description": html_to_text(venue["description"]),
        **_image(venue),
        "url": "",
        "address": {"@type": "PostalAddress", **{name: value for name, value in address.items() if value}},
        "telephone": venue["phone"],
        "sameAs": venue["website"],
    }


def person_json_ld(organizer: Record) -> JSONLD:
    return {
        "@type": "Person",
        "name": organizer["organizer"],
        "description": html_to_text(organizer["description"]),
        **_image(organizer),
        "url": organizer["website"],
        "telephone": organizer["phone"],
        "email": organizer["email"],
        "sameAs": organizer["website"],
    }


def _image(record: Record) -> JSONLD:
    return {"image": record["image"]["url"]} if record["image"] else {}


def _offer(event: Record) -> JSONLD:
    symbol = event["cost_details"]["currency_symbol"] or _default_symbol(event)
    code = symbol if CURRENCY_CODE.fullmatch(symbol) else CURRENCY_CODES.get(symbol, "")
    return {
        "@type": "Offer",
        "price": _price(event),
        "priceCurrency": code,
        "url": event["url"],
        "category": "primary",
        "availability": "inStock",
        "validFrom": _publication_day(event),
    }


def _default_symbol(event: Record) -> str:
    """Return the currency of amounts without one, "" for words."""
    return settings.DEFAULT_CURRENCY_SYMBOL if _has_amounts(event) else ""


def _price(event: Record) -> str:
    """Return a single amount, 0 for free, the lowest and the highest of several amounts, or the words of the cost."""
    values = ["0" if value == FREE.lower() else value for value in event["cost_details"]["values"]]
    if event["cost"].lower() == FREE.lower():
        return "0"
    if not _has_amounts(event):
        return str(event["cost"])
    return str(values[0]) if len(values) == 1 else f"{values[0]}{RANGE_SEPARATOR}{values[-1]}"


def _has_amounts(event: Record) -> bool:
    """Return whether the cost consists of amounts, not of words."""
    values = [value for value in event["cost_details"]["values"] if value != FREE.lower()]
    return bool(event["cost_details"]["values"]) and all(value.replace(".", "", 1).isdecimal() for value in values)


def _publication_day(event: Record) -> str:
    """Return the start of the day on which the event was published, with the offset of its zone."""
    day, zone = datetime.fromisoformat(event["date"]).date(), parse_zone(event["timezone"])
    return to_rfc3339(resolve_local(datetime.combine(day, time()), zone.tz), zone)
