"""The write fields of linked records: venues, organizers, categories and tags, each in many forms."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db.models import Model
from django.utils.translation import gettext as _
from rest_framework import serializers

from calendar_site.api.description.arguments import new_record_component
from calendar_site.api.description.components import (
    INTEGER,
    RECORD_REFERENCE,
    TEXT,
    Component,
    JSONSchema,
)
from calendar_site.api.input import values
from calendar_site.api.input.fields import (
    MAX_SLUG_INPUT_LENGTH,
    ContractField,
    max_length_of,
)
from calendar_site.api.input.serializers import LinkedContentSerializer
from calendar_site.api.input.values import RepeatedValues
from calendar_site.api.shapes import to_list
from calendar_site.audit.record_services import RelatedErrors
from calendar_site.core.compiled_queries.queries import fetch_instances_by_id
from calendar_site.core.compiled_queries.querysets import CompiledQuerySet
from calendar_site.core.permissions import is_listed_for
from calendar_site.core.references import MAX_ID_DIGITS, find_by_names
from calendar_site.core.slugs import decode_encoded_slug, decode_slug
from calendar_site.core.validators import MAX_HTML_LENGTH, MAX_TAGS, validate_count
from taxonomy.models import Category, Tag


class RelatedRecordsField(ContractField):
    """Linked records in every form that clients of the contract use: ids, comma-separated strings, objects."""

    takes_list = True

    def __init__(self, *, model: Any, max_count: int, **kwargs: Any) -> None:
        super().__init__(allow_null=True, cleared_value=[], **kwargs)
        self.model, self.max_count = model, max_count
        self.schema = {"type": "array", "items": {"type": "integer"}, "maxItems": max_count}

    @property
    def accepted_schema(self) -> JSONSchema:  # type: ignore[override] # that of the items
        """One item or an array of them."""
        items = {"type": "array", "items": {"anyOf": self.item_schemas}, "maxItems": self.max_count}
        return {"anyOf": [*self.item_schemas, items]}

    @property
    def item_schemas(self) -> list[JSONSchema | Component]:
        """The schemas of the values that `parse_item` accepts."""
        return [INTEGER, TEXT, RECORD_REFERENCE]

    def is_blank(self, value: Any) -> bool:
        return not isinstance(value, bool) and not to_list(value)

    def parse(self, value: Any) -> list[Any]:
        parsed: list[Any] = []
        errors = ItemErrors()
        # Counted first, because parsing new records takes time.
        for position, item in self._split_and_count(value):
            with errors.collect(position):
                parsed.append((position, self.parse_item(item)))
        records = self.find_records(parsed, errors)
        errors.raise_if_any()
        return records

    def _split_and_count(self, value: Any) -> list[tuple[Position, Any]]:
        """Return the linked items with their positions. Raises ValidationError for too many records."""
        items: list[tuple[Position, Any]] = []
        identities: set[object] = set()
        for position, item in _split(value):
            items.append((position, item))
            identities.add(_identity(position, item))
            # After each, because a body may contain hundreds of thousands.
            validate_count(len(identities), self.max_count)
        return items

    def parse_item(self, item: Any) -> Any:
        """Return an id, or the value by which a record is found or created. Raises ValueError and ValidationError."""
        raise NotImplementedError

    def find_records(self, items: list[tuple[Position, Any]], errors: ItemErrors) -> list[Any]:
        """Return the records of the parsed items, and the data of those to create. Adds unknown items to `errors`."""
        raise NotImplementedError

    def related_errors(self, error: RelatedErrors, value: Any) -> Any:
        """Return the errors of a service in the records that `parse` returned for `value`, by position in `value`."""
        positions = [position for position, _item in _split(value)]
        errors = ItemErrors()
        for index, item_error in error.by_position.items():
            errors.add(positions[index], self.messages_by_argument(item_error))
        return errors.detail

    def messages_by_argument(self, error: ValidationError) -> Any:
        return error.messages


# The position of an item in a list; None for an item that is not in a list.
Position = int | None


class ItemErrors:
    """The errors of the items of an argument: by position, or those of a single item."""

    def __init__(self) -> None:
        self._by_position: dict[Position, Any] = {}

    def add(self, position: Position, error: Any) -> None:
        self._by_position.setdefault(position, error)

    @contextmanager
    def collect(self, position: Position) -> Iterator[None]:
        """Add the errors that the block raises."""
        try:
            yield
        except serializers.ValidationError as error:
            self.add(position, error.detail)
        except ValueError as error:
            self.add(position, [str(error)])

    @property
    def detail(self) -> Any:
        """The errors as Django REST framework nests them."""
        return self._by_position.get(None, self._by_position)

    def raise_if_any(self) -> None:
        if self._by_position:
            raise serializers.ValidationError(self.detail)


def _split(value: Any) -> Iterator[tuple[Position, Any]]:
    """Yield the linked items with their positions. In a list, only ids are split at commas: names may contain commas.

    Empty strings and zeros in a list are left out, because forms send them for "none".
    """
    is_array = isinstance(value, list) and not isinstance(value, RepeatedValues)
    for position, item in enumerate(to_list(value)):
        parts = to_list(item)
        is_name = isinstance(item, str) and not all(part.isdecimal() for part in parts)
        if is_array and (is_name or not isinstance(item, str | int | float)):
            yield position, item
        else:
            for part in parts:
                yield position if is_array else None, part


def _identity(position: Position, item: Any) -> object:
    """Return a value that is equal for items with the same id or name, which count once."""
    reference = item.get("id") if isinstance(item, dict) else item
    is_name = isinstance(item, str) and item.strip()
    return str(reference).strip() if is_name or values.is_integer(reference) else (position,)


def _parse_id(item: Any) -> int | None:
    """Return the id in a number, a string of digits or an object; None if there is none."""
    if isinstance(item, dict):
        item = item.get("id") or None
    return values.parse_integer(item, minimum=1) if values.is_integer(item) else None


class LinkedContentField(RelatedRecordsField):
    """Venues or organizers: existing ones by id, new ones by their data."""

    def __init__(self, *, serializer_class: type[LinkedContentSerializer], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.serializer_class = serializer_class

    @property
    def item_schemas(self) -> list[JSONSchema | Component]:
        return [*super().item_schemas, new_record_component(self.serializer_class.resource, self.serializer_class())]

    def parse(self, value: Any) -> list[Any]:
        _validate_descriptions(value)
        return super().parse(value)

    def parse_item(self, item: Any) -> int | dict[str, Any]:
        pk = _parse_id(item)
        if pk is not None:
            return pk
        if not isinstance(item, dict) or not item:
            raise ValueError(_("Must be the id of an existing record, or an object with the fields of a new one."))
        return self.serializer_class(data=item, context=self.context).validate_nested()

    def find_records(
        self, items: list[tuple[Position, int | dict[str, Any]]], errors: ItemErrors
    ) -> list[Model | dict[str, Any]]:
        found = fetch_instances_by_id(self.model, (item for _position, item in items if isinstance(item, int)))
        rows = {pk: row for pk, row in found.items() if is_listed_for(self.context["user"], row)}
        unknown: dict[Position, list[int]] = {}
        records: list[Model | dict[str, Any]] = []
        for position, item in items:
            if not isinstance(item, int):
                records.append(item)
            elif item in rows:
                records.append(rows[item])
            else:
                unknown.setdefault(position, []).append(item)
        for position, pks in unknown.items():
            errors.add(position, [values.unknown_records(self.model, pks)])
        return records

    def messages_by_argument(self, error: ValidationError) -> Any:
        return self.serializer_class().messages_by_argument(error)


def _validate_descriptions(value: Any) -> None:
    """Raise ValueError if the descriptions of the new records exceed the limits of a single one together.

    Sanitizing as many as fit into a request would take many seconds.
    """
    data = [item for item in to_list(value) if isinstance(item, dict) and not item.get("id")]
    text = "".join(str(item.get("description") or "") for item in data)
    if len(text) > MAX_HTML_LENGTH or text.count("<") > MAX_TAGS:
        raise ValueError(_("The descriptions of the new records are too long together. Create some of them first."))


class TermReference(NamedTuple):
    """A category or tag in an argument: by id, slug or name. `text` is a number that may be a slug or name (D27)."""

    pk: int | None = None
    text: str = ""
    slug: str = ""
    name: str = ""


class TermsField(RelatedRecordsField):
    """Categories or tags: existing ones by id, name or slug, new ones by name. Unknown ids are left out."""

    def parse_item(self, item: Any) -> TermReference:
        if isinstance(item, dict) and not item.get("id"):
            return self.parse_object(item)
        if isinstance(item, dict) or (values.is_integer(item) and len(str(item).strip()) <= MAX_ID_DIGITS):
            pk = values.parse_integer(item["id"] if isinstance(item, dict) else item, minimum=1)
            return TermReference(pk, text="" if isinstance(item, dict) else str(item).strip())
        if not isinstance(item, str):
            raise ValueError(_("Must be an id, a name, or an object with an id, slug or name."))
        return TermReference(name=self.parse_name(item))

    def parse_object(self, item: dict[str, Any]) -> TermReference:
        slug, name = (item.get(key) or "" for key in ("slug", "name"))
        if not slug and not name:
            raise ValueError(_("Must be an id, a name, or an object with an id, slug or name."))
        errors: dict[str, list[str]] = {}
        try:
            slug = decode_slug(values.parse_text(slug, MAX_SLUG_INPUT_LENGTH))
        except ValueError as error:
            errors["slug"] = [str(error)]
        try:
            name = self.parse_name(name) if name else ""
        except ValueError as error:
            errors["name"] = [str(error)]
        if errors:
            raise serializers.ValidationError(errors)
        return TermReference(slug=slug, name=name)

    def parse_name(self, value: Any) -> str:
        # Clients of WordPress name terms by their slugs (D23).
        return decode_encoded_slug(values.parse_line(value, max_length_of(self.model, "name")))

    def find_records(
        self, items: list[tuple[Position, TermReference]], errors: ItemErrors
    ) -> list[Category | Tag | dict[str, str]]:
        terms = self.model.objects
        references = [item for _position, item in items]
        by_id = fetch_instances_by_id(self.model, (item.pk for item in references if item.pk is not None))
        slugs = [item.slug for item in references if item.slug]
        by_slug = terms.in_bulk(slugs, field_name="slug") if slugs else {}
        names = [text for item in references if item.pk not in by_id for text in (item.text, item.name) if text]
        by_name = find_by_names(CompiledQuerySet(self.model), names)
        records: list[Category | Tag | dict[str, str]] = []
        for position, item in items:
            term = by_id.get(item.pk or 0) or by_slug.get(item.slug) or by_name.get(item.text or item.name)
            if term is not None:
                records.append(term)
            elif item.name:
                records.append({"name": item.name, "slug": item.slug} if item.slug else {"name": item.name})
            elif item.slug:
                errors.add(position, [values.unknown_records(self.model, [item.slug])])
        return records
