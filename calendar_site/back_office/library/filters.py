"""The filters of the image library."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.contrib.admin import ModelAdmin
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.core import clock
from calendar_site.core.dates.conversion import site_zone


class UsedFilter(admin.SimpleListFilter):
    title = gettext_lazy("usage")
    parameter_name = "used"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, Any]]:
        return [("yes", _("Used")), ("no", _("Not used"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.in_use(self.value() == "yes") if self.value() in ("yes", "no") else queryset


class AltFilter(admin.SimpleListFilter):
    title = gettext_lazy("alternative text")
    parameter_name = "alt"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, Any]]:
        return [
            ("with", _("Has alternative text")),
            ("without", _("Missing alternative text")),
            ("decorative", _("Decorative")),
        ]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        match self.value():
            case "with":
                return queryset.exclude(alt="")
            case "without":
                return queryset.filter(alt="", decorative=False)
            case "decorative":
                return queryset.filter(decorative=True)
        return queryset


class CreatedFilter(admin.SimpleListFilter):
    title = gettext_lazy("created")
    parameter_name = "created"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, Any]]:
        return [("1", _("Today")), ("7", _("Past 7 days")), ("30", _("Past 30 days"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if self.value() not in ("1", "7", "30"):
            return queryset
        first = clock.now().astimezone(site_zone().tz).replace(hour=0, minute=0, second=0, microsecond=0)
        return queryset.filter(created_at__gte=first - timedelta(days=int(str(self.value())) - 1))
