"""The switches in the list of events, each of which sets one flag of an event."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.contrib.admin.templatetags.admin_urls import add_preserved_filters
from django.contrib.admin.utils import unquote
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect, JsonResponse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.back_office.urls import admin_url
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.types import AnyUser
from events.models import Event
from events.services import save_event


class Flag(NamedTuple):
    # The name of a symbol in the font Material Symbols.
    icon: str
    label: Any
    # The messages after setting the flag of an event, and after clearing it.
    set_message: Any
    cleared_message: Any


FLAGS = {
    "featured": Flag(
        "star", gettext_lazy("Featured"), gettext_lazy("“%(event)s” is now featured."),
        gettext_lazy("“%(event)s” is no longer featured."),
    ),
    "sticky": Flag(
        "push_pin", gettext_lazy("Sticky"), gettext_lazy("“%(event)s” is now sticky."),
        gettext_lazy("“%(event)s” is no longer sticky."),
    ),
    "hide_from_listings": Flag(
        "visibility_off",
        gettext_lazy("Hidden from listings"),
        gettext_lazy("“%(event)s” is now hidden from listings."),
        gettext_lazy("“%(event)s” is now shown in listings."),
    ),
}  # fmt: skip


def flag_view(request: HttpRequest, *, object_id: str, name: str, model_admin: ModelAdmin) -> HttpResponse:
    """Set one flag of an event to `value`. Scripts receive the message as JSON, other clients see it on the list."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    if name not in FLAGS or request.POST.get("value") not in ("0", "1"):
        raise Http404
    message, status = _set_flag(model_admin, request, unquote(object_id), name, request.POST["value"] == "1")
    if request.headers.get("Accept") == "application/json":
        return JsonResponse({"message": message}, status=status)
    messages.add_message(request, messages.SUCCESS if status == 200 else messages.WARNING, message)
    filters: Any = {"preserved_filters": model_admin.get_preserved_filters(request), "opts": model_admin.opts}
    return HttpResponseRedirect(add_preserved_filters(filters, admin_url(Event, "changelist")))


def _set_flag(model_admin: ModelAdmin, request: HttpRequest, object_id: str, name: str, value: bool) -> tuple[str, int]:
    """Return a message and the status of the response."""
    with write_lock():
        event = model_admin.get_object(request, object_id)
        if event is None:
            return _("This event no longer exists."), 404
        if not can_set_flags(request.user, event):
            return _("You do not have permission to change “%(event)s”.") % {"event": event}, 403
        try:
            if getattr(event, name) != value:
                changes: Any = {name: value}
                save_event(event, changes=changes, user=request.user)
        except ValidationError as error:
            return " ".join(error.messages), 400
    message = FLAGS[name].set_message if value else FLAGS[name].cleared_message
    return str(message) % {"event": event}, 200


def can_set_flags(user: AnyUser, event: Event) -> bool:
    return event.status != Status.TRASH and permissions.can_edit(user, event)


def flag_switches(event: Event, list_query: str) -> SafeString:
    """Return a switch for each flag. `list_query` is the query string of the list to return to.

    URLs are relative to the list, whose page is long.
    """
    flags = ((name, flag, getattr(event, name)) for name, flag in FLAGS.items())
    buttons = format_html_join(
        "",
        '<button class="flag" formaction="{}/flag/{}/{}" name="value" value="{}"'
        ' aria-pressed="{}" aria-label="{}">{}</button>',
        (
            (
                event.pk,
                name,
                list_query,
                "0" if is_on else "1",
                "true" if is_on else "false",
                _("%(flag)s: %(event)s") % {"flag": flag.label, "event": event},
                flag.icon,
            )
            for name, flag, is_on in flags
        ),
    )
    return format_html('<span class="flags">{}</span>', buttons)


def flag_icons(event: Event) -> SafeString:
    """Return the flags that are set, for users who may not change them."""
    flags = ((flag.label, flag.label, flag.icon) for name, flag in FLAGS.items() if getattr(event, name))
    return format_html_join(
        "",
        '<span class="flag" role="img" aria-label="{}" title="{}">'
        '<span class="material-symbols-outlined">{}</span></span>',
        flags,
    )
