"""The write fields of series: those of events, and the recurrence."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date, datetime
from functools import cached_property
from typing import Any

from django.utils.translation import gettext_lazy

from calendar_site.api.description.components import TEXT
from calendar_site.api.input import values
from calendar_site.api.input.fields import ContractField
from calendar_site.core.dates.conversion import Zone, to_wire
from calendar_site.core.dates.parser import parse_wire_date
from calendar_site.core.validators import validate_count
from events.models import Event, Series
from events.recurrence.rules import Rule
from events.recurrence.schedules import RECURRENCE_FIELDS
from events.serializers import EventSerializer
from events.series.services import prototype_of

# So that one request saves no more events than creating a series does.
MAX_DETACHED = 100
DAY = re.compile(r"[1-8]\d{3}-?\d\d-?\d\d", re.ASCII)
WIRE_DATE = re.compile(r"[1-8]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d", re.ASCII)
# The fields of events that a series does not have: its events differ in their slugs, and each is cancelled by itself.
LEFT_OUT = ("slug", "password", "event_status", "event_status_reason", "previous_start_date", "sold_out")


class RuleField(ContractField):
    """A recurrence rule of RFC 5545, with or without `RRULE:`."""

    def parse(self, value: object) -> str:
        return str(Rule.parse_sent(values.parse_text(value)))


class OccurrenceField(ContractField):
    """The local start of an occurrence, in the time zone of the series."""

    schema = {"type": "string", "format": "date-time"}
    accepted_schema = TEXT

    def parse(self, value: object) -> str:
        return _parse_local(value, self.parent.zone)


class DatesField(ContractField):
    """A list of local starts, or a string of them separated by commas."""

    schema = {"type": "array", "items": {"type": "string", "format": "date-time"}}
    accepted_schema = {"type": "array", "items": TEXT}
    takes_list = True

    def is_blank(self, value: object) -> bool:
        return super().is_blank(value) or value == []

    def parse(self, value: object) -> list[str]:
        items = values.parse_list(value)
        validate_count(len(items), Series.MAX_DATES)
        return sorted({_parse_local(item, self.parent.zone) for item in items})


def _parse_local(value: object, zone: Zone) -> str:
    """Return a local time, or a day alone, which stands for the start of the occurrence on that day (D46)."""
    text = values.parse_text(value).strip()
    if DAY.fullmatch(text):
        with suppress(ValueError):
            return str(date.fromisoformat(text))
    # The form of responses, where the time may be one that the clock skips in spring.
    if WIRE_DATE.fullmatch(text):
        with suppress(ValueError):
            return str(datetime.fromisoformat(text))
    return to_wire(parse_wire_date(text, zone).astimezone(zone.tz))


class DetachField(DatesField):
    """Occurrences whose events leave the series."""

    def parse(self, value: object) -> list[str]:
        occurrences = super().parse(value)
        validate_count(len(occurrences), MAX_DETACHED)
        return occurrences


class SeriesSerializer(EventSerializer):
    """The fields of a series. For an update, its instance is an event with the values of the series."""

    rrule = RuleField(
        allow_null=True,
        help_text=gettext_lazy(
            "The recurrence rule in the format of RFC 5545, such as FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20271231. Events "
            "keep their local time. Without a rule, the events are on the start date and the dates in rdate."
        ),
    )
    rdate = DatesField(
        allow_null=True,
        cleared_value=[],
        help_text=gettext_lazy("Local start times of additional events, as an array."),
    )
    exdate = DatesField(
        allow_null=True,
        cleared_value=[],
        help_text=gettext_lazy("Local start times at which the series has no event, as an array."),
    )
    from_occurrence = OccurrenceField(
        help_text=gettext_lazy(
            "Changes only this and following events. They become a new series. The response contains it. "
            "The value is the occurrence of the event."
        ),
    )

    detach = DetachField(
        help_text=gettext_lazy(
            "Values of occurrence whose events become single events, as an array: they keep their values, and no "
            "longer follow changes of the series."
        ),
    )

    resource = "event"
    defaults = {**EventSerializer.defaults, **dict.fromkeys(RECURRENCE_FIELDS)}

    class Meta:
        model = Event

    def __init__(self, instance: Any = None, **kwargs: Any) -> None:
        self.series = instance if isinstance(instance, Series) else None
        # A loaded row is given only for the names of the fields.
        prototype = prototype_of(self.series) if self.series is not None else Event()
        super().__init__(None if instance is None else prototype, **kwargs)

    def get_fields(self) -> dict[str, Any]:
        """Return the fields. A new series has no events to split or detach."""
        fields = super().get_fields()
        for name in (*LEFT_OUT, *(("from_occurrence", "detach") if self.instance is None else ())):
            fields.pop(name, None)
        return fields

    @cached_property
    def unchanged_values(self) -> dict[str, Any]:
        if self.instance is None or self.series is None:
            return {}
        recurrence = {name: getattr(self.series, name) for name in RECURRENCE_FIELDS}
        return {**super().unchanged_values, **recurrence}
