"""What categories and tags are answered with (`representation.py`), for the document."""

from __future__ import annotations

from pathlib import Path

from django.utils.translation import gettext_lazy as _

from calendar_site.api.components import ADDRESS, COUNT, ID, TEXT, Component, described, object_of, read_examples

EXAMPLES = read_examples(Path(__file__).parent / "examples")

TERM = Component(
    "Term",
    object_of(
        {
            "id": described(ID, _("The id of the category or tag.")),
            "name": described(TEXT, _("The name of the category or tag.")),
            "slug": described(TEXT, _("The last part of its address.")),
            "description": described(TEXT, _("What the category or tag is about.")),
            "parent": described(
                COUNT, _("The category that it belongs to, by its id; 0 for none. Tags have no such key.")
            ),
            "count": described(COUNT, _("How many published events it has.")),
            "url": described(ADDRESS, _("The page of the record for people.")),
            "urls": {
                **object_of(
                    {
                        "self": described(ADDRESS, _("The address of the record in the API.")),
                        "collection": described(ADDRESS, _("The address of the list that it is in.")),
                        "up": described(
                            ADDRESS, _("The address of the category that it belongs to, where there is one.")
                        ),
                    },
                    optional=("up",),
                ),
                "description": _("Addresses in the API."),
            },
        },
        optional=("parent",),
    ),
)
