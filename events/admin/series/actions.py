"""Ending, extending, splitting and detaching a series, from its page."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from calendar_site.back_office.forms.time_fields import DayInput
from calendar_site.back_office.urls import admin_url, redirect_missing
from calendar_site.core import permissions
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.dates.formatting import format_day, format_day_without_weekday
from events.admin.series.undo import undo_tag
from events.models import Event, Series
from events.recurrence.rules import MAX_YEAR, MIN_YEAR, Rule
from events.series.bulk_saves import MAX_TRASHED_AT_ONCE
from events.series.services import can_edit_series, delete_series, is_incomplete, save_series

# Runs with a series that the user may see, under the write lock if it may write.
SeriesView = Callable[[HttpRequest, Series, Any], HttpResponse]


class LastDayForm(forms.Form):
    """The day on which a series ends."""

    last_day = forms.DateField(
        label=gettext_lazy("Last day"),
        widget=DayInput(),
        help_text=gettext_lazy(
            "Later events move to the trash. If the series ended sooner until now, further events are created."
        ),
    )

    def clean_last_day(self) -> date:
        day: date = self.cleaned_data["last_day"]
        if not MIN_YEAR <= day.year <= MAX_YEAR:
            raise ValidationError(_("Not a valid date."))
        return day


def end_view(request: HttpRequest, *, object_id: str, model_admin: ModelAdmin) -> HttpResponse:
    """Ask for the last day of the series, and then end it sooner or later than before."""
    return _run(request, object_id, model_admin, _end)


def split_view(request: HttpRequest, *, object_id: str, model_admin: ModelAdmin) -> HttpResponse:
    """Make this and following events, from `occurrence` on, a series of their own, and go to it."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    return _run(request, object_id, model_admin, _split)


def detach_view(request: HttpRequest, *, object_id: str, model_admin: ModelAdmin) -> HttpResponse:
    """Ask for confirmation, and then delete the series, which leaves single events."""
    return _run(request, object_id, model_admin, _detach)


def _run(request: HttpRequest, object_id: str, model_admin: ModelAdmin, view: SeriesView) -> HttpResponse:
    if request.method != "POST":
        return _run_locked(request, object_id, model_admin, view)
    with write_lock():
        return _run_locked(request, object_id, model_admin, view)


def _run_locked(request: HttpRequest, object_id: str, model_admin: ModelAdmin, view: SeriesView) -> HttpResponse:
    series = model_admin.get_object(request, unquote(object_id))
    if series is None:
        return redirect_missing(model_admin, request, object_id)
    return view(request, series, model_admin)


def _end(request: HttpRequest, series: Series, model_admin: ModelAdmin) -> HttpResponse:
    if not series.rrule or not can_edit_series(request.user, series):
        raise PermissionDenied
    form = LastDayForm(request.POST if request.method == "POST" else None, label_suffix="")
    if form.is_bound and form.is_valid():
        day = form.cleaned_data["last_day"]
        former_count = Event.objects.filter(series=series).not_trashed().count()
        try:
            _set_last_day(series, day, request.user)
        except ValidationError as error:
            form.add_error("last_day", error.messages)
        else:
            count = Event.objects.filter(series=series).not_trashed().count()
            text = ngettext(
                "The series ends on %(day)s. It has %(count)d event now.",
                "The series ends on %(day)s. It has %(count)d events now.",
                count,
            )
            # A background task moves the others to the trash, or creates them.
            is_complete = former_count - count <= MAX_TRASHED_AT_ONCE and not is_incomplete(series)
            names = {"day": format_day_without_weekday(day), "count": count}
            messages.success(request, text % names, extra_tags=undo_tag() if is_complete else "")
            return HttpResponseRedirect(admin_url(Series, "change", series.pk))
    return _page(request, series, model_admin, "end", {"title": _("End or extend the series"), "form": form})


def _set_last_day(series: Series, day: Any, user: Any) -> None:
    """End the rule and the additional dates on this day. Raises ValidationError and PermissionDenied."""
    end = f"{day + timedelta(days=1)} 00:00:00"
    rule = Rule.parse(series.rrule).ending_on(f"{day:%Y%m%d}")
    save_series(series, changes={"rrule": str(rule), "rdate": [date for date in series.rdate if date < end]}, user=user)


def _split(request: HttpRequest, series: Series, model_admin: ModelAdmin) -> HttpResponse:
    if not can_edit_series(request.user, series):
        raise PermissionDenied
    occurrence = request.POST.get("occurrence", "")
    try:
        start = _parse_occurrence(occurrence)
        following = save_series(series, changes={"from_occurrence": occurrence}, user=request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return HttpResponseRedirect(admin_url(Series, "change", series.pk))
    if following.pk != series.pk:
        text = _("The series was split. This new one begins on %(day)s.")
        messages.success(request, text % {"day": format_day(start)}, extra_tags=undo_tag())
    return HttpResponseRedirect(admin_url(Series, "change", following.pk))


def _parse_occurrence(text: str) -> datetime:
    # `fromisoformat()` also accepts other formats, and characters after the time.
    with suppress(ValueError):
        if str(start := datetime.fromisoformat(text)) == text:
            return start
    raise ValidationError(_("The series has no event at this time."))


def _detach(request: HttpRequest, series: Series, model_admin: ModelAdmin) -> HttpResponse:
    if not permissions.can_delete(request.user, series) or not can_edit_series(request.user, series):
        raise PermissionDenied
    count = Event.objects.filter(series=series).not_trashed().count()
    if request.method == "POST":
        delete_series(Series.objects.filter(pk=series.pk), user=request.user)
        text = ngettext(
            "The series “%(series)s” was deleted. Its event is a single event now.",
            "The series “%(series)s” was deleted. Its %(count)d events are single events now.",
            count,
        )
        messages.success(request, text % {"series": series, "count": count})
        return HttpResponseRedirect(admin_url(Series, "changelist"))
    return _page(request, series, model_admin, "detach", {"title": _("Detach all events"), "count": count})


def _page(
    request: HttpRequest, series: Series, model_admin: ModelAdmin, template: str, context: dict[str, Any]
) -> HttpResponse:
    shared = {
        **model_admin.admin_site.each_context(request),
        "opts": model_admin.opts,
        "media": model_admin.media,
        "original": series,
        "cancel_url": admin_url(Series, "change", series.pk),
    }
    return TemplateResponse(request, f"admin/events/series/{template}.html", {**shared, **context})
