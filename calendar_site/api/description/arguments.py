"""Arguments of the API in terms of JSON Schema: query parameters, write fields and parts of paths."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

from django.conf import settings
from django.utils.translation import get_language
from rest_framework.fields import empty

from calendar_site.api.description.components import Component, JSONSchema, Text, nullable
from calendar_site.core import clock
from calendar_site.core.dates.conversion import site_zone


class Argument(NamedTuple):
    """An argument of an endpoint. `default` is `empty` if it has none.

    `schema` is the type of the contract, which the index and `OPTIONS` show. `accepted_schema` is the type of all
    accepted values, which the OpenAPI document shows; None if that is the contract's type.
    """

    schema: JSONSchema
    description: Text
    is_required: bool = False
    default: Any = empty
    # Whether clients may send null to clear the value.
    is_clearable: bool = False
    accepted_schema: JSONSchema | None = None

    def as_index_entry(self) -> JSONSchema:
        """Return the argument as the index describes it."""
        entry = {"required": self.is_required, **self.schema}
        if self.default is not empty:
            entry["default"] = self.default
        return entry | {"description": str(self.description)}

    @property
    def takes_null(self) -> bool:
        return self.is_clearable or (self.default is None and not self.is_required)

    @property
    def fixed_default(self) -> Any:
        """The default of a query parameter that stays the same; `empty` if there is none.

        Generated clients and the API console send the defaults of the document with each request. A date would be that
        of the day on which the client was generated.
        """
        changes_daily = self.schema.get("format") == "date-time"
        return empty if changes_daily else self.default

    def as_schema(self) -> JSONSchema:
        """Return the JSON Schema of the argument. If it takes null, null is one of its types.

        It has no default, because generated TypeScript clients require fields with a default.
        """
        schema = self.schema if self.accepted_schema is None else self.accepted_schema
        if self.takes_null:
            schema = nullable(schema)
        return schema | {"description": str(self.description)}


Arguments = dict[str, Argument]


def describe_filters(filterset_class: Any) -> Arguments:
    """Return the query parameters of a list."""
    return {
        name: Argument(
            filter_.schema,
            filter_.extra["help_text"],
            default=_resolve(filter_.extra.get("initial", empty)),
            accepted_schema=filter_.accepted_schema,
        )
        for name, filter_ in filterset_class.base_filters.items()
    }


def describe_fields(serializer: Any) -> Arguments:
    """Return the write fields of a record. Updates require none and have no defaults: missing fields are kept."""
    is_new = serializer.instance is None
    defaults = serializer.defaults if is_new else {}
    return {
        name: Argument(
            field.schema,
            field.help_text,
            is_required=field.required and is_new,
            default=defaults.get(name, empty),
            is_clearable=field.allow_null,
            accepted_schema=field.accepted_schema,
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


def new_record_component(resource: str, serializer: Any) -> Component:
    """Return the component of the data of a new record, such as `NewVenue`."""
    return Component(f"New{resource.capitalize()}", arguments_schema(describe_fields(serializer)))


class Context(NamedTuple):
    """The values that a cached description depends on, in addition to its code and URL."""

    language: str | None
    today: date
    per_page_default: int
    per_page_limit: int


def current_context() -> Context:
    today = clock.today(site_zone().tz)
    return Context(get_language(), today, settings.PER_PAGE_DEFAULT, settings.PER_PAGE_LIMIT)


def _resolve(default: Any) -> Any:
    """Return the default, computed if it depends on a setting or on the current day."""
    return default() if callable(default) and default is not empty else default
