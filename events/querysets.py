"""The domain's words for sets of events."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Self

from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Subquery, When

from calendar_site.content.dates import utc_wire
from calendar_site.content.geography import Circle
from calendar_site.content.querysets import ContentQuerySet, editable_q, visible_q
from calendar_site.content.text import words

# No zone is further from UTC than fourteen hours, so this is how far a wall clock may be from UTC.
ZONE_REACH = timedelta(hours=15)
# Events that last longer are few; they are marked `is_long` and found apart.
LONG = timedelta(days=7)
# So many venues, with their events, are read in no longer a time than all events of a window.
MUCH = 5000


class EventQuerySet(ContentQuerySet):
    # --- When. Each moment is bounded by the wall clock as well, which is what the index is ordered by.

    def starting_from(self, moment: datetime) -> Self:
        return self.filter(start__gte=moment, start_local__gte=utc_wire(moment - ZONE_REACH))

    def starting_after(self, moment: datetime) -> Self:
        return self.filter(start__gt=moment, start_local__gte=utc_wire(moment - ZONE_REACH))

    def starting_before(self, moment: datetime) -> Self:
        return self.filter(start__lt=moment, start_local__lte=utc_wire(moment + ZONE_REACH))

    def ending_by(self, moment: datetime) -> Self:
        """What has ended by then; it has begun by then, too."""
        return self.filter(end__lte=moment, start_local__lte=utc_wire(moment + ZONE_REACH))

    def ending_before(self, moment: datetime) -> Self:
        return self.filter(end__lt=moment, start_local__lte=utc_wire(moment + ZONE_REACH))

    def ending_after(self, moment: datetime) -> Self:
        """What ends later. Costs a query for the few long events, which may have begun at any time."""
        recent = utc_wire(moment - LONG - ZONE_REACH)
        # In no order and by the moment of the start, so that the index of long events serves this alone.
        long_ones = self.model._default_manager.filter(is_long=True, end__gt=moment, start__lt=moment - LONG)
        long_running = dict(long_ones.order_by().values_list("pk", "start_local"))
        first = min([recent, *long_running.values()])
        return self.filter(
            Q(start_local__gte=recent) | Q(pk__in=list(long_running)), start_local__gte=first, end__gt=moment
        )

    def on_days(self, first: date, last: date) -> Self:
        """What happens on any of these days of its own clock. Costs a query for the few long events."""
        recent, begin, after = (
            f"{day} 00:00:00" for day in (first - LONG - timedelta(days=1), first, last + timedelta(days=1))
        )
        # By moments, so that the index of long events serves this alone; the clocks decide below.
        midnight = datetime.combine(first, time(), UTC)
        long_ones = self.model._default_manager.filter(
            is_long=True, end__gt=midnight - ZONE_REACH, start__lt=midnight - LONG + ZONE_REACH
        )
        long_running = dict(long_ones.order_by().values_list("pk", "start_local"))
        return self.filter(
            Q(start_local__gte=recent) | Q(pk__in=list(long_running)),
            start_local__gte=min([recent, *long_running.values()]),
            start_local__lt=after,
            end_local__gte=begin,
        )

    # --- Of which more is shown than title and dates (events/access.py).

    def showing_fields_to(self, user: Any) -> Self:
        """Those whose fields the user sees without a password, so that they may be selected by them."""
        return self.filter(self._showing_q(user))

    def hiding_fields_from(self, user: Any) -> Self:
        return self.exclude(password="").exclude(editable_q(user, self.model))

    def _showing_q(self, user: Any) -> Q:
        # As what is left beside the few with a password, which have an index: whoever counts a window need not read
        # its events.
        hidden = self.model._default_manager.hiding_fields_from(user)
        return ~Q(pk__in=hidden.order_by().values("pk"))

    def telling_what_shows(self, user: Any) -> Self:
        """With `shows_fields`: whether they are among those of `showing_fields_to`."""
        return self.annotate(shows_fields=Case(When(self._showing_q(user), then=True), default=False))

    def having_words_for(self, query: str, user: Any) -> Self:
        """Events with every word of `query` in what the user sees of them: the title alone of a hidden one."""
        rows = self
        for word in words(query):
            # The title is the first line of the searched text.
            in_title = Q(search_text__regex=rf"^[^\n]*{re.escape(word)}")
            rows = rows.filter(self._showing_q(user) | in_title, search_text__contains=word)
        return rows

    # --- With what. EXISTS, so that a second link adds no duplicate row.

    def _linked(self, name: str, column: str, ids: list[int] | set[int]) -> Self:
        links = self.model._meta.get_field(name).remote_field.through._default_manager
        return self.filter(Exists(links.filter(**{"event": OuterRef("pk"), f"{column}__in": ids})))

    def at_venues(self, ids: list[int]) -> Self:
        return self._linked("venues", "venue", ids)

    def by_organizers(self, ids: list[int]) -> Self:
        return self._linked("organizers", "organizer", ids)

    def in_categories(self, ids: set[int]) -> Self:
        return self._linked("categories", "category", ids)

    def tagged(self, ids: list[int]) -> Self:
        return self._linked("tags", "tag", ids)

    def linked_to(self, name: str, ids: Iterable[int]) -> Self:
        """Events with any of these among what they link to under `name` (`venues`, `tags`), by way of the links.

        For lists without a window: the work grows with the events of these records, not with all there are.
        """
        field = self.model._meta.get_field(name)
        links = field.remote_field.through._default_manager.filter(**{f"{field.m2m_reverse_field_name()}__in": ids})
        return self.filter(pk__in=links.order_by().values("event"))

    def at_places(self, user: Any, wanted: bool) -> Self:
        """Events at a venue that has coordinates, or at none such; only venues that the user may see count."""
        placed = Exists(self._seen_links(user).filter(venue__geo_lat__isnull=False, event=OuterRef("pk")))
        return self.filter(placed if wanted else ~placed)

    def near(self, circle: Circle, user: Any) -> Self:
        """Events at a venue within the circle, annotated with `distance`, a measure that grows with it.

        Costs a query for how much there is in the box around the circle. Of little, the events are found by their
        venues; else each is asked for its own, since to read half of the world takes longer.
        """
        links = self._seen_links(user).annotate(distance=circle.distance("venue__")).filter(distance__lte=circle.reach)
        own = links.filter(event=OuterRef("pk"))
        events = self.annotate(distance=Subquery(own.order_by("distance").values("distance")[:1]))
        if self._has_much(circle):
            return events.filter(Exists(own))
        return events.filter(pk__in=links.filter(circle.box_q("venue__")).values("event"))

    def _has_much(self, circle: Circle) -> bool:
        """Whether there are many venues in the box around the circle, or few with many events."""
        venues = self.model._meta.get_field("venues").related_model._default_manager
        # A row for each event of a venue, and one for a venue without any.
        return venues.filter(circle.box_q()).order_by().values("events")[:MUCH].count() == MUCH

    def _seen_links(self, user: Any) -> QuerySet:
        """The links of events to the venues that the user may see."""
        field = self.model._meta.get_field("venues")
        links, venues = field.remote_field.through._default_manager, field.related_model
        return links.filter(visible_q(user, venues, "venue__")).order_by()

    def lacking_venues(self) -> Self:
        return self.filter(~Exists(self.model.venues.through._default_manager.filter(event=OuterRef("pk"))))

    def ticketed(self, wanted: bool) -> Self:
        tickets = Exists(self.tickets.filter(event=OuterRef("pk")))
        return self.filter(tickets if wanted else ~tickets)

    @property
    def tickets(self) -> QuerySet:
        return self.model._meta.get_field("tickets").related_model._default_manager.all()

    # --- Which of them, and in what order.

    def listed(self) -> Self:
        """What lists show: `hide_from_listings` events never, for nobody."""
        return self.filter(hide_from_listings=False)

    def by_wall_clock(self) -> Self:
        """By the clock on their own wall, not by the moment; ties in the order made."""
        return self.order_by("start_local", "pk")

    def by_publication(self) -> Self:
        return self.order_by("published_at", "pk")

    def coming(self, moment: datetime) -> Self:
        return self.ending_after(moment).by_wall_clock()

    def path_to_root(self, event_id: int) -> list[int]:
        """The event and those that it is a part of. A query for each step."""
        path: list[int] = []
        step: int | None = event_id
        while step is not None and step not in path:
            path.append(step)
            step = self.model._default_manager.filter(pk=step).values_list("parent", flat=True).first()
        return path
