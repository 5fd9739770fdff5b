"""The schemas of the records of categories and tags (`representation.py`), for the OpenAPI document."""

from __future__ import annotations

from pathlib import Path

from django.utils.translation import gettext_lazy as _

from calendar_site.api.description.components import (
    COUNT,
    ID,
    TEXT,
    URL,
    Component,
    described,
    object_schema,
    read_examples,
)

EXAMPLES = read_examples(Path(__file__).parent / "examples")

TERM = Component(
    "Term",
    object_schema(
        {
            "id": described(ID, _("The id of the category or tag.")),
            "name": described(TEXT, _("The name of the category or tag.")),
            "slug": described(TEXT, _("The last part of its address.")),
            "description": described(TEXT, _("What the category or tag is about.")),
            "parent": described(
                COUNT, _("The category that it belongs to, by its id; 0 for none. Tags have no such key.")
            ),
            "count": described(COUNT, _("How many published events it has.")),
            "url": described(URL, _("The page of the record for people.")),
            "urls": {
                **object_schema(
                    {
                        "self": described(URL, _("The address of the record in the API.")),
                        "collection": described(URL, _("The address of the list that it is in.")),
                        "up": described(URL, _("The address of the category that it belongs to, where there is one.")),
                    },
                    optional=("up",),
                ),
                "description": _("Addresses in the API."),
            },
        },
        optional=("parent",),
    ),
)
