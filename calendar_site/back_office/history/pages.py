"""The history of a record: the list of its revisions, and two of them side by side."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from calendar_site.back_office.history.entries import describe_entry
from calendar_site.back_office.history.subject import get_subject, render_history_page
from calendar_site.back_office.record_admin import RecordModelAdmin
from calendar_site.back_office.urls import redirect_missing
from calendar_site.revisions.diff import differences, side_effects
from calendar_site.revisions.feed import SHOWN_COLUMNS

PER_PAGE = 50


def history_view(request: HttpRequest, *, object_id: str, model_admin: RecordModelAdmin) -> HttpResponse:
    """List the revisions of a record, the newest first."""
    subject = get_subject(model_admin, request, object_id)
    if subject is None:
        return redirect_missing(model_admin, request, object_id)
    page = Paginator(subject.revisions.only(*SHOWN_COLUMNS), PER_PAGE).get_page(request.GET.get("p"))
    context = {"page": page, "entries": [describe_entry(revision) for revision in page]}
    return render_history_page(model_admin, request, "list", subject, _("History: %(title)s"), context)


def compare_view(request: HttpRequest, *, object_id: str, model_admin: RecordModelAdmin) -> HttpResponse:
    """Compare the revision `state` with the revision `with`, by default the one before it."""
    subject = get_subject(model_admin, request, object_id)
    if subject is None:
        return redirect_missing(model_admin, request, object_id)
    newer = subject.get_revision(request.GET.get("state"))
    if request.GET.get("with"):
        chosen = (subject.get_revision(request.GET["with"]), newer)
        older, newer = sorted(chosen, key=lambda revision: revision.history_id)
    else:
        older = subject.revisions.filter(history_id__lt=newer.history_id).first()
    # Effects on other records belong to one change, so they are not shown for several.
    is_one_change = (
        older is None
        or not subject.revisions.filter(history_id__gt=older.history_id, history_id__lt=newer.history_id).exists()
    )
    is_administrator = request.user.has_perm("accounts.change_user")
    context = {
        "older": older and describe_entry(older, with_address=is_administrator),
        "newer": describe_entry(newer, with_address=is_administrator),
        "differences": differences(older, newer, request.user),
        "side_effects": side_effects(newer, request.user) if is_one_change else [],
        "can_restore": model_admin.can_restore(request, subject.row),
    }
    return render_history_page(model_admin, request, "compare", subject, _("Changes: %(title)s"), context)
