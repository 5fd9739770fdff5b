"""The trash of all kinds of records on one page: what is in it, restoring, and deleting for good."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

from django.apps import apps
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from calendar_site.content import rules
from calendar_site.content.admin.actions import StatusActions
from calendar_site.content.admin.routes import address
from calendar_site.content.choices import Status
from calendar_site.content.days import in_site_time
from calendar_site.content.models import Content

LISTED = 10


def may_see_trash(user: Any) -> bool:
    with_trash = (model for model in apps.get_models() if issubclass(model, Content))
    return any(rules.may(user, "change", model) for model in with_trash)


def trash_page(site: Any, request: HttpRequest) -> HttpResponse:
    """The last that were put there of each kind. Costs a query for each."""
    admins = [
        model_admin
        for model_admin in site._registry.values()
        if isinstance(model_admin, StatusActions) and rules.may(request.user, "change", model_admin.model)
    ]
    if not admins:
        raise PermissionDenied
    context = {
        **site.each_context(request),
        "title": _("Trash"),
        "sections": sorted((_section(model_admin, request) for model_admin in admins), key=itemgetter("title")),
    }
    return TemplateResponse(request, "admin/history/trash.html", context)


def _section(model_admin: Any, request: HttpRequest) -> dict[str, Any]:
    options = model_admin.opts
    trashed = model_admin.model.objects.readable_by(request.user).filter(status=Status.TRASH)
    columns = ("title", "status", "modified_at", "published_at", "author")
    rows = list(trashed.order_by("-modified_at", "-pk").only(*columns)[: LISTED + 1])
    return {
        "title": capfirst(options.verbose_name_plural),
        "address": f"{address(model_admin.model, 'changelist')}?status={Status.TRASH}",
        "has_more": len(rows) > LISTED,
        "rows": [_row(model_admin, request, row) for row in rows[:LISTED]],
    }


def _row(model_admin: Any, request: HttpRequest, row: Any) -> dict[str, Any]:
    may_restore = rules.can_edit(request.user, row)
    may_delete = model_admin.has_delete_permission(request, row)
    return {
        "title": str(row),
        "since": in_site_time(row.modified_at),
        "address": address(row, "change", row.pk),
        "restore": address(row, "restore", row.pk) if may_restore else "",
        "delete": address(row, "delete", row.pk) if may_delete else "",
    }
