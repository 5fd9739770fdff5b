"""Events in the admin: what is shown of them to whom, and what may be done."""

from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelect
from django.forms import Media
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from calendar_site.content.admin.content import ASIDE, WITH_INLINES, ContentAdmin
from calendar_site.content.admin.fields import ordered_choice
from calendar_site.content.admin.filters import AuthorFilter, StatusFilter
from calendar_site.content.choices import Status
from events.access import PREVIEW_LASTS, preview_token
from events.admin.actions import EventActions
from events.admin.calendar import CalendarViews
from events.admin.categories import CategoryTree, category_control
from events.admin.filters import (
    CategoryFilter,
    EventLacksFilter,
    FeaturedFilter,
    OrganizerFilter,
    TagFilter,
    TicketedFilter,
    VenueFilter,
)
from events.admin.flags import FlagViews, signs, switches
from events.admin.forms import EventForm
from events.admin.listing import EventList
from events.admin.seen import hue_of, seen_links
from events.admin.tags import tag_control
from events.admin.tickets import TicketInline
from events.admin.time_filters import DaysFilter, StartFilter, TimeFilter
from events.admin.times import time_span
from events.admin.while_filled_in import FormViews
from events.bringing_back import earlier_event
from events.links import links_of
from events.models import Event, EventOrganizer, EventVenue
from events.services import delete_events, recording_links, save_event, set_event, trash_event

# What only controls how something else is filled in, and what nobody is told who may not change it.
NEVER_LOOKED_AT = ("preview", "end", "all_day", "time_zone", "password")
SHOWN_WITHOUT_PASSWORD = (
    "title", "slug", "when", "status_now", "published", "author_name", "public_page", "created", "modified"
)  # fmt: skip
LIST_SCRIPTS = ("back_office/lists.js",)
LIST_STYLES = ("back_office/calendar.css", "back_office/lists.css")


@admin.register(Event)
class EventAdmin(FormViews, CalendarViews, FlagViews, EventActions, ContentAdmin):
    form = EventForm
    inlines = (TicketInline,)
    page = "event-page"
    list_display = (
        "thumbnail", "title", "when", "venue_names", "category_names", "status_now", "flags", "author_name", "modified"
    )  # fmt: skip
    list_display_links = ("title",)
    # What has an index: a hundred thousand events are not sorted for fifty of them.
    sortable_by = ("title", "when", "modified")
    list_before_template = "admin/events/event/periods.html"
    list_after_template = "admin/events/event/said.html"
    list_filter = (
        StatusFilter,
        TimeFilter,
        StartFilter,
        DaysFilter,
        CategoryFilter,
        TagFilter,
        VenueFilter,
        OrganizerFilter,
        FeaturedFilter,
        TicketedFilter,
        EventLacksFilter,
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
        (
            gettext_lazy("What"),
            {"fields": ("title", "slug", "description", "excerpt", "image", "categories", "tags")},
        ),
        (gettext_lazy("When"), {"fields": ("all_day", ("start", "end"), "time_zone")}),
        (gettext_lazy("Where"), {"fields": ("ordered_venues",)}),
        (gettext_lazy("Who"), {"fields": ("ordered_organizers",)}),
        (gettext_lazy("How much"), {"classes": (WITH_INLINES,), "fields": ("cost", "website")}),
        (
            gettext_lazy("How it is shown"),
            {
                "classes": (ASIDE,),
                "fields": ("featured", "sticky", "hide_from_listings", "show_map", "show_map_link"),
            },
        ),
        (
            gettext_lazy("Publishing"),
            {
                "classes": (ASIDE,),
                "fields": (
                    "status", "published_at", "author", "author_name", "password", "preview", "public_page", "parent",
                    "created", "modified",
                ),
            },
        ),
    )  # fmt: skip

    def write(self, event, fields, user):
        save_event(event, fields, user)

    def trash(self, event, user):
        trash_event(event, user)

    def search(self, events, query, user):
        return events.having_words_for(query, user)

    def earlier(self, state, event, user):
        return earlier_event(state, event, user)

    def set_fields(self, event, fields, user):
        set_event(event, fields, user)

    def besides_of(self, event):
        return links_of([event])[event.pk]

    def delete_for_good(self, events, user):
        delete_events(events.filter(status=Status.TRASH), user)

    @property
    def media(self):
        # The filters by linked records need what forms have anyway.
        choosing = AutocompleteSelect(Event._meta.get_field("venues"), self.admin_site).media
        return super().media + choosing + Media(js=LIST_SCRIPTS, css={"all": LIST_STYLES})

    # --- Review

    def besides_of_many(self, events):
        return links_of(events)

    def told_in_queue(self, event):
        return " · ".join(filter(None, [self.when(event), self.venue_names(event)]))

    def preview_address(self, event):
        return reverse("event-preview", args=[preview_token(event)])

    # --- List

    def get_queryset(self, request):
        events = super().get_queryset(request)
        if self.is_choosing(request):
            return events
        events = events.telling_what_shows(request.user)
        events = events.prefetch_related(seen_links(EventVenue, "venue", request.user))
        if self.is_listing(request):
            return events.defer("description", "excerpt", "search_text")
        return events.prefetch_related(seen_links(EventOrganizer, "organizer", request.user))

    def get_changelist(self, request, **kwargs):
        return super().get_changelist(request, **kwargs) if self.is_calendar(request) else EventList

    def get_ordering(self, request):
        """The newest first; what is coming from the next on, what is past from the last on."""
        orders = {"coming": ("start_local", "pk"), "past": ("-start_local", "-pk")}
        return orders.get(request.GET.get(TimeFilter.parameter_name), self.ordering)

    @admin.display(description=gettext_lazy("when"), ordering="start_local")
    def when(self, event):
        return time_span(event, is_all_day=event.all_day and event.shows_fields)

    @admin.display(description=gettext_lazy("image"))
    def thumbnail(self, event):
        return super().thumbnail(event) if event.shows_fields else ""

    @admin.display(description=gettext_lazy("venues"))
    def venue_names(self, event):
        return ", ".join(link.venue.title for link in event.seen_venues) if event.shows_fields else ""

    @admin.display(description=gettext_lazy("categories"))
    def category_names(self, event):
        categories = event.categories.all() if event.shows_fields else ()
        chips = ((hue_of(category), category.name) for category in categories)
        return format_html_join(" ", '<span class="term hue-{}">{}</span>', chips)

    @admin.display(description=gettext_lazy("in lists"))
    def flags(self, event):
        if not event.shows_fields:
            return ""
        return switches(event, event.back_to_list) if event.may_set_flags else signs(event)

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

    def get_readonly_fields(self, request, obj=None):
        return (*super().get_readonly_fields(request, obj), "preview")

    def fields_left_out(self, request, obj):
        left_out = super().fields_left_out(request, obj)
        # What is published needs no preview, and the trash has no pages.
        is_needless = obj is None or obj.is_published or obj.status == Status.TRASH
        return left_out | {"preview"} if is_needless else left_out

    @admin.display(description=gettext_lazy("preview"))
    def preview(self, event):
        days = PREVIEW_LASTS.days
        text = ngettext(
            "Whoever has this link sees the event as its page will be, for %(days)d day from now.",
            "Whoever has this link sees the event as its page will be, for %(days)d days from now.",
            days,
        )
        return format_html(
            '<a href="{}" target="_blank" rel="noopener">{}</a><br>{}',
            self.preview_address(event),
            _("Open the preview"),
            text % {"days": days},
        )

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

    def save_formset(self, request, form, formset, change):
        # Tickets are saved after their event: what became of them is a part of the same change.
        with recording_links(form.instance, request.user):
            super().save_formset(request, form, formset, change)

    def formfield_for_manytomany(self, db_field, request, **kwargs):
        controls = {"categories": category_control, "tags": tag_control}
        if db_field.name in controls:
            kwargs = {**controls[db_field.name](db_field, self.admin_site, request), **kwargs}
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def formfield_for_dbfield(self, db_field, request, **kwargs):
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if db_field.name == "categories" and isinstance(field.widget.widget, CategoryTree):
            # It has its own way to new ones, which the keyboard knows as well.
            field.widget = field.widget.widget
        return field

    def formfield_for_foreignkey(self, db_field, request, **kwargs):
        if db_field.name == "parent":
            kwargs["queryset"] = Event.objects.visible_to(request.user)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)
