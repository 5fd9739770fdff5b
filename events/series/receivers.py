"""Keep series right when linked records are merged, when this is undone, and when a reviewer decides on an event."""

from __future__ import annotations

from typing import Any

from django.db.models import Max, Model
from django.dispatch import receiver

from calendar_site.content.signals import merge_undone, records_merged
from calendar_site.review.signals import decision_made
from events.models import Event, Series
from events.relations import LINKED_RELATIONS
from events.series.propagation import update_outdated

BATCH_SIZE = 500


@receiver(decision_made, sender=Event)
def update_event(row: Event, **kwargs: Any) -> None:
    """Give an event the values of its series that a background task has not given it yet."""
    if row.series_id is not None:
        update_outdated(row.series_id, only=row.pk)


@receiver(records_merged)
def replace_merged_records(sender: type[Model], kept: int, merged: list[int], **kwargs: Any) -> None:
    """Replace merged records in the templates of series, as in the links of events.

    Otherwise, all events would deviate from the template. The history does not record it, as it does not for events.
    """
    for name in LINKED_RELATIONS:
        if Event._meta.get_field(name).related_model is sender:
            _replace(name, kept, set(merged))


@receiver(merge_undone)
def restore_merged_record(sender: type[Model], kept: int, restored: int, **kwargs: Any) -> None:
    """Put the restored record back into the templates in which the kept one replaced it, as their history has them.

    Templates whose records were changed since the merge stay as they are. So do the former values of events that still
    wait for the update of their series: these events count as changed individually.
    """
    for name in LINKED_RELATIONS:
        if Event._meta.get_field(name).related_model is sender:
            _put_back(name, kept, restored)


def _put_back(relation: str, kept: int, restored: int) -> None:
    found = []
    for series in Series.objects.only("template").iterator(BATCH_SIZE):
        ids = _ids(series.template, relation)
        if kept in ids and restored not in ids:
            found.append(series)
    for start in range(0, len(found), BATCH_SIZE):
        batch = found[start : start + BATCH_SIZE]
        templates = _last_recorded_templates([series.pk for series in batch])
        for series in batch:
            ids, before = _ids(series.template, relation), _ids(templates.get(series.pk, {}), relation)
            merged = {pk for pk in before if pk not in ids}
            if restored in merged and _with_kept(relation, before, kept, merged) == ids:
                series.template["relations"][relation] = _with_kept(relation, before, kept, merged - {restored})
                Series.objects.filter(pk=series.pk).update(template=series.template)


def _last_recorded_templates(ids: list[int]) -> dict[int, dict[str, Any]]:
    """Return the templates of series in their latest revisions. One query."""
    latest = Series.history.filter(id__in=ids).order_by().values("id").annotate(latest=Max("history_id"))
    revisions = Series.history.filter(history_id__in=latest.values("latest"))
    return dict(revisions.order_by().values_list("id", "template"))


def _ids(template: dict[str, Any], relation: str) -> list[int]:
    ids: list[int] = template.get("relations", {}).get(relation, [])
    return ids


def _with_kept(relation: str, ids: list[int], kept: int, merged: set[int]) -> list[int]:
    """Return the ids of a template with the kept record in place of the merged ones."""
    replaced = list(dict.fromkeys(kept if pk in merged else pk for pk in ids))
    # The template has terms in the order of their ids, and the others in the order of the event.
    return sorted(replaced) if relation in ("categories", "tags") else replaced


def _replace(relation: str, kept: int, merged: set[int]) -> None:
    for series in Series.objects.only("template", "outdated").iterator(BATCH_SIZE):
        # The events that still have former values have the kept record as well.
        templates = [series.template, *(group["values"]["template"] for group in series.outdated)]
        changed = [_replace_in(template, relation, kept, merged) for template in templates]
        if any(changed):
            Series.objects.filter(pk=series.pk).update(template=series.template, outdated=series.outdated)


def _replace_in(template: dict[str, Any], relation: str, kept: int, merged: set[int]) -> bool:
    """Replace the records in a template, and return whether it had any of them."""
    ids = _ids(template, relation)
    if merged.isdisjoint(ids):
        return False
    template["relations"][relation] = _with_kept(relation, ids, kept, merged)
    return True
