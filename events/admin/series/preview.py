"""The preview of the dates on which an event repeats, below the inputs of its form."""

from __future__ import annotations

from datetime import date, datetime
from itertools import islice
from typing import Any, NamedTuple

from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from calendar_site.back_office.forms.time_fields import SiteTimeZoneField
from calendar_site.core.dates.conversion import parse_zone
from calendar_site.core.dates.formatting import format_day_without_weekday, format_short_day, format_short_day_and_time
from calendar_site.core.dates.parser import parse_wire_date
from calendar_site.core.dates.public_holidays import find_holidays
from events.admin.series.recurrence import DAY_LENGTH
from events.admin.series.recurrence_field import RecurrenceField, RecurrenceInput
from events.models import Event, Series
from events.recurrence.schedules import Schedule
from events.recurrence.sentences import describe_schedule
from events.schedule import set_schedule
from events.series.dates import Preview, horizon_of, preview_dates, series_at

# Further dates are shown on request.
MAX_SHOWN = 60


class PreviewDate(NamedTuple):
    """A date in the list, which users can leave out and take back."""

    # The value of the input: a day, or a local time.
    value: str
    label: str
    is_added: bool
    is_excluded: bool
    # The name of the public holiday, if it is one.
    holiday: str


class DatesPreview(NamedTuple):
    sentence: str
    summary: str
    # A warning of the public holidays that are not left out.
    warning: str
    dates: list[PreviewDate]
    more: int


def preview_view(request: HttpRequest, *, model_admin: ModelAdmin) -> HttpResponse:
    """Return the preview of what the form contains, as HTML. It is a POST because the dates may be many."""
    if not (model_admin.has_add_permission(request) or model_admin.has_change_permission(request)):
        raise PermissionDenied
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    context: dict[str, Any] = {}
    try:
        series = _entered_series(request.POST)
        if series is not None:
            context["preview"] = preview_series(series, limit=None if "all" in request.POST else MAX_SHOWN)
    except ValidationError as error:
        context["errors"] = error.messages
    return TemplateResponse(request, "admin/events/series/preview.html", context)


def _entered_series(data: Any) -> Series | None:
    """Return an unsaved series with the entered dates; None if the event does not repeat. Raises ValidationError."""
    recurrence = RecurrenceField().clean(RecurrenceInput().value_from_datadict(data, None, "recurrence"))
    if recurrence is None:
        return None
    zone = parse_zone(SiteTimeZoneField(required=False).clean(data.get("time_zone", "")))
    try:
        times = {name: parse_wire_date(data[name], zone) for name in ("start", "end") if data.get(name)}
    except ValueError as error:
        raise ValidationError(str(error)) from error
    if len(times) < 2:
        raise ValidationError(_("Enter when the first event starts and ends."))
    event = Event()
    set_schedule(event, {**times, "time_zone": zone.name, "all_day": bool(data.get("all_day"))})
    return series_at(event, **recurrence.changes(event.start_local))


def preview_series(series: Series, *, limit: int | None) -> DatesPreview:
    """Return at most `limit` dates of a series, with those that are left out. Raises ValidationError."""
    preview = preview_dates(series)
    excluded = set(series.exdate)
    # Dates that are left out stay in the list, so that they can be taken back.
    shown = sorted({*preview.occurrences, *_excluded_occurrences(series)})
    holidays = find_holidays(date.fromisoformat(text[:DAY_LENGTH]) for text in shown)
    dates = [_preview_date(series, text, excluded, holidays) for text in shown]
    on_holidays = sum(1 for shown_date in dates if shown_date.holiday and not shown_date.is_excluded)
    warning = ngettext(
        "%(count)d event is on a public holiday.", "%(count)d events are on public holidays.", on_holidays
    ) % {"count": on_holidays}
    return DatesPreview(
        sentence=describe_schedule(Schedule.of(series)),
        summary=_summarize(preview),
        warning=warning if on_holidays else "",
        dates=dates[:limit],
        more=len(dates) - len(dates[:limit]),
    )


def _excluded_occurrences(series: Series) -> set[str]:
    """Return the dates that are left out, among those that the series would have up to the horizon."""
    schedule = Schedule.of(series)
    every = schedule._replace(excluded=()).occurrences(horizon_of(schedule))
    return set(schedule.excluded) & set(islice(every, 2 * Series.MAX_OCCURRENCES))


def _preview_date(series: Series, text: str, excluded: set[str], holidays: dict[date, str]) -> PreviewDate:
    moment = datetime.fromisoformat(text)
    has_usual_time = text[DAY_LENGTH:] == series.start_local[DAY_LENGTH:]
    return PreviewDate(
        value=text[:DAY_LENGTH] if has_usual_time else text,
        label=format_short_day(moment) if has_usual_time else format_short_day_and_time(moment),
        is_added=text in series.rdate,
        is_excluded=text in excluded,
        holiday=holidays.get(moment.date(), ""),
    )


def _summarize(preview: Preview) -> str:
    """Return the number of events, and until when."""
    values = {
        "count": preview.total,
        "day": format_day_without_weekday(datetime.fromisoformat(preview.last)),
    }
    if preview.is_complete:
        return (
            ngettext("%(count)d event, on %(day)s.", "%(count)d events, the last one on %(day)s.", preview.total)
            % values
        )
    text = ngettext(
        "%(count)d event for now, on %(day)s. Later ones are created as time goes by.",
        "%(count)d events for now, up to %(day)s. Later ones are created as time goes by.",
        preview.total,
    )
    return text % values
