"""The list of events."""

from urllib.parse import urlencode

from calendar_site.content.admin.listing import RowList
from events.admin.flags import may_set_flags
from events.admin.seen import named_categories
from events.admin.time_filters import StartFilter


class EventList(RowList):
    """With ways through the years, months and days above it, and with what the user may switch in each row."""

    ways_up = ways_down = ()

    def get_results(self, request):
        self.queryset = self.queryset.prefetch_related(named_categories())
        super().get_results(request)
        for event in self.result_list:
            event.may_set_flags = may_set_flags(request.user, event)
            event.back_to_list = self._back_to_list()
        for spec in self.filter_specs:
            if isinstance(spec, StartFilter):
                self.ways_up, self.ways_down = spec.ways_up(self), spec.ways_down(self)
        self.filter_specs = [spec for spec in self.filter_specs if not isinstance(spec, StartFilter)]

    def _back_to_list(self):
        query = self.get_query_string()
        return f"?{urlencode({'_changelist_filters': query[1:]})}" if len(query) > 1 else ""
