"""Keep the templates of series right when linked records are merged."""

from __future__ import annotations

from typing import Any

from django.db.models import Model
from django.dispatch import receiver

from calendar_site.content.signals import records_merged
from events.models import Event, Series
from events.relations import LINKED_RELATIONS

BATCH_SIZE = 500


@receiver(records_merged)
def replace_merged_records(sender: type[Model], kept: int, merged: list[int], **kwargs: Any) -> None:
    """Replace merged records in the templates of series, as in the links of events.

    Otherwise, all events would deviate from the template. The history does not record it, as it does not for events.
    """
    for name in LINKED_RELATIONS:
        if Event._meta.get_field(name).related_model is sender:
            _replace(name, kept, set(merged))


def _replace(relation: str, kept: int, merged: set[int]) -> None:
    for series in Series.objects.only("template", "outdated").iterator(BATCH_SIZE):
        # The events that still have former values have the kept record as well.
        templates = [series.template, *(group["values"]["template"] for group in series.outdated)]
        changed = [_replace_in(template, relation, kept, merged) for template in templates]
        if any(changed):
            Series.objects.filter(pk=series.pk).update(template=series.template, outdated=series.outdated)


def _replace_in(template: dict[str, Any], relation: str, kept: int, merged: set[int]) -> bool:
    """Replace the records in a template, and return whether it had any of them."""
    ids = template.get("relations", {}).get(relation, [])
    if merged.isdisjoint(ids):
        return False
    replaced = list(dict.fromkeys(kept if pk in merged else pk for pk in ids))
    # As the template has them: terms by their ids, the others in the order of the event.
    template["relations"][relation] = sorted(replaced) if relation in ("categories", "tags") else replaced
    return True
