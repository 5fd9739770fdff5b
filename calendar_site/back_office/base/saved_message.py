"""The message about a saved record: where to see it, where to change it again, and how to undo the change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from calendar_site.back_office.urls import UNDO_TAG, admin_url, undo_url

if TYPE_CHECKING:
    from calendar_site.back_office.base.service_admin import ServiceModelAdmin

CONTINUE = "_continue"


def with_links(model_admin: ServiceModelAdmin, request: HttpRequest, row: Any, message: Any) -> SafeString:
    """Return the message with links to the public page and, on other pages than the form, to the form."""
    links: list[tuple[str, str]] = []
    page = model_admin.view_on_site(row) if callable(model_admin.view_on_site) else None
    if page and getattr(row, "is_published", True):
        links.append((page, _("View page")))
    if CONTINUE not in request.POST and model_admin.has_change_permission(request, row):
        links.append((admin_url(row, "change", row.pk), _("Edit")))
    return format_html("{} {}", message, format_html_join(" · ", '<a href="{}">{}</a>', links))


def undo_tag(model_admin: ServiceModelAdmin, request: HttpRequest, row: Any, *, is_new: bool) -> str:
    """Return the tag with the URL that undoes what the request has saved; "" if that is not possible.

    New records without a trash are deleted, not undone; the message about a series undoes its changes.
    """
    has_page = model_admin.can_undo_saves and any(page.name == "undo" for page in model_admin.pages)
    is_refused = (is_new and not hasattr(row, "status")) or getattr(request, "has_changed_series", False)
    return UNDO_TAG + undo_url(model_admin.model) if has_page and not is_refused else ""
