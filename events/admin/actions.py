"""Actions of the list of events, in addition to those of all content."""

from __future__ import annotations

import csv
from functools import partial
from itertools import chain
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin import ModelAdmin
from django.contrib.admin.templatetags.admin_urls import add_preserved_filters
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
    StreamingHttpResponse,
)
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.back_office.base.action_page import action_page
from calendar_site.back_office.content.row_actions import (
    Refused,
    check_editable,
    check_not_trashed,
    fill_in,
    run_on_each,
)
from calendar_site.back_office.forms.record_fields import RecordSelect
from calendar_site.back_office.urls import admin_url, redirect_missing
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.core.types import AnyUser
from events.admin.export import COLUMNS, export_rows
from events.admin.warnings import warn_of_events
from events.models import Event
from events.services import duplicate_event, revoke_preview_links, save_event
from venues.models import Venue

# The limit of all selected events together.
MAX_NEW_EVENTS = 150


@admin.action(description=gettext_lazy("Mark as featured"), permissions=["change"])
def feature(model_admin: ModelAdmin, request: HttpRequest, queryset: QuerySet[Event]) -> None:
    done, needless = _("Featured: %(titles)s."), _("Skipped (already featured): %(titles)s.")
    run_on_each(request, queryset, partial(_set_flag, "featured", True, done, needless))


@admin.action(description=gettext_lazy("Remove featured mark"), permissions=["change"])
def feature_no_longer(model_admin: ModelAdmin, request: HttpRequest, queryset: QuerySet[Event]) -> None:
    done, needless = _("No longer featured: %(titles)s."), _("Skipped (not featured): %(titles)s.")
    run_on_each(request, queryset, partial(_set_flag, "featured", False, done, needless))


@admin.action(description=gettext_lazy("Hide from listings"), permissions=["change"])
def hide(model_admin: ModelAdmin, request: HttpRequest, queryset: QuerySet[Event]) -> None:
    done, needless = _("Hidden from listings: %(titles)s."), _("Skipped (already hidden): %(titles)s.")
    run_on_each(request, queryset, partial(_set_flag, "hide_from_listings", True, done, needless))


@admin.action(description=gettext_lazy("Show in listings"), permissions=["change"])
def show(model_admin: ModelAdmin, request: HttpRequest, queryset: QuerySet[Event]) -> None:
    done, needless = _("Shown in listings: %(titles)s."), _("Skipped (already shown): %(titles)s.")
    run_on_each(request, queryset, partial(_set_flag, "hide_from_listings", False, done, needless))


def _set_flag(name: str, value: bool, done: str, needless: str, event: Event, user: AnyUser) -> str:
    check_editable(user, event)
    if getattr(event, name) == value:
        raise Refused(needless)
    changes: Any = {name: value}
    save_event(event, changes=changes, user=user)
    return done


@admin.action(description=gettext_lazy("Change venue"), permissions=["change"])
def move_to_venue(model_admin: ModelAdmin, request: HttpRequest, queryset: QuerySet[Event]) -> HttpResponse | None:
    """Ask for a venue, and then move the events there."""
    form = _venue_form(model_admin, request)
    if "venue" in request.POST and form.is_valid():
        moved: list[Event] = []
        run_on_each(request, queryset, partial(_move_to_venue, form.cleaned_data["venue"], moved))
        warn_of_events(request, [(event, ("venues",)) for event in moved])
        return None
    template = "admin/events/event/move_to_venue.html"
    context = {"form": form, "events": list(queryset)}
    return action_page(model_admin, request, template, title=_("Change venue"), context=context, form_media=form.media)


def _venue_form(model_admin: ModelAdmin, request: HttpRequest) -> forms.Form:
    """Return a form that asks for one of the venues that the user may see."""
    widget = RecordSelect(Event._meta.get_field("venues"), model_admin.admin_site)
    venue = forms.ModelChoiceField(Venue.objects.visible_to(request.user), widget=widget, label=capfirst(_("venue")))
    form = type("MoveToVenueForm", (forms.Form,), {"venue": venue})
    return form(request.POST if "venue" in request.POST else None)


def _move_to_venue(venue: Venue, moved: list[Event], event: Event, user: AnyUser) -> str:
    check_editable(user, event)
    moved.append(save_event(event, changes={"venues": [venue]}, user=user))
    return fill_in(_("Moved to %(venue)s: %(titles)s."), venue=venue)


def may_create(request: HttpRequest, count: int) -> bool:
    """Return whether an action may create so many events. Otherwise, tell the user."""
    if count > MAX_NEW_EVENTS:
        text = _("Nothing was duplicated: that would be more than %(most)d new events.")
        messages.warning(request, text % {"most": MAX_NEW_EVENTS})
    return count <= MAX_NEW_EVENTS


@admin.action(description=gettext_lazy("Duplicate"), permissions=["add"])
def duplicate(model_admin: ModelAdmin, request: HttpRequest, queryset: QuerySet[Event]) -> HttpResponse | None:
    copies: list[Event] = []

    def copy(event: Event, user: AnyUser) -> str:
        # Users who may not change the event do not see everything that would be copied.
        check_editable(user, event)
        check_not_trashed(event)
        copies.append(duplicate_event(event, user=user))
        return _("Duplicated as draft: %(titles)s.")

    if not may_create(request, queryset.count()):
        return None
    run_on_each(request, queryset, copy, in_parts=False)
    if len(copies) != 1:
        return None
    filters: Any = {"preserved_filters": model_admin.get_preserved_filters(request), "opts": model_admin.opts}
    return HttpResponseRedirect(add_preserved_filters(filters, admin_url(Event, "change", copies[0].pk)))


def duplicate_view(request: HttpRequest, *, object_id: str, model_admin: ModelAdmin) -> HttpResponse:
    """Duplicate one event, from its form or its row, and open the copy."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    if not model_admin.has_add_permission(request):
        raise PermissionDenied
    event = model_admin.get_object(request, unquote(object_id))
    if event is None:
        return redirect_missing(model_admin, request, object_id)
    copied = duplicate(model_admin, request, Event.objects.filter(pk=event.pk))
    return copied or HttpResponseRedirect(admin_url(Event, "changelist"))


def duplicate_context(model_admin: ModelAdmin, request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Return whether the form offers to duplicate the event."""
    event = context["original"]
    return {
        "can_duplicate": event is not None
        and event.status != Status.TRASH
        and model_admin.has_add_permission(request)
        and permissions.can_edit(request.user, event)
    }


@admin.action(description=gettext_lazy("Revoke preview links"), permissions=["change"])
def revoke_previews(model_admin: ModelAdmin, request: HttpRequest, queryset: QuerySet[Event]) -> None:
    run_on_each(request, queryset, _revoke_preview_links, can_undo=False)


def _revoke_preview_links(event: Event, user: AnyUser) -> str:
    check_editable(user, event)
    revoke_preview_links(event, user=user)
    return _("Preview links revoked: %(titles)s.")


@admin.action(description=gettext_lazy("Export as CSV"), permissions=["view"])
def export(model_admin: ModelAdmin, request: HttpRequest, queryset: QuerySet[Event]) -> StreamingHttpResponse:
    """Return the selected events as CSV, with only the fields that the user may see."""
    writer = csv.writer(_Echo())
    lines = (writer.writerow(row) for row in [COLUMNS, *export_rows(queryset, request.user)])
    # Without the mark, spreadsheets take a saved file for one in the encoding of the system.
    response = StreamingHttpResponse(chain([BYTE_ORDER_MARK], lines), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="events.csv"'
    return response


BYTE_ORDER_MARK = "\ufeff"


class _Echo:
    """A file whose `write()` returns the text, for `csv.writer`."""

    def write(self, text: str) -> str:
        return text
