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
            "slug": described(TEXT, _("The last part of the public URL.")),
            "description": described(TEXT, _("The description of the category or tag.")),
            "parent": described(
                COUNT, _("The id of the parent category, or 0 if there is none. Tags only have it in events.")
            ),
            "count": described(COUNT, _("The number of published events.")),
            "url": described(URL, _("The URL of the public page.")),
            "urls": {
                **object_schema(
                    {
                        "self": described(URL, _("The URL of the record in the API.")),
                        "collection": described(URL, _("The URL of the list of categories or tags.")),
                        "up": described(URL, _("The URL of the parent category, if there is one.")),
                    },
                    optional=("up",),
                ),
                "description": _("The API URLs of the category or tag, and of related resources."),
            },
        },
        optional=("parent",),
    ),
)
