"""Querysets of categories and tags."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from django.db.models import Case, Count, F, OuterRef, Subquery, Value, When
from django.db.models.functions import Coalesce, NullIf

from calendar_site.core.compiled_queries.querysets import CompiledQuerySet, exists, fetch_columns
from calendar_site.core.search.querysets import SearchQuerySet
from calendar_site.core.types import AnyUser


class TermQuerySet(SearchQuerySet):
    @property
    def links(self) -> Any:
        """The rows of the table that links events to terms."""
        return self.all_of(self._events_relation().through)

    @property
    def link_field(self) -> str:
        """The name of the foreign key to this model on the links."""
        return str(self.model._meta.model_name)

    def event_model(self) -> Any:
        return self._events_relation().related_model

    def _events_relation(self) -> Any:
        return self.model._meta.get_field("events")

    def with_published_counts(self) -> Self:
        """Annotate `published_events`: the number of published events that anonymous visitors find by the term.

        One query, two if events are due: events whose publication date has come since the last write are added here.
        """
        due_ids = self.all_of(self.event_model()).due_ids_found_by_terms()
        if not due_ids:
            return self.annotate(published_events=F("event_count"))
        links = self.links.filter(event__in=due_ids, **{self.link_field: OuterRef("pk")}).order_by()
        due_count = links.values(self.link_field).annotate(count=Count("pk")).values("count")
        return self.annotate(published_events=F("event_count") + Coalesce(Subquery(due_count), 0))

    def of_event(self, event_id: int) -> Self:
        """Filter to the terms of an event."""
        return self.filter(exists(self.links.filter(event=event_id, **{self.link_field: OuterRef("pk")})))

    def ordered_by_ids(self, ids: list[int]) -> Self:
        """Order by the position in `ids`; the other terms come last."""
        if not ids:
            return self
        positions = [When(pk=pk, then=Value(position)) for position, pk in enumerate(ids)]
        return self.order_by(Case(*positions, default=Value(len(ids))), "pk")


# A category takes its color from one of so many levels: its own, that of its parent, and so on.
COLOR_LEVELS = 6


class CategoryQuerySet(TermQuerySet):
    def readable_by(self, user: AnyUser) -> Self:
        """Return all rows, as those of other records with images: everybody sees categories."""
        return self

    def with_fields_visible_to(self, user: AnyUser) -> Self:
        """Return all rows: no field is hidden."""
        return self

    def with_shown_color(self) -> Self:
        """Annotate `shown_color`: the color of the category, else of the nearest category above with one, else ""."""
        colors = [NullIf(F("parent__" * level + "color"), Value("")) for level in range(COLOR_LEVELS)]
        return self.annotate(shown_color=Coalesce(*colors, Value("")))

    def parents_by_id(self) -> dict[int, int | None]:
        """Return the id of the parent of every category. One query, fast because people maintain few categories."""
        return dict(fetch_columns(CompiledQuerySet(self.model), ("pk", "parent")))

    def ancestor_ids(self, category_id: int) -> list[int]:
        """Return the ids of the category and its ancestors, even if they form a cycle. One query."""
        parents, ids = self.parents_by_id(), []
        parent: int | None = category_id
        while parent is not None and parent not in ids:
            ids.append(parent)
            parent = parents.get(parent)
        return ids

    def descendant_ids(self, ids: Iterable[int]) -> set[int]:
        """Return these ids and those of all their descendants. One query."""
        children: dict[int, list[int]] = {}
        for child, parent in self.parents_by_id().items():
            if parent is not None:
                children.setdefault(parent, []).append(child)
        descendants: set[int] = set()
        stack = list(ids)
        while stack:
            pk = stack.pop()
            if pk not in descendants:
                descendants.add(pk)
                stack += children.get(pk, [])
        return descendants
