"""ModelAdmin of records that services write."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin import ModelAdmin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.widgets import RelatedFieldWidgetWrapper
from django.core.exceptions import SuspiciousOperation, ValidationError
from django.db.models import Field, Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from calendar_site.audit.record_services import RecordServices
from calendar_site.back_office.base.audited import AuditedModelAdmin, FormContext
from calendar_site.back_office.base.quick_edit import QuickEditForm
from calendar_site.back_office.base.saved_message import undo_tag, with_links
from calendar_site.back_office.drafts.form_state import (
    delete_own_drafts,
    draft_context,
    draft_data,
    load_draft,
    tell_saved_forms,
)
from calendar_site.back_office.forms.error_links import error_links_context
from calendar_site.back_office.forms.record_fields import RecordSelect, RecordSelectMultiple, RecordsField
from calendar_site.back_office.lists import row_menu
from calendar_site.back_office.lists.indentation import remove_indentation
from calendar_site.back_office.record_admin import RestorePolicy
from calendar_site.back_office.urls import is_valid_id
from calendar_site.content.merge import can_merge_any
from calendar_site.core import permissions
from calendar_site.core.permissions import editable_q
from calendar_site.core.slugs import slugify
from calendar_site.core.types import AnyUser

MAX_SEARCH_LENGTH = 500
SCRIPT = "back_office/forms.js"
DIALOG_SCRIPT = "back_office/dialog_forms.js"
STYLE = "back_office/forms.css"


def set_heading(model_admin: ModelAdmin, request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Set the heading of a form for a new record, because Unfold's default is the name of the record."""
    request.heading = "" if context.get("original") else context["title"]  # type: ignore[attr-defined]
    return {}


class ServiceModelAdmin(AuditedModelAdmin):
    """ModelAdmin of records that it finds like the API, and writes with the services that the API uses."""

    services: ClassVar[RecordServices[Any]]
    restore_policy = RestorePolicy()
    # Labels of records to choose from, by id, if the names of the records are ambiguous.
    choice_labels: ClassVar[Callable[[], dict[int, str]] | None] = None
    # Returns the label of one record to choose from, if its name alone may be ambiguous.
    choice_label: ClassVar[Callable[..., str] | None] = None
    form_context: ClassVar[tuple[FormContext, ...]] = (set_heading, error_links_context, draft_context)
    search_fields: ClassVar[tuple[str, ...]] = ("search_text",)
    list_per_page = 50
    show_facets = admin.ShowFacets.NEVER
    view_on_site: Any = False
    # The records that may be deleted permanently, as arguments of `filter()`.
    deletable: ClassVar[dict[str, Any]] = {}
    # Whether users can save the filters of the list under a name.
    has_saved_views = True
    # The fields of the dialog in which the list changes a record.
    quick_edit_fields: ClassVar[tuple[str, ...]] = ()
    quick_edit_form: ClassVar[type[QuickEditForm]] = QuickEditForm
    # Whether users add records of this kind more often than others.
    is_most_added: ClassVar[bool] = False
    # The fields by which people see, before a merge, whether two records are the same.
    compared_fields: ClassVar[tuple[str, ...]] = ()
    # Whether the message about a saved record has a button that undoes the change.
    can_undo_saves: ClassVar[bool] = True
    # Whether unsaved input in the forms is stored, and the fields whose input is not.
    has_drafts = True
    excluded_from_drafts: ClassVar[tuple[str, ...]] = ()
    change_form_outer_before_template = "admin/drafts/notice.html"
    change_form_before_template = "admin/drafts/inputs.html"

    class Media:
        css = {"all": (STYLE,)}
        js = (SCRIPT, DIALOG_SCRIPT)

    # --- Permissions, which depend on the record

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return super().has_change_permission(request, obj) and (obj is None or permissions.can_edit(request.user, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return super().has_delete_permission(request, obj) and (
            obj is None or permissions.can_delete(request.user, obj)
        )

    def has_merge_permission(self, request: HttpRequest) -> bool:
        return can_merge_any(request.user, self.model)

    def get_editable_rows(self, request: HttpRequest) -> QuerySet | None:
        has_author = hasattr(self.model, "author")
        if not has_author or permissions.can_edit_others(request.user, self.model):
            return None
        return self.model._default_manager.filter(editable_q(request.user, self.model))

    def can_quick_edit(self, request: HttpRequest, row: Any) -> bool:
        return bool(self.quick_edit_fields) and self.has_change_permission(request, row)

    # --- List

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        response = super().changelist_view(request, extra_context)
        if isinstance(response, TemplateResponse):
            response.add_post_render_callback(remove_indentation)
        return response

    def get_menu_entries(self, request: HttpRequest, row: Any) -> list[str]:
        """Return the entries of the menu of a row in the list, in any order. No queries."""
        entries = [row_menu.CHANGE] if self.has_change_permission(request, row) else []
        if self.can_quick_edit(request, row):
            entries.append(row_menu.QUICK_EDIT)
        if self.has_delete_permission(request, row):
            entries.append(row_menu.DELETE)
        return entries

    def save_quick_edit(self, row: Any, *, changes: dict[str, Any], user: AnyUser) -> None:
        """Save the changes of the dialog that edits a record in the list. Raises ValidationError."""
        self.services.save(row, changes=changes, user=user)

    def get_warnings(self, row: Any, changed: Collection[str], user: AnyUser) -> list[str]:
        """Return warnings about a saved record, of which these fields were changed. Nothing is refused."""
        return []

    def show_warnings(self, request: HttpRequest, row: Any, changed: Collection[str]) -> None:
        for text in self.get_warnings(row, changed, request.user):
            messages.warning(request, text)

    # --- Search and filters

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        return (queryset.matching(clean_search(search_term)) if self.search_fields else queryset), False

    def response_action(self, request: HttpRequest, queryset: QuerySet) -> Any:
        if not all(map(is_valid_id, request.POST.getlist(ACTION_CHECKBOX_NAME))):
            raise SuspiciousOperation(f"{ACTION_CHECKBOX_NAME}: not a valid id. Use ids of records in the list.")
        if request.POST.get("select_across") == "1" and self.get_paginator(request, queryset, 1).is_long:
            text = _(
                "The action was not run because more than %(most)d records are selected. Filter the list to "
                "select fewer."
            )
            messages.warning(request, text % {"most": self.paginator.max_count})
            return None
        return super().response_action(request, queryset)

    # --- Form

    def formfield_for_foreignkey(self, db_field: Field, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs.setdefault("widget", RecordSelect(db_field, self.admin_site))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def formfield_for_manytomany(self, db_field: Field, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name in self.get_autocomplete_fields(request):
            widget = RecordSelectMultiple(db_field, self.admin_site)
            kwargs = {"widget": widget, "form_class": RecordsField, **kwargs}
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def formfield_for_dbfield(self, db_field: Field, request: HttpRequest, **kwargs: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        # The form of one record must not delete another one.
        if field is not None and isinstance(field.widget, RelatedFieldWidgetWrapper):
            field.widget.can_delete_related = False
        return field

    def get_form(self, request: HttpRequest, obj: Model | None = None, change: bool = False, **kwargs: Any) -> Any:
        form: Any = super().get_form(request, obj, change, **kwargs)
        form.user = request.user
        form.service_errors = getattr(request, "service_errors", None)
        if draft := getattr(request, "form_draft", None):
            form.restored_data, form.not_restored = draft_data(draft), self.excluded_from_drafts
        return form

    def get_formset_kwargs(self, request: HttpRequest, obj: Any, inline: Any, prefix: str) -> dict[str, Any]:
        kwargs: dict[str, Any] = super().get_formset_kwargs(request, obj, inline, prefix)
        if draft := getattr(request, "form_draft", None):
            kwargs |= {"data": draft_data(draft), "is_restored": True}
        return {**kwargs, "service_errors": getattr(request, "service_errors", None)}

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: str | None = None) -> HttpResponse:
        request.saved_row, request.is_new_row = obj, True  # type: ignore[attr-defined]
        response: HttpResponse = super().response_add(request, obj, post_url_continue)
        return response

    def response_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        request.saved_row = obj  # type: ignore[attr-defined]
        response: HttpResponse = super().response_change(request, obj)
        return response

    def message_user(
        self, request: HttpRequest, message: Any, level: Any = messages.INFO, extra_tags: str = "", **kwargs: Any
    ) -> None:
        """Add links to the message about a saved record, and a button that undoes the change.

        Nothing is added to what a message about several records has said.
        """
        row = getattr(request, "saved_row", None)
        if row is not None and level == messages.SUCCESS:
            if getattr(request, "is_reported", False):
                return
            message = with_links(self, request, row, message)
            extra_tags = undo_tag(self, request, row, is_new=getattr(request, "is_new_row", False))
        super().message_user(request, message, level, extra_tags, **kwargs)

    # --- Writing

    def changeform_view(self, request: HttpRequest, object_id: str | None = None, *args: Any, **kwargs: Any) -> Any:
        if request.method == "GET":
            request.form_draft = load_draft(self, request, object_id)  # type: ignore[attr-defined]
        try:
            response = super().changeform_view(request, object_id, *args, **kwargs)
        except ValidationError as error:
            # The form was valid, but the service raised an error and saved nothing. Process the request again to render
            # the form with the errors of the service: see docs/decisions/0032.
            request.service_errors = error  # type: ignore[attr-defined]
            return super().changeform_view(request, object_id, *args, **kwargs)
        tell_saved_forms(request, response)
        return response

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save nothing: `save_related` saves the record together with the rows of the formsets."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        row, changes = form.instance, form.changes
        related = {formset.relation: formset.changes for formset in formsets if formset.has_changed()}
        self.services.save(row, changes={**changes, **related}, user=request.user)
        delete_own_drafts(request)
        if count := getattr(form, "left_out_images", 0):
            text = ngettext(
                "%(count)d image of another site was left out. Add it to the image library instead.",
                "%(count)d images of other sites were left out. Add them to the image library instead.",
                count,
            )
            messages.warning(request, text % {"count": count})
        slug = slugify(changes.get("slug") or "")
        # Nobody typed the one that the form suggested from the title.
        if slug and slug != row.slug and slug != slugify(str(row)):
            text = _("The slug %(wanted)s is already in use. It was saved as %(slug)s.")
            messages.warning(request, text % {"wanted": slug, "slug": row.slug})

    def get_deleted_objects(self, objs: Iterable[Any], request: HttpRequest) -> Any:
        """Return only the names of the records: related records are not deleted with them."""
        rows = list(objs)
        refused = {str(self.opts.verbose_name) for row in rows if not self.has_delete_permission(request, row)}
        return [str(row) for row in rows], {self.opts.verbose_name_plural: len(rows)}, refused, []

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        self._delete(request, [obj])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet) -> None:
        self._delete(request, queryset)

    def _delete(self, request: HttpRequest, rows: Iterable[Any]) -> None:
        ids = [row.pk for row in rows]
        self.services.delete(self.model._default_manager.filter(pk__in=ids, **self.deletable), user=request.user)


def clean_search(search_term: str) -> str:
    """Return the search term without NUL, which databases reject, and truncated to `MAX_SEARCH_LENGTH`."""
    return search_term[:MAX_SEARCH_LENGTH].replace("\0", " ")
