"""The parameters of the lists of categories and tags."""

from __future__ import annotations

from typing import Any

from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.api.filters import (
    BooleanFilter,
    ChoiceFilter,
    ContractFilterSet,
    IdsFilter,
    PositiveFilter,
    SearchFilter,
    TextFilter,
)

COLUMNS = {"id": "pk", "name": "search_text", "slug": "slug", "count": "published_events", "description": "description"}
ORDERS = ["asc", "desc"]


class TermFilterSet(ContractFilterSet):
    search = SearchFilter(describe=gettext_lazy("Only terms with all of these words in their name or slug."))
    include = IdsFilter(describe=gettext_lazy("Only the terms with these ids."))
    exclude = IdsFilter(describe=gettext_lazy("All terms but those with these ids."))
    order = ChoiceFilter(
        describe=gettext_lazy("Whether to sort upwards or downwards; upwards unless said."), schema={"enum": ORDERS}
    )
    orderby = ChoiceFilter(
        describe=gettext_lazy("What to sort by, the name unless said; include: in the order of the ids in include."),
        schema={"enum": [*COLUMNS, "include"]},
    )
    hide_empty = BooleanFilter(
        describe=gettext_lazy("Whether to leave out terms without published events."), default=True
    )
    post = PositiveFilter(describe=gettext_lazy("Only terms of this event, by its id."))
    event = PositiveFilter(describe=gettext_lazy("The same as post, and before it where both are sent."))
    slug = TextFilter(describe=gettext_lazy("Only the term with this slug."))

    def faults(self) -> dict[str, Any]:
        events = self.queryset.event_model().objects.visible_to(self.user)
        faults = {}
        for name, rows in (
            ("include", self.queryset),
            ("exclude", self.queryset),
            ("post", events),
            ("event", events),
            ("parent", self.queryset),
        ):
            if name in self.given and (unknown := _unknown(rows, self.given[name])):
                faults[name] = _("Unknown: %(names)s.") % {"names": ", ".join(map(str, unknown))}
        return faults

    def filter_queryset(self, queryset: Any) -> Any:
        given = self.given
        if given.get("hide_empty", True):
            queryset = queryset.filter(published_events__gt=0)
        if "search" in given:
            queryset = queryset.having_words(given["search"])
        if "include" in given:
            queryset = queryset.filter(pk__in=given["include"])
        if "exclude" in given:
            queryset = queryset.exclude(pk__in=given["exclude"])
        if event := given.get("event") or given.get("post"):
            queryset = self.of_event(queryset, event)
        if "slug" in given:
            queryset = queryset.filter(slug=given["slug"])
        if "parent" in given:
            queryset = queryset.filter(parent=given["parent"])
        return self._in_order(queryset)

    def _in_order(self, queryset: Any) -> Any:
        by, is_descending = self.given.get("orderby", "name"), self.given.get("order") == "desc"
        if by == "include" and "include" in self.given:
            ordered = queryset.in_order_of(self.given["include"])
            return ordered.reverse() if is_descending else ordered
        column = F(COLUMNS.get(by, COLUMNS["name"]))
        return queryset.order_by(column.desc() if is_descending else column.asc(), "pk")


class CategoryFilterSet(TermFilterSet):
    parent = PositiveFilter(describe=gettext_lazy("Only categories right below this one, by its id."))


class TagFilterSet(TermFilterSet):
    pass


def _unknown(rows: Any, asked: Any) -> list[int]:
    asked = asked if isinstance(asked, list) else [asked]
    known = set(rows.filter(pk__in=asked).values_list("pk", flat=True))
    return [pk for pk in asked if pk not in known]
