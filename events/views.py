"""Events over HTTP."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext_lazy

from calendar_site.api.errors import ContractError, NoLongerAvailable, PasswordProtected
from calendar_site.api.selection import Selection
from calendar_site.api.viewsets import ContentViewSet
from calendar_site.content.choices import Status
from events.access import Reader, hides_fields, opens
from events.filtersets import EventFilterSet
from events.loading import EventRow, load_events
from events.models import Event
from events.representation import represent_events, structured_event
from events.schemas import EVENT, EXAMPLES
from events.serializers import EventCredential, EventInput
from events.services import save_event, trash_event


class EventViewSet(ContentViewSet):
    model = Event
    collection = "events"
    kind = "event"
    about = gettext_lazy("Events: what happens, when, where and by whom.")
    row_type = EventRow
    filterset_class = EventFilterSet
    input_class = EventInput
    item_input_class = EventCredential
    record_schema = EVENT
    examples = EXAMPLES
    structured = staticmethod(structured_event)

    def records(self, rows: Iterable[Any], wanted: Selection) -> list[dict[str, Any]]:
        reader = Reader(self.request.user, self.password)
        return represent_events(load_events(rows, reader, wanted), self.links)

    @property
    def password(self) -> str:
        """The password that came with a request for a single event; lists take none."""
        given = self.arguments.get("password") if self.detail else None
        return given if isinstance(given, str) else ""

    def check_readable(self, row: Event) -> None:
        if row.status == Status.TRASH:
            raise NoLongerAvailable(self.kind)
        super().check_readable(row)
        if hides_fields(row, Reader(self.request.user)) and not opens(row, self.password, self.request):
            raise PasswordProtected(self.kind)

    def errors_of(self, method: str) -> list[ContractError]:
        errors = super().errors_of(method)
        if self.detail and method == "GET":
            errors.append(PasswordProtected(self.kind))
            if not self.by_slug:
                errors.append(NoLongerAvailable(self.kind))
        return errors

    def create_row(self, fields: dict[str, Any]) -> Event:
        return save_event(Event(), fields, self.request.user)

    def update_row(self, fields: dict[str, Any]) -> Event:
        return save_event(self.row, fields, self.request.user)

    def trash(self, row: Event) -> Event:
        return trash_event(row, self.request.user)
