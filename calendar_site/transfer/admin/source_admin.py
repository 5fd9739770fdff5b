"""ModelAdmin of sources."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path
from django.utils.html import format_html_join
from django.utils.translation import gettext_lazy
from unfold.admin import ModelAdmin, TabularInline

from calendar_site.back_office.lists.changelist import BoundedPaginator
from calendar_site.core.dates.formatting import format_in_sentence
from calendar_site.transfer.admin.columns_page import columns_view
from calendar_site.transfer.admin.event_from_link import event_from_link_view
from calendar_site.transfer.admin.forms import SourceForm
from calendar_site.transfer.admin.pairs_page import pairs_view
from calendar_site.transfer.admin.run_page import ids_view, run_url, run_view
from calendar_site.transfer.models import EventPair, ImportRun, PairState, Place, Source
from calendar_site.transfer.sources import queue_run, save_source, warnings_about

MAX_RUNS = 20
# The path, the end of the URL's name, and the view of each further page.
PAGES: tuple[tuple[str, str, Any], ...] = (
    ("import/<int:pk>/", "run", run_view),
    ("<int:pk>/columns/", "columns", columns_view),
    ("<int:pk>/ids/", "ids", ids_view),
    ("duplicates/", "pairs", pairs_view),
    ("event-from-link/", "event_from_link", event_from_link_view),
)


class PlaceInline(TabularInline):
    """The places that the source names and that have no venue, or the one that somebody has chosen."""

    model = Place
    extra = 0
    fields = ("text", "venue")
    readonly_fields = ("text",)
    autocomplete_fields = ("venue",)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("transfer.change_source")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("transfer.view_source")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Source)
class SourceAdmin(ModelAdmin):
    """Calendars elsewhere. Saving one shows a preview of its import."""

    form = SourceForm
    list_display = ("name", "kind", "last_success_at", "last_change_at", "next_run_at", "coming", "warnings")
    list_filter = ("kind",)
    list_per_page = 50
    list_before_template = "admin/transfer/_source_links.html"
    show_full_result_count = False
    paginator: Any = BoundedPaginator
    autocomplete_fields = ("category", "venue")
    readonly_fields = ("owner", "recent_runs")
    inlines = (PlaceInline,)
    fieldsets = (
        (None, {"fields": ("name", "kind", "url", "file")}),
        (
            gettext_lazy("New events"),
            {"fields": ("new_status", "category", "venue", "creates_venues", "skip_pattern", "read_times_as")},
        ),
        (gettext_lazy("Reading it again"), {"fields": ("interval_hours", "absence", "header")}),
        (gettext_lazy("More"), {"fields": ("date_order", "keep_ids", "owner", "recent_runs")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Source]:
        return super().get_queryset(request).select_related("owner")

    def get_urls(self) -> list[Any]:
        pages = [
            path(route, self.admin_site.admin_view(partial(view, model_admin=self)), name=f"transfer_source_{name}")
            for route, name, view in PAGES
        ]
        return [*pages, *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        open_pairs = EventPair.objects.filter(state=PairState.OPEN).count()
        return super().changelist_view(request, {"open_pairs": open_pairs, **(extra_context or {})})

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        # A source is deleted on its page, where people see what it is.
        return {}

    def get_inlines(self, request: HttpRequest, obj: Source | None) -> Any:
        return self.inlines if obj is not None and obj.places.exists() else ()

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        return lookup == "kind__exact"

    def save_model(self, request: HttpRequest, obj: Source, form: Any, change: bool) -> None:
        user: Any = request.user
        save_source(obj, user=user, file=form.cleaned_data.get("file"))

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        # Saving leads to the preview.
        context |= {"show_save_and_add_another": False, "show_save_and_continue": False}
        return super().render_change_form(request, context, *args, **kwargs)

    def response_add(self, request: HttpRequest, obj: Source, post_url_continue: str | None = None) -> HttpResponse:
        return self._preview(request, obj)

    def response_change(self, request: HttpRequest, obj: Source) -> HttpResponse:
        return self._preview(request, obj)

    def _preview(self, request: HttpRequest, source: Source) -> HttpResponse:
        user: Any = request.user
        return HttpResponseRedirect(run_url(queue_run(source, user=user, is_preview=True)))

    @admin.display(description=gettext_lazy("upcoming events"))
    def coming(self, source: Source) -> str:
        """Return the numbers of upcoming events after the last readings, the oldest first."""
        counts = [run.coming_count for run in _last_runs(source)[:5] if run.coming_count is not None]
        return " → ".join(map(str, reversed(counts))) or "–"

    @admin.display(description=gettext_lazy("warnings"))
    def warnings(self, source: Source) -> str:
        return " ".join(warnings_about(source)) or "–"

    @admin.display(description=gettext_lazy("imports"))
    def recent_runs(self, source: Source) -> str:
        if not source.pk:
            return "–"
        lines = (
            (run_url(run), format_in_sentence(run.started_at), run.get_state_display(), run.message[:100])
            for run in _last_runs(source)[:MAX_RUNS]
        )
        return format_html_join("", '<p><a href="{}" class="quiet-link">{}</a> ({}) {}</p>', lines) or "–"


def _last_runs(source: Source) -> QuerySet[ImportRun]:
    return ImportRun.objects.filter(source=source, is_preview=False).order_by("-pk")
