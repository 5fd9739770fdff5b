"""Restoring an earlier revision of a record: the preview of the changes, and the restore."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from calendar_site.audit.models import Revision
from calendar_site.audit.recorder import snapshot
from calendar_site.back_office.history.entries import describe_entry
from calendar_site.back_office.history.subject import Subject, get_subject, render_history_page
from calendar_site.back_office.record_admin import RecordModelAdmin
from calendar_site.back_office.urls import admin_url, redirect_missing
from calendar_site.core.commands import error_messages
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.dates.formatting import format_in_sentence
from calendar_site.revisions.diff import differences
from calendar_site.revisions.restore import RestorePlan, restore


def restore_view(
    request: HttpRequest, *, object_id: str, revision_id: int, model_admin: RecordModelAdmin
) -> HttpResponse:
    """Show what restoring the revision will change; a POST restores it."""
    if request.method == "POST":
        with write_lock():
            return _restore_view(request, object_id, revision_id, model_admin)
    return _restore_view(request, object_id, revision_id, model_admin)


def _restore_view(
    request: HttpRequest, object_id: str, revision_id: int, model_admin: RecordModelAdmin
) -> HttpResponse:
    subject = get_subject(model_admin, request, object_id)
    if subject is None:
        return redirect_missing(model_admin, request, object_id)
    policy = model_admin.restore_policy
    if policy is None or not model_admin.can_restore(request, subject.row):
        raise PermissionDenied
    revision = subject.get_revision(revision_id)
    row = subject.row or model_admin.model()
    plan = policy.plan(revision, row, request.user)
    newest = str(subject.revisions.values_list("history_id", flat=True).first())
    if request.method == "POST" and request.POST.get("newest") == newest:
        return _restore(model_admin, request, subject, row, plan, revision)
    if request.method == "POST":
        messages.warning(request, _("Someone changed this record in the meantime. Check again what will change."))
    context = {
        "entry": describe_entry(revision),
        "when": format_in_sentence(revision.history_date),
        "newest": newest,
        **_preview(model_admin, request, subject, row, plan),
    }
    return render_history_page(model_admin, request, "restore", subject, _("Restore: %(title)s"), context)


def _preview(
    model_admin: RecordModelAdmin, request: HttpRequest, subject: Subject, row: Any, plan: RestorePlan
) -> dict[str, Any]:
    """Return the changes, the values that cannot be restored, and the validation errors of the earlier values."""
    now = snapshot(row, model_admin.services.extra_state([row]).get(row.pk)) if subject.row else None
    errors: list[str] = []
    try:
        model_admin.services.apply(row, changes=plan.changes, user=request.user)
        row.full_clean()
    except ValidationError as error:
        errors = error_messages(error)
    changes = differences(now, snapshot(row, plan.extra), request.user)
    return {"differences": changes, "left_out": plan.lost, "errors": errors}


def _restore(
    model_admin: RecordModelAdmin,
    request: HttpRequest,
    subject: Subject,
    row: Any,
    plan: RestorePlan,
    revision: Revision,
) -> HttpResponse:
    model = model_admin.model
    last = subject.revisions.first() if subject.row is None else None
    try:
        restore(row, plan=plan, save=model_admin.services.save, user=request.user, last_revision=last)
    except ValidationError as error:
        messages.error(request, " ".join(error_messages(error)))
        return HttpResponseRedirect(admin_url(model, "history", subject.pk))
    text = (
        _("“%(title)s” has been restored to the revision of %(when)s.")
        if subject.row
        else _("“%(title)s” has been restored.")
    )
    messages.success(request, text % {"title": row, "when": format_in_sentence(revision.history_date)})
    return HttpResponseRedirect(admin_url(model, "change", row.pk))
