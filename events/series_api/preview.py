"""`POST /series/preview`: the dates that a new series would have, without saving anything."""

from __future__ import annotations

from datetime import date
from typing import Any, TypedDict

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from calendar_site.api.description.arguments import Arguments, describe_fields
from calendar_site.api.description.components import (
    BOOLEAN,
    COUNT,
    TEXT,
    WIRE_DATE,
    Component,
    described,
    object_schema,
)
from calendar_site.api.description.operations import Example, Operation, RequestBody, common_errors
from calendar_site.api.errors import (
    ContractError,
    Forbidden,
    InvalidJSON,
    InvalidNonce,
    InvalidParams,
    MissingParams,
    NotAuthenticated,
)
from calendar_site.api.views import ContractView
from calendar_site.core import permissions
from calendar_site.core.dates.conversion import to_wire
from calendar_site.core.dates.public_holidays import find_holidays
from events.models import Event, Series
from events.recurrence.schedules import RECURRENCE_FIELDS, Schedule
from events.recurrence.sentences import describe_schedule
from events.schedule import SCHEDULE_FIELDS, set_schedule
from events.series.dates import at_start_time, normalize_dates, preview_dates, series_at, validate_excluded
from events.series_api.schemas import EXAMPLES
from events.series_api.serializers import SeriesSerializer
from events.series_api.views import SeriesViewSet

OCCURRENCE = Component(
    "SeriesOccurrence",
    object_schema(
        {
            "occurrence": described(WIRE_DATE, _("The local start by the rule, as exdate contains it.")),
            "start_date": described(WIRE_DATE, _("The start of the event, in the time zone of the series.")),
            "end_date": described(WIRE_DATE, _("The end of the event, in the time zone of the series.")),
            "public_holiday": described(TEXT, _("The name of the public holiday on this day, or an empty string.")),
        }
    ),
)
PREVIEW = Component(
    "SeriesPreview",
    object_schema(
        {
            "sentence": described(TEXT, _("When the events are, as a sentence.")),
            "total": described(COUNT, _("The number of events that exist once all are created.")),
            "is_complete": described(
                BOOLEAN, _("Whether these are all events. Otherwise, later ones are created as time goes by.")
            ),
            "occurrences": {"type": "array", "items": OCCURRENCE, "description": _("The events, in order.")},
        }
    ),
)


class OccurrenceRecord(TypedDict):
    occurrence: str
    start_date: str
    end_date: str
    public_holiday: str


class PreviewRecord(TypedDict):
    sentence: str
    total: int
    is_complete: bool
    occurrences: list[OccurrenceRecord]


# The fields of a series that contain dates.
DATE_LISTS = ("rdate", "exdate")


class SeriesDatesSerializer(SeriesSerializer):
    """The fields of a new series that determine its dates."""

    def get_fields(self) -> dict[str, Any]:
        names = {*RECURRENCE_FIELDS, *SCHEDULE_FIELDS}
        return {name: field for name, field in super().get_fields().items() if (field.source or name) in names}


class MayCreateSeries(BasePermission):
    """Everybody may ask for the description of the endpoint."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return request.method == "OPTIONS" or permissions.can_create(request.user, Series)


class SeriesPreviewView(ContractView):
    """The dates of a new series, for users who may create one."""

    tag_description = SeriesViewSet.tag_description
    permission_classes = [MayCreateSeries]

    def post(self, request: Request, **path: str) -> Response:
        serializer = SeriesDatesSerializer(data=self.arguments, context={"user": request.user})
        serializer.is_valid(raise_exception=True)
        self.ignore_arguments_except(serializer.fields)
        try:
            record = represent_preview(_new_series(serializer.validated_data))
        except ValidationError as error:
            raise serializer.to_contract_error(error) from error
        return Response(self.selection.apply(record))

    def methods_of_user(self) -> list[str]:
        return self.documented_methods() if permissions.can_create(self.request.user, Series) else []

    # --- Description

    def get_tag(self) -> str:
        return SeriesViewSet.collection

    def get_arguments(self, method: str) -> Arguments:
        return describe_fields(SeriesDatesSerializer())

    def get_operation(self, method: str) -> Operation:
        return Operation(
            "previewSeries",
            _("Preview a series"),
            PREVIEW,
            description=_("Returns the dates that a new series would have, and marks public holidays. Saves nothing."),
            example=Example("series-preview", EXAMPLES["series-preview"]),
            body=RequestBody(
                "SeriesDates", takes_files=False, example=Example("series-dates", EXAMPLES["series-dates"])
            ),
        )

    def get_errors(self, method: str) -> list[ContractError]:
        required = [name for name, argument in self.get_arguments(method).items() if argument.is_required]
        return [
            *common_errors(),
            NotAuthenticated(),
            Forbidden(),
            InvalidNonce(),
            InvalidJSON(1, 2, "unexpected end of data"),
            MissingParams(required),
            InvalidParams({required[0]: _("The date cannot be empty.")}),
        ]


def _new_series(changes: dict[str, Any]) -> Series:
    """Return an unsaved series with these dates."""
    first = Event()
    set_schedule(first, changes)
    series = series_at(first, rrule=changes.get("rrule", ""))
    series.rdate, series.exdate = (at_start_time(changes.get(name, ()), series.start_local) for name in DATE_LISTS)
    validate_excluded(series)
    normalize_dates(series)
    return series


def represent_preview(series: Series) -> PreviewRecord:
    """Return the dates of an unsaved series. No query. Raises ValidationError for dates that cannot be saved."""
    preview, schedule = preview_dates(series), Schedule.of(series)
    holidays = find_holidays(date.fromisoformat(text[:10]) for text in preview.occurrences)
    return {
        "sentence": describe_schedule(schedule),
        "total": preview.total,
        "is_complete": preview.is_complete,
        "occurrences": [
            {
                "occurrence": text,
                "start_date": to_wire(schedule.start_of(text)),
                "end_date": to_wire(schedule.end_of(text)),
                "public_holiday": holidays.get(date.fromisoformat(text[:10]), ""),
            }
            for text in preview.occurrences
        ],
    }
