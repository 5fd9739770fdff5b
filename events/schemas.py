"""The schemas of the records of events (`representation.py`), for the OpenAPI document."""

from __future__ import annotations

from pathlib import Path

from django.utils.translation import gettext_lazy as _

from calendar_site.api.description.components import (
    ACCESSIBILITY,
    BOOLEAN,
    COUNT,
    CUSTOM_FIELDS,
    GLOBAL_IDS,
    ID,
    IMAGE_OR_NONE,
    NUMBER,
    PUBLICATION,
    STRUCTURED,
    TEXT,
    URL,
    WIRE_DATE,
    Component,
    JSONSchema,
    described,
    nullable,
    object_schema,
    read_examples,
    with_field_descriptions,
)
from events.serializers import ATTENDANCE_MODE, EVENT_STATUS, EventSerializer, TicketSerializer
from organizers.schemas import ORGANIZER
from taxonomy.schemas import TERM
from venues.schemas import VENUE

EXAMPLES = read_examples(Path(__file__).parent / "examples")

# Fields that an event with a password hides (events/protection/protected_fields.py) are null.
SWITCH: JSONSchema = {"type": ["boolean", "null"]}
INSTANT: JSONSchema = {"type": "string", "format": "date-time"}
WIRE_DATE_OR_EMPTY: JSONSchema = {"type": "string", "pattern": WIRE_DATE["pattern"] + "|^$"}
TWO_DIGITS: JSONSchema = {"type": "string", "pattern": r"^\d{2}$"}

DATE_DETAILS = Component(
    "DateDetails",
    {
        **object_schema(
            {
                "year": {"type": "string", "pattern": r"^\d{4}$"},
                **dict.fromkeys(("month", "day", "hour", "minutes", "seconds"), TWO_DIGITS),
            }
        ),
        "description": _("The components of the date, with leading zeros."),
    },
)
COST_DETAILS = Component(
    "CostDetails",
    {
        **object_schema(
            {
                "currency_symbol": described(TEXT, _("The currency symbol or letters shown with the cost.")),
                "currency_code": described(TEXT, _("Always empty, because currencies are identified by their symbol.")),
                "currency_position": {
                    "type": "string",
                    "enum": ["", "prefix", "postfix"],
                    "description": _("Whether the symbol goes before (prefix) or after (postfix) the amount."),
                },
                "values": {
                    "type": "array",
                    "items": TEXT,
                    "description": _(
                        "The amounts in the cost, lowest first. If the cost contains no amounts, its text."
                    ),
                },
            }
        ),
        "description": _("The components of the cost."),
    },
)
TICKET = Component(
    "Ticket",
    object_schema(
        with_field_descriptions(
            TicketSerializer,
            {
                "name": TEXT,
                "price": {"type": "string", "pattern": r"^\d+\.\d{2}$"},
                "currency": {"type": "string", "pattern": "^[A-Z]{3}$"},
                "url": TEXT,
                "available_from": WIRE_DATE_OR_EMPTY,
                "available_until": WIRE_DATE_OR_EMPTY,
                "sold_out": BOOLEAN,
            },
        )
    ),
)

EVENT_SERIES = Component(
    "EventSeries",
    object_schema(
        {
            "id": described(ID, _("The id of the series.")),
            "rrule": described(
                TEXT, _("The recurrence rule of the series in the format of RFC 5545; empty if its dates are listed.")
            ),
            "occurrence": described(
                WIRE_DATE,
                _(
                    "When the series lets this event start, in the time zone of the series. The event may have been "
                    "moved."
                ),
            ),
        }
    ),
)

EVENT = Component(
    "Event",
    object_schema(
        with_field_descriptions(
            EventSerializer,
            {
                "id": described(ID, _("The id of the event.")),
                **GLOBAL_IDS,
                **PUBLICATION,
                "url": described(URL, _("The URL of the public page.")),
                "rest_url": described(URL, _("The URL of the record in the API.")),
                "title": TEXT,
                "description": described(TEXT, _("The description, as HTML.")),
                "excerpt": described(TEXT, _("A short summary of the record, as HTML.")),
                "slug": described(TEXT, _("The last part of the public URL.")),
                "image": IMAGE_OR_NONE,
                "all_day": SWITCH,
                "start_date": described(WIRE_DATE, _("The start date and time, in the time zone of the event.")),
                "start_date_details": DATE_DETAILS,
                "end_date": described(WIRE_DATE, _("The end date and time, in the time zone of the event.")),
                "end_date_details": DATE_DETAILS,
                "utc_start_date": described(WIRE_DATE, _("The start date and time, in UTC.")),
                "utc_start_date_details": DATE_DETAILS,
                "utc_end_date": described(WIRE_DATE, _("The end date and time, in UTC.")),
                "utc_end_date_details": DATE_DETAILS,
                "start": described(INSTANT, _("The start date and time, with the UTC offset.")),
                "end": described(INSTANT, _("The end date and time, with the UTC offset.")),
                "timezone": described(TEXT, _("The time zone of the event.")),
                "timezone_abbr": described(
                    TEXT, _("The time zone abbreviation at the start of the event, such as CET.")
                ),
                "cost": described(TEXT, _("The cost, formatted for display.")),
                "cost_details": COST_DETAILS,
                "website": described(TEXT, _("The URL of the event's website, or of its public page if it has none.")),
                "show_map": SWITCH,
                "show_map_link": SWITCH,
                "hide_from_listings": SWITCH,
                "sticky": SWITCH,
                "featured": SWITCH,
                "event_status": nullable({"$ref": EVENT_STATUS}),
                "event_status_reason": TEXT,
                "previous_start_date": described(
                    WIRE_DATE_OR_EMPTY,
                    _("The start of a rescheduled event before it was moved, in the time zone of the event."),
                ),
                "sold_out": SWITCH,
                "attendance_mode": nullable({"$ref": ATTENDANCE_MODE}),
                "online_url": described(
                    TEXT,
                    _(
                        "The URL where people attend the event online. Empty as long as hide_online_url hides it, and "
                        "for events in person."
                    ),
                ),
                "hide_online_url": SWITCH,
                "accessibility": ACCESSIBILITY,
                "post_parent": described(COUNT, _("The id of the parent event, or 0 if there is none.")),
                "categories": {"type": "array", "items": TERM, "description": _("The categories, sorted by name.")},
                "tags": {"type": "array", "items": TERM, "description": _("The tags, sorted by name.")},
                "venue": {
                    "anyOf": [VENUE, {"type": "array", "items": VENUE}],
                    "description": _(
                        "The venue. An array if the event has several venues, and an empty array if it has none."
                    ),
                },
                "organizer": {"type": "array", "items": ORGANIZER, "description": _("The organizers, in order.")},
                "ticketed": described(SWITCH, _("Whether the event has tickets.")),
                "tickets": {"type": "array", "items": TICKET},
                "custom_fields": CUSTOM_FIELDS,
                "series": {
                    "anyOf": [EVENT_SERIES, {"type": "null"}],
                    "description": _("The series of an event that repeats, or null."),
                },
                "distance": described(
                    NUMBER, _("The distance to the nearest venue in kilometers, in a list of events near a point.")
                ),
                "json_ld": STRUCTURED,
            },
        ),
        optional=("distance", "json_ld"),
    ),
)
