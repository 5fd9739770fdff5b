"""What organizers are answered with (`representation.py`), for the document."""

from __future__ import annotations

from pathlib import Path

from django.utils.translation import gettext_lazy as _

from calendar_site.api.components import (
    ADDRESS,
    CUSTOM_FIELDS,
    GLOBAL_IDS,
    ID,
    IMAGE_OR_NONE,
    PUBLICATION,
    STRUCTURED,
    TEXT,
    Component,
    described,
    described_by,
    object_of,
    read_examples,
)
from organizers.serializers import OrganizerInput

EXAMPLES = read_examples(Path(__file__).parent / "examples")

ORGANIZER = Component(
    "Organizer",
    object_of(
        described_by(
            OrganizerInput,
            {
                "id": described(ID, _("The id of the organizer.")),
                **PUBLICATION,
                "url": described(ADDRESS, _("The page of the record for people.")),
                "organizer": TEXT,
                "slug": described(TEXT, _("The last part of its address.")),
                "description": described(TEXT, _("The description, as HTML.")),
                "excerpt": described(TEXT, _("The record in a few words, as HTML.")),
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
