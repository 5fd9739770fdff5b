"""Events of different sources that may be the same one: finding pairs of them, and merging a pair.

Community calendars compared the titles of their sources: of the events that two sources share, most have the same title
on the same day, or one title is the beginning of the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Any, NamedTuple, cast

from django.core.exceptions import PermissionDenied, ValidationError
from django.utils.translation import gettext as _

from calendar_site.audit.models import ChangeKind
from calendar_site.audit.recorder import Action
from calendar_site.core import clock
from calendar_site.core.choices import Status
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.permissions import can_delete, can_edit
from calendar_site.core.text.plain_text import name_key
from calendar_site.core.types import AnyUser
from calendar_site.revisions.restore import RestorePlan
from calendar_site.transfer.imports.changes import EMPTY_VALUES
from calendar_site.transfer.imports.kinds import current_values, digest, last_revision
from calendar_site.transfer.imports.records import RecordKind
from calendar_site.transfer.models import EventPair, ImportEntry, ImportRun, Outcome, PairState, SourceRecord
from events.changes import EventChanges
from events.models import Event
from events.restore import plan_event_restore
from events.services import save_event, trash_event

# A title that is the beginning of another one has at least so many characters, and at most this share of the other.
MIN_PREFIX = 12
MAX_SHARE = 0.75
# So many events of one day are compared.
MAX_OF_A_DAY = 500
BATCH_SIZE = 200
# The fields of the event that stays which the other one fills in if they are empty.
FILLED = (
    "description", "excerpt", "image", "cost", "website", "online_url", "venues", "organizers", "categories", "tags",
)  # fmt: skip
RESTORED = Action(ChangeKind.RESTORED)


class DayEvent(NamedTuple):
    """An event of a day, with the sources that it comes from."""

    pk: int
    key: str
    sources: frozenset[int]


def find_pairs(run: ImportRun) -> int:
    """Store the pairs of the events that the run has created, and return their number. Two queries for each day."""
    entries = ImportEntry.objects.filter(run=run, outcome=Outcome.CREATED, kind=RecordKind.EVENT)
    created = list(entries.values_list("record_id", flat=True))
    found = 0
    for start in range(0, len(created), BATCH_SIZE):
        pairs = [
            EventPair(kept_id=min(pk, other), other_id=max(pk, other))
            for day, of_day in _by_day(created[start : start + BATCH_SIZE]).items()
            for pk, other in _pairs_of(_events_of(day), of_day)
        ]
        known = EventPair.objects.filter(other_id__in=[pair.other_id for pair in pairs])
        stored = set(known.values_list("kept_id", "other_id"))
        new = {(pair.kept_id, pair.other_id): pair for pair in pairs}
        with write_lock():
            EventPair.objects.bulk_create([pair for ids_of, pair in new.items() if ids_of not in stored])
        found += len(new.keys() - stored)
    return found


def _by_day(ids: Iterable[Any]) -> dict[str, set[int]]:
    """Return the ids of the events by their local day."""
    days: dict[str, set[int]] = defaultdict(set)
    for pk, start in Event.objects.filter(pk__in=ids).values_list("pk", "start_local"):
        days[start[:10]].add(pk)
    return days


def _events_of(day: str) -> list[DayEvent]:
    next_day = date.fromisoformat(day) + timedelta(days=1)
    rows = Event.objects.filter(start_local__gte=day, start_local__lt=str(next_day)).exclude(status=Status.TRASH)
    titles = list(rows.order_by("pk").values_list("pk", "title")[:MAX_OF_A_DAY])
    sources: dict[int, set[int]] = defaultdict(set)
    links = SourceRecord.objects.filter(kind=RecordKind.EVENT, record_id__in=[pk for pk, _title in titles])
    for pk, source in links.values_list("record_id", "source"):
        sources[pk].add(source)
    return [DayEvent(pk, name_key(title), frozenset(sources[pk])) for pk, title in titles]


def _pairs_of(events: list[DayEvent], created: set[int]) -> Iterator[tuple[int, int]]:
    for event in events:
        if event.pk in created:
            yield from (
                (event.pk, other.pk)
                for other in events
                if other.pk != event.pk
                and event.sources.isdisjoint(other.sources)
                and is_same_title(event.key, other.key)
            )


def is_same_title(first: str, second: str) -> bool:
    """Return whether two titles, as `name_key()` returns them, may be those of one event."""
    shorter, longer = sorted((first, second), key=len)
    if shorter == longer:
        return True
    return len(shorter) >= MIN_PREFIX and len(shorter) <= MAX_SHARE * len(longer) and longer.startswith(shorter)


def merge_pair(pair: EventPair, user: AnyUser) -> None:
    """Make one event of two: the older one gets what it lacks, and the sources of the other, which goes to the trash.

    The source of the older event then decides about its fields. Raises ValidationError and PermissionDenied.
    """
    with write_lock():
        kept, other = _event(pair.kept_id), _event(pair.other_id)
        if kept is None or other is None or Status.TRASH in (kept.status, other.status):
            raise ValidationError(_("One of the events does not exist any more, or is in the trash."))
        if not can_edit(user, kept) or not can_delete(user, other):
            raise PermissionDenied
        filled = _missing_values(kept, other, user)
        revision, status = last_revision(RecordKind.EVENT, kept.pk), other.status
        if filled:
            save_event(kept, changes=filled, user=user)
        trash_event(other, user=user)
        values = current_values(RecordKind.EVENT, [Event.objects.get(pk=kept.pk)])[kept.pk]
        digests = {name: digest(values.get(name)) for name in filled}
        links = list(SourceRecord.objects.filter(kind=RecordKind.EVENT, record_id=other.pk))
        pair.merge = {
            "revision": revision,
            "status": status,
            "filled": digests,
            "links": {str(link.pk): link.fields for link in links},
        }
        for link in links:
            link.record_id = kept.pk
            link.fields = {name: [known[0], digests.get(name, "")] for name, known in link.fields.items()}
        SourceRecord.objects.bulk_update(links, ["record_id", "fields"])
        _decide(pair, PairState.MERGED)


def _missing_values(kept: Event, other: Event, user: AnyUser) -> EventChanges:
    """Return what the other event has in fields that are empty in the one that stays."""
    rows = {row.pk: row for row in (kept, other)}
    values = current_values(RecordKind.EVENT, rows.values())
    empty = [name for name in FILLED if values[kept.pk].get(name) in EMPTY_VALUES]
    latest = Event.history.filter(id=other.pk).order_by("-history_id").first()
    if latest is None:
        return EventChanges()
    plan = plan_event_restore(latest, kept, user)
    names = [name for name in empty if values[other.pk].get(name) not in EMPTY_VALUES]
    return _picked(plan, names)


def undo_merge(pair: EventPair, user: AnyUser) -> None:
    """Make two events of one again. What was edited since in the event that stayed is kept.

    Raises ValidationError and PermissionDenied.
    """
    with write_lock():
        kept, other = _event(pair.kept_id), _event(pair.other_id)
        if kept is None or other is None:
            raise ValidationError(_("One of the events does not exist any more, or is in the trash."))
        if not can_edit(user, kept) or not can_edit(user, other):
            raise PermissionDenied
        if other.status == Status.TRASH:
            save_event(other, changes={"status": pair.merge["status"]}, user=user, action=RESTORED)
        _empty_again(kept, pair, user)
        for link in SourceRecord.objects.filter(pk__in=pair.merge["links"], record_id=kept.pk):
            link.record_id, link.fields = other.pk, pair.merge["links"][str(link.pk)]
            link.save(update_fields=["record_id", "fields"])
        pair.merge = {}
        _decide(pair, PairState.OPEN)


def _empty_again(kept: Event, pair: EventPair, user: AnyUser) -> None:
    before = Event.history.filter(history_id=pair.merge["revision"]).first()
    if before is None:
        return
    values = current_values(RecordKind.EVENT, [kept])[kept.pk]
    names = {name for name, known in pair.merge["filled"].items() if known == digest(values.get(name))}
    plan = plan_event_restore(before, kept, user)
    changes = _picked(plan, names)
    if changes:
        save_event(kept, changes=changes, user=user, action=RESTORED)


def _picked(plan: RestorePlan, names: Iterable[str]) -> EventChanges:
    return cast("EventChanges", {name: plan.changes[name] for name in names if name in plan.changes})


def keep_both(pair: EventPair) -> None:
    """Remember that the events are different ones."""
    _decide(pair, PairState.DIFFERENT)


def _decide(pair: EventPair, state: PairState) -> None:
    pair.state, pair.decided_at = state, clock.now()
    pair.save()


def _event(pk: int) -> Event | None:
    return Event.objects.filter(pk=pk).first()
