"""The fields of an event that a reader may see: one rule for every output.

An event with a password is listed for everybody. Readers who may not edit it and do not know its password see its title
and dates only. An event may hide its online URL until an hour before it starts. An event in person always hides it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from django.utils.crypto import constant_time_compare

from calendar_site.core import clock, permissions
from calendar_site.core.permissions import Authored
from calendar_site.core.types import AnyUser
from events.choices import AttendanceMode
from events.models import Event

if TYPE_CHECKING:
    from events.representation import EventRecord

NULL_KEYS = (
    "all_day", "show_map", "show_map_link", "hide_from_listings", "sticky", "featured", "ticketed", "event_status",
    "sold_out", "attendance_mode", "hide_online_url", "series"
)  # fmt: skip
EMPTY_TEXT_KEYS = (
    "description", "excerpt", "cost", "website", "event_status_reason", "previous_start_date", "online_url"
)  # fmt: skip
EMPTY_LIST_KEYS = ("categories", "tags", "venue", "organizer", "tickets", "custom_fields", "accessibility")
# How long before the start everybody sees an online URL that the event hides.
ONLINE_URL_LEAD = timedelta(hours=1)


class HasPassword(Authored, Protocol):
    """An event, or a row of its columns."""

    @property
    def password(self) -> str: ...


class HasOnlineURL(Authored, Protocol):
    """An event, or a row of its columns."""

    @property
    def start(self) -> datetime: ...
    @property
    def attendance_mode(self) -> str: ...
    @property
    def online_url(self) -> str: ...
    @property
    def hide_online_url(self) -> bool: ...


class Reader(NamedTuple):
    """The user who reads, and the event password that came with the request, "" for none."""

    user: AnyUser
    password: str = ""


def hides_fields(event: HasPassword, reader: Reader) -> bool:
    """Return whether the reader may see only the title and the dates of the event."""
    if not event.password:
        return False
    if reader.password and constant_time_compare(event.password, reader.password):
        return False
    return not permissions.can_read_protected_fields(reader.user, event, Event)


def always_shows_online_url(event: HasOnlineURL) -> bool:
    """Return whether everybody who sees the other fields may see the online URL at any time."""
    # That of an event in person is kept for editors, so that the event can become an online event again.
    return event.attendance_mode != AttendanceMode.IN_PERSON and not event.hide_online_url


def shows_online_url(event: HasOnlineURL, reader: Reader) -> bool:
    """Return whether the reader may see the online URL now, if they see the other fields."""
    if not event.online_url or always_shows_online_url(event):
        return True
    if permissions.can_read_protected_fields(reader.user, event, Event):
        return True
    if event.attendance_mode == AttendanceMode.IN_PERSON:
        return False
    return clock.has_passed(event.start - ONLINE_URL_LEAD)


def blank_protected_fields(record: EventRecord) -> EventRecord:
    """Return the record of an event with its protected fields blanked (contract.md, "Passwords of events")."""
    blank: dict[str, Any] = {
        **dict.fromkeys(EMPTY_TEXT_KEYS, ""),
        **dict.fromkeys(NULL_KEYS),
        **{name: [] for name in EMPTY_LIST_KEYS},
        "image": False,
        "cost_details": {**dict.fromkeys(record["cost_details"], ""), "values": []},
    }
    return cast("EventRecord", {**record, **blank})
