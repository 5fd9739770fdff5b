"""Events over HTTP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext_lazy
from rest_framework.request import Request

from calendar_site.api.description.operations import Summaries
from calendar_site.api.errors import ContractError, NoLongerAvailable, PasswordProtected, RecordNotFound
from calendar_site.api.lists.pagination import Page
from calendar_site.api.output.list_budget import join_list
from calendar_site.api.output.selection import Selection
from calendar_site.api.viewsets import ContentViewSet, RecordsJSON
from calendar_site.core.choices import Status
from calendar_site.core.compiled_queries.querysets import AnyRows, fetch_columns, has_annotation
from calendar_site.core.search.geo import Circle
from events.assembly import assemble_events, load_record
from events.filtersets import EventFilterSet
from events.listing.event_list import EventList
from events.loading import EventRow
from events.models import Event
from events.protection.password_throttle import check_password
from events.protection.protected_fields import Reader, hides_fields
from events.representation import EventRecord, add_event_json_ld
from events.schemas import EVENT, EXAMPLES
from events.serializers import EventCredentialSerializer, EventSerializer
from events.services import event_services

# The password of an event, percent-encoded. Unlike the parameter, it is in no log of a proxy.
PASSWORD_HEADER = "X-Event-Password"  # noqa: S105


class EventViewSet(ContentViewSet):
    model = Event
    collection = "events"
    resource = "event"
    tag_description = gettext_lazy("Events, with their dates, venues and organizers.")
    summaries = Summaries(
        list=gettext_lazy("List events"),
        create=gettext_lazy("Create an event"),
        get=gettext_lazy("Get an event"),
        update=gettext_lazy("Update an event"),
        delete=gettext_lazy("Delete an event"),
    )
    row_type = EventRow
    services = event_services
    filterset_class = EventFilterSet
    serializer_class = EventSerializer
    item_serializer_class = EventCredentialSerializer
    record_schema = EVENT
    examples = EXAMPLES
    add_json_ld = staticmethod(add_event_json_ld)
    json_ld_keys = ("json_ld", "venue", "organizer")

    # The distances in kilometers by event, in a list of events near a point.
    distances: Mapping[int, float] = {}

    def get_list(self, filterset: EventFilterSet) -> EventList:
        return EventList(filterset.list_query, self.get_queryset())

    def load_ids(self, rows: AnyRows, page: Page) -> list[int]:
        if not has_annotation(rows, "distance"):
            return super().load_ids(rows, page)
        found = fetch_columns(rows, ("pk", "distance"), page.rows)
        # None for an event whose venue has moved since the ids of venues were read.
        self.distances = {pk: Circle.kilometers(distance) for pk, distance in found if distance is not None}
        return list(self.distances)

    def load_page(self, rows: AnyRows, page: Page) -> list[int]:
        # Stored JSON is found by id.
        return self.load_ids(rows, page)

    def represent_page(self, rows: list[int], selection: Selection) -> Sequence[EventRecord] | RecordsJSON:
        return join_list(assemble_events(rows, self.reader, self.urls, selection, self.distances, self.budget))

    def represent_row(self, row: Event | EventRow) -> EventRecord:
        record = load_record(row.id, self.reader, self.urls)
        if record is None:
            # Deleted since the row was read.
            raise RecordNotFound(self.resource)
        return record

    @property
    def reader(self) -> Reader:
        return Reader(self.request.user, self.password)

    @property
    def password(self) -> str:
        """The password in a request for a single event; lists take none."""
        if not self.detail:
            return ""
        password = self.arguments.get("password") or unquote(self.request.headers.get(PASSWORD_HEADER, ""))
        return password if isinstance(password, str) else ""

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        if self.detail:
            patch_vary_headers(response, [PASSWORD_HEADER])
            if PASSWORD_HEADER in request.headers:
                # The protected fields are not for the caches of others.
                response["Cache-Control"] = "private, no-store"
        return response

    def check_readable(self, row: EventRow) -> None:
        if row.status == Status.TRASH:
            raise NoLongerAvailable(self.resource)
        super().check_readable(row)
        if hides_fields(row, Reader(self.request.user)) and not check_password(row, self.password, self.request):
            raise PasswordProtected(self.resource)

    def get_errors(self, method: str) -> list[ContractError]:
        errors = super().get_errors(method)
        if self.detail and method == "GET":
            errors.append(PasswordProtected(self.resource))
            if not self.by_slug:
                errors.append(NoLongerAvailable(self.resource))
        return errors
