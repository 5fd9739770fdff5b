"""The filters of the list of events, except those by time."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.admin import ModelAdmin
from django.db.models import TextChoices
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.back_office.lists.filters import AccessibilityFilter, MissingValueFilter, RelatedRecordFilter
from calendar_site.core.types import AnyUser
from events.choices import AttendanceMode, EventStatus
from events.listing.conditions import with_accessibility
from taxonomy.admin.fields import CategoryField


class CategoryFilter(RelatedRecordFilter):
    """Events of a category or its descendants, as in the API."""

    title = gettext_lazy("category")
    parameter_name = "category"
    relation = "categories"
    field_class = CategoryField

    def filter_related(self, events: Any, pk: int) -> Any:
        return events.with_fields_visible_to(self.request.user).in_categories([pk])


class TagFilter(RelatedRecordFilter):
    title = gettext_lazy("tag")
    parameter_name = "tag"
    relation = "tags"

    def filter_related(self, events: Any, pk: int) -> Any:
        return events.with_fields_visible_to(self.request.user).linked_to("tags", [pk])


class _PublishedTermFilter(RelatedRecordFilter):
    """The events that a list of terms counts, and to which it links. Not shown otherwise."""

    def has_output(self) -> bool:
        return bool(self.value()) and super().has_output()

    def filter_related(self, events: Any, pk: int) -> Any:
        return events.published().found_by_terms().linked_to(self.relation, [pk])


class PublishedCategoryFilter(_PublishedTermFilter):
    """Published events of a category, without those of its descendants."""

    title = gettext_lazy("category (published events only)")
    parameter_name = "published_category"
    relation = "categories"
    field_class = CategoryField


class PublishedTagFilter(_PublishedTermFilter):
    title = gettext_lazy("tag (published events only)")
    parameter_name = "published_tag"
    relation = "tags"


class VenueFilter(RelatedRecordFilter):
    title = gettext_lazy("venue")
    parameter_name = "venue"
    relation = "venues"

    def filter_related(self, events: Any, pk: int) -> Any:
        return events.with_fields_visible_to(self.request.user).linked_to("venues", [pk])


class OrganizerFilter(RelatedRecordFilter):
    title = gettext_lazy("organizer")
    parameter_name = "organizer"
    relation = "organizers"

    def filter_related(self, events: Any, pk: int) -> Any:
        return events.with_fields_visible_to(self.request.user).linked_to("organizers", [pk])


class SeriesFilter(RelatedRecordFilter):
    """Events of a series, to which the page of the series links. Not shown otherwise, because few look for a series."""

    title = gettext_lazy("series")
    parameter_name = "series"
    relation = "series"

    def has_output(self) -> bool:
        return bool(self.value()) and super().has_output()

    def filter_related(self, events: Any, pk: int) -> Any:
        return events.with_fields_visible_to(self.request.user).filter(series=pk)


class EventMissingValueFilter(MissingValueFilter):
    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, Any]]:
        return [*super().lookups(request, model_admin), ("venue", _("No venue"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if self.value() == "venue":
            return queryset.with_fields_visible_to(request.user).without_venues()
        return super().queryset(request, queryset)


class TicketedFilter(admin.SimpleListFilter):
    title = gettext_lazy("tickets")
    parameter_name = "ticketed"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, Any]]:
        return [("yes", _("With tickets")), ("no", _("Without tickets"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if self.value() not in ("yes", "no"):
            return queryset
        return queryset.with_fields_visible_to(request.user).ticketed(self.value() == "yes")


class EventChoiceFilter(admin.SimpleListFilter):
    """Events with a value of the field that is named like the parameter."""

    parameter_name: str
    choices_class: type[TextChoices]

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, Any]]:
        return list(self.choices_class.choices)

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if self.value() not in self.choices_class.values:
            return queryset
        return queryset.with_fields_visible_to(request.user).filter(**{self.parameter_name: self.value()})


class EventStatusFilter(EventChoiceFilter):
    title = gettext_lazy("event status")
    parameter_name = "event_status"
    choices_class = EventStatus


class AttendanceModeFilter(EventChoiceFilter):
    title = gettext_lazy("attendance mode")
    parameter_name = "attendance_mode"
    choices_class = AttendanceMode


class EventAccessibilityFilter(AccessibilityFilter):
    """Events with a feature themselves or at one of their venues, as in the API."""

    def filter_by_feature(self, rows: Any, feature: str, user: AnyUser) -> Any:
        return with_accessibility(rows.with_fields_visible_to(user), [feature], user)


class FeaturedFilter(admin.SimpleListFilter):
    title = gettext_lazy("featured")
    parameter_name = "featured"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, Any]]:
        return [("yes", _("Yes")), ("no", _("No"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if self.value() not in ("yes", "no"):
            return queryset
        return queryset.with_fields_visible_to(request.user).filter(featured=self.value() == "yes")
