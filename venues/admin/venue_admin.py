"""ModelAdmin of venues."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from calendar_site.back_office.base.pages import AdminPage
from calendar_site.back_office.content import linked
from calendar_site.back_office.content.content_admin import PUBLICATION, ContentModelAdmin
from calendar_site.back_office.content.fieldsets import ASIDE
from calendar_site.back_office.content.quick_add import QUICK_ADD_PAGE
from calendar_site.back_office.lists.columns import accessibility, author_name, modified, status_now, thumbnail
from calendar_site.back_office.lists.filters import AccessibilityFilter
from calendar_site.back_office.lists.row_menu import row_menu
from calendar_site.back_office.review.display import ReviewDisplay
from calendar_site.core.types import AnyUser
from venues.admin.forms import VenueForm
from venues.admin.map import MAP, map_view
from venues.models import Venue
from venues.services import venue_services


def summarize_venue(venue: Venue) -> str:
    """Return where the venue is, as one line for the review queue."""
    return ", ".join(filter(None, [venue.address, venue.city]))


def label_venue(venue: Venue) -> str:
    """Return the name with the street and the city, which tell venues of the same name apart."""
    place = summarize_venue(venue)
    return f"{venue} — {place}" if place else str(venue)


@admin.register(Venue)
class VenueAdmin(ContentModelAdmin):
    services = venue_services
    review_display = ReviewDisplay(summarize=summarize_venue)
    public_page_name = "venue-page"
    pages = (*ContentModelAdmin.pages, AdminPage("places/", "map", map_view), QUICK_ADD_PAGE)
    quick_add_fields = ("title", "address", ("zip", "city"), "country")
    compared_fields = ("address", "zip", "city", "country", "phone", "website")
    choice_label = staticmethod(label_venue)
    actions = linked.ACTIONS
    form = VenueForm
    list_display = (
        thumbnail,
        linked.name,
        "city",
        "region",
        "country",
        linked.linked_events,
        status_now,
        author_name,
        modified,
        row_menu,
    )
    list_display_links = (linked.name,)
    quick_edit_fields = ("title", "city", "status")
    quick_edit_form = linked.LinkedQuickEditForm
    list_filter = (*linked.LIST_FILTERS, AccessibilityFilter)
    search_help_text = _("Name, text, phone, address")
    autocomplete_ordering = linked.AUTOCOMPLETE_ORDERING
    view_only = {**linked.VIEW_ONLY, "accessibility": accessibility}
    fieldsets = (
        (None, {"fields": ("title",)}),
        (
            _("Address"),
            {"fields": ("address", ("zip", "city"), ("state", "province"), ("state_province", "country"))},
        ),
        (_("Map location"), {"description": MAP, "fields": (("geo_lat", "geo_lng"), "time_zone")}),
        (_("Description"), {"fields": ("description", "image")}),
        (_("Contact"), {"fields": ("phone", "website")}),
        (_("Accessibility"), {"fields": ("accessibility",)}),
        (_("Display"), {"classes": (ASIDE,), "fields": ("show_map", "show_map_link")}),
        PUBLICATION,
    )

    def get_queryset(self, request: HttpRequest) -> Any:
        return linked.with_event_counts(request, super().get_queryset(request))

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        return linked.search_linked(request, queryset, search_term), False

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        self.show_warnings(request, form.instance, form.changes)

    def get_warnings(self, row: Venue, changed: Collection[str], user: AnyUser) -> list[str]:
        if "title" not in changed:
            return []
        namesake = _("Another venue has the same name. API clients that send this name get the older one.")
        return linked.name_warnings(row, user, namesake=namesake, similar=_("Venues with a similar name: %(names)s."))

    @admin.display(description=_("state or province"))
    def region(self, venue: Venue) -> str:
        return venue.region
