"""The form of a series: its title, the times of its first event, and when it repeats."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy

from calendar_site.back_office.forms.base import ServiceForm
from calendar_site.back_office.forms.time_fields import LocalTimeField, SiteTimeZoneField, to_input_value
from calendar_site.core.dates.conversion import parse_zone
from events.admin.series.recurrence import DAY_LENGTH, Recurrence
from events.admin.series.recurrence_field import RecurrenceField, RecurrenceInput
from events.models import Event, Series
from events.schedule import SCHEDULE_FIELDS, order_error, set_schedule


class SeriesRecurrenceInput(RecurrenceInput):
    can_be_single = False


class SeriesForm(ServiceForm):
    """A series, with times in its own time zone."""

    class Media:
        js = ("back_office/event_form.js",)

    class Meta:
        model = Series
        fields = ("title", "all_day")

    model_names = {"recurrence": "rrule"}

    start = LocalTimeField(label=gettext_lazy("First event starts"))
    end = LocalTimeField(label=gettext_lazy("First event ends"))
    time_zone = SiteTimeZoneField(label=gettext_lazy("Time zone"), required=False)
    recurrence = RecurrenceField(label=gettext_lazy("Repeats"), widget=SeriesRecurrenceInput)

    def prepare(self) -> None:
        series = self.instance
        shown = DAY_LENGTH if series.all_day else None
        self.initial["time_zone"] = series.time_zone
        self.initial["start"] = to_input_value(series.start_local)[:shown]
        self.initial["end"] = to_input_value(series.end_local)[:shown]
        self.initial["recurrence"] = str(Recurrence.of_series(series))
        for name in ("start", "end"):
            self.fields[name].widget.attrs["data-time"] = getattr(series, f"{name}_local")[11:16]

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if "time_zone" in data:
            self.parse_times(parse_zone(data["time_zone"]), "start", "end")
        start, end = data.get("start"), data.get("end")
        if start and end and (error := order_error(start, end, is_all_day=bool(data.get("all_day")))):
            self.add_error("end", error)
        if "recurrence" in data and data["recurrence"] is None:
            data["recurrence"] = Recurrence.of_series(self.instance)
        return super().clean()

    @property
    def changes(self) -> dict[str, Any]:
        """Return the values for the service. New times also change those of the additional dates."""
        changes = super().changes
        changes.pop("rrule", None)
        if not {"recurrence", *SCHEDULE_FIELDS}.isdisjoint(self.changed_data):
            first = Event()
            set_schedule(first, {name: self.cleaned_data[name] for name in SCHEDULE_FIELDS})
            changes |= self.cleaned_data["recurrence"].changes(first.start_local)
        return changes
