"""What each method of an endpoint does, takes and returns, and its errors: declared by the views."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

from django.utils.translation import gettext_lazy as _

from calendar_site.api.description.arguments import Argument, Arguments, describe_fields, describe_filters
from calendar_site.api.description.components import Component, JSONSchema, list_component
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
    RecordNotFound,
    RouteNotFound,
    TooManyRequests,
)

WRITE_METHODS = ("POST", "PUT", "PATCH")
COMMON_HEADERS = ("Link", "X-Ignored-Fields")
ID_IN_PATH = Argument(
    {"type": "integer", "minimum": 1}, _("The id of the record, as its address has it."), is_required=True
)
SLUG_IN_PATH = Argument(
    {"type": "string", "minLength": 1}, _("The slug of the record, as its address has it."), is_required=True
)


class Example(NamedTuple):
    """A real request or response, with its name in the document."""

    name: str
    value: Any


class RequestBody(NamedTuple):
    """A request's body, apart from its fields."""

    name: str
    takes_files: bool
    example: Example | None = None


class Operation(NamedTuple):
    """What a method of an endpoint does, and its successful response."""

    id: str
    summary: Any
    schema: Component | JSONSchema
    description: Any = ""
    status: int = 200
    headers: tuple[str, ...] = COMMON_HEADERS
    example: Example | None = None
    body: RequestBody | None = None
    # Whether browsers get HTML in the place of JSON.
    is_page: bool = False


class DescribedView:
    """An endpoint that describes itself, for index and document."""

    # The heading of its operations in the document, and the text below the heading.
    tag: ClassVar[str] = "api"
    tag_description: ClassVar[Any] = _("What the API consists of.")

    def get_path_arguments(self) -> Arguments:
        """Return the arguments in the path."""
        return {}

    def get_arguments(self, method: str) -> Arguments:
        """Return the other arguments of `method`, in the query or in the body."""
        return {}

    def get_operation(self, method: str) -> Operation:
        raise NotImplementedError

    def get_errors(self, method: str) -> list[ContractError]:
        """Return the errors that `method` may respond with, each as an example of itself."""
        return [InvalidBody(), BodyTooLarge(), IncorrectPassword(), TooManyRequests()]


class DescribedViewSet(DescribedView):
    """The endpoints of a resource: its list, and its records by id and by slug."""

    # The plural name in the path, such as `venues`, and the singular one, such as `venue`.
    collection: ClassVar[str]
    resource: ClassVar[str]
    model: ClassVar[Any]
    filterset_class: ClassVar[Any]
    serializer_class: Any
    # Reads the arguments of a read or a delete of one record.
    item_serializer_class: ClassVar[Any]
    record_schema: ClassVar[Component]
    # Real requests and responses by their names, such as `event`, `events` and `new-event`.
    examples: ClassVar[dict[str, Any]]
    takes_files: ClassVar[bool] = False
    delete_description: ClassVar[Any] = _("Deletes the record for good, and answers it as it was.")
    # Set by the router.
    detail: bool
    by_slug: bool = False

    @property
    def tag(self) -> str:  # type: ignore[override] # the collection is no second name to keep up to date
        return self.collection

    def get_path_arguments(self) -> Arguments:
        if not self.detail:
            return {}
        return {"slug": SLUG_IN_PATH} if self.by_slug else {"id": ID_IN_PATH}

    def get_arguments(self, method: str) -> Arguments:
        if method in WRITE_METHODS:
            return describe_fields(self.serializer_class(self.model() if self.detail else None))
        return describe_fields(self.item_serializer_class()) if self.detail else describe_filters(self.filterset_class)

    def get_operation(self, method: str) -> Operation:
        if not self.detail:
            return self._list_operation() if method == "GET" else self._create_operation()
        if method == "GET":
            return self._read_operation()
        return self._update_operation(method) if method in WRITE_METHODS else self._delete_operation()

    def get_errors(self, method: str) -> list[ContractError]:
        errors = super().get_errors(method)
        if method != "GET":
            errors += [NotAuthenticated(), Forbidden(), InvalidNonce(), Busy()]
        if method in WRITE_METHODS:
            errors.append(InvalidJSON())
        if self.detail:
            # `NoRoute` where the path has an id or slug that no record can have.
            errors += [RecordNotFound(self.resource), RouteNotFound()]
        elif method == "POST":
            arguments = self.get_arguments(method)
            errors.append(MissingParams(name for name, argument in arguments.items() if argument.is_required))
            # Where somebody deletes the record before the response is made.
            errors.append(RecordNotFound(self.resource))
        return errors + self._invalid_params(method)

    def _invalid_params(self, method: str) -> list[ContractError]:
        """Return the error for invalid arguments, with one as an example; none where no argument can be invalid."""
        if not self.detail and method == "GET":
            return [InvalidParams({"page": _("This is not a whole number.")})]
        if method in WRITE_METHODS:
            names = [name for name, field in self.serializer_class().fields.items() if field.required]
        else:
            names = list(self.get_arguments(method))
        return [InvalidParams({names[0]: _("This may not be empty.")})] if names else []

    def _list_operation(self) -> Operation:
        return Operation(
            f"list_{self.collection}",
            _("List records"),
            list_component(self.collection, self.record_schema),
            headers=("X-TEC-Total", "X-TEC-TotalPages", *COMMON_HEADERS),
            example=self._example(self.collection),
        )

    def _create_operation(self) -> Operation:
        return Operation(
            f"create_{self.resource}",
            _("Create a record"),
            self.record_schema,
            status=201,
            example=self._write_example(),
            body=RequestBody(
                f"New{self.resource.capitalize()}", self.takes_files, self._example(f"new-{self.resource}")
            ),
        )

    def _read_operation(self) -> Operation:
        return Operation(
            self._operation_id("read"), _("Read a record"), self.record_schema, example=self._example(self.resource)
        )

    def _update_operation(self, method: str) -> Operation:
        return Operation(
            self._operation_id("update", "" if method == "POST" else method.lower()),
            _("Update a record"),
            self.record_schema,
            description=_("Changes what is sent and leaves alone what is not. POST, PUT and PATCH do the same."),
            example=self._write_example(),
            body=RequestBody(f"{self.resource.capitalize()}Changes", self.takes_files),
        )

    def _delete_operation(self) -> Operation:
        return Operation(
            self._operation_id("delete"),
            _("Delete a record"),
            self.record_schema,
            description=self.delete_description,
        )

    def _operation_id(self, verb: str, method: str = "") -> str:
        parts = (verb, self.resource, "by_slug" if self.by_slug else "", f"with_{method}" if method else "")
        return "_".join(filter(None, parts))

    def _example(self, name: str) -> Example:
        return Example(name, self.examples[name])

    def _write_example(self) -> Example:
        """Return the response of a write: that of a read, without `json_ld`."""
        record = {name: value for name, value in self.examples[self.resource].items() if name != "json_ld"}
        return Example(f"written-{self.resource}", record)
