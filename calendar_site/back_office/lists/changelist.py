"""Lists with a limit on the number of rows that they count."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.core.paginator import EmptyPage, Page, Paginator
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject, cached_property

from calendar_site.back_office.lists.active_filters import FilteredChangeList
from calendar_site.back_office.lists.row_menu import row_menu, set_menu

# Counting a hundred thousand rows takes longer than showing fifty of them.
MAX_COUNTED = 1000
# Databases reject offsets that are too large.
MAX_PAGE = 1_000_000


class BoundedPaginator(Paginator):
    """A paginator that counts up to `MAX_COUNTED` rows. In longer lists, it only knows whether there is a next page."""

    max_count = MAX_COUNTED
    # The number of the page after the last one that was read.
    next_number: int | None = None

    @cached_property
    def count(self) -> int:
        return min(self._counted, self.max_count)

    @property
    def is_long(self) -> bool:
        return self._counted > self.max_count

    @property
    def template_name(self) -> str | None:
        """Return the template of the pagination below the list; None for Unfold's own."""
        return "admin/long_list_pages.html" if self.is_long else None

    def validate_number(self, number: Any) -> int:
        if not self.is_long:
            return super().validate_number(number)
        whole = int(number)
        if not 1 <= whole <= MAX_PAGE:
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
        return rows.order_by().values("pk")[: self.max_count + 1].count()


class LongPage(Page):
    """A page of a list of unknown length."""

    def has_next(self) -> bool:
        paginator: Any = self.paginator
        return paginator.next_number is not None


class BoundedChangeList(FilteredChangeList):
    """A list with a `BoundedPaginator`, sorted only by columns that offer it."""

    @property
    def has_row_menu(self) -> bool:
        return row_menu in self.list_display

    def get_ordering_field(self, field_name: str) -> Any:
        """Ignore a requested order that no column offers."""
        return super().get_ordering_field(field_name) if field_name in self.sortable_by else None

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        if self.paginator.is_long:
            # The length is unknown, so "select all" and the total have no meaning.
            self.result_count = self.full_result_count = len(self.result_list)
        # Read when the page shows them: actions do not need them.
        self.result_list: Any = SimpleLazyObject(partial(self.prepare_rows, self.result_list, request))

    def prepare_rows(self, rows: Any, request: HttpRequest) -> list[Any]:
        """Return the rows with the values that their columns show in addition to those of the model."""
        rows = list(rows)
        if self.has_row_menu:
            view_on_site = self.model_admin.view_on_site
            for row in rows:
                page = view_on_site(row) if callable(view_on_site) else None
                set_menu(row, self.model_admin.get_menu_entries(request, row), page)
        return rows
