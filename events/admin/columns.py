"""Columns of the list of events, and fields of the form for users who may only view an event.

An event with a password shows only its title and dates: see `with_field_visibility()`.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from calendar_site.back_office.lists import columns
from events.admin.flag_switches import flag_icons, flag_switches
from events.admin.time_display import format_event_times
from events.choices import AttendanceMode, EventStatus
from events.protection.preview_tokens import MAX_AGE as PREVIEW_MAX_AGE
from events.protection.preview_tokens import make_preview_token
from events.protection.protected_fields import Reader, shows_online_url
from taxonomy.admin.colors import term_chip


@admin.display(description=gettext_lazy("when"), ordering="start_local")
def when(event: Any) -> str:
    return format_event_times(event, is_all_day=event.all_day and event.has_visible_fields)


@admin.display(description=gettext_lazy("when"), ordering="start_local")
def times(event: Any) -> SafeString:
    """Return the times of an event, and its marks, which few events have."""
    return format_html("{} {}", when(event), event_status(event))


@admin.display(description=gettext_lazy("image"))
def thumbnail(event: Any) -> str:
    return columns.thumbnail(event) if event.has_visible_fields else ""


@admin.display(description=gettext_lazy("venues"))
def venue_names(event: Any) -> str:
    return ", ".join(link.venue.title for link in event.visible_venues) if event.has_visible_fields else ""


@admin.display(description=gettext_lazy("organizers"))
def organizer_names(event: Any) -> str:
    return ", ".join(link.organizer.title for link in event.visible_organizers) if event.has_visible_fields else ""


@admin.display(description=gettext_lazy("categories"))
def category_names(event: Any) -> SafeString:
    categories = event.categories.all() if event.has_visible_fields else ()
    return format_html_join(" ", "{}", ((term_chip(category),) for category in categories))


@admin.display(description=gettext_lazy("display"))
def flags(event: Any) -> str:
    if not event.has_visible_fields:
        return ""
    return flag_switches(event, event.list_query) if event.can_set_flags else flag_icons(event)


@admin.display(description=gettext_lazy("takes place"))
def event_status(event: Any) -> SafeString | str:
    """Return the marks of an event that does not take place as planned, is sold out or online."""
    if not event.has_visible_fields:
        return ""
    marks: list[tuple[str, Any]] = []
    if event.event_status != EventStatus.SCHEDULED:
        marks.append((event.event_status, EventStatus(event.event_status).label))
    if event.sold_out:
        marks.append(("sold-out", pgettext("event", "Sold out")))
    if event.attendance_mode != AttendanceMode.IN_PERSON and event.event_status != EventStatus.MOVED_ONLINE:
        marks.append((event.attendance_mode, AttendanceMode(event.attendance_mode).label))
    return format_html_join(" ", '<span class="mark mark-{}">{}</span>', marks) + _series_mark(event)


def _series_mark(event: Any) -> SafeString:
    """Return the link from an event to the series to which it belongs, if any."""
    if not event.series_id:
        return SafeString("")
    html = ' <a href="{}" title="{}" aria-label="{}"><span class="material-symbols-outlined">event_repeat</span></a>'
    label = _("Part of a series")
    return format_html(html, reverse("admin:events_series_change", args=[event.series_id]), label, label)


@admin.display(description=gettext_lazy("online URL"))
def online_url_now(event: Any) -> str:
    """Return the online URL for users who may not change the event."""
    return event.online_url if shows_online_url(event, Reader(AnonymousUser())) else ""


@admin.display(description=gettext_lazy("preview"))
def preview(event: Any) -> SafeString:
    days = PREVIEW_MAX_AGE.days
    text = ngettext(
        "Anyone with this link can see the event as it will appear when published. The link expires in %(days)d day.",
        "Anyone with this link can see the event as it will appear when published. The link expires in %(days)d days.",
        days,
    )
    return format_html(
        '<a href="{}" target="_blank" rel="noopener">{}</a><br>{}',
        preview_url(event),
        _("Open preview"),
        text % {"days": days},
    )


def preview_url(event: Any) -> str:
    return reverse("event-preview", args=[make_preview_token(event)])


def summarize_event(event: Any) -> str:
    """Return when and where the event is, as one line for the review queue."""
    return " · ".join(filter(None, [when(event), venue_names(event)]))
