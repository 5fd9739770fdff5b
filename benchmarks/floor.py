"""The floor: some endpoints reimplemented with hand-written SQL, plain Python and orjson, to compare with.

A Django view: with the prefix `/floor`, a path of the API returns the same bytes from the same process, behind the same
middleware and over the same database connection, but without Django REST framework, forms and the ORM.

The floor does what every implementation has to do: count the rows, load a page and its related records (one query for
each kind), find the account of an application password, and format dates in their time zones. It leaves out the rest:
validation and arguments that the benchmark does not send, scheduled events that are due, recording the use of a
password, and all headers except type, length and pagination. It does not support images, event passwords and custom
fields, because the events of the benchmark have none.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

import orjson
from django.db import connection
from django.http import HttpRequest, HttpResponse

from events.representation import add_event_json_ld

JSON = "application/json"
BASE = "/cal/events/v1"
MAX_UTC_OFFSET = timedelta(hours=15)
LONG_DURATION = timedelta(days=7)
END_COLUMN = 'e."end"'


def view(request: HttpRequest, path: str) -> HttpResponse:
    """Return the response of the service at `path`."""
    if path == "nothing":
        return HttpResponse(b"{}", content_type=JSON)
    floor = FloorRequest(
        request.get_host(), request.GET.dict(), sees_drafts(request.META.get("HTTP_AUTHORIZATION", ""))
    )
    collection, *name = path.split("/")
    if name:
        record = single_event(floor, "slug" if name[0] == "by-slug" else "id", name[-1])
        return HttpResponse(orjson.dumps(record), content_type=JSON)
    headers, body = {"events": event_list, "venues": venue_list, "categories": category_list}[collection](floor)
    return HttpResponse(orjson.dumps(body), content_type=JSON, headers=headers)


class FloorRequest:
    """The parts of a request that responses depend on: URLs, arguments, and what the user may see."""

    def __init__(self, host: str, arguments: dict[str, str], sees_drafts: bool) -> None:
        self.host = host
        self.site = f"http://{host}"
        self.api = f"{self.site}{BASE}"
        self.arguments = arguments
        self.page = int(arguments.pop("page", 1))
        self.per_page = int(arguments.get("per_page", 9))
        self.sees_drafts = sees_drafts
        self.now = datetime.now(UTC)

    def visible(self, table: str) -> tuple[str, list[Any]]:
        """Return an SQL condition for the rows that the user may see, and its parameters."""
        if self.sees_drafts:
            return f"{table}.status <> 'trash'", []
        return f"{table}.status IN ('publish', 'future') AND {table}.published_at <= %s", [sql_moment(self.now)]


# --- The database


def fetch_rows(sql: str, values: Iterable[Any] = ()) -> list[tuple[Any, ...]]:
    connection.ensure_connection()
    if connection.vendor == "sqlite":
        sql = sql.replace("%s", "?")
    return connection.connection.execute(sql, list(values)).fetchall()


def utc(column: str) -> str:
    """Return SQL that formats a moment as a wire date in UTC."""
    if connection.vendor == "sqlite":
        return f"substr({column}, 1, 19)"
    return f"to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')"


def sql_moment(moment: datetime) -> str:
    return moment.replace(tzinfo=None).isoformat(" ")


def placeholders(values: list[Any]) -> str:
    return ", ".join(["%s"] * len(values))


def sees_drafts(authorization: str) -> bool:
    """Return whether the account of the application password may edit the events of others."""
    if not authorization:
        return False
    _user, secret = base64.b64decode(authorization.removeprefix("Basic ")).decode().split(":", 1)
    digest = hashlib.sha256(secret.replace(" ", "").encode()).hexdigest()
    found = fetch_rows(
        "SELECT EXISTS (SELECT 1 FROM accounts_user_groups g"
        " JOIN auth_group_permissions gp ON gp.group_id = g.group_id JOIN auth_permission p ON p.id = gp.permission_id"
        " WHERE g.user_id = u.id AND p.codename = 'change_others_event')"
        " FROM accounts_applicationpassword a JOIN accounts_user u ON u.id = a.user_id"
        " WHERE a.digest = %s AND u.is_active",
        [digest],
    )
    return bool(found[0][0])


# --- Lists


def event_list(floor: FloorRequest) -> tuple[dict[str, str], dict[str, Any]]:
    conditions, values, effective = window(floor)
    condition, parameters = floor.visible("e")
    conditions += [condition, "NOT e.hide_from_listings"]
    values += parameters
    arguments = floor.arguments
    if "search" in arguments:
        conditions.append("e.search_text LIKE %s")
        values.append(f"%{arguments['search']}%")
    if "venue" in arguments:
        conditions.append("EXISTS (SELECT 1 FROM events_eventvenue l WHERE l.event_id = e.id AND l.venue_id = %s)")
        values.append(int(arguments["venue"]))
    if "categories" in arguments:
        ids = category_ids(arguments["categories"])
        conditions.append(
            "EXISTS (SELECT 1 FROM events_event_categories l"
            f" WHERE l.event_id = e.id AND l.category_id IN ({placeholders(ids)}))"
        )
        values += ids
    source = f"FROM events_event e WHERE {' AND '.join(conditions)}"
    ((total,),) = fetch_rows(f"SELECT COUNT(*) {source}", values)
    found = fetch_rows(
        f"SELECT {event_columns()} {source} ORDER BY e.start_local, e.id LIMIT %s OFFSET %s",
        [*values, floor.per_page, (floor.page - 1) * floor.per_page],
    )
    return envelope(floor, "events", events(floor, found), total, effective)


def window(floor: FloorRequest) -> tuple[list[str], list[Any], dict[str, str]]:
    """Return SQL conditions on the dates of events, their parameters, and the arguments with their defaults."""
    arguments = floor.arguments
    if "starts_before" in arguments and "ends_after" in arguments:
        before, after = (f"{arguments[name]} 23:59:59" for name in ("starts_before", "ends_after"))
        recent = add_to_local(after, -LONG_DURATION - MAX_UTC_OFFSET)
        running = fetch_rows(
            'SELECT e.id, e.start_local FROM events_event e WHERE e.is_long AND e."end" > %s AND e.start < %s',
            [after, add_to_local(after, -LONG_DURATION)],
        )
        apart = f" OR e.id IN ({placeholders(running)})" if running else ""
        return (
            [
                f'(e.start_local >= %s{apart}) AND e.start_local >= %s AND e."end" > %s',
                "e.start < %s AND e.start_local <= %s",
            ],
            [
                *[recent, *(pk for pk, _start in running)],
                *[min([recent, *(start for _pk, start in running)]), after],
                *[before, add_to_local(before, MAX_UTC_OFFSET)],
            ],
            arguments | {name: f"{arguments[name]} 00:00:00" for name in ("starts_before", "ends_after")},
        )
    today = floor.now.date()
    later = today.replace(year=today.year + 2, day=min(today.day, 28) if today.month == 2 else today.day)
    first = f"{arguments.get('start_date', today - timedelta(days=1))} 00:00:00"
    last = f"{arguments.get('end_date', later)} 23:59:59"
    return (
        ["e.start >= %s AND e.start_local >= %s", 'e."end" <= %s AND e.start_local <= %s'],
        [first, add_to_local(first, -MAX_UTC_OFFSET), last, add_to_local(last, MAX_UTC_OFFSET)],
        arguments | {"start_date": first, "end_date": last},
    )


def add_to_local(local: str, by: timedelta) -> str:
    return (datetime.fromisoformat(local) + by).isoformat(" ", "seconds")


def category_ids(slug: str) -> list[int]:
    return [
        pk
        for (pk,) in fetch_rows(
            "WITH RECURSIVE below(id) AS (SELECT id FROM taxonomy_category WHERE slug = %s UNION"
            " SELECT c.id FROM taxonomy_category c JOIN below ON c.parent_id = below.id) SELECT id FROM below",
            [slug],
        )
    ]


def venue_list(floor: FloorRequest) -> tuple[dict[str, str], dict[str, Any]]:
    condition, values = floor.visible("v")
    ((total,),) = fetch_rows(f"SELECT COUNT(*) FROM venues_venue v WHERE {condition}", values)
    found = fetch_rows(
        f"SELECT {venue_columns()} FROM venues_venue v WHERE {condition}"
        " ORDER BY v.published_at DESC, v.id DESC LIMIT %s OFFSET %s",
        [*values, floor.per_page, (floor.page - 1) * floor.per_page],
    )
    return envelope(floor, "venues", [venue(floor, row) for row in found], total, floor.arguments)


def category_list(floor: FloorRequest) -> tuple[dict[str, str], dict[str, Any]]:
    ((total,),) = fetch_rows("SELECT COUNT(*) FROM taxonomy_category c WHERE c.event_count > 0")
    found = fetch_rows(
        "SELECT c.id, c.name, c.slug, c.description, c.event_count, c.parent_id FROM taxonomy_category c"
        " WHERE c.event_count > 0 ORDER BY c.search_text, c.id LIMIT %s OFFSET %s",
        [floor.per_page, (floor.page - 1) * floor.per_page],
    )
    return envelope(floor, "categories", [category(floor, row) for row in found], total, floor.arguments)


def envelope(
    floor: FloorRequest, collection: str, records: list[Any], total: int, effective: dict[str, str]
) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the headers and the body of a list."""
    pages = -(-total // floor.per_page)
    query = urlencode(effective)
    url = f"{floor.api}/{collection}"

    def page(number: int) -> str:
        arguments = "&".join(part for part in (query, f"page={number}" if number > 1 else "") if part)
        return f"{url}?{arguments}" if arguments else url

    links = {}
    body = {collection: records, "rest_url": page(floor.page)}
    if floor.page < pages:
        body["next_rest_url"] = links["next"] = page(floor.page + 1)
    if floor.page > 1:
        body["previous_rest_url"] = links["prev"] = page(floor.page - 1)
    body |= {"total": total, "total_pages": pages}
    headers = {"X-TEC-Total": str(total), "X-TEC-TotalPages": str(pages)}
    if links:
        headers["Link"] = ", ".join(f'<{link}>; rel="{name}"' for name, link in links.items())
    return headers, body


def single_event(floor: FloorRequest, column: str, value: str) -> dict[str, Any]:
    found = fetch_rows(
        f"SELECT {event_columns()} FROM events_event e WHERE e.{column} = %s AND NOT (e.status = 'trash')",
        [int(value) if column == "id" else value],
    )
    (event,) = events(floor, found)
    # Derived from the response without a query, so it is not implemented again.
    return add_event_json_ld(event)


# --- Related records


def events(floor: FloorRequest, found: list[tuple[Any, ...]]) -> list[dict[str, Any]]:
    ids = [row[0] for row in found]
    if not ids:
        return []
    among = f"l.event_id IN ({placeholders(ids)})"
    seen, values = floor.visible("v")
    venues = group_by_event(
        f"SELECT l.event_id, {venue_columns()} FROM events_eventvenue l JOIN venues_venue v ON v.id = l.venue_id"
        f" WHERE {among} AND {seen} ORDER BY l.position, l.id",
        [*ids, *values],
        lambda row: venue(floor, row),
    )
    seen, values = floor.visible("o")
    organizers = group_by_event(
        f"SELECT l.event_id, {content_columns('o')}, o.phone, o.website, o.email FROM events_eventorganizer l"
        f" JOIN organizers_organizer o ON o.id = l.organizer_id WHERE {among} AND {seen} ORDER BY l.position, l.id",
        [*ids, *values],
        lambda row: organizer(floor, row),
    )
    categories = group_by_event(
        "SELECT l.event_id, c.id, c.name, c.slug, c.description, c.event_count, c.parent_id"
        " FROM events_event_categories l JOIN taxonomy_category c ON c.id = l.category_id"
        f" WHERE {among} ORDER BY c.search_text, c.id",
        ids,
        lambda row: category(floor, row),
    )
    tags = group_by_event(
        "SELECT l.event_id, t.id, t.name, t.slug, t.description, t.event_count"
        f" FROM events_event_tags l JOIN taxonomy_tag t ON t.id = l.tag_id WHERE {among} ORDER BY t.search_text, t.id",
        ids,
        lambda row: term(floor, "tags", "tag", row),
    )
    tickets = group_by_event(
        f"SELECT l.event_id, l.id, l.name, l.price, l.currency, l.url, l.sold_out"
        f" FROM events_ticket l WHERE {among} ORDER BY l.event_id, l.position, l.id",
        ids,
        ticket,
    )
    return [event(floor, row, venues, organizers, categories, tags, tickets) for row in found]


def group_by_event(
    sql: str, values: list[Any], represent: Callable[[tuple[Any, ...]], dict[str, Any]]
) -> dict[int, list[Any]]:
    """Return related records by event. A record of several events is represented only once."""
    represented: dict[int, dict[str, Any]] = {}
    groups: dict[int, list[Any]] = {}
    for row in fetch_rows(sql, values):
        record = represented.get(row[1])
        if record is None:
            record = represented[row[1]] = represent(row[1:])
        groups.setdefault(row[0], []).append(record)
    return groups


# --- Records


def content_columns(table: str) -> str:
    names = f"{table}.id, {table}.author_id, {table}.status"
    moments = f"{utc(f'{table}.published_at')}, {utc(f'{table}.modified_at')}"
    return f"{names}, {moments}, {table}.title, {table}.slug, {table}.description, {table}.excerpt"


EVENT_COLUMNS = """
start_local end_local time_zone all_day cost cost_symbol cost_position cost_values website show_map show_map_link
hide_from_listings sticky featured parent_id
"""
VENUE_COLUMNS = (
    "address city country province state state_province zip phone website show_map show_map_link geo_lat geo_lng"
)


@lru_cache
def event_columns() -> str:
    own = ", ".join(f"e.{name}" for name in EVENT_COLUMNS.split())
    return f"{content_columns('e')}, {utc('e.start')}, {utc(END_COLUMN)}, {own}"


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
    (show_map, show_map_link, hidden, sticky, featured, parent) = row[20:]
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
        "post_parent": parent or 0,
        "categories": categories.get(pk, []),
        "tags": tags.get(pk, []),
        "venue": places[0] if len(places) == 1 else places,
        "organizer": organizers.get(pk, []),
        "ticketed": pk in tickets,
        "tickets": tickets.get(pk, []),
        "custom_fields": [],
    }


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
    (show_map, show_link, lat, lng) = row[18:]
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
        "geo_lat": lat,
        "geo_lng": lng,
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
