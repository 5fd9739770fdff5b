"""Lists of any length: they count no further than anybody reads."""

from __future__ import annotations

from typing import Any

from django.core.paginator import EmptyPage, Page, Paginator
from django.http import HttpRequest
from django.utils.functional import cached_property
from unfold.views import ChangeList

# To count a hundred thousand rows takes longer than to show fifty of them.
MOST_COUNTED = 1000
# Beyond this no database is asked to skip rows.
LAST_PAGE = 1_000_000


class BoundedPaginator(Paginator):
    """Counts up to `MOST_COUNTED`; of a longer list each page tells whether there is a next one."""

    most = MOST_COUNTED
    # The number of the page after that which was asked for last.
    next_number: int | None = None

    @cached_property
    def count(self) -> int:
        return min(self._counted, self.most)

    @property
    def is_long(self) -> bool:
        return self._counted > self.most

    @property
    def template_name(self) -> str | None:
        """What Unfold shows below the list; its own where this is None."""
        return "admin/long_list_pages.html" if self.is_long else None

    def validate_number(self, number: Any) -> int:
        if not self.is_long:
            return super().validate_number(number)
        whole = int(number)
        if not 1 <= whole <= LAST_PAGE:
            raise EmptyPage
        return whole

    def page(self, number: Any) -> Page:
        if not self.is_long:
            return super().page(number)
        number = self.validate_number(number)
        first = (number - 1) * self.per_page
        rows = list(self.object_list[first : first + self.per_page + 1])
        if not rows:
            raise EmptyPage
        self.next_number = number + 1 if len(rows) > self.per_page else None
        return LongPage(rows[: self.per_page], number, self)

    @cached_property
    def _counted(self) -> int:
        rows: Any = self.object_list
        return rows.order_by().values("pk")[: self.most + 1].count()


class LongPage(Page):
    """A page of a list whose end nobody knows."""

    def has_next(self) -> bool:
        paginator: Any = self.paginator
        return paginator.next_number is not None


class RowList(ChangeList):
    """A list in the admin."""

    def get_ordering_field(self, field_name: str) -> Any:
        """An address that asks for an order which no column offers is answered in the usual one."""
        return super().get_ordering_field(field_name) if field_name in self.sortable_by else None

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        if self.paginator.is_long:
            # "Select all of them", or how many there are, would mean how many nobody knows.
            self.result_count = self.full_result_count = len(self.result_list)
