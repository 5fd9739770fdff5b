"""The history of records in the admin."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from unfold.admin import ModelAdmin

from calendar_site.content.transactions import writing


class HistoryAdmin(ModelAdmin):
    """Records whose changes the services record: Django's own log of the admin would say it once more, and less."""

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

    def log_addition(self, *args: Any, **kwargs: Any) -> None:
        pass

    log_change = log_deletions = log_addition
