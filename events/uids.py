"""The identifiers of events in calendars, which never change once an event was public (D49)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol
from urllib.parse import urlsplit

from django.conf import settings

from calendar_site.api.site_urls import SiteURLs
from calendar_site.core.choices import PUBLIC_STATUSES

# Begins a stored identifier that follows the id of the event, which is not known when the event is inserted.
AFTER_ID = "-"


class HasTimes(Protocol):
    """An event, or a row of its columns."""

    @property
    def id(self) -> int: ...
    @property
    def uid(self) -> str: ...
    @property
    def start_local(self) -> str: ...
    @property
    def end_local(self) -> str: ...


class HasStoredUID(Protocol):
    """An event that was withdrawn."""

    event_id: int
    uid: str


class Publishable(HasTimes, Protocol):
    """An event."""

    uid: str

    @property
    def status(self) -> str: ...


def assign_uid(event: Publishable) -> None:
    """Give a published event its identifier, unless it has one: it stays the same when the event changes."""
    if not event.uid and event.status in PUBLIC_STATUSES:
        event.uid = first_uid(event)


def first_uid(event: HasTimes) -> str:
    """Return the identifier of a new event, without its id: with its times on the clock, as in the original.

    So the subscribers of a site that moves here see no event twice. Without PUBLIC_URL, the host is that of the request
    for the calendar.
    """
    start, end = (int(from_clock(text).timestamp()) for text in (event.start_local, event.end_local))
    host = urlsplit(settings.PUBLIC_URL).netloc
    return f"{AFTER_ID}{start}-{end}{f'@{host}' if host else ''}"


def uid_of(event: HasTimes, urls: SiteURLs) -> str:
    """Return the identifier of an event in calendars."""
    return _with_id(event.id, event.uid or first_uid(event), urls)


def _with_id(pk: int, uid: str, urls: SiteURLs) -> str:
    if not uid.startswith(AFTER_ID):
        # The identifier of an imported event, which has no id of ours.
        return uid
    return f"{pk}{uid}" if "@" in uid else f"{pk}{uid}@{urls.host}"


def uid_of_withdrawn(event: HasStoredUID, urls: SiteURLs) -> str:
    """Return the identifier in calendars of an event that was withdrawn."""
    return _with_id(event.event_id, event.uid, urls)


def host_of_uid(uid: str) -> str:
    return uid.rpartition("@")[2]


def from_clock(text: str) -> datetime:
    """Return a local time as if it were in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)
