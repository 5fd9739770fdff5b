"""Changing the most important fields of a record in a dialog of its list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from calendar_site.back_office.base.pages import AdminPage
from calendar_site.back_office.urls import admin_url, undo_url
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.types import AnyUser

if TYPE_CHECKING:
    from calendar_site.back_office.base.service_admin import ServiceModelAdmin


class QuickEditForm(forms.Form):
    """The fields of the dialog: those that `quick_edit_fields` of the ModelAdmin names."""

    # The revision that the dialog shows.
    revision = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, model_admin: ServiceModelAdmin, request: HttpRequest, row: Any) -> None:
        self.row, self.user, self.model_admin = row, request.user, model_admin
        super().__init__(request.POST if request.method == "POST" else None, label_suffix="")
        self.initial["revision"] = _newest_revision(row)
        for name in self.get_names():
            self.fields[name], self.initial[name] = self.make_field(name)

    def get_names(self) -> list[str]:
        return list(self.model_admin.quick_edit_fields)

    def make_field(self, name: str) -> tuple[forms.Field, Any]:
        """Return the form field of a field of the record, and its current value."""
        if name == "status":
            return _status_field(self.user, self.row), _shown_status(self.row)
        column: Any = self.row._meta.get_field(name)
        return column.formfield(label=capfirst(column.verbose_name), widget=forms.TextInput), getattr(self.row, name)

    def clean_revision(self) -> None:
        newest = self.initial["revision"]
        # A form that is sent twice changes nothing the second time.
        if self.cleaned_data["revision"] == newest or not self._changed_names():
            return
        # The user can save after checking.
        sent: Any = self.data
        self.data = sent.copy()
        self.data["revision"] = str(newest)  # type: ignore[index]
        raise ValidationError(_("Someone changed this record in the meantime. Check again what will change."))

    @property
    def changes(self) -> dict[str, Any]:
        """Return the changed values, as the service takes them."""
        return {name: self.cleaned_data[name] for name in self._changed_names()}

    def _changed_names(self) -> list[str]:
        return [name for name in self.changed_data if name != "revision"]


def quick_edit_view(request: HttpRequest, *, object_id: str, model_admin: ServiceModelAdmin) -> HttpResponse:
    """Return the form of the dialog as HTML; save it; return JSON: a message, warnings, and the URL that undoes it."""
    if request.method not in ("GET", "POST"):
        return HttpResponseNotAllowed(["GET", "POST"])
    if request.method == "POST":
        with write_lock():
            return _quick_edit(request, object_id, model_admin)
    return _quick_edit(request, object_id, model_admin)


def _quick_edit(request: HttpRequest, object_id: str, model_admin: ServiceModelAdmin) -> HttpResponse:
    row: Any = model_admin.get_object(request, unquote(object_id))
    if row is None:
        raise Http404
    if not model_admin.can_quick_edit(request, row):
        raise PermissionDenied
    form = model_admin.quick_edit_form(model_admin, request, row)
    if form.is_bound and form.is_valid():
        try:
            if form.changes:
                # Its own transaction, because it may be more than one write.
                with write_lock():
                    model_admin.save_quick_edit(row, changes=form.changes, user=request.user)
        except ValidationError as error:
            form.add_error(None, ValidationError(error.messages))
        else:
            message = _("Changed: %(titles)s.") % {"titles": row}
            undo = undo_url(model_admin.model) if form.changes else ""
            warnings = model_admin.get_warnings(row, form.changes, request.user)
            return JsonResponse({"message": message, "warnings": warnings, "undo": undo})
    context = {
        "form": form,
        "url": admin_url(row, "quick_edit", row.pk),
        "form_url": admin_url(row, "change", row.pk),
    }
    status = 400 if form.is_bound else 200
    return TemplateResponse(request, "admin/quick_edit.html", context, status=status)


def _status_field(user: AnyUser, row: Any) -> forms.ChoiceField:
    """Return a field with the statuses that the user may set, and the current one."""
    statuses = permissions.selectable_statuses(user, type(row))
    current = _shown_status(row)
    if current not in statuses:
        statuses.append(current)
    return forms.ChoiceField(label=_("Status"), choices=[(status.value, status.label) for status in statuses])


def _shown_status(row: Any) -> Status:
    """Return the status as forms show it: whether a published record is scheduled depends on its date."""
    return Status.PUBLISH if row.status == Status.FUTURE else Status(row.status)


def _newest_revision(row: Model) -> int:
    history: Any = type(row).history  # type: ignore[attr-defined]
    return int(history.filter(id=row.pk).order_by("-history_id").values_list("history_id", flat=True).first() or 0)


QUICK_EDIT_PAGE = AdminPage("<path:object_id>/quick-edit/", "quick_edit", quick_edit_view)
