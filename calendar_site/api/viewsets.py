"""The resources over HTTP: lists, records by id and by slug, and writes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar
from urllib.parse import quote, urlencode

from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.db.models import Model
from django.http.response import HttpResponseBase
from django.utils.translation import gettext_lazy
from orjson import Fragment
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from calendar_site.api.description.arguments import Arguments
from calendar_site.api.description.components import Component, Text
from calendar_site.api.description.operations import (
    WRITE_METHODS,
    Operation,
    Summaries,
    describe_arguments,
    describe_errors,
    describe_operation,
    describe_path_arguments,
)
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
from calendar_site.api.idempotency import IdempotentView, idempotent, write_and_respond
from calendar_site.api.input.images import ImageUpload, may_upload, prepare_images
from calendar_site.api.input.parsers import describe_ignored_body
from calendar_site.api.input.serializers import ContractSerializer
from calendar_site.api.lists.filtersets import ContractFilterSet, LinkedFilterSet
from calendar_site.api.lists.pagination import Page, RecordList, envelope, list_headers, page_links, page_url
from calendar_site.api.output.list_budget import ListBudget, join_list
from calendar_site.api.output.loading import load_content_relations
from calendar_site.api.output.selection import Selection
from calendar_site.api.permissions import ACTIONS_OF_METHODS, MODEL_PERMISSIONS, ContractPermission, can_act
from calendar_site.api.preconditions import Validators, check_preconditions, is_not_modified
from calendar_site.api.shapes import to_list
from calendar_site.audit.record_services import ContentServices, RecordServices
from calendar_site.content.models import LinkedContent
from calendar_site.content.services import get_or_create_by_name
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.core.compiled_queries.queries import fetch_by_ids
from calendar_site.core.compiled_queries.querysets import (
    AnyRows,
    CompiledQuerySet,
    fetch_columns,
    fetch_first,
    fetch_instances,
)
from calendar_site.core.slugs import decode_slug
from calendar_site.media.library import PreparedImage, deleting_unused_files

logger = logging.getLogger(__name__)

# Keys of responses that no write accepts. Clients send them back with a record, so they are not reported as ignored.
RECORD_KEYS = {"id", "slug", "json_ld", "distance"}

# TypedDicts of the apps.
Record = Mapping[str, Any]
# The records of a list as JSON.
RecordsJSON = Fragment
# Not in the viewset, where `list` is an action.
Errors = list[ContractError]
Rows = list[Any]


class RecordViewSet(IdempotentView, GenericViewSet):
    """The base class of the viewsets of all resources. Subclasses declare the resource by attributes."""

    # The plural name in the path, such as `venues`, and the singular one, such as `venue`.
    collection: ClassVar[str]
    resource: ClassVar[str]
    model: ClassVar[type[Model]]
    services: ClassVar[RecordServices[Any]]
    # The columns that responses need, as a named tuple.
    row_type: ClassVar[Any]
    filterset_class: ClassVar[type[ContractFilterSet]]
    serializer_class: type[ContractSerializer]
    # Validates the arguments of a read or a delete of one record.
    item_serializer_class: ClassVar[type[ContractSerializer]] = ContractSerializer
    # Returns a record that is read alone with its `json_ld`, for resources that have it.
    add_json_ld: ClassVar[Callable[..., Record] | None] = None
    # The keys of the record in which `add_json_ld` adds something.
    json_ld_keys: ClassVar[tuple[str, ...]] = ("json_ld",)
    # Whether a page past the last one is an error instead of an empty page.
    refuses_pages_past_end: ClassVar[bool]
    has_slug_routes: ClassVar[bool] = False
    # Whether a create changes no existing records, so that others may run at the same time.
    creates_in_parallel: ClassVar[bool] = True
    # Whether a search that finds nothing gets a suggestion.
    has_suggestions: ClassVar[bool] = False
    permission_classes = [ContractPermission]
    lookup_field = "id"
    # The record of the request, once it is loaded.
    row: Any = None
    # The names of the arguments of a write, once they are validated.
    written_arguments: tuple[str, ...] = ()

    # For the index and the document.
    record_schema: ClassVar[Component]
    # Real requests and responses by their names, such as `event`, `events` and `new-event`.
    examples: ClassVar[dict[str, Any]]
    takes_files: ClassVar[bool] = False
    summaries: ClassVar[Summaries]
    # Whether some records are only for users who may read them.
    has_restricted_records: ClassVar[bool] = False
    create_description: ClassVar[Text] = gettext_lazy("Creates a record and returns it.")
    delete_description: ClassVar[Text] = gettext_lazy("Permanently deletes the record and returns its last state.")

    @cached_property
    def budget(self) -> ListBudget:
        """How much JSON the list of this request may still have."""
        return ListBudget()

    @property
    def by_slug(self) -> bool:
        """Return whether the path names the record by its slug."""
        return self.lookup_field == "slug"

    @property
    def list_example(self) -> str:
        """Return the name of the example of a list."""
        return self.collection

    # --- Reads

    def get_queryset(self) -> Any:
        """Return all rows of the model, whose filters are compiled once (docs/speed.md)."""
        return CompiledQuerySet(self.model)

    def list(self, request: Request, **path: str) -> HttpResponseBase:
        filterset = self.filterset_class(self.arguments, self.get_queryset(), request=request)
        if not filterset.is_valid():
            raise InvalidParams.from_errors(filterset.errors)
        page, rows = self.load_list(filterset)
        records = self.represent_page(rows, self.selection.within(self.collection)) if rows else []
        url = f"{self.urls.api}/{self.collection}"
        query = urlencode(filterset.link_arguments() | self.selection.link_arguments())
        self.ignore_arguments_except(filterset.filters)
        links = page_links(page, url, query)
        address = self.address_of_page(filterset, page, url, query)
        body = self.selection.apply(envelope(self.collection, records, page, address, links))
        if isinstance(body.get(self.collection), list):
            body[self.collection] = join_list(self.budget.fit_all(body[self.collection]))
        headers = list_headers(page, links)
        if self.budget.shortened:
            headers["X-Shortened-Records"] = str(self.budget.shortened)
        if not page.total and (suggestion := filterset.suggestion()):
            headers["X-Did-You-Mean"] = quote(suggestion, safe=" '\"")
        return Response(body, headers=headers)

    def address_of_page(self, filterset: ContractFilterSet, page: Page, url: str, query: str) -> str:
        """Return the URL of a page of the list at `url` with the parameters in `query`, for `rest_url`."""
        return page_url(url, query, page.number)

    def load_list(self, filterset: ContractFilterSet) -> tuple[Page, Rows]:
        """Return the page of the request, and its rows if the response includes them. Raises PageNotFound."""
        number, per_page = filterset.get("page", 1), filterset.page_size
        is_included = self.selection.includes(self.collection)
        if number == 1 and is_included and self.reads_first_rows:
            first = fetch_first(filterset.qs, self.row_type._fields, per_page, filterset.counted_rows)
            return Page(number, per_page, first.total), [self.row_type._make(row) for row in first.rows]
        listed = self.get_list(filterset)
        page = Page(number, per_page, listed.count())
        if page.is_past_end and self.refuses_pages_past_end:
            raise PageNotFound(self.resource)
        # Past the end, the offset may be larger than databases accept.
        if not is_included or not page.total or page.is_past_end:
            return page, []
        return page, self.load_page(listed.rows_of_page(page), page)

    def get_list(self, filterset: ContractFilterSet) -> RecordList:
        """Return the list that the parameters ask for."""
        return filterset

    @property
    def reads_first_rows(self) -> bool:
        """Return whether the first page of the list is read with its total, by one query."""
        return True

    def load_page(self, rows: AnyRows, page: Page) -> Rows:
        """Return the rows on this page, with the columns of `row_type`. One query."""
        return [self.row_type._make(row) for row in fetch_columns(rows, self.row_type._fields, page.rows)]

    def represent_page(self, rows: Rows, selection: Selection) -> Sequence[Record] | RecordsJSON:
        """Return the records of the rows of a page, or their JSON with the selected keys only."""
        return self.represent_rows(rows, selection)

    def represent_rows(self, rows: Iterable[Any], selection: Selection) -> Sequence[Record]:
        """Return the records of the rows. Relations outside the selection need not be loaded."""
        raise NotImplementedError

    def retrieve(self, request: Request, **path: str) -> Response:
        row = self.get_object()
        known = self._validate_item_arguments()
        record = self.represent_row(row)
        validators = Validators.of(record, row)
        # Without it, caches guess from the modification time how long they may use the response.
        headers = {"Cache-Control": "no-cache", **validators.headers}
        if is_not_modified(request, validators):
            # `Vary` as in the response that it stands for, which GZipMiddleware may compress.
            return Response(status=304, headers={**headers, "Vary": "Accept-Encoding"})
        add_json_ld = type(self).add_json_ld
        if add_json_ld and any(map(self.selection.includes, self.json_ld_keys)):
            record = add_json_ld(record)
        return self.respond(record, known, headers=headers)

    def represent_row(self, row: Any) -> Record:
        """Return the complete record. Its ETag does not depend on the selection."""
        return self.represent_rows([row], Selection())[0]

    def get_object(self) -> Any:
        """Return the row that the path names, and keep it. Raises RecordNotFound, and the errors of the permission."""
        rows = self.filter_queryset(self.get_queryset()).filter(**{self.lookup_field: self._parse_lookup_value()})
        self.row = self._find_row(rows) if self.action == "retrieve" else self._find(fetch_instances(rows))
        self.check_object_permissions(self.request, self.row)
        return self.row

    def _parse_lookup_value(self) -> int | str:
        """Return the id or the slug in the path. Raises RecordNotFound for one that no record has."""
        if not self.by_slug:
            try:
                return int(self.kwargs["id"])
            except ValueError as error:
                # Python refuses thousands of digits.
                raise RecordNotFound(self.resource) from error
        slug = decode_slug(self.kwargs["slug"])
        # No text in a database contains NUL.
        if "\0" in slug:
            raise RecordNotFound(self.resource)
        return slug

    def _find_row(self, rows: AnyRows) -> Any:
        """Return the first row, with the columns of responses. One query."""
        return self.row_type._make(self._find(fetch_columns(rows, self.row_type._fields)))

    def _find(self, found: Sequence[Any]) -> Any:
        if not found:
            raise RecordNotFound(self.resource)
        return found[0]

    def get_unchanged_object(self) -> Any:
        """Return the row like `get_object()`. Raises PreconditionFailed if the client has seen another version.

        Called by the functions that `write_after()` repeats under the write lock, so that no other write comes between
        the comparison and the change.
        """
        row = self.get_object()
        check_preconditions(self.request, lambda: Validators.of(self.represent_row(row), row))
        return row

    # --- Writes

    @idempotent
    def create(self, request: Request, **path: str) -> Response:
        return self._write(self.perform_create, self._respond_with_created)

    @idempotent
    def update(self, request: Request, **path: str) -> Response:
        return self._write(self.perform_update, self._respond_with_saved)

    @idempotent
    def destroy(self, request: Request, **path: str) -> Response:
        def validate() -> Iterable[str]:
            self.get_unchanged_object()
            return self._validate_item_arguments()

        def delete(known: Iterable[str]) -> tuple[Record, Iterable[str]]:
            return self.perform_destroy(self.row), known

        return write_and_respond(self, validate, delete, lambda deleted: self.respond(*deleted))

    def perform_create(self, changes: Any) -> Model:
        """Create a row, or return the existing one if the contract says so."""
        return self.services.save(self.model(), changes=changes, user=self.request.user)

    def perform_update(self, changes: Any) -> Model:
        return self.services.save(self.row, changes=changes, user=self.request.user)

    def perform_destroy(self, row: Any) -> Record:
        """Delete the row and return its record."""
        raise NotImplementedError

    def _write(self, perform: Callable[[Any], Model], respond: Callable[[Model], Response]) -> Response:
        """Validate the arguments, fetch the images, save everything in one transaction, and respond.

        Invalid requests are rejected without waiting for the write lock. The services check names, slugs and cycles of
        parents under the lock, where no other write can change them.
        """
        images: dict[ImageUpload, PreparedImage] = {}
        # A parallel write may validate inside the lock, where no image may be downloaded.
        parallel = self.creates_in_parallel and not self.detail and not may_upload(self.arguments)

        # Called again under the lock if another write was committed: a linked record may have been deleted by then, or
        # the time zone of the event, in which dates are parsed, may have changed. `images` prevents fetching an image
        # twice.
        def validate() -> dict[str, Any]:
            row = self.get_unchanged_object() if self.detail else None
            context = self.get_serializer_context()
            serializer = self.serializer_class(row, data=self.arguments, partial=self.detail, context=context)
            serializer.is_valid(raise_exception=True)
            self.written_arguments = tuple(serializer.fields)
            return prepare_images(serializer, prepared=images)

        try:
            with deleting_unused_files(images.values()):
                return write_and_respond(self, validate, perform, respond, parallel=parallel)
        except ValidationError as error:
            raise self.serializer_class(data=self.arguments).to_contract_error(error) from error
        except IntegrityError as error:
            logger.warning("A write of %s conflicted with another one: %s", self.collection, type(error).__name__)
            raise Busy from error

    def get_serializer_context(self) -> dict[str, Any]:
        user = self.request.user
        return {
            "user": user,
            "can_edit_others": permissions.can_edit_others(user, self.model),
            "urls": self.urls,
            "ignored_body": describe_ignored_body(self.request),
        }

    # --- Responses

    def _validate_item_arguments(self) -> Iterable[str]:
        """Validate the arguments of a read or a delete, and return their names."""
        if not self.arguments:
            return ()
        serializer = self.item_serializer_class(self.row, data=self.arguments, partial=True)
        serializer.is_valid(raise_exception=True)
        return serializer.fields

    def respond(
        self, record: Record, known: Iterable[str], *, status: int = 200, headers: dict[str, str] | None = None
    ) -> Response:
        self.ignore_arguments_except(known, record, RECORD_KEYS)
        return Response(self.selection.apply(record), status=status, headers=headers)

    def _respond_with_created(self, saved: Model) -> Response:
        response = self._respond_with_saved(saved, status=201)
        response["Location"] = self.location_of(saved)
        return response

    def location_of(self, saved: Model) -> str:
        """Return the URL of a new record."""
        return self.urls.record_url(self.collection, saved.pk)

    def _respond_with_saved(self, saved: Model, status: int = 200) -> Response:
        # Load the row again, so that the response is the same as that of a read.
        self.row = self._find_row(self.get_queryset().filter(pk=saved.pk))
        record = self.represent_row(self.row)
        headers = Validators.of(record, self.row).headers
        response = self.respond(record, self.written_arguments, status=status, headers=headers)
        self.ignored_arguments += tuple(_ignored_in_linked_records(self.arguments, record))
        return response

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
        return can_act(self.request.user, action, self.row, self.model)

    # --- Description

    def get_tag(self) -> str:
        return self.collection

    def get_path_arguments(self) -> Arguments:
        return describe_path_arguments(self)

    def get_arguments(self, method: str) -> Arguments:
        return describe_arguments(self, method)

    def get_operation(self, method: str) -> Operation:
        return describe_operation(self, method)

    def get_errors(self, method: str) -> Errors:
        return describe_errors(self, method)


def _ignored_in_linked_records(arguments: dict[str, Any], record: Record) -> dict[str, None]:
    """Return the ignored arguments in the data of linked records, such as `venue[citty]`."""
    ignored: dict[str, None] = {}
    for name, argument in arguments.items():
        linked = [item for item in to_list(record.get(name)) if isinstance(item, dict) and "id" in item]
        if linked:
            known = RECORD_KEYS.union(*linked)
            items = [item for item in to_list(argument) if isinstance(item, dict)]
            ignored |= {f"{name}[{key}]": None for item in items for key in item if key not in known}
    return ignored


class ContentViewSet(RecordViewSet):
    """The viewset of records with a status, a trash, and routes by slug: events, venues and organizers."""

    services: ClassVar[ContentServices[Any]]
    represent: ClassVar[Callable[..., Record]]
    has_slug_routes = True
    has_suggestions = True
    refuses_pages_past_end = True
    takes_files = True
    has_restricted_records = True
    delete_description = gettext_lazy("Moves the record to the trash and returns it. To restore it, update its status.")

    @property
    def reads_first_rows(self) -> bool:
        return False

    def load_page(self, rows: Any, page: Page) -> Rows:
        # An index has the ids of the page; only these rows are read from the table.
        return fetch_by_ids(self.model, self.row_type, self.load_ids(rows, page))

    def load_ids(self, rows: Any, page: Page) -> list[int]:
        """Return the ids of the rows on this page."""
        return [pk for (pk,) in fetch_columns(rows, (rows.id_column,), page.rows)]

    def represent_rows(self, rows: Iterable[Any], selection: Selection) -> Sequence[Record]:
        rows = list(rows)
        relations = load_content_relations(rows, selection.includes)
        return [type(self).represent(row, self.urls, relations) for row in rows]

    def filter_queryset(self, queryset: Any) -> Any:
        # Other records may use the slugs of trashed records.
        return queryset.not_trashed() if self.by_slug else queryset

    def get_object(self) -> Any:
        """Return the row.

        Raises NotAccessible if the user may not read it, and AlreadyTrashed if a delete finds it in the trash.
        """
        row = super().get_object()
        if self.action == "retrieve":
            self.check_readable(row)
        elif self.action == "destroy" and row.status == Status.TRASH:
            raise AlreadyTrashed(self.resource)
        return row

    def check_readable(self, row: Any) -> None:
        """Raise NotAccessible if the user may not read the row."""
        if not permissions.can_read(self.request.user, row, self.model):
            raise NotAccessible(self.resource)

    def perform_destroy(self, row: Any) -> Record:
        return self.represent_row(self.services.trash(row, user=self.request.user))

    def get_errors(self, method: str) -> Errors:
        errors = super().get_errors(method)
        if method in WRITE_METHODS:
            errors.append(CannotEditOthers())
        elif method == "GET" and self.detail:
            errors.append(NotAccessible(self.resource))
        elif method == "DELETE" and not self.by_slug:
            # Trashed records have no slug.
            errors.append(AlreadyTrashed(self.resource))
        return errors


class LinkedContentViewSet(ContentViewSet):
    """The viewset of venues and organizers. `POST` with an existing name returns the existing record."""

    model: ClassVar[type[LinkedContent]]
    filterset_class = LinkedFilterSet
    create_description = gettext_lazy(
        "Creates a record and returns it. If there is a record with the same name, returns that record unchanged."
    )

    @property
    def reads_first_rows(self) -> bool:
        # An index has the default order, so the database reads these rows only. It would sort whole rows for another
        # order, and read those of all pages before a later one.
        return {"orderby", "search"}.isdisjoint(self.arguments)

    def get_errors(self, method: str) -> Errors:
        is_create = method == "POST" and not self.detail
        return super().get_errors(method) + ([NameRequired(self.resource)] if is_create else [])

    def perform_create(self, changes: Any) -> Any:
        return get_or_create_by_name(self.model, changes=changes, user=self.request.user)
