"""How addresses describe what they take, in the terms of JSON Schema: the one source of index and document."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.conf import settings
from django.utils import timezone
from django.utils.translation import get_language
from rest_framework.fields import empty
from rest_framework.metadata import BaseMetadata

from calendar_site.content.dates import site_zone


class Argument(NamedTuple):
    """What an address takes under one name. `default` is `empty` where leaving it out means nothing of its own."""

    schema: dict[str, Any]
    description: Any
    is_required: bool = False
    default: Any = empty
    # Whether null may be sent, which takes a value away.
    is_clearable: bool = False

    def in_index(self) -> dict[str, Any]:
        """The argument as the index has it."""
        described = {"required": self.is_required, **self.schema}
        if self.default is not empty:
            described["default"] = self.default
        return described | {"description": str(self.description)}

    @property
    def takes_null(self) -> bool:
        return self.is_clearable or (self.default is None and not self.is_required)

    def as_schema(self) -> dict[str, Any]:
        """The argument in JSON Schema, which has null as a type."""
        schema = dict(self.schema)
        if self.takes_null and "type" in schema:
            types = schema["type"]
            schema["type"] = [*(types if isinstance(types, list) else [types]), "null"]
            if "enum" in schema:
                schema["enum"] = [*schema["enum"], None]
        if self.default is not empty and not self.is_required:
            schema["default"] = self.default
            if schema.get("format") == "date-time":
                # JSON Schema knows no date-time with a blank in it, as the contract writes the default.
                del schema["format"]
        return schema | {"description": str(self.description)}


Arguments = dict[str, Argument]


def describe_filters(filterset: Any) -> Arguments:
    """The parameters of a list."""
    return {
        name: Argument(filter_.schema, filter_.describe, default=_value_of(filter_.default))
        for name, filter_ in filterset.base_filters.items()
    }


def describe_fields(serializer: Any) -> Arguments:
    """The write fields of a record. An update requires none, and leaves alone what is not sent: it has no defaults."""
    is_new = serializer.instance is None
    defaults = serializer.defaults if is_new else {}
    return {
        name: Argument(
            field.schema,
            field.describe,
            is_required=field.required and is_new,
            default=defaults.get(name, empty),
            is_clearable=field.clearable,
        )
        for name, field in serializer.fields.items()
    }


def describe_object(serializer: Any) -> dict[str, Any]:
    """The JSON object that a serializer reads."""
    return object_of(describe_fields(serializer))


def object_of(arguments: Arguments) -> dict[str, Any]:
    """The arguments as the members of a JSON object."""
    described: dict[str, Any] = {
        "type": "object",
        "properties": {name: argument.as_schema() for name, argument in arguments.items()},
    }
    required = [name for name, argument in arguments.items() if argument.is_required]
    return described | ({"required": required} if required else {})


def circumstances() -> tuple[Any, ...]:
    """What descriptions depend on beside the program and the address: as long as it is the same, they can be kept."""
    today = timezone.now().astimezone(site_zone().tz).date()
    return get_language(), today, settings.PER_PAGE_DEFAULT, settings.PER_PAGE_LIMIT


def _value_of(default: Any) -> Any:
    """The default itself where a setting or the day decides it."""
    return default() if callable(default) and default is not empty else default


class RouteDescription(BaseMetadata):
    """The answer to `OPTIONS`: the methods of an address and the arguments of each."""

    def determine_metadata(self, request: Any, view: Any) -> dict[str, Any]:
        described: dict[str, Any] = view.selection.cut(describe_route(view, view.methods(), view.namespace))
        return described


def describe_route(view: Any, methods: list[str], namespace: str) -> dict[str, Any]:
    """One address; methods that take the same are one endpoint, as POST, PUT and PATCH are."""
    endpoints: list[dict[str, Any]] = []
    for method in methods:
        # Where a field has the name of an argument in the path, as an event's slug, the address itself tells the other.
        arguments = view.path_arguments() | view.arguments_of(method)
        args = {name: argument.in_index() for name, argument in arguments.items()}
        if endpoints and endpoints[-1]["args"] == args:
            endpoints[-1]["methods"].append(method)
        else:
            endpoints.append({"methods": [method], "args": args})
    return {"namespace": namespace, "methods": methods, "endpoints": endpoints}
