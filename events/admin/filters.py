"""What the list of events is narrowed by."""

import re
from datetime import date

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.db.models.functions import Substr
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.content.admin.filters import LinkFilter
from calendar_site.content.days import month as in_words
from taxonomy.models import Category

PERIOD = re.compile(r"[0-9]{4}(-[0-9]{2})?")


class TimeFilter(admin.SimpleListFilter):
    title = gettext_lazy("time")
    parameter_name = "time"

    def lookups(self, request, model_admin):
        return [("coming", _("coming and under way")), ("past", _("past"))]

    def queryset(self, request, queryset):
        now = timezone.now()
        if self.value() == "coming":
            return queryset.ending_after(now)
        return queryset.ending_by(now) if self.value() == "past" else queryset


class StartFilter(admin.SimpleListFilter):
    """Years, and the months of the one that is chosen, on the events' own clocks.

    Not `date_hierarchy`: that goes by UTC, where an evening may be the next day, and knows no index.
    """

    title = gettext_lazy("start")
    parameter_name = "start"

    def lookups(self, request, model_admin):
        starts = model_admin.get_queryset(request).outside_trash().order_by()
        chosen = self.value() or ""
        for year in _beginnings(starts, 4):
            yield year, year
            if year == chosen[:4] and PERIOD.fullmatch(chosen):
                for month in _beginnings(_starting_in(starts, year), 7):
                    yield month, in_words(date.fromisoformat(f"{month}-01"))

    def queryset(self, request, queryset):
        if not self.value():
            return queryset
        if not PERIOD.fullmatch(self.value()):
            raise IncorrectLookupParameters
        return _starting_in(queryset, self.value())


def _beginnings(events, length):
    """The first characters of the wall clocks at which the events start, in order."""
    return sorted(events.values_list(Substr("start_local", 1, length), flat=True).distinct())


def _starting_in(events, period):
    year, _dash, month = period.partition("-")
    # The bound is the next number, not a letter behind digits: databases order those in ways of their own.
    after = f"{year}-{int(month) + 1:02}" if month else f"{int(year) + 1:04}"
    return events.filter(start_local__gte=period, start_local__lt=after)


class CategoryFilter(LinkFilter):
    """Categories with all that are below them, as in the API."""

    title = gettext_lazy("category")
    parameter_name = "category"
    relation = "categories"

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


class LacksFilter(admin.SimpleListFilter):
    title = gettext_lazy("what is missing")
    parameter_name = "lacks"

    def lookups(self, request, model_admin):
        return [("image", _("without a picture")), ("venue", _("without a venue"))]

    def queryset(self, request, queryset):
        events = queryset.showing_fields_to(request.user)
        if self.value() == "image":
            return events.filter(image=None)
        return events.lacking_venues() if self.value() == "venue" else queryset


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
