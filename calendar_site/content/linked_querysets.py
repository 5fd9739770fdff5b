"""Querysets of venues and organizers: conditions on the events that link to them."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar, Self

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from calendar_site.content.querysets import ContentQuerySet
from calendar_site.core.compiled_queries.querysets import exists
from calendar_site.core.permissions import visible_q
from calendar_site.core.text.html import sanitize_html
from calendar_site.core.text.plain_text import name_key
from calendar_site.core.types import AnyUser


class LinkedQuerySet(ContentQuerySet):
    """Venues or organizers. Conditions on their events use the link table directly."""

    # The name of the foreign key to this model in its link table.
    link_field: ClassVar[str]

    @property
    def links(self) -> Any:
        """Return the rows of the link table."""
        relation: Any = self.model._meta.get_field("events")
        return self.all_of(relation.through)

    def of_event(self, event_id: int) -> Self:
        """Filter to records that the event links to."""
        links = self.links.filter(event=event_id, **{self.link_field: OuterRef("pk")})
        return self.filter(exists(links))

    @property
    def event_links(self) -> Any:
        """Return the links to events, with the methods of querysets of events."""
        return self.all_of(self._event_app_model(f"Indexed{self.model.__name__}"))

    @property
    def activity(self) -> Any:
        """Return the rows of records with events that everybody may see. Not if events are `has_unsettled()`."""
        return self.all_of(self._event_app_model(f"{self.model.__name__}Activity"))

    def with_any_link_in(self, links: QuerySet, exist: bool = True) -> Self:
        """Filter to records with one of these `event_links`, or to records without any of them."""
        found = exists(links.order_by().filter(linked_id=OuterRef("pk")))
        return self.filter(found if exist else ~found)

    def with_public_events(self, exist: bool) -> Self:
        """Filter to records with events that everybody may see, or to records without. Not if `has_unsettled()`."""
        found = exists(self.activity.filter(linked_id=OuterRef("pk")))
        return self.filter(found if exist else ~found)

    def with_public_events_after(self, moment: datetime) -> Self:
        """Filter to records with events that everybody may see and that end later. Not if `has_unsettled()`."""
        return self.filter(exists(self.activity.filter(linked_id=OuterRef("pk")).ending_after(moment)))

    def _event_app_model(self, name: str) -> Any:
        meta = self.event_model()._meta
        return meta.apps.get_model(meta.app_label, name)

    def with_event_counts(self, user: AnyUser) -> Self:
        """Annotate `event_count`, the number of events whose links the user may see."""
        hidden = self.event_model()._default_manager.with_fields_hidden_from(user).order_by()
        links = (
            self.links.filter(visible_q(user, self.event_model(), "event__"), **{self.link_field: OuterRef("pk")})
            .exclude(event__in=hidden.values("pk"))
            .order_by()
        )
        counts = links.values(self.link_field).annotate(count=Count("pk")).values("count")
        return self.annotate(event_count=Coalesce(Subquery(counts), 0))

    def find_by_name(self, name: str, description: str | None, user: AnyUser) -> Any:
        """Return the record with this name, ignoring case and whitespace, that the user may see, or None.

        If a description is given, only a record with the same one, ignoring case, is returned.
        """
        rows: Any = self.visible_to(user).filter(name_key=name_key(name)).order_by("pk")
        if not description:
            return rows.first()
        # Not `iexact`, which ignores the case of ASCII letters only on SQLite.
        wanted = sanitize_html(description).casefold()
        texts = rows.values_list("pk", "description").iterator()
        pk = next((pk for pk, text in texts if text.casefold() == wanted), None)
        return rows.get(pk=pk) if pk else None

    def event_model(self) -> Any:
        """Return the model of events, which is above this package."""
        return self.model._meta.get_field("events").related_model
