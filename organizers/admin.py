"""ModelAdmin of organizers."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from calendar_site.back_office.content import linked
from calendar_site.back_office.content.content_admin import PUBLICATION, ContentModelAdmin
from calendar_site.back_office.content.quick_add import QUICK_ADD_PAGE
from calendar_site.back_office.forms.content import LinkedContentForm
from calendar_site.back_office.lists.columns import author_name, modified, status_now, thumbnail
from calendar_site.back_office.lists.row_menu import row_menu
from calendar_site.core.types import AnyUser
from organizers.models import Organizer
from organizers.services import organizer_services


@admin.register(Organizer)
class OrganizerAdmin(ContentModelAdmin):
    services = organizer_services
    public_page_name = "organizer-page"
    pages = (*ContentModelAdmin.pages, QUICK_ADD_PAGE)
    quick_add_fields = ("title", "email", "website")
    compared_fields = ("email", "phone", "website")
    actions = linked.ACTIONS
    form = LinkedContentForm
    list_display = (
        thumbnail,
        linked.name,
        "email",
        "phone",
        linked.linked_events,
        status_now,
        author_name,
        modified,
        row_menu,
    )
    list_display_links = (linked.name,)
    quick_edit_fields = ("title", "status")
    quick_edit_form = linked.LinkedQuickEditForm
    list_filter = linked.LIST_FILTERS
    search_help_text = _("Name, text, phone, email, website")
    autocomplete_ordering = linked.AUTOCOMPLETE_ORDERING
    view_only = linked.VIEW_ONLY
    fieldsets = (
        (None, {"fields": ("title", "description", "image")}),
        (_("Contact"), {"fields": ("phone", "email", "website")}),
        PUBLICATION,
    )

    def get_queryset(self, request: HttpRequest) -> Any:
        return linked.with_event_counts(request, super().get_queryset(request))

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        return linked.search_linked(request, queryset, search_term), False

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        self.show_warnings(request, form.instance, form.changes)

    def get_warnings(self, row: Organizer, changed: Collection[str], user: AnyUser) -> list[str]:
        if "title" not in changed:
            return []
        namesake = _("Another organizer has the same name. API clients that send this name get the older one.")
        return linked.name_warnings(
            row, user, namesake=namesake, similar=_("Organizers with a similar name: %(names)s.")
        )
