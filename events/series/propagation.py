"""Pass changes of a series on to its events: those of the template, of the publication, and of the dates."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple, Self, cast

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied, ValidationError

from calendar_site.audit.models import ChangeKind
from calendar_site.audit.recorder import SAVE, Action
from calendar_site.core.choices import PUBLISHED_STATUSES, Status
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.dates.conversion import in_utc
from calendar_site.core.permissions import editable_q
from calendar_site.core.types import AnyUser
from events.changes import EventChanges
from events.choices import AttendanceMode, EventStatus
from events.models import Event, Series
from events.recurrence.schedules import Schedule
from events.relations import RELATIONS, EventRelations, load_relations
from events.series.background import trash_later, update_outdated_later
from events.series.bulk_saves import MAX_TRASHED_AT_ONCE, EventWrite, save_events
from events.series.dates import horizon_of, local_now
from events.series.deviations import is_moved
from events.series.hiding import HiddenEvents, hide_events, show_events
from events.series.template import EventTemplate

logger = logging.getLogger(__name__)

PUBLICATION = ("status", "author_id", "published_at")
SCHEDULE = ("start_local", "end_local", "time_zone", "all_day", "rrule", "rdate", "exdate")
_TEMPLATE = ("title", "password", "template")
# How many events one write gives new values other than dates, if few tickets and links change. A background task
# changes the others, so that other writes do not wait long.
MAX_CHANGED_AT_ONCE = 800
# In proportion to a change of the title: each relation that changes, each ticket and link in it, each character of the
# texts, and a change of the status, which may concern a review.
COST_OF_RELATION, COST_OF_LINK, COST_OF_CHARACTER, COST_OF_STATUS = 1.5, 0.12, 0.0001, 3
# Events that are loaded at once.
BATCH_SIZE = 100


class FormerSeries:
    """The values of a series before a change, from which its events may deviate."""

    def __init__(self, series: Series) -> None:
        self.template = EventTemplate.of_series(series)
        # None if the dates are not known.
        self._schedule = Schedule.of(series) if series.start_local else None
        self.columns = {name: getattr(series, name) for name in (*_TEMPLATE, *PUBLICATION, *SCHEDULE)}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        """Return the values that `to_json()` has stored; the dates are missing."""
        return cls(_series_of(values))

    def to_json(self) -> dict[str, Any]:
        return {name: self.columns[name] for name in (*_TEMPLATE, *PUBLICATION)}

    @property
    def schedule(self) -> Schedule:
        if self._schedule is None:
            raise ValueError("The dates of the former series are not stored.")
        return self._schedule

    def schedule_differs(self, series: Series) -> bool:
        return any(self.columns[name] != getattr(series, name) for name in SCHEDULE)

    def values_differ(self, series: Series, template: EventTemplate) -> bool:
        """Return whether anything but dates differs."""
        is_republished = any(self.columns[name] != getattr(series, name) for name in PUBLICATION)
        return is_republished or bool(self.template.differences(template))


def _series_of(values: dict[str, Any]) -> Series:
    """Return an unsaved series of the values that `FormerSeries.to_json()` has stored."""
    published_at = Series._meta.get_field("published_at").to_python(values["published_at"])
    return Series(**{**values, "published_at": published_at})


class _Change:
    """The change from the former values of a series to its present ones."""

    def __init__(
        self,
        series: Series,
        template: EventTemplate,
        former: FormerSeries,
        status_action: Action,
        hidden: HiddenEvents | None = None,
    ) -> None:
        self.series, self.template, self.former = series, template, former
        # The former columns of events that were hidden before the others of their values change.
        self.hidden = hidden or {}
        # With which a new status is recorded.
        self.status_action = status_action
        self.names = former.template.differences(template)
        self._known: dict[frozenset[str], EventChanges] = {}

    @classmethod
    def stored(cls, series: Series, template: EventTemplate, group: dict[str, Any]) -> Self:
        """Return the change that a group of `Series.outdated` describes."""
        kind, note = group.get("status_action", (None, ""))
        action = Action(kind and ChangeKind(kind), note)
        hidden = {int(pk): values for pk, values in group.get("hidden", {}).items()}
        return cls(series, template, FormerSeries.from_json(group["values"]), action, hidden)

    def hide(self, ids: Iterable[int]) -> None:
        """Hide those of the events that become less visible."""
        former = {**self.former.columns, "hide_from_listings": self.former.template.columns["hide_from_listings"]}
        self.hidden |= hide_events(self.series, former, ids)

    @cached_property
    def cost(self) -> float:
        """Return how long it takes to change one event, compared with a change of its title."""
        links = self.former.template.count_relations(self.names) + self.template.count_relations(self.names)
        return (
            1
            + COST_OF_RELATION * len(self.names.intersection(RELATIONS))
            + COST_OF_LINK * links
            + COST_OF_CHARACTER * self.template.text_length
            + COST_OF_STATUS * (self.former.columns["status"] != self.series.status)
        )

    def for_event(self, event: Event, relations: EventRelations) -> dict[str, Any]:
        """Return the changes of an event: of the fields in which it does not deviate from the former values."""
        deviations = self.former.template.differences(EventTemplate.of_event(event, relations))
        changes: dict[str, Any] = {**self._template_changes(frozenset(self.names - deviations))}
        is_online = event.event_status == EventStatus.MOVED_ONLINE
        if is_online and changes.get("attendance_mode") == AttendanceMode.IN_PERSON:
            # It stays online when the others are in person.
            del changes["attendance_mode"]
        return changes | self._publication_changes(event)

    def _template_changes(self, names: frozenset[str]) -> EventChanges:
        # The same for most events, with queries for the linked records.
        if names not in self._known:
            self._known[names] = self.template.changes(set(names))
        return self._known[names]

    def _publication_changes(self, event: Event) -> dict[str, Any]:
        """Return the changes of status, author and publication date, if the event had those of the series."""
        old, series = self.former.columns, self.series
        same_status = event.status == old["status"] or {event.status, old["status"]} <= set(PUBLISHED_STATUSES)
        changes: dict[str, Any] = {}
        if old["status"] != series.status and same_status:
            changes["status"] = series.status
        for name in ("author_id", "published_at"):
            if old[name] != getattr(series, name) and getattr(event, name) == old[name]:
                changes[name] = getattr(series, name)
        return changes


class _Dates(NamedTuple):
    """The new dates of occurrences. An event without one leaves the series, and moves to the trash."""

    former: Schedule
    present: Schedule
    # The new occurrence of each event that has not begun, by its id; None for those without one.
    targets: dict[int, str | None]

    def moved(self, occurrences: dict[int, str]) -> list[int]:
        """Return the ids of the events that get another occurrence, or none."""
        return [pk for pk, target in self.targets.items() if target != occurrences[pk]]

    def without_date(self) -> list[int]:
        return [pk for pk, target in self.targets.items() if target is None]

    def set_occurrence(self, event: Event, series: Series) -> dict[str, Any]:
        """Set the new occurrence of an event, and return the changes of its dates; none if it was moved alone."""
        target = self.targets[event.pk]
        if target is None:
            event.series = None
            return {}
        was_moved = is_moved(event, self.former)
        event.series, event.series_occurrence = series, target
        dates: dict[str, Any] = {
            "start": in_utc(self.present.start_of(target)),
            "end": in_utc(self.present.end_of(target)),
            "time_zone": series.time_zone,
            "all_day": series.all_day,
        }
        return {} if was_moved or all(getattr(event, name) == value for name, value in dates.items()) else dates


def update_occurrences(series: Series, before: FormerSeries, user: AnyUser, status_action: Action = SAVE) -> float:
    """Give the events the new values of the series, and those that have not begun its new dates.

    All events get their dates. If there are many, a background task gives the last ones their other values: until then,
    `series.outdated` has the values from which they may deviate. Another task moves those to the trash that are too
    many at once. Must run inside `write_lock()`. Returns the share of the work of one write that is left, from 0 to 1.

    A new status of the events is recorded with `status_action`.
    """
    template = EventTemplate.of_series(series)
    occurrences = _occurrences_of(series)
    dates = _new_dates(series, before, occurrences)
    trashed_later = dates.without_date()[MAX_TRASHED_AT_ONCE:]
    trash_in_background(trashed_later, user)
    for pk in trashed_later:
        del occurrences[pk], dates.targets[pk]
    changes: dict[int, _Change] = {}
    if before.values_differ(series, template):
        changes = dict.fromkeys(occurrences, _Change(series, template, before, status_action))
    changes |= _outdated_changes(series, template, occurrences)
    # Otherwise, two of them might have the same date for a moment.
    Event.objects.filter(pk__in=dates.moved(occurrences)).update(series=None)
    updated, rest = _divide(changes, series, occurrences)
    _update_events(series, [pk for pk in occurrences if pk in updated or pk in dates.targets], updated, user, dates)
    for change in dict.fromkeys(rest.values()):
        change.hide(pk for pk, other in rest.items() if other is change)
    _store_outdated(series, rest, user)
    if rest:
        update_outdated_later(series.pk)
    work = sum(change.cost for change in updated.values()) + len(dates.targets)
    return max(0, 1 - work / MAX_CHANGED_AT_ONCE)


def trash_in_background(ids: Sequence[int], user: AnyUser) -> None:
    """Make these events single ones, which a background task moves to the trash."""
    if ids:
        Event.objects.filter(pk__in=ids).update(series=None)
        trash_later(ids, user.pk)


def update_outdated(series_id: int, *, only: int | None = None) -> bool:
    """Give some outdated events of a series its values; return whether others remain.

    `only` is the id of an event, if no other one shall be changed. Events that the author of the change may not change
    any more, for example because they were published, keep their values. Logs the errors of others.
    """
    with write_lock():
        series = Series.objects.filter(pk=series_id).first()
        if series is None or not series.outdated:
            return False
        occurrences = _occurrences_of(series)
        changes = _outdated_changes(series, EventTemplate.of_series(series), occurrences)
        if only is None:
            updated, rest = _divide(changes, series, occurrences)
        else:
            updated = {pk: change for pk, change in changes.items() if pk == only}
            rest = {pk: change for pk, change in changes.items() if pk != only}
        user = _author_of_change(series.outdated)
        _update_possible(series, updated, user)
        _store_outdated(series, rest, user)
    return bool(rest)


def update_deleted(values: dict[str, Any], outdated: list[dict[str, Any]]) -> None:
    """Give outdated events of a series that was deleted its last values, in several writes.

    The arguments are `FormerSeries.to_json()` and `Series.outdated`. Logs errors like `update_outdated()`.
    """
    series = _series_of(values)
    template = EventTemplate.of_series(series)
    changes: dict[int, _Change] = {}
    for group in outdated:
        changes |= dict.fromkeys(group["events"], _Change.stored(series, template, group))
    ids = list(changes)
    for start in range(0, len(ids), BATCH_SIZE):
        part = {pk: changes[pk] for pk in ids[start : start + BATCH_SIZE]}
        _update_possible(series, part, _author_of_change(outdated))


def _author_of_change(outdated: list[dict[str, Any]]) -> AnyUser:
    """Return the user who has changed the series, with the permissions of today."""
    return load_author(outdated[-1]["user"]["pk"])


def load_author(user_id: int | None) -> AnyUser:
    """Return the user who caused a background task, with the permissions of today; one without any if it is deleted.

    A command on the server runs without an account, and may do everything.
    """
    if user_id is None:
        return get_user_model()(is_superuser=True)
    return get_user_model().objects.filter(pk=user_id).first() or AnonymousUser()


def _update_possible(series: Series, changes: dict[int, _Change], user: AnyUser) -> None:
    """Change those of the events that the user may change now. Log the errors of those that cannot be changed."""
    editable = Event.objects.filter(editable_q(user, Event), pk__in=changes).order_by("pk")
    ids = list(editable.values_list("pk", flat=True))
    if not ids:
        return
    try:
        with write_lock():
            _update_events(series, ids, changes, user)
    except (ValidationError, PermissionDenied):
        if len(ids) == 1:
            logger.exception("The event %s cannot get the values of its series %s.", ids[0], series.pk)
            return
        # By halves: trying each one alone would hold the write lock for long.
        for part in (ids[: len(ids) // 2], ids[len(ids) // 2 :]):
            _update_possible(series, {pk: changes[pk] for pk in part}, user)


def _occurrences_of(series: Series) -> dict[int, str]:
    """Return the occurrences of the series by the ids of their events, in order. One query."""
    rows = Event.objects.filter(series=series).order_by("series_occurrence")
    return dict(rows.values_list("pk", "series_occurrence"))


def _outdated_changes(series: Series, template: EventTemplate, occurrences: dict[int, str]) -> dict[int, _Change]:
    """Return the changes of events that still have former values of the series, by their ids."""
    changes: dict[int, _Change] = {}
    for group in series.outdated:
        change = _Change.stored(series, template, group)
        changes |= {pk: change for pk in group["events"] if pk in occurrences}
    return changes


def _divide(
    changes: dict[int, _Change], series: Series, occurrences: dict[int, str]
) -> tuple[dict[int, _Change], dict[int, _Change]]:
    """Return the changes that one write makes, at least one, and the others."""
    present = local_now(Schedule.of(series))
    # First the events that readers see first: the coming ones, in order.
    ids = sorted(changes, key=lambda pk: (occurrences[pk] < present, occurrences[pk]))
    costs = accumulate(changes[pk].cost for pk in ids)
    count = max(1, sum(cost <= MAX_CHANGED_AT_ONCE for cost in costs))
    return {pk: changes[pk] for pk in ids[:count]}, {pk: changes[pk] for pk in ids[count:]}


def _store_outdated(series: Series, changes: dict[int, _Change], user: AnyUser) -> None:
    """Store which events have former values of the series, and who has changed it."""
    groups: dict[_Change, list[int]] = {}
    for pk, change in changes.items():
        groups.setdefault(change, []).append(pk)
    by = {"pk": user.pk, "username": user.get_username()}
    outdated = [
        {
            "values": change.former.to_json(),
            "events": sorted(ids),
            "user": by,
            "status_action": list(change.status_action[:2]),
            "hidden": {str(pk): change.hidden[pk] for pk in sorted(ids) if pk in change.hidden},
        }
        for change, ids in groups.items()
    ]
    if outdated != series.outdated:
        series.outdated = outdated
        Series.objects.filter(pk=series.pk).update(outdated=outdated)


def _update_events(
    series: Series, ids: Sequence[int], changes: dict[int, _Change], user: AnyUser, dates: _Dates | None = None
) -> None:
    """Change and move these events, some at a time, because their texts may be long."""
    for start in range(0, len(ids), BATCH_SIZE):
        batch = ids[start : start + BATCH_SIZE]
        show_events({pk: changes[pk].hidden[pk] for pk in batch if pk in changes and pk in changes[pk].hidden})
        events = list(Event.objects.filter(pk__in=batch).order_by("pk"))
        relations = load_relations(events)
        writes: list[EventWrite] = []
        for event in events:
            change = changes.get(event.pk)
            values = change.for_event(event, relations[event.pk]) if change else {}
            if dates is not None and event.pk in dates.targets:
                values |= dates.set_occurrence(event, series)
            has_left = dates is not None and dates.targets.get(event.pk, "") is None
            if has_left and event.status != Status.TRASH:
                writes.append(EventWrite(event, None, relations[event.pk]))
            elif values or event.series_occurrence != _stored(event, "series_occurrence"):
                action = change.status_action if change and "status" in values else SAVE
                writes.append(EventWrite(event, cast("EventChanges", values), relations[event.pk], action))
        save_events(writes, user=user)


def _stored(event: Event, column: str) -> Any:
    """Return the value of a column that the event was loaded with."""
    return (event.loaded_values or {})[column]


def _new_dates(series: Series, before: FormerSeries, occurrences: dict[int, str]) -> _Dates:
    schedule = Schedule.of(series)
    if not before.schedule_differs(series):
        return _Dates(schedule, schedule, {})
    former = before.schedule
    return _Dates(former, schedule, _match(occurrences, local_now(former), schedule))


def _match(occurrences: dict[int, str], present: str, schedule: Schedule) -> dict[int, str | None]:
    """Return the new date of each occurrence that has not begun, by the id of the event; None for those without one.

    An occurrence keeps its day if it can, even if the time changes.
    """
    coming = {pk: occurrence for pk, occurrence in occurrences.items() if occurrence >= present}
    # Events may exist beyond the horizon: that of a later series that is joined with this one again.
    last = datetime.fromisoformat(max([str(horizon_of(schedule)), *coming.values()]))
    # Until the day ends, because the new time may be later than the horizon.
    starts = set(schedule.occurrences(last.replace(hour=23, minute=59, second=59)))
    kept = starts.intersection(coming.values())
    by_day: dict[str, list[str]] = {}
    for start in sorted(starts - kept):
        by_day.setdefault(start[:10], []).append(start)
    matches: dict[int, str | None] = {}
    for pk, occurrence in coming.items():
        others = by_day.get(occurrence[:10])
        if occurrence in kept:
            matches[pk] = occurrence
        else:
            matches[pk] = others.pop(0) if others else None
    return matches
