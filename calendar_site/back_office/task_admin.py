"""ModelAdmin of background tasks."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy, ngettext
from unfold.admin import ModelAdmin

from calendar_site.back_office.lists.changelist import BoundedPaginator
from calendar_site.back_office.lists.filters import is_filter_parameter
from calendar_site.core.permissions import has_model_permission
from calendar_site.tasks.models import BackgroundTask


@admin.register(BackgroundTask)
class BackgroundTaskAdmin(ModelAdmin):
    """The queue, read-only. Users with the permission to change tasks may run failed ones again."""

    list_display = ("task_name", "state", "attempt_count", "enqueued_at", "started_at", "finished_at")
    list_filter = ("status",)
    ordering = ("-enqueued_at",)
    list_per_page = 50
    show_full_result_count = False
    paginator: Any = BoundedPaginator
    actions = ("run_again",)
    fields = (
        "task_path",
        "state",
        "attempt_count",
        "enqueued_at",
        "started_at",
        "finished_at",
        "arguments",
        "exception_class_path",
        "traceback",
    )
    readonly_fields = fields

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        return is_filter_parameter(lookup, self.list_filter)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_run_again_permission(self, request: HttpRequest) -> bool:
        return has_model_permission(request.user, "change", BackgroundTask)

    @admin.display(description=gettext_lazy("task"))
    def task_name(self, task: BackgroundTask) -> str:
        return task.task_name

    @admin.display(description=gettext_lazy("status"), ordering="status")
    def state(self, task: BackgroundTask) -> str:
        return str(BackgroundTask.Status(task.status).label)

    @admin.display(description=gettext_lazy("attempts"))
    def attempt_count(self, task: BackgroundTask) -> int:
        return task.attempts

    @admin.display(description=gettext_lazy("arguments"))
    def arguments(self, task: BackgroundTask) -> str:
        return str(task.args_kwargs)

    @admin.action(description=gettext_lazy("Run again"), permissions=["run_again"])
    def run_again(self, request: HttpRequest, tasks: QuerySet[BackgroundTask]) -> None:
        count = BackgroundTask.objects.filter(pk__in=tasks).run_again()
        message = ngettext("%(count)d failed task will run again.", "%(count)d failed tasks will run again.", count)
        self.message_user(request, message % {"count": count}, messages.SUCCESS if count else messages.WARNING)
