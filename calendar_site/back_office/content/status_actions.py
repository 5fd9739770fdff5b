"""Moving records from one status to another: actions of lists, and buttons of forms."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.actions import delete_selected
from django.contrib.admin.templatetags.admin_urls import add_preserved_filters
from django.contrib.admin.utils import unquote
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.audit.record_services import ContentServices
from calendar_site.back_office.content.row_actions import (
    Refused,
    RowAction,
    check_editable,
    not_deletable_message,
    run_on_each,
    warn_refused,
)
from calendar_site.back_office.lists.filters import StatusFilter
from calendar_site.back_office.urls import admin_url, redirect_missing
from calendar_site.content.models import Content
from calendar_site.core import permissions
from calendar_site.core.choices import PUBLIC_STATUSES, PUBLISHED_STATUSES, Status
from calendar_site.core.types import AnyUser
from calendar_site.review.services import save_or_approve

if TYPE_CHECKING:
    from calendar_site.back_office.content.content_admin import ContentModelAdmin

Services = ContentServices[Any]
# Actions that only the list of the trash has.
TRASH_ACTIONS = ("restore", "delete_selected")


# --- Actions of the list


@admin.action(description=gettext_lazy("Publish"), permissions=["publish"])
def publish(model_admin: ContentModelAdmin, request: HttpRequest, queryset: QuerySet) -> None:
    run_on_each(request, queryset, partial(_publish, model_admin.services))


@admin.action(description=gettext_lazy("Submit for review"), permissions=["change"])
def submit(model_admin: ContentModelAdmin, request: HttpRequest, queryset: QuerySet) -> None:
    run_on_each(request, queryset, partial(_submit, model_admin.services))


@admin.action(description=gettext_lazy("Switch to draft"), permissions=["change"])
def back_to_draft(model_admin: ContentModelAdmin, request: HttpRequest, queryset: QuerySet) -> None:
    run_on_each(request, queryset, partial(_back_to_draft, model_admin.services))


@admin.action(description=gettext_lazy("Move to trash"), permissions=["delete"])
def move_to_trash(model_admin: ContentModelAdmin, request: HttpRequest, queryset: QuerySet) -> None:
    run_on_each(request, queryset, partial(_move_to_trash, model_admin.services))


@admin.action(description=gettext_lazy("Restore"), permissions=["change"])
def restore(model_admin: ContentModelAdmin, request: HttpRequest, queryset: QuerySet) -> None:
    run_on_each(request, queryset, partial(_restore, model_admin.services))


def delete_from_trash(model_admin: ContentModelAdmin, request: HttpRequest, queryset: QuerySet) -> Any:
    """Ask for confirmation, delete the records that the user may delete, and name the others."""
    rows = list(queryset)
    allowed = [row.pk for row in rows if model_admin.has_delete_permission(request, row)]
    refused = [row for row in rows if row.pk not in allowed]
    if request.POST.get("post") or not allowed:
        warn_refused(request, not_deletable_message(), refused)
    return delete_selected(model_admin, request, queryset.filter(pk__in=allowed)) if allowed else None


def select_actions(request: HttpRequest, actions: dict[str, Any]) -> dict[str, Any]:
    """Return the actions of the trash for a list of the trash, and the other actions for other lists."""
    is_trash = request.GET.get(StatusFilter.parameter_name) == Status.TRASH
    selected = {name: action for name, action in actions.items() if (name in TRASH_ACTIONS) == is_trash}
    if "delete_selected" in selected:
        selected["delete_selected"] = (delete_from_trash, "delete_selected", _("Delete permanently"))
    return selected


# --- Buttons of the form


def trash_view(request: HttpRequest, *, object_id: str, model_admin: ContentModelAdmin) -> HttpResponse:
    return run_on_one(model_admin, request, object_id, partial(_move_to_trash, model_admin.services), "changelist")


def untrash_view(request: HttpRequest, *, object_id: str, model_admin: ContentModelAdmin) -> HttpResponse:
    return run_on_one(model_admin, request, object_id, partial(_restore, model_admin.services), "change", object_id)


def status_context(model_admin: ContentModelAdmin, request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Return the buttons of the form that depend on the status."""
    row = context["original"]
    is_trash = row is not None and row.status == Status.TRASH
    return {
        "can_trash": row is not None and not is_trash and permissions.can_delete(request.user, row),
        "can_restore": is_trash and permissions.can_edit(request.user, row),
    }


def run_on_one(
    model_admin: ContentModelAdmin, request: HttpRequest, object_id: str, action: RowAction, page: str, *args: str
) -> HttpResponse:
    """Run the action on a record, and return to `page`, or to the list or calendar if the request asks for that."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    row = model_admin.get_object(request, unquote(object_id))
    if row is None:
        return redirect_missing(model_admin, request, object_id)
    run_on_each(request, model_admin.model._default_manager.filter(pk=row.pk), action)
    if request.POST.get("back") == "list":
        page, args = "changelist", ()
    filters: Any = {"preserved_filters": model_admin.get_preserved_filters(request), "opts": model_admin.opts}
    return HttpResponseRedirect(add_preserved_filters(filters, admin_url(model_admin.model, page, *args)))


# --- Actions on one record


def _publish(services: Services, row: Content, user: AnyUser) -> str:
    check_editable(user, row)
    if row.status in PUBLIC_STATUSES:
        raise Refused(_("Skipped (already published or scheduled): %(titles)s."))
    row = save_or_approve(row, services=services, changes={"status": Status.PUBLISH}, user=user)
    if row.status == Status.PUBLISH:
        return _("Published: %(titles)s.")
    return _("Scheduled for the publish date: %(titles)s.")


def _submit(services: Services, row: Content, user: AnyUser) -> str:
    check_editable(user, row)
    if row.status == Status.PENDING:
        raise Refused(_("Skipped (already pending review): %(titles)s."))
    services.save(row, changes={"status": Status.PENDING}, user=user)
    return _("Submitted for review: %(titles)s.")


def _back_to_draft(services: Services, row: Content, user: AnyUser) -> str:
    check_editable(user, row)
    if row.status == Status.DRAFT:
        raise Refused(_("Skipped (already a draft): %(titles)s."))
    services.save(row, changes={"status": Status.DRAFT}, user=user)
    return _("Switched to draft: %(titles)s.")


def _move_to_trash(services: Services, row: Content, user: AnyUser) -> str:
    if not permissions.can_delete(user, row):
        raise Refused(not_deletable_message())
    if row.status == Status.TRASH:
        raise Refused(_("Skipped (already in the trash): %(titles)s."))
    services.trash(row, user=user)
    return _("Moved to trash: %(titles)s.")


def _restore(services: Services, row: Content, user: AnyUser) -> str:
    check_editable(user, row)
    if row.status != Status.TRASH:
        raise Refused(_("Skipped (not in the trash): %(titles)s."))
    status = _status_before_trash(row, user)
    services.save(row, changes={"status": status}, user=user)
    return _("Restored as draft: %(titles)s.") if status == Status.DRAFT else _("Restored: %(titles)s.")


def _status_before_trash(row: Any, user: AnyUser) -> str:
    """Return the status before the record went to the trash; users who may not publish restore a draft. One query."""
    revisions = type(row).history.filter(id=row.pk).exclude(status=Status.TRASH).order_by("-history_id")
    status: str = revisions.values_list("status", flat=True).first() or Status.DRAFT
    is_public = status in PUBLISHED_STATUSES
    return Status.DRAFT if is_public and not permissions.can_publish(user, type(row)) else status
