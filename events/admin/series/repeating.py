"""Making a series of the event in a form: of a new one, or of one that exists."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.contrib.admin.templatetags.admin_urls import add_preserved_filters
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import ngettext

from calendar_site.back_office.base.saved_message import with_links
from calendar_site.back_office.urls import admin_url
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.core.types import AnyUser
from events.admin.calendar.pages import is_from_calendar
from events.admin.series.recurrence import Recurrence
from events.admin.series.scope import OF_SINGLE_EVENTS
from events.admin.series.undo import report_background, undo_tag
from events.changes import SeriesChanges
from events.models import Event, Series
from events.schedule import set_schedule
from events.series.conversion import repeat_event
from events.series.services import save_series


def can_repeat(user: AnyUser, event: Event) -> bool:
    """Return whether the user may make a series of the event."""
    if not permissions.can_create(user, Event):
        return False
    if not event.pk:
        return True
    return not event.series_id and event.status != Status.TRASH and permissions.can_edit(user, event)


def create_series(changes: dict[str, Any], recurrence: Recurrence, user: AnyUser) -> Series:
    """Save a series of new events with these fields of an event. Raises the exceptions of `save_series()`."""
    shared = {name: value for name, value in changes.items() if name not in OF_SINGLE_EVENTS}
    first = Event()
    set_schedule(first, shared)
    return save_series(
        Series(), changes=cast("SeriesChanges", {**shared, **recurrence.changes(first.start_local)}), user=user
    )


def report_created(request: HttpRequest, series: Series) -> None:
    """Show a message about a new series."""
    count = Event.objects.filter(series=series).count()
    text = ngettext(
        "The series “%(series)s” was created with %(count)d event.",
        "The series “%(series)s” was created with %(count)d events.",
        count,
    )
    messages.success(request, text % {"series": series, "count": count})
    report_background(request, series)


def created_series_response(model_admin: ModelAdmin, request: HttpRequest, series: Series) -> HttpResponse:
    """Report the new series, and go to its page, to the form for another event, or back to the calendar."""
    report_created(request, series)
    filters: Any = {"preserved_filters": model_admin.get_preserved_filters(request), "opts": Event._meta}
    if "_addanother" in request.POST:
        return HttpResponseRedirect(add_preserved_filters(filters, admin_url(Event, "add")))
    if is_from_calendar(request) and "_continue" not in request.POST:
        return HttpResponseRedirect(add_preserved_filters(filters, admin_url(Event, "changelist")))
    return HttpResponseRedirect(admin_url(Series, "change", series.pk))


def report_change(model_admin: Any, request: HttpRequest, series: Series, event: Event) -> None:
    """Show a message about a series whose events were changed together with this one."""
    count = Event.objects.filter(series=series).not_trashed().count()
    text = ngettext(
        "The series was changed. It has %(count)d event.", "The series was changed. It has %(count)d events.", count
    )
    message = with_links(model_admin, request, event, text % {"count": count})
    messages.success(request, message, extra_tags=undo_tag(event))
    report_background(request, series)


def continue_as_series(event: Event, recurrence: Recurrence, user: AnyUser) -> Series:
    """Make a saved event the first one of a new series. Raises the exceptions of `save_series()`."""
    return repeat_event(event, changes=cast("SeriesChanges", recurrence.changes(event.start_local)), user=user)
