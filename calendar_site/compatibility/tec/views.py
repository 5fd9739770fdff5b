"""The views of `tec/v1`: those of the contract with other names of arguments, and lists of their own."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, ClassVar

from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response

from calendar_site.api.description.arguments import Argument, Arguments
from calendar_site.api.errors import (
    AlreadyTrashed,
    CannotEditOthers,
    ContractError,
    Forbidden,
    NoLongerAvailable,
    NotAccessible,
    NotAuthenticated,
    PageNotFound,
    PasswordProtected,
    RecordNotFound,
)
from calendar_site.api.idempotency import idempotent, write_and_respond
from calendar_site.api.input import values
from calendar_site.api.input.serializers import ContractSerializer
from calendar_site.api.viewsets import ContentViewSet, Record
from calendar_site.compatibility.addresses import TEC
from calendar_site.compatibility.bare_lists import bare_list, read_page_of_ids, valid_filters
from calendar_site.compatibility.errors import denied
from calendar_site.compatibility.kinds import EVENTS, ORGANIZERS, VENUES, Kind
from calendar_site.compatibility.tec.arguments import (
    EVENT_NAMES,
    ORGANIZER_NAMES,
    VENUE_NAMES,
    end_after,
    read_duration,
    translate,
)
from calendar_site.compatibility.tec.filtersets import TecEventFilterSet, TecOrganizerFilterSet, TecVenueFilterSet
from calendar_site.compatibility.tec.records import tec_record
from calendar_site.compatibility.views import OriginalRecords, OriginalView, with_names
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.core.compiled_queries.querysets import CompiledQuerySet
from events.views import EventViewSet
from organizers.views import OrganizerViewSet
from venues.views import VenueViewSet

ACKNOWLEDGEMENT = "X-TEC-EEA"
# Raised by views of the contract for records that the user may not know of here.
HIDDEN = (RecordNotFound, NotAccessible, NoLongerAvailable, PasswordProtected, Forbidden, NotAuthenticated)


class TecFailure(ContractError):
    """An error with the body `{"error": text}`."""


class TecView(OriginalView):
    """A view that is only for clients that know that it may change."""

    original_namespace = TEC

    def check_permissions(self, request: Request) -> None:
        if not request.headers.get(ACKNOWLEDGEMENT, "").strip():
            message = _("Send the header X-TEC-EEA to acknowledge that this API may change.")
            raise ContractError(message, code="missing_experimental_endpoint_acknowledgement")
        super().check_permissions(request)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        # A stored response would be sent to a client that does not acknowledge it.
        patch_vary_headers(response, [ACKNOWLEDGEMENT])
        return response

    def handle_exception(self, exc: Exception) -> Any:
        response = super().handle_exception(exc)
        error = self.translate_error(exc)
        if isinstance(error, TecFailure):
            response.data = {"error": str(error.detail)}
        elif isinstance(error, PageNotFound):
            response.data = {name: response.data[name] for name in ("code", "message")}
        return response


class TecPageNotFound(PageNotFound):
    """The original has one code for all lists, and no `data`."""

    def __init__(self) -> None:
        super().__init__("organizer")
        self.code = "tec_rest_organizers_page_not_found"


class TecRecords(TecView, OriginalRecords, ContentViewSet):
    original_namespace: ClassVar[str] = TEC
    has_slug_routes = False
    item_serializer_class = ContractSerializer
    kind: ClassVar[Kind]
    # The names of the contract by those of the original.
    names: ClassVar[dict[str, str]]
    add_json_ld = None
    # Whether a delete is for good.
    is_forced = False

    @property
    def url(self) -> str:
        return f"{self.urls.tec}/{self.collection}"

    def to_original(self, record: Record) -> Record:
        return tec_record(record, self.kind, self.urls)

    def location_of(self, saved: Any) -> str:
        return f"{self.url}/{saved.pk}"

    def translate_arguments(self, arguments: dict[str, Any]) -> dict[str, Any]:
        if self.action not in ("create", "update"):
            return arguments
        return translate(arguments, self.names, self.request.user)

    def translate_error(self, error: Exception) -> Exception:
        if isinstance(error, AlreadyTrashed):
            return TecFailure(error.detail, status=410)
        if isinstance(error, NoLongerAvailable) and permissions.can_edit_others(self.request.user, self.model):
            return TecFailure(error.detail, status=404)
        if isinstance(error, CannotEditOthers):
            return error
        if isinstance(error, (*HIDDEN, exceptions.PermissionDenied, exceptions.NotAuthenticated)):
            return denied(self.request, "rest_forbidden")
        if self.action not in ("create", "update"):
            return error
        by_contract = {contract: original for original, contract in self.names.items()}
        if isinstance(error, exceptions.ValidationError) and isinstance(error.detail, dict):
            return exceptions.ValidationError({by_contract.get(key, key): value for key, value in error.detail.items()})
        if isinstance(error, ContractError) and not isinstance(error, TecFailure):
            return with_names(error, by_contract)
        return error

    # --- Lists

    def list(self, request: Request, **path: str) -> Response:
        arguments = self._readable_statuses(self.arguments)
        filterset = valid_filters(self.filterset_class(arguments, CompiledQuerySet(self.kind.model), request=request))
        self.ignore_arguments_except(filterset.filters, ("status",))
        page, ids = read_page_of_ids(filterset)
        if page.is_past_end:
            raise TecPageNotFound
        records = self.kind.load(ids, request.user, self.urls)
        return bare_list(map(self.to_original, records), page, self.url, filterset, self.selection)

    def _readable_statuses(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments without statuses that the user may not ask for, which the original ignores."""
        if "status" not in arguments or permissions.can_filter_by_status(self.request.user, self.model):
            return arguments
        return {name: value for name, value in arguments.items() if name != "status"}

    # --- Single records

    def check_readable(self, row: Any) -> None:
        if row.status == Status.TRASH:
            raise NoLongerAvailable(self.resource)
        super().check_readable(row)

    @idempotent
    def destroy(self, request: Request, **path: str) -> Response:
        """Move a record to the trash, or delete it for good if the client asks for it."""

        def validate() -> bool:
            try:
                is_forced = values.parse_boolean(self.arguments.get("force", False))
            except ValueError as error:
                raise exceptions.ValidationError({"force": [str(error)]}) from error
            self.is_forced = is_forced
            self.get_unchanged_object()
            return is_forced

        def delete(is_forced: bool) -> None:
            if is_forced:
                self.services.delete(self.kind.model.objects.filter(pk=self.row.pk), user=request.user)
            else:
                self.services.trash(self.row, user=request.user)

        def respond(_nothing: None) -> Response:
            self.ignore_arguments_except(("force",))
            return Response([])

        return write_and_respond(self, validate, delete, respond)

    def get_object(self) -> Any:
        try:
            row = super().get_object()
        except AlreadyTrashed:
            # A record in the trash can be deleted for good.
            if self.is_forced:
                return self.row
            raise
        if self.action == "update" and row.status == Status.TRASH:
            raise NoLongerAvailable(self.resource)
        return row

    def get_arguments(self, method: str) -> Arguments:
        by_contract = {contract: original for original, contract in self.names.items()}
        arguments: dict[str, Argument] = super().get_arguments(method)
        return {by_contract.get(name, name): argument for name, argument in arguments.items()}


class TecEvents(TecRecords, EventViewSet):  # type: ignore[misc] # the attributes of TecRecords
    kind = EVENTS
    names = EVENT_NAMES
    filterset_class = TecEventFilterSet
    # The length of the event, if the request has it instead of an end.
    duration: timedelta | None = None

    def translate_arguments(self, arguments: dict[str, Any]) -> dict[str, Any]:
        self.duration = read_duration(arguments) if self.action in ("create", "update") else None
        translated = super().translate_arguments(arguments)
        if self.duration is not None and "end_date" not in translated:
            end = end_after(translated.get("start_date"), self.duration)
            if end is not None:
                translated["end_date"] = end
        return translated

    def get_unchanged_object(self) -> Any:
        row = super().get_unchanged_object()
        if self.duration is not None and not {"start_date", "end_date"} & self.arguments.keys():
            self.arguments["end_date"] = end_after(row.start_local, self.duration)
        return row

    def check_readable(self, row: Any) -> None:
        # Unlike the contract, readers without the password see the title and the times.
        if row.status == Status.TRASH:
            raise NoLongerAvailable(self.resource)
        if not permissions.can_read(self.request.user, row, self.model):
            raise NotAccessible(self.resource)


class TecVenues(TecRecords, VenueViewSet):  # type: ignore[misc] # the attributes of TecRecords
    kind = VENUES
    names = VENUE_NAMES
    filterset_class = TecVenueFilterSet


class TecOrganizers(TecRecords, OrganizerViewSet):  # type: ignore[misc] # the attributes of TecRecords
    kind = ORGANIZERS
    names = ORGANIZER_NAMES
    filterset_class = TecOrganizerFilterSet
