"""The parameters of the list of series."""

from __future__ import annotations

from typing import Any

from calendar_site.api.lists.filtersets import ContractFilterSet


class SeriesFilterSet(ContractFilterSet):
    def filter_queryset(self, queryset: Any) -> Any:
        return super().filter_queryset(queryset).visible_to(self.user).order_by("pk")
