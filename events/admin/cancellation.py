"""Cancelling events and undoing it: actions of the list, and buttons of the form."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.back_office.content.content_admin import ContentModelAdmin
from calendar_site.back_office.content.row_actions import Refused, check_editable, check_not_trashed, run_on_each
from calendar_site.back_office.content.status_actions import run_on_one
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.core.types import AnyUser
from events.choices import EventStatus
from events.models import Event
from events.services import cancel_event, undo_cancellation


@admin.action(description=gettext_lazy("Cancel events"), permissions=["change"])
def cancel(model_admin: ContentModelAdmin, request: HttpRequest, queryset: QuerySet[Event]) -> None:
    run_on_each(request, queryset, _cancel)


@admin.action(description=gettext_lazy("Undo cancellation"), permissions=["change"])
def undo_cancel(model_admin: ContentModelAdmin, request: HttpRequest, queryset: QuerySet[Event]) -> None:
    run_on_each(request, queryset, _undo)


def cancel_view(request: HttpRequest, *, object_id: str, model_admin: ContentModelAdmin) -> HttpResponse:
    return run_on_one(model_admin, request, object_id, _cancel, "change", object_id)


def undo_cancel_view(request: HttpRequest, *, object_id: str, model_admin: ContentModelAdmin) -> HttpResponse:
    return run_on_one(model_admin, request, object_id, _undo, "change", object_id)


def cancellation_context(
    model_admin: ContentModelAdmin, request: HttpRequest, context: dict[str, Any]
) -> dict[str, Any]:
    """Return the button of the form that cancels the event, or undoes that."""
    event = context["original"]
    if event is None or event.status == Status.TRASH or not permissions.can_edit(request.user, event):
        return {}
    is_cancelled = event.event_status == EventStatus.CANCELLED
    return {"can_undo_cancellation": is_cancelled, "can_cancel": not is_cancelled}


def _check_cancellable(user: AnyUser, event: Event) -> None:
    """Raise Refused if the user may not change the event, or if it is in the trash."""
    check_editable(user, event)
    check_not_trashed(event)


def _cancel(event: Event, user: AnyUser) -> str:
    _check_cancellable(user, event)
    if event.event_status == EventStatus.CANCELLED:
        raise Refused(_("Skipped (already cancelled): %(titles)s."))
    cancel_event(event, user=user)
    return _("Cancelled: %(titles)s. Visitors still see that it was planned.")


def _undo(event: Event, user: AnyUser) -> str:
    _check_cancellable(user, event)
    if event.event_status != EventStatus.CANCELLED:
        raise Refused(_("Skipped (not cancelled): %(titles)s."))
    undo_cancellation(event, user=user)
    return _("Cancellation undone: %(titles)s.")
