"""The fields of an event that a reader may see: one rule for every output.

An event with a password is listed for everybody. Readers who may not edit it and do not know its password see its title
and dates only. An event may hide its online URL until an hour before it starts. An event in person always hides it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple, Protocol

from django.utils.crypto import constant_time_compare

from calendar_site.core import clock, permissions
from calendar_site.core.permissions import Authored
from calendar_site.core.types import AnyUser
from events.choices import AttendanceMode
from events.models import Event

# What stays of an event whose fields are hidden (contract.md, "Passwords of events", and D51): its title, dates, ids
# and URLs. Everything that is not named here is blanked, so that nobody has to think of it when a field is added.
KEPT_KEYS = frozenset({
    "id", "global_id", "global_id_lineage", "author", "status", "date", "date_utc", "modified", "modified_utc",
    "url", "rest_url", "title", "slug", "post_parent",
    "start_date", "start_date_details", "end_date", "end_date_details",
    "utc_start_date", "utc_start_date_details", "utc_end_date", "utc_end_date_details",
    "start", "end", "timezone", "timezone_abbr",
})  # fmt: skip
# The same in columns, with those by which services find what to show.
KEPT_COLUMNS = frozenset({
    "id", "author_id", "status", "published_at", "modified_at", "title", "slug", "start", "end", "start_local",
    "end_local", "time_zone", "parent_id", "password", "uid",
})  # fmt: skip
# Parameters of lists about what stays. Others leave out events whose fields are hidden: a filter would tell a value.
KEPT_PARAMETERS = frozenset({
    "page", "per_page", "order", "orderby", "include", "post_parent", "status", "timezone", "strict_dates",
    "start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after",
    "modified_after", "modified_before",
    # It compares the titles alone of events whose fields are hidden.
    "search",
    # It selects nothing without coordinates.
    "geoloc_radius",
})  # fmt: skip
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
    # The URL of an event in person is kept for editors, so that the event can become an online event again.
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


def filters_by_hidden_fields(parameters: Iterable[str]) -> bool:
    """Return whether one of these parameters of a list is about fields that may be hidden."""
    return not KEPT_PARAMETERS.issuperset(parameters)
