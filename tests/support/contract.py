"""The routes of the contract, and the type and default of every argument (service.md, sections 2 and 4).

Copied from the contract, not from the service. `ADDED_TO_LISTS` and `ADDED_TO_FIELDS` are arguments that the service
adds.
"""

import json
from typing import Any, NamedTuple

from tests.support.api_client import API
from tests.support.golden import FOLDER

NOTHING = object()

# Patterns of paths, and the methods that each route takes.
CONTENT = ("events", "venues", "organizers")
COLLECTIONS = (*CONTENT, "categories", "tags")
ID, SLUG = r"(?P<id>\d+)", r"(?P<slug>[^/]+)"
ITEM = ["GET", "POST", "PUT", "PATCH", "DELETE"]
ROUTES = {
    API: ["GET"],
    f"{API}/doc": ["GET"],
    f"{API}/me": ["GET"],
    **{f"{API}/{name}": ["GET", "POST"] for name in COLLECTIONS},
    **{f"{API}/{name}/{ID}": ITEM for name in COLLECTIONS},
    **{f"{API}/{name}/by-slug/{SLUG}": ITEM for name in CONTENT},
    # Not in the contract.
    f"{API}/series": ["GET", "POST"],
    f"{API}/series/preview": ["POST"],
    f"{API}/series/{ID}": ITEM,
}

# Method and path -> operationId. Generated clients have functions with these names, so none may ever change.
OPERATION_IDS: dict[str, str] = json.loads((FOLDER / "operation-ids.json").read_text(encoding="utf-8"))


class Promise(NamedTuple):
    """The type of an argument ("" for none), and its default, `NOTHING` where the contract names none."""

    type: str
    default: Any = NOTHING

    @classmethod
    def of(cls, described: dict[str, Any]) -> "Promise":
        """Return the type and default of an argument in the index."""
        name = described.get("type", "")
        if name == "array":
            name = f"array of {described['items']['type']}"
        elif "format" in described:
            name = f"{name} ({described['format']})"
        return cls(name, described.get("default", NOTHING))


TEXT, NUMBER, BOOLEAN, UNTYPED = Promise("string"), Promise("integer"), Promise("boolean"), Promise("")
IDS, DAY, DEGREES = Promise("array of integer"), Promise("string (date)"), Promise("number (double)")
PAGES = {"page": Promise("integer", 1), "per_page": Promise("integer", 9)}

LINKED_LIST = {
    **PAGES,
    "search": TEXT,
    "event": NUMBER,
    "has_events": UNTYPED,
    "only_with_upcoming": Promise("", False),
    "status": TEXT,
}
TAGS_LIST = {
    **PAGES,
    "search": TEXT,
    "exclude": IDS,
    "include": IDS,
    "order": TEXT,
    "orderby": TEXT,
    "hide_empty": Promise("boolean", True),
    "post": NUMBER,
    "event": NUMBER,
    "slug": TEXT,
}
# At noon of 10 March 2027, in UTC.
LISTS = {
    "events": {
        **PAGES,
        "start_date": Promise("string (date-time)", "2027-03-09 00:00:00"),
        "end_date": Promise("string (date-time)", "2029-03-10 23:59:59"),
        **dict.fromkeys(("starts_before", "starts_after", "ends_before", "ends_after"), DAY),
        "strict_dates": Promise("boolean", False),
        "search": TEXT,
        **dict.fromkeys(("categories", "tags", "venue", "organizer", "include"), IDS),
        "featured": BOOLEAN,
        "status": TEXT,
        "geoloc": BOOLEAN,
        "geoloc_lat": DEGREES,
        "geoloc_lng": DEGREES,
        "post_parent": NUMBER,
        "ticketed": BOOLEAN,
    },
    "venues": LINKED_LIST,
    "organizers": LINKED_LIST,
    "categories": {**TAGS_LIST, "parent": NUMBER},
    "tags": TAGS_LIST,
}

NULL_TEXT, NULL_IDS = Promise("string", None), Promise("array of integer", None)
FIELDS = {
    "events": {
        "title": TEXT,
        "start_date": Promise("string (date-time)"),
        "end_date": Promise("string (date-time)"),
        "author": NUMBER,
        **dict.fromkeys(("date", "date_utc", "description", "slug", "excerpt", "status", "timezone", "image"), TEXT),
        "all_day": Promise("boolean", False),
        "cost": UNTYPED,
        "website": Promise("string (uri)", None),
        **dict.fromkeys(("show_map", "show_map_link", "hide_from_listings", "sticky", "featured"), BOOLEAN),
        **dict.fromkeys(("categories", "tags", "venue", "organizer"), NULL_IDS),
    },
    "venues": {
        "venue": TEXT,
        "author": NUMBER,
        **dict.fromkeys(("date", "date_utc", "status"), TEXT),
        **dict.fromkeys(
            (
                "description", "show_map", "show_map_link", "address", "city", "country", "province", "state", "zip",
                "phone", "stateprovince", "website", "image",
            ),
            NULL_TEXT,
        ),
    },
    "organizers": {
        "author": Promise("integer", None),
        **dict.fromkeys(
            ("organizer", "date", "date_utc", "description", "status", "phone", "website", "email", "image"), NULL_TEXT
        ),
    },
    "categories": {"name": TEXT, "description": TEXT, "slug": TEXT, "parent": NUMBER},
    "tags": {"name": TEXT, "description": TEXT, "slug": TEXT},
}  # fmt: skip
REQUIRED = {
    "events": {"title", "start_date", "end_date"},
    "venues": {"venue"},
    "organizers": {"organizer"},
    "categories": {"name"},
    "tags": {"name"},
}

# Arguments that contract.md adds to service.md.
ADDED_TO_CONTENT = {"orderby", "order", "modified_after", "modified_before", "timezone"}
ADDED_TO_LISTS = dict.fromkeys(CONTENT, ADDED_TO_CONTENT) | {
    "events": {
        *ADDED_TO_CONTENT,
        "geoloc_radius",
        "series",
        "event_status",
        "attendance_mode",
        "accessibility",
        "sold_out",
        "free",
    },
    "venues": {*ADDED_TO_CONTENT, "accessibility"},
}
ADDED_TO_FIELDS = {
    "events": {
        "custom_fields",
        "post_parent",
        "post_password",
        "tickets",
        "event_status",
        "event_status_reason",
        "previous_start_date",
        "sold_out",
        "attendance_mode",
        "online_url",
        "hide_online_url",
        "accessibility",
    },
    "venues": {"custom_fields", "geo_lat", "geo_lng", "timezone", "accessibility"},
    "organizers": {"custom_fields"},
}
# The credential of a protected event, which a create does not take (D26).
ADDED_TO_UPDATES = {"events": {"password"}}

# Where the OpenAPI document has another type than the contract, because the service accepts more. References are named
# by their targets.
STRING, INTEGER, BOOL, NULL = ({"type": name} for name in ("string", "integer", "boolean", "null"))
NAMES_OR_IDS = {"type": "array", "items": {"type": ["integer", "string"]}}
STATUSES = {"type": "array", "items": "Status"}
LINKED_ACCEPTED = {"has_events": BOOL, "only_with_upcoming": BOOL | {"default": False}, "status": STATUSES}
ACCEPTED_IN_LISTS = {
    "events": {
        **dict.fromkeys(
            ("start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after"), STRING
        ),
        **dict.fromkeys(("categories", "tags", "venue", "organizer"), NAMES_OR_IDS),
        "status": STATUSES,
    },
    "venues": LINKED_ACCEPTED,
    "organizers": LINKED_ACCEPTED,
}
# The defaults of query parameters, of whichever list.
FIXED_DEFAULTS = {
    "page": (1,),
    "per_page": (9,),
    "strict_dates": (False,),
    "geoloc_radius": (25,),
    "only_with_upcoming": (False,),
    "hide_empty": (True,),
    "namespace": ("cal/events/v1",),
    "context": ("view",),
}


def one_or_more(*items: Any, max_count: int) -> dict[str, Any]:
    """Return the schema of one of the items, an array of at most `max_count` of them, or null."""
    array = {"type": "array", "items": {"anyOf": list(items)}, "maxItems": max_count}
    return {"anyOf": [*items, array, NULL]}


LINKED = (INTEGER, STRING, "RecordReference")
IMAGE = {"anyOf": [*LINKED, {"type": "boolean", "const": False}, NULL]}
SWITCH = {"type": ["boolean", "string", "null"]}
ACCEPTED_IN_FIELDS = {
    "events": {
        "start_date": STRING,
        "end_date": STRING,
        "website": {"type": ["string", "null"]},
        "cost": {
            "anyOf": [
                STRING,
                {"type": "number"},
                {"type": "array", "items": {"type": ["string", "number"]}},
                NULL,
            ]
        },
        "categories": one_or_more(*LINKED, max_count=50),
        "tags": one_or_more(*LINKED, max_count=100),
        "venue": one_or_more(*LINKED, "NewVenue", max_count=20),
        "organizer": one_or_more(*LINKED, "NewOrganizer", max_count=20),
        "image": IMAGE,
        "status": "Status",
    },
    "venues": {"show_map": SWITCH, "show_map_link": SWITCH, "image": IMAGE, "status": "Status"},
    "organizers": {"image": IMAGE, "status": {"anyOf": ["Status", NULL]}},
}
