"""The review page of a record, and the notice about its review on its form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied, SuspiciousOperation, ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldBooleanWidget

from calendar_site.back_office import thumbnails
from calendar_site.back_office.review.display import ReviewedModelAdmin, ReviewGroup
from calendar_site.back_office.urls import admin_url, redirect_missing
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.review.models import Review
from calendar_site.review.outcomes import last_approval, notes_on, sent_back_review
from calendar_site.review.queue import describe_submissions, submitted_fields
from calendar_site.review.services import (
    ChangedSince,
    Decision,
    NotPending,
    approval,
    decide,
    get_open_review,
    newest_revision_id,
    return_to_author,
)

DECISIONS: dict[str, Callable[[str], Decision]] = {"approve": approval, "send_back": return_to_author}


class ReviewForm(forms.Form):
    """A reviewer's note, and the revisions of the record, or of all of its group, that the reviewer looked at."""

    note = forms.CharField(
        label=gettext_lazy("Note"),
        required=False,
        widget=UnfoldAdminTextareaWidget({"rows": 5, "maxlength": Review.MAX_NOTE_LENGTH}),
        help_text=gettext_lazy(
            "Required when you send the record back. Visible to the author and to everyone who can edit the record."
        ),
    )
    seen = forms.IntegerField(widget=forms.HiddenInput, required=False)
    whole_group = forms.BooleanField(required=False, widget=UnfoldBooleanWidget)
    seen_in_group = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def __init__(self, *arguments: Any, group: ReviewGroup | None, **named: Any) -> None:
        super().__init__(*arguments, **named)
        if group is None:
            del self.fields["whole_group"], self.fields["seen_in_group"]
        else:
            label = ngettext(
                "Decide on the %(count)s pending event of the series",
                "Decide on all %(count)s pending events of the series",
                group.count,
            )
            self.fields["whole_group"].label = label % {"count": group.count}


def review_view(request: HttpRequest, *, object_id: str, model_admin: ReviewedModelAdmin) -> HttpResponse:
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
    return _show(model_admin, request, row)


def review_context(model_admin: ReviewedModelAdmin, request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
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


def _decide(model_admin: ReviewedModelAdmin, request: HttpRequest, row: Any, object_id: str) -> HttpResponse:
    group = model_admin.review_display.group(row, request.user)
    form = ReviewForm(request.POST, group=group)
    make_decision = DECISIONS.get(request.POST.get("decision", ""))
    is_valid = form.is_valid()
    if make_decision is None or form.errors.keys() & {"seen", "seen_in_group"}:
        text = "decision or seen: not a valid choice. Use one of %s, and the revisions that the form contains."
        raise SuspiciousOperation(text % ", ".join(DECISIONS))
    if not is_valid:
        return _show(model_admin, request, row, form)
    data, user = form.cleaned_data, request.user
    try:
        decision = make_decision(data["note"])
        if group is None and "whole_group" in request.POST and row.status == Status.PENDING:
            raise ChangedSince(_("The series has changed since you opened this page. Decide on this event alone."))
        if group is not None and data["whole_group"]:
            group.decide(decision, user=user, seen_id=data["seen_in_group"])
            confirmation = _group_confirmation(row, decision, group.count)
        else:
            row = decide(row, decision, services=model_admin.services, user=user, seen_id=data["seen"])
            confirmation = _confirmation(row)
    except NotPending as error:
        messages.warning(request, str(error))
    except ChangedSince as error:
        messages.warning(request, str(error))
        # Read again: it may have changed while this request was running.
        row = model_admin.get_object(request, str(row.pk))
        if row is None:
            return redirect_missing(model_admin, request, object_id)
        return _show(model_admin, request, row, note=data["note"])
    except ValidationError as error:
        for name, errors in error.update_error_dict({}).items():
            form.add_error("note" if name == "note" else None, errors)
        return _show(model_admin, request, row, form)
    else:
        messages.success(request, confirmation)
    return HttpResponseRedirect(queue_url())


def _show(
    model_admin: ReviewedModelAdmin, request: HttpRequest, row: Any, form: ReviewForm | None = None, *, note: str = ""
) -> HttpResponse:
    if row.status != Status.PENDING:
        messages.warning(request, str(NotPending.of(row)))
        return HttpResponseRedirect(queue_url())
    extra_state = model_admin.services.extra_state([row])
    group = model_admin.review_display.group(row, request.user)
    (submission,) = describe_submissions([get_open_review(row)], {row.pk: row}, extra_state, request.user)
    context = {
        **model_admin.admin_site.each_context(request),
        "title": _("Review: %(title)s") % {"title": row},
        "row": row,
        "submission": submission,
        "fields": submitted_fields(row, extra_state.get(row.pk), request.user),
        "notes": notes_on(row),
        "image": thumbnails.linked_image(row.image) if row.image_id else "",
        "form": form or ReviewForm(initial=_initial(row, group, note), group=group),
        "group": group,
        "form_url": admin_url(row, "change", row.pk),
        "queue_url": queue_url(),
        "preview_url": model_admin.review_display.preview_url(row),
    }
    return TemplateResponse(request, "admin/review/record.html", context)


def _initial(row: Any, group: ReviewGroup | None, note: str) -> dict[str, Any]:
    seen_in_group = group.seen_id if group else None
    return {"note": note, "seen": newest_revision_id(row), "whole_group": True, "seen_in_group": seen_in_group}


def _group_confirmation(row: Any, decision: Decision, count: int) -> str:
    text = (
        ngettext(
            "Approved: %(title)s, %(count)s event of the series.",
            "Approved: %(title)s, %(count)s events of the series.",
            count,
        )
        if decision.status == Status.PUBLISH
        else ngettext(
            "Sent back: %(title)s, %(count)s event of the series.",
            "Sent back: %(title)s, %(count)s events of the series.",
            count,
        )
    )
    return text % {"title": row, "count": count}


def _confirmation(row: Any) -> str:
    texts = {
        Status.PUBLISH: _("Approved and published: %(title)s."),
        Status.FUTURE: _("Approved and scheduled for its publish date: %(title)s."),
    }
    return texts.get(row.status, _("Sent back: %(title)s.")) % {"title": row}
