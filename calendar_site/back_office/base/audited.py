"""ModelAdmin of records whose changes are recorded in their history."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.forms import Media
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin

from calendar_site.back_office.base.pages import AdminPage
from calendar_site.back_office.history.pages import compare_view, history_view
from calendar_site.back_office.history.restore import restore_view
from calendar_site.back_office.lists.changelist import BoundedChangeList, BoundedPaginator
from calendar_site.back_office.lists.filters import is_filter_parameter
from calendar_site.back_office.record_admin import RecordModelAdmin
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.fields import prepare_texts

# Returns additional context for the template of a form. Takes the current context, in which `original` is the record.
FormContext = Callable[[Any, HttpRequest, dict[str, Any]], dict[str, Any]]


# Django's scripts, except those that make slugs in the browser: back_office/forms.js does that in less than 60 kB.
SCRIPTS = (
    "vendor/jquery/jquery.min.js",
    "jquery.init.js",
    "core.js",
    "admin/RelatedObjectLookups.js",
    "actions.js",
    "prepopulate.js",
)


class AuditedModelAdmin(RecordModelAdmin):
    """ModelAdmin of records whose history services write: one writer at a time, without Django's own log."""

    paginator: Any = BoundedPaginator
    show_full_result_count = False
    pages: ClassVar[tuple[AdminPage, ...]] = (
        AdminPage("<path:object_id>/history/compare/", "compare", compare_view),
        AdminPage("<path:object_id>/history/<int:revision_id>/", "restore_revision", restore_view),
    )
    form_context: ClassVar[tuple[FormContext, ...]] = ()

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        return is_filter_parameter(lookup, self.get_list_filter(request))

    @property
    def media(self) -> Media:
        return Media(js=[f"admin/js/{name}" for name in SCRIPTS])

    # --- List

    @admin.display(description=ModelAdmin.action_checkbox.short_description)
    def action_checkbox(self, obj: Model) -> SafeString:
        """Return the checkbox of Django, because Unfold's names no record and is six times as long."""
        return admin.ModelAdmin.action_checkbox(self, obj)

    # --- Pages

    def get_custom_urls(self) -> tuple[tuple[str, str, Callable[..., Any]], ...]:
        """Return `pages` in the format of Unfold."""
        prefix = f"{self.opts.app_label}_{self.opts.model_name}"
        return tuple((page.path, f"{prefix}_{page.name}", page.view) for page in self.pages)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> Any:
        return BoundedChangeList

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if request.method != "POST":
            return super().changeform_view(request, *args, **kwargs)
        prepare_texts(self.model, request.POST)
        # Take the lock before the first read, so that nobody else writes between the check and the save.
        with write_lock():
            return super().changeform_view(request, *args, **kwargs)

    def delete_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if request.method != "POST":
            return super().delete_view(request, *args, **kwargs)
        with write_lock():
            return super().delete_view(request, *args, **kwargs)

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if not self.has_history:
            raise PermissionDenied
        return history_view(request, object_id=object_id, model_admin=self)

    def render_change_form(
        self,
        request: HttpRequest,
        context: Any,
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: Model | None = None,
    ) -> Any:
        context["show_history"] = self.has_history and obj is not None and self.has_change_permission(request, obj)
        for add_context in self.form_context:
            context.update(add_context(self, request, context))
        return super().render_change_form(request, context, add, change, form_url, obj)

    # --- History, which is for those who may change the record

    @property
    def has_history(self) -> bool:
        return hasattr(self.model, "history")

    def get_editable_rows(self, request: HttpRequest) -> QuerySet | None:
        """Return the records that `has_change_permission` lets the user change; None for all of them."""
        return None

    # --- The log of Django's admin would repeat the history

    def construct_change_message(self, request: HttpRequest, form: Any, formsets: Any, add: bool = False) -> list[Any]:
        return []

    def log_addition(self, request: HttpRequest, obj: Model, message: object) -> Any:
        return None

    def log_change(self, request: HttpRequest, obj: Model, message: object) -> Any:
        return None

    def log_deletions(self, request: HttpRequest, queryset: QuerySet) -> Any:
        return None
