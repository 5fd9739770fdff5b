"""The schemas of the records of events (`representation.py`), for the OpenAPI document."""

from __future__ import annotations

from pathlib import Path

from django.utils.translation import gettext_lazy as _

from calendar_site.api.description.components import (
    BOOLEAN,
    COUNT,
    CUSTOM_FIELDS,
    GLOBAL_IDS,
    ID,
    IMAGE_OR_NONE,
    PUBLICATION,
    STRUCTURED,
    TEXT,
    URL,
    WIRE_DATE,
    Component,
    JSONSchema,
    described,
    object_schema,
    read_examples,
    with_field_descriptions,
)
from events.serializers import EventSerializer, TicketSerializer
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
        "description": _("A date in its parts, each with leading zeros."),
    },
)
COST_DETAILS = Component(
    "CostDetails",
    {
        **object_schema(
            {
                "currency_symbol": described(TEXT, _("The sign or the letters that stand with the cost.")),
                "currency_code": described(TEXT, _("Always empty: currencies are known by their symbols.")),
                "currency_position": {
                    "type": "string",
                    "enum": ["", "prefix", "postfix"],
                    "description": _("Whether the symbol stands before or after the number."),
                },
                "values": {
                    "type": "array",
                    "items": TEXT,
                    "description": _("The numbers and words of the cost, the lowest first."),
                },
            }
        ),
        "description": _("The cost in its parts."),
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

EVENT = Component(
    "Event",
    object_schema(
        with_field_descriptions(
            EventSerializer,
            {
                "id": described(ID, _("The id of the event.")),
                **GLOBAL_IDS,
                **PUBLICATION,
                "url": described(URL, _("The page of the record for people.")),
                "rest_url": described(URL, _("The address of the record in the API.")),
                "title": TEXT,
                "description": described(TEXT, _("The description, as HTML.")),
                "excerpt": described(TEXT, _("The record in a few words, as HTML.")),
                "slug": described(TEXT, _("The last part of its address.")),
                "image": IMAGE_OR_NONE,
                "all_day": SWITCH,
                "start_date": described(WIRE_DATE, _("When the event starts, on the clock of its time zone.")),
                "start_date_details": DATE_DETAILS,
                "end_date": described(WIRE_DATE, _("When the event ends, on the clock of its time zone.")),
                "end_date_details": DATE_DETAILS,
                "utc_start_date": described(WIRE_DATE, _("When the event starts, in UTC.")),
                "utc_start_date_details": DATE_DETAILS,
                "utc_end_date": described(WIRE_DATE, _("When the event ends, in UTC.")),
                "utc_end_date_details": DATE_DETAILS,
                "start": described(INSTANT, _("When the event starts, with the offset from UTC.")),
                "end": described(INSTANT, _("When the event ends, with the offset from UTC.")),
                "timezone": described(TEXT, _("The time zone of the event.")),
                "timezone_abbr": described(TEXT, _("What its clock is called when the event starts, such as CET.")),
                "cost": described(TEXT, _("What the event costs, in words.")),
                "cost_details": COST_DETAILS,
                "website": described(TEXT, _("The event's own website, or else its page here.")),
                "show_map": SWITCH,
                "show_map_link": SWITCH,
                "hide_from_listings": SWITCH,
                "sticky": SWITCH,
                "featured": SWITCH,
                "post_parent": described(COUNT, _("The event that this one is a part of, by its id; 0 for none.")),
                "categories": {"type": "array", "items": TERM, "description": _("The categories, by name.")},
                "tags": {"type": "array", "items": TERM, "description": _("The tags, by name.")},
                "venue": {
                    "anyOf": [VENUE, {"type": "array", "items": VENUE}],
                    "description": _("The venue; a list where there are several, and an empty one for none."),
                },
                "organizer": {"type": "array", "items": ORGANIZER, "description": _("The organizers, in their order.")},
                "ticketed": described(SWITCH, _("Whether the event has tickets.")),
                "tickets": {"type": "array", "items": TICKET},
                "custom_fields": CUSTOM_FIELDS,
                "json_ld": STRUCTURED,
            },
        ),
        optional=("json_ld",),
    ),
)
