"""The resources over HTTP: lists, records by id and by slug, and writes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.db.models import Model, QuerySet
from django.utils.translation import gettext_lazy
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from calendar_site.api.description.operations import WRITE_METHODS, DescribedViewSet
from calendar_site.api.errors import (
    AlreadyTrashed,
    Busy,
    CannotEditOthers,
    ContractError,
    InvalidParams,
    NameRequired,
    NotAccessible,
    PageNotFound,
    RecordNotFound,
)
from calendar_site.api.filters import ContractFilterSet, LinkedFilterSet
from calendar_site.api.images import has_uploads, prepare_images
from calendar_site.api.loading import load_content_relations
from calendar_site.api.pagination import Page, envelope, list_headers
from calendar_site.api.permissions import ACTIONS_OF_METHODS, MODEL_PERMISSIONS, ContractPermission, can_act
from calendar_site.api.selection import Selection
from calendar_site.api.serializers import ContractSerializer
from calendar_site.api.shapes import to_list
from calendar_site.api.views import ContractView
from calendar_site.audit.record_services import ContentServices, RecordServices
from calendar_site.content.services import get_or_create_by_name
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.core.compiled_queries import count_rows, fetch_by_ids
from calendar_site.core.write_lock import write_lock

# A longer number is no id that a database has.
MAX_ID_DIGITS = 19
# Keys that no write takes, but that a record may have when it is sent back: they are no typing errors.
RECORD_KEYS = {"id", "slug", "json_ld"}

# TypedDicts of the apps.
Record = Mapping[str, Any]


class RecordViewSet(DescribedViewSet, ContractView, GenericViewSet):
    """One resource, declared by the attributes of a subclass."""

    # The columns that responses need, as a named tuple.
    row_type: ClassVar[Any]
    services: ClassVar[RecordServices[Any]]
    filterset_class: ClassVar[type[ContractFilterSet]]
    serializer_class: type[ContractSerializer]
    item_serializer_class: ClassVar[type[ContractSerializer]] = ContractSerializer
    represent: ClassVar[Callable[..., Any]]
    has_slug_routes: ClassVar[bool] = False
    permission_classes = [ContractPermission]
    # The record of the request, once it is loaded.
    row: Any = None

    # --- Reads

    def get_queryset(self) -> QuerySet[Any]:
        return self.model._default_manager.all()

    def list(self, request: Request, **path: str) -> Response:
        filterset = self.filterset_class(self.arguments, self.get_queryset(), request=request)
        if not filterset.is_valid():
            raise InvalidParams.from_lists(filterset.errors)
        rows = filterset.qs
        page = Page(filterset.get("page", 1), filterset.page_size, count_rows(rows))
        self.check_page(page)
        records: Sequence[Record] = []
        # Past the last page, the offset may be a number that no database takes.
        if self.selection.includes(self.collection) and not page.is_beyond:
            records = self.records(self.load_page(rows, page), self.selection.within(self.collection))
        url = f"{self.urls.api}/{self.collection}"
        arguments = filterset.link_arguments() | self.selection.link_arguments()
        self.ignore_arguments_except(filterset.filters)
        body = envelope(self.collection, records, page, url, arguments)
        return Response(self.selection.apply(body), headers=list_headers(page, url, arguments))

    def load_page(self, rows: QuerySet[Any], page: Page) -> Iterable[Any]:
        """Return the rows on this page, with the columns of `row_type`."""
        return map(self.row_type._make, rows.values_list(*self.row_type._fields)[page.rows])

    def check_page(self, page: Page) -> None:
        """Raise PageNotFound for a page past the last one. In the contract, such pages of terms are empty."""

    def records(self, rows: Iterable[Any], selection: Selection) -> Sequence[Record]:
        """Return the records of the rows. What the selection leaves out need not be loaded."""
        return [type(self).represent(row, self.urls) for row in rows]

    def retrieve(self, request: Request, **path: str) -> Response:
        self.row = self.get_object()
        self.check_readable(self.row)
        known = self._validate_item_arguments()
        record = self.single_record(self.row)
        self.add_json_ld(record)
        self.ignore_arguments_except(known, record, RECORD_KEYS)
        return Response(self.selection.apply(record))

    def get_object(self) -> Any:
        """Return the row that the path names. Raises RecordNotFound, and the errors of the permission."""
        row = self.find_row()
        if row is None:
            raise RecordNotFound(self.resource)
        self.check_object_permissions(self.request, row)
        return row

    def find_row(self) -> Model | None:
        pk = self.kwargs["id"]
        return self.get_queryset().filter(pk=pk).first() if len(pk) <= MAX_ID_DIGITS else None

    def check_readable(self, row: Any) -> None:
        """Raise an error where the user may not read the row."""

    def single_record(self, row: Any) -> Record:
        return self.records([row], self.selection)[0]

    def add_json_ld(self, record: Any) -> None:
        """Add `json_ld` to the response of a single read, where the resource has it."""

    # --- Writes

    def create(self, request: Request, **path: str) -> Response:
        return self._respond_with_saved(self._write(self.perform_create), status=201)

    def update(self, request: Request, **path: str) -> Response:
        return self._respond_with_saved(self._write(self.perform_update), status=200)

    def destroy(self, request: Request, **path: str) -> Response:
        with write_lock():
            self.row = self.get_object()
            self.check_deletable(self.row)
            known = self._validate_item_arguments()
            record = self.perform_destroy(self.row)
        self.ignore_arguments_except(known, record, RECORD_KEYS)
        return Response(self.selection.apply(record))

    def perform_create(self, changes: Any) -> Any:
        """Create a row, or find the one that a create returns in its place."""
        return self.services.save(self.model(), changes=changes, user=self.request.user)

    def perform_update(self, changes: Any) -> Any:
        return self.services.save(self.row, changes=changes, user=self.request.user)

    def perform_destroy(self, row: Any) -> Record:
        """Delete the row and return its record."""
        raise NotImplementedError

    def check_deletable(self, row: Any) -> None:
        """Raise an error where the state of the row forbids deleting it."""

    def _write(self, perform: Callable[[Any], Any]) -> Any:
        """Validate the arguments and save them, once each.

        Both happen under one write lock, so that what validation found is still there. If images must be fetched in
        between, the lock is released meanwhile, and the row is loaded again.
        """
        with write_lock():
            serializer: Any = self.get_serializer(self._load_row(), data=self.arguments, partial=self.detail)
            serializer.is_valid(raise_exception=True)
            changes = serializer.validated_data
            if not has_uploads(changes):
                return self._save(serializer, changes, perform)
        changes = prepare_images(changes, serializer.names_by_source)
        try:
            with write_lock():
                self._load_row()
                return self._save(serializer, changes, perform)
        except IntegrityError as error:
            # Somebody deleted a linked record in between; the next try will say which.
            raise Busy from error

    def _load_row(self) -> Any:
        """Load the row of an update; None for a create."""
        self.row = self.get_object() if self.detail else None
        return self.row

    def _save(self, serializer: Any, changes: Any, perform: Callable[[Any], Any]) -> Any:
        try:
            return perform(changes)
        except ValidationError as error:
            raise serializer.to_contract_error(error) from error

    def get_serializer_context(self) -> dict[str, Any]:
        user = self.request.user
        return {
            "user": user,
            "can_act_for_others": permissions.can_edit_others(user, self.model),
            "urls": self.urls,
        }

    def _respond_with_saved(self, row: Any, status: int) -> Response:
        # Loaded again, so that the response is that of a read.
        self.row = self.get_queryset().filter(pk=row.pk).first()
        if self.row is None:
            # Somebody has deleted it in the meantime.
            raise RecordNotFound(self.resource)
        record = self.single_record(self.row)
        self.ignore_arguments_except(self.serializer_class().fields, record, RECORD_KEYS)
        self.ignored_arguments += tuple(_ignored_in_linked_records(self.arguments, record))
        return Response(self.selection.apply(record), status=status)

    # --- Both

    def _validate_item_arguments(self) -> Iterable[str]:
        """Validate the arguments of a read or a delete, and return their names."""
        serializer = self.item_serializer_class(self.row, data=self.arguments, partial=True)
        serializer.is_valid(raise_exception=True)
        return serializer.fields

    def methods_of_user(self) -> Iterable[str]:
        return [method for method in self.documented_methods() if self._is_allowed(method)]

    def _is_allowed(self, method: str) -> bool:
        if method == "GET":
            return True
        if not self.detail:
            return permissions.can_create(self.request.user, self.model)
        action = ACTIONS_OF_METHODS[method]
        if self.row is None:
            return permissions.has_model_permission(self.request.user, MODEL_PERMISSIONS[action], self.model)
        return can_act(self.request.user, action, self.row)


def _ignored_in_linked_records(arguments: dict[str, Any], record: Record) -> dict[str, None]:
    """Return the ignored arguments in the data of linked records, such as `venue[citty]`: keys that no record has."""
    ignored: dict[str, None] = {}
    for name, argument in arguments.items():
        linked = [item for item in to_list(record.get(name)) if isinstance(item, dict) and "id" in item]
        if linked:
            known = RECORD_KEYS.union(*linked)
            items = [item for item in to_list(argument) if isinstance(item, dict)]
            ignored |= {f"{name}[{key}]": None for item in items for key in item if key not in known}
    return ignored


class ContentViewSet(RecordViewSet):
    """Events, venues and organizers, which have a status, a trash, and routes by slug."""

    services: ClassVar[ContentServices[Any]]
    has_slug_routes = True
    takes_files = True
    delete_description = gettext_lazy(
        "Puts the record into the trash, and answers it. An update that sets another status takes it out again."
    )
    represent_json_ld: ClassVar[Callable[..., dict[str, Any]]]

    def load_page(self, rows: QuerySet[Any], page: Page) -> Iterable[Any]:
        # An index has the ids of the page; only these rows are read from the table.
        return fetch_by_ids(self.model, self.row_type, list(rows.values_list("pk", flat=True)[page.rows]))

    def records(self, rows: Iterable[Any], selection: Selection) -> Sequence[Record]:
        rows = list(rows)
        relations = load_content_relations(rows, selection.includes)
        return [type(self).represent(row, self.urls, relations) for row in rows]

    def check_page(self, page: Page) -> None:
        if page.is_beyond:
            raise PageNotFound(self.resource)

    def find_row(self) -> Model | None:
        if not self.by_slug:
            return super().find_row()
        slug = self.kwargs["slug"]
        # Trashed records have given their slug away. No text in a database contains NUL.
        rows: Any = self.get_queryset()
        return rows.not_trashed().filter(slug=slug).first() if "\0" not in slug else None

    def check_readable(self, row: Any) -> None:
        if not permissions.can_read(self.request.user, row):
            raise NotAccessible(self.resource)

    def check_deletable(self, row: Any) -> None:
        if row.status == Status.TRASH:
            raise AlreadyTrashed(self.resource)

    def single_record(self, row: Any) -> Record:
        # `json_ld` is made of the whole record.
        selection = Selection() if self.selection.includes("json_ld") else self.selection
        return self.records([row], selection)[0]

    def add_json_ld(self, record: Any) -> None:
        if self.selection.includes("json_ld"):
            record["json_ld"] = type(self).represent_json_ld(record)

    def get_errors(self, method: str) -> list[ContractError]:
        errors = super().get_errors(method)
        if method in WRITE_METHODS:
            errors.append(CannotEditOthers())
        elif method == "GET":
            errors.append(NotAccessible(self.resource) if self.detail else PageNotFound(self.resource))
        elif not self.by_slug:
            # Trashed records have no slug.
            errors.append(AlreadyTrashed(self.resource))
        return errors

    def perform_destroy(self, row: Any) -> Record:
        return self.single_record(self.services.trash(row, user=self.request.user))


class LinkedContentViewSet(ContentViewSet):
    """Venues and organizers. A create with a known name returns the record of that name."""

    filterset_class = LinkedFilterSet

    def get_errors(self, method: str) -> list[ContractError]:
        is_create = method == "POST" and not self.detail
        return super().get_errors(method) + ([NameRequired(self.resource)] if is_create else [])

    def perform_create(self, changes: Any) -> Any:
        return get_or_create_by_name(self.model, changes=changes, user=self.request.user)
