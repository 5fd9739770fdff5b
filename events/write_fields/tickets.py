"""The write fields of tickets, and the field that contains all tickets of an event."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from calendar_site.api.description.arguments import new_record_component
from calendar_site.api.description.components import (
    Component,
    JSONSchema,
)
from calendar_site.api.input import values
from calendar_site.api.input.fields import (
    ContractField,
    DateTimeField,
)
from calendar_site.api.input.serializers import ContractSerializer
from calendar_site.audit.record_services import RelatedErrors
from calendar_site.core.dates.conversion import Zone, to_wire
from calendar_site.core.validators import validate_count, validate_currency
from events.models import Event, Ticket
from events.write_fields.linked_records import ItemErrors


class CurrencyField(ContractField):
    """The three letters of a currency, in any case."""

    def parse(self, value: Any) -> str:
        code = values.parse_text(value).strip().upper()
        validate_currency(code)
        return code


class PriceField(ContractField):
    """A number with at most two decimals, or a string that contains one."""

    schema = {"type": ["string", "number"]}

    def parse(self, value: Any) -> Decimal:
        try:
            return forms.DecimalField(min_value=0, max_digits=12, decimal_places=2).clean(str(value))
        except ValidationError as error:
            raise ValueError(error.messages[0]) from error


class TicketDateTimeField(DateTimeField):
    """A date in the time zone of the event. A value that a read returned for a stored ticket keeps its moment (D14)."""

    def zone(self) -> Zone:
        zone: Zone = self.context["zone"]
        return zone

    def parse(self, value: Any) -> datetime:
        # In an hour that happens twice, the text does not say which of the two moments is meant.
        moments = (getattr(ticket, self.source) for ticket in self.context["similar_tickets"])
        kept = (moment for moment in moments if moment and to_wire(moment.astimezone(self.zone().tz)) == value)
        return next(kept, None) or super().parse(value)


class TicketsField(ContractField):
    """All the tickets of the event, in their order."""

    takes_list = True

    def __init__(self, *, serializer_class: type[ContractSerializer], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.serializer_class = serializer_class

    @property
    def schema(self) -> JSONSchema:  # type: ignore[override] # that of another serializer
        return {"type": "array", "items": self._ticket.schema, "maxItems": Event.MAX_TICKETS}

    @property
    def accepted_schema(self) -> JSONSchema:  # type: ignore[override] # that of another serializer
        return {"anyOf": [{"type": "array", "items": self._ticket, "maxItems": Event.MAX_TICKETS}, self._ticket]}

    @property
    def _ticket(self) -> Component:
        return new_record_component("ticket", self.serializer_class())

    def is_blank(self, value: Any) -> bool:
        return super().is_blank(value) or value == []

    def parse(self, value: Any) -> list[dict[str, Any]]:
        is_single = isinstance(value, dict)
        given = [value] if is_single else value
        if not isinstance(given, list):
            raise ValueError(_("Must be an array of ticket objects."))
        validate_count(len(given), Event.MAX_TICKETS)
        event = self.parent.instance
        # The event of a series that is changed is not stored.
        stored = list(event.tickets.all()) if event and event.pk else []
        tickets = []
        errors = ItemErrors()
        for position, ticket in enumerate(given):
            with errors.collect(None if is_single else position):
                if not isinstance(ticket, dict):
                    raise ValueError(_("Must be an object with the fields of the ticket."))
                similar = _by_similarity(stored, ticket, position)
                context = {**self.context, "zone": self.parent.zone, "similar_tickets": similar}
                tickets.append(self.serializer_class(data=ticket, context=context).validate_nested())
        errors.raise_if_any()
        return tickets

    def related_errors(self, error: RelatedErrors, value: Any) -> Any:
        """Return the errors of a service in the tickets, by position in `value`."""
        names = self.serializer_class()
        errors = ItemErrors()
        for position, ticket_error in error.by_position.items():
            errors.add(None if isinstance(value, dict) else position, names.messages_by_argument(ticket_error))
        return errors.detail


def _by_similarity(stored: list[Ticket], ticket: dict[str, Any], position: int) -> list[Ticket]:
    """Return the stored tickets. The most similar to `ticket`, which has no id, come first."""
    order = sorted(enumerate(stored), key=lambda pair: (pair[1].name != ticket.get("name"), pair[0] != position))
    return [ticket for _position, ticket in order]
