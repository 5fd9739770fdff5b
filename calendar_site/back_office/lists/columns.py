"""Columns that several lists and forms show."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.back_office import thumbnails
from calendar_site.back_office.urls import admin_url
from calendar_site.content.models import format_accessibility
from calendar_site.core.choices import Status
from calendar_site.core.dates.formatting import format_in_sentence, format_in_site_time


# Not the account itself: it would link to a page that few users may see.
@admin.display(description=gettext_lazy("author"), ordering="author__username")
def author_name(row: Any) -> str:
    return str(row.author)


@admin.display(description=gettext_lazy("created"), ordering="created_at")
def created(row: Any) -> str:
    return format_in_site_time(row.created_at)


@admin.display(description=gettext_lazy("last modified"), ordering="modified_at")
def modified(row: Any) -> str:
    return format_in_site_time(row.modified_at)


@admin.display(description=gettext_lazy("status"), ordering="status")
def status_now(row: Any) -> SafeString:
    """Return the status in the color that it has in all lists."""
    kind = Status.PUBLISH if row.is_published else row.status
    return format_html('<span class="status is-{}">{}</span>', kind, status_text(row))


def status_text(row: Any) -> str:
    if row.status != Status.FUTURE:
        return str(Status(row.status).label)
    if row.is_published:
        return str(Status.PUBLISH.label)
    return _("Scheduled for %(date)s") % {"date": format_in_sentence(row.published_at)}


@admin.display(description=gettext_lazy("image"))
def thumbnail(row: Any) -> str:
    return thumbnails.thumbnail(row.image) if row.image_id else ""


@admin.display(description=gettext_lazy("image"))
def image(row: Any) -> str:
    return thumbnails.linked_image(row.image) if row.image_id else ""


@admin.display(description=gettext_lazy("publish date"))
def published(row: Any) -> str:
    return format_in_site_time(row.published_at)


@admin.display(description=gettext_lazy("accessibility"))
def accessibility(row: Any) -> str:
    """Return the accessibility features of an event or venue."""
    return ", ".join(format_accessibility(row.accessibility).splitlines())


def link_to_events(row: Any, count: int, *, parameter: str = "") -> SafeString | int:
    """Return the number of events of a venue, organizer or term, as a link to their list if there are any.

    `parameter` is the filter of the list that finds them, by default the one with the name of the model.
    """
    if not count:
        return count
    events = row._meta.get_field("events").related_model
    url = admin_url(events, "changelist")
    return format_html('<a href="{}?{}={}">{}</a>', url, parameter or row._meta.model_name, row.pk, count)
