"""The viewset of series."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext_lazy

from calendar_site.api.description.operations import WRITE_METHODS, Summaries
from calendar_site.api.errors import CannotEditOthers, ContractError, NotAccessible
from calendar_site.api.output.selection import Selection
from calendar_site.api.viewsets import Record, RecordViewSet
from events.models import Series
from events.series.services import delete_series, series_services
from events.series_api.filtersets import SeriesFilterSet
from events.series_api.representation import SeriesRecord, SeriesRow, represent_series
from events.series_api.schemas import EXAMPLES, SERIES
from events.series_api.serializers import SeriesSerializer


class SeriesViewSet(RecordViewSet):
    model = Series
    collection = "series"
    resource = "series"
    tag_description = gettext_lazy("Events that repeat.")
    summaries = Summaries(
        list=gettext_lazy("List series"),
        create=gettext_lazy("Create a series"),
        get=gettext_lazy("Get a series"),
        update=gettext_lazy("Update a series"),
        delete=gettext_lazy("Delete a series"),
    )
    create_description = gettext_lazy("Creates a series with its events, and returns the series.")
    delete_description = gettext_lazy(
        "Permanently deletes the series and returns its last state. Its events stay as single events."
    )
    row_type = SeriesRow
    services = series_services
    filterset_class = SeriesFilterSet
    serializer_class = SeriesSerializer
    record_schema = SERIES
    examples = EXAMPLES
    refuses_pages_past_end = True
    takes_files = True
    has_restricted_records = True
    # It also takes the lock for the events.
    creates_in_parallel = False

    @property
    def list_example(self) -> str:
        return "series-list"

    def represent_rows(self, rows: Iterable[Any], selection: Selection) -> list[SeriesRecord]:
        return [represent_series(row, self.urls) for row in rows]

    def get_object(self) -> Any:
        """Return the row. Raises NotAccessible if the user may not read it."""
        row = super().get_object()
        if self.action == "retrieve" and not Series.objects.visible_to(self.request.user).filter(pk=row.id).exists():
            raise NotAccessible(self.resource)
        return row

    def perform_destroy(self, row: Series) -> Record:
        record = self.represent_row(row)
        delete_series(Series.objects.filter(pk=row.pk), user=self.request.user)
        return record

    def get_errors(self, method: str) -> list[ContractError]:
        errors = super().get_errors(method)
        if method in WRITE_METHODS:
            errors.append(CannotEditOthers())
        elif method == "GET" and self.detail:
            errors.append(NotAccessible(self.resource))
        return errors
