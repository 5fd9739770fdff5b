"""Venues and organizers in the admin: what events link to by its name."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from calendar_site.content.admin.base import link_to_events
from calendar_site.content.admin.content import ContentAdmin
from calendar_site.content.admin.filters import AuthorFilter, EventsFilter, LacksFilter, StatusFilter
from calendar_site.content.admin.forms import NamedForm
from calendar_site.content.admin.merging import MergeAction
from calendar_site.content.choices import Status
from calendar_site.content.merging import merge_named
from calendar_site.content.saving import delete_named, save_content, trash_named


class NamedAdmin(MergeAction, ContentAdmin):
    """Records with a name, a trash, and events that link to them."""

    form = NamedForm
    list_display_links = ("name",)
    list_filter = (StatusFilter, EventsFilter, LacksFilter, AuthorFilter)
    to_look_at = {**ContentAdmin.to_look_at, "title": "name"}
    choice_ordering = ("name_key", "pk")
    actions = (*ContentAdmin.actions, "merge")
    merged_away = gettext_lazy("The others go into the trash.")
    count_column = "event_count"
    # What is said where another record has the same name.
    namesake: ClassVar[Any]

    def write(self, row: Any, fields: dict[str, Any], user: Any) -> None:
        save_content(row, fields, user)

    def trash(self, row: Any, user: Any) -> None:
        trash_named(row, user)

    def delete_for_good(self, rows: Any, user: Any) -> None:
        delete_named(rows.filter(status=Status.TRASH), user)

    def merge_rows(self, kept: Any, others: list[Any], user: Any) -> None:
        merge_named(kept, others, user)

    def search(self, rows: Any, query: str, user: Any) -> Any:
        return rows.having_words_in_one_field(query)

    def get_queryset(self, request: HttpRequest) -> Any:
        rows = super().get_queryset(request)
        return rows.counting_events(request.user) if self.is_listing(request) else rows

    @admin.display(description=gettext_lazy("name"), ordering="name_key")
    def name(self, row: Any) -> str:
        return str(row.title)

    # Not to be sorted by: the events of all would be counted for one page.
    @admin.display(description=gettext_lazy("events"))
    def linked_events(self, row: Any) -> Any:
        return link_to_events(str(self.opts.model_name), row.pk, row.event_count)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if change and "title" not in form.changed_data:
            return
        others: Any = self.model._default_manager
        if others.visible_to(request.user).filter(name_key=obj.name_key).exclude(pk=obj.pk).exists():
            messages.warning(request, self.namesake)
