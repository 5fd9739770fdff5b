"""Querysets of events: by time, place, links and visibility."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Self

from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Subquery, When

from calendar_site.content.querysets import ContentQuerySet
from calendar_site.core.dates import to_utc_wire
from calendar_site.core.geo import Circle
from calendar_site.core.permissions import editable_q, visible_q
from calendar_site.core.search_query import SearchQuery
from calendar_site.core.types import AnyUser

# More than the largest offset of a time zone, 14 hours: how far `start_local` may be from `start`.
MAX_UTC_OFFSET = timedelta(hours=15)
# Events that last longer are few. They are marked `is_long` and found by a query of their own.
LONG_DURATION = timedelta(days=7)
# With this many venues and events in a bounding box, it is faster to read all events of a window.
MANY_ROWS_IN_BOX = 5000


class EventQuerySet(ContentQuerySet):
    # --- Time. Conditions on moments come with one on the local start, by which the index is ordered.

    def starting_from(self, moment: datetime) -> Self:
        return self.filter(start__gte=moment, start_local__gte=to_utc_wire(moment - MAX_UTC_OFFSET))

    def starting_after(self, moment: datetime) -> Self:
        return self.filter(start__gt=moment, start_local__gte=to_utc_wire(moment - MAX_UTC_OFFSET))

    def starting_before(self, moment: datetime) -> Self:
        return self.filter(start__lt=moment, start_local__lte=to_utc_wire(moment + MAX_UTC_OFFSET))

    def ending_by(self, moment: datetime) -> Self:
        """Filter to events that end at or before `moment`, and so start before it."""
        return self.filter(end__lte=moment, start_local__lte=to_utc_wire(moment + MAX_UTC_OFFSET))

    def ending_before(self, moment: datetime) -> Self:
        return self.filter(end__lt=moment, start_local__lte=to_utc_wire(moment + MAX_UTC_OFFSET))

    def ending_after(self, moment: datetime) -> Self:
        """Filter to events that end after `moment`. One query for the few long events, which may start at any time."""
        recent = to_utc_wire(moment - LONG_DURATION - MAX_UTC_OFFSET)
        # Unordered and without `start_local`, so that the index of long events is sufficient.
        long_events = self.model._default_manager.filter(is_long=True, end__gt=moment, start__lt=moment - LONG_DURATION)
        local_starts = dict(long_events.order_by().values_list("pk", "start_local"))
        earliest = min([recent, *local_starts.values()])
        return self.filter(
            Q(start_local__gte=recent) | Q(pk__in=list(local_starts)), start_local__gte=earliest, end__gt=moment
        )

    def on_days(self, first: date, last: date) -> Self:
        """Filter to events on any of these days in their own time zone. One query for the few long events."""
        recent, begin, after = (
            f"{day} 00:00:00" for day in (first - LONG_DURATION - timedelta(days=1), first, last + timedelta(days=1))
        )
        # By moments, so that the index of long events is sufficient; the local times decide below.
        midnight = datetime.combine(first, time(), UTC)
        long_events = self.model._default_manager.filter(
            is_long=True, end__gt=midnight - MAX_UTC_OFFSET, start__lt=midnight - LONG_DURATION + MAX_UTC_OFFSET
        )
        local_starts = dict(long_events.order_by().values_list("pk", "start_local"))
        return self.filter(
            Q(start_local__gte=recent) | Q(pk__in=list(local_starts)),
            start_local__gte=min([recent, *local_starts.values()]),
            start_local__lt=after,
            end_local__gte=begin,
        )

    # --- Visibility of fields. Of events with a password, most users see title and dates only.

    def with_fields_visible_to(self, user: AnyUser) -> Self:
        """Filter to events whose fields the user sees without a password, and may filter by."""
        return self.filter(self._fields_visible_q(user))

    def with_fields_hidden_from(self, user: AnyUser) -> Self:
        """Filter to events of which the user sees only the title and dates."""
        return self.exclude(password="").exclude(editable_q(user, self.model))

    def _fields_visible_q(self, user: AnyUser) -> Q:
        # By excluding the few events with a password, which have an index, so that counting reads no other events.
        events: Any = self.model._default_manager
        hidden = events.with_fields_hidden_from(user)
        return ~Q(pk__in=hidden.order_by().values("pk"))

    def with_field_visibility(self, user: AnyUser) -> Self:
        """Annotate `has_visible_fields`; see `with_fields_visible_to`."""
        return self.annotate(has_visible_fields=Case(When(self._fields_visible_q(user), then=True), default=False))

    def matching_for(self, text: str, user: AnyUser) -> Self:
        """Filter to events as other rows, by the fields that the user sees, which may be the title alone."""
        is_visible = self._fields_visible_q(user)

        def contains(term: str) -> Q:
            # The title is the first line of the search text.
            in_title = Q(search_text__regex=rf"^[^\n]*{re.escape(term)}")
            return Q(is_visible | in_title, search_text__contains=term)

        return self._matching(SearchQuery.parse(text), contains)

    def found_by_terms(self) -> Self:
        """Filter to events that anonymous visitors find by their categories and tags if they are published (D32)."""
        return self.filter(password="", hide_from_listings=False)

    def due_ids_found_by_terms(self) -> list[int]:
        """Return the ids of `due()` events that term counts include. One query, a second one if events are due."""
        ids = self.due_ids()
        return list(self.filter(pk__in=ids).found_by_terms().values_list("pk", flat=True)) if ids else []

    # --- Links. EXISTS, so that a second link adds no duplicate row.

    def at_venues(self, ids: Iterable[int]) -> Self:
        return self._linked("venues", "venue", ids)

    def organized_by(self, ids: Iterable[int]) -> Self:
        return self._linked("organizers", "organizer", ids)

    def in_categories(self, ids: Iterable[int]) -> Self:
        return self._linked("categories", "category", ids)

    def tagged(self, ids: Iterable[int]) -> Self:
        return self._linked("tags", "tag", ids)

    def _linked(self, relation: str, column: str, ids: Iterable[int]) -> Self:
        links = self._field(relation).remote_field.through._default_manager
        return self.filter(Exists(links.filter(**{"event": OuterRef("pk"), f"{column}__in": list(ids)})))

    def linked_to(self, relation: str, ids: Iterable[int]) -> Self:
        """Filter to events linked to any of these records by `relation`, such as `venues`.

        Unlike `at_venues()` and similar methods, starts from the links: for all events of a record, without a window.
        """
        field = self._field(relation)
        links = field.remote_field.through._default_manager.filter(**{f"{field.m2m_reverse_field_name()}__in": ids})
        return self.filter(pk__in=links.order_by().values("event"))

    def with_coordinates(self, user: AnyUser, has_coordinates: bool) -> Self:
        """Filter to events with a venue that has coordinates and that the user may see, or to those without one."""
        located = Exists(self._visible_venue_links(user).filter(venue__geo_lat__isnull=False, event=OuterRef("pk")))
        return self.filter(located if has_coordinates else ~located)

    def near(self, circle: Circle, user: AnyUser) -> Self:
        """Filter to events at a venue within the circle, and annotate `distance`, which grows with the distance.

        One query to estimate how many venues and events are in the circle. If there are few, the events are found by
        their venues, else the venues of each event are compared.
        """
        links = (
            self._visible_venue_links(user)
            .annotate(distance=circle.distance("venue__"))
            .filter(distance__lte=circle.max_distance)
        )
        links_of_event = links.filter(event=OuterRef("pk"))
        events = self.annotate(distance=Subquery(links_of_event.order_by("distance").values("distance")[:1]))
        if self._has_many_rows_in(circle):
            return events.filter(Exists(links_of_event))
        return events.filter(pk__in=links.filter(circle.box_q("venue__")).values("event"))

    def _has_many_rows_in(self, circle: Circle) -> bool:
        """Return whether the bounding box contains many venues, or few with many events."""
        venues = self._field("venues").related_model._default_manager
        # One row for each event of a venue, and one for a venue without events.
        rows = venues.filter(circle.box_q()).order_by().values("events")[:MANY_ROWS_IN_BOX]
        return bool(rows.count() == MANY_ROWS_IN_BOX)

    def _visible_venue_links(self, user: AnyUser) -> QuerySet[Any]:
        """Return the links of events to venues that the user may see."""
        field = self._field("venues")
        links: QuerySet[Any] = field.remote_field.through._default_manager.all()
        return links.filter(visible_q(user, field.related_model, "venue__")).order_by()

    def without_venues(self) -> Self:
        links = self._field("venues").remote_field.through._default_manager
        return self.filter(~Exists(links.filter(event=OuterRef("pk"))))

    def ticketed(self, has_tickets: bool) -> Self:
        """Filter to events with tickets, or to those without."""
        tickets = self._field("tickets").related_model._default_manager
        exists = Exists(tickets.filter(event=OuterRef("pk")))
        return self.filter(exists if has_tickets else ~exists)

    def _field(self, name: str) -> Any:
        # By name, because the module of the models imports this one.
        return self.model._meta.get_field(name)

    # --- Lists

    def listed(self) -> Self:
        """Filter to events that lists show. `hide_from_listings` hides an event from every user."""
        return self.filter(hide_from_listings=False)

    def ordered_by_local_start(self) -> Self:
        """Order by the local time of the start, not by its moment."""
        return self.order_by("start_local", "pk")

    def ordered_by_publication(self) -> Self:
        return self.order_by("published_at", "pk")

    def upcoming(self, moment: datetime) -> Self:
        return self.ending_after(moment).ordered_by_local_start()

    def ancestor_ids(self, event_id: int) -> list[int]:
        """Return the ids of the event and of its ancestors. One query for each."""
        ids: list[int] = []
        parent: int | None = event_id
        while parent is not None and parent not in ids:
            ids.append(parent)
            parent = self.model._default_manager.filter(pk=parent).values_list("parent", flat=True).first()
        return ids
