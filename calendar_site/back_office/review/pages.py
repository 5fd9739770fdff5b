"""The review page of a record, and the notice about its review on its form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied, SuspiciousOperation, ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import UnfoldAdminTextareaWidget

from calendar_site.back_office import thumbnails
from calendar_site.back_office.urls import admin_url, redirect_missing
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.review.models import Review
from calendar_site.review.outcomes import last_approval, notes_on, sent_back_review
from calendar_site.review.queue import describe_submissions, submitted_fields
from calendar_site.review.services import (
    ChangedSince,
    NotPending,
    approve,
    get_open_review,
    newest_revision_id,
    send_back,
)

if TYPE_CHECKING:
    from calendar_site.back_office.content.content_admin import ContentModelAdmin

DECISION_SERVICES: dict[str, Any] = {"approve": approve, "send_back": send_back}


class ReviewForm(forms.Form):
    """A reviewer's note, and the revision of the record that the reviewer looked at."""

    note = forms.CharField(
        label=gettext_lazy("Note"),
        required=False,
        widget=UnfoldAdminTextareaWidget({"rows": 5, "maxlength": Review.MAX_NOTE_LENGTH}),
        help_text=gettext_lazy(
            "Required when you send the record back. Visible to the author and to everyone who can edit the record."
        ),
    )
    seen = forms.IntegerField(widget=forms.HiddenInput, required=False)


def review_view(request: HttpRequest, *, object_id: str, model_admin: ContentModelAdmin) -> HttpResponse:
    """Show the submission of a record; a POST approves the record or sends it back.

    Raises PermissionDenied for users who may not publish the record.
    """
    row = model_admin.get_object(request, unquote(object_id))
    if row is None:
        return redirect_missing(model_admin, request, object_id)
    if not permissions.can_review(request.user, row):
        raise PermissionDenied
    if request.method == "POST":
        return _decide(model_admin, request, row, object_id)
    return _show(model_admin, request, row, _initial_form(row))


def review_context(model_admin: ContentModelAdmin, request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Return the context of the notice about the review on the form of a record: `admin/review/_notice.html`."""
    row, user = context["original"], request.user
    if row is None:
        return {}
    if permissions.can_edit(user, row):
        notice: dict[str, Any] = {"sent_back": sent_back_review(row)}
        if row.status == Status.PENDING:
            is_reviewer = permissions.can_review(user, row)
            notice |= {"is_pending": True, "review_url": admin_url(row, "review", row.pk) if is_reviewer else None}
        return notice
    # Authors who may no longer change the record cannot read its history either.
    return {"approved": last_approval(row)} if row.author_id == user.pk else {}


def queue_url() -> str:
    return reverse("admin:review")


def _decide(model_admin: ContentModelAdmin, request: HttpRequest, row: Any, object_id: str) -> HttpResponse:
    form = ReviewForm(request.POST)
    decide = DECISION_SERVICES.get(request.POST.get("decision", ""))
    is_valid = form.is_valid()
    if decide is None or "seen" in form.errors:
        raise SuspiciousOperation("This is no decision.")
    if not is_valid:
        return _show(model_admin, request, row, form)
    note, seen_id = form.cleaned_data["note"], form.cleaned_data["seen"]
    try:
        row = decide(row, services=model_admin.services, user=request.user, note=note, seen_id=seen_id)
    except NotPending as error:
        messages.warning(request, str(error))
    except ChangedSince as error:
        messages.warning(request, str(error))
        # Read again: it may have changed while this request was running.
        row = model_admin.get_object(request, str(row.pk))
        if row is None:
            return redirect_missing(model_admin, request, object_id)
        return _show(model_admin, request, row, _initial_form(row, note))
    except ValidationError as error:
        for name, errors in error.update_error_dict({}).items():
            form.add_error("note" if name == "note" else None, errors)
        return _show(model_admin, request, row, form)
    else:
        messages.success(request, _confirmation(row))
    return HttpResponseRedirect(queue_url())


def _show(model_admin: ContentModelAdmin, request: HttpRequest, row: Any, form: ReviewForm) -> HttpResponse:
    if row.status != Status.PENDING:
        messages.warning(request, str(NotPending.of(row)))
        return HttpResponseRedirect(queue_url())
    extra_state = model_admin.services.extra_state([row])
    (submission,) = describe_submissions([get_open_review(row)], {row.pk: row}, extra_state, request.user)
    context = {
        **model_admin.admin_site.each_context(request),
        "title": _("Review: %(title)s") % {"title": row},
        "row": row,
        "submission": submission,
        "fields": submitted_fields(row, extra_state.get(row.pk), request.user),
        "notes": notes_on(row),
        "image": thumbnails.linked_image(row.image) if row.image_id else "",
        "form": form,
        "form_url": admin_url(row, "change", row.pk),
        "queue_url": queue_url(),
        "preview_url": model_admin.review_display.preview_url(row),
    }
    return TemplateResponse(request, "admin/review/record.html", context)


def _initial_form(row: Any, note: str = "") -> ReviewForm:
    return ReviewForm(initial={"note": note, "seen": newest_revision_id(row)})


def _confirmation(row: Any) -> str:
    texts = {
        Status.PUBLISH: _("Approved and published: %(title)s."),
        Status.FUTURE: _("Approved and scheduled for its publish date: %(title)s."),
    }
    return texts.get(row.status, _("Sent back: %(title)s.")) % {"title": row}
