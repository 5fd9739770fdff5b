"""Querysets of events: by time, place, links and visibility."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Any, Self

from django.db import connection
from django.db.models import Case, Exists, F, OuterRef, Q, When

from calendar_site.content.querysets import ContentQuerySet
from calendar_site.core import clock
from calendar_site.core.choices import Status
from calendar_site.core.clock import Moments
from calendar_site.core.compiled_queries.querysets import (
    Column,
    CompiledQuerySet,
    count_each,
    exists,
    fetch_columns,
    first_of,
)
from calendar_site.core.database.driver import run_as_health_check
from calendar_site.core.dates.conversion import to_utc_wire
from calendar_site.core.permissions import EVERY_ROW, editable_q, visible_q
from calendar_site.core.search.geo import Circle
from calendar_site.core.search.index import IsAmong, IsOneOf, restrict
from calendar_site.core.search.query import SearchQuery
from calendar_site.core.types import AnyUser
from events.choices import AttendanceMode, EventStatus

# More than the largest offset of a time zone, 14 hours: how far `start_local` may be from `start`.
MAX_UTC_OFFSET = timedelta(hours=15)
# Events that last longer are few. They are marked `is_long` and found by a query of their own.
LONG_DURATION = timedelta(days=7)
# Values of columns that nearly all events have. Indexes contain the events with another one.
USUAL_VALUES: dict[str, Any] = {
    "event_status": EventStatus.SCHEDULED,
    "attendance_mode": AttendanceMode.IN_PERSON,
}
# Fewer events are read and sorted in the time of a query.
MIN_READ_BY_ORDER = 500
# With this many events that have a feature or are at a venue with it, they are checked one by one.
MANY_ACCESSIBLE = 2000
# With this many modified events, it is faster to read the index of a window, which contains the last change.
MANY_MODIFIED = 500


def found_by_terms_q(prefix: str = "") -> Q:
    """Return the condition of `found_by_terms()`. `prefix` is the path to the events, such as `event__`."""
    return Q(**{f"{prefix}password": "", f"{prefix}hide_from_listings": False})


def earliest_start(moment: datetime) -> datetime:
    """Return a moment at or before the local start of all events that end after `moment` and are not long."""
    return moment - LONG_DURATION - MAX_UTC_OFFSET


def _window(is_used: bool, **bounds: datetime) -> dict[str, str]:
    """Return the conditions on the local start, none if `is_used` is false."""
    return {name: to_utc_wire(moment) for name, moment in bounds.items()} if is_used else {}


class EventQuerySet(ContentQuerySet):
    # --- Time. Conditions on moments come with one on the local start, by which the index is ordered. It finds no other
    # events, and is left out if `uses_window` is false, for lists that follow another index.

    def starting_from(self, moment: datetime, *, uses_window: bool = True) -> Self:
        return self.filter(start__gte=moment, **_window(uses_window, start_local__gte=moment - MAX_UTC_OFFSET))

    def starting_after(self, moment: datetime, *, uses_window: bool = True) -> Self:
        return self.filter(start__gt=moment, **_window(uses_window, start_local__gte=moment - MAX_UTC_OFFSET))

    def starting_before(self, moment: datetime, *, uses_window: bool = True) -> Self:
        return self.filter(start__lt=moment, **_window(uses_window, start_local__lte=moment + MAX_UTC_OFFSET))

    def ending_by(self, moment: datetime, *, uses_window: bool = True) -> Self:
        """Filter to events that end at or before `moment`, and so start before it."""
        return self.filter(end__lte=moment, **_window(uses_window, start_local__lte=moment + MAX_UTC_OFFSET))

    def ending_before(self, moment: datetime, *, uses_window: bool = True) -> Self:
        return self.filter(end__lt=moment, **_window(uses_window, start_local__lte=moment + MAX_UTC_OFFSET))

    def ending_after(
        self, moment: datetime, *, uses_window: bool = True, long_starts: Mapping[int, str] | None = None
    ) -> Self:
        """Filter to events that end after `moment`.

        One query for `long_starts`, if they are used and not given.
        """
        if not uses_window:
            return self.filter(end__gt=moment)
        if long_starts is None:
            long_starts = self.long_starts(moment)
        recent = to_utc_wire(earliest_start(moment))
        return self.filter(
            Q(start_local__gte=recent) | Q(IsAmong(F(self.id_column), list(long_starts))),
            start_local__gte=min([recent, *long_starts.values()]),
            end__gt=moment,
        )

    def long_starts(self, moment: datetime) -> dict[int, str]:
        """Return the local starts of long events that end after `moment`, by id. They are few. One query."""
        rows = self._events().filter(is_long=True, end__gt=moment, start__lt=moment - LONG_DURATION)
        return dict(fetch_columns(rows.order_by(), ("pk", "start_local")))

    def found_by_end(self, since: datetime | None) -> Self:
        """Let the index of the end find the events, none of which ends before `since`."""
        # The condition of the index.
        rows = self.filter(pk__gt=0)
        return rows.filter(end__gte=since) if since else rows

    def next_ends(self, moment: datetime) -> list[Column]:
        """Return the ends of all events after a moment, found by the index of the end."""
        rows = CompiledQuerySet(self.model).found_by_end(None).ending_after(moment, uses_window=False)
        return [Column(rows.order_by("end"), "end")]

    def on_days(self, first: date, last: date) -> Self:
        """Filter to events on any of these days in their own time zone. One query for the few long events."""
        recent, begin, after = (
            f"{day} 00:00:00" for day in (first - LONG_DURATION - timedelta(days=1), first, last + timedelta(days=1))
        )
        # By moments, so that the index of long events is sufficient; the local times decide below.
        midnight = datetime.combine(first, time(), UTC)
        long_events = self._events().filter(
            is_long=True, end__gt=midnight - MAX_UTC_OFFSET, start__lt=midnight - LONG_DURATION + MAX_UTC_OFFSET
        )
        local_starts = dict(fetch_columns(long_events.order_by(), ("pk", "start_local")))
        return self.filter(
            Q(start_local__gte=recent) | Q((f"{self.id_column}__in", list(local_starts))),
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
        return self.filter(self._fields_hidden_q(user))

    def _fields_hidden_q(self, user: AnyUser) -> Q:
        return self._protected_q() & ~editable_q(user, self.record_model)

    def _protected_q(self) -> Q:
        return ~Q(password="")

    def _fields_visible_q(self, user: AnyUser) -> Q:
        if editable_q(user, self.record_model) is EVERY_ROW:
            # The condition below would be left out of the SQL, which could not be compiled once then.
            return EVERY_ROW
        # By excluding the few events with a password, which have an index, so that counting reads no other events.
        hidden = self._events().with_fields_hidden_from(user)
        return ~Q(pk__in=hidden.order_by().values("pk"))

    def with_field_visibility(self, user: AnyUser) -> Self:
        """Annotate `has_visible_fields`; see `with_fields_visible_to`."""
        return self.annotate(has_visible_fields=Case(When(self._fields_visible_q(user), then=True), default=False))

    def matching_for(self, text: str, user: AnyUser) -> Self:
        """Filter to events as other rows, by the fields that the user sees, which may be the title alone."""
        if editable_q(user, self.record_model) is EVERY_ROW:
            return self.matching(text)
        # Not `_fields_visible_q`: events are read for their search text anyway.
        is_visible = ~self._fields_hidden_q(user)

        def contains(term: str) -> Q:
            return Q(is_visible | self.in_title_q(term), search_text__contains=term)

        query = SearchQuery.parse(text)
        return restrict(self, query.required)._matching(query, contains)

    def found_by_terms(self) -> Self:
        """Filter to events that anonymous visitors find by their categories and tags if they are published (D32)."""
        return self.filter(found_by_terms_q())

    def seen_by_everybody(self) -> Self:
        # Not super(): a CompiledQuerySet calls this method without being an instance of this class.
        return self.published().found_by_terms()

    def due_ids_found_by_terms(self) -> list[int]:
        """Return the ids of `due()` events that term counts include. One query, a second one if events are due."""
        ids = self.due_ids()
        return list(self.filter(pk__in=ids).found_by_terms().values_list("pk", flat=True)) if ids else []

    def early(self) -> Self:
        """Filter to published events whose publication date has not come, which no service leaves; unordered."""
        later = clock.now_among(Moments.PUBLICATION)
        return self.filter(status=Status.PUBLISH, published_at__gt=later).order_by()

    def early_ids(self) -> list[int]:
        """Return the ids of `early()` events. One query."""
        return [pk for (pk,) in fetch_columns(self.early(), ("pk",))]

    def has_unsettled(self) -> bool:
        """Return whether some events are public although scheduled, or published but not yet public. One query.

        The statuses of other events say whether they are public.
        """
        now = connection.ops.adapt_datetimefield_value(clock.now_among(Moments.PUBLICATION))
        ((is_unsettled,),) = run_as_health_check(_unsettled_sql(self.record_model), (now, now))
        return bool(is_unsettled)

    # --- Links. EXISTS, so that a second link adds no duplicate row.

    def at_venues(self, ids: Iterable[int]) -> Self:
        return self._linked("IndexedVenue", ids)

    def organized_by(self, ids: Iterable[int]) -> Self:
        return self._linked("IndexedOrganizer", ids)

    def in_categories(self, ids: Iterable[int]) -> Self:
        """Filter to events in any of these categories or their subcategories."""
        return self._linked("IndexedCategory", ids)

    def tagged(self, ids: Iterable[int]) -> Self:
        return self._linked("IndexedTag", ids)

    def _linked(self, model: str, ids: Iterable[int]) -> Self:
        links = self.rows_of(self._model(model)).filter(linked_id__in=list(ids))
        return self.filter(exists(links.filter(event_id=OuterRef(self.id_column))))

    def linked_to(self, relation: str, ids: Iterable[int]) -> Self:
        """Filter to events linked to any of these records by `relation`, such as `venues`.

        Unlike `at_venues()` and similar methods, starts from the links: for all events of a record, without a window.
        """
        field = self._field(relation)
        links = field.remote_field.through._default_manager.filter(**{f"{field.m2m_reverse_field_name()}__in": ids})
        return self.filter(pk__in=links.order_by().values("event"))

    def with_values(self, *conditions: Q, **values: Any) -> Self:
        """Filter by columns of the events."""
        return self.filter(*conditions, **values)

    def with_value_among(self, column: str, values: Collection[str]) -> Self:
        """Filter to events with one of these values in a column of `USUAL_VALUES`."""
        usual = USUAL_VALUES[column]
        # The condition of the index.
        conditions = [] if usual in values else [~Q(**{column: usual})]
        return self.with_values(*conditions, **{f"{column}__in": values})

    def with_coordinates(self, user: AnyUser, has_coordinates: bool) -> Self:
        """Filter to events with a venue that has coordinates and that the user may see, or to those without one."""
        links = self._visible_venue_links(user).filter(venue__geo_lat__isnull=False)
        located = exists(links.filter(event=OuterRef(self.id_column)))
        return self.filter(located if has_coordinates else ~located)

    def located_venues(self, user: AnyUser) -> Any:
        """Return the venues with coordinates that the user may see, unordered."""
        return self._venues().visible_to(user).filter(geo_lat__isnull=False).order_by()

    def venue_ids_within(self, circle: Circle, user: AnyUser) -> list[int]:
        """Return the ids of the venues within the circle that the user may see. One query."""
        venues = self.located_venues(user).filter(circle.box_q()).annotate(distance=circle.distance())
        return [pk for (pk,) in fetch_columns(venues.filter(distance__lte=circle.max_distance), ("pk",))]

    def count_venues(self, circle: Circle) -> list[int]:
        """Return the number of venues in the bounding box of the circle, and of all venues. One query."""
        venues = self._venues().order_by()
        return count_each(venues.filter(circle.box_q()), venues)

    def venue_ids_elsewhere(self, circle: Circle, user: AnyUser) -> list[int]:
        """Return the ids of all venues but those of `venue_ids_within`. One query."""
        venues = self._venues().annotate(distance=circle.distance()).order_by()
        # Where coordinates are NULL, the condition on the latitude makes this false, not NULL.
        is_within = visible_q(user, venues.model) & Q(geo_lat__isnull=False, distance__lte=circle.max_distance)
        return [pk for (pk,) in fetch_columns(venues.exclude(is_within), ("pk",))]

    def at_many_venues(self, ids: list[int]) -> Self:
        """Filter to events at any of these venues, by looking up the venues of each event."""
        return self.filter(exists(self._venue_links(IsAmong(F("linked_id"), ids))))

    def at_other_venues(self, ids: list[int]) -> Self:
        """Filter to events at any venue but these, by looking up the venues of each event."""
        return self.filter(exists(self._venue_links(~Q(IsAmong(F("linked_id"), ids)))))

    def _venue_links(self, *conditions: Any) -> Any:
        links = self.rows_of(self._model("IndexedVenue"))
        return links.filter(*conditions, event_id=OuterRef(self.id_column))

    def with_distance(self, circle: Circle, user: AnyUser) -> Self:
        """Annotate `distance`, which grows with the distance of the nearest venue that the user may see."""
        links = (
            self._visible_venue_links(user)
            .annotate(distance=circle.distance("venue__"))
            .filter(event=OuterRef(self.id_column), distance__lte=circle.max_distance)
        )
        return self.annotate(distance=first_of(links.order_by("distance"), "distance"))

    def with_accessibility(self, features: Iterable[str], user: AnyUser) -> Self:
        """Filter to events that have each of these features themselves, or at a venue that the user may see.

        Three queries for each feature: a few events are found by their ids.
        """
        rows = self
        for feature in features:
            venues = self._venues().visible_to(user).filter(accessibility__contains=feature).order_by()
            venue_ids = [pk for (pk,) in fetch_columns(venues, ("pk",))]
            links = self.rows_of(self._model("IndexedVenue"))
            # The first condition as in that of the index.
            own = self._events().filter(~Q(accessibility=""), accessibility__contains=feature).order_by()
            ids = [
                pk
                for found, column in ((own, "pk"), (links.of_many(venue_ids).order_by(), "event_id"))
                for (pk,) in fetch_columns(found, (column,), slice(0, MANY_ACCESSIBLE))
            ]
            if len(ids) < MANY_ACCESSIBLE:
                rows = rows.filter(IsOneOf(F("pk"), ids))
                continue
            at_venue = exists(links.filter(IsAmong(F("linked_id"), venue_ids), event_id=OuterRef("pk")))
            rows = rows.filter(Q(pk__in=own.values("pk")) | Q(at_venue))
        return rows

    def _visible_venue_links(self, user: AnyUser) -> Any:
        """Return the links of events to venues that the user may see."""
        field = self._field("venues")
        links = self.rows_of(field.remote_field.through)
        return links.filter(visible_q(user, field.related_model, "venue__")).order_by()

    def without_venues(self) -> Self:
        links = self._field("venues").remote_field.through._default_manager
        return self.filter(~Exists(links.filter(event=OuterRef(self.id_column))))

    def ticketed(self, has_tickets: bool) -> Self:
        """Filter to events with tickets, or to those without."""
        tickets = exists(self.rows_of(self._field("tickets").related_model).filter(event=OuterRef(self.id_column)))
        return self.filter(tickets if has_tickets else ~tickets)

    def _venues(self) -> Any:
        return self.rows_of(self._field("venues").related_model)

    def _field(self, name: str) -> Any:
        # By name, because the module of the models imports this one.
        return self.record_model._meta.get_field(name)

    def _model(self, name: str) -> Any:
        return self.model._meta.apps.get_model(self.model._meta.app_label, name)

    def _events(self) -> Any:
        return self.rows_of(self.record_model)

    # --- Changes

    def modified_after(self, moment: datetime) -> Self:
        return self._modified(Q(modified_at__gt=moment))

    def modified_before(self, moment: datetime) -> Self:
        return self._modified(Q(modified_at__lt=moment))

    def _modified(self, condition: Q) -> Self:
        """Filter by the last change. One query: a few events are found by their ids, and not by their starts."""
        modified = self._events().filter(condition).order_by()
        ids = [pk for (pk,) in fetch_columns(modified, ("pk",), slice(0, MANY_MODIFIED))]
        rows = self.filter(condition)
        return rows if len(ids) == MANY_MODIFIED else rows.filter(IsOneOf(F("pk"), ids))

    # --- Lists

    def listed(self) -> Self:
        """Filter to events that lists show. `hide_from_listings` hides an event from every user."""
        return self.filter(hide_from_listings=False)

    def ordered_by_local_start(self) -> Self:
        """Order by the local time of the start, not by its moment."""
        return self.order_by("start_local", self.id_column)

    def is_faster_by_order(self, needed: int, total: int) -> bool:
        """Return whether the first rows are found sooner by an index of their order than by the window of their starts.

        `needed` of the `total` rows. An index of the order is read from its beginning, also rows outside of the window;
        all rows in the window are sorted. One query for long lists on SQLite; PostgreSQL decides by itself.
        """
        return connection.vendor == "sqlite" and self.is_dense(needed, total)

    def is_dense(self, needed: int, total: int) -> bool:
        """Return whether the first rows of a list are found sooner by reading events in its order than by reading it.

        `needed` of the `total` rows. One query for long lists.
        """
        if total < MIN_READ_BY_ORDER:
            return False
        newest = fetch_columns(self._events().order_by("-pk"), ("pk",), slice(0, 1))
        return bool(newest) and needed * newest[0][0] < total * total

    def upcoming(self, moment: datetime) -> Self:
        return self.ending_after(moment).ordered_by_local_start()

    def ancestor_ids(self, event_id: int) -> list[int]:
        """Return the ids of the event and of its ancestors. One query for each."""
        ids: list[int] = []
        parent: int | None = event_id
        while parent is not None and parent not in ids:
            ids.append(parent)
            parent = self._events().filter(pk=parent).values_list("parent", flat=True).first()
        return ids


@lru_cache
def _unsettled_sql(model: Any) -> str:
    """Return the SQL for whether there are `due()` or `early()` events. Its parameter, twice, is the current time.

    It reads one end of a partial index for each, whatever the time is, so PostgreSQL can keep the plan.
    """
    first, last = (
        f"(SELECT {function}(published_at) FROM {model._meta.db_table} WHERE status = '{status}')"  # noqa: S608
        for function, status in (("MIN", Status.FUTURE), ("MAX", Status.PUBLISH))
    )
    return f"SELECT {first} <= %s OR {last} > %s"


class SeriesQuerySet(ContentQuerySet):
    def visible_to(self, user: AnyUser) -> Self:
        """Filter to series that the user may read.

        Those who may not change a series see it without a password, and if a list shows them one of its events.
        """
        rows = self.filter(visible_q(user, self.record_model))
        is_editable = editable_q(user, self.record_model)
        if is_editable is EVERY_ROW:
            return rows
        # By name, because the module of the models imports this one.
        events = self.rows_of(self.record_model._meta.apps.get_model("events", "Event")).visible_to(user)
        shown = events.listed().with_fields_visible_to(user).filter(series=OuterRef("pk")).order_by()
        return rows.filter(is_editable | Q(Q(password=""), exists(shown)))
