"""The reader of iCalendar files (RFC 5545), as programs really write them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from django.utils.translation import gettext as _
from icalendar import vDuration

from calendar_site.core.dates.conversion import in_utc, resolve_local, to_wire
from calendar_site.transfer.imports.errors import SourceError
from calendar_site.transfer.imports.records import (
    ChangedOccurrence,
    ImageLink,
    ImportedRecord,
    RecordKind,
    RejectedRecord,
    SourceLink,
)
from calendar_site.transfer.models import Source, SourceRecord
from calendar_site.transfer.readers.fetching import fetch_file
from calendar_site.transfer.readers.ics_lines import IcsComponent, IcsProperty, components
from calendar_site.transfer.readers.ics_zones import SourceZone, SourceZones
from calendar_site.transfer.readers.text import content_key, decode, is_web_page, to_html, to_title
from events.choices import AttendanceMode, EventStatus
from events.models import Event, Series
from events.recurrence.rules import MAX_RULE_LENGTH, InvalidRule, Rule

MAX_EVENTS = 20_000
PRIVATE = {"PRIVATE", "CONFIDENTIAL"}
DATE = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d)(?::?(\d\d))?(Z?))?", re.ASCII)
# So many known events that are not in a new file mean that its identifiers change.
MIN_RECURRING = 0.5
FIRST_YEAR, LAST_YEAR = 1000, 9998


class InvalidComponent(ValueError):
    """An event of the file that cannot be read."""


@dataclass
class Moment:
    """A date or time of a file: the local time in its zone, and whether it is a day alone."""

    local: datetime
    zone: SourceZone
    is_day: bool
    in_utc: bool = False

    @property
    def aware(self) -> datetime:
        if self.in_utc:
            return self.local.replace(tzinfo=UTC)
        return resolve_local(self.local, self.zone.zone.tz) if self.is_day else self.zone.moment(self.local)


@dataclass
class VEvent:
    """The properties of an event."""

    component: IcsComponent
    zones: SourceZones
    properties: dict[str, list[IcsProperty]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for found in self.component.properties():
            self.properties.setdefault(found.name, []).append(found)

    def first(self, name: str) -> IcsProperty | None:
        return next(iter(self.properties.get(name, ())), None)

    def text(self, name: str) -> str:
        found = self.first(name)
        return found.text().strip() if found else ""

    @property
    def uid(self) -> str:
        return self.text("UID")

    def moment(self, name: str) -> Moment | None:
        found = self.first(name)
        return parse_moment(found, found.value, self.zones) if found else None

    def moments(self, name: str) -> list[Moment]:
        """Return the moments of a list, of which periods count by their start; empty values are left out."""
        values = [(found, value) for found in self.properties.get(name, []) for value in found.value.split(",")]
        return [parse_moment(found, value.partition("/")[0], self.zones) for found, value in values if value.strip()]


def parse_moment(found: IcsProperty, value: str, zones: SourceZones) -> Moment:
    """Return a date or time, by its form rather than by `VALUE`, which programs confuse. Raises InvalidComponent."""
    match = DATE.fullmatch(value.strip())
    if match is None or not FIRST_YEAR <= int(match[1]) <= LAST_YEAR:
        raise InvalidComponent(_("%(name)s: “%(value)s” is not a date.") % {"name": found.name, "value": value[:50]})
    is_day = match[4] is None or found.parameters.get("VALUE", "").upper() == "DATE"
    try:
        day = date(*map(int, match.group(1, 2, 3)))
        time = datetime.min.time() if is_day else _time_of(match)
    except ValueError as error:
        raise InvalidComponent(
            _("%(name)s: “%(value)s” is not a date.") % {"name": found.name, "value": value[:50]}
        ) from error
    tzid = found.parameters.get("TZID", "")
    in_utc_time = bool(match[7]) and not is_day and not zones.is_fixed
    zone = zones.get(tzid) if tzid and not in_utc_time else zones.default
    return Moment(datetime.combine(day, time), zone, is_day, in_utc_time)


def _time_of(match: re.Match[str]) -> Any:
    seconds = min(int(match[6] or 0), 59)
    return datetime(2000, 1, 1, int(match[4]), int(match[5]), seconds).time()


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
        start, end = _times_of(event)
        values: dict[str, Any] = {
            "title": title[: Event.MAX_TITLE_LENGTH],
            "description": to_html(event.text("X-ALT-DESC") or event.text("DESCRIPTION")),
            "start": start.aware,
            "end": end,
            "time_zone": start.zone.zone.name,
            "all_day": start.is_day,
        }
        notes: list[str] = []
        _read_status(event, values, self._source)
        place = _read_place(event, values)
        _read_website(event, values, notes)
        links = {"venues": place, "categories": _terms(event), "organizers": _organizers(event)}
        is_series = occurrence is None and not suffix and ("RRULE" in event.properties or event.moments("RDATE"))
        if is_series:
            values |= _recurrence(event, start, in_utc(end) - in_utc(start.aware))
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
            image=_image(event),
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


def _times_of(event: VEvent) -> tuple[Moment, datetime]:
    """Return the start, and the aware end: that of the last day of an all-day event. Raises InvalidComponent."""
    start = event.moment("DTSTART")
    if start is None:
        raise InvalidComponent(_("It has no start."))
    end = event.moment("DTEND")
    if end is not None:
        if start.is_day or end.is_day:
            # The end is the day after the last one; some programs name the last one.
            last = end.local - timedelta(days=1) if end.is_day and end.local > start.local else end.local
            return start, max(start.aware, resolve_local(last, start.zone.zone.tz), key=in_utc)
        return start, max(start.aware, end.aware, key=in_utc)
    duration = _duration(event)
    if start.is_day:
        last = start.local + max(timedelta(), duration - timedelta(days=1))
        return start, resolve_local(last, start.zone.zone.tz)
    return start, in_utc(start.aware) + max(timedelta(), duration)


def _duration(event: VEvent) -> timedelta:
    text = event.text("DURATION")
    if not text:
        return timedelta()
    try:
        duration: timedelta = vDuration.from_ical(text)
    except (ValueError, OverflowError) as error:
        raise InvalidComponent(
            _("%(name)s: “%(value)s” is not a duration.") % {"name": "DURATION", "value": text[:50]}
        ) from error
    if abs(duration) > timedelta(days=3660):
        raise InvalidComponent(_("It lasts longer than ten years."))
    return duration


def _read_status(event: VEvent, values: dict[str, Any], source: Source) -> None:
    status = event.text("STATUS").upper()
    # Nobody has confirmed a tentative event.
    values["status"] = "draft" if status == "TENTATIVE" else source.new_status
    values["event_status"] = EventStatus.CANCELLED if status == "CANCELLED" else EventStatus.SCHEDULED


def _read_place(event: VEvent, values: dict[str, Any]) -> tuple[SourceLink, ...]:
    text = to_title(event.text("LOCATION"))
    if re.match(r"https?://\S+\Z", text):
        values |= {"online_url": text, "attendance_mode": AttendanceMode.ONLINE}
        return ()
    place: dict[str, Any] = {"title": text[: Event.MAX_TITLE_LENGTH]}
    if geo := re.fullmatch(r"\s*(-?\d{1,2}(?:\.\d+)?)\s*;\s*(-?\d{1,3}(?:\.\d+)?)\s*", event.text("GEO")):
        latitude, longitude = float(geo[1]), float(geo[2])
        if abs(latitude) <= 90 and abs(longitude) <= 180 and (latitude or longitude):
            place |= {"geo_lat": latitude, "geo_lng": longitude}
    return (SourceLink(values=place),) if text else ()


def _read_website(event: VEvent, values: dict[str, Any], notes: list[str]) -> None:
    url = event.text("URL")
    if not url:
        return
    parts = urlsplit(url) if "[" not in url else None
    if parts is not None and parts.scheme in ("http", "https") and parts.netloc and len(url) <= 2000:
        values["website"] = url
    else:
        notes.append(_("The URL is left out, because it is not valid: %(url)s") % {"url": url[:200]})


def _terms(event: VEvent) -> tuple[SourceLink, ...]:
    names = [to_title(text)[:200] for found in event.properties.get("CATEGORIES", []) for text in found.texts()]
    return tuple(SourceLink(values={"name": name}) for name in dict.fromkeys(names) if name)


def _organizers(event: VEvent) -> tuple[SourceLink, ...]:
    """Return the organizer by name. Addresses are not taken over, because the page of an organizer shows them."""
    found = event.first("ORGANIZER")
    name = to_title(unquote(found.parameters.get("CN", ""))) if found else ""
    return (SourceLink(values={"title": name[: Event.MAX_TITLE_LENGTH]}),) if name and "@" not in name else ()


def _image(event: VEvent) -> ImageLink | str:
    for found in [*event.properties.get("IMAGE", []), *event.properties.get("ATTACH", [])]:
        media_type = found.parameters.get("FMTTYPE", "").lower()
        is_image = media_type.startswith("image/") or found.name == "IMAGE"
        if is_image and found.value.startswith(("http://", "https://")):
            return ImageLink(found.value.strip())
    return ""


def _recurrence(event: VEvent, start: Moment, duration: timedelta) -> dict[str, Any]:
    """Return the recurrence of a series in local times of its zone. Raises InvalidRule and InvalidComponent."""
    if len(event.properties.get("RRULE", [])) > 1:
        raise InvalidComponent(_("It has more than one recurrence rule."))
    lists = {name: _dates(event, name, start) for name in ("RDATE", "EXDATE")}
    text = event.first("RRULE")
    rule = Rule.parse_sent(_readable_rule(text.value)) if text else None
    first = to_wire(start.aware.astimezone(start.zone.zone.tz))
    local = datetime.fromisoformat(first)
    added = [moment for moment in lists["RDATE"] if moment != first]
    if rule is not None:
        last = local + timedelta(days=366 * 4)
        # The start is an occurrence even if the rule leaves it out.
        if next(rule.occurrences(local, last, start.zone.zone.tz), None) != local:
            added.append(first)
    return {
        "rrule": str(rule) if rule else "",
        "rdate": sorted(set(added)),
        "exdate": _excluded(lists["EXDATE"], rule, local, added, start),
    }


def _readable_rule(text: str) -> str:
    """Return the rule without parts that programs write although they say nothing."""
    parts = [part for part in text[: MAX_RULE_LENGTH * 2].split(";") if part.strip()]
    clock = ("BYHOUR=", "BYMINUTE=", "BYSECOND=", "X-")
    return ";".join(part for part in parts if not part.strip().upper().startswith(clock))


def _dates(event: VEvent, name: str, start: Moment) -> list[str]:
    # Counted before they are parsed.
    if sum(found.value.count(",") + 1 for found in event.properties.get(name, [])) > Series.MAX_DATES:
        raise InvalidComponent(_("%(name)s has more than %(limit)s dates.") % {"name": name, "limit": Series.MAX_DATES})
    return [_local_start(moment, start) for moment in event.moments(name)]


def _local_start(moment: Moment, start: Moment) -> str:
    if moment.is_day:
        return f"{moment.local:%Y-%m-%d} {start.aware.astimezone(start.zone.zone.tz):%H:%M:%S}"
    return to_wire(moment.aware.astimezone(start.zone.zone.tz))


def _excluded(dates: list[str], rule: Rule | None, first: datetime, added: list[str], start: Moment) -> list[str]:
    """Return the excluded occurrences: by their moment, or else by their day, because programs shift their zone."""
    if not dates:
        return []
    last = datetime.fromisoformat(max(dates)) + timedelta(days=1)
    by_rule = map(str, rule.occurrences(first, last, start.zone.zone.tz)) if rule else [str(first)]
    occurrences = {*by_rule, *added}
    by_day = {occurrence[:10]: occurrence for occurrence in occurrences}
    found = {day if day in occurrences else by_day.get(day[:10], "") for day in dates}
    return sorted(found - {""})
