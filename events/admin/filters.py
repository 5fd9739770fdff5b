"""What the list of events is narrowed by, beside time."""

from django.contrib import admin
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.content.admin.filters import LacksFilter, LinkFilter
from taxonomy.admin.fields import CategoryField
from taxonomy.models import Category


class CategoryFilter(LinkFilter):
    """Categories with all that are below them, as in the API."""

    title = gettext_lazy("category")
    parameter_name = "category"
    relation = "categories"
    field_class = CategoryField

    def narrow(self, events, pk):
        return events.showing_fields_to(self.request.user).in_categories(Category.objects.with_descendants([pk]))


class TagFilter(LinkFilter):
    title = gettext_lazy("tag")
    parameter_name = "tag"
    relation = "tags"

    def narrow(self, events, pk):
        return events.showing_fields_to(self.request.user).tagged([pk])


class VenueFilter(LinkFilter):
    title = gettext_lazy("venue")
    parameter_name = "venue"
    relation = "venues"

    def narrow(self, events, pk):
        return events.showing_fields_to(self.request.user).at_venues([pk])


class OrganizerFilter(LinkFilter):
    title = gettext_lazy("organizer")
    parameter_name = "organizer"
    relation = "organizers"

    def narrow(self, events, pk):
        return events.showing_fields_to(self.request.user).by_organizers([pk])


class EventLacksFilter(LacksFilter):
    def lookups(self, request, model_admin):
        return [*super().lookups(request, model_admin), ("venue", _("without a venue"))]

    def queryset(self, request, queryset):
        if self.value() == "venue":
            return queryset.showing_fields_to(request.user).lacking_venues()
        return super().queryset(request, queryset)


class TicketedFilter(admin.SimpleListFilter):
    title = gettext_lazy("tickets")
    parameter_name = "ticketed"

    def lookups(self, request, model_admin):
        return [("yes", _("with tickets")), ("no", _("without tickets"))]

    def queryset(self, request, queryset):
        if self.value() not in ("yes", "no"):
            return queryset
        return queryset.showing_fields_to(request.user).ticketed(self.value() == "yes")


class FeaturedFilter(admin.SimpleListFilter):
    title = gettext_lazy("featured")
    parameter_name = "featured"

    def lookups(self, request, model_admin):
        return [("yes", _("yes")), ("no", _("no"))]

    def queryset(self, request, queryset):
        if self.value() not in ("yes", "no"):
            return queryset
        return queryset.showing_fields_to(request.user).filter(featured=self.value() == "yes")
