"""ModelAdmin of series."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy, ngettext

from calendar_site.back_office.base.pages import AdminPage
from calendar_site.back_office.base.service_admin import ServiceModelAdmin, clean_search
from calendar_site.back_office.lists.columns import author_name
from calendar_site.back_office.lists.filters import AuthorFilter
from calendar_site.back_office.record_admin import RestorePolicy
from calendar_site.back_office.urls import admin_url, is_autocomplete, is_changelist
from calendar_site.core import clock, permissions
from calendar_site.core.choices import Status
from calendar_site.core.dates.formatting import format_short_day, format_short_day_and_time
from events.admin.series.actions import detach_view, end_view, split_view
from events.admin.series.occurrences import occurrence_page
from events.admin.series.series_form import SeriesForm
from events.admin.series.undo import report_background, undo_view
from events.models import Event, Series
from events.recurrence.schedules import Schedule
from events.recurrence.sentences import describe_schedule
from events.series.restore import plan_series_restore
from events.series.services import can_edit_series, series_services


@admin.display(description=gettext_lazy("repeats"))
def sentence(series: Any) -> str:
    return describe_schedule(Schedule.of(series))


@admin.display(description=gettext_lazy("next event"))
def next_event(series: Any) -> str:
    """Return the date of the next event that has not ended; "" if there is none."""
    if series.next_start is None:
        return ""
    local = series.next_start.astimezone(Schedule.of(series).zone.tz)
    return format_short_day(local) if series.all_day else format_short_day_and_time(local)


@admin.display(description=gettext_lazy("number of events"))
def number_of_events(series: Any) -> SafeString | int:
    if not series.number:
        return 0
    return format_html('<a href="{}">{}</a>', _events_url(series), series.number)


@admin.display(description=gettext_lazy("status"), ordering="status")
def series_status(series: Any) -> SafeString:
    status = Status(series.status)
    kind = Status.PUBLISH if permissions.is_published(series) else status
    return format_html('<span class="status is-{}">{}</span>', kind, status.label)


@admin.display(description=gettext_lazy("first event"))
def first_event(series: Any) -> str:
    schedule = Schedule.of(series)
    return format_short_day(schedule.start) if series.all_day else format_short_day_and_time(schedule.start)


def _events_url(series: Series) -> str:
    return f"{admin_url(Event, 'changelist')}?series={series.pk}"


def occurrences_context(model_admin: SeriesAdmin, request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Return the events of the series, and the actions that the user may run."""
    series = context["original"]
    if series is None:
        return {}
    page, rows = occurrence_page(series, request)
    can_change = model_admin.has_change_permission(request, series)
    return {
        "occurrences": rows,
        "occurrence_page": page,
        "sentence": sentence(series),
        "events_url": _events_url(series),
        "can_change_series": can_change,
        "can_end": can_change and bool(series.rrule),
        "can_detach": can_change and permissions.can_delete(request.user, series),
    }


@admin.register(Series)
class SeriesAdmin(ServiceModelAdmin):
    services = series_services
    form = SeriesForm
    # Its own messages do.
    can_undo_saves = False
    # The history of a deleted series does not bring it back: its events are single ones.
    restore_policy = RestorePolicy(plan=plan_series_restore, includes_deleted=False)
    pages = (
        *ServiceModelAdmin.pages,
        AdminPage("<path:object_id>/end/", "end", end_view),
        AdminPage("<path:object_id>/split/", "split", split_view),
        AdminPage("<path:object_id>/detach/", "detach", detach_view),
        AdminPage("undo/", "undo", undo_view),
    )
    form_context = (*ServiceModelAdmin.form_context, occurrences_context)
    change_form_template = "admin/events/series/change_form.html"
    list_display = ("title", sentence, next_event, number_of_events, series_status, author_name)
    list_display_links = ("title",)
    list_select_related = ("author",)
    list_filter = (AuthorFilter,)
    sortable_by = ("title",)
    ordering = ("-pk",)
    search_fields = ("title",)
    search_help_text = gettext_lazy("Title")
    actions = None
    readonly_fields = (sentence, first_event, series_status, author_name)
    compressed_fields = False
    fieldsets = (
        (None, {"fields": ("title", ("start", "end"), "all_day", "time_zone", "recurrence")}),
    )  # fmt: skip

    # --- Permissions: those of events, see `Series.permissions_of`

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: series begin in the form of an event."""
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return permissions.has_model_permission(request.user, "view", Series)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        if not permissions.has_model_permission(request.user, "change", Series):
            return False
        return obj is None or can_edit_series(request.user, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: deleting a series leaves its events, which `detach_view` explains."""
        return False

    # --- List

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        rows: Any = super().get_queryset(request).visible_to(request.user)
        if is_autocomplete(request):
            return rows.order_by("title", "pk")
        if not is_changelist(request, Series):
            return rows
        visible = Event.objects.visible_to(request.user).with_fields_visible_to(request.user)
        events = visible.filter(series=OuterRef("pk")).order_by()
        coming = events.ending_after(clock.now()).order_by("start_local", "pk")
        count = events.values("series").annotate(number=Count("pk")).values("number")
        return rows.annotate(next_start=Subquery(coming.values("start")[:1]), number=Coalesce(Subquery(count), 0))

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        found = Q()
        for word in clean_search(search_term).split():
            found &= Q(title__icontains=word)
        return queryset.filter(found), False

    # --- Form

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        if obj is not None and not self.has_change_permission(request, obj):
            return ((None, {"fields": ("title", sentence, first_event, series_status, author_name)}),)
        return super().get_fieldsets(request, obj)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        count = Event.objects.filter(series=form.instance).not_trashed().count()
        text = ngettext("The series has %(count)d event now.", "The series has %(count)d events now.", count)
        messages.info(request, text % {"count": count})
        report_background(request, form.instance)
