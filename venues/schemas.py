"""The schemas of the records of venues (`representation.py`), for the OpenAPI document."""

from __future__ import annotations

from pathlib import Path

from django.utils.translation import gettext_lazy as _

from calendar_site.api.description.components import (
    ACCESSIBILITY,
    BOOLEAN,
    CUSTOM_FIELDS,
    GLOBAL_IDS,
    ID,
    IMAGE_OR_NONE,
    PUBLICATION,
    STRUCTURED,
    TEXT,
    URL,
    Component,
    described,
    object_schema,
    read_examples,
    with_field_descriptions,
)
from venues.serializers import VenueSerializer

EXAMPLES = read_examples(Path(__file__).parent / "examples")

VENUE = Component(
    "Venue",
    object_schema(
        with_field_descriptions(
            VenueSerializer,
            {
                "id": described(ID, _("The id of the venue.")),
                **PUBLICATION,
                "url": described(URL, _("The URL of the public page.")),
                "venue": TEXT,
                "slug": described(TEXT, _("The last part of the public URL.")),
                "description": described(TEXT, _("The description, as HTML.")),
                "excerpt": described(TEXT, _("A short summary of the record, as HTML.")),
                "image": IMAGE_OR_NONE,
                "address": TEXT,
                "city": TEXT,
                "country": TEXT,
                "province": TEXT,
                "state": TEXT,
                "zip": TEXT,
                "phone": TEXT,
                "website": TEXT,
                "stateprovince": described(TEXT, _("The value sent for it, otherwise the state or the province.")),
                "show_map": described(BOOLEAN, _("Whether events at the venue show a map.")),
                "show_map_link": described(BOOLEAN, _("Whether events at the venue show a link to a map.")),
                "accessibility": ACCESSIBILITY,
                "geo_lat": {"type": ["number", "null"]},
                "geo_lng": {"type": ["number", "null"]},
                "timezone": {"type": ["string", "null"]},
                "custom_fields": CUSTOM_FIELDS,
                **GLOBAL_IDS,
                "json_ld": STRUCTURED,
            },
        ),
        optional=("json_ld",),
    ),
)
