"""The records of `tribe/events/v1`, made of the records of the contract (compatibility.md, 2.1 to 2.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Model

from calendar_site.api.permissions import ACTIONS_OF_METHODS, MODEL_PERMISSIONS
from calendar_site.compatibility.addresses import TAXONOMIES, WP_TERMS, WP_TYPES, OriginalURLs
from calendar_site.core import permissions
from calendar_site.core.types import AnyUser
from taxonomy.models import Category, Tag

Record = Mapping[str, Any]

EVENT_KEYS = (
    "id", "global_id", "global_id_lineage", "author", "status", "date", "date_utc", "modified", "modified_utc", "url",
    "rest_url", "title", "description", "excerpt", "slug", "image", "all_day", "start_date", "start_date_details",
    "end_date", "end_date_details", "utc_start_date", "utc_start_date_details", "utc_end_date",
    "utc_end_date_details", "timezone", "timezone_abbr", "cost", "cost_details", "website", "show_map",
    "show_map_link", "hide_from_listings", "sticky", "featured", "categories", "tags", "venue", "organizer",
    "custom_fields", "json_ld",
)  # fmt: skip
# The keys that each venue and organizer has, and those that it has if the value is not empty (D4 is off).
LINKED_KEYS = (
    "id", "author", "status", "date", "date_utc", "modified", "modified_utc", "url", "slug", "venue", "organizer",
    "show_map", "show_map_link", "global_id", "global_id_lineage", "json_ld",
)  # fmt: skip
OPTIONAL_KEYS = (
    "description", "excerpt", "image", "phone", "website", "email", "address", "city", "country", "province", "state",
    "zip", "stateprovince",
)  # fmt: skip
KEYS_INSIDE_EVENTS = {"term_group", "term_taxonomy_id", "taxonomy", "filter"}
TERM_MODELS: dict[str, type[Model]] = {"categories": Category, "tags": Tag}
# A relation type of WordPress stands for a page about it.
CURIES = [{"name": "wp", "href": "https://api.w.org/{rel}", "templated": True}]


def original_event(event: Record, urls: OriginalURLs) -> dict[str, Any]:
    """Return an event, which need not have all keys."""
    values = {name: event[name] for name in EVENT_KEYS if name in event}
    _set_shared_values(values, urls)
    if "image" in values:
        values["image"] = original_image(values["image"])
    if "venue" in values:
        venue = values["venue"]
        values["venue"] = (
            original_linked(venue, urls) if isinstance(venue, dict) else [original_linked(one, urls) for one in venue]
        )
    if "organizer" in values:
        values["organizer"] = [original_linked(organizer, urls) for organizer in values["organizer"]]
    for name in TAXONOMIES:
        if name in values:
            values[name] = [term_in_event(term, name) for term in values[name]]
    return values


def original_linked(record: Record, urls: OriginalURLs) -> dict[str, Any]:
    """Return a venue or an organizer without the keys of empty values."""
    values = {name: record[name] for name in LINKED_KEYS if name in record}
    values |= {name: record[name] for name in OPTIONAL_KEYS if record.get(name)}
    _set_shared_values(values, urls)
    if "image" in values:
        values["image"] = original_image(values["image"])
    return values


def _set_shared_values(values: dict[str, Any], urls: OriginalURLs) -> None:
    if "author" in values:
        # Text, which D3 is off for.
        values["author"] = str(values["author"])
    if "global_id" in values:
        values["global_id"] = _global_id(values["global_id"], urls)
    if "global_id_lineage" in values:
        values["global_id_lineage"] = [_global_id(text, urls) for text in values["global_id_lineage"]]


def _global_id(text: str, urls: OriginalURLs) -> str:
    """Return the id of the original for that of the contract, such as `calendar.example.org?type=event&id=7`."""
    return f"{urls.host_name}?id={text.rpartition('=')[2]}"


def original_image(image: Any) -> Any:
    """Return an image without alternative text, and without `sizes` if it has no renditions; False for none."""
    if not image:
        return False
    return {name: value for name, value in image.items() if name != "alt" and (name != "sizes" or value)}


def term_in_event(term: Record, collection: str) -> dict[str, Any]:
    """Return a category or a tag as it is inside an event."""
    return {
        "id": term["id"],
        "name": term["name"],
        "slug": term["slug"],
        "term_group": 0,
        "term_taxonomy_id": term["id"],
        "taxonomy": TAXONOMIES[collection],
        "description": term["description"],
        "parent": term.get("parent", 0),
        "count": term["count"],
        "filter": "raw",
        "urls": term["urls"],
    }


def without_read_only_keys(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments without what terms have inside an event only: clients send it back with the event."""

    def strip(terms: Any) -> Any:
        if not isinstance(terms, list):
            return terms
        return [
            {key: value for key, value in term.items() if key not in KEYS_INSIDE_EVENTS}
            if isinstance(term, dict)
            else term
            for term in terms
        ]

    return {name: strip(value) if name in TAXONOMIES else value for name, value in arguments.items()}


def original_term(term: Record, collection: str) -> dict[str, Any]:
    """Return a category or a tag, which need not have all keys, as it is in a list."""
    values = {
        name: term[name]
        for name in ("id", "count", "description", "name", "slug", "parent", "url", "urls")
        if name in term
    }
    return {**values, "taxonomy": TAXONOMIES[collection], "meta": []}


def term_links(term: Record, collection: str, urls: OriginalURLs, user: AnyUser) -> dict[str, Any]:
    """Return the `_links` of a term, which lead to `wp/v2`, with the methods that the user may use."""
    terms, taxonomy, pk = f"{urls.wp}/{WP_TERMS[collection]}", TAXONOMIES[collection], term["id"]
    events = f"{urls.wp}/{WP_TYPES['events']}"
    links: dict[str, Any] = {
        "self": [{"href": f"{terms}/{pk}", "targetHints": {"allow": _methods_for(user, collection)}}],
        "collection": [{"href": terms}],
        "about": [{"href": f"{urls.wp}/taxonomies/{taxonomy}"}],
    }
    if term.get("parent"):
        links["up"] = [{"embeddable": True, "href": f"{terms}/{term['parent']}"}]
    links["wp:post_type"] = [{"href": f"{events}?{WP_TERMS[collection]}={pk}"}]
    return links | {"curies": CURIES}


def _methods_for(user: AnyUser, collection: str) -> list[str]:
    """Return the methods that the user may use on a term."""
    model = TERM_MODELS[collection]
    allowed = {
        action: permissions.has_model_permission(user, MODEL_PERMISSIONS[action], model)
        for action in ("update", "destroy")
    }
    return ["GET", *(method for method, action in ACTIONS_OF_METHODS.items() if allowed[action])]
