"""Writes of series and of their occurrences."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, NamedTuple, cast

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from calendar_site.audit.record_services import RecordServices
from calendar_site.audit.recorder import SAVE, Action, record_deletion, record_revision
from calendar_site.content.services import store_new_image, validate_content
from calendar_site.core import clock
from calendar_site.core.choices import PUBLISHED_STATUSES, Status
from calendar_site.core.permissions import editable_q
from calendar_site.core.slugs import slugify
from calendar_site.core.types import AnyUser
from calendar_site.core.write_lock import write_lock
from events.changes import EventChanges, SeriesChanges
from events.derived.renderings import save_renderings
from events.models import Event, Series
from events.recurrence.schedules import Schedule
from events.relations import create_linked_records, load_relations
from events.series.template import EventTemplate, new_event
from events.services import apply_event, save_event, trash_event

logger = logging.getLogger(__name__)

RECURRENCE_FIELDS = ("rrule", "rdate", "exdate")
# How many occurrences one write creates. A background task creates the others, so that other writes do not wait long.
MAX_CREATED_AT_ONCE = 150
_PUBLICATION = ("status", "author_id", "published_at")
_SCHEDULE = ("start_local", "end_local", "time_zone", "all_day", *RECURRENCE_FIELDS)
RENDERED_AT_ONCE = 200
# Of the first occurrence, so that a rule has few steps.
MAX_AGE = timedelta(days=36_525)
# Of an occurrence, so that none ends after the last year.
MAX_DURATION = timedelta(days=366)


def save_series(series: Series, *, changes: SeriesChanges, user: AnyUser, action: Action = SAVE) -> Series:
    """Validate and save a series, record it, and create and change its occurrences. Return the series.

    Changes apply to all occurrences, apart from the fields in which one deviates. New dates apply to those that have
    not begun: an occurrence keeps its event if it stays on the same day, and otherwise the event moves to the trash,
    and leaves the series. With `from_occurrence`, the series is split first, and the new one is changed and returned.
    Raises ValidationError and PermissionDenied; nothing is saved then.
    """
    with write_lock():
        given: dict[str, Any] = {**changes}
        occurrence = given.pop("from_occurrence", "")
        recurrence = {name: given.pop(name) for name in RECURRENCE_FIELDS if name in given}
        event_changes = create_linked_records(store_new_image(cast("EventChanges", given), user=user), user)
        if occurrence and not series._state.adding:
            series = _split_series(series, occurrence, user)
        is_new = series._state.adding
        _check_occurrences_editable(series, user)
        before = None if is_new else _State(series)
        apply_series(series, changes=cast("SeriesChanges", {**event_changes, **recurrence}), user=user)
        series.save()
        if before is not None:
            _update_occurrences(series, before, user)
        after = "" if is_new else _local_now(Schedule.of(series))
        _create_occurrences(series, after, user)
        if before is not None and before.columns["rrule"] != series.rrule:
            _render(series)
        record_revision(series, user, action=action)
    return series


def apply_series(series: Series, *, changes: SeriesChanges, user: AnyUser) -> None:
    """Set `changes` on the series and validate them, without saving it. Linked records must exist.

    Raises ValidationError and PermissionDenied.
    """
    template = EventTemplate.of_series(series)
    prototype = prototype_of(series, template)
    before = Schedule.of(series) if series.pk else None
    given = {name: value for name, value in changes.items() if name not in RECURRENCE_FIELDS}
    apply_event(prototype, changes=cast("EventChanges", given), user=user)
    validate_content(prototype, user)
    if prototype.status == Status.TRASH:
        raise ValidationError({"status": _("A series cannot be in the trash. Delete it instead.")})
    template.with_changes(prototype, given).store_in(series)
    for name in (*_PUBLICATION, "start_local", "end_local", "time_zone", "all_day"):
        setattr(series, name, getattr(prototype, name))
    for name in RECURRENCE_FIELDS:
        if name in changes:
            setattr(series, name, changes[name])  # type: ignore[literal-required]
    if before is not None and "exdate" not in changes:
        series.exdate = _at_new_time(series.exdate, str(before.start), series.start_local)
    _validate_recurrence(series, before)


def _at_new_time(dates: list[str], old_start: str, new_start: str) -> list[str]:
    """Return local times with the new time of the day, where they had the old one."""
    old, new = old_start[10:], new_start[10:]
    return [date[:10] + new if date[10:] == old else date for date in dates]


def delete_series(rows: QuerySet[Series], *, user: AnyUser | None) -> int:
    """Delete series permanently, and return their number. Their occurrences stay, as single events."""
    with write_lock():
        deleted = list(rows)
        events = list(Event.objects.filter(series__in=deleted).values_list("pk", flat=True))
        record_deletion(deleted, user)
        Event.objects.filter(pk__in=events).update(series=None, series_occurrence="")
        Series.objects.filter(pk__in=[series.pk for series in deleted]).delete()
        _render_events(events)
    return len(deleted)


def detach_event(event: Event, *, user: AnyUser) -> Event:
    """Make an occurrence a single event. Its series does not create it again."""
    with write_lock():
        series = event.series
        if series is not None:
            series.exdate = sorted({*series.exdate, event.series_occurrence})
            series.save()
            record_revision(series, user)
            event.series, event.series_occurrence = None, ""
            save_event(event, changes={}, user=user)
    return event


def end_series(series: Series, *, before: datetime, user: AnyUser) -> Series:
    """End a series before a moment. Occurrences from then on move to the trash, and leave the series."""
    schedule = Schedule.of(series)
    local = str(before.astimezone(schedule.zone.tz).replace(tzinfo=None))
    rule = str(schedule.rule.ending_before(before)) if schedule.rule else ""
    dates = [date for date in series.rdate if date < local]
    return save_series(series, changes={"rrule": rule, "rdate": dates}, user=user)


def extend_series(series: Series) -> int:
    """Create the occurrences up to the horizon, as many as one write may create; return their number."""
    if not _missing(series, series.extended_until).starts:
        return 0
    with write_lock():
        current = Series.objects.filter(pk=series.pk).first()
        # Runs without an account.
        operator = get_user_model()(is_superuser=True)
        return _create_occurrences(current, current.extended_until, operator) if current else 0


def extend_to_horizon(series_id: int) -> int:
    """Create all occurrences of a series up to the horizon, in several writes; return their number."""
    count = 0
    while (series := Series.objects.filter(pk=series_id).first()) and (created := extend_series(series)):
        count += created
    return count


def extend_all_series() -> int:
    """Create the occurrences of all series up to the horizon, and return their number. Logs errors of single ones."""
    count = 0
    for pk in list(Series.objects.order_by("pk").values_list("pk", flat=True)):
        try:
            count += extend_to_horizon(pk)
        except (ValidationError, ValueError, OverflowError):
            logger.exception("The series %s cannot be extended.", pk)
    return count


series_services: RecordServices[Series] = RecordServices(save=save_series, apply=apply_series, delete=delete_series)


class _State:
    """The values of a series before a change."""

    def __init__(self, series: Series) -> None:
        self.schedule = Schedule.of(series)
        self.template = EventTemplate.of_series(series)
        self.columns = {name: getattr(series, name) for name in (*_PUBLICATION, *_SCHEDULE)}

    def schedule_differs(self, series: Series) -> bool:
        return any(self.columns[name] != getattr(series, name) for name in _SCHEDULE)


def prototype_of(series: Series, template: EventTemplate | None = None) -> Event:
    """Return an unsaved event with the values of the first occurrence."""
    prototype = new_event(template or EventTemplate.of_series(series))
    if series._state.adding:
        return prototype
    schedule = Schedule.of(series)
    for name in (*_PUBLICATION, "start_local", "end_local", "time_zone", "all_day"):
        setattr(prototype, name, getattr(series, name))
    prototype.start, prototype.end = schedule.start_of(series.start_local), schedule.end_of(series.start_local)
    # Otherwise, it would get the status of a new event.
    prototype._state.adding = False
    return prototype


def _validate_recurrence(series: Series, before: Schedule | None) -> None:
    """Raise ValidationError for a series without occurrences, with too many more in the past, or with too late ones.

    `before` is the schedule before the change.
    """
    schedule = Schedule.of(series)
    present = datetime.fromisoformat(_local_now(schedule))
    if schedule.start < present - MAX_AGE:
        raise ValidationError({"start": _("A series cannot begin more than %(years)s years ago.") % {"years": 100}})
    if schedule.duration > MAX_DURATION:
        raise ValidationError(
            {"end": _("An event of a series cannot last longer than %(days)s days.") % {"days": MAX_DURATION.days}}
        )
    first = next(schedule.occurrences(_horizon(schedule)), None)
    if first is None:
        raise ValidationError({"rrule": _("There are no occurrences with this rule and these dates.")})
    # A series that has become old can still be changed and ended.
    limit = max(Series.MAX_OCCURRENCES, _count_past(before, present) if before else 0)
    if _count_past(schedule, present, limit + 1) > limit:
        raise ValidationError(
            {"start": _("More than %(limit)s occurrences are in the past.") % {"limit": Series.MAX_OCCURRENCES}}
        )


def _count_past(schedule: Schedule, present: datetime, limit: int | None = None) -> int:
    return sum(1 for _start in islice(schedule.occurrences(present), limit))


def _horizon(schedule: Schedule) -> datetime:
    """Return the local time up to which occurrences are created, counted from the first one if it is in the future."""
    present = max(datetime.fromisoformat(_local_now(schedule)), schedule.start)
    return min(present, datetime(9000, 1, 1)) + timedelta(days=settings.SERIES_HORIZON_DAYS)


def _local_now(schedule: Schedule) -> str:
    return str(clock.now().astimezone(schedule.zone.tz).replace(tzinfo=None, microsecond=0))


def _check_occurrences_editable(series: Series, user: AnyUser) -> None:
    """Raise PermissionDenied if the user may not change one of the occurrences."""
    if series._state.adding:
        return
    if Event.objects.filter(series=series).not_trashed().exclude(editable_q(user, Event)).exists():
        raise PermissionDenied


# --- Occurrences


class _Missing(NamedTuple):
    """The local starts of occurrences that a series does not have yet."""

    starts: list[str]
    # Whether there are more than a series may have.
    is_limited: bool


def _missing(series: Series, after: str) -> _Missing:
    """Return the missing occurrences after a local time and up to the horizon. One query."""
    schedule = Schedule.of(series)
    known = set(Event.objects.filter(series=series).values_list("series_occurrence", flat=True))
    starts = [start for start in schedule.occurrences(_horizon(schedule)) if start > after and start not in known]
    present = _local_now(schedule)
    room = max(0, Series.MAX_OCCURRENCES - sum(start >= present for start in known))
    return _Missing(starts[:room], len(starts) > room)


def _create_occurrences(series: Series, after: str, user: Any) -> int:
    """Create missing occurrences after a local time. A background task creates those that are too many at once."""
    schedule, template = Schedule.of(series), EventTemplate.of_series(series)
    missing, is_limited = _missing(series, after)
    batch = missing[:MAX_CREATED_AT_ONCE]
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
            # With the day, because addresses such as `…/open-air-57/` tell nothing.
            "slug": f"{slugify(series.title)}-{start[:10]}",
        }
        save_event(event, changes={**changes, **dates}, user=user)
    is_complete = len(batch) == len(missing)
    if is_complete and not is_limited:
        series.extended_until = str(_horizon(schedule))
    elif batch:
        series.extended_until = batch[-1]
    Series.objects.filter(pk=series.pk).update(extended_until=series.extended_until)
    if not is_complete:
        # Not above: the module imports this one.
        from events.series.tasks import extend_one_series

        extend_one_series.enqueue(series.pk)
    return len(batch)


def _update_occurrences(series: Series, before: _State, user: AnyUser) -> None:
    """Give the occurrences the new values of the series, and those that have not begun its new dates."""
    events = list(Event.objects.filter(series=series).order_by("series_occurrence"))
    relations = load_relations(events)
    schedule, template = Schedule.of(series), EventTemplate.of_series(series)
    changed = before.template.differences(template)
    targets = _match(events, before, series, schedule) if before.schedule_differs(series) else {}
    # Otherwise, two of them might have the same date for a moment.
    Event.objects.filter(pk__in=targets).update(series=None)
    for event in events:
        deviations = before.template.differences(EventTemplate.of_event(event, relations[event.pk]))
        changes: dict[str, Any] = {**template.changes(changed - deviations)}
        changes |= _publication_changes(event, before, series)
        if event.pk in targets:
            target = targets[event.pk]
            was_moved = _was_moved(event, before)
            event.series, event.series_occurrence = (series, target) if target else (None, "")
            if target is None and event.status != Status.TRASH:
                trash_event(event, user=user)
                continue
            if target is not None and not was_moved:
                changes |= {
                    "start": schedule.start_of(target),
                    "end": schedule.end_of(target),
                    "time_zone": series.time_zone,
                    "all_day": series.all_day,
                }
        if changes or event.pk in targets:
            save_event(event, changes=cast("EventChanges", changes), user=user)


def _match(events: list[Event], before: _State, series: Series, schedule: Schedule) -> dict[int, str | None]:
    """Return the new date of each occurrence that has not begun, by the id of the event; None for those without one.

    An occurrence keeps its day if it can, even if the time changes.
    """
    present = _local_now(before.schedule)
    coming = [event for event in events if event.series_occurrence >= present]
    starts = set(schedule.occurrences(_horizon(schedule)))
    kept = {event.series_occurrence for event in coming} & starts
    by_day: dict[str, list[str]] = {}
    for start in sorted(starts - kept):
        by_day.setdefault(start[:10], []).append(start)
    matches: dict[int, str | None] = {}
    for event in coming:
        others = by_day.get(event.series_occurrence[:10])
        if event.series_occurrence in kept:
            matches[event.pk] = event.series_occurrence
        else:
            matches[event.pk] = others.pop(0) if others else None
    return matches


def _was_moved(event: Event, before: _State) -> bool:
    """Return whether the dates of an occurrence deviate from those that the series gave it."""
    schedule, occurrence = before.schedule, event.series_occurrence
    return (event.start, event.end, event.time_zone, event.all_day) != (
        schedule.start_of(occurrence),
        schedule.end_of(occurrence),
        schedule.zone.name,
        schedule.all_day,
    )


def _publication_changes(event: Event, before: _State, series: Series) -> dict[str, Any]:
    """Return the changes of status, author and publication date, for an occurrence that had those of the series."""
    old = before.columns
    same_status = event.status == old["status"] or {event.status, old["status"]} <= set(PUBLISHED_STATUSES)
    changes: dict[str, Any] = {}
    if old["status"] != series.status and same_status:
        changes["status"] = series.status
    for name in ("author_id", "published_at"):
        if old[name] != getattr(series, name) and getattr(event, name) == old[name]:
            changes[name] = getattr(series, name)
    return changes


def _split_series(series: Series, occurrence: str, user: AnyUser) -> Series:
    """End the series before an occurrence, and return a new one with this occurrence and all that follow.

    The same series, if it is the first occurrence. Raises ValidationError.
    """
    events = Event.objects.filter(series=series)
    if not events.filter(series_occurrence=occurrence).exists():
        raise ValidationError({"from_occurrence": _("The series has no occurrence at this time.")})
    if not events.filter(series_occurrence__lt=occurrence).exists():
        return series
    _check_occurrences_editable(series, user)
    schedule = Schedule.of(series)
    columns = {field.attname: getattr(series, field.attname) for field in Series._meta.concrete_fields}
    following = Series(**{name: value for name, value in columns.items() if name not in ("id", "created_at")})
    _divide_dates(series, following, schedule, occurrence)
    series.save()
    following.save()
    record_revision(series, user)
    events.filter(series_occurrence__gte=occurrence).update(series=following)
    _render(series)
    _render(following)
    return following


def _divide_dates(series: Series, following: Series, schedule: Schedule, occurrence: str) -> None:
    """Give the series the dates before an occurrence, and the following one the others."""
    start, rule = datetime.fromisoformat(occurrence), schedule.rule
    added = [date for date in series.rdate if date >= occurrence]
    if rule is not None:
        earlier = sum(1 for _start in rule.occurrences(schedule.start, start - timedelta(seconds=1), schedule.zone.tz))
        series.rrule = str(rule.ending_before(schedule.start_of(occurrence)))
        later = rule.occurrences(schedule.start, _horizon(schedule) + timedelta(days=3660), schedule.zone.tz)
        # Where the rule goes on, so that every second week stays the same one.
        resumed = next((moment for moment in later if moment >= start), None)
        if resumed is None:
            following.rrule = ""
        else:
            start = resumed
            following.rrule = str(rule.with_count(rule.count - earlier)) if rule.count else str(rule)
    elif occurrence in added:
        added.remove(occurrence)
    following.start_local, following.end_local = str(start), str(start + schedule.duration)
    following.rdate = added
    following.exdate = [date for date in series.exdate if date >= occurrence]
    series.rdate = [date for date in series.rdate if date < occurrence]
    series.exdate = [date for date in series.exdate if date < occurrence]


def _render(series: Series) -> None:
    """Render the occurrences, whose JSON contains the rule."""
    _render_events(Event.objects.filter(series=series).values_list("pk", flat=True))


def _render_events(ids: Iterable[int]) -> None:
    rest = list(ids)
    while rest:
        save_renderings(rest[:RENDERED_AT_ONCE])
        rest = rest[RENDERED_AT_ONCE:]
