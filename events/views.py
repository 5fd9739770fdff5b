"""Events over HTTP."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext_lazy

from calendar_site.api.errors import ContractError, NoLongerAvailable, PasswordProtected
from calendar_site.api.selection import Selection
from calendar_site.api.viewsets import ContentViewSet
from calendar_site.core.choices import Status
from events.filtersets import EventFilterSet
from events.loading import EventRow, load_events
from events.models import Event
from events.protection.password_throttle import check_password
from events.protection.protected_fields import Reader, hides_fields
from events.representation import EventRecord, event_json_ld, represent_events
from events.schemas import EVENT, EXAMPLES
from events.serializers import EventCredentialSerializer, EventSerializer
from events.services import event_services


class EventViewSet(ContentViewSet):
    model = Event
    collection = "events"
    resource = "event"
    tag_description = gettext_lazy("Events, with their dates, venues and organizers.")
    row_type = EventRow
    services = event_services
    filterset_class = EventFilterSet
    serializer_class = EventSerializer
    item_serializer_class = EventCredentialSerializer
    record_schema = EVENT
    examples = EXAMPLES
    represent_json_ld = staticmethod(event_json_ld)

    def represent_rows(self, rows: Iterable[Any], selection: Selection) -> list[EventRecord]:
        reader = Reader(self.request.user, self.password)
        return represent_events(load_events(rows, reader, selection), self.urls)

    @property
    def password(self) -> str:
        """The password in a request for a single event; lists take none."""
        password = self.arguments.get("password") if self.detail else None
        return password if isinstance(password, str) else ""

    def check_readable(self, row: Event) -> None:
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
