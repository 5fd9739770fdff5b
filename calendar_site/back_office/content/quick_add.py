"""Adding a record from the form of another one, in a dialog: its most important fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.admin.helpers import AdminForm
from django.contrib.admin.utils import flatten
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.template.loader import render_to_string

from calendar_site.back_office.base.pages import AdminPage
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.fields import prepare_texts

if TYPE_CHECKING:
    from calendar_site.back_office.content.content_admin import ContentModelAdmin


def quick_add_view(request: HttpRequest, *, model_admin: ContentModelAdmin) -> HttpResponse:
    """Return the form as HTML; on POST, JSON: id, label and warnings of the new record, or the `form` with errors."""
    if not model_admin.has_add_permission(request):
        raise PermissionDenied
    if request.method not in ("GET", "POST"):
        return HttpResponseNotAllowed(["GET", "POST"])
    if request.method == "GET":
        return HttpResponse(_render(model_admin, request, _form(model_admin, request)))
    prepare_texts(model_admin.model, request.POST)
    with write_lock():
        form = _form(model_admin, request)
        row = form.instance
        try:
            if form.is_valid():
                model_admin.services.save(row, changes=form.changes, user=request.user)
        except ValidationError as error:
            request.service_errors = error  # type: ignore[attr-defined]
            form = _form(model_admin, request)
    if form.errors:
        return JsonResponse({"form": _render(model_admin, request, form)})
    label = model_admin.choice_label
    warnings = model_admin.get_warnings(row, form.changes, request.user)
    return JsonResponse({"id": str(row.pk), "text": label(row) if label else str(row), "warnings": warnings})


def _form(model_admin: ContentModelAdmin, request: HttpRequest) -> Any:
    form_class = model_admin.get_form(request, None, fields=flatten(model_admin.quick_add_fields))
    initial = {"title": request.GET.get("title", "")}
    # The page has another form, whose inputs have the usual ids.
    return form_class(request.POST if request.method == "POST" else None, initial=initial, auto_id="quick_add_%s")


def _render(model_admin: ContentModelAdmin, request: HttpRequest, form: Any) -> str:
    sections: Any = [(None, {"fields": model_admin.quick_add_fields})]
    context = {
        "adminform": AdminForm(form, sections, {}, model_admin=model_admin),
        "opts": model_admin.opts,
        "url": request.path,
    }
    return render_to_string("admin/quick_add.html", context, request)


QUICK_ADD_PAGE = AdminPage("quick-add/", "quick_add", quick_add_view)
