"""Operations of endpoints, and the descriptions of a resource: the arguments, responses and errors of each method."""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple, Protocol

from django.utils.translation import gettext_lazy as _

from calendar_site.api.description.arguments import Argument, Arguments, describe_fields, describe_filters
from calendar_site.api.description.components import Component, JSONSchema, Text, list_component
from calendar_site.api.errors import (
    BodyTooLarge,
    Busy,
    ContractError,
    Forbidden,
    IdempotencyKeyInUse,
    IdempotencyKeyReused,
    IncorrectPassword,
    InvalidIdempotencyKey,
    InvalidIfMatch,
    InvalidJSON,
    InvalidNonce,
    InvalidParams,
    MissingParams,
    NotAuthenticated,
    NullCharacters,
    PageNotFound,
    PreconditionFailed,
    RecordNotFound,
    RouteNotFound,
    TooManyRequests,
)

WRITE_METHODS = ("POST", "PUT", "PATCH")
# Headers of every response to a request that counts for a limit.
RATE_LIMIT_HEADERS = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "RateLimit-Policy")
COMMON_HEADERS = ("Link", "X-Ignored-Fields", "X-Request-ID", *RATE_LIMIT_HEADERS)
# Request headers for writes of a record.
PRECONDITION_HEADERS = ("If-Match", "If-Unmodified-Since")
# Headers of every write, in the request and in the response.
KEY_HEADER, REPLAY_HEADER = "Idempotency-Key", "Idempotent-Replayed"
ID_IN_PATH = Argument({"type": "integer", "minimum": 1}, _("The id of the record."), is_required=True)
SLUG_IN_PATH = Argument({"type": "string", "minLength": 1}, _("The slug of the record."), is_required=True)


class Example(NamedTuple):
    """A real request or response, with its name in the document."""

    name: str
    value: Any


class Authentication(Enum):
    """The authentication of an operation: required, optional because it returns more with it, or without any effect."""

    REQUIRED = "required"
    OPTIONAL = "optional"
    NONE = "none"


class Summaries(NamedTuple):
    """The summaries of the operations of a resource."""

    list: Text
    create: Text
    get: Text
    update: Text
    delete: Text


class RequestBody(NamedTuple):
    """The body of a request, without its fields. `name` is that of the component."""

    name: str
    takes_files: bool
    example: Example | None = None


class Operation(NamedTuple):
    """The name and summary of an operation, and its successful response.

    Generated clients name their functions after `id`, so it must never change.
    """

    id: str
    summary: Text
    schema: Component | JSONSchema
    description: Text
    authentication: Authentication = Authentication.REQUIRED
    status: int = 200
    headers: tuple[str, ...] = COMMON_HEADERS
    request_headers: tuple[str, ...] = ()
    example: Example | None = None
    body: RequestBody | None = None
    # Whether browsers get HTML instead of JSON.
    is_page: bool = False

    @property
    def may_be_not_modified(self) -> bool:
        """Return whether the response may be a 304."""
        return "If-None-Match" in self.request_headers


class DescribedView(Protocol):
    """A view with the attributes that the index and the document need."""

    @property
    def tag_description(self) -> Text: ...
    @property
    def namespace(self) -> str: ...
    def get_tag(self) -> str: ...
    def get_path_arguments(self) -> Arguments: ...
    def get_arguments(self, method: str) -> Arguments: ...
    def get_operation(self, method: str) -> Operation: ...
    def get_errors(self, method: str) -> list[ContractError]: ...
    def get_authenticators(self) -> list[Any]: ...


class DescribedResource(DescribedView, Protocol):
    """A viewset with the attributes that its description needs. `RecordViewSet` documents them."""

    @property
    def collection(self) -> str: ...
    @property
    def resource(self) -> str: ...
    @property
    def model(self) -> Any: ...
    @property
    def filterset_class(self) -> Any: ...
    @property
    def serializer_class(self) -> Any: ...
    @property
    def item_serializer_class(self) -> Any: ...
    @property
    def record_schema(self) -> Component: ...
    @property
    def examples(self) -> dict[str, Any]: ...
    @property
    def list_example(self) -> str: ...
    @property
    def summaries(self) -> Summaries: ...
    @property
    def create_description(self) -> Text: ...
    @property
    def delete_description(self) -> Text: ...
    @property
    def takes_files(self) -> bool: ...
    @property
    def has_suggestions(self) -> bool: ...
    @property
    def has_restricted_records(self) -> bool: ...
    @property
    def refuses_pages_past_end(self) -> bool: ...
    @property
    def detail(self) -> Any: ...
    @property
    def by_slug(self) -> bool: ...


def common_errors() -> list[ContractError]:
    """Return the errors of every endpoint, in the language of the request."""
    return [NullCharacters(["x"]), BodyTooLarge(), IncorrectPassword(), TooManyRequests()]


def describe_path_arguments(view: DescribedResource) -> Arguments:
    """Return the arguments in the path of an endpoint of a resource."""
    if not view.detail:
        return {}
    return {"slug": SLUG_IN_PATH} if view.by_slug else {"id": ID_IN_PATH}


def describe_arguments(view: DescribedResource, method: str) -> Arguments:
    """Return the other arguments of `method`, in the query or in the body."""
    if method in WRITE_METHODS:
        return describe_fields(view.serializer_class(view.model() if view.detail else None))
    return describe_fields(view.item_serializer_class()) if view.detail else describe_filters(view.filterset_class)


def describe_errors(view: DescribedResource, method: str) -> list[ContractError]:
    """Return the errors that `method` may respond with, each as an example of itself."""
    errors = common_errors()
    if method != "GET":
        errors += [NotAuthenticated(), Forbidden(), InvalidNonce(), Busy()]
        errors += [InvalidIdempotencyKey(), IdempotencyKeyInUse(), IdempotencyKeyReused()]
    if method in WRITE_METHODS:
        errors.append(InvalidJSON(1, 2, "unexpected end of data"))
    if view.detail:
        # RouteNotFound for an id or slug that no record can have.
        errors += [RecordNotFound(view.resource), RouteNotFound()]
        if method != "GET":
            errors += [InvalidIfMatch(), PreconditionFailed()]
    elif method == "POST":
        required = [name for name, argument in view.get_arguments(method).items() if argument.is_required]
        # RecordNotFound if the record is deleted before the response is made.
        errors += [MissingParams(required), RecordNotFound(view.resource)]
    elif view.refuses_pages_past_end:
        errors.append(PageNotFound(view.resource))
    return errors + _invalid_params(view, method)


def _invalid_params(view: DescribedResource, method: str) -> list[ContractError]:
    """Return the error for invalid arguments, with one as an example; an empty list if no argument can be invalid."""
    if not view.detail and method == "GET":
        return [InvalidParams({"page": _("Must be a whole number, such as 12.")})]
    if method in WRITE_METHODS:
        names = [name for name, field in view.serializer_class().fields.items() if field.required]
    else:
        names = list(view.get_arguments(method))
    return [InvalidParams({names[0]: _("Must not be empty.")})] if names else []


def describe_operation(view: DescribedResource, method: str) -> Operation:
    """Return the summary of `method` and its successful response."""
    if not view.detail:
        return _list_operation(view) if method == "GET" else _create_operation(view)
    if method == "GET":
        return _read_operation(view)
    return _update_operation(view, method) if method in WRITE_METHODS else _delete_operation(view)


def _list_operation(view: DescribedResource) -> Operation:
    suggestion = ("X-Did-You-Mean",) if view.has_suggestions else ()
    return Operation(
        f"list{view.collection.capitalize()}",
        view.summaries.list,
        list_component(view.collection, view.resource.capitalize(), view.record_schema),
        description=_("Returns one page of the records that match all parameters."),
        # Filters by event find the events that the user may see, so this includes terms.
        authentication=Authentication.OPTIONAL,
        headers=(
            "X-TEC-Total",
            "X-TEC-TotalPages",
            "ETag",
            "Last-Modified",
            "X-Shortened-Records",
            *suggestion,
            *COMMON_HEADERS,
        ),
        request_headers=("If-None-Match",),
        example=_example(view, view.list_example),
    )


def _create_operation(view: DescribedResource) -> Operation:
    return Operation(
        f"create{view.resource.capitalize()}",
        view.summaries.create,
        view.record_schema,
        description=view.create_description,
        status=201,
        headers=("Location", REPLAY_HEADER, *_record_headers(view)),
        request_headers=(KEY_HEADER,),
        example=_write_example(view),
        body=RequestBody(f"New{view.resource.capitalize()}", view.takes_files, _example(view, f"new-{view.resource}")),
    )


def _read_operation(view: DescribedResource) -> Operation:
    return Operation(
        _operation_id(view, "get"),
        _summary(view, view.summaries.get),
        view.record_schema,
        description=_("Returns one record."),
        authentication=Authentication.OPTIONAL if view.has_restricted_records else Authentication.NONE,
        headers=_record_headers(view),
        request_headers=("If-None-Match",),
        example=_example(view, view.resource),
    )


def _update_operation(view: DescribedResource, method: str) -> Operation:
    # PATCH is the method of HTTP for this; the others are for clients of the contract.
    is_standard = method == "PATCH"
    summary = _summary(view, view.summaries.update)
    return Operation(
        _operation_id(view, "update") + ("" if is_standard else f"With{method.capitalize()}"),
        summary if is_standard else f"{summary} ({method})",
        view.record_schema,
        description=_(
            "Updates the fields that you send and leaves all others unchanged. POST, PUT and PATCH do the same."
        ),
        headers=(REPLAY_HEADER, *_record_headers(view)),
        request_headers=(KEY_HEADER, *PRECONDITION_HEADERS),
        example=_write_example(view),
        body=RequestBody(
            f"{view.resource.capitalize()}Changes", view.takes_files, _example(view, f"{view.resource}-changes")
        ),
    )


def _delete_operation(view: DescribedResource) -> Operation:
    return Operation(
        _operation_id(view, "delete"),
        _summary(view, view.summaries.delete),
        view.record_schema,
        description=view.delete_description,
        headers=(REPLAY_HEADER, *COMMON_HEADERS),
        request_headers=(KEY_HEADER, *PRECONDITION_HEADERS),
    )


def _record_headers(view: DescribedResource) -> tuple[str, ...]:
    """Return the headers of a response with one current record. Only content has a modification time."""
    modified = ("Last-Modified",) if view.has_restricted_records else ()
    return ("ETag", *modified, *COMMON_HEADERS)


def _operation_id(view: DescribedResource, verb: str) -> str:
    return f"{verb}{view.resource.capitalize()}{'BySlug' if view.by_slug else ''}"


def _summary(view: DescribedResource, summary: Text) -> Text:
    return _("%(summary)s (by slug)") % {"summary": summary} if view.by_slug else summary


def _example(view: DescribedResource, name: str) -> Example:
    return Example(name, view.examples[name])


def _write_example(view: DescribedResource) -> Example:
    """Return the response of a write, which is the response of a read without `json_ld`."""
    record = _without_json_ld(view.examples[view.resource])
    return Example(f"written-{view.resource}", record)


def _without_json_ld(value: Any) -> Any:
    """Return a record without its `json_ld` and those of its linked records."""
    if isinstance(value, list):
        return [_without_json_ld(item) for item in value]
    if isinstance(value, dict):
        return {name: _without_json_ld(item) for name, item in value.items() if name != "json_ld"}
    return value
