"""The reader of tables: CSV files, Excel workbooks, and the CSV address of a public Google Sheet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from calendar_site.core.dates.conversion import Zone, in_utc, parse_zone, site_zone
from calendar_site.core.text.plain_text import name_key
from calendar_site.transfer.imports.changes import RELATION_KINDS
from calendar_site.transfer.imports.kinds import KINDS
from calendar_site.transfer.imports.records import ImageLink, ImportedRecord, RecordKind, RejectedRecord, SourceLink
from calendar_site.transfer.models import Source
from calendar_site.transfer.readers.fetching import fetch_file
from calendar_site.transfer.readers.table_columns import (
    EVENT_HEADINGS,
    VENUE_HEADINGS,
    headings_of,
    map_columns,
)
from calendar_site.transfer.readers.table_dates import DateOrder, find_order, read_clock, read_moment
from calendar_site.transfer.readers.table_rows import TableRow, read_rows
from calendar_site.transfer.readers.text import content_key, to_html, to_title
from events.models import Event

YES = {"1", "yes", "y", "true", "on", "x", "ja", "oui", "sí", "si"}
STATUSES = {"publish": "publish", "published": "publish", "draft": "draft", "pending": "pending", "private": "private"}
FORMULA = ("=", "+", "-", "@")
MAX_KNOWN_NAMES = 20_000
FLAGS = ("featured", "sticky", "hide_from_listings", "show_map", "show_map_link")


class TableReader:
    """Reads the events, venues or organizers of a table."""

    # A table may be one of many.
    is_complete = False

    def __init__(self, source: Source, local: Path | None = None, *, conditional: bool = False) -> None:
        self._source, self._local, self._conditional = source, local, conditional
        self._rows: list[TableRow] = []
        self._columns: dict[str, int] = {}
        self._unused: list[str] = []
        self._headings: Any = EVENT_HEADINGS
        self._order: DateOrder | None = None
        # The names of the records that relations may have.
        self._known: dict[str, set[str]] = {}
        # The addresses of linked records by their titles.
        self._addresses: dict[str, list[Any]] = {}

    def fetch(self, folder: Path) -> None:
        """Load the table. Raises SourceError if its columns or dates cannot be understood."""
        file = fetch_file(self._source, folder, self._local, conditional=self._conditional)
        heading, *self._rows = read_rows(file.path)
        self._headings = headings_of(heading.cells)
        chosen = self._source.options.get("columns", {})
        self._columns, self._unused = map_columns(heading.cells, self._headings, chosen)
        texts = [self._cell(row, name) for row in self._rows for name in ("start_date", "end_date")]
        self._order = find_order(texts, self._source.options.get("date_order", ""))

    def total(self) -> int:
        return len(self._rows)

    def records(self) -> Iterator[ImportedRecord | RejectedRecord]:
        """Yield a record for each row."""
        self._addresses.clear()
        notes = tuple(_("The column “%(name)s” is not used.") % {"name": name} for name in self._unused)
        for row in self._rows:
            title = to_title(self._cell(row, "title"))
            raw = " | ".join(row.cells)
            try:
                yield self._record(row, title, raw, notes)
            except (ValueError, OverflowError) as error:
                yield RejectedRecord(reason=str(error), title=title, line=row.number, raw=raw)
            notes = ()

    def _record(self, row: TableRow, title: str, raw: str, notes: tuple[str, ...]) -> ImportedRecord:
        if not title:
            raise ValueError(_("It has no title."))
        read = self._event if self._headings is EVENT_HEADINGS else self._linked
        return read(row, title, {"line": row.number, "raw": raw, "notes": notes, "image": self._image(row)})

    def _cell(self, row: TableRow, name: str) -> str:
        position = self._columns.get(name)
        cell = row.cells[position] if position is not None and position < len(row.cells) else ""
        # Exports put an apostrophe before texts that a spreadsheet would compute.
        return cell[1:] if cell[:1] == "'" and cell[1:2] in FORMULA else cell

    def _texts(self, row: TableRow, *names: str) -> dict[str, str]:
        """Return the cells of the columns that the table has."""
        return {name: self._cell(row, name) for name in names if name in self._columns}

    def _image(self, row: TableRow) -> ImageLink | str:
        url = self._cell(row, "image")
        return ImageLink(url) if url.startswith(("http://", "https://")) else ""

    def _linked(self, row: TableRow, title: str, common: dict[str, Any]) -> ImportedRecord:
        names = ("country", "city", "state_province", "zip", "phone", "website", "email", "address")
        values: dict[str, Any] = {"title": title, **self._texts(row, *names)}
        if second := self._cell(row, "address_2"):
            values["address"] = f"{values.get('address', '')} {second}".strip()
        if "description" in self._columns:
            values["description"] = to_html(self._cell(row, "description"))
        kind = RecordKind.VENUE if self._headings is VENUE_HEADINGS else RecordKind.ORGANIZER
        # Two places may have one name.
        known = self._addresses.setdefault(name_key(title), [])
        address = (values.get("address"), values.get("city"))
        if address not in known:
            known.append(address)
        number = known.index(address)
        key = f"{title}#{number + 1}" if number else title
        return ImportedRecord(kind=kind, key=key, title=title, values=values, **common)

    def _event(self, row: TableRow, title: str, common: dict[str, Any]) -> ImportedRecord:
        values: dict[str, Any] = {"title": title[: Event.MAX_TITLE_LENGTH], **self._times(row)}
        values |= {"excerpt": self._cell(row, "excerpt")} if "excerpt" in self._columns else {}
        if "description" in self._columns:
            values["description"] = to_html(self._cell(row, "description"))
        if "website" in self._columns:
            website = self._cell(row, "website")
            values["website"] = website if "://" in website or not website else f"https://{website}"
        if "cost" in self._columns:
            values["cost"] = self._cost(row)
        for name in FLAGS:
            if name in self._columns:
                values[name] = self._cell(row, name).lower() in YES
        if status := self._cell(row, "status").lower():
            if status not in STATUSES:
                raise ValueError(
                    _("“%(status)s” is not a status. Use one of these: %(statuses)s.")
                    % {"status": status[:50], "statuses": ", ".join(sorted(set(STATUSES.values())))}
                )
            values["status"] = STATUSES[status]
        place = {"title": to_title(self._cell(row, "venue"))} | {
            name: text for name, text in self._texts(row, "address", "city", "zip", "country").items() if text
        }
        links: dict[str, tuple[SourceLink, ...]] = {}
        if "venue" in self._columns:
            links["venues"] = (SourceLink(values=place),) if place["title"] else ()
        for relation, field in (("organizers", "title"), ("categories", "name"), ("tags", "name")):
            if relation in self._columns:
                links[relation] = tuple(
                    SourceLink(values={field: name}) for name in self._names(relation, self._cell(row, relation))
                )
        key = content_key(values["start"], title, place["title"])
        return ImportedRecord(
            kind=RecordKind.EVENT,
            key=self._cell(row, "id") or key,
            title=title,
            content_key=key,
            values=values,
            links=links,
            **common,
        )

    def _times(self, row: TableRow) -> dict[str, Any]:
        zone = self._zone(row)
        start, has_no_time = read_moment(
            self._cell(row, "start_date"), self._cell(row, "start_time"), self._order, zone
        )
        is_all_day = self._cell(row, "all_day").lower() in YES if self._cell(row, "all_day") else has_no_time
        end = self._end(row, start, zone)
        return {"start": start, "end": end, "time_zone": zone.name, "all_day": is_all_day}

    def _end(self, row: TableRow, start: datetime, zone: Zone) -> datetime:
        day, clock = self._cell(row, "end_date"), self._cell(row, "end_time")
        if day:
            end, _has_no_time = read_moment(day, clock, self._order, zone)
        elif clock:
            end = datetime.combine(start.astimezone(zone.tz).date(), read_clock(clock), tzinfo=zone.tz)
            # "22:00 to 02:00" ends on the next day.
            end = end + timedelta(days=1) if in_utc(end) < in_utc(start) else end
        else:
            return start
        if in_utc(end) < in_utc(start) and day and not clock:
            # A day alone counts until it ends.
            end = max(start, end.replace(hour=23, minute=59), key=in_utc)
        if in_utc(end) < in_utc(start):
            raise ValueError(_("It ends before it starts."))
        return end

    def _zone(self, row: TableRow) -> Zone:
        if self._source.read_times_as:
            return parse_zone(self._source.read_times_as)
        text = self._cell(row, "time_zone")
        return parse_zone(text) if text else site_zone()

    def _names(self, relation: str, text: str) -> list[str]:
        """Return the names of a list. Commas may be part of the name of a record that the calendar has."""
        if relation not in self._known:
            self._known[relation] = _known_names(relation)
        parts, names = re.split(r"[,;|]", text), []
        while parts:
            lengths = range(len(parts), 1, -1)
            known = (length for length in lengths if name_key(",".join(parts[:length])) in self._known[relation])
            length = next(known, 1)
            names.append(to_title(",".join(parts[:length]))[:200])
            del parts[:length]
        return list(dict.fromkeys(name for name in names if name))

    def _cost(self, row: TableRow) -> str:
        number, symbol = self._cell(row, "cost"), self._cell(row, "currency")
        if not number or not symbol:
            return number
        is_after = self._cell(row, "currency_position").lower() in ("suffix", "postfix")
        return f"{number}{symbol}" if is_after else f"{symbol}{number}"


def _known_names(relation: str) -> set[str]:
    model = KINDS[RELATION_KINDS[relation]].model
    return set(model._default_manager.values_list("name_key", flat=True)[:MAX_KNOWN_NAMES])
