"""Restoring a revision of a series."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model

from calendar_site.core import permissions
from calendar_site.core.types import AnyUser
from calendar_site.custom_fields.loading import all_custom_fields
from calendar_site.revisions.labels import CustomFieldLabels, FieldValue
from calendar_site.revisions.restore import RestorePlan, linkable_records, lost_links, other_links, plan_secrets
from events.models import Event, Series
from events.recurrence.schedules import Schedule
from events.relations import LINKED_RELATIONS
from events.series.dates import at_new_time
from events.series.template import CUSTOM_PREFIX, EventTemplate


def plan_series_restore(revision: Any, series: Series, user: AnyUser) -> RestorePlan:
    """Return the plan to restore the revision of a series; see `plan_restore`.

    Dates that have been left out since then stay so: their events may be single ones now.
    """
    changes, lost = _plan_template(revision, series, user)
    schedule = Schedule.of(revision)
    if schedule != Schedule.of(series):
        excluded = {*revision.exdate, *at_new_time(series.exdate, series.start_local, revision.start_local)}
        changes |= {
            "start": schedule.start_of(revision.start_local),
            "end": schedule.end_of(revision.start_local),
            "time_zone": revision.time_zone,
            "all_day": revision.all_day,
            "rrule": revision.rrule,
            "rdate": revision.rdate,
            "exdate": sorted(excluded)[-Series.MAX_DATES :],
        }
    for name in ("status", "published_at"):
        if getattr(revision, name) != getattr(series, name):
            changes[name] = getattr(revision, name)
    if revision.author_id != series.author_id:
        exists = get_user_model()._default_manager.filter(pk=revision.author_id).exists()
        if exists and permissions.can_edit_others(user, Series):
            changes["author_id"] = revision.author_id
        else:
            lost.append(lost_links(Series, "author", [revision.author_id], revision, user))
    lost += plan_secrets(changes, revision, series)
    return RestorePlan(changes, {}, lost)


def _plan_template(revision: Any, series: Series, user: AnyUser) -> tuple[dict[str, Any], list[FieldValue]]:
    """Return the changes that give the events the fields of the revision, and the values that cannot be restored."""
    # The password is not recorded, and stays as it is.
    then = EventTemplate.of_series(Series(title=revision.title, password=series.password, template=revision.template))
    now = EventTemplate.of_series(series)
    names, lost = then.differences(now) - set(LINKED_RELATIONS), []
    declared = {f"{CUSTOM_PREFIX}{field.name}" for field in all_custom_fields().get("event", [])}
    for name in sorted(name for name in names - declared if name.startswith(CUSTOM_PREFIX)):
        field = name.removeprefix(CUSTOM_PREFIX)
        if field in then.columns["custom_values"]:
            names.remove(name)
            lost.append(CustomFieldLabels().format(Event, field, then.columns["custom_values"][field]))
    changes: dict[str, Any] = {**then.changes(names)}
    linked = {
        **{name: (revision.template["relations"].get(name, []), now.relations[name]) for name in LINKED_RELATIONS},  # type: ignore[literal-required]
        **{name: _ids_of_column(name, revision, now) for name in ("image", "parent")},
    }
    for name, (ids, present) in linked.items():
        if ids == present:
            continue
        model: Any = Event._meta.get_field(name).related_model
        records = linkable_records(model, ids, user)
        if gone := [pk for pk in ids if pk not in {row.pk for row in records}]:
            lost.append(lost_links(Event, name, gone, revision, user))
        if name in LINKED_RELATIONS:
            hidden = other_links(model, present, [row.pk for row in records], user)
            changes[name] = [*records, *model._default_manager.filter(pk__in=hidden)]
        else:
            changes[f"{name}_id"] = records[0].pk if records else None
    return changes, lost


def _ids_of_column(name: str, revision: Any, now: EventTemplate) -> tuple[list[int], list[int]]:
    """Return the linked record of a column in a revision and now, as lists."""
    ids = (revision.template["columns"].get(f"{name}_id"), now.columns[f"{name}_id"])
    then, present = ([pk] if pk else [] for pk in ids)
    return then, present
