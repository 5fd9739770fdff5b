"""ModelAdmin of events."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.contrib import admin
from django.contrib.admin.options import IS_POPUP_VAR
from django.contrib.admin.views.main import ORDER_VAR
from django.contrib.admin.widgets import AutocompleteSelect
from django.db.models import Field
from django.forms import Media
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.accounts.types import get_user
from calendar_site.back_office.base.pages import AdminPage
from calendar_site.back_office.base.service_admin import clean_search
from calendar_site.back_office.content.content_admin import ContentModelAdmin
from calendar_site.back_office.content.fieldsets import ASIDE, COMPACT, MORE, WITH_INLINES, field_name, filter_fields
from calendar_site.back_office.drafts.form_state import delete_own_drafts
from calendar_site.back_office.forms.record_fields import ordered_records_field
from calendar_site.back_office.lists.changelist import BoundedPaginator
from calendar_site.back_office.lists.columns import accessibility, author_name, created, modified, status_now
from calendar_site.back_office.lists.filters import AuthorFilter, StatusFilter
from calendar_site.back_office.lists.row_menu import DUPLICATE, SERIES, row_menu
from calendar_site.back_office.record_admin import RestorePolicy
from calendar_site.back_office.review.display import ReviewDisplay
from calendar_site.back_office.urls import is_autocomplete, is_changelist
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.core.types import AnyUser
from events.admin import actions
from events.admin.actions import duplicate_context
from events.admin.bulk_change import change_selected, duplicate_repeatedly
from events.admin.calendar.moves import move_view
from events.admin.calendar.new_event import new_event_view
from events.admin.calendar.pages import CalendarChangeList, calendar_of_list, calendar_view, is_calendar
from events.admin.calendar.summary import summary_view
from events.admin.cancellation import cancel, cancel_view, cancellation_context, undo_cancel, undo_cancel_view
from events.admin.category_input import CategoryTree, category_field_options
from events.admin.changelist import ComingFirstPaginator, EventChangeList, coming_first, find_events
from events.admin.columns import (
    category_names,
    flags,
    online_url_now,
    organizer_names,
    preview,
    preview_url,
    summarize_event,
    thumbnail,
    times,
    venue_names,
    when,
)
from events.admin.embed_page import embed_view
from events.admin.filters import (
    AttendanceModeFilter,
    CategoryFilter,
    EventAccessibilityFilter,
    EventMissingValueFilter,
    EventStatusFilter,
    FeaturedFilter,
    OrganizerFilter,
    PublishedCategoryFilter,
    PublishedTagFilter,
    SeriesFilter,
    TagFilter,
    TicketedFilter,
    VenueFilter,
)
from events.admin.flag_switches import flag_view
from events.admin.forms import EventForm, entered_zone
from events.admin.live_hints import cost_hint_view, times_hint_view
from events.admin.prefetches import visible_links
from events.admin.quick_edit import EventQuickEditForm
from events.admin.series.event_actions import detach_event_view, series_context, series_view, trash_event_view
from events.admin.series.preview import preview_view
from events.admin.series.repeating import (
    can_repeat,
    continue_as_series,
    create_series,
    created_series_response,
    report_change,
    report_created,
)
from events.admin.series.review_group import review_group
from events.admin.series.scope import THIS, change_series
from events.admin.tag_input import tag_field_options
from events.admin.tickets import TicketInline, usual_currency
from events.admin.time_filters import DaysFilter, StartFilter, TimeFilter
from events.admin.venue_zones import venue_zone_view
from events.admin.warnings import event_warnings, warn_of_series
from events.admin.written_times import written_times_view
from events.models import Event, EventOrganizer, EventVenue
from events.restore import plan_event_restore
from events.schedule import zone_of
from events.services import event_services

# Users who may not change an event do not see these: some only control how to fill in others.
HIDDEN_VIEW_ONLY = ("preview", "end", "all_day", "time_zone", "password", "previous_start", "hide_online_url")
SHOWN_WITHOUT_PASSWORD = (
    "title", "slug", "when", "status_now", "published", "author_name", "public_page", "created", "modified"
)  # fmt: skip
# What only users decide who may publish.
OF_PUBLISHERS = ("featured", "sticky", "hide_from_listings", "password")
LIST_SCRIPTS = ("back_office/flag_switches.js",)
LIST_STYLES = ("back_office/calendar.css",)


@admin.register(Event)
class EventAdmin(ContentModelAdmin):
    services = event_services
    restore_policy = RestorePolicy(plan=plan_event_restore)
    review_display = ReviewDisplay(summarize=summarize_event, preview_url=preview_url, group=review_group)
    public_page_name = "event-page"
    is_most_added = True
    pages = (
        *(page for page in ContentModelAdmin.pages if page.name != "trash"),
        AdminPage("<path:object_id>/trash/", "trash", trash_event_view),
        AdminPage("<path:object_id>/detach/", "detach", detach_event_view),
        AdminPage("<path:object_id>/series/", "series", series_view),
        AdminPage("calendar/", "calendar", calendar_view),
        AdminPage("new/", "new", new_event_view),
        AdminPage("embed/", "embed", embed_view),
        AdminPage("<path:object_id>/move/", "move", move_view),
        AdminPage("<path:object_id>/summary/", "summary", summary_view),
        AdminPage("<path:object_id>/duplicate/", "duplicate", actions.duplicate_view),
        AdminPage("<path:object_id>/flag/<str:name>/", "flag", flag_view),
        AdminPage("<path:object_id>/cancel/", "cancel", cancel_view),
        AdminPage("<path:object_id>/undo-cancel/", "undo_cancel", undo_cancel_view),
        AdminPage("series/preview/", "series_preview", preview_view),
        AdminPage("hints/times/", "times_hint", times_hint_view),
        AdminPage("hints/cost/", "cost_hint", cost_hint_view),
        AdminPage("hints/written-times/", "written_times", written_times_view),
        AdminPage("venue-zone/", "venue_zone", venue_zone_view),
    )
    actions = (
        *ContentModelAdmin.actions,
        actions.feature,
        actions.feature_no_longer,
        actions.hide,
        actions.show,
        actions.move_to_venue,
        change_selected,
        actions.duplicate,
        duplicate_repeatedly,
        cancel,
        undo_cancel,
        actions.revoke_previews,
        actions.export,
    )
    form_context = (*ContentModelAdmin.form_context, duplicate_context, cancellation_context, series_context)
    change_form_template = "admin/events/event/change_form.html"
    excluded_from_drafts = ("password",)
    form = EventForm
    inlines = (TicketInline,)
    list_display = (
        thumbnail, "title", times, venue_names, category_names, status_now, flags, author_name, modified,
        row_menu,
    )  # fmt: skip
    list_display_links = ("title",)
    # Columns with an index: a hundred thousand events are not sorted to show fifty of them.
    sortable_by = ("title", times, modified)
    list_before_template = "admin/events/event/periods.html"
    quick_edit_fields = ("title", "start", "end", "status", "venues")
    quick_edit_form = EventQuickEditForm
    list_filter = (
        StatusFilter,
        TimeFilter,
        StartFilter,
        DaysFilter,
        CategoryFilter,
        TagFilter,
        VenueFilter,
        OrganizerFilter,
        PublishedCategoryFilter,
        PublishedTagFilter,
        SeriesFilter,
        EventStatusFilter,
        AttendanceModeFilter,
        EventAccessibilityFilter,
        FeaturedFilter,
        TicketedFilter,
        EventMissingValueFilter,
        AuthorFilter,
    )
    search_help_text = gettext_lazy("Title, text, venue, organizer")
    autocomplete_fields = ("categories", "tags", "parent")
    autocomplete_ordering = ("-start_local", "-pk")
    readonly_fields = (*ContentModelAdmin.readonly_fields, preview)
    view_only = {
        **ContentModelAdmin.view_only,
        **dict.fromkeys(HIDDEN_VIEW_ONLY),
        "start": when,
        "online_url": online_url_now,
        "accessibility": accessibility,
        "ordered_venues": venue_names,
        "ordered_organizers": organizer_names,
    }
    # All sections of the form. Those without "aside" are in the wide column, in this order: the fields that every event
    # needs come first.
    fieldsets = (
        (
            gettext_lazy("Essentials"),
            {
                "classes": (COMPACT,),
                "fields": ("title", ("start", "end"), "all_day", "time_zone", "ordered_venues", "recurrence"),
            },
        ),
        (gettext_lazy("Description"), {"fields": ("description", "excerpt", "image")}),
        (gettext_lazy("Categories and tags"), {"classes": (COMPACT,), "fields": (("categories", "tags"),)}),
        (gettext_lazy("Organizers"), {"classes": (COMPACT,), "fields": ("ordered_organizers",)}),
        (
            gettext_lazy("Status and attendance"),
            {
                "classes": (MORE,),
                "fields": (
                    ("event_status", "previous_start"),
                    "event_status_reason",
                    "attendance_mode",
                    ("online_url", "hide_online_url"),
                    ("sold_out", "accessibility"),
                )
            },
        ),
        (gettext_lazy("Cost and tickets"), {"classes": (MORE, WITH_INLINES), "fields": (("cost", "website"),)}),
        (
            gettext_lazy("Publishing"),
            {
                "classes": (ASIDE,),
                "fields": (
                    "status", status_now, "published_at", "author", author_name, "slug", "password", preview,
                    "public_page", "parent", created, modified,
                ),
            },
        ),
        (
            gettext_lazy("Display"),
            {
                "classes": (ASIDE,),
                "fields": ("featured", "sticky", "hide_from_listings", "show_map", "show_map_link"),
            },
        ),
    )  # fmt: skip

    @property
    def media(self) -> Media:
        # The filters by related records need the scripts that forms have anyway.
        select = AutocompleteSelect(Event._meta.get_field("venues"), self.admin_site)
        return super().media + select.media + Media(js=LIST_SCRIPTS, css={"all": LIST_STYLES})

    # --- List

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        return calendar_of_list(request) or super().changelist_view(request, extra_context)

    def get_queryset(self, request: HttpRequest) -> Any:
        events = super().get_queryset(request)
        if is_autocomplete(request):
            return events
        events = events.with_field_visibility(request.user)
        events = events.prefetch_related(visible_links(EventVenue, "venue", request.user))
        if is_changelist(request, Event) or is_calendar(request):
            return events.defer("description", "excerpt", "search_text")
        return events.prefetch_related(visible_links(EventOrganizer, "organizer", request.user))

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> Any:
        return CalendarChangeList if is_calendar(request) else EventChangeList

    def get_list_filter(self, request: HttpRequest) -> Any:
        filters: Any = super().get_list_filter(request)
        # The calendar has its own navigation through time.
        by_time = (TimeFilter, StartFilter, DaysFilter) if is_calendar(request) else ()
        return [spec for spec in filters if spec not in by_time]

    def get_ordering(self, request: HttpRequest) -> Any:
        """Return coming events first, from the next one on; then past ones, from the last one on."""
        orders = {"coming": ("start_local", "pk"), "past": ("-start_local", "-pk")}
        if is_changelist(request, Event):
            return orders.get(request.GET.get(TimeFilter.parameter_name, ""), coming_first())
        return self.ordering

    def get_menu_entries(self, request: HttpRequest, row: Any) -> list[str]:
        entries = super().get_menu_entries(request, row)
        is_copied = self.can_quick_edit(request, row) and self.has_add_permission(request)
        in_series = row.series_id is not None and self.has_change_permission(request, row)
        return [*entries, *([DUPLICATE] if is_copied else []), *([SERIES] if in_series else [])]

    def get_paginator(self, request: HttpRequest, queryset: Any, *args: Any, **kwargs: Any) -> Any:
        is_sorted = ORDER_VAR in request.GET or TimeFilter.parameter_name in request.GET
        paginator = BoundedPaginator if is_sorted or not is_changelist(request, Event) else ComingFirstPaginator
        return paginator(queryset, *args, **kwargs)

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        text = clean_search(search_term)
        if is_autocomplete(request):
            return queryset.matching_for(text, request.user), False
        return find_events(queryset, text, request.user), False

    # --- Form

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: str | None = None) -> HttpResponse:
        if obj.pk is None and obj.series is not None:
            return created_series_response(self, request, obj.series)
        response: HttpResponse = super().response_add(request, obj, post_url_continue)
        return response

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        event, recurrence = form.instance, form.recurrence_value
        if recurrence is not None and not change:
            tickets = {formset.relation: formset.changes for formset in formsets if formset.has_changed()}
            event.series = create_series({**form.changes, **tickets}, recurrence, request.user)
            delete_own_drafts(request)
            warn_of_series(request, event.series)
            return
        super().save_related(request, form, formsets, change)
        if recurrence is not None:
            request.has_changed_series = True  # type: ignore[attr-defined]
            series = continue_as_series(event, recurrence, request.user)
            report_created(request, series)
            warn_of_series(request, series)
            return
        if form.scope != THIS:
            related = {formset.relation: formset.changes for formset in formsets if formset.has_changed()}
            changed = change_series(event, {**form.changes, **related}, form.scope, request.user)
            if changed is not None:
                # The message about the series replaces that about the event, and has a button that undoes all of it.
                request.has_changed_series = request.is_reported = True  # type: ignore[attr-defined]
                report_change(self, request, changed, event)
        self.show_warnings(request, event, form.changes)

    def get_warnings(self, row: Event, changed: Collection[str], user: AnyUser) -> list[str]:
        return event_warnings(row, changed, user)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        fieldsets = super().get_fieldsets(request, obj)
        hidden: set[Any] = set() if permissions.can_publish(request.user, Event) else set(OF_PUBLISHERS)
        # A published event needs no preview, and one in the trash has no page.
        if obj is None or obj.is_published or obj.status == Status.TRASH:
            hidden.add("preview")
        if IS_POPUP_VAR in request.GET or not can_repeat(request.user, obj or Event()):
            hidden.add("recurrence")
        if obj is not None and not self.has_change_permission(request, obj):
            if obj.password:
                return filter_fields(fieldsets, lambda spec: field_name(spec) in SHOWN_WITHOUT_PASSWORD)
            if obj.parent_id and not Event.objects.visible_to(request.user).filter(pk=obj.parent_id).exists():
                hidden.add("parent")
        return filter_fields(fieldsets, lambda spec: isinstance(spec, tuple) or field_name(spec) not in hidden)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change, **kwargs)
        help_text = _("Shown in this order. To move an entry to the end, remove it and add it again.")
        for name in ("venues", "organizers"):
            form.base_fields[f"ordered_{name}"] = ordered_records_field(self, request, name, help_text=help_text)
        return form

    def get_inline_instances(self, request: HttpRequest, obj: Any = None) -> Any:
        is_hidden = obj is not None and obj.password and not self.has_change_permission(request, obj)
        return [] if is_hidden else super().get_inline_instances(request, obj)

    def get_formset_kwargs(self, request: HttpRequest, obj: Any, inline: Any, prefix: str) -> dict[str, Any]:
        kwargs: dict[str, Any] = super().get_formset_kwargs(request, obj, inline, prefix)
        saved_zone = zone_of(obj)
        zones = {"saved_zone": saved_zone, "zone": entered_zone(request) or saved_zone}
        return {**kwargs, "form_kwargs": {**zones, "currency": usual_currency(get_user(request))}}

    def formfield_for_manytomany(self, db_field: Field, request: HttpRequest, **kwargs: Any) -> Any:
        options = {"categories": category_field_options, "tags": tag_field_options}
        if db_field.name in options:
            kwargs = {**options[db_field.name](db_field, self.admin_site, request), **kwargs}
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def formfield_for_dbfield(self, db_field: Field, request: HttpRequest, **kwargs: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if db_field.name == "categories" and isinstance(field.widget.widget, CategoryTree):
            # The tree has its own link for adding a category, which the keyboard reaches as well.
            field.widget = field.widget.widget
        return field

    def formfield_for_foreignkey(self, db_field: Field, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "parent":
            kwargs["queryset"] = Event.objects.visible_to(request.user)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)
