"""What the methods of an address do, take, answer and refuse: said by the views, for index and document."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

from django.utils.translation import gettext_lazy as _

from calendar_site.api.components import Component, list_of
from calendar_site.api.errors import (
    BodyTooLarge,
    Busy,
    ContractError,
    Forbidden,
    IncorrectPassword,
    InvalidJSON,
    InvalidNonce,
    InvalidParams,
    MissingParams,
    NoRoute,
    NotSignedIn,
    TooManyRequests,
    UnknownRecord,
    UnreadableBody,
)
from calendar_site.api.schema import Argument, Arguments, describe_fields, describe_filters

WRITES = ("POST", "PUT", "PATCH")
EVERYWHERE = ("Link", "X-Ignored-Fields")
ID_IN_PATH = Argument(
    {"type": "integer", "minimum": 1}, _("The id of the record, as its address has it."), is_required=True
)
SLUG_IN_PATH = Argument(
    {"type": "string", "minLength": 1}, _("The slug of the record, as its address has it."), is_required=True
)


class Example(NamedTuple):
    """A real request or answer, with its name in the document."""

    name: str
    value: Any


class Body(NamedTuple):
    """What is known of a request's body beside its fields."""

    name: str
    takes_files: bool
    example: Example | None = None


class Operation(NamedTuple):
    """What a method of an address does, in words, and what it answers."""

    id: str
    summary: Any
    schema: Any
    description: Any = ""
    status: int = 200
    headers: tuple[str, ...] = EVERYWHERE
    example: Example | None = None
    body: Body | None = None
    # Beside JSON.
    is_page: bool = False


class Described:
    """An address that says what it is."""

    # Under which heading the document has it, and what the heading says.
    heading: ClassVar[str] = "api"
    about: ClassVar[Any] = _("What the API consists of.")

    def path_arguments(self) -> Arguments:
        """What the address itself says."""
        return {}

    def arguments_of(self, method: str) -> Arguments:
        """What `method` takes beside that, in the query or in the body."""
        return {}

    def operation_of(self, method: str) -> Operation:
        raise NotImplementedError

    def errors_of(self, method: str) -> list[ContractError]:
        """What `method` may answer instead, each error as an example of itself."""
        return [UnreadableBody(), BodyTooLarge(), IncorrectPassword(), TooManyRequests()]


class DescribedRecords(Described):
    """The addresses of a resource: its list, and its records by id and by slug."""

    collection: ClassVar[str]
    kind: ClassVar[str]
    model: ClassVar[Any]
    filterset_class: ClassVar[Any]
    input_class: ClassVar[Any]
    item_input_class: ClassVar[Any]
    # What a record is made of, and real requests and answers: `event`, `events` and `new-event`.
    record_schema: ClassVar[Component]
    examples: ClassVar[dict[str, Any]]
    takes_files: ClassVar[bool] = False
    deleting: ClassVar[Any] = _("Deletes the record for good, and answers it as it was.")
    # Set by the router.
    detail: bool
    by_slug: bool = False

    @property
    def heading(self) -> str:  # type: ignore[override] # no second name for it
        return self.collection

    def path_arguments(self) -> Arguments:
        if not self.detail:
            return {}
        return {"slug": SLUG_IN_PATH} if self.by_slug else {"id": ID_IN_PATH}

    def arguments_of(self, method: str) -> Arguments:
        if not self.detail:
            return describe_filters(self.filterset_class) if method == "GET" else describe_fields(self.input_class())
        return describe_fields(self.input_class(self.model()) if method in WRITES else self.item_input_class())

    def operation_of(self, method: str) -> Operation:
        if not self.detail:
            return self._listing() if method == "GET" else self._creating()
        if method == "GET":
            return self._reading()
        return self._updating(method) if method in WRITES else self._deleting()

    def errors_of(self, method: str) -> list[ContractError]:
        errors = super().errors_of(method)
        if method != "GET":
            errors += [NotSignedIn(), Forbidden(), InvalidNonce(), Busy()]
        if method in WRITES:
            errors.append(InvalidJSON())
        if self.detail:
            # The second where the address holds what can be no id and no slug.
            errors += [UnknownRecord(self.kind), NoRoute()]
        elif method == "POST":
            errors.append(MissingParams(name for name, given in self.arguments_of(method).items() if given.is_required))
            # Deleted by another before it was answered.
            errors.append(UnknownRecord(self.kind))
        return errors + self._faults(method)

    def _faults(self, method: str) -> list[ContractError]:
        """The refusal of arguments, with one that is wrong; none where nothing can be."""
        if not self.detail and method == "GET":
            return [InvalidParams({"page": _("This is not a whole number.")})]
        names = [name for name, field in self.input_class().fields.items() if field.required]
        if method not in WRITES:
            names = list(self.arguments_of(method))
        return [InvalidParams({names[0]: _("This may not be empty.")})] if names else []

    def _listing(self) -> Operation:
        return Operation(
            f"list_{self.collection}",
            _("List records"),
            list_of(self.collection, self.record_schema),
            headers=("X-TEC-Total", "X-TEC-TotalPages", *EVERYWHERE),
            example=self._example(self.collection),
        )

    def _creating(self) -> Operation:
        return Operation(
            f"create_{self.kind}",
            _("Create a record"),
            self.record_schema,
            status=201,
            example=self._written_example(),
            body=Body(f"New{self.kind.capitalize()}", self.takes_files, self._example(f"new-{self.kind}")),
        )

    def _reading(self) -> Operation:
        return Operation(self._id("read"), _("Read a record"), self.record_schema, example=self._example(self.kind))

    def _updating(self, method: str) -> Operation:
        return Operation(
            self._id("update", "" if method == "POST" else method.lower()),
            _("Update a record"),
            self.record_schema,
            description=_("Changes what is sent and leaves alone what is not. POST, PUT and PATCH do the same."),
            example=self._written_example(),
            body=Body(f"{self.kind.capitalize()}Changes", self.takes_files),
        )

    def _deleting(self) -> Operation:
        return Operation(self._id("delete"), _("Delete a record"), self.record_schema, description=self.deleting)

    def _id(self, verb: str, suffix: str = "") -> str:
        parts = (verb, self.kind, "by_slug" if self.by_slug else "", f"with_{suffix}" if suffix else "")
        return "_".join(filter(None, parts))

    def _example(self, name: str) -> Example:
        return Example(name, self.examples[name])

    def _written_example(self) -> Example:
        """What a write of the record answers: what reading it answers, but for what is only there."""
        written = {name: value for name, value in self.examples[self.kind].items() if name != "json_ld"}
        return Example(f"written-{self.kind}", written)
