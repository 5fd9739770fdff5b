"""Undoing a change of a series from its message."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.utils.translation import gettext as _

from calendar_site.back_office.content.undo import MAX_AGE
from calendar_site.back_office.urls import UNDO_TAG, admin_url, is_valid_id, undo_url
from calendar_site.core import clock, permissions
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.http.request_context import REQUEST_ID
from calendar_site.core.types import AnyUser
from events.admin.series.scope import OF_SINGLE_EVENTS
from events.models import Event, Series
from events.series.services import is_incomplete
from events.series.undo import undo_series_change
from events.services import save_event


def undo_tag(event: Event | None = None) -> str:
    """Return the tag of a message whose button undoes what this request has done to a series, and to the event."""
    return UNDO_TAG + undo_url(Series) + (f"&event={event.pk}" if event else "")


def undo_view(request: HttpRequest, *, model_admin: ModelAdmin) -> HttpResponse:
    """Undo what the user has done to a series in the request with the id `request`, and to the event `event`."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    if not model_admin.has_change_permission(request):
        raise PermissionDenied
    request_id, event_id = request.GET.get("request", ""), request.GET.get("event", "")
    if not REQUEST_ID.fullmatch(request_id):
        raise Http404
    try:
        with write_lock():
            series = undo_series_change(request_id, since=clock.now() - MAX_AGE, user=request.user)
            if is_valid_id(event_id):
                _undo_own_fields(request_id, int(event_id), request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return HttpResponseRedirect(admin_url(Series, "changelist"))
    messages.success(request, _("Undone: %(titles)s.") % {"titles": series})
    report_background(request, series)
    return HttpResponseRedirect(admin_url(Series, "change", series.pk))


def _undo_own_fields(request_id: str, event_id: int, user: AnyUser) -> None:
    """Restore the fields that are not shared with the series."""
    event = Event.objects.filter(pk=event_id).first()
    history = Event.history.filter(id=event_id).order_by("-history_id")
    changed = history.filter(history_request_id=request_id, history_user_id=user.pk).last()
    if event is None or changed is None or not permissions.can_edit(user, event):
        return
    before = history.filter(history_id__lt=changed.history_id).first()
    names = [name for name in OF_SINGLE_EVENTS if before and getattr(before, name) != getattr(event, name)]
    if names:
        changes: Any = {name: getattr(before, name) for name in names}
        save_event(event, changes=changes, user=user)


def report_background(request: HttpRequest, series: Series) -> None:
    """Show a message if a background task continues the change of a series."""
    if is_incomplete(series):
        messages.info(request, _("The others follow in the background, within about a minute."))
