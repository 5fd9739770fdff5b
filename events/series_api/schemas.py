"""The schema of the records of series (`representation.py`), for the OpenAPI document."""

from __future__ import annotations

from pathlib import Path

from django.utils.translation import gettext_lazy as _

from calendar_site.api.description.components import (
    BOOLEAN,
    ID,
    PUBLICATION,
    TEXT,
    URL,
    WIRE_DATE,
    Component,
    described,
    object_schema,
    read_examples,
    with_field_descriptions,
)
from events.series_api.serializers import SeriesSerializer

EXAMPLES = read_examples(Path(__file__).parent / "examples")
DATES = {"type": "array", "items": WIRE_DATE}

SERIES = Component(
    "Series",
    object_schema(
        with_field_descriptions(
            SeriesSerializer,
            {
                "id": described(ID, _("The id of the series.")),
                **PUBLICATION,
                "rest_url": described(URL, _("The URL of the record in the API.")),
                "events_url": described(URL, _("The URL of the list of its events.")),
                "title": TEXT,
                "start_date": described(WIRE_DATE, _("The start of the first event, in the time zone of the series.")),
                "end_date": described(WIRE_DATE, _("The end of the first event, in the time zone of the series.")),
                "timezone": described(TEXT, _("The time zone of the series.")),
                "all_day": BOOLEAN,
                "rrule": TEXT,
                "rdate": DATES,
                "exdate": DATES,
                "is_complete": described(
                    BOOLEAN, _("False while a background task still gives some of the events the values of the series.")
                ),
            },
        )
    ),
)
