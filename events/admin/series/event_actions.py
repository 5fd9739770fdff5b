"""Pages and buttons of the form of an event that belongs to a series: moving to the trash, and detaching it."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.contrib.admin.templatetags.admin_urls import add_preserved_filters
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from calendar_site.back_office.content.content_admin import ContentModelAdmin
from calendar_site.back_office.content.row_actions import Refused, check_editable, run_on_each
from calendar_site.back_office.content.status_actions import trash_view
from calendar_site.back_office.urls import admin_url, redirect_missing
from calendar_site.core import permissions
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.types import AnyUser
from events.admin.series.scope import ALL, THIS_AND_FOLLOWING, can_choose_scope, scope_choices
from events.admin.series.undo import undo_tag
from events.models import Event, Series
from events.protection.protected_fields import Reader, hides_fields
from events.recurrence.schedules import Schedule
from events.recurrence.sentences import describe_schedule
from events.series.bulk_saves import MAX_TRASHED_AT_ONCE
from events.series.services import detach_event
from events.series.trashing import trash_occurrences


def trash_event_view(request: HttpRequest, *, object_id: str, model_admin: ContentModelAdmin) -> HttpResponse:
    """Move an event to the trash. For one of a series, ask first whether others follow."""
    scope = request.POST.get("scope")
    if request.method == "POST" and scope in (None, THIS_AND_FOLLOWING, ALL):
        # Under the lock, so that nobody else changes the series between the check and the write.
        with write_lock():
            event = model_admin.get_object(request, unquote(object_id))
            if event and permissions.can_delete(request.user, event) and can_choose_scope(request.user, event):
                if scope is None:
                    return _ask(request, event, model_admin)
                return _trash_several(request, event, scope, model_admin)
    return trash_view(request, object_id=object_id, model_admin=model_admin)


def _trash_several(request: HttpRequest, event: Event, scope: str, model_admin: ContentModelAdmin) -> HttpResponse:
    try:
        since = event.series_occurrence if scope == THIS_AND_FOLLOWING else ""
        count = trash_occurrences(cast("Series", event.series), since=since, user=request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return HttpResponseRedirect(admin_url(Event, "change", event.pk))
    text = ngettext(
        "%(count)d event of the series was moved to the trash.",
        "%(count)d events of the series were moved to the trash.",
        count,
    )
    is_complete = count <= MAX_TRASHED_AT_ONCE
    messages.success(request, text % {"count": count}, extra_tags=undo_tag() if is_complete else "")
    if not is_complete:
        messages.info(request, _("The others follow in the background, within about a minute."))
    return HttpResponseRedirect(_with_filters(model_admin, request, admin_url(Event, "changelist")))


def _ask(request: HttpRequest, event: Event, model_admin: ContentModelAdmin) -> HttpResponse:
    context = {
        **model_admin.admin_site.each_context(request),
        "opts": model_admin.opts,
        "media": model_admin.media,
        "title": _("Move to trash"),
        "original": event,
        "choices": scope_choices(event),
        "cancel_url": _with_filters(model_admin, request, admin_url(Event, "change", event.pk)),
    }
    return TemplateResponse(request, "admin/events/series/trash.html", context)


def series_view(request: HttpRequest, *, object_id: str, model_admin: ContentModelAdmin) -> HttpResponse:
    """Go to the page of the series of an event. Raises PermissionDenied if the user may not see the series."""
    event = model_admin.get_object(request, unquote(object_id))
    if event is None:
        return redirect_missing(model_admin, request, object_id)
    if event.series_id is None:
        return HttpResponseRedirect(admin_url(Event, "change", event.pk))
    if _visible_series(event, request.user) is None:
        raise PermissionDenied
    return HttpResponseRedirect(admin_url(Series, "change", event.series_id))


def detach_event_view(request: HttpRequest, *, object_id: str, model_admin: ContentModelAdmin) -> HttpResponse:
    """Make an event of a series a single event."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    event = model_admin.get_object(request, unquote(object_id))
    if event is None:
        return redirect_missing(model_admin, request, object_id)
    # Restoring an earlier state would not bring the event back into the series.
    run_on_each(request, Event.objects.filter(pk=event.pk), _detach, can_undo=False)
    return HttpResponseRedirect(_with_filters(model_admin, request, admin_url(Event, "change", event.pk)))


def _detach(event: Event, user: AnyUser) -> str:
    check_editable(user, event)
    if event.series_id is None:
        raise Refused(_("Skipped (not in a series): %(titles)s."))
    detach_event(event, user=user)
    return _("Detached from its series: %(titles)s.")


def series_context(model_admin: ContentModelAdmin, request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Return the series of the event in a form, if the user may see it, and what the form offers because of it."""
    event = context["original"]
    if event is None or event.series_id is None:
        return {}
    form = context["adminform"].form
    found: dict[str, Any] = {"can_detach_event": permissions.can_edit(request.user, event)}
    if "scope" in form.fields:
        found["save_choice"] = form["scope"]
    if series := _visible_series(event, request.user):
        found["series"] = series
        found["series_url"] = admin_url(Series, "change", series.pk)
        found["series_sentence"] = describe_schedule(Schedule.of(series))
    return found


def _visible_series(event: Event, user: AnyUser) -> Series | None:
    """Return the series of an event, if the user may see it, and that the event belongs to it."""
    if event.series_id is None or hides_fields(event, Reader(user)):
        return None
    return Series.objects.visible_to(user).filter(pk=event.series_id).first()


def _with_filters(model_admin: ContentModelAdmin, request: HttpRequest, url: str) -> str:
    filters: Any = {"preserved_filters": model_admin.get_preserved_filters(request), "opts": model_admin.opts}
    return str(add_preserved_filters(filters, url))
