"""The schemas of the records of organizers (`representation.py`), for the OpenAPI document."""

from __future__ import annotations

from pathlib import Path

from django.utils.translation import gettext_lazy as _

from calendar_site.api.description.components import (
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
from organizers.serializers import OrganizerSerializer

EXAMPLES = read_examples(Path(__file__).parent / "examples")

ORGANIZER = Component(
    "Organizer",
    object_schema(
        with_field_descriptions(
            OrganizerSerializer,
            {
                "id": described(ID, _("The id of the organizer.")),
                **PUBLICATION,
                "url": described(URL, _("The URL of the public page.")),
                "organizer": TEXT,
                "slug": described(TEXT, _("The last part of the public URL.")),
                "description": described(TEXT, _("The description, as HTML.")),
                "excerpt": described(TEXT, _("A short summary of the record, as HTML.")),
                "image": IMAGE_OR_NONE,
                "phone": TEXT,
                "website": TEXT,
                "email": TEXT,
                "custom_fields": CUSTOM_FIELDS,
                **GLOBAL_IDS,
                "json_ld": STRUCTURED,
            },
        ),
        optional=("json_ld",),
    ),
)
