"""The list of events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest

from calendar_site.back_office.lists.changelist import BoundedChangeList
from events.admin.flag_switches import can_set_flags
from events.admin.prefetches import prefetch_category_names
from events.admin.time_filters import PeriodLink, StartFilter


class EventChangeList(BoundedChangeList):
    """A list with links to years, months and days above it, and with switches in the rows that the user may change."""

    queryset: Any
    filter_specs: list[Any]
    enclosing_periods: Sequence[PeriodLink] = ()
    contained_periods: Sequence[PeriodLink] = ()

    def get_results(self, request: HttpRequest) -> None:
        self.queryset = self.queryset.prefetch_related(prefetch_category_names())
        super().get_results(request)
        rows: Any = self.result_list
        for event in rows:
            event.can_set_flags = can_set_flags(request.user, event)
            event.list_query = self._preserved_filters()
        for spec in self.filter_specs:
            if isinstance(spec, StartFilter):
                self.enclosing_periods = spec.enclosing_periods(self)
                self.contained_periods = spec.contained_periods(self)
        self.filter_specs = [spec for spec in self.filter_specs if not isinstance(spec, StartFilter)]

    def _preserved_filters(self) -> str:
        query = self.get_query_string()
        return f"?{urlencode({'_changelist_filters': query[1:]})}" if len(query) > 1 else ""
