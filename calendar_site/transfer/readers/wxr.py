"""The reader of WordPress exports (WXR), which is streamed: a file may be larger than the memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import iterparse
from django.utils.translation import gettext as _

from calendar_site.transfer.imports.errors import SourceError
from calendar_site.transfer.imports.records import ImportedRecord, RecordKind, RejectedRecord
from calendar_site.transfer.models import Source
from calendar_site.transfer.readers.fetching import fetch_file
from calendar_site.transfer.readers.tec_records import TecRecordMaker, parents_first

CATEGORY, TAG = "tribe_events_cat", "post_tag"
KINDS = {"tribe_venue": RecordKind.VENUE, "tribe_organizer": RecordKind.ORGANIZER, "tribe_events": RecordKind.EVENT}
ATTACHMENT = "attachment"
YES = {"1", "yes", "true"}


class WxrReader:
    """Reads a WordPress export with the records of The Events Calendar, in all of its states."""

    # An export may be one of some dates or of one author.
    is_complete = False

    def __init__(self, source: Source, local: Path | None = None, *, conditional: bool = False) -> None:
        self._source, self._local, self._conditional = source, local, conditional
        self._records = TecRecordMaker(keeps_ids=bool(source.options.get("keep_ids")))
        self._folder = Path()
        self._terms: dict[str, dict[str, dict[str, Any]]] = {CATEGORY: {}, TAG: {}}
        self._count = 0

    def fetch(self, folder: Path) -> None:
        """Load the file, and sort its records by kind. Raises SourceError for a file that ends too early."""
        self._folder = folder
        file = fetch_file(self._source, folder, self._local, conditional=self._conditional)
        files: dict[str, TextIO] = {name: self._file(name).open("w") for name in KINDS}
        try:
            self._sort(file.path, files)
        except (ParseError, DefusedXmlException, UnicodeDecodeError, ValueError) as error:
            raise SourceError(_("The file is not a complete WordPress export: %(error)s") % {"error": error}) from error
        finally:
            for opened in files.values():
                opened.close()
        self._count += sum(len(terms) for terms in self._terms.values())

    def total(self) -> int:
        return self._count

    def records(self) -> Iterator[ImportedRecord | RejectedRecord]:
        """Yield categories, parents first, then tags, venues, organizers and events."""
        categories = self._terms[CATEGORY]
        for term in categories.values():
            parent = categories.get(term["parent_slug"])
            term["parent"] = parent["id"] if parent else 0
        yield from self._records.read(RecordKind.CATEGORY, parents_first(categories.values()))
        yield from self._records.read(RecordKind.TAG, self._terms[TAG].values())
        for name, kind in KINDS.items():
            for record in self._lines(name):
                if record["status"] == "trash":
                    reason = _("It is in the trash of the site.")
                    key = str(record["id"])
                    yield RejectedRecord(reason=reason, kind=kind, key=key, title=record["name"], is_skipped=True)
                else:
                    yield from self._records.read(kind, [self._shape(kind, record)])

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.jsonl"

    def _lines(self, name: str) -> Iterator[dict[str, Any]]:
        with self._file(name).open() as lines:
            yield from map(json.loads, lines)

    def _sort(self, path: Path, files: dict[str, TextIO]) -> None:
        is_export = False
        elements = iterparse(path, events=("start", "end"))
        parents: list[Element] = []
        handlers: dict[str, Callable[[Element], None]] = {
            "author": self._read_author,
            "term": self._read_term,
            "tag": self._read_tag,
            "item": lambda element: self._read_item(element, files),
        }
        for event, element in elements:
            name = _name(element)
            if event == "start":
                is_export = is_export or name == "wxr_version"
                parents.append(element)
                continue
            parents.pop()
            if name in handlers and parents and _name(parents[-1]) == "channel":
                handlers[name](element)
                # What was read need not stay in memory.
                parents[-1].remove(element)
        if not is_export:
            raise SourceError(_("The file is not a WordPress export: it has no wxr_version."))

    def _read_author(self, element: Element) -> None:
        login = _text(element, "author_login")
        self._records.emails[login] = _text(element, "author_email")

    def _read_term(self, element: Element) -> None:
        taxonomy = _text(element, "term_taxonomy")
        if taxonomy in self._terms:
            slug = _text(element, "term_slug")
            self._terms[taxonomy][slug] = {
                "id": int(_text(element, "term_id")),
                "name": _text(element, "term_name"),
                "slug": slug,
                "description": _text(element, "term_description"),
                "parent_slug": _text(element, "term_parent"),
            }

    def _read_tag(self, element: Element) -> None:
        slug = _text(element, "tag_slug")
        description = _text(element, "tag_description")
        name, pk = _text(element, "tag_name"), int(_text(element, "term_id"))
        self._terms[TAG][slug] = {"id": pk, "name": name, "slug": slug, "description": description, "parent_slug": ""}

    def _read_item(self, element: Element, files: dict[str, TextIO]) -> None:
        post_type = _text(element, "post_type")
        if post_type == ATTACHMENT:
            meta = _meta(element)
            url = _text(element, "attachment_url")
            self._records.add_image(_text(element, "post_id"), url, _first(meta, "_wp_attachment_image_alt"))
        elif post_type in files:
            files[post_type].write(json.dumps(_item(element)) + "\n")
            self._count += 1

    def _shape(self, kind: RecordKind, item: dict[str, Any]) -> dict[str, Any]:
        """Return an item in the shape of the API of The Events Calendar."""
        meta: dict[str, list[str]] = item["meta"]
        shape: dict[str, Any] = {
            **{name: item[name] for name in ("id", "status", "url", "slug", "date_utc", "description", "author")},
            "image_id": _first(meta, "_thumbnail_id"),
        }
        if kind == RecordKind.ORGANIZER:
            names = {"phone": "Phone", "website": "Website", "email": "Email"}
            values = {name: _first(meta, f"_Organizer{key}") for name, key in names.items()}
            return {**shape, **values, "organizer": item["name"]}
        if kind == RecordKind.VENUE:
            names = {"address": "Address", "city": "City", "country": "Country", "province": "Province"}
            names |= {"state": "State", "stateprovince": "StateProvince", "zip": "Zip", "phone": "Phone"}
            names |= {"website": "URL", "geo_lat": "Lat", "geo_lng": "Lng"}
            values = {name: _first(meta, f"_Venue{key}") for name, key in names.items()}
            flags = {"show_map": "_VenueShowMap", "show_map_link": "_VenueShowMapLink"}
            return {**shape, **values, "venue": item["name"], **_flags(meta, flags)}
        return {**shape, **self._event_values(item, meta)}

    def _event_values(self, item: dict[str, Any], meta: dict[str, list[str]]) -> dict[str, Any]:
        number, symbol = _first(meta, "_EventCost"), _first(meta, "_EventCurrencySymbol")
        cost = f"{number}{symbol}" if _first(meta, "_EventCurrencyPosition") == "suffix" else f"{symbol}{number}"
        flags = {"all_day": "_EventAllDay", "show_map": "_EventShowMap", "show_map_link": "_EventShowMapLink"}
        flags |= {"featured": "_tribe_featured", "hide_from_listings": "_EventHideFromUpcoming"}
        terms = {
            taxonomy: [self._terms[taxonomy].get(slug) for slug in item["terms"][taxonomy]] for taxonomy in self._terms
        }
        return {
            "title": item["name"],
            "excerpt": item["excerpt"],
            "start_date": _first(meta, "_EventStartDate"),
            "end_date": _first(meta, "_EventEndDate"),
            "utc_start_date": _first(meta, "_EventStartDateUTC"),
            "utc_end_date": _first(meta, "_EventEndDateUTC"),
            "timezone": _first(meta, "_EventTimezone"),
            "cost": cost if number else "",
            "website": _first(meta, "_EventURL"),
            "password": item["password"],
            # The original stores "sticky in month view" as a position in the menu.
            "sticky": item["menu_order"] == "-1",
            "categories": [term for term in terms[CATEGORY] if term],
            "tags": [term for term in terms[TAG] if term],
            "venue": [{"id": pk} for pk in meta.get("_EventVenueID", []) if pk.isdecimal() and pk != "0"],
            "organizer": [{"id": pk} for pk in meta.get("_EventOrganizerID", []) if pk.isdecimal() and pk != "0"],
            **_flags(meta, flags),
        }


def _item(element: Element) -> dict[str, Any]:
    terms: dict[str, list[str]] = {CATEGORY: [], TAG: []}
    for found in element:
        domain = found.get("domain", "")
        if _name(found) == "category" and domain in terms:
            terms[domain].append(found.get("nicename", ""))
    return {
        "id": int(_text(element, "post_id")),
        "name": _text(element, "title"),
        "url": _text(element, "link"),
        "author": _text(element, "creator"),
        "status": _text(element, "status"),
        "slug": _text(element, "post_name"),
        "date_utc": _text(element, "post_date_gmt"),
        "description": _encoded(element, "content"),
        "excerpt": _encoded(element, "excerpt"),
        "password": _text(element, "post_password"),
        "menu_order": _text(element, "menu_order"),
        "terms": terms,
        "meta": _meta(element),
    }


def _meta(element: Element) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for found in element:
        if _name(found) == "postmeta":
            values.setdefault(_text(found, "meta_key"), []).append(_text(found, "meta_value"))
    return values


def _first(meta: dict[str, list[str]], name: str) -> str:
    return meta.get(name, [""])[0]


def _flags(meta: dict[str, list[str]], names: dict[str, str]) -> dict[str, bool]:
    return {flag: _first(meta, name).lower() in YES for flag, name in names.items()}


def _name(element: Element) -> str:
    """Return the name without its namespace, which names the version of the format."""
    return str(element.tag).rpartition("}")[2]


def _text(element: Element, name: str) -> str:
    return next((found.text or "" for found in element if _name(found) == name), "").strip()


def _encoded(element: Element, prefix: str) -> str:
    """Return the text or the excerpt, which differ only in their namespace."""
    for found in element:
        if _name(found) == "encoded" and f"/{prefix}/" in str(found.tag):
            return found.text or ""
    return ""
