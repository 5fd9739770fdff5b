"""JSON Schema of the parts that responses share."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from calendar_site.core.choices import Accessibility, Status

JSONSchema = dict[str, Any]
# In the language of the response.
Text = str | Promise


@dataclass(frozen=True, eq=False)
class Component:
    """A named schema. Another schema refers to it by containing it, or as its `$ref` to add a description."""

    name: str
    schema: JSONSchema


def object_schema(properties: JSONSchema, *, optional: Collection[str] = ()) -> JSONSchema:
    """Return the schema of an object with these keys. All of them are required, except the optional ones."""
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
    }


def described(schema: JSONSchema, description: Text) -> JSONSchema:
    """Return the schema with a description."""
    return schema | {"description": description}


def nullable(schema: JSONSchema) -> JSONSchema:
    """Return the schema with null among its values."""
    if "$ref" in schema:
        schema = {"anyOf": [schema]}
    if "anyOf" in schema:
        return schema | {"anyOf": [*schema["anyOf"], {"type": "null"}]}
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    choices = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return schema | {"type": [*types, "null"]} | choices


def with_field_descriptions(serializer_class: Any, properties: JSONSchema) -> JSONSchema:
    """Return the properties; those without a description get the help text of the write field with the same name."""
    schemas = dict(properties)
    for name, field in serializer_class().fields.items():
        if name in schemas and "description" not in schemas[name]:
            schemas[name] = described(schemas[name], field.help_text)
    return schemas


def read_examples(folder: Path) -> dict[str, Any]:
    """Return the examples of an app by name: real requests and responses, which the tests send and compare."""
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))}


TEXT: JSONSchema = {"type": "string"}
INTEGER: JSONSchema = {"type": "integer"}
NUMBER: JSONSchema = {"type": "number"}
COUNT: JSONSchema = {"type": "integer", "minimum": 0}
BOOLEAN: JSONSchema = {"type": "boolean"}
FALSE: JSONSchema = {"type": "boolean", "const": False}
URL: JSONSchema = {"type": "string", "format": "uri"}
WIRE_DATE: JSONSchema = {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$"}
ID: JSONSchema = {"type": "integer", "minimum": 1}
# A component, so that generated clients have one type for it.
STATUS: JSONSchema = {"$ref": Component("Status", {"type": "string", "enum": Status.values})}
ACCESSIBILITY: JSONSchema = {
    "type": "array",
    "items": {"$ref": Component("Accessibility", {"type": "string", "enum": Accessibility.values})},
}
# An existing record or image, also as a response contains it.
RECORD_REFERENCE = Component("RecordReference", object_schema({"id": described(ID, _("The id of the record."))}))

IMAGE_SIZE = Component(
    "ImageSize",
    object_schema(
        {
            "url": described(URL, _("The URL of the image at this size.")),
            "width": described(COUNT, _("The width in pixels.")),
            "height": described(COUNT, _("The height in pixels.")),
            "mime-type": described(TEXT, _("The media type, such as image/jpeg.")),
            "filesize": described(COUNT, _("The size of the file in bytes.")),
        }
    ),
)
IMAGE = Component(
    "Image",
    object_schema(
        {
            "url": described(URL, _("The URL of the image at its original size.")),
            "id": described(ID, _("The id of the image in the library.")),
            "extension": described(TEXT, _("The file name extension, such as jpg.")),
            "width": described(COUNT, _("The width in pixels.")),
            "height": described(COUNT, _("The height in pixels.")),
            "filesize": described(COUNT, _("The size of the file in bytes.")),
            "alt": described(TEXT, _("The alternative text, which describes the image to people who cannot see it.")),
            "sizes": {
                "type": "object",
                "description": _(
                    "Smaller sizes of the image, by name. A size is included only if the image is larger."
                ),
                "additionalProperties": IMAGE_SIZE,
            },
        }
    ),
)
IMAGE_OR_NONE: JSONSchema = {
    "anyOf": [IMAGE, FALSE],
    "description": _("The image of the record, or false if it has none."),
}

# Generators need the type of items even of an empty array.
EMPTY_ARRAY: JSONSchema = {"type": "array", "items": TEXT, "maxItems": 0}
CUSTOM_FIELD = Component(
    "CustomField", object_schema({"label": TEXT, "value": {"type": ["string", "number", "boolean"]}})
)
CUSTOM_FIELDS: JSONSchema = {
    "anyOf": [Component("CustomFields", {"type": "object", "additionalProperties": CUSTOM_FIELD}), EMPTY_ARRAY],
    "description": _("The values of the custom fields, by field name; [] if there are none."),
}

# The keys of `api/output/representation.py`.
PUBLICATION: JSONSchema = {
    "author": described(INTEGER, _("The account id of the author.")),
    "status": described(STATUS, _("The publication status of the record.")),
    "date": described(WIRE_DATE, _("When the record was or will be published, in the site's time zone.")),
    "date_utc": described(WIRE_DATE, _("When the record was or will be published, in UTC.")),
    "modified": described(WIRE_DATE, _("When the record was last changed, in the site's time zone.")),
    "modified_utc": described(WIRE_DATE, _("When the record was last changed, in UTC.")),
}
GLOBAL_IDS: JSONSchema = {
    "global_id": described(TEXT, _("An id that is unique across all sites.")),
    "global_id_lineage": {
        "type": "array",
        "items": TEXT,
        "description": _("All global ids that the record has had, oldest first."),
    },
}
STRUCTURED: JSONSchema = {
    "type": "object",
    "description": _("The record as schema.org structured data. Only included when you read a single record."),
}


def list_component(collection: str, record_name: str, record: Component) -> Component:
    """Return the component of a list's envelope (`api/lists/pagination.py`)."""
    properties = {
        collection: {"type": "array", "items": record, "description": _("The records on this page.")},
        "rest_url": described(URL, _("The URL of this page, with the query parameters in effect.")),
        "next_rest_url": described(URL, _("The URL of the next page, if there is one.")),
        "previous_rest_url": described(URL, _("The URL of the previous page, if there is one.")),
        "total": described(COUNT, _("The total number of records on all pages.")),
        "total_pages": described(COUNT, _("The total number of pages.")),
    }
    # Not named like the property, because generated Python classes cannot have a property with their own name.
    return Component(f"{record_name}List", object_schema(properties, optional=("next_rest_url", "previous_rest_url")))


ERROR = Component(
    "Error",
    object_schema(
        {
            "code": described(TEXT, _("A machine-readable error code.")),
            "message": described(TEXT, _("A human-readable error message.")),
            "data": {
                **object_schema(
                    {
                        "status": described(INTEGER, _("The HTTP status code of the response.")),
                        "params": {
                            "anyOf": [
                                {"type": "object", "additionalProperties": TEXT},
                                {"type": "array", "items": TEXT},
                            ],
                            "description": _(
                                "A message for each invalid parameter, or the names of the missing parameters."
                            ),
                        },
                        "details": {
                            "type": "object",
                            "additionalProperties": object_schema({"code": TEXT, "message": TEXT, "data": {}}),
                            "description": _("The messages from params, by parameter name, each with an error code."),
                        },
                        "term_id": described(ID, _("The id of the existing category or tag with the same name.")),
                        "request_id": described(
                            TEXT, _("The id of the request in the log. Include it when you report the error.")
                        ),
                    },
                    optional=("params", "details", "term_id", "request_id"),
                ),
                "description": _("Details of the error."),
            },
        }
    ),
)
