"""The list of events."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject, cached_property

from calendar_site.back_office.lists.changelist import BoundedChangeList
from calendar_site.core.types import AnyUser
from events.admin.flag_switches import can_set_flags
from events.admin.prefetches import prefetch_category_names
from events.admin.time_filters import PeriodLink, StartFilter
from events.models import Event


class EventChangeList(BoundedChangeList):
    """A list with links to years, months and days above it, and with switches in the rows that the user may change.

    Reads rows and periods when the page shows them: actions need neither.
    """

    queryset: Any
    filter_specs: list[Any]

    def get_results(self, request: HttpRequest) -> None:
        self.queryset = self.queryset.prefetch_related(prefetch_category_names())
        super().get_results(request)
        self.result_list: Any = SimpleLazyObject(partial(self._prepare_rows, self.result_list, request.user))
        self.start_filter = next((spec for spec in self.filter_specs if isinstance(spec, StartFilter)), None)
        self.filter_specs = [spec for spec in self.filter_specs if spec is not self.start_filter]

    @cached_property
    def enclosing_periods(self) -> Sequence[PeriodLink]:
        return self.start_filter.enclosing_periods(self) if self.start_filter else ()

    @cached_property
    def contained_periods(self) -> Sequence[PeriodLink]:
        return self.start_filter.contained_periods(self) if self.start_filter else ()

    def _prepare_rows(self, rows: Any, user: AnyUser) -> list[Event]:
        query = self.get_query_string()
        list_query = f"?{urlencode({'_changelist_filters': query[1:]})}" if len(query) > 1 else ""
        for event in rows:
            event.can_set_flags = can_set_flags(user, event)
            event.list_query = list_query
        return rows
