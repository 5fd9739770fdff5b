"""Columns, filters and actions for venues and organizers: records with a name that events link to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.back_office.base.quick_edit import QuickEditForm
from calendar_site.back_office.base.service_admin import clean_search
from calendar_site.back_office.content.content_admin import ContentModelAdmin
from calendar_site.back_office.content.merge_action import merge_action
from calendar_site.back_office.lists.columns import link_to_events
from calendar_site.back_office.lists.filters import AuthorFilter, EventsFilter, MissingValueFilter, StatusFilter
from calendar_site.back_office.urls import is_autocomplete, is_changelist
from calendar_site.content.merge import merge_linked
from calendar_site.content.models import LinkedContent
from calendar_site.content.similar_titles import similar_titles
from calendar_site.core.types import AnyUser

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class LinkedQuickEditForm(QuickEditForm):
    """The dialog of a venue or organizer, whose title is its name."""

    def make_field(self, name: str) -> tuple[forms.Field, Any]:
        field, value = super().make_field(name)
        if name == "title":
            field.label = _("Name")
        return field, value


LIST_FILTERS = (StatusFilter, EventsFilter, MissingValueFilter, AuthorFilter)
ACTIONS = (
    *ContentModelAdmin.actions,
    merge_action(merge_linked, outcome=gettext_lazy("The others will be moved to trash.")),
)
AUTOCOMPLETE_ORDERING = ("name_key", "pk")


@admin.display(description=gettext_lazy("name"), ordering="name_key")
def name(row: Any) -> str:
    return str(row.title)


# Not sortable: the events of all records would be counted for one page.
@admin.display(description=gettext_lazy("events"))
def linked_events(row: Any) -> SafeString | int:
    return link_to_events(row, row.event_count)


MAX_SIMILAR_NAMES = 3
VIEW_ONLY = {**ContentModelAdmin.view_only, "title": name}


def with_event_counts(request: HttpRequest, rows: Any) -> Any:
    """Annotate the number of events if the request is for the list, which shows it."""
    return rows.with_event_counts(request.user) if is_changelist(request, rows.model) else rows


def search_linked(request: HttpRequest, rows: Any, search_term: str) -> Any:
    """Return the rows that match. Forms that ask for records to choose from get those with a matching name first."""
    search = clean_search(search_term)
    found = rows.matching_in_one_field(search)
    return found.ordered_by_title_match(search, "name_key") if is_autocomplete(request) else found


def name_warnings(row: LinkedContent, user: AnyUser, *, namesake: StrOrPromise, similar: StrOrPromise) -> list[str]:
    """Return warnings about other records that the user may see and that have the same name, or similar ones.

    `similar` has the placeholder `names`.
    """
    rows: Any = type(row)._default_manager
    others = rows.visible_to(user).exclude(pk=row.pk)
    warnings = [str(namesake)] if others.filter(name_key=row.name_key).exists() else []
    if names := similar_titles(others.exclude(name_key=row.name_key), row.title):
        warnings.append(similar % {"names": ", ".join(names[:MAX_SIMILAR_NAMES])})
    return warnings
