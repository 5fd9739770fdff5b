"""Events that were withdrawn from the public, by which calendars tell their subscribers that they do not take place.

Without this, programs keep an event that is missing, because they cannot tell it from one that is over (D49).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from calendar_site.core import clock
from calendar_site.core.choices import PUBLIC_STATUSES
from calendar_site.core.permissions import published_q
from events.models import Event
from events.relations import LINKED_RELATIONS, EventRelations
from events.uids import first_uid
from events.withdrawn_models import WithdrawnEvent

# For so long, or until it would have taken place, a withdrawn event stays in calendars.
KEPT_FOR = timedelta(days=30)
# In one calendar, the latest ones.
MAX_WITHDRAWN = 200
# In which those of one calendar are looked for.
MAX_COMPARED = 2000


class Reach(IntEnum):
    """Which calendars contain an event. A password hides what it is linked to, and so takes it out of the others."""

    NONE = 0
    SITE = 1
    ALL = 2


_COPIED = ("start", "end", "start_local", "end_local", "time_zone")


def record_withdrawals(events: Sequence[Event], relations: Mapping[int, EventRelations]) -> None:
    """Record which of these saved events some calendars do not contain any more, and forget those that are back.

    `relations` are those before the write. Must run inside `write_lock()`, while `loaded_values` are those before the
    write. No query if the events stay what they were.
    """
    now = clock.now()
    withdrawn, returned = [], []
    for event in events:
        before = event.loaded_values
        if before is None or not before.get("uid"):
            continue
        was, is_now = reach_of(before, now), reach_of(vars(event), now)
        if is_now < was:
            withdrawn.append(_withdrawn(event.pk, before, relations.get(event.pk), now))
        elif is_now > was and is_now == Reach.ALL:
            returned.append(event.pk)
    if returned:
        WithdrawnEvent.objects.filter(event_id__in=returned).delete()
    _store(withdrawn, now)


def record_deletions(events: Iterable[Event], relations: Mapping[int, EventRelations]) -> None:
    """Record which of these events that are being deleted calendars contain."""
    now = clock.now()
    _store(
        [
            _withdrawn(event.pk, vars(event), relations.get(event.pk), now)
            for event in events
            if reach_of(vars(event), now)
        ],
        now,
    )


def reach_of(columns: Mapping[str, Any], now: datetime) -> Reach:
    """Return which calendars contain an event with these columns."""
    is_public = columns["status"] in PUBLIC_STATUSES and columns["published_at"] <= now
    if not is_public or columns["hide_from_listings"]:
        return Reach.NONE
    return Reach.SITE if columns["password"] else Reach.ALL


def withdrawn_events(since: datetime, links: Mapping[str, Iterable[int]] | None = None) -> list[WithdrawnEvent]:
    """Return the events that were withdrawn after `since` or would end after it, at most MAX_WITHDRAWN. One query.

    `links` are the records of which one must have been linked to the event, by the name of the relation.
    """
    rows: QuerySet[WithdrawnEvent] = WithdrawnEvent.objects.filter(Q(end__gt=since) | Q(withdrawn_at__gt=since))
    # A scheduled event is public again without a write.
    public = Event.objects.filter(published_q()).listed().order_by()
    if links is not None:
        public = public.with_fields_visible_to(AnonymousUser())
    rows = rows.exclude(event_id__in=public.values("pk")).order_by("-withdrawn_at", "-pk")
    if links is None:
        return list(rows[:MAX_WITHDRAWN])
    wanted = {name: set(ids) for name, ids in links.items()}
    found = [
        row
        for row in rows[:MAX_COMPARED]
        if any(not ids.isdisjoint(row.links.get(name, ())) for name, ids in wanted.items())
    ]
    return found[:MAX_WITHDRAWN]


def _withdrawn(pk: int, columns: Mapping[str, Any], relations: EventRelations | None, now: datetime) -> WithdrawnEvent:
    # What a password hides, the calendars of these records must not tell.
    links: Any = {} if columns["password"] else relations or {}
    row = WithdrawnEvent(
        event_id=pk,
        uid=columns["uid"],
        withdrawn_at=now,
        links={
            **{name: list(links[name]) for name in LINKED_RELATIONS if links.get(name)},
            **({"series": [columns["series_id"]]} if columns.get("series_id") else {}),
        },
        **{name: columns[name] for name in _COPIED},
    )
    row.uid = row.uid or first_uid(_Times(pk, row.start_local, row.end_local))
    return row


class _Times:
    """The times of an event without an identifier."""

    uid = ""

    def __init__(self, pk: int, start_local: str, end_local: str) -> None:
        self.id, self.start_local, self.end_local = pk, start_local, end_local


def _store(rows: list[WithdrawnEvent], now: datetime) -> None:
    """Store the rows instead of earlier ones, and delete those that no calendar contains any more."""
    if not rows:
        return
    WithdrawnEvent.objects.filter(end__lt=now - KEPT_FOR, withdrawn_at__lt=now - KEPT_FOR).delete()
    earlier = WithdrawnEvent.objects.filter(event_id__in=[row.event_id for row in rows])
    # Calendars that lost an event when it got its password go on to mention it when it is withdrawn from all of them.
    links = dict(earlier.values_list("event_id", "links"))
    for row in rows:
        row.links = {**links.get(row.event_id, {}), **row.links}
    earlier.delete()
    WithdrawnEvent.objects.bulk_create(rows)
