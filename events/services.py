"""Writes of events."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, cast

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.forms.models import model_to_dict
from django.utils.translation import gettext as _

from calendar_site.audit.record_services import ContentServices
from calendar_site.audit.recorder import SAVE, Action, record_deletion, record_revision
from calendar_site.content.services import (
    ContentChanges,
    apply_content,
    delete_linked,
    store_new_image,
    validate_content,
)
from calendar_site.content.signals import records_deleted
from calendar_site.core import clock
from calendar_site.core.choices import Status
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.dates.parser import parse_wire_date
from calendar_site.core.types import AnyUser
from events.changes import EventChanges
from events.choices import AttendanceMode, EventStatus
from events.costs import Cost, parse_cost
from events.counts import TermCounts, count_by_term, no_counts, subtract_counts, updating_term_counts
from events.derived.renderings import save_renderings
from events.finished_saves import SavedEvent, finish_saves
from events.models import STATUSES_WITH_PREVIOUS_START, Event, EventOrganizer, EventVenue, Series
from events.recurrence.schedules import with_exclusions
from events.relation_writes import lock_new_records, set_relations
from events.relations import RELATIONS, load_relations, no_relations
from events.schedule import SCHEDULE_FIELDS, order_error, set_schedule, zone_of
from events.uids import assign_uid
from events.withdrawals import record_deletions
from organizers.models import Organizer
from venues.models import Venue

# Columns that are not copied: a copy gets its own values.
NOT_COPIED = (
    "id", "slug", "status", "author", "published_at", "created_at", "modified_at", "search_text", "preview_version",
    "uid", "event_status", "event_status_reason", "previous_start", "sold_out",
    "series", "series_occurrence",
)  # fmt: skip


def save_event(event: Event, *, changes: EventChanges, user: AnyUser, action: Action = SAVE) -> Event:
    """Validate and save an event with its relations, and record it.

    In this order, under the write lock: a new image is stored, the columns are set, validated and saved, the relations
    are saved, the event is rendered, the revision is recorded, and the event counts of terms are updated. Raises
    ValidationError and PermissionDenied; nothing is saved then.
    """
    with write_lock(parallel=event._state.adding):
        apply_event(event, changes=store_new_image(changes, user=user), user=user)
        validate_content(event, user)
        published = publish_due_events()
        before = load_relations([event]).get(event.pk) or no_relations()
        counts = subtract_counts(published, count_by_term([event.pk] if event.pk else []))
        lock_new_records(changes)
        event.save()
        relations = set_relations(event, changes, before, user)
        finish_saves([SavedEvent(event, before, relations, action)], counts, user=user)
    return event


def apply_event(event: Event, *, changes: EventChanges, user: AnyUser) -> None:
    """Set `changes`, except relations, and derived values on the event, without saving it. Idempotent.

    Raises ValidationError and PermissionDenied.
    """
    content = {name: value for name, value in changes.items() if name not in (*RELATIONS, *SCHEDULE_FIELDS, "cost")}
    set_schedule(event, changes)
    if "cost" in changes:
        set_cost(event, changes["cost"])
    apply_content(event, changes=cast("ContentChanges", content), user=user)
    _complete_event_status(event, changes)
    assign_uid(event)


def _complete_event_status(event: Event, changes: EventChanges) -> None:
    """Set the fields that follow from a new event status, unless they are among `changes`."""
    status = changes.get("event_status")
    if status is None:
        return
    if "previous_start" not in changes:
        loaded_start = (event.loaded_values or {}).get("start", event.start)
        if status == EventStatus.RESCHEDULED and loaded_start != event.start:
            event.previous_start = loaded_start
        elif status not in STATUSES_WITH_PREVIOUS_START:
            event.previous_start = None
    if (
        status == EventStatus.MOVED_ONLINE
        and event.attendance_mode == AttendanceMode.IN_PERSON
        and "attendance_mode" not in changes
    ):
        event.attendance_mode = AttendanceMode.ONLINE


def cancel_event(event: Event, *, user: AnyUser) -> Event:
    """Mark the event as cancelled. It stays visible. Raises the exceptions of `save_event()`."""
    return save_event(event, changes={"event_status": EventStatus.CANCELLED}, user=user)


def undo_cancellation(event: Event, *, user: AnyUser) -> Event:
    """Give a cancelled event the event status that it had before. Raises the exceptions of `save_event()`."""
    with write_lock():
        before = (
            Event.history.filter(id=event.pk)
            .exclude(event_status=EventStatus.CANCELLED)
            .order_by("-history_id")
            .first()
        )
        # The history may begin with the cancellation.
        kept = EventStatus.RESCHEDULED if event.previous_start else EventStatus.SCHEDULED
        status = before.event_status if before else kept
        return save_event(event, changes={"event_status": status}, user=user)


def set_cost(event: Event, cost: str | Cost) -> None:
    """Set the cost and its parts. Text is parsed, unless it is the current cost of the event, which keeps its parts.

    Raises ValidationError.
    """
    if cost == event.cost and event.pk:
        return
    if not isinstance(cost, Cost):
        try:
            cost = parse_cost(cost, settings.DEFAULT_CURRENCY_SYMBOL, settings.DEFAULT_CURRENCY_POSITION)
        except ValueError as error:
            raise ValidationError({"cost": str(error)}) from error
    event.cost, event.cost_symbol, event.cost_position = cost.text, cost.symbol, cost.position
    event.cost_values = cost.values


def move_event(event: Event, *, step: timedelta, user: AnyUser) -> Event:
    """Move the event. Its duration on the local clock stays the same, and its local times do if `step` is whole days.

    Raises ValueError if the new date is outside the calendar, and the exceptions of `save_event`.
    """
    return save_event(event, changes=shifted_times(event, step), user=user)


def reschedule_event(event: Event, *, start: datetime, end: datetime, user: AnyUser) -> Event:
    """Give the event another start and end. Both are times on its local clock, without a time zone.

    Raises ValueError if the end is before the start or a date is outside the calendar, and the exceptions of
    `save_event`.
    """
    if error := order_error(start, end):
        # `save_event()` would move the end to the start.
        raise ValueError(error)
    zone = zone_of(event)
    changes: EventChanges = {"start": parse_wire_date(str(start), zone), "end": parse_wire_date(str(end), zone)}
    return save_event(event, changes=changes, user=user)


def shifted_times(event: Event, step: timedelta) -> EventChanges:
    """Return the changes that move the event by `step` on its local clock.

    Raises ValueError if the new date is outside the calendar.
    """
    zone = zone_of(event)
    try:
        start, end = (
            parse_wire_date(str(datetime.fromisoformat(local) + step), zone)
            for local in (event.start_local, event.end_local)
        )
    except OverflowError as error:
        raise ValueError(_("Not a valid date.")) from error
    return {"start": start, "end": end}


def duplicate_event(event: Event, *, user: AnyUser, step: timedelta = timedelta()) -> Event:
    """Save a copy of the event, with its relations, as a draft of the user with a slug of its own.

    The copy is `step` later. Raises ValueError if that is outside the calendar, ValidationError and PermissionDenied.
    """
    columns: dict[str, Any] = {
        field.attname: getattr(event, field.attname)
        for field in Event._meta.concrete_fields
        if field.name not in NOT_COPIED
    }
    with write_lock():
        venue_links = EventVenue.objects.filter(event=event).select_related("venue")
        organizer_links = EventOrganizer.objects.filter(event=event).select_related("organizer")
        tickets: list[Any] = [
            model_to_dict(ticket, exclude=["id", "event", "position"]) for ticket in event.tickets.all()
        ]
        changes: EventChanges = {
            "status": Status.DRAFT,
            "author_id": user.pk,
            "categories": list(event.categories.all()),
            "tags": list(event.tags.all()),
            "venues": [link.venue for link in venue_links],
            "organizers": [link.organizer for link in organizer_links],
            "tickets": tickets,
        }
        if step:
            changes.update(shifted_times(event, step))
        return save_event(Event(**columns), changes=changes, user=user)


def trash_event(event: Event, *, user: AnyUser | None, action: Action = SAVE) -> Event:
    """Move the event to the trash. Its relations stay, so that it can be restored with them."""
    with write_lock():
        event.status = Status.TRASH
        _save_columns(event, user=user, action=action)
    return event


def revoke_preview_links(event: Event, *, user: AnyUser) -> Event:
    """Invalidate the links to the event's preview that were shared before."""
    with write_lock():
        event.preview_version += 1
        _save_columns(event, user=user)
    return event


def _save_columns(event: Event, *, user: AnyUser | None, action: Action = SAVE) -> None:
    """Save the columns of an event whose relations stay. Must run inside `write_lock()`."""
    relations = load_relations([event])[event.pk]
    counts = subtract_counts(no_counts(), count_by_term([event.pk]))
    event.save()
    finish_saves([SavedEvent(event, relations, relations, action)], counts, user=user)


def delete_events(events: QuerySet[Event], *, user: AnyUser | None) -> int:
    """Delete events permanently and return their number. Keep their child events and linked records."""
    with write_lock():
        rows = list(events)
        relations = load_relations(rows)
        record_deletion(rows, user, extra=relations)
        record_deletions(rows, relations)
        exclude_occurrences(_occurrences_of(rows), user)
        with updating_term_counts(rows):
            Event.objects.filter(pk__in=[event.pk for event in rows]).delete()
        records_deleted.send(sender=Event, ids=[event.pk for event in rows])
    return len(rows)


def exclude_occurrences(occurrences: Mapping[int, list[str]], user: AnyUser | None) -> None:
    """Exclude these occurrences from their series, by id, so that these do not create them again."""
    for series in Series.objects.filter(pk__in=occurrences):
        series.exdate = with_exclusions(series, occurrences[series.pk], now=clock.now(), limit=Series.MAX_DATES)
        series.save()
        record_revision(series, user)


def _occurrences_of(rows: list[Event]) -> dict[int, list[str]]:
    """Return the occurrences of events by the ids of their series."""
    occurrences: dict[int, list[str]] = {}
    for event in rows:
        if event.series_id:
            occurrences.setdefault(event.series_id, []).append(event.series_occurrence)
    return occurrences


event_services = ContentServices(
    save=save_event, apply=apply_event, trash=trash_event, delete=delete_events, extra_state=load_relations
)


def publish_due_events() -> TermCounts:
    """Mark scheduled events whose publication date has come as published, and return what they add to term counts.

    Responses do not change, because these events are public from that date on. It keeps the number of events small
    that reads have to treat separately (`due_ids()`). Must run inside `write_lock()`.
    """
    ids = Event.objects.due_ids()
    if ids:
        # Another parallel write publishes those that it has locked.
        ids = list(Event.objects.due().select_for_update(skip_locked=True, no_key=True).values_list("pk", flat=True))
        Event.objects.filter(pk__in=ids).update(status=Status.PUBLISH)
        save_renderings(ids)
    return count_by_term(ids)


def empty_trash(until: datetime, *, dry_run: bool = False) -> dict[type[Model], int]:
    """Permanently delete the records that were trashed at or before `until`; return the number by model.

    With `dry_run`, only counts them. Keeps the child events of deleted events, and the events of deleted venues and
    organizers. If a record was changed in the trash, the time counts from that change.
    """
    with write_lock():
        events = Event.objects.trashed_before(until)
        venues = Venue.objects.trashed_before(until)
        organizers = Organizer.objects.trashed_before(until)
        counts: dict[type[Model], int] = {rows.model: rows.count() for rows in (events, venues, organizers)}
        if not dry_run:
            delete_events(events, user=None)
            delete_linked(venues, user=None)
            delete_linked(organizers, user=None)
    return counts
