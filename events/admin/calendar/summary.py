"""The pop-over of an event in the calendar: its essentials, and what the user may do with it."""

from __future__ import annotations

from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse

from calendar_site.back_office.content.content_admin import ContentModelAdmin
from calendar_site.back_office.content.status_actions import status_context
from calendar_site.back_office.lists.columns import status_now
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from events.admin.actions import duplicate_context
from events.admin.calendar.cards import NOT_TAKING_PLACE
from events.admin.cancellation import cancellation_context
from events.admin.columns import category_names, event_status, thumbnail, venue_names, when
from events.admin.prefetches import prefetch_category_names


def summary_view(request: HttpRequest, *, object_id: str, model_admin: ContentModelAdmin) -> HttpResponse:
    """Return the content of the pop-over as HTML. Its links and buttons lead back to the calendar."""
    event = model_admin.get_object(request, unquote(object_id))
    if event is None:
        raise Http404
    if not model_admin.has_view_permission(request, event):
        raise PermissionDenied
    prefetch_related_objects([event], prefetch_category_names())
    is_trash = event.status == Status.TRASH
    can_edit = not is_trash and permissions.can_edit(request.user, event)
    context = {
        "event": event,
        "opts": model_admin.opts,
        "preserved_filters": model_admin.get_preserved_filters(request),
        "when": when(event),
        "venues": venue_names(event),
        "categories": category_names(event),
        "status": status_now(event),
        "marks": event_status(event),
        "reason": event.event_status_reason if event.has_visible_fields else "",
        "thumbnail": thumbnail(event),
        "is_struck": event.has_visible_fields and event.event_status in NOT_TAKING_PLACE,
        "is_repeated": event.has_visible_fields and event.series_id is not None,
        "page_url": "" if is_trash else reverse("event-page", args=[event.slug]),
        "can_edit": can_edit,
    }
    for buttons in (duplicate_context, cancellation_context, status_context):
        context.update(buttons(model_admin, request, {"original": event}))
    return TemplateResponse(request, "admin/events/event/summary.html", context)
