"""Events in the admin."""

import re
from datetime import datetime

from django import forms
from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.widgets import AutocompleteSelect
from django.db.models import Prefetch
from django.db.models.functions import Substr
from django.utils import timezone
from django.utils.dates import MONTHS
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.content import rules
from calendar_site.content.admin import PUBLICATION, ContentAdmin, ordered_choice
from calendar_site.content.admin_filters import AuthorFilter, LinkFilter, StatusFilter
from calendar_site.content.choices import Status
from calendar_site.content.dates import parse_zone, site_zone, wire
from calendar_site.content.forms import ContentForm, MergingForm, OrderedRowsField, WallTimeField, ZoneField, wall_time
from calendar_site.content.querysets import visible_q
from events.costs import LONGEST_COST
from events.models import Event, EventOrganizer, EventVenue, Ticket
from events.schedule import GIVEN, zone_of
from events.services import delete_events, save_event, set_event, trash_event
from organizers.models import Organizer
from taxonomy.models import Category
from venues.models import Venue

DAY, CLOCK = "D j M Y", "H:i"
PASSWORD_LENGTH = Event._meta.get_field("password").max_length
PERIOD = re.compile(r"[0-9]{4}(-[0-9]{2})?")

# --- Filters -------------------------------------------------------------------------------------


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
                    yield month, f"{MONTHS[int(month[5:])]} {year}"

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


class FeaturedFilter(admin.SimpleListFilter):
    title = gettext_lazy("featured")
    parameter_name = "featured"

    def lookups(self, request, model_admin):
        return [("yes", _("yes")), ("no", _("no"))]

    def queryset(self, request, queryset):
        if self.value() not in ("yes", "no"):
            return queryset
        return queryset.showing_fields_to(request.user).filter(featured=self.value() == "yes")


# --- Forms ---------------------------------------------------------------------------------------


class EventForm(ContentForm):
    """An event, whose times are those of the clock on its own wall."""

    model_names = {**ContentForm.model_names, "ordered_venues": "venues", "ordered_organizers": "organizers"}

    start = WallTimeField(label=gettext_lazy("Starts"))
    end = WallTimeField(label=gettext_lazy("Ends"))
    time_zone = ZoneField(
        label=gettext_lazy("Time zone"),
        required=False,
        help_text=gettext_lazy("The times above are on the clock of this zone. Empty: the zone of the site."),
    )
    cost = forms.CharField(
        label=gettext_lazy("Cost"),
        required=False,
        max_length=LONGEST_COST,
        help_text=gettext_lazy("Such as 10, $10 – $30 or Free. A number alone is in the currency of the site."),
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        required=False,
        strip=False,
        max_length=PASSWORD_LENGTH,
        help_text=gettext_lazy("Who does not know it sees the title and the dates alone. Empty: everybody sees all."),
        widget=forms.TextInput({"class": "vTextField", "autocomplete": "off"}),
    )
    # Under names of their own: Django's admin takes no relation with a model between for a field.
    ordered_venues = OrderedRowsField(Venue.objects.none())
    ordered_organizers = OrderedRowsField(Organizer.objects.none())

    def prepare(self):
        super().prepare()
        event = self.instance
        self.initial["time_zone"] = zone_of(event).name
        if event.pk:
            # The control of a whole day has no time.
            shown = 10 if event.all_day else None
            self.initial["start"] = wall_time(event.start_local)[:shown]
            self.initial["end"] = wall_time(event.end_local)[:shown]
        self._show_links("ordered_venues", EventVenue, "venue")
        self._show_links("ordered_organizers", EventOrganizer, "organizer")
        if event.parent_id and not Event.objects.visible_to(self.user).filter(pk=event.parent_id).exists():
            self.initial["parent"] = None

    def _show_links(self, name, link, column):
        """Shows the linked records that the user may see; the service keeps the others."""
        links = link.objects.filter(event=self.instance.pk, **{f"{column}__in": self.fields[name].queryset})
        self.initial[name] = list(links.values_list(column, flat=True)) if self.instance.pk else []

    def clean(self):
        super().clean()
        if "time_zone" in self.cleaned_data:
            self.read_times(parse_zone(self.cleaned_data["time_zone"]), "start", "end")
        # An hour that summer time doubles reads as its first turn: what was not touched is not judged by that.
        if not self.instance.pk or not set(GIVEN).isdisjoint(self.changed_data):
            self._check_order()
        return self.cleaned_data

    def _check_order(self):
        start, end = self.cleaned_data.get("start"), self.cleaned_data.get("end")
        if not start or not end:
            return
        if self.cleaned_data.get("all_day"):
            start, end = start.date(), end.date()
        if end < start:
            self.add_error("end", _("An event does not end before it starts."))

    def settle(self, fields):
        set_event(self.instance, fields, self.user)


class TicketForm(MergingForm):
    """A ticket, whose times are on the clock of its event."""

    available_from = WallTimeField(label=gettext_lazy("Available from"), required=False)
    available_until = WallTimeField(label=gettext_lazy("Available until"), required=False)

    def __init__(self, *args, event, **kwargs):
        self.event = event
        super().__init__(*args, **kwargs)

    def prepare(self):
        for name in ("available_from", "available_until"):
            moment = getattr(self.instance, name)
            self.initial[name] = moment and wall_time(wire(moment.astimezone(zone_of(self.event).tz)))

    def clean(self):
        super().clean()
        for name in ("available_from", "available_until"):
            self.cleaned_data[name] = self.cleaned_data.get(name) or None
        self.read_times(zone_of(self.event), "available_from", "available_until")
        first, last = self.cleaned_data.get("available_from"), self.cleaned_data.get("available_until")
        if first and last and last < first:
            self.add_error("available_until", _("A sale does not end before it starts."))
        return self.cleaned_data

    def clean_currency(self):
        return self.cleaned_data["currency"].upper()

    def _post_clean(self):
        self.refuse_clashes()
        if "id" in self.errors:
            self.add_error(None, _("Somebody else has taken this ticket away in the meantime. Mark it to be deleted."))
        for name in self.cleaned_data.keys() - set(self.changed_data):
            if self.fields[name].show_hidden_initial:
                del self.cleaned_data[name]
        super()._post_clean()


class TicketFormSet(forms.BaseInlineFormSet):
    def get_form_kwargs(self, index):
        return {**super().get_form_kwargs(index), "event": self.instance}


class TicketInline(admin.StackedInline):
    """Whoever may change an event may change its tickets."""

    model = Ticket
    form = TicketForm
    formset = TicketFormSet
    extra = 0
    readonly_fields = ("availability",)
    fields = (
        ("name", "price", "currency"),
        ("available_from", "available_until"),
        "url",
        ("position", "sold_out"),
    )

    def has_view_permission(self, request, obj=None):
        return True

    has_add_permission = has_change_permission = has_delete_permission = has_view_permission

    def get_queryset(self, request):
        return super().get_queryset(request).select_related("event")

    def get_fields(self, request, obj=None):
        if obj is None or rules.can_edit(request.user, obj):
            return super().get_fields(request, obj)
        return ("name", "price", "currency", "availability", "url", "sold_out")

    @admin.display(description=gettext_lazy("available"))
    def availability(self, ticket):
        bounds = (ticket.available_from, ticket.available_until)
        tz = zone_of(ticket.event).tz
        if not any(bounds):
            return ""
        return " – ".join(date_format(bound.astimezone(tz), f"{DAY}, {CLOCK}") if bound else "…" for bound in bounds)


# --- Events -----------------------------------------------------------------------------------


# What only controls how something else is filled in, and what nobody is told who may not change it.
NEVER_LOOKED_AT = ("end", "all_day", "time_zone", "password")
SHOWN_WITHOUT_PASSWORD = ("title", "slug", "when", "status_now", "published", "author_name", "created", "modified")


@admin.register(Event)
class EventAdmin(ContentAdmin):
    form = EventForm
    inlines = (TicketInline,)
    page = "event-page"
    list_display = ("title", "when", "venue_names", "status_now", "author_name", "modified")
    list_filter = (
        StatusFilter,
        TimeFilter,
        StartFilter,
        CategoryFilter,
        TagFilter,
        VenueFilter,
        OrganizerFilter,
        FeaturedFilter,
        AuthorFilter,
    )
    search_help_text = gettext_lazy("Words of the title, the description or the excerpt.")
    autocomplete_fields = ("categories", "tags", "parent")
    choice_ordering = ("-start_local", "-pk")
    to_look_at = {
        **ContentAdmin.to_look_at,
        "start": "when",
        "ordered_venues": "venue_names",
        "ordered_organizers": "organizer_names",
    }
    fieldsets = (
        (None, {"fields": ("title", "slug")}),
        (gettext_lazy("When"), {"fields": (("start", "end"), "all_day", "time_zone")}),
        (gettext_lazy("What"), {"fields": ("description", "excerpt")}),
        (gettext_lazy("Where and who"), {"fields": ("ordered_venues", "ordered_organizers")}),
        (gettext_lazy("Found under"), {"fields": ("categories", "tags", "parent")}),
        (gettext_lazy("Cost and website"), {"fields": ("cost", "website")}),
        (
            gettext_lazy("In lists and on its page"),
            {"fields": ("featured", "sticky", "hide_from_listings", "show_map", "show_map_link")},
        ),
        (gettext_lazy("Password"), {"fields": ("password",)}),
        PUBLICATION,
    )

    def write(self, event, fields, user):
        save_event(event, fields, user)

    def trash(self, event):
        trash_event(event)

    def search(self, events, query, user):
        return events.having_words_for(query, user)

    def delete_for_good(self, events):
        delete_events(events.filter(status=Status.TRASH))

    @property
    def media(self):
        # The filters by linked records need what forms have anyway.
        return super().media + AutocompleteSelect(Event._meta.get_field("venues"), self.admin_site).media

    # --- List

    def get_queryset(self, request):
        events = super().get_queryset(request)
        if self.is_choosing(request):
            return events
        events = events.telling_what_shows(request.user)
        events = events.prefetch_related(_seen_links(EventVenue, "venue", request.user))
        if self.is_listing(request):
            return events.defer("description", "excerpt", "search_text")
        return events.prefetch_related(_seen_links(EventOrganizer, "organizer", request.user))

    def get_ordering(self, request):
        """The newest first; what is coming from the next on, what is past from the last on."""
        orders = {"coming": ("start_local", "pk"), "past": ("-start_local", "-pk")}
        return orders.get(request.GET.get(TimeFilter.parameter_name), self.ordering)

    @admin.display(description=gettext_lazy("when"), ordering="start_local")
    def when(self, event):
        return time_span(event, is_all_day=event.all_day and event.shows_fields)

    @admin.display(description=gettext_lazy("venues"))
    def venue_names(self, event):
        return ", ".join(link.venue.title for link in event.seen_venues) if event.shows_fields else ""

    @admin.display(description=gettext_lazy("organizers"))
    def organizer_names(self, event):
        return ", ".join(link.organizer.title for link in event.seen_organizers)

    # --- Form

    def get_form(self, request, obj=None, change=False, **kwargs):
        form = super().get_form(request, obj, change, **kwargs)
        help_text = _("In this order. To move one to the end, take it out and choose it again.")
        for name in ("venues", "organizers"):
            form.base_fields[f"ordered_{name}"] = ordered_choice(self, request, name, help_text=help_text)
        return form

    def fields_to_look_at(self, request, obj, names):
        shown = [name for name in super().fields_to_look_at(request, obj, names) if name not in NEVER_LOOKED_AT]
        if obj.password:
            return [name for name in shown if name in SHOWN_WITHOUT_PASSWORD]
        if obj.parent_id and not Event.objects.visible_to(request.user).filter(pk=obj.parent_id).exists():
            return [name for name in shown if name != "parent"]
        return shown

    def get_inline_instances(self, request, obj=None):
        is_hidden = obj is not None and obj.password and not self.has_change_permission(request, obj)
        return [] if is_hidden else super().get_inline_instances(request, obj)

    def formfield_for_foreignkey(self, db_field, request, **kwargs):
        if db_field.name == "parent":
            kwargs["queryset"] = Event.objects.visible_to(request.user)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)


def _seen_links(link, column, user):
    """The links to records that the user may see, as `seen_venues` or `seen_organizers` of the event."""
    model = link._meta.get_field(column).related_model
    links = link.objects.filter(visible_q(user, model, f"{column}__")).select_related(column)
    return Prefetch(f"event{column}_set", links, f"seen_{column}s")


def time_span(event, *, is_all_day):
    """When an event happens, on its own clock; the zone is named where it is not the site's."""
    start, end = datetime.fromisoformat(event.start_local), datetime.fromisoformat(event.end_local)
    first, last = date_format(start, DAY), date_format(end, DAY)
    if is_all_day:
        text = _("%(days)s, all day") % {"days": first if first == last else f"{first} – {last}"}
    else:
        closing = date_format(end, CLOCK) if first == last else f"{last}, {date_format(end, CLOCK)}"
        text = f"{first}, {date_format(start, CLOCK)}" + (f" – {closing}" if end != start else "")
    return text if event.time_zone == site_zone().name else f"{text} ({event.time_zone})"
