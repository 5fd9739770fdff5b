"""Moving an event in the calendar to another day or time, and changing its end."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.admin import ModelAdmin
from django.contrib.admin.utils import unquote
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.utils.translation import gettext as _

from calendar_site.core.choices import Status
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.dates.formatting import format_day, format_day_and_clock, format_day_and_time, format_time
from events.admin.calendar.shown_times import local_step, local_time, shown_times
from events.admin.time_display import format_span
from events.admin.warnings import event_warnings
from events.models import Event
from events.services import move_event, reschedule_event

DAY_LENGTH = len("2027-03-10")
MINUTE_LENGTH = len("2027-03-10T20:00")


def move_view(request: HttpRequest, *, object_id: str, model_admin: ModelAdmin) -> HttpResponse:
    """Move an event from the start `from` to `to`, and return JSON with a message and warnings.

    Both are on the clock of the site: days, or moments such as `2027-03-10T20:00`. With `end`, the event ends at that
    moment; otherwise, it keeps its duration. The response contains the values that undo the change.
    """
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    values = [request.POST.get(name, "") for name in ("from", "to", "end")]
    try:
        old, new = (datetime.fromisoformat(value) for value in values[:2])
        end = datetime.fromisoformat(values[2]) if values[2] else None
    except ValueError:
        return _error(_("Not a valid date."), 400)
    if any(moment and moment.tzinfo for moment in (old, new, end)):
        return _error(_("Not a valid date."), 400)
    with write_lock():
        event = model_admin.get_object(request, unquote(object_id))
        if event is None:
            raise Http404
        if event.status == Status.TRASH or not model_admin.has_change_permission(request, event):
            return _error(_("You do not have permission to change “%(event)s”.") % {"event": event}, 403)
        precision = DAY_LENGTH if event.all_day or len(values[0]) == DAY_LENGTH else MINUTE_LENGTH
        before = _shown(event)
        if before[0][:precision] != str(old)[:precision]:
            return _error(_("Someone else has moved “%(event)s” in the meantime.") % {"event": event}, 409)
        try:
            if end and not event.all_day:
                start, end = local_time(event, new), local_time(event, end)
                reschedule_event(event, start=start, end=end, user=request.user)
            else:
                step = _step(old, new, is_whole_days=precision == DAY_LENGTH)
                move_event(event, step=local_step(event, step), user=request.user)
        except (ValueError, ValidationError) as error:
            return _error(" ".join(getattr(error, "messages", [str(error)])), 400)
    undo = {"from": _shown(event)[0][:precision], "to": before[0][:precision]}
    if end and not event.all_day:
        undo["end"] = before[1]
    message = _message(event, precision, before[0], has_new_end="end" in undo)
    if event.series_id:
        message = " ".join((message, _("Only this event of the series was moved.")))
    warnings = event_warnings(event, {"start", "end"}, request.user)
    return JsonResponse({"message": message, "warnings": warnings, **undo})


def _step(old: datetime, new: datetime, *, is_whole_days: bool) -> timedelta:
    return new.date() - old.date() if is_whole_days else new - old


def _shown(event: Event) -> tuple[str, str]:
    """Return the start and the end at which the calendar shows the event."""
    times = shown_times(event, is_all_day=event.all_day)
    return str(times.starts), str(times.ends)


def _message(event: Event, precision: int, former_start: str, *, has_new_end: bool) -> str:
    """Return what has changed, on the clock of the site, and when that is where the event is."""
    start, end, elsewhere = shown_times(event, is_all_day=event.all_day)
    values = {"event": event, "elsewhere": f" ({elsewhere})" if elsewhere else ""}
    if has_new_end and str(start) == former_start:
        is_same_day = start.date() == end.date()
        clock = format_time(end) if is_same_day else format_day_and_time(end)
        return _("“%(event)s” ends at %(time)s now.") % {**values, "time": clock}
    if has_new_end:
        return _("“%(event)s” was moved: %(times)s%(elsewhere)s.") % {**values, "times": format_span(start, end)}
    day = format_day(start) if precision == DAY_LENGTH else format_day_and_clock(start)
    return _("“%(event)s” was moved to %(day)s%(elsewhere)s.") % {**values, "day": day}


def _error(message: str, status: int) -> JsonResponse:
    return JsonResponse({"message": message}, status=status)
