"""Form fields for times and time zones."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.widgets import UnfoldAdminTextInputWidget

from calendar_site.core.dates.conversion import parse_zone, site_zone, zone_names

ZONE_DATALIST_ID = "time-zones"
# Without a last day, Chromium takes six digits for a year: the digits of the time then go into the year.
LAST_DAY = "9999-12-31"
LAST_TIMES = {"date": LAST_DAY, "datetime-local": f"{LAST_DAY}T23:59"}


class LocalTimeInput(UnfoldAdminTextInputWidget):
    """The browser's control for a date with a time, or for a date alone if the value is one."""

    input_type = "datetime-local"

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        if value and len(value) == len("2027-03-10"):
            context["widget"]["type"] = "date"
        context["widget"]["attrs"]["max"] = LAST_TIMES[context["widget"]["type"]]
        return context


class DayInput(forms.DateInput):
    """The browser's control for a day."""

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__({"type": "date", "max": LAST_DAY, **(attrs or {})}, format="%Y-%m-%d")


class LocalTimeField(forms.CharField):
    """A time in a zone that only the form knows: see `ConflictCheckingForm.parse_times`."""

    widget = LocalTimeInput


def to_input_value(wire_date: str) -> str:
    """Return a wire date in the format of the browser's control, without seconds if they are zero."""
    return wire_date.replace(" ", "T").removesuffix(":00")


class TimeZoneInput(UnfoldAdminTextInputWidget):
    """A text input that suggests the names of time zones."""

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__({"list": ZONE_DATALIST_ID, "autocomplete": "off", **(attrs or {})})

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        return super().render(name, value, attrs, renderer) + _zone_datalist()


@lru_cache(maxsize=1)
def _zone_datalist() -> SafeString:
    options = format_html_join("", '<option value="{}">', ((name,) for name in zone_names()))
    return format_html('<datalist id="{}">{}</datalist>', ZONE_DATALIST_ID, options)


class TimeZoneField(forms.CharField):
    """The name of a time zone in its canonical spelling, "" if it is left empty."""

    widget = TimeZoneInput

    def clean(self, value: Any) -> str:
        text = super().clean(value)
        try:
            return parse_zone(text).name if text else ""
        except ValueError as error:
            raise ValidationError(str(error)) from error


class SiteTimeZoneField(TimeZoneField):
    """The name of a time zone; the site's time zone if it is left empty."""

    def clean(self, value: Any) -> str:
        return super().clean(value) or site_zone().name
