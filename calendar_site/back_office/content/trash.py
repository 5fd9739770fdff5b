"""The page of the trash: trashed records of all models, to restore or to delete permanently."""

from __future__ import annotations

from operator import attrgetter
from typing import Any, NamedTuple

from django.apps import apps
from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from calendar_site.back_office.content.content_admin import ContentModelAdmin
from calendar_site.back_office.urls import admin_url
from calendar_site.content.models import Content
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.core.dates.formatting import format_in_sentence
from calendar_site.core.types import AnyUser

MAX_ROWS = 10


class TrashRow(NamedTuple):
    title: str
    changed: str
    url: str
    # URLs are "" if the user may not do this.
    restore_url: str
    delete_url: str


class TrashSection(NamedTuple):
    title: str
    list_url: str
    rows: list[TrashRow]


def can_see_trash(user: AnyUser) -> bool:
    return any(permissions.has_model_permission(user, "change", model) for model in _content_models())


def trash_page(site: AdminSite, request: HttpRequest) -> HttpResponse:
    """Show the most recently trashed records of each kind. One query for each kind."""
    models = [model for model in _content_models() if permissions.has_model_permission(request.user, "change", model)]
    if not models:
        raise PermissionDenied
    admins: list[Any] = [site.get_model_admin(model) for model in models]
    sections = [_section(model_admin, request) for model_admin in admins]
    context = {
        **site.each_context(request),
        "title": _("Trash"),
        "sections": sorted(sections, key=attrgetter("title")),
    }
    return TemplateResponse(request, "admin/history/trash.html", context)


def _content_models() -> list[type[Content]]:
    return [model for model in apps.get_models() if issubclass(model, Content)]


def _section(model_admin: ContentModelAdmin, request: HttpRequest) -> TrashSection:
    model: Any = model_admin.model
    trashed = model.objects.readable_by(request.user).filter(status=Status.TRASH)
    columns = ("title", "status", "modified_at", "published_at", "author")
    rows = list(trashed.order_by("-modified_at", "-pk").only(*columns)[:MAX_ROWS])
    return TrashSection(
        title=capfirst(model_admin.opts.verbose_name_plural),
        list_url=f"{admin_url(model, 'changelist')}?status={Status.TRASH}",
        rows=[_row(model_admin, request, row) for row in rows],
    )


def _row(model_admin: ContentModelAdmin, request: HttpRequest, row: Content) -> TrashRow:
    can_restore = permissions.can_edit(request.user, row)
    can_delete = model_admin.has_delete_permission(request, row)
    return TrashRow(
        title=str(row),
        changed=format_in_sentence(row.modified_at),
        url=admin_url(row, "change", row.pk),
        restore_url=admin_url(row, "restore", row.pk) if can_restore else "",
        delete_url=admin_url(row, "delete", row.pk) if can_delete else "",
    )
