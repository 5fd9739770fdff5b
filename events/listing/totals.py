"""The totals of lists of events, as a plan says: counted, or by the tallies of days (docs/speed.md)."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

from django.db.models import F, Q

from calendar_site.core import clock, permissions
from calendar_site.core.choices import Status
from calendar_site.core.clock import Moments
from calendar_site.core.compiled_queries.querysets import CompiledQuerySet, count_distinct, count_each, count_rows
from calendar_site.core.search.index import IsOneOf
from calendar_site.core.types import AnyUser
from events.choices import AttendanceMode, EventStatus
from events.index_models import IndexedVenue, IndexedVenueCount
from events.listing.conditions import Index, ListContext, linked_to, with_value_among
from events.listing.figures import Figures
from events.listing.plan import Counting, CountPlan, RowsPlan
from events.listing.query import EventListQuery
from events.listing.rows import links_of, restrict
from events.listing.tables.sums import Days, sum_of_events, sum_of_term
from events.models import Event

# It takes longer to find the total by the tally than to count fewer events.
MIN_TALLIED = 2000
# The minimum for the events of a category or tag.
MIN_TALLIED_OF_TERM = 1000
# The lists that were long in this process. One that has become short is counted by the tally as well.
MAX_LONG_LISTS = 1000
_long_lists: set[Hashable] = set()
CHOICES = {"event_status": EventStatus.values, "attendance_mode": AttendanceMode.values}


class EventCounter(NamedTuple):
    """Counts the events of a query among `events`. `find` returns the rows of a plan."""

    query: EventListQuery
    figures: Figures
    events: Any
    find: Callable[[RowsPlan], Any]

    def count(self, plan: CountPlan) -> int:
        match plan.counting:
            case Counting.ROWS:
                return count_rows(self.find(plan.rows))
            case Counting.EVENTS_OF_LINKS:
                return count_distinct(self.find(plan.rows), "event_id")
            case Counting.EVENTS_ELSEWHERE:
                return self._count_elsewhere(plan.rows)
            case Counting.OTHER_VALUES:
                return self._count_other_values(plan)
            case Counting.DAYS:
                total = self._count_days(plan.rows) - sum(map(self.count, plan.minus))
                # An event may have been published between the queries.
                return max(total, 0)
            case Counting.DAYS_OF_TERM:
                return self._count_days_of_term(plan.rows)

    def _restrict(self, plan: RowsPlan) -> Callable[[Any], Any]:
        return lambda rows: restrict(self.query, self.figures, plan, rows)

    def _count_elsewhere(self, plan: RowsPlan) -> int:
        """Return the number of events without a visible venue in the circle. Two queries, one for ids of venues."""
        at_others = self.events.all_of(IndexedVenue).of_events_only_at(self.figures.other_venue_ids)
        without = self.events.all_of(IndexedVenueCount).to_any([IndexedVenueCount.NONE])
        return sum(count_each(*map(self._restrict(plan), (at_others, without))))

    def _count_other_values(self, plan: CountPlan) -> int:
        name = plan.parameter
        others = [value for value in CHOICES[name] if value not in self.query.values[name]]
        return count_rows(with_value_among(self.find(plan.rows), name, others)) if others else 0

    def _count_days(self, plan: RowsPlan) -> int:
        return count_by_tally(
            self.find(plan),
            self.events,
            self._restrict(plan),
            self.query.user,
            Days.inside(self.query.since, self.query.until, includes_ongoing="ends_after" in self.query.days),
            featured=self.query.values.get("featured"),
            hides_protected=self.query.hides_protected_events,
        )

    def _count_days_of_term(self, plan: RowsPlan) -> int:
        name, listed = plan.links, self.find(plan)
        ids = self.query.values[name]
        days = Days.inside(self.query.since, self.query.until)
        few = count_few(listed, days, MIN_TALLIED_OF_TERM, name, *ids)
        if few is not None:
            return few
        context = ListContext(self.query, self.figures, Index.WINDOW)
        term = TermLinks(
            name,
            ids[0],
            links=links_of(self.query, name, self.events, once=False),
            events=linked_to(self.events, name, ids, context),
        )
        return count_term_by_tally(listed, term, self._restrict(plan), self.query, days)


def count_few(listed: Any, days: Days, limit: int, *values: Hashable) -> int | None:
    """Return the number of `listed` events or links, None if there are `limit` or more. One query.

    No query for lists that were that long before: counting `limit` rows takes longer than the rest of the total.
    `values` distinguish lists with the same conditions and days.
    """
    key = (listed.model, listed.shape, days, limit, *values) if isinstance(listed, CompiledQuerySet) else None
    if key in _long_lists:
        return None
    counted = count_rows(listed, at_most=limit)
    if counted < limit:
        return counted
    if key:
        if len(_long_lists) >= MAX_LONG_LISTS:
            _long_lists.clear()
        _long_lists.add(key)
    return None


def count_by_tally(
    listed: Any,
    events: Any,
    in_list: Callable[[Any], Any],
    user: AnyUser,
    days: Days,
    *,
    featured: bool | None,
    hides_protected: bool,
) -> int:
    """Return the number of `listed` events: those of `events` that remain after `in_list`.

    `in_list` keeps all events of the days that lists show to the user, and only long ones before the day `recent`. It
    may have any conditions on the time of events on other days and of long events, which are counted. `featured` is its
    condition on that column, None for none; `hides_protected`, whether it leaves out the events whose fields the user
    does not see. One query for few events, else seven at most, and those of `in_list`.
    """
    statuses = _tallied_statuses(user)
    if not statuses or days.is_empty:
        return count_rows(listed)
    if featured is None:
        few = count_few(listed, days, MIN_TALLIED)
        if few is not None:
            return few
    elif count_each(sum_of_events(statuses, days, None))[0] < MIN_TALLIED:
        # Few of the events that are read may be featured.
        return count_rows(listed)
    # The conditions on days come first, because SQLite searches its index by the first one on a column.
    on_days = days.starting_on(events)
    counted_rows = [on_days.filter(is_long=True), *days.events_outside(events)]
    total = sum(count_each(sum_of_events(statuses, days, featured), *map(in_list, counted_rows)))
    rows = on_days.filter(is_long=False)
    tallied = rows.listed().filter(status__in=statuses)
    if featured is not None:
        tallied = tallied.filter(featured=featured)
    if statuses == [Status.PUBLISH]:
        total += _count_unsettled(events, rows, in_list, tallied)
        tallied = tallied.filter(published_at__lte=clock.now_among(Moments.PUBLICATION))
    if hides_protected:
        total -= count_rows(tallied.with_fields_hidden_from(user))
    return total


def _count_unsettled(events: Any, rows: Any, in_list: Callable[[Any], Any], tallied: Any) -> int:
    """Return how many more of the rows are in the list than are tallied, because their status does not say it.

    One query if there are no such events, else four. Their ids are read first: with a subquery, PostgreSQL would read
    all events of the days, and look for each among those few.
    """
    if not events.has_unsettled():
        return 0
    due, early = events.due_ids(), events.early_ids()
    more, fewer = count_each(in_list(rows.filter(IsOneOf(F("pk"), due))), tallied.filter(IsOneOf(F("pk"), early)))
    return more - fewer


class TermLinks(NamedTuple):
    """A category or tag whose events are counted."""

    # The parameter of the list, and the id of the category or tag.
    parameter: str
    linked_id: int
    # All links to the category or tag, and all events that have one.
    links: Any
    events: Any


def count_term_by_tally(
    listed: Any, term: TermLinks, in_list: Callable[[Any], Any], query: EventListQuery, days: Days
) -> int:
    """Return the number of `listed` links: those of the term that remain after `in_list`.

    For long lists. `in_list` accepts links and events. It keeps all that start on the days, unless they end at or after
    the query's `until`. Five queries at most, and those of `in_list`.
    """
    if days.is_empty or not permissions.reads_published_only(query.user, Event):
        return count_rows(listed)
    on_days = days.starting_on(term.events)
    tallied = on_days.listed().found_by_terms().filter(status=Status.PUBLISH)
    # These are tallied, but may end too late for the list.
    late = Q(is_long=True, end__gte=query.until) if query.until else Q(pk__in=[])
    superfluous, *counts = count_each(
        tallied.filter(late),
        sum_of_term(term.parameter, term.linked_id, days),
        in_list(on_days.filter(late)),
        *map(in_list, days.outside(term.links)),
    )
    total = sum(counts) - superfluous
    return total + _count_unsettled(term.events, on_days.filter(~late), in_list, tallied.filter(~late))


def _tallied_statuses(user: AnyUser) -> list[str]:
    """Return the statuses of the events that the user sees, apart from scheduled events; none for authors.

    Authors see their own drafts, which the tally does not distinguish.
    """
    if permissions.reads_published_only(user, Event):
        return [Status.PUBLISH]
    sees_all = permissions.role_allows(user, "change_others", Event)
    return [status for status in Status.values if status != Status.TRASH] if sees_all else []
