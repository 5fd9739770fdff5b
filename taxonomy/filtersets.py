"""The parameters of the lists of categories and tags."""

from __future__ import annotations

from typing import Any, ClassVar

from django.utils.translation import gettext_lazy

from calendar_site.api.lists.filters import (
    SEARCH_HELP,
    BooleanFilter,
    ChoiceFilter,
    RecordIdFilter,
    RecordIdsFilter,
    SearchFilter,
    TextFilter,
)
from calendar_site.api.lists.filtersets import ORDERS, ContractFilterSet, no_filter, visible_events
from calendar_site.core.slugs import decode_slug

COLUMNS = {"id": "pk", "name": "search_text", "slug": "slug", "count": "published_events", "description": "description"}


class SlugFilter(TextFilter):
    def parse(self, value: object) -> str:
        return decode_slug(super().parse(value))


def all_terms(filterset: ContractFilterSet) -> Any:
    """Return all terms of the list, without its filters."""
    return filterset.queryset


class TermFilterSet(ContractFilterSet):
    # Whether the list leaves out terms without events unless the parameter says otherwise.
    hides_empty: ClassVar[bool] = True

    search = SearchFilter(
        method="filter_by_search",
        help_text=SEARCH_HELP,
    )
    include = RecordIdsFilter(
        field_name="pk",
        lookup_expr="in",
        queryset=all_terms,
        help_text=gettext_lazy("Only terms with these ids."),
    )
    exclude = RecordIdsFilter(
        field_name="pk",
        lookup_expr="in",
        exclude=True,
        queryset=all_terms,
        help_text=gettext_lazy("All terms except those with these ids."),
    )
    order = ChoiceFilter(
        method=no_filter,
        help_text=gettext_lazy("The sort direction: asc or desc. Defaults to asc."),
        schema={"enum": ORDERS},
    )
    orderby = ChoiceFilter(
        method=no_filter,
        help_text=gettext_lazy(
            "The field to sort by. Defaults to name. Use include to keep the order of the ids in the include parameter."
        ),
        schema={"enum": [*COLUMNS, "include"]},
    )
    hide_empty = BooleanFilter(
        method=no_filter,
        help_text=gettext_lazy("Whether to exclude terms without published events."),
        initial=True,
    )
    post = RecordIdFilter(
        method="filter_by_post",
        queryset=visible_events,
        help_text=gettext_lazy("Only terms of the event with this id."),
    )
    event = RecordIdFilter(
        method="filter_by_event",
        queryset=visible_events,
        help_text=gettext_lazy("Same as post. Takes precedence if both are sent."),
    )
    slug = SlugFilter(help_text=gettext_lazy("Only the term with this slug."))

    def filter_by_search(self, terms: Any, name: str, text: str) -> Any:
        return terms.matching(text)

    def filter_by_post(self, terms: Any, name: str, event_id: int) -> Any:
        return terms if "event" in self.data else self.filter_by_event(terms, name, event_id)

    def filter_queryset(self, queryset: Any) -> Any:
        if self.get("hide_empty", self.hides_empty):
            queryset = queryset.filter(published_events__gt=0)
        return self.in_order(super().filter_queryset(queryset))

    def in_order(self, terms: Any) -> Any:
        order_by, is_descending = self.get("orderby", "name"), self.get("order") == "desc"
        if order_by == "include" and "include" in self.data:
            ordered = terms.ordered_by_ids(self.get("include"))
            return ordered.reverse() if is_descending else ordered
        column = COLUMNS.get(order_by, COLUMNS["name"])
        return terms.order_by(f"-{column}" if is_descending else column, "pk")


class CategoryFilterSet(TermFilterSet):
    parent = RecordIdFilter(
        queryset=all_terms, help_text=gettext_lazy("Only direct children of the category with this id.")
    )


class TagFilterSet(TermFilterSet):
    pass
