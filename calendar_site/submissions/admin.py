"""ModelAdmin of the mistakes that visitors have reported."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy
from unfold.admin import ModelAdmin

from calendar_site.back_office.lists.changelist import BoundedPaginator
from calendar_site.back_office.urls import admin_url
from calendar_site.submissions.models import MistakeReport


@admin.register(MistakeReport)
class MistakeReportAdmin(ModelAdmin):
    """The reports, read-only. Whoever has dealt with some of them deletes them."""

    list_display = ("short_text", "event_link", "email", "created_at")
    list_select_related = ("event",)
    ordering = ("-created_at", "-pk")
    list_per_page = 50
    show_full_result_count = False
    paginator: Any = BoundedPaginator
    fields = ("text", "event_link", "email", "created_at")
    readonly_fields = fields

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        return False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.display(description=gettext_lazy("mistake"))
    def short_text(self, report: MistakeReport) -> str:
        return f"{report.text[:100]}…" if len(report.text) > 100 else report.text

    @admin.display(description=gettext_lazy("event"))
    def event_link(self, report: MistakeReport) -> SafeString:
        return format_html(
            '<a href="{}" class="quiet-link">{}</a>', admin_url(report.event, "change", report.event_id), report.event
        )
