"""The records of the contract, made from the columns of rows."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

import orjson

from benchmarks.floor.database import utc
from benchmarks.floor.request import FloorRequest

END_COLUMN = 'e."end"'


def content_columns(table: str) -> str:
    names = f"{table}.id, {table}.author_id, {table}.status"
    moments = f"{utc(f'{table}.published_at')}, {utc(f'{table}.modified_at')}"
    return f"{names}, {moments}, {table}.title, {table}.slug, {table}.description, {table}.excerpt"


EVENT_COLUMNS = """
start_local end_local time_zone all_day cost cost_symbol cost_position cost_values website show_map show_map_link
hide_from_listings sticky featured parent_id event_status event_status_reason previous_start sold_out attendance_mode
online_url hide_online_url accessibility
"""
VENUE_COLUMNS = (
    "address city country province state state_province zip phone website show_map show_map_link accessibility geo_lat"
    " geo_lng time_zone"
)


@lru_cache
def event_columns() -> str:
    own = ", ".join(
        utc("e.previous_start") if name == "previous_start" else f"e.{name}" for name in EVENT_COLUMNS.split()
    )
    return f"{content_columns('e')}, {utc('e.start')}, {utc(END_COLUMN)}, {own}"


@lru_cache
def organizer_columns() -> str:
    return f"{content_columns('o')}, o.phone, o.website, o.email"


@lru_cache
def venue_columns() -> str:
    return ", ".join([content_columns("v"), *(f"v.{name}" for name in VENUE_COLUMNS.split())])


def publication(author: int, status: str, published: str, modified: str) -> dict[str, Any]:
    return {
        "author": author,
        "status": status,
        "date": published,
        "date_utc": published,
        "modified": modified,
        "modified_utc": modified,
    }


def event(
    floor: FloorRequest,
    row: tuple[Any, ...],
    venues: dict,
    organizers: dict,
    categories: dict,
    tags: dict,
    tickets: dict,
) -> dict[str, Any]:
    (pk, author, status, published, modified, title, slug, description, excerpt, utc_start, utc_end) = row[:11]
    (start, end, zone_name, all_day, cost, symbol, position, values, website) = row[11:20]
    (show_map, show_map_link, hidden, sticky, featured, parent) = row[20:26]
    (event_status, reason, previous, sold_out, mode, online_url, hides_url, accessibility) = row[26:]
    url = f"{floor.site}/event/{slug}/"
    global_id = f"{floor.host}?type=event&id={pk}"
    zone = zone_of(zone_name)
    first, last = (datetime.fromisoformat(f"{moment}+00:00").astimezone(zone) for moment in (utc_start, utc_end))
    places = venues.get(pk, [])
    return {
        "id": pk,
        "global_id": global_id,
        "global_id_lineage": [global_id],
        **publication(author, status, published, modified),
        "url": url,
        "rest_url": f"{floor.api}/events/{pk}",
        "title": title,
        "description": description,
        "excerpt": excerpt,
        "slug": slug,
        "image": False,
        "all_day": bool(all_day),
        "start_date": start,
        "start_date_details": details(start),
        "end_date": end,
        "end_date_details": details(end),
        "utc_start_date": utc_start,
        "utc_start_date_details": details(utc_start),
        "utc_end_date": utc_end,
        "utc_end_date_details": details(utc_end),
        "start": first.isoformat(),
        "end": last.isoformat(),
        "timezone": zone_name,
        "timezone_abbr": first.tzname(),
        "cost": cost,
        "cost_details": {
            "currency_symbol": symbol,
            "currency_code": "",
            "currency_position": position,
            "values": orjson.loads(values),
        },
        "website": website or url,
        "show_map": bool(show_map),
        "show_map_link": bool(show_map_link),
        "hide_from_listings": bool(hidden),
        "sticky": bool(sticky),
        "featured": bool(featured),
        "event_status": event_status,
        "event_status_reason": reason,
        "previous_start_date": local_time(previous, zone) if previous else "",
        "sold_out": bool(sold_out),
        "attendance_mode": mode,
        "online_url": online_url if shows_online_url(floor, hides_url, utc_start) else "",
        "hide_online_url": bool(hides_url),
        "accessibility": accessibility.split(",") if accessibility else [],
        "post_parent": parent or 0,
        "categories": categories.get(pk, []),
        "tags": tags.get(pk, []),
        "venue": places[0] if len(places) == 1 else places,
        "organizer": organizers.get(pk, []),
        "ticketed": pk in tickets,
        "tickets": tickets.get(pk, []),
        "custom_fields": [],
        "series": None,
    }


def local_time(utc_time: str, zone: tzinfo) -> str:
    return datetime.fromisoformat(f"{utc_time}+00:00").astimezone(zone).strftime("%Y-%m-%d %H:%M:%S")


def shows_online_url(floor: FloorRequest, is_hidden: bool, utc_start: str) -> bool:
    shown_from = datetime.fromisoformat(f"{utc_start}+00:00") - timedelta(hours=1)
    return not is_hidden or floor.sees_drafts or floor.now >= shown_from


@lru_cache
def zone_of(name: str) -> tzinfo:
    """Return the time zone with this name, or with an offset in whole hours such as `UTC+2`."""
    return timezone(timedelta(hours=int(name[3:])), name) if name[3:4] in ("+", "-") else ZoneInfo(name)


def details(local: str) -> dict[str, str]:
    return {
        "year": local[:4],
        "month": local[5:7],
        "day": local[8:10],
        "hour": local[11:13],
        "minutes": local[14:16],
        "seconds": local[17:19],
    }


def venue(floor: FloorRequest, row: tuple[Any, ...]) -> dict[str, Any]:
    (pk, author, status, published, modified, title, slug, description, excerpt) = row[:9]
    (address, city, country, province, state, state_province, code, phone, website) = row[9:18]
    (show_map, show_link, accessibility, lat, lng, zone_name) = row[18:]
    global_id = f"{floor.host}?type=venue&id={pk}"
    return {
        "id": pk,
        **publication(author, status, published, modified),
        "url": f"{floor.site}/venue/{slug}/",
        "venue": title,
        "slug": slug,
        "description": description,
        "excerpt": excerpt,
        "image": False,
        "address": address,
        "city": city,
        "country": country,
        "province": province,
        "state": state,
        "zip": code,
        "phone": phone,
        "website": website,
        "stateprovince": state or province or state_province,
        "show_map": bool(show_map),
        "show_map_link": bool(show_link),
        "accessibility": accessibility.split(",") if accessibility else [],
        "geo_lat": lat,
        "geo_lng": lng,
        "timezone": zone_name or None,
        "custom_fields": [],
        "global_id": global_id,
        "global_id_lineage": [global_id],
    }


def organizer(floor: FloorRequest, row: tuple[Any, ...]) -> dict[str, Any]:
    (pk, author, status, published, modified, title, slug, description, excerpt, phone, website, email) = row
    global_id = f"{floor.host}?type=organizer&id={pk}"
    return {
        "id": pk,
        **publication(author, status, published, modified),
        "url": f"{floor.site}/organizer/{slug}/",
        "organizer": title,
        "slug": slug,
        "description": description,
        "excerpt": excerpt,
        "image": False,
        "phone": phone,
        "website": website,
        "email": email,
        "custom_fields": [],
        "global_id": global_id,
        "global_id_lineage": [global_id],
    }


def ticket(row: tuple[Any, ...]) -> dict[str, Any]:
    _pk, name, price, currency, url, sold_out = row
    return {
        "name": name,
        "price": f"{price:.2f}",
        "currency": currency,
        "url": url,
        "available_from": "",
        "available_until": "",
        "sold_out": bool(sold_out),
    }


def term(floor: FloorRequest, collection: str, kind: str, row: tuple[Any, ...]) -> dict[str, Any]:
    pk, name, slug, description, count = row
    return {
        "id": pk,
        "name": name,
        "slug": slug,
        "description": description,
        "count": count,
        "url": f"{floor.site}/events/{kind}/{slug}/",
        "urls": {"self": f"{floor.api}/{collection}/{pk}", "collection": f"{floor.api}/{collection}"},
    }


def tag(floor: FloorRequest, row: tuple[Any, ...]) -> dict[str, Any]:
    return term(floor, "tags", "tag", row)


def category(floor: FloorRequest, row: tuple[Any, ...]) -> dict[str, Any]:
    pk, name, slug, description, count, parent = row
    urls = {"self": f"{floor.api}/categories/{pk}", "collection": f"{floor.api}/categories"}
    if parent:
        urls["up"] = f"{floor.api}/categories/{parent}"
    return {
        "id": pk,
        "name": name,
        "slug": slug,
        "description": description,
        "parent": parent or 0,
        "count": count,
        "url": f"{floor.site}/events/category/{slug}/",
        "urls": urls,
    }
