"""Loading the declarations of custom fields."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from calendar_site.custom_fields.models import CustomField
from calendar_site.custom_fields.values import CustomValues


class HasCustomValues(Protocol):
    """A record that may have custom values."""

    @property
    def custom_values(self) -> CustomValues: ...


def load_custom_fields(rows: Iterable[HasCustomValues]) -> dict[str, list[CustomField]]:
    """Return `all_custom_fields()` if one of these rows has a custom value, else {}. One query at most."""
    return all_custom_fields() if any(row.custom_values for row in rows) else {}


def all_custom_fields() -> dict[str, list[CustomField]]:
    """Return all custom fields by resource, in their order. One query."""
    declared: dict[str, list[CustomField]] = {}
    for field in CustomField.objects.all():
        declared.setdefault(field.resource, []).append(field)
    return declared
