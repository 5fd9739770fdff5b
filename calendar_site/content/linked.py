"""Querysets of the records that events link to, which reach events through the link tables alone."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from calendar_site.content.html import sanitise
from calendar_site.content.querysets import ContentQuerySet, visible_q
from calendar_site.content.text import name_key


class LinkedQuerySet(ContentQuerySet):
    """Venues or organizers, selected by the events that link to them."""

    # The name of the foreign key to this model on the rows of its link table.
    link_field: ClassVar[str]

    @property
    def links(self) -> QuerySet:
        """The link table's rows."""
        relation: Any = self.model._meta.get_field("events")
        return relation.through._default_manager.all()

    def of_event(self, event_id: int) -> Self:
        links = self.links.filter(event=event_id, **{self.link_field: OuterRef("pk")})
        return self.filter(Exists(links))

    def with_events(self, events: QuerySet, wanted: bool) -> Self:
        """Those with one of these events; or those without."""
        # Asked of one link after the other: the first of them mostly decides.
        links = self.links.filter(
            Exists(events.order_by().filter(pk=OuterRef("event"))), **{self.link_field: OuterRef("pk")}
        )
        return self.filter(Exists(links) if wanted else ~Exists(links))

    def with_any_of(self, events: QuerySet) -> Self:
        """Those with one of these events. Driven by the events: a busy place has many others."""
        links = self.links.filter(event__in=events.order_by().values("pk"))
        return self.filter(pk__in=links.values(self.link_field))

    def counting_events(self, user: Any) -> Self:
        """With `event_count`: how many of their events, past or coming, the user may see with what they link to."""
        hidden = self.event_model()._default_manager.hiding_fields_from(user).order_by()
        mine = (
            self.links.filter(visible_q(user, self.event_model(), "event__"), **{self.link_field: OuterRef("pk")})
            .exclude(event__in=hidden.values("pk"))
            .order_by()
        )
        counts = mine.values(self.link_field).annotate(count=Count("pk")).values("count")
        return self.annotate(event_count=Coalesce(Subquery(counts), 0))

    def known(self, name: str, description: str | None, user: Any) -> Any:
        """The record of this name (capitals apart) that the user may see, or None.

        Another description, where one is given, makes it another record.
        """
        rows = self.visible_to(user).filter(name_key=name_key(name)).order_by("pk")
        if description:
            rows = rows.filter(description=sanitise(description))
        return rows.first()

    def event_model(self) -> Any:
        return self.model._meta.get_field("events").related_model
