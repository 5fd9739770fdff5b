"""Writes of series and of their occurrences."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, cast

from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from calendar_site.audit.models import ChangeKind
from calendar_site.audit.record_services import RecordServices
from calendar_site.audit.recorder import SAVE, Action, record_deletion, record_revision
from calendar_site.content.services import store_new_image, validate_content
from calendar_site.core.choices import Status
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.permissions import can_edit, editable_q
from calendar_site.core.slugs import slugify
from calendar_site.core.types import AnyUser
from events.changes import EventChanges, SeriesChanges
from events.derived.renderings import save_renderings
from events.models import Event, Series
from events.recurrence.schedules import RECURRENCE_FIELDS, Schedule
from events.relation_writes import create_linked_records
from events.schedule import SCHEDULE_FIELDS
from events.series.background import extend_later, render_later, update_deleted_later
from events.series.dates import (
    LOOKAHEAD,
    Missing,
    at_new_time,
    at_start_time,
    horizon_of,
    local_now,
    missing_occurrences,
    normalize_dates,
    validate_dates,
    validate_excluded,
)
from events.series.propagation import PUBLICATION, FormerSeries, update_occurrences, update_outdated
from events.series.template import EventTemplate, new_event
from events.services import apply_event, exclude_occurrences, save_event

logger = logging.getLogger(__name__)

# How many occurrences one write creates, if they have no tickets, links and long texts. A background task creates the
# others, so that other writes do not wait long.
MAX_CREATED_AT_ONCE = 150
# So many tickets and links, and so many characters, take as long to save as the rest of a new event.
RELATIONS_PER_EVENT = 100
TEXT_PER_EVENT = 20_000
RENDERED_AT_ONCE = 200


def save_series(
    series: Series, *, changes: SeriesChanges, user: AnyUser, action: Action = SAVE, first: Event | None = None
) -> Series:
    """Validate and save a series, record it, and create and change its occurrences. Return the series.

    Changes apply to all occurrences, apart from the fields in which one deviates. New dates apply to those that have
    not begun: an occurrence keeps its event if it stays on the same day, and otherwise the event moves to the trash,
    and leaves the series. With `from_occurrence`, the series is split first, and the new one is changed and returned.
    `first` is an event that becomes the first occurrence of a new series. Raises ValidationError and PermissionDenied;
    nothing is saved then.
    """
    with write_lock():
        values: dict[str, Any] = {**changes}
        occurrence = values.pop("from_occurrence", "")
        if detached := values.pop("detach", ()):
            _detach_occurrences(series, at_start_time(detached, series.start_local), user)
        recurrence = {name: values.pop(name) for name in RECURRENCE_FIELDS if name in values}
        event_changes = create_linked_records(store_new_image(cast("EventChanges", values), user=user), user)
        if occurrence and not series._state.adding:
            (occurrence,) = at_start_time((occurrence,), series.start_local)
            series = _split_series(series, occurrence, user)
        is_new = series._state.adding
        if not is_new:
            # Read again, whenever the caller has loaded the row.
            series.outdated = Series.objects.filter(pk=series.pk).values_list("outdated", flat=True).first() or []
        _check_occurrences_editable(series, user)
        before = None if is_new else FormerSeries(series)
        apply_series(series, changes=cast("SeriesChanges", {**event_changes, **recurrence}), user=user)
        series.save()
        share = 1.0 if before is None else update_occurrences(series, before, user, _status_action(action))
        if first is not None:
            first.series, first.series_occurrence = series, first.start_local
            save_event(first, changes={}, user=user)
        after = "" if is_new else local_now(Schedule.of(series))
        _create_occurrences(series, after, user, share=share)
        record_revision(series, user, action=action)
    return series


def _status_action(action: Action) -> Action:
    """Return the action for events whose status changes with that of the series: that of a reviewer's decision."""
    return action if action.kind in (ChangeKind.APPROVED, ChangeKind.SENT_BACK) else SAVE


def apply_series(series: Series, *, changes: SeriesChanges, user: AnyUser) -> None:
    """Set `changes` on the series and validate them, without saving it. Linked records must exist.

    Raises ValidationError and PermissionDenied.
    """
    template = EventTemplate.of_series(series)
    prototype = prototype_of(series, template)
    before = Schedule.of(series) if series.pk else None
    event_changes = {name: value for name, value in changes.items() if name not in RECURRENCE_FIELDS}
    apply_event(prototype, changes=cast("EventChanges", event_changes), user=user)
    validate_content(prototype, user)
    if prototype.status == Status.TRASH:
        raise ValidationError({"status": _("A series cannot be in the trash. Delete it instead.")})
    template.with_changes(prototype, event_changes).store_in(series)
    for name in PUBLICATION:
        setattr(series, name, getattr(prototype, name))
    _set_dates(series, prototype, event_changes)
    for name in RECURRENCE_FIELDS:
        if name in changes:
            setattr(series, name, _at_start_time(changes[name], series.start_local))  # type: ignore[literal-required]
    # Dates that are left from the former ones may stay excluded when a series gets others.
    if "exdate" in changes and (before is None or not changes.keys() & {*SCHEDULE_FIELDS, "rrule", "rdate"}):
        validate_excluded(series, known=before.excluded if before else ())
    for name in ("rdate", "exdate"):
        if before is not None and name not in changes:
            setattr(series, name, at_new_time(getattr(series, name), str(before.start), series.start_local))
    has_new_dates = Schedule.of(series) != before
    normalize_dates(series)
    # Former dates have been checked, and all of their events may have been deleted since.
    if has_new_dates:
        validate_dates(series, before)


def _set_dates(series: Series, prototype: Event, changes: Mapping[str, Any]) -> None:
    """Set the dates of the series to those of its prototype.

    They stay as they are unless they have been changed: the clock may skip them on the first day, and the prototype is
    then later than the other occurrences.
    """
    old, new = (series.time_zone, series.all_day), (prototype.time_zone, prototype.all_day)
    if "start" in changes or old != new:
        series.start_local = prototype.start_local
    if changes.keys() & {"start", "end"} or old != new:
        series.end_local = _end_on_clock(prototype, series.start_local)
    series.time_zone, series.all_day = new


def _at_start_time(value: Any, start_local: str) -> Any:
    """Return the rule unchanged, and dates with those that are a day alone at the time of the first occurrence."""
    return value if isinstance(value, str) else at_start_time(value, start_local)


def _end_on_clock(prototype: Event, start_local: str) -> str:
    """Return the local end of the first occurrence, after its start.

    If both are in an hour that occurs twice, the clock may show an earlier time at the end: the duration counts then.
    """
    if prototype.end_local >= start_local or prototype.end <= prototype.start:
        return max(prototype.end_local, start_local)
    return str(datetime.fromisoformat(start_local) + (prototype.end - prototype.start))


def delete_series(rows: QuerySet[Series], *, user: AnyUser | None) -> int:
    """Delete series permanently, and return their number. Their occurrences stay, as single events.

    A background task gives outdated events their values. Raises PermissionDenied if the user may not change all events.
    """
    with write_lock():
        deleted = list(rows)
        for series in deleted:
            if user is not None:
                _check_occurrences_editable(series, user)
            _update_later(series)
        events = list(Event.objects.filter(series__in=deleted).order_by("-start").values_list("pk", flat=True))
        record_deletion(deleted, user)
        Event.objects.filter(series__in=deleted).update(series=None, series_occurrence="")
        Series.objects.filter(pk__in=[series.pk for series in deleted]).delete()
        _render_events(events)
    return len(deleted)


def _update_later(series: Series) -> None:
    """Let a background task give the outdated events of a series that is being deleted its values."""
    if series.outdated:
        update_deleted_later(FormerSeries(series).to_json(), series.outdated)


def detach_event(event: Event, *, user: AnyUser) -> Event:
    """Make an occurrence a single event. Its series does not create it again."""
    with write_lock():
        series = event.series
        if series is not None:
            update_outdated(series.pk, only=event.pk)
            event.refresh_from_db()
            exclude_occurrences({series.pk: [event.series_occurrence]}, user)
            event.series, event.series_occurrence = None, ""
            save_event(event, changes={}, user=user)
    return event


def _detach_occurrences(series: Series, occurrences: list[str], user: AnyUser) -> None:
    """Make the events of these occurrences single events. Raises ValidationError and PermissionDenied."""
    _check_occurrences_editable(series, user)
    events = Event.objects.filter(series=series, series_occurrence__in=occurrences)
    ids = list(events.values_list("pk", flat=True))
    if len(ids) < len(occurrences):
        raise ValidationError({"detach": _("The series has no event at this time.")})
    for pk in ids:
        update_outdated(series.pk, only=pk)
    exclude_occurrences({series.pk: occurrences}, user)
    series.refresh_from_db()
    for event in events.filter(pk__in=ids):
        event.series, event.series_occurrence = None, ""
        save_event(event, changes={}, user=user)


def end_series(series: Series, *, before: datetime, user: AnyUser) -> Series:
    """End a series before a moment. Occurrences from then on move to the trash, and leave the series."""
    normalize_dates(series)
    schedule = Schedule.of(series)
    horizon = max(horizon_of(schedule), before.astimezone(schedule.zone.tz).replace(tzinfo=None)) + LOOKAHEAD
    starts = schedule.occurrences(horizon)
    first = next((start for start in starts if schedule.start_of(start) >= before), None)
    if first is None:
        return series
    rule = str(schedule.rule.ending_before(datetime.fromisoformat(first), schedule.zone.tz)) if schedule.rule else ""
    changes: SeriesChanges = {"rrule": rule, "rdate": [date for date in series.rdate if date < first]}
    if begun := _begun_dates(series, schedule, first):
        changes = {
            "start": schedule.start_of(begun[0]),
            "end": schedule.end_of(begun[0]),
            "rrule": "",
            "rdate": begun[1:],
            "exdate": [date for date in series.exdate if date not in begun],
        }
    return save_series(series, changes=changes, user=user)


def _begun_dates(series: Series, schedule: Schedule, occurrence: str) -> list[str]:
    """Return the dates of the events before an occurrence if the schedule has none there; otherwise, an empty list.

    The dates of the series were replaced after these events had begun. A series that ends before the occurrence has
    only them. One query at most.
    """
    if next(schedule.occurrences(datetime.fromisoformat(occurrence) - timedelta(seconds=1)), None):
        return []
    events = Event.objects.filter(series=series, series_occurrence__lt=occurrence).order_by("series_occurrence")
    # The latest ones, because a series has no more dates. The earlier ones are not created again in any case.
    return list(events.values_list("series_occurrence", flat=True))[-Series.MAX_DATES :]


def extend_series(series: Series) -> int:
    """Create the occurrences up to the horizon, as many as one write may create; return their number."""
    if not _missing(series, series.extended_until).starts:
        return 0
    with write_lock():
        current = Series.objects.filter(pk=series.pk).first()
        # Runs without an account.
        operator = get_user_model()(is_superuser=True)
        return _create_occurrences(current, current.extended_until, operator) if current else 0


def is_incomplete(series: Series) -> bool:
    """Return whether a background task is still to create or change some of the events. Two queries."""
    current = Series.objects.filter(pk=series.pk).first()
    return current is not None and bool(current.outdated or _missing(current, current.extended_until).starts)


def extend_to_horizon(series_id: int) -> int:
    """Create all occurrences of a series up to the horizon, in several writes; return their number."""
    count = 0
    while (series := Series.objects.filter(pk=series_id).first()) and (created := extend_series(series)):
        count += created
    return count


def extend_all_series() -> int:
    """Create the occurrences of all series up to the horizon, and return their number. Logs errors of single ones.

    Changes of series that are left over from a task that failed are finished, too.
    """
    count = 0
    for pk in list(Series.objects.order_by("pk").values_list("pk", flat=True)):
        try:
            while update_outdated(pk):
                pass
            count += extend_to_horizon(pk)
        except (ValidationError, ValueError, OverflowError):
            logger.exception("The series %s cannot be extended.", pk)
    return count


series_services: RecordServices[Series] = RecordServices(save=save_series, apply=apply_series, delete=delete_series)


def prototype_of(series: Series, template: EventTemplate | None = None) -> Event:
    """Return an unsaved event with the values of the first occurrence."""
    prototype = new_event(template or EventTemplate.of_series(series))
    if series._state.adding:
        return prototype
    schedule = Schedule.of(series)
    for name in (*PUBLICATION, "start_local", "end_local", "time_zone", "all_day"):
        setattr(prototype, name, getattr(series, name))
    prototype.start, prototype.end = schedule.start_of(series.start_local), schedule.end_of(series.start_local)
    # Otherwise, it would get the status of a new event.
    prototype._state.adding = False
    return prototype


def can_edit_series(user: AnyUser, series: Series) -> bool:
    """Return whether the user may change the series and all of its occurrences. One query."""
    return can_edit(user, series) and not _has_uneditable_occurrences(series, user)


def _check_occurrences_editable(series: Series, user: AnyUser) -> None:
    """Raise PermissionDenied if the user may not change one of the occurrences."""
    if not series._state.adding and _has_uneditable_occurrences(series, user):
        raise PermissionDenied


def _has_uneditable_occurrences(series: Series, user: AnyUser) -> bool:
    return bool(Event.objects.filter(series=series).not_trashed().exclude(editable_q(user, Event)).exists())


# --- Occurrences


def _missing(series: Series, after: str) -> Missing:
    """Return the missing occurrences after a local time and up to the horizon. One query."""
    known = set(Event.objects.filter(series=series).values_list("series_occurrence", flat=True))
    return missing_occurrences(Schedule.of(series), after=after, known=known)


def _create_occurrences(series: Series, after: str, user: Any, *, share: float = 1) -> int:
    """Create missing occurrences after a local time. A background task creates those that are too many at once.

    `share` is the share of the work of one write that is left for them, from 0 to 1.
    """
    schedule, template = Schedule.of(series), EventTemplate.of_series(series)
    missing, is_limited = _missing(series, after)
    cost = 1 + template.count_relations() / RELATIONS_PER_EVENT + template.text_length / TEXT_PER_EVENT
    batch = missing[: max(1, int(MAX_CREATED_AT_ONCE * share / cost))]
    changes = template.changes({"categories", "tags", "venues", "organizers", "tickets"})
    for start in batch:
        event = new_event(template, series=series, series_occurrence=start)
        dates: EventChanges = {
            "status": series.status,
            "author_id": series.author_id,
            "published_at": series.published_at,
            "start": schedule.start_of(start),
            "end": schedule.end_of(start),
            "time_zone": series.time_zone,
            "all_day": series.all_day,
            # With the day, because URLs such as `…/open-air-57/` tell nothing.
            "slug": f"{slugify(series.title)}-{start[:10]}",
        }
        save_event(event, changes={**changes, **dates}, user=user)
    is_complete = len(batch) == len(missing)
    if is_complete and not is_limited:
        series.extended_until = str(horizon_of(schedule))
    elif batch:
        series.extended_until = batch[-1]
    Series.objects.filter(pk=series.pk).update(extended_until=series.extended_until)
    if not is_complete:
        extend_later(series.pk)
    return len(batch)


def _split_series(series: Series, occurrence: str, user: AnyUser) -> Series:
    """End the series before an occurrence, and return a new one with this occurrence and all that follow.

    The same series, if it is the first occurrence. Raises ValidationError.
    """
    events = Event.objects.filter(series=series)
    if not events.filter(series_occurrence=occurrence).exists():
        raise ValidationError({"from_occurrence": _("The series has no event at this time.")})
    if not events.filter(series_occurrence__lt=occurrence).exists():
        return series
    _check_occurrences_editable(series, user)
    normalize_dates(series)
    schedule = Schedule.of(series)
    columns = {field.attname: getattr(series, field.attname) for field in Series._meta.concrete_fields}
    following = Series(**{name: value for name, value in columns.items() if name not in ("id", "created_at")})
    _divide_dates(series, following, schedule, occurrence)
    series.save()
    following.save()
    record_revision(series, user)
    moved = list(events.filter(series_occurrence__gte=occurrence).values_list("pk", flat=True))
    Event.objects.filter(pk__in=moved).update(series=following)
    _render_events(moved)
    return following


def _divide_dates(series: Series, following: Series, schedule: Schedule, occurrence: str) -> None:
    """Give the series the dates before an occurrence, and the following one the others."""
    start, rule = datetime.fromisoformat(occurrence), schedule.rule
    begun = _begun_dates(series, schedule, occurrence)
    added = [date for date in series.rdate if date >= occurrence]
    if rule is not None:
        earlier = sum(1 for _start in rule.occurrences(schedule.start, start - timedelta(seconds=1), schedule.zone.tz))
        series.rrule = str(rule.ending_before(start, schedule.zone.tz))
        later = rule.occurrences(schedule.start, horizon_of(schedule) + LOOKAHEAD, schedule.zone.tz)
        # Where the rule goes on, so that every second week stays the same one.
        resumed = next((moment for moment in later if moment >= start), None)
        if resumed is None:
            following.rrule = ""
        else:
            start = resumed
            following.rrule = str(rule.with_count(rule.count - earlier)) if rule.count else str(rule)
    else:
        added = sorted(date for date in {series.start_local, *added} if date > occurrence)
    following.start_local, following.end_local = str(start), str(start + schedule.duration)
    following.rdate = added
    following.exdate = [date for date in series.exdate if date >= occurrence]
    series.rdate = [date for date in series.rdate if date < occurrence]
    series.exdate = [date for date in series.exdate if date < occurrence]
    if begun:
        series.rrule, series.start_local, series.rdate = "", begun[0], begun[1:]
        series.end_local = str(datetime.fromisoformat(begun[0]) + schedule.duration)
        series.exdate = [date for date in series.exdate if date not in begun]


def _render_events(ids: list[int]) -> None:
    """Render events that left their series; a background task renders those that are too many at once.

    Until then, responses are made without their renderings.
    """
    if ids:
        save_renderings(ids[:RENDERED_AT_ONCE])
    if rest := ids[RENDERED_AT_ONCE:]:
        render_later(rest)
