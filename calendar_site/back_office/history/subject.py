"""The record that a page of the history is about, and the common context of these pages."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from calendar_site.audit.models import TrackedModel
from calendar_site.back_office.record_admin import RecordModelAdmin
from calendar_site.back_office.urls import admin_url, is_valid_id
from calendar_site.revisions.titles import title_of


class Subject(NamedTuple):
    """A record with a history; `row` is None if the record was deleted."""

    pk: int
    row: Any
    title: str
    # The newest comes first.
    revisions: QuerySet

    def get_revision(self, revision_id: Any) -> Any:
        """Return the revision. Raises Http404 if the record has no such revision."""
        is_valid = is_valid_id(str(revision_id or ""))
        revision = self.revisions.filter(history_id=revision_id).first() if is_valid else None
        if revision is None:
            raise Http404
        return revision


def get_subject(model_admin: RecordModelAdmin, request: HttpRequest, object_id: str) -> Subject | None:
    """Return the record, or the history of a deleted one; None if there is neither.

    Raises PermissionDenied if the user may not change the record.
    """
    pk, model = unquote(object_id), model_admin.model
    row = model_admin.get_object(request, pk)
    if row is not None:
        if not model_admin.has_change_permission(request, row):
            raise PermissionDenied
        return Subject(row.pk, row, str(row), _revisions(model, row.pk))
    if not is_valid_id(pk) or model._default_manager.filter(pk=pk).exists():
        return None
    revisions = _revisions(model, pk)
    last = revisions.first()
    if last is None or not model_admin.can_edit_deleted(request, last):
        return None
    return Subject(last.id, None, _("%(title)s (deleted)") % {"title": title_of(last)}, revisions)


def render_history_page(
    model_admin: RecordModelAdmin,
    request: HttpRequest,
    template: str,
    subject: Subject,
    title: str,
    context: dict[str, Any],
) -> HttpResponse:
    """Return a page of the history. `title` has a placeholder for the title of the record."""
    model = model_admin.model
    shared = {
        **model_admin.admin_site.each_context(request),
        "title": title % {"title": subject.title},
        "opts": model_admin.opts,
        "media": model_admin.media,
        "original": subject.row,
        "history_url": admin_url(model, "history", subject.pk),
        "compare_url": admin_url(model, "compare", subject.pk),
        "form_url": admin_url(model, "change", subject.pk) if subject.row else "",
        "list_url": admin_url(model, "changelist"),
    }
    return TemplateResponse(request, f"admin/history/{template}.html", {**shared, **context})


def _revisions(model: type[TrackedModel], pk: Any) -> QuerySet:
    return model.history.filter(id=pk).order_by("-history_id")
