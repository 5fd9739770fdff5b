"""Writes of custom fields: declaring them, counting their values, and deleting them with all values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import Count, Func, JSONField, Q, QuerySet, TextField, Value
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from calendar_site.audit.record_services import RecordServices
from calendar_site.audit.recorder import SAVE, Action, record_deletion, record_revision
from calendar_site.content.models import LinkedContent
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.types import AnyUser
from calendar_site.custom_fields.models import CustomField
from calendar_site.custom_fields.resources import is_registered, model_for

# Columns of a declaration that never change: records store values under this name, in the format of this type.
FIXED_FIELDS = ("name", "resource", "kind")
# Names that responses of the API have in addition to the fields of the models.
RESERVED_NAMES = {
    "cost_details", "custom_fields", "date", "date_utc", "end_date", "end_date_details", "global_id",
    "global_id_lineage", "json_ld", "modified", "modified_utc", "organizer", "post_parent", "previous_start_date",
    "rest_url", "start_date", "start_date_details", "stateprovince", "ticketed", "timezone", "timezone_abbr", "url",
    "utc_end_date", "utc_end_date_details", "utc_start_date", "utc_start_date_details", "venue",
}  # fmt: skip
BATCH_SIZE = 500


class CustomFieldChanges(TypedDict, total=False):
    """The columns of a declaration; a key that is missing changes nothing."""

    resource: str
    name: str
    label: str
    kind: str
    choices: str
    position: int


def save_custom_field(
    field: CustomField, *, changes: CustomFieldChanges, user: AnyUser, action: Action = SAVE
) -> CustomField:
    """Validate and save the declaration of a custom field, and record it. Raises ValidationError."""
    with write_lock():
        apply_custom_field(field, changes=changes, user=user)
        field.full_clean()
        field.save()
        record_revision(field, user, action=action)
    return field


def apply_custom_field(field: CustomField, *, changes: CustomFieldChanges, user: AnyUser) -> None:
    """Set `changes` on the declaration without saving it; FIXED_FIELDS can be set only while the declaration is new.

    Raises ValidationError for a name that is taken.
    """
    is_new = field.pk is None
    for name, value in changes.items():
        if is_new or name not in FIXED_FIELDS:
            setattr(field, name, value)
    if not is_new or not is_registered(field):
        return
    if field.name in RESERVED_NAMES | {known.name for known in model_for(field)._meta.get_fields()}:
        raise ValidationError({"name": _("This name is reserved for a built-in field. Choose another name.")})
    if CustomField.objects.filter(resource=field.resource, name=field.name).exists():
        raise ValidationError({"name": _("A field with this name already exists.")})


def count_values(fields: Iterable[CustomField]) -> dict[int, int]:
    """Return the number of records that have a value of each of these fields, by its id. One query per resource."""
    by_resource: dict[str, list[CustomField]] = {}
    for field in fields:
        by_resource.setdefault(field.resource, []).append(field)
    counts: dict[int, int] = {}
    for group in by_resource.values():
        aggregates = {f"field_{field.pk}": Count("pk", filter=_with_value_q(field)) for field in group}
        found = model_for(group[0])._default_manager.aggregate(**aggregates)
        counts |= {field.pk: found[f"field_{field.pk}"] for field in group}
    return counts


def count_values_outside_choices(field: CustomField) -> int:
    """Return the number of records whose value is not, or no longer, a choice of the field."""
    rows = model_for(field)._default_manager.filter(_with_value_q(field))
    # Not a lookup by the name of the field, which may also be the name of a transform.
    value = Cast(KeyTextTransform(field.name, "custom_values"), TextField())
    return rows.alias(value=value).exclude(value__in=field.options).count()


def delete_custom_fields(fields: QuerySet[CustomField], *, user: AnyUser | None) -> int:
    """Delete the fields as `delete_custom_field` does and return how many fields there were."""
    with write_lock():
        deleted = list(fields)
        for field in deleted:
            delete_custom_field(field, user=user)
    return len(deleted)


def delete_custom_field(field: CustomField, *, user: AnyUser | None) -> int:
    """Delete the field with its values in all records; return the number of records that had one.

    The history of the field records this number. The histories of the records keep the values, and `modified_at` of the
    records stays the same, since no user has changed them.
    """
    rows = model_for(field)._default_manager.filter(_with_value_q(field))
    with write_lock():
        if issubclass(rows.model, LinkedContent):
            # The search text contains the value as well.
            count = _remove_searched_value(rows, field.name)
        else:
            count = rows.update(custom_values=_values_without(field.name))
        record_deletion([field], user, extra={field.pk: {"records": count}})
        field.delete()
    return count


custom_field_services = RecordServices(save=save_custom_field, apply=apply_custom_field, delete=delete_custom_fields)


def _values_without(name: str) -> Func:
    """Return an SQL expression for the values without the value of one field."""
    if connection.vendor == "sqlite":
        return Func("custom_values", Value(f'$."{name}"'), function="JSON_REMOVE", output_field=JSONField())
    key = Cast(Value(name), TextField())
    return Func("custom_values", key, template="(%(expressions)s)", arg_joiner=" - ", output_field=JSONField())


def _remove_searched_value(rows: QuerySet, name: str) -> int:
    """Remove one value from the rows and their search texts, BATCH_SIZE rows at a time; return their number."""
    count = last = 0
    while batch := list(rows.filter(pk__gt=last).order_by("pk")[:BATCH_SIZE]):
        for row in batch:
            del row.custom_values[name]
            row.update_derived_fields()
        rows.model._default_manager.bulk_update(batch, ["custom_values", "search_text"])
        count, last = count + len(batch), batch[-1].pk
    return count


def _with_value_q(field: CustomField) -> Q:
    return Q(custom_values__has_key=field.name)
