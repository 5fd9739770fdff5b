"""What is written in the admin is recorded by services."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from calendar_site.content.admin.listing import BoundedPaginator, RowList
from calendar_site.content.transactions import writing


class HistoryAdmin(ModelAdmin):
    """Records whose changes the services record: Django's own log of the admin would say it once more, and less."""

    paginator = BoundedPaginator
    show_full_result_count = False

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> Any:
        return RowList

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if request.method != "POST":
            return super().changeform_view(request, *args, **kwargs)
        # From the first read on: nobody else writes between what is checked and what is saved.
        with writing():
            return super().changeform_view(request, *args, **kwargs)

    def delete_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if request.method != "POST":
            return super().delete_view(request, *args, **kwargs)
        with writing():
            return super().delete_view(request, *args, **kwargs)

    def render_change_form(
        self,
        request: HttpRequest,
        context: Any,
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: Any = None,
    ) -> Any:
        context["show_history"] = self.shows_history(request, obj)
        return super().render_change_form(request, context, add, change, form_url, obj)

    def shows_history(self, request: HttpRequest, row: Any) -> bool:
        return False

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        """Of what has no history of its own there is none to see."""
        raise PermissionDenied

    def log_addition(self, *args: Any, **kwargs: Any) -> None:
        pass

    log_change = log_deletions = log_addition
