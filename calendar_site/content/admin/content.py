"""Events, venues and organizers in the admin: rights by the record, a form, columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.utils import flatten, flatten_fieldsets
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.content import rules
from calendar_site.content.admin import pictures
from calendar_site.content.admin.actions import StatusActions
from calendar_site.content.admin.authored import AuthoredAdmin
from calendar_site.content.admin.custom_values import declared_for, held_columns, is_custom, name_in_forms
from calendar_site.content.admin.filters import AuthorFilter, StatusFilter
from calendar_site.content.admin.forms import ContentForm
from calendar_site.content.admin.image_input import LIBRARY_STYLE, ImageInput
from calendar_site.content.admin.review import ReviewAdmin
from calendar_site.content.admin.rich_text import RichTextInput
from calendar_site.content.choices import Status
from calendar_site.content.days import in_site_time
from calendar_site.content.saving import set_content

# Sections of the one class stand beside the others where there is room; behind that of the other stands what is
# edited along with the record.
ASIDE, WITH_INLINES = "aside", "with-inlines"
# What the form of a venue or organizer ends with.
PUBLICATION = (
    gettext_lazy("Publishing"),
    {
        "classes": (ASIDE,),
        "fields": ("status", "published_at", "author", "author_name", "public_page", "created", "modified"),
    },
)


class ContentAdmin(ReviewAdmin, StatusActions, AuthoredAdmin):
    """Records with an author, a status and a trash."""

    form = ContentForm
    list_filter: ClassVar[Any] = (StatusFilter, AuthorFilter)
    list_select_related = ("author", "image")
    change_form_template = "admin/content_change_form.html"
    # Labels above their controls, which two columns have the room for.
    compressed_fields = False
    prepopulated_fields = {"slug": ("title",)}
    # What is shown, of what is filled in, to whoever may only look.
    to_look_at: ClassVar[dict[str, str]] = {"status": "status_now", "published_at": "published", "image": "picture"}
    # How choices are ordered.
    choice_ordering: tuple[str, ...] = ("title", "pk")

    class Media:
        css = {"all": (LIBRARY_STYLE,)}

    # --- Rights

    def get_queryset(self, request: HttpRequest) -> Any:
        rows: Any = super().get_queryset(request)
        if self.is_choosing(request):
            return rows.visible_to(request.user).order_by(*self.choice_ordering)
        return rows.readable_by(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_view_permission(request, obj) and (obj is None or rules.can_read(request.user, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """For good, which is only for what lies in the trash."""
        return super().has_delete_permission(request, obj) and (obj is None or obj.status == Status.TRASH)

    def may_name_authors(self, request: HttpRequest) -> bool:
        """Whether the user may give records to others: who acts for others, and knows the accounts."""
        return rules.can_edit_others(request.user, self.model) and request.user.has_perm("accounts.view_user")

    def set_fields(self, row: Any, fields: dict[str, Any], user: Any) -> None:
        set_content(row, fields, user)

    # --- Form

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return ("author_name", "created", "modified", "public_page")

    def get_autocomplete_fields(self, request: HttpRequest) -> Any:
        return (*super().get_autocomplete_fields(request), "author")

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "description":
            kwargs["widget"] = RichTextInput
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if db_field.name == "image":
            # The control itself takes new ones.
            field.widget.can_add_related = False
        return field

    def formfield_for_foreignkey(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        if db_field.name == "image":
            kwargs["widget"] = ImageInput(db_field, self.admin_site, request.user)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def get_changeform_initial_data(self, request: HttpRequest) -> Any:
        return {"author": request.user.pk, **super().get_changeform_initial_data(request)}

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        declared = declared_for(request, self.model)
        *sections, publication = super().get_fieldsets(request, obj)
        further = (_("Further facts"), {"fields": [name_in_forms(field) for field in declared]})
        fieldsets = [*sections, further, publication]
        if obj is not None and not self.has_change_permission(request, obj):
            held = held_columns(declared, obj)
            fieldsets = _with_fields(fieldsets, lambda names: self.fields_to_look_at(request, obj, names))
            return _with_fields(
                fieldsets, lambda names: [held.get(name, name) for name in names if name in held or not is_custom(name)]
            )
        left_out = self.fields_left_out(request, obj)
        return _with_fields(fieldsets, lambda names: [name for name in names if name not in left_out])

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        names = kwargs.pop("fields", None) or flatten_fieldsets(self.get_fieldsets(request, obj))
        # Django knows the fields of the model alone: the form adds the custom ones by itself.
        kwargs["fields"] = [name for name in names if not is_custom(name)]
        form = super().get_form(request, obj, change, **kwargs)
        form.custom_fields = [field for field in declared_for(request, self.model) if name_in_forms(field) in names]
        return form

    def fields_left_out(self, request: HttpRequest, obj: Any) -> set[str]:
        """A new record has no dates yet. Whoever may not name an author is the author, and stays it."""
        left_out = {"author_name"} if self.may_name_authors(request) else {"author"}
        if obj is None:
            return left_out | {"author_name", "created", "modified", "public_page"}
        return left_out if obj.is_published else left_out | {"public_page"}

    def fields_to_look_at(self, request: HttpRequest, obj: Any, names: Any) -> list[str]:
        """The fields for whoever may only look."""
        hidden = {"author"} if obj.is_published else {"author", "public_page"}
        return [self.to_look_at.get(str(name), str(name)) for name in flatten(names) if name not in hidden]

    def get_view_on_site_url(self, obj: Any = None) -> str | None:
        # The trash has no addresses.
        if obj is None or obj.status == Status.TRASH:
            return None
        return super().get_view_on_site_url(obj)

    def render_change_form(
        self,
        request: HttpRequest,
        context: Any,
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: Any = None,
    ) -> Any:
        sections = context["adminform"]
        context["inlines_have_their_place"] = any(WITH_INLINES in section.classes for section in sections)
        is_trash = obj is not None and obj.status == Status.TRASH
        context["can_trash"] = obj is not None and not is_trash and rules.can_delete(request.user, obj)
        context["can_restore"] = is_trash and rules.can_edit(request.user, obj)
        return super().render_change_form(request, context, add, change, form_url, obj)

    # --- Columns

    @admin.display(description=gettext_lazy("status"), ordering="status")
    def status_now(self, row: Any) -> str:
        if row.status != Status.FUTURE:
            return str(Status(row.status).label)
        if row.is_published:
            return str(Status.PUBLISH.label)
        return _("scheduled for %(date)s") % {"date": in_site_time(row.published_at)}

    @admin.display(description=gettext_lazy("image"))
    def thumbnail(self, row: Any) -> str:
        return pictures.thumbnail(row.image) if row.image_id else ""

    @admin.display(description=gettext_lazy("image"))
    def picture(self, row: Any) -> str:
        return pictures.picture(row.image) if row.image_id else ""

    @admin.display(description=gettext_lazy("public page"))
    def public_page(self, row: Any) -> str:
        address = self.view_on_site(row)
        return format_html('<a href="{}" class="quiet-link">{}</a>', address, address)

    @admin.display(description=gettext_lazy("publication date"))
    def published(self, row: Any) -> str:
        return in_site_time(row.published_at)


def _with_fields(fieldsets: Any, choose: Callable[[Any], Any]) -> list[Any]:
    """The sections with those fields of theirs that are chosen; without any, none."""
    chosen = [(name, {**options, "fields": choose(options["fields"])}) for name, options in fieldsets]
    return [(name, options) for name, options in chosen if options["fields"]]
