"""Reviewing a record in the admin: its page, and what its form says of it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied, SuspiciousOperation, ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import UnfoldAdminTextareaWidget

from calendar_site.content import rules
from calendar_site.content.admin import pictures
from calendar_site.content.admin.base import ServiceAdmin
from calendar_site.content.admin.routes import address
from calendar_site.content.approvals import last_approval
from calendar_site.content.choices import Status
from calendar_site.content.recording import Besides
from calendar_site.content.review import (
    LONGEST_NOTE,
    ChangedSince,
    NotWaiting,
    approve,
    newest_state,
    not_waiting,
    send_back,
)
from calendar_site.content.submissions import facts_of, note_on_draft, notes_of, submissions

QUEUE = "review"
DECISIONS: dict[str, Any] = {"approve": approve, "send_back": send_back}


class NoteForm(forms.Form):
    """What a reviewer says. Which state of the record they look at comes along."""

    note = forms.CharField(
        label=gettext_lazy("Note"),
        required=False,
        widget=UnfoldAdminTextareaWidget({"rows": 5, "maxlength": LONGEST_NOTE}),
        help_text=gettext_lazy("Needed for sending back. The author reads it, and whoever may change the record."),
    )
    seen = forms.IntegerField(widget=forms.HiddenInput, required=False)


class ReviewAdmin(ServiceAdmin):
    """Records that wait for review: approved, or sent back with a note, by who may publish them."""

    class Media:
        css = {"all": ("back_office/review.css",)}

    def get_urls(self) -> Any:
        name = f"{self.opts.app_label}_{self.opts.model_name}_review"
        return [
            path("<path:object_id>/review/", self.admin_site.admin_view(self.review_view), name=name),
            *super().get_urls(),
        ]

    # --- What a kind of record has of its own

    def besides_of_many(self, rows: list[Any]) -> dict[int, Besides]:
        """What each of these records has beside its columns, by its id."""
        return {}

    def told_in_queue(self, row: Any) -> str:
        """When and where, in a line."""
        return ""

    def preview_address(self, row: Any) -> str | None:
        """Where the record is seen as its page will be."""
        return None

    # --- The page

    def review_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row = self.get_object(request, unquote(object_id))
        if row is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        if not rules.can_review(request.user, row):
            raise PermissionDenied
        if request.method != "POST":
            return self._to_be_reviewed(request, row, _form_for(row))
        return self._decide(request, row, NoteForm(request.POST), object_id)

    def _decide(self, request: HttpRequest, row: Any, form: NoteForm, object_id: str) -> HttpResponse:
        decide = DECISIONS.get(request.POST.get("decision", ""))
        is_valid = form.is_valid()
        if decide is None or "seen" in form.errors:
            raise SuspiciousOperation("This is no decision.")
        if not is_valid:
            return self._to_be_reviewed(request, row, form)
        try:
            row = decide(row, request.user, self.write, form.cleaned_data["note"], seen=form.cleaned_data["seen"])
        except NotWaiting as late:
            messages.warning(request, str(late))
        except ChangedSince as changed:
            messages.warning(request, str(changed))
            # As it is now, which it may not have been when this request read it.
            row = self.get_object(request, str(row.pk))
            if row is None:
                return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
            return self._to_be_reviewed(request, row, _form_for(row, form.cleaned_data["note"]))
        except ValidationError as error:
            _show(form, error)
            return self._to_be_reviewed(request, row, form)
        else:
            messages.success(request, _said(row))
        return HttpResponseRedirect(queue_address())

    def _to_be_reviewed(self, request: HttpRequest, row: Any, form: NoteForm) -> HttpResponse:
        if row.status != Status.PENDING:
            messages.warning(request, not_waiting(row))
            return HttpResponseRedirect(queue_address())
        besides = self.besides_of_many([row])
        context = {
            **self.admin_site.each_context(request),
            "title": _("Review: %(title)s") % {"title": row},
            "row": row,
            "submission": submissions([row], request.user, lambda rows: besides)[0],
            "facts": facts_of(row, request.user, besides.get(row.pk)),
            "notes": notes_of(row),
            "picture": pictures.picture(row.image) if row.image_id else "",
            "form": form,
            "form_address": self.form_address(row),
            "queue_address": queue_address(),
            "preview_address": self.preview_address(row),
        }
        return TemplateResponse(request, "admin/review/record.html", context)

    def form_address(self, row: Any) -> str:
        return address(self.model, "change", row.pk)

    def review_address(self, row: Any) -> str:
        return address(self.model, "review", row.pk)

    # --- The form of the record

    def render_change_form(
        self,
        request: HttpRequest,
        context: Any,
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: Any = None,
    ) -> Any:
        if obj is not None and rules.can_edit(request.user, obj):
            context["sent_back"] = note_on_draft(obj)
            if obj.status == Status.PENDING:
                context["is_waiting"] = True
                context["review_address"] = self.review_address(obj) if rules.can_review(request.user, obj) else None
        elif obj is not None and obj.author_id == request.user.pk:
            # Its history is for those who may change it.
            context["approved"] = last_approval(obj)
        return super().render_change_form(request, context, add, change, form_url, obj)


def _form_for(row: Any, note: str = "") -> NoteForm:
    return NoteForm(initial={"note": note, "seen": newest_state(row)})


def queue_address() -> str:
    return reverse(f"admin:{QUEUE}")


def _said(row: Any) -> str:
    texts = {
        Status.PUBLISH: _("Approved and published: %(title)s."),
        Status.FUTURE: _("Approved, and scheduled for its publication date: %(title)s."),
    }
    return texts.get(row.status, _("Sent back: %(title)s.")) % {"title": row}


def _show(form: NoteForm, error: ValidationError) -> None:
    """What is wrong with the note stands beside it, and what is wrong with the record above."""
    for name, errors in error.update_error_dict({}).items():
        form.add_error("note" if name == "note" else None, errors)
