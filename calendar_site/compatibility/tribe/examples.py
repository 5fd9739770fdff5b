"""The examples in the OpenAPI document of `tribe/events/v1`: those of the contract in the shape of the original."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from calendar_site.api.description.components import Component
from calendar_site.compatibility.addresses import TRIBE_BASE, OriginalURLs

SITE = "https://calendar.example.org"
CONTRACT_BASE = "cal/events/v1"
URLS = OriginalURLs(SITE, f"{SITE}/{TRIBE_BASE}", SITE)

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


def original_schema(resource: str) -> Component:
    """Return the schema of a record, of which only the example says what is in it."""
    return Component(f"Original{resource.capitalize()}", {"type": "object", "additionalProperties": True})
