"""Operations of endpoints, and the descriptions of a resource: what each method takes and returns, and its errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from calendar_site.api.description.arguments import Argument, Arguments, describe_fields, describe_filters
from calendar_site.api.description.components import Component, JSONSchema, Text, list_component
from calendar_site.api.errors import (
    BodyTooLarge,
    Busy,
    ContractError,
    Forbidden,
    IncorrectPassword,
    InvalidBody,
    InvalidJSON,
    InvalidNonce,
    InvalidParams,
    MissingParams,
    NotAuthenticated,
    PageNotFound,
    RecordNotFound,
    RouteNotFound,
    TooManyRequests,
)

if TYPE_CHECKING:
    from calendar_site.api.viewsets import RecordViewSet

WRITE_METHODS = ("POST", "PUT", "PATCH")
COMMON_HEADERS = ("Link", "X-Ignored-Fields")
ID_IN_PATH = Argument({"type": "integer", "minimum": 1}, _("The ID of the record."), is_required=True)
SLUG_IN_PATH = Argument({"type": "string", "minLength": 1}, _("The slug of the record."), is_required=True)


class Example(NamedTuple):
    """A real request or response, with its name in the document."""

    name: str
    value: Any


class RequestBody(NamedTuple):
    """The body of a request, without its fields."""

    name: str
    takes_files: bool
    example: Example | None = None


class Operation(NamedTuple):
    """The summary of an operation and its successful response."""

    id: str
    summary: Text
    schema: Component | JSONSchema
    description: Text = ""
    status: int = 200
    headers: tuple[str, ...] = COMMON_HEADERS
    example: Example | None = None
    body: RequestBody | None = None
    # Whether browsers get HTML instead of JSON.
    is_page: bool = False


def common_errors() -> list[ContractError]:
    """Return the errors of every endpoint, in the language of the request."""
    return [InvalidBody(), BodyTooLarge(), IncorrectPassword(), TooManyRequests()]


def describe_path_arguments(view: RecordViewSet) -> Arguments:
    """Return the arguments in the path of an endpoint of a resource."""
    if not view.detail:
        return {}
    return {"slug": SLUG_IN_PATH} if view.by_slug else {"id": ID_IN_PATH}


def describe_arguments(view: RecordViewSet, method: str) -> Arguments:
    """Return the other arguments of `method`, in the query or in the body."""
    if method in WRITE_METHODS:
        return describe_fields(view.serializer_class(view.model() if view.detail else None))
    return describe_fields(view.item_serializer_class()) if view.detail else describe_filters(view.filterset_class)


def describe_errors(view: RecordViewSet, method: str) -> list[ContractError]:
    """Return the errors that `method` may respond with, each as an example of itself."""
    errors = common_errors()
    if method != "GET":
        errors += [NotAuthenticated(), Forbidden(), InvalidNonce(), Busy()]
    if method in WRITE_METHODS:
        errors.append(InvalidJSON())
    if view.detail:
        # RouteNotFound for an id or slug that no record can have.
        errors += [RecordNotFound(view.resource), RouteNotFound()]
    elif method == "POST":
        required = [name for name, argument in view.get_arguments(method).items() if argument.is_required]
        # RecordNotFound if the record is deleted before the response is made.
        errors += [MissingParams(required), RecordNotFound(view.resource)]
    elif view.refuses_pages_past_end:
        errors.append(PageNotFound(view.resource))
    return errors + _invalid_params(view, method)


def _invalid_params(view: RecordViewSet, method: str) -> list[ContractError]:
    """Return the error for invalid arguments, with one as an example; none where no argument can be invalid."""
    if not view.detail and method == "GET":
        return [InvalidParams({"page": _("Must be a whole number, such as 12.")})]
    if method in WRITE_METHODS:
        names = [name for name, field in view.serializer_class().fields.items() if field.required]
    else:
        names = list(view.get_arguments(method))
    return [InvalidParams({names[0]: _("Must not be empty.")})] if names else []


def describe_operation(view: RecordViewSet, method: str) -> Operation:
    """Return what `method` does, and its successful response."""
    if not view.detail:
        return _list_operation(view) if method == "GET" else _create_operation(view)
    if method == "GET":
        return _read_operation(view)
    return _update_operation(view, method) if method in WRITE_METHODS else _delete_operation(view)


def _list_operation(view: RecordViewSet) -> Operation:
    return Operation(
        f"list_{view.collection}",
        _("List records"),
        list_component(view.collection, view.record_schema),
        headers=("X-TEC-Total", "X-TEC-TotalPages", *COMMON_HEADERS),
        example=_example(view, view.collection),
    )


def _create_operation(view: RecordViewSet) -> Operation:
    return Operation(
        f"create_{view.resource}",
        _("Create a record"),
        view.record_schema,
        status=201,
        example=_write_example(view),
        body=RequestBody(f"New{view.resource.capitalize()}", view.takes_files, _example(view, f"new-{view.resource}")),
    )


def _read_operation(view: RecordViewSet) -> Operation:
    return Operation(
        _operation_id(view, "read"), _("Read a record"), view.record_schema, example=_example(view, view.resource)
    )


def _update_operation(view: RecordViewSet, method: str) -> Operation:
    return Operation(
        _operation_id(view, "update", "" if method == "POST" else method.lower()),
        _("Update a record"),
        view.record_schema,
        description=_(
            "Updates the fields that you send and leaves all others unchanged. POST, PUT and PATCH do the same."
        ),
        example=_write_example(view),
        body=RequestBody(f"{view.resource.capitalize()}Changes", view.takes_files),
    )


def _delete_operation(view: RecordViewSet) -> Operation:
    return Operation(
        _operation_id(view, "delete"),
        _("Delete a record"),
        view.record_schema,
        description=view.delete_description,
    )


def _operation_id(view: RecordViewSet, verb: str, method: str = "") -> str:
    parts = (verb, view.resource, "by_slug" if view.by_slug else "", f"with_{method}" if method else "")
    return "_".join(filter(None, parts))


def _example(view: RecordViewSet, name: str) -> Example:
    return Example(name, view.examples[name])


def _write_example(view: RecordViewSet) -> Example:
    """Return the response of a write: that of a read, without `json_ld`."""
    record = {name: value for name, value in view.examples[view.resource].items() if name != "json_ld"}
    return Example(f"written-{view.resource}", record)
