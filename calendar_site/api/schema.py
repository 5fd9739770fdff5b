"""How addresses describe what they take, in the terms of JSON Schema."""

from __future__ import annotations

from typing import Any

from rest_framework.metadata import BaseMetadata


def describe_filters(filterset: Any) -> dict[str, Any]:
    """The parameters of a list: name -> description."""
    return {
        name: _described(filter_.schema, False, _value_of(filter_.default), filter_.describe)
        for name, filter_ in filterset.base_filters.items()
    }


def describe_fields(serializer: Any) -> dict[str, Any]:
    """The write fields of a record: name -> description. On an update none is required."""
    is_new = serializer.instance is None
    return {
        name: _described(field.schema, field.required and is_new, None, field.describe)
        for name, field in serializer.fields.items()
    }


def _value_of(default: Any) -> Any:
    """The default itself where a setting decides it."""
    return default() if callable(default) else default


def _described(schema: dict[str, Any], required: bool, default: Any, description: Any) -> dict[str, Any]:
    described = {"required": required, **schema}
    if default is not None:
        described["default"] = default
    if description:
        described["description"] = str(description)
    return described


class RouteDescription(BaseMetadata):
    """The answer to `OPTIONS`: the methods of an address and the arguments of each."""

    def determine_metadata(self, request: Any, view: Any) -> dict[str, Any]:
        described: dict[str, Any] = view.selection.cut(describe_route(view, view.methods(), view.namespace))
        return described


def describe_route(view: Any, methods: list[str], namespace: str) -> dict[str, Any]:
    """One address; methods that take the same are one endpoint, as POST, PUT and PATCH are."""
    endpoints: list[dict[str, Any]] = []
    for method in methods:
        arguments = view.arguments_of(method)
        if endpoints and endpoints[-1]["args"] == arguments:
            endpoints[-1]["methods"].append(method)
        else:
            endpoints.append({"methods": [method], "args": arguments})
    return {"namespace": namespace, "methods": methods, "endpoints": endpoints}
