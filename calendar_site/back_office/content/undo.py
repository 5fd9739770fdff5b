"""Undoing a bulk action or a quick edit: the changes that one request of the user has made to records of one kind."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from calendar_site.audit.models import ChangeKind, TrackedModel
from calendar_site.audit.recorder import FORMER_PARENT, MERGED_INTO, MERGED_RECORDS, MOVED_CHILDREN
from calendar_site.back_office.base.pages import AdminPage
from calendar_site.back_office.content.background_actions import sent_at, stop_background
from calendar_site.back_office.content.row_actions import Refused, check_editable, not_deletable_message, run_on_each
from calendar_site.back_office.urls import admin_url
from calendar_site.content.merge import can_merge
from calendar_site.content.models import Content, LinkedContent
from calendar_site.content.relinking import RelinkedEvents, relink_events
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.core.http.request_context import REQUEST_ID
from calendar_site.core.types import AnyUser
from calendar_site.revisions.restore import restore
from calendar_site.revisions.titles import title_columns

if TYPE_CHECKING:
    from calendar_site.back_office.base.service_admin import ServiceModelAdmin

# Later, the history of each record restores it.
MAX_AGE = timedelta(hours=1)


def undo_view(request: HttpRequest, *, model_admin: ServiceModelAdmin) -> HttpResponse:
    """Undo the changes that the user has made in the request with the id `request`, and report the outcome."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    if not model_admin.has_change_permission(request):
        raise PermissionDenied
    request_id = request.GET.get("request", "")
    if not REQUEST_ID.fullmatch(request_id):
        raise Http404
    model: Any = model_admin.model
    changes = model.history.filter(
        history_request_id=request_id, history_user_id=request.user.pk, history_date__gte=sent_at(request) - MAX_AGE
    )
    if stop_background(request_id, request.user.pk):
        messages.warning(request, _("The action is still running, so it cannot be undone yet. Try again in a moment."))
        return _back(request, model)
    rows = model._default_manager.filter(pk__in=list(changes.values_list("id", flat=True)))
    relinked: list[RelinkedEvents] = []
    undo = partial(_undo, model_admin, changes, relinked)
    run_on_each(request, rows, undo, unsaved=_merged_and_deleted(model, changes), can_undo=False)
    _report_relinked(request, relinked)
    return _back(request, model)


def _back(request: HttpRequest, model: type[Model]) -> HttpResponse:
    """Return to the page that the user comes from, if it is one of the service, else to the list."""
    back = request.headers.get("Referer", "")
    if not back:
        return HttpResponseRedirect(admin_url(model, "changelist"))
    is_here = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    return HttpResponseRedirect(back if is_here else admin_url(model, "changelist"))


def _merged_and_deleted(model: Any, changes: QuerySet[Any]) -> list[TrackedModel]:
    """Return the terms that the changes merged into another one, unsaved, with their former ids and titles alone.

    Parents come before their children, as in the history.
    """
    deletions = changes.filter(history_kind=ChangeKind.DELETED, history_extra__has_key=MERGED_INTO)
    existing = model._default_manager.values("pk")
    return [
        model(pk=last.id, **{name: getattr(last, name) for name in title_columns(model)})
        for last in deletions.exclude(id__in=existing).order_by("history_id")
    ]


def _report_relinked(request: HttpRequest, relinked: list[RelinkedEvents]) -> None:
    """Say how many events are linked again to the venues, organizers or terms, and how many are not."""
    linked, left_out = (sum(counts) for counts in zip(*relinked, strict=True)) if relinked else (0, 0)
    if linked:
        text = ngettext("%(count)d event is linked again.", "%(count)d events are linked again.", linked)
        messages.success(request, text % {"count": linked})
    if left_out:
        text = ngettext(
            "%(count)d event is not linked again. It was changed or deleted in the meantime, or you may not change it.",
            "%(count)d events are not linked again. They were changed or deleted in the meantime, "
            "or you may not change them.",
            left_out,
        )
        messages.warning(request, text % {"count": left_out})


def _undo(
    model_admin: ServiceModelAdmin,
    changes: QuerySet[Any],
    relinked: list[RelinkedEvents],
    row: TrackedModel,
    user: AnyUser,
) -> str:
    """Restore the revision before the changes; move content that they have created to the trash.

    Venues, organizers and merged terms are linked again to the events that the changes unlinked; their numbers are
    added to `relinked`. A merged term, which the changes have deleted, is saved with its former id.
    """
    first: Any = changes.filter(id=row.pk).order_by("history_id").first()
    is_merge = not first.history_extra.keys().isdisjoint((MERGED_INTO, MERGED_RECORDS))
    check_editable(user, row, can_merge if is_merge else permissions.can_edit)
    history: Any = type(row).history.filter(id=row.pk).order_by("-history_id")
    newest, before = history[0], history.filter(history_id__lt=first.history_id).first()
    if newest.history_request_id != first.history_request_id:
        raise Refused(_("Could not be undone (changed in the meantime): %(titles)s."))
    if isinstance(row, Content) and (first.history_kind == ChangeKind.CREATED or _is_trash(before)):
        return _undo_creation(model_admin, row, user)
    is_deleted = row._state.adding
    if is_deleted:
        before = newest
    if before is None:
        raise Refused(_("Could not be undone (the earlier state is unknown): %(titles)s."))
    if FORMER_PARENT in newest.history_extra:
        before.parent_id = newest.history_extra[FORMER_PARENT]
    plan = model_admin.restore_policy.plan(before, row, user)
    row = restore(row, plan=plan, save=model_admin.services.save, user=user)
    if is_deleted or isinstance(row, LinkedContent):
        relinked.append(relink_events(row, unlinked=newest.history_extra, user=user))
    if plan.lost or (is_deleted and _is_incomplete(row, newest)):
        return _("Undone, except for some values or links that cannot be restored: %(titles)s.")
    return _("Undone: %(titles)s.")


def _is_incomplete(row: Any, last: Any) -> bool:
    """Return whether a term got another slug than in its last revision, or not all of its subcategories."""
    if MOVED_CHILDREN not in last.history_extra:
        return bool(row.slug != last.slug)
    children = type(row)._default_manager.filter(pk__in=last.history_extra[MOVED_CHILDREN])
    return row.slug != last.slug or children.exclude(parent=row.pk).exists()


def _is_trash(revision: Any) -> bool:
    return revision is not None and revision.status == Status.TRASH


def _undo_creation(model_admin: Any, row: Content, user: AnyUser) -> str:
    if row.status == Status.TRASH:
        raise Refused(_("Skipped (already in the trash): %(titles)s."))
    if not permissions.can_delete(user, row):
        raise Refused(not_deletable_message())
    model_admin.services.trash(row, user=user)
    return _("Moved to trash: %(titles)s.")


UNDO_PAGE = AdminPage("undo/", "undo", undo_view)
