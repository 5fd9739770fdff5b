"""The REST API of a site with The Events Calendar: finding it, and downloading all of it at first."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

from django.utils.translation import gettext as _

from calendar_site.transfer.imports.errors import SourceError
from calendar_site.transfer.models import Source
from calendar_site.transfer.readers.fetching import fetch_url
from calendar_site.transfer.readers.text import decode

API = "tribe/events/v1"
LINK_TAG = re.compile(r"<link\b[^>]*>", re.IGNORECASE)
ATTRIBUTE = re.compile(r"([a-z]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
LINK_HEADER = re.compile(r"<([^>]*)>\s*;\s*rel=\"?https://api\.w\.org/\"?")
PER_PAGE = 50
MAX_PAGES = 2000
# All dates of a calendar.
ALL_DATES = {"start_date": "1990-01-01", "end_date": "2100-01-01"}
COLLECTIONS: dict[str, dict[str, str]] = {
    "categories": {"hide_empty": "0"},
    "tags": {"hide_empty": "0"},
    "venues": {},
    "organizers": {},
    "events": ALL_DATES,
}


class TecSite:
    """The API of a site, and what was downloaded from it, a file for each page."""

    def __init__(self, source: Source, folder: Path) -> None:
        self._source, self._folder = source, folder
        self._counts: dict[str, int] = {}
        self._pages: dict[str, int] = {}
        # The root of all APIs of the site, such as "https://events.example.org/wp-json/".
        self.root = ""

    @property
    def count(self) -> int:
        return sum(self._counts.values())

    def download(self) -> None:
        """Download all collections. Raises SourceError."""
        self.root = self._find_root()
        for name, parameters in COLLECTIONS.items():
            self._download(name, parameters)
        if self._source.header:
            self._download_unlisted()

    def records(self, name: str) -> Iterator[dict[str, Any]]:
        """Yield the records of a collection."""
        for number in range(1, self._pages.get(name, 0) + 1):
            yield from json.loads(self._file(name, number).read_text())

    def optional(self, path: str, parameters: Mapping[str, str]) -> list[dict[str, Any]]:
        """Return all pages of a collection of WordPress, an empty list if it is not readable."""
        found: list[dict[str, Any]] = []
        for page in range(1, MAX_PAGES + 1):
            try:
                records = self._get(self._url(path, {**parameters, "per_page": "100", "page": str(page)}))
            except SourceError:
                return found
            if not isinstance(records, list):
                return found
            found += [record for record in records if isinstance(record, dict)]
            if len(records) < 100:
                return found
        return found

    def read(self, path: str, parameters: Mapping[str, str]) -> Any:
        """Return one record. Raises SourceError."""
        return self._get(self._url(path, parameters))

    def _find_root(self) -> str:
        """Return the root that the page at the source's URL names; a usual one if it names none. Raises SourceError."""
        url = self._source.url
        if f"/{API}" in url:
            return url.partition(API)[0]
        parts = urlsplit(url)
        usual = f"{parts.scheme}://{parts.netloc}/wp-json/"
        try:
            fetched = fetch_url(self._source, url)
        except SourceError:
            # The page may be gone, or refuse programs, while the API answers.
            return usual
        if root := fetched.headers.get("x-tec-api-root"):
            return urljoin(fetched.url, root).partition(API)[0]
        if match := LINK_HEADER.search(fetched.headers.get("link", "")):
            return _with_slash(urljoin(fetched.url, match[1]))
        for tag in LINK_TAG.findall(decode(fetched.content)):
            attributes = {name.lower(): first or second for name, first, second in ATTRIBUTE.findall(tag)}
            href = attributes.get("href", "").replace("&#038;", "&").replace("&amp;", "&")
            if attributes.get("rel") == "https://api.w.org/":
                return _with_slash(urljoin(fetched.url, href))
            if f"/{API}" in href:
                return urljoin(fetched.url, href).partition(API)[0]
        return usual

    def _download(self, name: str, parameters: Mapping[str, str]) -> None:
        page, pages = 1, 1
        # A page of another number of records would begin elsewhere, so all of them are asked for in the same way.
        while page <= pages and page <= MAX_PAGES:
            answer = self._get(self._url(f"{API}/{name}", {"per_page": str(PER_PAGE), "page": str(page), **parameters}))
            if not isinstance(answer, dict) or not isinstance(answer.get(name), list):
                raise SourceError(_("%(root)s is not the API of The Events Calendar.") % {"root": self.root})
            self._store(name, [record for record in answer[name] if isinstance(record, dict)])
            pages = answer["total_pages"] if isinstance(answer.get("total_pages"), int) else pages
            page += 1

    def _download_unlisted(self) -> None:
        """Download the events that lists do not have, which editors find in the API of WordPress."""
        listed = {record.get("id") for record in self.records("events")}
        statuses = {"context": "edit", "status": "any"}
        for known in self.optional("wp/v2/tribe_events", statuses):
            pk, password = known.get("id"), known.get("password") or ""
            if not isinstance(pk, int) or (pk in listed and not password) or known.get("status") == "trash":
                continue
            try:
                record = self.read(f"{API}/events/{pk}", {"password": str(password)} if password else {})
            except SourceError:
                record = event_of_post(known)
            if isinstance(record, dict):
                self._store("unlisted", [{**record, "password": password}])

    def _store(self, name: str, records: list[dict[str, Any]]) -> None:
        self._pages[name] = self._pages.get(name, 0) + 1
        self._counts[name] = self._counts.get(name, 0) + len(records)
        self._file(name, self._pages[name]).write_text(json.dumps(records))

    def _file(self, name: str, number: int) -> Path:
        return self._folder / f"{name}-{number}.json"

    def _url(self, path: str, parameters: Mapping[str, str]) -> str:
        """Return a URL below the root, which may have its route in a parameter (`?rest_route=/`)."""
        parts = urlsplit(self.root)
        query = dict(parse_qsl(parts.query))
        if "rest_route" in query:
            query["rest_route"] = f"/{path}"
            return urlunsplit(parts._replace(query=urlencode({**query, **parameters})))
        return f"{self.root}{path}?{urlencode(parameters)}" if parameters else f"{self.root}{path}"

    def _get(self, url: str) -> Any:
        fetched = fetch_url(self._source, url)
        try:
            return json.loads(decode(fetched.content))
        except (ValueError, RecursionError) as error:
            raise SourceError(_("%(url)s did not answer with JSON.") % {"url": url}) from error


def _with_slash(url: str) -> str:
    return url if url.endswith("/") or "?" in url else f"{url}/"


def event_of_post(post: Mapping[str, Any]) -> dict[str, Any]:
    """Return an event of the API of WordPress in the shape of the API of The Events Calendar.

    Only an event that is hidden from lists is not in the other API.
    """
    meta = post["meta"]
    number, symbol = str(meta.get("_EventCost") or ""), str(meta.get("_EventCurrencySymbol") or "")
    cost = f"{number}{symbol}" if meta.get("_EventCurrencyPosition") == "suffix" else f"{symbol}{number}"
    return {
        "id": post["id"],
        "author": post.get("author"),
        "status": post["status"],
        "date_utc": str(post.get("date_gmt") or "").replace("T", " "),
        "url": post.get("link"),
        "title": post["title"]["rendered"],
        "description": post["content"]["rendered"],
        "excerpt": post["excerpt"]["raw"],
        "slug": post["slug"],
        "image_id": post.get("featured_media"),
        "all_day": meta.get("_EventAllDay"),
        "start_date": meta["_EventStartDate"],
        "end_date": meta["_EventEndDate"],
        "utc_start_date": meta["_EventStartDateUTC"],
        "utc_end_date": meta["_EventEndDateUTC"],
        "timezone": meta["_EventTimezone"],
        "cost": cost if number else "",
        "website": meta.get("_EventURL"),
        "show_map": meta.get("_EventShowMap"),
        "show_map_link": meta.get("_EventShowMapLink"),
        "hide_from_listings": True,
        "categories": [{"id": pk} for pk in post.get("tribe_events_cat") or []],
        "tags": [{"id": pk} for pk in post.get("tags") or []],
        "venue": [{"id": pk} for pk in meta.get("_EventVenueID") or []],
        "organizer": [{"id": pk} for pk in meta.get("_EventOrganizerID") or []],
    }
