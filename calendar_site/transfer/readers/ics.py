"""The reader of iCalendar files (RFC 5545), as programs really write them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from calendar_site.core.dates.conversion import in_utc
from calendar_site.transfer.imports.errors import SourceError
from calendar_site.transfer.imports.records import (
    ChangedOccurrence,
    ImportedRecord,
    RecordKind,
    RejectedRecord,
)
from calendar_site.transfer.models import Source, SourceRecord
from calendar_site.transfer.readers.fetching import fetch_file
from calendar_site.transfer.readers.ics_events import InvalidComponent, Moment, VEvent
from calendar_site.transfer.readers.ics_fields import (
    image,
    organizers,
    read_place,
    read_status,
    read_website,
    recurrence,
    terms,
    times_of,
)
from calendar_site.transfer.readers.ics_lines import components
from calendar_site.transfer.readers.ics_zones import SourceZones
from calendar_site.transfer.readers.text import content_key, decode, is_web_page, to_html, to_title
from events.models import Event
from events.recurrence.rules import InvalidRule

MAX_EVENTS = 20_000
PRIVATE = {"PRIVATE", "CONFIDENTIAL"}
# So many known events that are not in a new file mean that its identifiers change.
MIN_RECURRING = 0.5


class IcsReader:
    """Reads the events of an iCalendar file. One broken event stops no other."""

    is_complete = True

    def __init__(self, source: Source, local: Path | None = None, *, conditional: bool = False) -> None:
        self._source, self._local, self._conditional = source, local, conditional
        self._text = ""
        self._count = 0
        self._keys_change = False

    def fetch(self, folder: Path) -> None:
        """Load the file. Raises SourceError for one that is no whole calendar, and NotModified."""
        self._text = decode(fetch_file(self._source, folder, self._local, conditional=self._conditional).read())
        _check_calendar(self._text)
        keys = {event.uid for event in self._events() if isinstance(event, VEvent)}
        if self._count > MAX_EVENTS:
            raise SourceError(_("The calendar has more than %(limit)s events.") % {"limit": MAX_EVENTS})
        self._keys_change = self._has_new_keys(keys)

    def _has_new_keys(self, keys: set[str]) -> bool:
        if self._source._state.adding:
            return False
        known = SourceRecord.objects.filter(source=self._source, kind=RecordKind.EVENT).order_by("-pk")
        stored = {key.partition("#")[0] for key in known.values_list("key", flat=True)[:1000]}
        return bool(stored) and len(stored & keys) < MIN_RECURRING * min(len(stored), len(keys) or 1)

    def total(self) -> int:
        return self._count

    def records(self) -> Iterator[ImportedRecord | RejectedRecord]:
        """Yield a series or an event for each component, and the exceptions of series after them."""
        exceptions: list[VEvent] = []
        masters: dict[str, Moment] = {}
        for event in self._events():
            if isinstance(event, RejectedRecord):
                yield event
            elif event.first("RECURRENCE-ID"):
                exceptions.append(event)
            else:
                record = self._record(event)
                if (
                    isinstance(record, ImportedRecord)
                    and record.kind == RecordKind.SERIES
                    and (start := event.moment("DTSTART"))
                ):
                    masters[record.key] = start
                yield record
        for event in exceptions:
            yield self._exception(event, masters.get(event.uid))

    def _events(self) -> Iterator[VEvent | RejectedRecord]:
        """Yield the events of the file. The zones of a calendar may follow its events, so they are read first."""
        found = list(components(self._text))
        self._count = sum(component.name == "VEVENT" for component in found)
        zones = SourceZones(self._source.read_times_as)
        for component in found:
            if component.name == "VCALENDAR":
                for line in component.properties():
                    if line.name == "X-WR-TIMEZONE":
                        zones.set_default(line.text())
            elif component.name == "VTIMEZONE":
                tzid = next((line.value for line in component.properties() if line.name == "TZID"), "")
                zones.add(tzid, component.raw)
        yield from (VEvent(component, zones) for component in found if component.name == "VEVENT")

    def _record(self, event: VEvent) -> ImportedRecord | RejectedRecord:
        try:
            return self._read(event)
        except (InvalidComponent, InvalidRule) as error:
            return _rejected(event, str(error))

    def _exception(self, event: VEvent, master: Moment | None) -> ImportedRecord | RejectedRecord:
        try:
            moment = event.moment("RECURRENCE-ID")
            if master is None or moment is None:
                # The series itself is not in the file.
                return self._read(event, suffix=f"#{event.text('RECURRENCE-ID')}")
            start = moment.local if moment.is_day else moment.aware.astimezone(master.zone.zone.tz)
            clock = master.local if moment.is_day else start
            occurrence = ChangedOccurrence(event.uid, f"{start:%Y-%m-%d} {clock:%H:%M:%S}")
            return self._read(event, occurrence=occurrence, suffix=f"#{event.text('RECURRENCE-ID')}")
        except (InvalidComponent, InvalidRule) as error:
            return _rejected(event, str(error))

    def _read(
        self, event: VEvent, *, occurrence: ChangedOccurrence | None = None, suffix: str = ""
    ) -> ImportedRecord | RejectedRecord:
        if event.text("CLASS").upper() in PRIVATE:
            return _rejected(event, _("It is private."), is_skipped=True)
        title = to_title(event.text("SUMMARY"))
        if not title:
            raise InvalidComponent(_("It has no title."))
        start, end = times_of(event)
        values: dict[str, Any] = {
            "title": title[: Event.MAX_TITLE_LENGTH],
            "description": to_html(event.text("X-ALT-DESC") or event.text("DESCRIPTION")),
            "start": start.aware,
            "end": end,
            "time_zone": start.zone.zone.name,
            "all_day": start.is_day,
        }
        notes: list[str] = []
        read_status(event, values, self._source)
        place = read_place(event, values)
        read_website(event, values, notes)
        links = {"venues": place, "categories": terms(event), "organizers": organizers(event)}
        is_series = occurrence is None and not suffix and ("RRULE" in event.properties or event.moments("RDATE"))
        if is_series:
            values |= recurrence(event, start, in_utc(end) - in_utc(start.aware))
        elif not suffix and event.uid:
            values["uid"] = event.uid[:255]
        key = content_key(start.aware, title, place[0].values["title"] if place else "")
        return ImportedRecord(
            kind=RecordKind.SERIES if is_series else RecordKind.EVENT,
            key=f"{event.uid or key}{suffix}",
            title=title,
            content_key=key,
            matches_content=self._keys_change,
            values=values,
            links={name: found for name, found in links.items() if found or name == "venues"},
            image=image(event),
            occurrence=occurrence,
            notes=tuple(notes),
            line=event.component.line,
            raw=event.component.raw,
        )


def _check_calendar(text: str) -> None:
    """Raise SourceError for an answer that is no calendar, or only the beginning of one."""
    upper = text.upper()
    if is_web_page(text):
        raise SourceError(_("The answer is a web page, not a calendar. Check the address."))
    if "BEGIN:VCALENDAR" not in upper:
        raise SourceError(_("The file is not a calendar: BEGIN:VCALENDAR is missing."))
    if "END:VCALENDAR" not in upper[upper.rindex("BEGIN:VCALENDAR") :]:
        raise SourceError(_("The calendar is incomplete: END:VCALENDAR is missing."))


def _rejected(event: VEvent, reason: str, *, is_skipped: bool = False) -> RejectedRecord:
    return RejectedRecord(
        reason=reason,
        key=event.uid,
        title=to_title(event.text("SUMMARY")),
        line=event.component.line,
        raw=event.component.raw,
        is_skipped=is_skipped,
    )
