"""The resources over HTTP: lists, records by id and by slug, and writes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy
from rest_framework.response import Response
from rest_framework.viewsets import ViewSetMixin

from calendar_site.api.errors import (
    CannotEditOthers,
    ContractError,
    InTrash,
    NameNeeded,
    NotAccessible,
    PageNotFound,
    UnknownRecord,
)
from calendar_site.api.filters import ContractFilterSet, LinkedFilterSet
from calendar_site.api.input import InputSerializer, brings_pictures
from calendar_site.api.operations import WRITES, DescribedRecords
from calendar_site.api.pagination import Page, envelope, list_headers
from calendar_site.api.permissions import METHODS, RIGHTS, ContractPermission, may_act
from calendar_site.api.selection import Selection
from calendar_site.api.shapes import as_many
from calendar_site.api.views import ContractView
from calendar_site.content import rules
from calendar_site.content.choices import Status
from calendar_site.content.loading import load_extras
from calendar_site.content.saving import create_named, save_content, trash_named
from calendar_site.content.statements import rows_by_id, total
from calendar_site.content.transactions import writing

LONGEST_ID = 19
# What a record may be known by, and what only a single read answers: sent back, neither is a typing error.
OF_RECORDS = {"id", "slug", "json_ld"}

Records = list[dict[str, Any]]


class RecordViewSet(DescribedRecords, ViewSetMixin, ContractView):
    """One resource. A subclass names its parts; writes are its three methods at the end."""

    # The columns that answers read, as a named tuple.
    row_type: ClassVar[Any]
    filterset_class: ClassVar[type[ContractFilterSet]]
    input_class: ClassVar[type[InputSerializer]]
    # The arguments of reading and deleting one record.
    item_input_class: ClassVar[type[InputSerializer]] = InputSerializer
    represent: ClassVar[Callable[..., dict[str, Any]]]
    has_slug_routes: ClassVar[bool] = False
    permission_classes = [ContractPermission]
    # The row in question, once it is found.
    row: Any = None

    # --- Reading

    def rows(self) -> Any:
        return self.model._default_manager.all()

    def list(self, request: Any, **path: Any) -> Response:
        filterset = self.filterset_class(self.arguments, self.rows(), request=request)
        found = filterset.apply()
        page = Page(filterset.given.get("page", 1), filterset.per_page_used, total(found))
        self.refuse_page(page)
        records: Records = []
        # A number of a page may lead to an offset that no database can count to.
        if self.selection.wants(self.collection) and not page.is_beyond:
            rows = self.rows_on(page, found)
            records = self.records(rows, self.selection.within(self.collection))
        address = f"{self.links.api}/{self.collection}"
        arguments = filterset.in_force() | self.selection.in_force()
        self.note_ignored(filterset.base_filters)
        body = envelope(self.collection, records, page, address, arguments)
        return Response(self.selection.cut(body), headers=list_headers(page, address, arguments))

    def rows_on(self, page: Page, found: Any) -> Iterable[Any]:
        """What answers read of the records on this page of `found`."""
        return map(self.row_type._make, found.values_list(*self.row_type._fields)[page.rows])

    def refuse_page(self, page: Page) -> None:
        """Raises where the list has no such page. The contract lets lists of terms run out into empty pages."""

    def records(self, rows: Iterable[Any], wanted: Selection) -> Records:
        """The rows as the contract answers them; what is not `wanted` need not be loaded."""
        return [type(self).represent(row, self.links) for row in rows]

    def retrieve(self, request: Any, **path: Any) -> Response:
        self.row = self.find()
        self.check_readable(self.row)
        fields = self._check_item_arguments()
        record = self.record_of(self.row)
        self.add_structured(record)
        self._note_ignored_of_record(fields, record)
        return Response(self.selection.cut(record))

    def find(self) -> Any:
        """The row that the address names. Raises UnknownRecord."""
        pk = self.kwargs["id"]
        row = self.rows().filter(pk=pk).first() if len(pk) <= LONGEST_ID else None
        if row is None:
            raise UnknownRecord(self.kind)
        return row

    def check_readable(self, row: Any) -> None:
        """Raises where the caller may not read the row."""

    def record_of(self, row: Any) -> dict[str, Any]:
        return self.records([row], self.selection)[0]

    def add_structured(self, record: dict[str, Any]) -> None:
        """Adds `json_ld` to the answer of a single read, where the resource has it."""

    # --- Writing

    def create(self, request: Any, **path: Any) -> Response:
        self._take_pictures_in(None)
        with writing():
            row = self._write(None, self.create_row)
        return self._answer_written(row, status=201)

    def update(self, request: Any, **path: Any) -> Response:
        if brings_pictures(self.arguments):
            row = self.find()
            self.check_object_permissions(request, row)
            self._take_pictures_in(row)
        with writing():
            self.row = self.find()
            self.check_object_permissions(request, self.row)
            self._write(self.row, self.update_row)
        return self._answer_written(self.row, status=200)

    def destroy(self, request: Any, **path: Any) -> Response:
        with writing():
            self.row = self.find()
            self.check_object_permissions(request, self.row)
            self.check_deletable(self.row)
            fields = self._check_item_arguments()
            record = self.remove_row(self.row)
        self._note_ignored_of_record(fields, record)
        return Response(self.selection.cut(record))

    def check_deletable(self, row: Any) -> None:
        """Raises where the state of the row is against it."""

    def input_of(self, row: Any) -> InputSerializer:
        user = self.request.user
        context = {
            "user": user,
            "may_act_for_others": rules.can_edit_others(user, self.model),
            "links": self.links,
            "pictures": self.pictures,
        }
        return self.input_class(row, data=self.arguments, context=context)

    @cached_property
    def pictures(self) -> dict[Any, Any]:
        """The pictures that this request has brought, by their addresses."""
        return {}

    def _take_pictures_in(self, row: Any) -> None:
        """Checks arguments that bring pictures before the write begins, so that nobody waits for another site."""
        if brings_pictures(self.arguments):
            self.input_of(row).check()

    def _write(self, row: Any, write: Callable[[dict[str, Any]], Any]) -> Any:
        given = self.input_of(row)
        try:
            return write(given.check())
        except ValidationError as error:
            raise given.in_contract_names(error) from error

    def _answer_written(self, row: Any, status: int) -> Response:
        # Read again, so that it is the very answer of a read.
        self.row = self.rows().filter(pk=row.pk).first()
        if self.row is None:
            # Somebody has deleted it meanwhile.
            raise UnknownRecord(self.kind)
        record = self.record_of(self.row)
        self._note_ignored_of_record(self.input_class().fields, record)
        self.ignored += tuple(_ignored_within(self.arguments, record))
        return Response(self.selection.cut(record), status=status)

    def create_row(self, fields: dict[str, Any]) -> Any:
        raise NotImplementedError

    def update_row(self, fields: dict[str, Any]) -> Any:
        raise NotImplementedError

    def remove_row(self, row: Any) -> dict[str, Any]:
        """Removes the row and answers its record."""
        raise NotImplementedError

    # --- What this address is

    def _check_item_arguments(self) -> Iterable[str]:
        given = self.item_input_class(self.row, data=self.arguments)
        given.check()
        return given.fields

    def _note_ignored_of_record(self, *known: Iterable[str]) -> None:
        """The same about a record. What the answer has is no typing error, so it is not named."""
        self.note_ignored(*known, OF_RECORDS)

    def methods_allowed(self) -> Iterable[str]:
        return [method for method in self.methods() if self._may_use(method)]

    def _may_use(self, method: str) -> bool:
        if method == "GET":
            return True
        if not self.detail:
            return rules.can_create(self.request.user, self.model)
        action = METHODS[method]
        if self.row is None:
            return rules.may(self.request.user, RIGHTS[action], self.model)
        return may_act(self.request.user, action, self.row)


def _ignored_within(arguments: dict[str, Any], record: dict[str, Any]) -> dict[str, None]:
    """What meant nothing in the data of linked records, as in `venue[citty]`: the answer's have no such key."""
    ignored: dict[str, None] = {}
    for name, given in arguments.items():
        linked = [item for item in as_many(record.get(name)) if isinstance(item, dict) and "id" in item]
        if linked:
            known = OF_RECORDS.union(*linked)
            sent = [item for item in as_many(given) if isinstance(item, dict)]
            ignored |= {f"{name}[{key}]": None for item in sent for key in item if key not in known}
    return ignored


class ContentViewSet(RecordViewSet):
    """Events, venues and organizers: with a status, a trash, and addresses by slug."""

    has_slug_routes = True
    takes_files = True
    deleting = gettext_lazy(
        "Puts the record into the trash, and answers it. An update that sets another status takes it out again."
    )
    structured: ClassVar[Callable[[dict[str, Any]], dict[str, Any]]]

    def rows_on(self, page: Page, found: Any) -> Iterable[Any]:
        # An index says which they are; only they are read from the table.
        return rows_by_id(self.model, self.row_type, list(found.values_list("pk", flat=True)[page.rows]))

    def records(self, rows: Iterable[Any], wanted: Selection) -> Records:
        rows = list(rows)
        extras = load_extras(rows, wanted.wants)
        return [type(self).represent(row, self.links, extras) for row in rows]

    def refuse_page(self, page: Page) -> None:
        if page.is_beyond:
            raise PageNotFound(self.kind)

    def find(self) -> Any:
        if not self.by_slug:
            return super().find()
        slug = self.kwargs["slug"]
        # What is in the trash has given its slug away. No text of a database has NUL in it.
        row = self.rows().outside_trash().filter(slug=slug).first() if "\0" not in slug else None
        if row is None:
            raise UnknownRecord(self.kind)
        return row

    def check_readable(self, row: Any) -> None:
        if not rules.can_read(self.request.user, row):
            raise NotAccessible(self.kind)

    def check_deletable(self, row: Any) -> None:
        if row.status == Status.TRASH:
            raise InTrash(self.kind)

    def record_of(self, row: Any) -> dict[str, Any]:
        # `json_ld` is made of the whole record.
        wanted = Selection() if self.selection.wants("json_ld") else self.selection
        return self.records([row], wanted)[0]

    def add_structured(self, record: dict[str, Any]) -> None:
        if self.selection.wants("json_ld"):
            record["json_ld"] = type(self).structured(record)

    def errors_of(self, method: str) -> list[ContractError]:
        errors = super().errors_of(method)
        if method in WRITES:
            errors.append(CannotEditOthers())
        elif method == "GET":
            errors.append(NotAccessible(self.kind) if self.detail else PageNotFound(self.kind))
        elif not self.by_slug:
            # What is in the trash has no slug.
            errors.append(InTrash(self.kind))
        return errors

    def remove_row(self, row: Any) -> dict[str, Any]:
        return self.record_of(self.trash(row))

    def trash(self, row: Any) -> Any:
        """The row in the trash."""
        raise NotImplementedError


class NamedViewSet(ContentViewSet):
    """Venues and organizers: a known name in a create answers the record there is."""

    filterset_class = LinkedFilterSet

    def errors_of(self, method: str) -> list[ContractError]:
        is_create = method == "POST" and not self.detail
        return super().errors_of(method) + ([NameNeeded(self.kind)] if is_create else [])

    def create_row(self, fields: dict[str, Any]) -> Any:
        return create_named(self.model, fields, self.request.user)

    def update_row(self, fields: dict[str, Any]) -> Any:
        return save_content(self.row, fields, self.request.user)

    def trash(self, row: Any) -> Any:
        return trash_named(row, self.request.user)
