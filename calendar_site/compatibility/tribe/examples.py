"""The records in the OpenAPI document of `tribe/events/v1`: the examples of the contract in the original's shape."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from calendar_site.api.description.components import Component, JSONSchema
from calendar_site.compatibility.addresses import TRIBE_BASE, OriginalURLs

SITE = "https://calendar.example.org"
CONTRACT_BASE = "cal/events/v1"
URLS = OriginalURLs(SITE, f"{SITE}/{TRIBE_BASE}", SITE)

TYPES: dict[type, JSONSchema] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    list: {"type": "array"},
    dict: {"type": "object"},
}
# Keys whose values have several types.
ANY_TYPE: dict[str, JSONSchema] = {"image": {}, "venue": {}, "custom_fields": {}}

Translate = Callable[[Any], dict[str, Any]]


def translate_examples(
    examples: dict[str, Any], resource: str, collection: str, translate: Translate
) -> dict[str, Any]:
    """Return the examples with the record and the list translated."""
    examples = json.loads(json.dumps(examples).replace(CONTRACT_BASE, TRIBE_BASE))
    listed = examples[collection]
    return examples | {
        resource: translate(examples[resource]),
        collection: {**listed, collection: [translate(record) for record in listed[collection]]},
    }


def original_schema(resource: str, example: dict[str, Any]) -> Component:
    """Return the schema of a record: the types of the keys in its example, none of which every record has."""
    properties = {name: TYPES.get(type(value), {}) for name, value in example.items()} | ANY_TYPE
    known = {name: schema for name, schema in properties.items() if name in example}
    return Component(resource.capitalize(), {"type": "object", "properties": known, "additionalProperties": True})
