"""Arguments of the API in terms of JSON Schema: query parameters, write fields and parts of paths."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

from django.conf import settings
from django.utils import timezone
from django.utils.translation import get_language
from rest_framework.fields import empty

from calendar_site.api.description.components import JSONSchema, Text
from calendar_site.core.dates import site_zone


class Argument(NamedTuple):
    """An argument of an endpoint. `default` is `empty` if leaving it out has no meaning of its own."""

    schema: JSONSchema
    description: Text
    is_required: bool = False
    default: Any = empty
    # Whether null may be sent, which clears the value.
    is_clearable: bool = False

    def as_index_entry(self) -> JSONSchema:
        """Return the argument as the index describes it."""
        entry = {"required": self.is_required, **self.schema}
        if self.default is not empty:
            entry["default"] = self.default
        return entry | {"description": str(self.description)}

    @property
    def takes_null(self) -> bool:
        return self.is_clearable or (self.default is None and not self.is_required)

    def as_schema(self) -> JSONSchema:
        """Return the argument in JSON Schema, where null is a type."""
        schema = dict(self.schema)
        if self.takes_null and "type" in schema:
            types = schema["type"]
            schema["type"] = [*(types if isinstance(types, list) else [types]), "null"]
            if "enum" in schema:
                schema["enum"] = [*schema["enum"], None]
        if self.default is not empty and not self.is_required:
            schema["default"] = self.default
            if schema.get("format") == "date-time":
                # The contract writes the default with a blank, which JSON Schema does not accept in a date-time.
                del schema["format"]
        return schema | {"description": str(self.description)}


Arguments = dict[str, Argument]


def describe_filters(filterset_class: Any) -> Arguments:
    """Return the query parameters of a list."""
    return {
        name: Argument(
            filter_.schema, filter_.extra["help_text"], default=_resolve(filter_.extra.get("initial", empty))
        )
        for name, filter_ in filterset_class.base_filters.items()
    }


def describe_fields(serializer: Any) -> Arguments:
    """Return the write fields of a record. An update requires none and has no defaults: a missing field is kept."""
    is_new = serializer.instance is None
    defaults = serializer.defaults if is_new else {}
    return {
        name: Argument(
            field.schema,
            field.help_text,
            is_required=field.required and is_new,
            default=defaults.get(name, empty),
            is_clearable=field.allow_null,
        )
        for name, field in serializer.fields.items()
    }


def arguments_schema(arguments: Arguments) -> JSONSchema:
    """Return the schema of a JSON object with these members."""
    schema: JSONSchema = {
        "type": "object",
        "properties": {name: argument.as_schema() for name, argument in arguments.items()},
    }
    required = [name for name, argument in arguments.items() if argument.is_required]
    return schema | ({"required": required} if required else {})


class Context(NamedTuple):
    """The variables of a cached description, besides its code and URL; it is valid while they stay the same."""

    language: str | None
    today: date
    per_page_default: int
    per_page_limit: int


def current_context() -> Context:
    today = timezone.now().astimezone(site_zone().tz).date()
    return Context(get_language(), today, settings.PER_PAGE_DEFAULT, settings.PER_PAGE_LIMIT)


def _resolve(default: Any) -> Any:
    """Return the default, computed if it depends on a setting or on the day."""
    return default() if callable(default) and default is not empty else default
