"""The fields of an event, read from the properties of a `VEVENT`."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import unquote, urlsplit

from django.utils.translation import gettext as _
from icalendar import vDuration

from calendar_site.core.dates.conversion import in_utc, resolve_local, to_wire
from calendar_site.transfer.imports.records import ImageLink, SourceLink
from calendar_site.transfer.models import Source
from calendar_site.transfer.readers.ics_events import InvalidComponent, Moment, VEvent
from calendar_site.transfer.readers.text import to_title
from events.choices import AttendanceMode, EventStatus
from events.models import Event, Series
from events.recurrence.rules import MAX_RULE_LENGTH, Rule


def times_of(event: VEvent) -> tuple[Moment, datetime]:
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


def read_status(event: VEvent, values: dict[str, Any], source: Source) -> None:
    status = event.text("STATUS").upper()
    # Nobody has confirmed a tentative event.
    values["status"] = "draft" if status == "TENTATIVE" else source.new_status
    values["event_status"] = EventStatus.CANCELLED if status == "CANCELLED" else EventStatus.SCHEDULED


def read_place(event: VEvent, values: dict[str, Any]) -> tuple[SourceLink, ...]:
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


def read_website(event: VEvent, values: dict[str, Any], notes: list[str]) -> None:
    url = event.text("URL")
    if not url:
        return
    parts = urlsplit(url) if "[" not in url else None
    if parts is not None and parts.scheme in ("http", "https") and parts.netloc and len(url) <= 2000:
        values["website"] = url
    else:
        notes.append(_("The URL is left out, because it is not valid: %(url)s") % {"url": url[:200]})


def terms(event: VEvent) -> tuple[SourceLink, ...]:
    names = [to_title(text)[:200] for found in event.properties.get("CATEGORIES", []) for text in found.texts()]
    return tuple(SourceLink(values={"name": name}) for name in dict.fromkeys(names) if name)


def organizers(event: VEvent) -> tuple[SourceLink, ...]:
    """Return the organizer by name. Addresses are not taken over, because the page of an organizer shows them."""
    found = event.first("ORGANIZER")
    name = to_title(unquote(found.parameters.get("CN", ""))) if found else ""
    return (SourceLink(values={"title": name[: Event.MAX_TITLE_LENGTH]}),) if name and "@" not in name else ()


def image(event: VEvent) -> ImageLink | str:
    for found in [*event.properties.get("IMAGE", []), *event.properties.get("ATTACH", [])]:
        media_type = found.parameters.get("FMTTYPE", "").lower()
        is_image = media_type.startswith("image/") or found.name == "IMAGE"
        if is_image and found.value.startswith(("http://", "https://")):
            return ImageLink(found.value.strip())
    return ""


def recurrence(event: VEvent, start: Moment, duration: timedelta) -> dict[str, Any]:
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
