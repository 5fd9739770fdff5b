"""The write fields that only events and tickets have."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.utils.translation import gettext as _

from calendar_site.api import values
from calendar_site.api.description.arguments import arguments_schema, describe_fields
from calendar_site.api.description.components import JSONSchema
from calendar_site.api.fields import ContractField, DateTimeField, LimitedField, ParentField, URLField, max_length_of
from calendar_site.api.parsers import RepeatedValues
from calendar_site.api.serializers import ContractSerializer, LinkedContentSerializer, validate_nested
from calendar_site.api.shapes import to_list
from calendar_site.core.dates import Zone, parse_zone, to_wire
from calendar_site.core.validators import validate_currency
from events.costs import parse_cost
from events.models import Event, Ticket
from taxonomy.models import Category, Tag


class EventDateTimeField(DateTimeField):
    """A date in the time zone of the event."""

    schema = {"type": "string", "format": "date-time"}

    def zone(self) -> Zone:
        zone: Zone = self.parent.zone
        return zone


class ZoneNameField(ContractField):
    """The name of a time zone, as its canonical name."""

    def parse(self, value: Any) -> str:
        return parse_zone(values.parse_text(value)).name


class WebsiteField(URLField):
    """An event's website. Without one, responses have the event's own page, which is therefore no website."""

    schema = {"type": "string", "format": "uri"}

    def is_blank(self, value: Any) -> bool:
        urls, event = self.context["urls"], self.parent.instance
        own_pages = urls.language_versions(urls.page_url("event", event.slug)).values() if event is not None else ()
        return super().is_blank(value) or value in own_pages


class CostField(ContractField):
    """A cost as people write it: a number, a text, or a list of them. The contract gives it no type."""

    schema: JSONSchema = {}
    takes_list = True

    def is_blank(self, value: Any) -> bool:
        return super().is_blank(value) or value == []

    def parse(self, value: Any) -> Any:
        parse_cost(value, settings.DEFAULT_CURRENCY_SYMBOL, settings.DEFAULT_CURRENCY_POSITION)
        return value


class PasswordField(LimitedField):
    """A password, with its blanks."""

    def is_blank(self, value: Any) -> bool:
        return bool(value == "")


class ParentEventField(ParentField):
    def parse(self, value: Any) -> Event:
        pk = values.parse_integer(value, minimum=1)
        parent = Event.objects.visible_to(self.context["user"]).filter(pk=pk).first()
        if parent is None:
            raise ValueError(_("There is no event with this ID."))
        return parent


class RelatedRecordsField(ContractField):
    """Linked records in every spelling that clients of the contract use: ids, comma-separated texts, objects."""

    schema = {"type": "array", "items": {"type": "integer"}}
    takes_list = True

    def __init__(self, *, model: Any, **kwargs: Any) -> None:
        super().__init__(allow_null=True, cleared_value=[], **kwargs)
        self.model = model

    def is_blank(self, value: Any) -> bool:
        return not isinstance(value, bool) and not to_list(value)

    def parse(self, value: Any) -> list[Any]:
        items = list(_split(value))
        check_count(items)
        return self.find_records([self.parse_item(item) for item in items])

    def parse_item(self, item: Any) -> Any:
        """Return an id, or what a record is found or created by. Raises ValueError."""
        raise NotImplementedError

    def find_records(self, items: list[Any]) -> list[Any]:
        """Return the records of the parsed items, and the data of those to create."""
        raise NotImplementedError


def check_count(items: list[Any]) -> None:
    if len(items) > Event.MAX_LINKS:
        raise ValueError(_("At most %(limit)s items are allowed.") % {"limit": Event.MAX_LINKS})


def _split(value: Any) -> Iterator[Any]:
    """Yield the linked items. In a list, only ids are split at commas: a name may have a comma."""
    is_array = isinstance(value, list) and not isinstance(value, RepeatedValues)
    for item in to_list(value):
        parts = to_list(item)
        if is_array and isinstance(item, str) and not all(part.isdecimal() for part in parts):
            yield item
        else:
            yield from parts


def _parse_id(item: Any) -> int | None:
    """Return the id that is a number, a text of digits or in an object; None if there is none."""
    if isinstance(item, dict):
        item = item.get("id") or None
    if item is None or (isinstance(item, str) and not item.strip().isdecimal()):
        return None
    return values.parse_integer(item, minimum=1)


class LinkedContentField(RelatedRecordsField):
    """Venues or organizers: existing ones by id, new ones by their data."""

    def __init__(self, *, serializer_class: type[LinkedContentSerializer], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.serializer_class = serializer_class

    def parse_item(self, item: Any) -> int | dict[str, Any]:
        pk = _parse_id(item)
        if pk is not None:
            return pk
        if not isinstance(item, dict):
            raise ValueError(
                _(
                    "Not an ID or an object. Send the ID of an existing record, or an object with the fields of a "
                    "new one."
                )
            )
        return validate_nested(self.serializer_class(data=item, context=self.context))

    def find_records(self, items: list[int | dict[str, Any]]) -> list[Model | dict[str, Any]]:
        ids = [item for item in items if isinstance(item, int)]
        rows = self.model.objects.visible_to(self.context["user"]).in_bulk(ids) if ids else {}
        unknown = [pk for pk in ids if pk not in rows]
        if unknown:
            raise ValueError(_("Not found: %(names)s.") % {"names": ", ".join(map(str, unknown))})
        return [rows[item] if isinstance(item, int) else item for item in items]


class TermsField(RelatedRecordsField):
    """Categories or tags: existing ones by id, name or slug, new ones by name. Unknown ids are left out."""

    def parse_item(self, item: Any) -> int | str:
        pk = _parse_id(item)
        return pk if pk is not None else values.parse_line(item, max_length_of(self.model, "name"))

    def find_records(self, items: list[int | str]) -> list[Category | Tag | dict[str, str]]:
        ids = [item for item in items if isinstance(item, int)]
        names = [item for item in items if isinstance(item, str)]
        by_id = self.model.objects.in_bulk(ids) if ids else {}
        by_name = self.model.objects.find_by_names(names)
        records: list[Category | Tag | dict[str, str]] = []
        for item in items:
            if isinstance(item, str):
                records.append(by_name.get(item) or {"name": item})
            elif item in by_id:
                records.append(by_id[item])
        return records


class CurrencyField(ContractField):
    """The three letters of a currency, in any case."""

    def parse(self, value: Any) -> str:
        code = values.parse_text(value).strip().upper()
        validate_currency(code)
        return code


class PriceField(ContractField):
    """A number with two decimals at most, or a text of one."""

    schema = {"type": ["string", "number"]}

    def parse(self, value: Any) -> Decimal:
        try:
            return forms.DecimalField(min_value=0, max_digits=12, decimal_places=2).clean(str(value))
        except ValidationError as error:
            raise ValueError(error.messages[0]) from error


class TicketDateTimeField(DateTimeField):
    """A date in the time zone of the event. What a read returns for a stored ticket keeps its moment (D14)."""

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
        return {"type": "array", "items": arguments_schema(describe_fields(self.serializer_class()))}

    def is_blank(self, value: Any) -> bool:
        return super().is_blank(value) or value == []

    def parse(self, value: Any) -> list[dict[str, Any]]:
        if isinstance(value, dict):
            value = [value]
        if not isinstance(value, list) or not all(isinstance(ticket, dict) for ticket in value):
            raise ValueError(_("Not a list of tickets. Send an array of ticket objects."))
        check_count(value)
        stored = list(self.parent.instance.tickets.all()) if self.parent.instance else []
        tickets = []
        for position, ticket in enumerate(value):
            similar = _by_similarity(stored, ticket, position)
            context = {**self.context, "zone": self.parent.zone, "similar_tickets": similar}
            tickets.append(validate_nested(self.serializer_class(data=ticket, context=context)))
        return tickets


def _by_similarity(stored: list[Ticket], ticket: dict[str, Any], position: int) -> list[Ticket]:
    """Return the stored tickets, the likeliest first to be the same as `ticket`, which has no id."""
    order = sorted(enumerate(stored), key=lambda pair: (pair[1].name != ticket.get("name"), pair[0] != position))
    return [ticket for _position, ticket in order]
