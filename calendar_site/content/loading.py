"""What an answer reads beside the rows of its records: images and the declared custom fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from calendar_site.content.models import CustomField, Image


class ImageRow(NamedTuple):
    """The columns of an image that an answer reads, in their order."""

    id: int
    file: str
    alt: str
    credit: str
    width: int
    height: int
    filesize: int
    renditions: dict[str, Any]


class Extras(NamedTuple):
    """Images by their ids, and custom fields by the resource that has them."""

    images: dict[int, ImageRow]
    custom_fields: dict[str, list[CustomField]]


def load_extras(rows: Iterable[Any], wants: Callable[[str], bool] = lambda key: True) -> Extras:
    """The extras of these rows, as far as they have any and the answer has the key. Two queries at the most."""
    rows = list(rows)
    return Extras(load_images(rows) if wants("image") else {}, load_declared(rows) if wants("custom_fields") else {})


def load_images(rows: Iterable[Any]) -> dict[int, ImageRow]:
    """The images of these rows. A query, none where there are none."""
    ids = {row.image_id for row in rows if row.image_id}
    if not ids:
        return {}
    found = Image.objects.filter(pk__in=ids).order_by().values_list(*ImageRow._fields)
    return {row[0]: ImageRow(*row) for row in found}


def load_declared(rows: Iterable[Any]) -> dict[str, list[CustomField]]:
    """The declared fields, if any of these rows holds something in one. A query at the most."""
    return declared_fields() if any(row.custom_values for row in rows) else {}


def declared_fields() -> dict[str, list[CustomField]]:
    """All custom fields, in their order. Costs a query."""
    declared: dict[str, list[CustomField]] = {}
    for field in CustomField.objects.all():
        declared.setdefault(field.resource, []).append(field)
    return declared
