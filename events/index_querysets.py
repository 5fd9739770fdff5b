"""Querysets of derived data: links and activity, which stand for the events and records that they are derived from."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any, Self

from django.db.models import F, OuterRef, Q

from calendar_site.content.querysets import ContentQuerySet
from calendar_site.core.compiled_queries.querysets import exists
from calendar_site.core.search.index import IsAmong, IsOneOf
from events.scheduled_querysets import ScheduledQuerySet


class IndexedLinkQuerySet(ScheduledQuerySet):
    """Links, each of which stands for its event: lists of a venue, organizer, category or tag read them alone."""

    id_column = "event_id"

    @property
    def record_model(self) -> Any:
        return self._model("Event")

    @property
    def protected_q(self) -> Q:
        return Q(is_protected=True)

    def to_any(self, ids: Collection[int]) -> Self:
        """Filter to links to any of these records, of which an event may have several."""
        return self.filter(linked_id=next(iter(ids))) if len(ids) == 1 else self.filter(linked_id__in=ids)

    def to_any_of_many(self, ids: list[int]) -> Self:
        """Filter to links to any of many records, of which an event may have several."""
        return self.filter(IsOneOf(F("linked_id"), ids))

    def one_of_each_event(self, ids: Collection[int]) -> Self:
        """Filter to links to any of these records, one for each event."""
        links = self.to_any(ids)
        if len(ids) == 1:
            return links
        earlier = links.filter(event_id=OuterRef("event_id"), linked_id__lt=OuterRef("linked_id"))
        return links.filter(~exists(earlier))

    def _model(self, name: str) -> Any:
        # By name, because the module of the models imports this one.
        return self.model._meta.apps.get_model(self.model._meta.app_label, name)


class IndexedVenueQuerySet(IndexedLinkQuerySet):
    def of_events_only_at(self, ids: list[int]) -> Self:
        """Filter to links of events that have some of these venues and no others, one for each event."""
        is_other = Q(linked_id__lt=OuterRef("linked_id")) | ~Q(IsAmong(F("linked_id"), ids))
        others = self.all_of(self.model).filter(is_other, event_id=OuterRef("event_id"))
        # First, because this table is much smaller.
        counts = self._model("IndexedVenueCount")
        several = self.all_of(counts).filter(linked_id=counts.SEVERAL, event_id=OuterRef("event_id"))
        return self.to_any_of_many(ids).filter(Q(~exists(several)) | Q(~exists(others)))


class LinkedActivityQuerySet(ContentQuerySet):
    """Venues or organizers with events that everybody may see, with their own status and publish date."""

    id_column = "linked_id"

    def ending_after(self, moment: datetime) -> Self:
        """Filter to records whose last event ends after `moment`."""
        return self.filter(last_end__gt=moment)
