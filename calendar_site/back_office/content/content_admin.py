"""ModelAdmin of events, venues and organizers."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.utils import flatten_fieldsets
from django.db.models import Field
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from calendar_site.audit.record_services import ContentServices
from calendar_site.back_office.base.pages import AdminPage
from calendar_site.back_office.base.quick_edit import QUICK_EDIT_PAGE
from calendar_site.back_office.base.service_admin import ServiceModelAdmin
from calendar_site.back_office.content import status_actions
from calendar_site.back_office.content.background_actions import PROGRESS_PAGE
from calendar_site.back_office.content.fieldsets import (
    ASIDE,
    FieldSpec,
    filter_fields,
    inlines_context,
    is_aside,
    more_context,
    view_only_fields,
)
from calendar_site.back_office.content.save_buttons import (
    save_buttons_context,
    set_status_of_button,
    show_field_status,
)
from calendar_site.back_office.content.undo import UNDO_PAGE
from calendar_site.back_office.forms.content import ContentForm
from calendar_site.back_office.forms.custom_fields import (
    custom_fields_of,
    form_field_name,
    is_custom,
    view_only_columns,
)
from calendar_site.back_office.forms.filled_in import filled_in_values
from calendar_site.back_office.forms.html_editor import HTMLEditor
from calendar_site.back_office.forms.image_picker import LIBRARY_STYLE, ImagePicker
from calendar_site.back_office.lists import row_menu
from calendar_site.back_office.lists.columns import author_name, created, image, modified, published, status_now
from calendar_site.back_office.lists.filters import AuthorFilter, StatusFilter
from calendar_site.back_office.review.display import ReviewedModelAdmin
from calendar_site.back_office.review.pages import review_context, review_view
from calendar_site.back_office.urls import is_autocomplete
from calendar_site.content.models import Content
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.core.fields import AccessibilityField
from calendar_site.core.types import AnyUser
from calendar_site.media.models import Image
from calendar_site.review.services import save_or_approve

# The last section of the forms of venues and organizers.
PUBLICATION = (
    gettext_lazy("Publishing"),
    {
        "classes": (ASIDE,),
        "fields": (
            "status", status_now, "published_at", "author", author_name, "slug", "public_page", created, modified
        ),
    },
)  # fmt: skip


class ContentModelAdmin(ReviewedModelAdmin, ServiceModelAdmin):
    """ModelAdmin of records with an author, a status and a trash."""

    services: ClassVar[ContentServices[Any]]
    # The URL name of the public page of a record.
    public_page_name: ClassVar[str]
    # Replacements of inputs on the form of users who may only view the record; None leaves the field out.
    view_only: ClassVar[dict[str, FieldSpec | None]] = {
        "status": status_now,
        "published_at": published,
        "image": image,
        "author": None,
    }
    # The order of records to choose from.
    autocomplete_ordering: ClassVar[tuple[str, ...]] = ("title", "pk")
    # The fields of the dialog in which other forms add a record; a tuple is a line of fields.
    quick_add_fields: ClassVar[tuple[str | tuple[str, ...], ...]] = ()
    pages = (
        *ServiceModelAdmin.pages,
        AdminPage("<path:object_id>/trash/", "trash", status_actions.trash_view),
        AdminPage("<path:object_id>/restore/", "restore", status_actions.untrash_view),
        AdminPage("<path:object_id>/review/", "review", review_view),
        UNDO_PAGE,
        PROGRESS_PAGE,
        QUICK_EDIT_PAGE,
    )
    form_context = (
        *ServiceModelAdmin.form_context,
        review_context,
        status_actions.status_context,
        save_buttons_context,
        show_field_status,
        inlines_context,
        more_context,
    )
    actions: Any = (
        status_actions.publish,
        status_actions.submit,
        status_actions.back_to_draft,
        status_actions.move_to_trash,
        status_actions.restore,
    )
    form = ContentForm
    ordering: Any = ("-pk",)
    deletable = {"status": Status.TRASH}
    list_filter: Any = (StatusFilter, AuthorFilter)
    list_select_related: Any = ("author", "image")
    readonly_fields: Any = (author_name, created, modified, status_now, "public_page")
    change_form_template = "admin/content_change_form.html"
    # Put labels above their controls, so that there is room for two columns.
    compressed_fields = False
    formfield_overrides: ClassVar[dict[Any, Any]] = {
        AccessibilityField: {"widget": UnfoldAdminCheckboxSelectMultipleWidget}
    }
    prepopulated_fields = {"slug": ("title",)}

    class Media:
        css = {"all": (LIBRARY_STYLE, "back_office/review.css")}

    # --- Permissions

    def get_queryset(self, request: HttpRequest) -> Any:
        rows: Any = super().get_queryset(request)
        if is_autocomplete(request):
            return rows.visible_to(request.user).order_by(*self.autocomplete_ordering)
        return rows.readable_by(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_view_permission(request, obj) and (obj is None or permissions.can_read(request.user, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow permanent deletion only of records in the trash."""
        return super().has_delete_permission(request, obj) and (obj is None or obj.status == Status.TRASH)

    def has_publish_permission(self, request: HttpRequest) -> bool:
        return self.has_change_permission(request) and permissions.can_publish(request.user, self.model)

    def can_quick_edit(self, request: HttpRequest, row: Any) -> bool:
        return super().can_quick_edit(request, row) and row.status != Status.TRASH

    def can_choose_author(self, request: HttpRequest) -> bool:
        """Return whether the user may set another author, who is chosen from the list of accounts."""
        return permissions.can_edit_others(request.user, self.model) and request.user.has_perm("accounts.view_user")

    # --- List

    def get_menu_entries(self, request: HttpRequest, row: Any) -> list[str]:
        entries = super().get_menu_entries(request, row)
        if row.status != Status.TRASH and permissions.can_delete(request.user, row):
            entries.append(row_menu.TRASH)
        if row.status == Status.TRASH and self.has_change_permission(request, row):
            entries.append(row_menu.RESTORE)
        return entries

    def save_quick_edit(self, row: Any, *, changes: dict[str, Any], user: AnyUser) -> None:
        save_or_approve(row, services=self.services, changes=changes, user=user)

    def get_actions(self, request: HttpRequest) -> Any:
        return status_actions.select_actions(request, super().get_actions(request))

    # --- Form

    def get_autocomplete_fields(self, request: HttpRequest) -> Any:
        return (*super().get_autocomplete_fields(request), "author")

    def formfield_for_dbfield(self, db_field: Field, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "description":
            kwargs["widget"] = HTMLEditor
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if db_field.name == "image":
            # The picker itself uploads new images.
            field.widget.can_add_related = False
        return field

    def formfield_for_foreignkey(self, db_field: Field, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "image":
            kwargs["widget"] = ImagePicker(db_field, self.admin_site, request.user)
            kwargs["queryset"] = Image.objects.usable_by(request.user)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def get_changeform_initial_data(self, request: HttpRequest) -> Any:
        given = super().get_changeform_initial_data(request)
        return {"author": request.user.pk, **given, **filled_in_values(request, self.model)}

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        custom_fields = custom_fields_of(request, self.model)
        fieldsets = list(super().get_fieldsets(request, obj))
        further = (_("Custom fields"), {"fields": [form_field_name(field) for field in custom_fields]})
        # The last section of the wide column.
        wide = [position for position, (_name, options) in enumerate(fieldsets, 1) if not is_aside(options)]
        fieldsets.insert(max(wide), further)
        if obj is not None and not self.has_change_permission(request, obj):
            fieldsets = filter_fields(fieldsets, lambda spec: spec != status_now)
            replaced = {**self.view_only, **view_only_columns(custom_fields, obj)}
            if not obj.is_published:
                replaced["public_page"] = None
            return view_only_fields(fieldsets, replaced)
        # Users who may not choose the author are the author. A new record has no dates yet.
        left_out: set[Any] = {author_name} if self.can_choose_author(request) else {"author"}
        # The buttons of the form set the status; only users who may publish can choose any other.
        if obj is None or permissions.can_publish(request.user, self.model):
            left_out.add(status_now)
        if obj is None:
            left_out |= {author_name, created, modified}
        if obj is None or not obj.is_published:
            left_out.add("public_page")
        return filter_fields(fieldsets, lambda spec: spec not in left_out)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        names = kwargs.pop("fields", None) or flatten_fieldsets(self.get_fieldsets(request, obj))
        # Django knows only the fields of the model; the form adds the custom ones.
        kwargs["fields"] = [name for name in names if not is_custom(name)]
        form = super().get_form(request, obj, change, **kwargs)
        custom_fields = custom_fields_of(request, self.model)
        form.custom_fields = [field for field in custom_fields if form_field_name(field) in names]
        return form

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if request.method == "POST":
            set_status_of_button(request)
        return super().changeform_view(request, *args, **kwargs)

    # --- The public page

    def view_on_site(self, row: Content) -> str | None:
        """Return the URL of the public page, which records in the trash do not have."""
        return None if row.status == Status.TRASH else reverse(self.public_page_name, args=[row.slug])

    @admin.display(description=gettext_lazy("public page"))
    def public_page(self, row: Content) -> str:
        url = self.view_on_site(row)
        return format_html('<a href="{}" class="quiet-link">{}</a>', url, url)
