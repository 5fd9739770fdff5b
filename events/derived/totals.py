"""The totals of long lists of events, by the tallies of days (decision 0051)."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import F, Q

from calendar_site.core import clock, permissions
from calendar_site.core.choices import Status
from calendar_site.core.clock import Moments
from calendar_site.core.compiled_queries.query_shapes import BoundSQL
from calendar_site.core.compiled_queries.querysets import CompiledQuerySet, count_each, count_rows
from calendar_site.core.dates.conversion import to_utc_wire
from calendar_site.core.search.index import IsOneOf
from calendar_site.core.types import AnyUser
from events.derived import tallies
from events.models import Event
from events.querysets import LONG_DURATION, MAX_UTC_OFFSET, earliest_start

# It takes longer to find the total by the tally than to count fewer events.
MIN_TALLIED = 2000
# The minimum for the events of a category or tag.
MIN_TALLIED_OF_TERM = 1000
# The lists that were long in this process. One that has become short is counted by the tally as well.
MAX_LONG_LISTS = 1000
_long_lists: set[Hashable] = set()


class Days(NamedTuple):
    """The local days after `after` and before `before`, as text. Missing bounds are "".

    Events of the list that start before the day `recent` are long; "" if none starts before the others.
    """

    after: str
    before: str
    recent: str = ""

    @classmethod
    def surely_within(cls, since: datetime | None, until: datetime | None, *, has_earlier: bool = False) -> Days:
        """Return the days on which all events lie between two moments, except long ones.

        With `has_earlier`, the list may have events that start before `since`, but end after it.
        """
        return cls(
            to_utc_wire(since + MAX_UTC_OFFSET)[:10] if since else "",
            to_utc_wire(until - LONG_DURATION - MAX_UTC_OFFSET)[:10] if until else "",
            to_utc_wire(earliest_start(since))[:10] if since and has_earlier else "",
        )

    @property
    def is_empty(self) -> bool:
        return bool(self.before) and self.before <= self.after

    def outside(self, rows: Any) -> list[Any]:
        """Return the events, or links, that start before and after these days."""
        before = [rows.filter(start_local__lte=f"{self.after} 23:59:59")] if self.after else []
        return before + ([rows.filter(start_local__gte=self.before)] if self.before else [])

    def events_outside(self, events: Any) -> list[Any]:
        """Return the events of `outside()`, without those before `recent` that are not long."""
        if not self.recent:
            return self.outside(events)
        before, *after = self.outside(events)
        return [
            events.filter(start_local__lt=self.recent, is_long=True),
            before.filter(start_local__gte=self.recent),
            *after,
        ]

    def starting_on(self, events: Any) -> Any:
        if self.after:
            events = events.filter(start_local__gt=f"{self.after} 23:59:59")
        return events.filter(start_local__lt=self.before) if self.before else events


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
    elif count_each(_sum_of_tally(statuses, days, None))[0] < MIN_TALLIED:
        # Few of the events that are read may be featured.
        return count_rows(listed)
    # The conditions on days come first, because SQLite searches its index by the first one on a column.
    on_days = days.starting_on(events)
    counted_rows = [on_days.filter(is_long=True), *days.events_outside(events)]
    total = sum(count_each(_sum_of_tally(statuses, days, featured), *map(in_list, counted_rows)))
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
    listed: Any, term: TermLinks, in_list: Callable[[Any], Any], user: AnyUser, days: Days, until: datetime | None
) -> int:
    """Return the number of `listed` links: those of the term that remain after `in_list`.

    For long lists. `in_list` accepts links and events. It keeps all that start on the days, unless they end at or after
    `until`. Five queries at most, and those of `in_list`.
    """
    if days.is_empty or not permissions.reads_published_only(user, Event):
        return count_rows(listed)
    on_days = days.starting_on(term.events)
    tallied = on_days.listed().found_by_terms().filter(status=Status.PUBLISH)
    # These are tallied, but may end too late for the list.
    late = Q(is_long=True, end__gte=until) if until else Q(pk__in=[])
    superfluous, *counts = count_each(
        tallied.filter(late),
        _sum_of_term_tally(term, days),
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


def _sum_of_tally(statuses: list[str], days: Days, featured: bool | None) -> BoundSQL:
    conditions = [f"status IN ({', '.join(['%s'] * len(statuses))})"]
    values: list[Any] = [*statuses]
    # Both values, so that the database finds the days by the primary key.
    conditions.append(f"featured IN ({', '.join(['%s'] * (2 if featured is None else 1))})")
    values += [False, True] if featured is None else [featured]
    on_days, bounds = _conditions_on(days)
    return _sum_of_counts(tallies.EVENTS.name, [*conditions, *on_days], [*values, *bounds])


def _sum_of_term_tally(term: TermLinks, days: Days) -> BoundSQL:
    conditions, values = _conditions_on(days)
    table = tallies.TERMS[term.parameter].name
    return _sum_of_counts(table, ["linked_id = %s", *conditions], [term.linked_id, *values])


def _conditions_on(days: Days) -> tuple[list[str], list[Any]]:
    bounds = [bound for bound in (("day > %s", days.after), ("day < %s", days.before)) if bound[1]]
    return [condition for condition, _day in bounds], [day for _condition, day in bounds]


def _sum_of_counts(table: str, conditions: list[str], values: list[Any]) -> BoundSQL:
    sql = f"SELECT COALESCE(SUM(count), 0) FROM {table} WHERE {' AND '.join(conditions)}"
    return BoundSQL(sql, tuple(values))
