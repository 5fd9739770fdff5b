"""The write fields that only events have, without linked records and tickets."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from calendar_site.api.description.components import (
    NUMBER,
    TEXT,
    JSONSchema,
)
from calendar_site.api.input import values
from calendar_site.api.input.fields import (
    ContractField,
    DateTimeField,
    LimitedField,
    ParentField,
    URLField,
)
from calendar_site.core.dates.conversion import Zone
from events.costs import parse_cost
from events.models import Event


class EventDateTimeField(DateTimeField):
    """A date in the time zone of the event."""

    schema = {"type": "string", "format": "date-time"}
    accepted_schema = TEXT

    def zone(self) -> Zone:
        zone: Zone = self.parent.zone
        return zone


class WebsiteField(URLField):
    """An event's website. The URL of the event's own page, which responses contain instead of none, counts as none."""

    schema = {"type": "string", "format": "uri"}
    # "" is no URL, but clears the field.
    accepted_schema = TEXT

    def is_blank(self, value: Any) -> bool:
        urls, event = self.context["urls"], self.parent.instance
        own_pages = urls.language_versions(urls.page_url("event", event.slug)).values() if event is not None else ()
        return super().is_blank(value) or value in own_pages


class CostField(ContractField):
    """A cost as free text, a number, or a list of these. The contract gives it no type."""

    schema: JSONSchema = {}
    accepted_schema = {"anyOf": [TEXT, NUMBER, {"type": "array", "items": {"type": ["string", "number"]}}]}
    takes_list = True

    def is_blank(self, value: Any) -> bool:
        return super().is_blank(value) or value == []

    def parse(self, value: Any) -> Any:
        parse_cost(value, settings.DEFAULT_CURRENCY_SYMBOL, settings.DEFAULT_CURRENCY_POSITION)
        return value


class PasswordField(LimitedField):
    """A password, whose surrounding spaces are kept."""

    def is_blank(self, value: Any) -> bool:
        return bool(value == "")


class ParentEventField(ParentField):
    def parse(self, value: Any) -> Event:
        pk = values.parse_integer(value, minimum=1)
        parent = Event.objects.visible_to(self.context["user"]).filter(pk=pk).first()
        if parent is None:
            raise ValueError(_("There is no event with this id."))
        return parent
