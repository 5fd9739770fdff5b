"""The domain's words for sets of terms."""

from __future__ import annotations

from typing import Any, Self

from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from calendar_site.content.querysets import SearchQuerySet


class TermQuerySet(SearchQuerySet):
    @property
    def links(self) -> QuerySet:
        """The link table's rows."""
        return self.model._meta.get_field("events").through._default_manager.all()

    @property
    def link_field(self) -> str:
        """The name of the foreign key to this model on the rows of its link table."""
        return self.model._meta.model_name

    def event_model(self) -> Any:
        return self.model._meta.get_field("events").related_model

    def counted(self) -> Self:
        """Terms with `published_events`: how many published events have them.

        Costs a query: scheduled events whose date has come since the last write are added here.
        """
        due = self.event_model().objects.due_ids()
        if not due:
            return self.annotate(published_events=F("event_count"))
        links = self.links.filter(event__in=due, **{self.link_field: OuterRef("pk")}).order_by()
        just_published = links.values(self.link_field).annotate(n=Count("pk")).values("n")
        return self.annotate(published_events=F("event_count") + Coalesce(Subquery(just_published), 0))

    def of_event(self, event_id: int) -> Self:
        return self.filter(Exists(self.links.filter(event=event_id, **{self.link_field: OuterRef("pk")})))

    def in_order_of(self, ids: list[int]) -> Self:
        """In the order in which their ids were given."""
        if not ids:
            return self
        places = [When(pk=pk, then=Value(place)) for place, pk in enumerate(ids)]
        return self.order_by(Case(*places, default=Value(len(ids))), "pk")

    def by_names(self, names: list[str]) -> dict[str, Any]:
        """Those of `names` that there are, each with its term: by the name, capitals and blanks apart, or the slug.

        Of several with one name it is the first. Costs a query, none without names.
        """
        keys = {name: self.model.key_of(name) for name in names}
        found = self.filter(Q(name_key__in=keys.values()) | Q(slug__in=names)).order_by("-pk") if names else ()
        known = list(found)
        by_word = {term.slug: term for term in known} | {term.name_key: term for term in known}
        terms = {name: by_word.get(key) or by_word.get(name) for name, key in keys.items()}
        return {name: term for name, term in terms.items() if term}

    def named(self, key: str) -> Self:
        return self.filter(name_key=key).order_by("pk")


class CategoryQuerySet(TermQuerySet):
    def parents_by_id(self) -> dict[int, int | None]:
        """The parent of every category. One query over a table that people keep by hand."""
        return dict(self.model._default_manager.values_list("pk", "parent"))

    def path_to_root(self, category_id: int) -> list[int]:
        """The category and those above it. Costs a query."""
        parents, path = self.parents_by_id(), []
        step: int | None = category_id
        while step is not None and step not in path:
            path.append(step)
            step = parents.get(step)
        return path

    def with_descendants(self, ids: list[int]) -> set[int]:
        """These ids and those of all categories below them. Costs a query."""
        children: dict[int, list[int]] = {}
        for child, parent in self.parents_by_id().items():
            if parent is not None:
                children.setdefault(parent, []).append(child)
        found: set[int] = set()
        waiting = list(ids)
        while waiting:
            pk = waiting.pop()
            if pk not in found:
                found.add(pk)
                waiting += children.get(pk, [])
        return found
