"""Custom fields: what may be declared, what records hold of it, and how a field goes with all that they hold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import Count, Func, JSONField, Q, QuerySet, TextField, Value
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from calendar_site.content.models import CustomField, NamedContent
from calendar_site.content.recording import record, record_deleted
from calendar_site.content.transactions import writing

# By name: these models stand above this package.
MODELS = {"event": "events.Event", "venue": "venues.Venue", "organizer": "organizers.Organizer"}
# What stays as it was declared: values are kept under the name, by the type, in records of one kind.
FIXED = ("name", "resource", "kind")
# What programs read of records beside the fields of their models.
ANSWERED = {
    "cost_details", "custom_fields", "date", "date_utc", "end_date", "end_date_details", "global_id",
    "global_id_lineage", "json_ld", "modified", "modified_utc", "organizer", "post_parent", "rest_url", "start_date",
    "start_date_details", "stateprovince", "ticketed", "timezone", "timezone_abbr", "url", "utc_end_date",
    "utc_end_date_details", "utc_start_date", "utc_start_date_details", "venue",
}  # fmt: skip
ROWS_AT_A_TIME = 500


def save_custom_field(field: CustomField, fields: dict[str, Any], user: Any) -> None:
    """Raises ValidationError."""
    with writing():
        set_custom_field(field, fields)
        field.full_clean()
        field.save()
        record(field, user)


def set_custom_field(field: CustomField, fields: dict[str, Any]) -> None:
    """Sets `fields` on the declaration, without saving it. Raises ValidationError for a name that is taken."""
    is_new = field.pk is None
    for name, value in fields.items():
        if is_new or name not in FIXED:
            setattr(field, name, value)
    if not is_new or field.resource not in MODELS:
        return
    if field.name in ANSWERED | {known.name for known in _model(field)._meta.get_fields()}:
        raise ValidationError({"name": _("Records have something of this name already: choose another.")})
    if CustomField.objects.filter(resource=field.resource, name=field.name).exists():
        raise ValidationError({"name": _("There is a field of this name already.")})


def amounts_held(fields: Iterable[CustomField]) -> dict[int, int]:
    """How many records hold something in each of these fields, by its id. Costs a query for each resource."""
    by_resource: dict[str, list[CustomField]] = {}
    for field in fields:
        by_resource.setdefault(field.resource, []).append(field)
    amounts: dict[int, int] = {}
    for group in by_resource.values():
        counts = {f"held_{field.pk}": Count("pk", filter=_holding(field)) for field in group}
        found = _model(group[0])._default_manager.aggregate(**counts)
        amounts |= {field.pk: found[f"held_{field.pk}"] for field in group}
    return amounts


def amount_outside(field: CustomField) -> int:
    """How many records hold something that is no choice of the field, or no more."""
    rows = _model(field)._default_manager.filter(_holding(field))
    # Not as a lookup: a field may have the name of one.
    held = Cast(KeyTextTransform(field.name, "custom_values"), TextField())
    return rows.alias(held=held).exclude(held__in=field.options).count()


def drop_custom_field(field: CustomField, user: Any) -> int:
    """Takes the field away with what records hold in it; answers how many they were.

    The history of the field tells that, not the histories of the records, in which their values stay.
    """
    rows = _model(field)._default_manager.filter(_holding(field))
    with writing():
        # The moment of change stays: nobody wrote these records.
        if issubclass(rows.model, NamedContent):
            count = _rewrite(rows, field.name)
        else:
            count = rows.update(custom_values=_without(field.name))
        record_deleted([field], user, {field.pk: {"records": count}})
        field.delete()
    return count


def _without(name: str) -> Func:
    """The values without that of one field."""
    if connection.vendor == "sqlite":
        return Func("custom_values", Value(f'$."{name}"'), function="JSON_REMOVE", output_field=JSONField())
    key = Cast(Value(name), TextField())
    return Func("custom_values", key, template="(%(expressions)s)", arg_joiner=" - ", output_field=JSONField())


def _rewrite(rows: QuerySet, name: str) -> int:
    """Takes one value from records that are found by their values; so many at a time as memory is sure to hold."""
    count = last = 0
    while batch := list(rows.filter(pk__gt=last).order_by("pk")[:ROWS_AT_A_TIME]):
        for row in batch:
            del row.custom_values[name]
            row.derive()
        rows.model._default_manager.bulk_update(batch, ["custom_values", "search_text"])
        count, last = count + len(batch), batch[-1].pk
    return count


def _model(field: CustomField) -> Any:
    return apps.get_model(MODELS[field.resource])


def _holding(field: CustomField) -> Q:
    return Q(custom_values__has_key=field.name)
