"""The totals of long lists of events, by the tally of days (decision 0051)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import F

from calendar_site.core import clock, permissions
from calendar_site.core.choices import Status
from calendar_site.core.clock import Moments
from calendar_site.core.compiled_querysets import count_rows
from calendar_site.core.database_driver import run_sql
from calendar_site.core.dates import to_utc_wire
from calendar_site.core.search_index import IsOneOf
from calendar_site.core.types import AnyUser
from events.derived.tallies import TALLY
from events.models import Event
from events.querysets import LONG_DURATION, MAX_UTC_OFFSET

# It takes longer to find the total by the tally than to count fewer events.
MIN_TALLIED = 2000


class Days(NamedTuple):
    """The local days after `after` and before `before`, as text. Missing bounds are ""."""

    after: str
    before: str

    @classmethod
    def surely_within(cls, since: datetime | None, until: datetime | None) -> Days:
        """Return the days on which all events lie between two moments, except long ones."""
        return cls(
            to_utc_wire(since + MAX_UTC_OFFSET)[:10] if since else "",
            to_utc_wire(until - LONG_DURATION - MAX_UTC_OFFSET)[:10] if until else "",
        )

    @property
    def is_empty(self) -> bool:
        return bool(self.before) and self.before <= self.after

    def starting_before(self, events: Any) -> Any:
        return events.filter(start_local__lte=f"{self.after} 23:59:59")

    def starting_after(self, events: Any) -> Any:
        return events.filter(start_local__gte=self.before)

    def starting_on(self, events: Any) -> Any:
        if self.after:
            events = events.filter(start_local__gt=f"{self.after} 23:59:59")
        return events.filter(start_local__lt=self.before) if self.before else events


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

    `in_list` keeps all events of the days that lists show to the user. It may have any conditions on the time of events
    on other days and of long events, which are counted. `featured` is its condition on that column, None for none;
    `hides_protected`, whether it leaves out the events whose fields the user does not see. One query for few events,
    else nine at most.
    """
    statuses = _tallied_statuses(user)
    if not statuses or days.is_empty:
        return count_rows(listed)
    if featured is None:
        counted = count_rows(listed, at_most=MIN_TALLIED)
        if counted < MIN_TALLIED:
            return counted
    elif _sum_tally(statuses, days, None) < MIN_TALLIED:
        # Few of the events that are read may be featured.
        return count_rows(listed)
    # The conditions on days come first, because SQLite searches its index by the first one on a column.
    on_days = days.starting_on(events)
    total = _sum_tally(statuses, days, featured) + count_rows(in_list(on_days.filter(is_long=True)))
    if days.after:
        total += count_rows(in_list(days.starting_before(events)))
    if days.before:
        total += count_rows(in_list(days.starting_after(events)))
    tallied = on_days.listed().filter(is_long=False, status__in=statuses)
    if featured is not None:
        tallied = tallied.filter(featured=featured)
    if statuses == [Status.PUBLISH]:
        # Not as a subquery: PostgreSQL would read all events of the days, and look for each among those that are due.
        if due := events.due_ids():
            total += count_rows(in_list(on_days.filter(IsOneOf(F("pk"), due), is_long=False)))
        total -= count_rows(tallied.filter(pk__in=events.rows_of(Event).early().values("pk")))
        tallied = tallied.filter(published_at__lte=clock.now_among(Moments.PUBLICATION))
    if hides_protected:
        hidden = events.rows_of(Event).with_fields_hidden_from(user).order_by()
        total -= count_rows(tallied.filter(pk__in=hidden.values("pk")))
    return total


def _tallied_statuses(user: AnyUser) -> list[str]:
    """Return the statuses of the events that the user sees, apart from scheduled events; none for authors.

    Authors see their own drafts, which the tally does not distinguish.
    """
    if permissions.role_allows(user, "change_others", Event):
        return [status for status in Status.values if status != Status.TRASH]
    return [] if permissions.role_allows(user, "change", Event) else [Status.PUBLISH]


def _sum_tally(statuses: list[str], days: Days, featured: bool | None) -> int:
    conditions = [f"status IN ({', '.join(['%s'] * len(statuses))})"]
    values: list[Any] = [*statuses]
    # Both values, so that the database finds the days by the primary key.
    conditions.append(f"featured IN ({', '.join(['%s'] * (2 if featured is None else 1))})")
    values += [False, True] if featured is None else [featured]
    for comparison, day in (("day > %s", days.after), ("day < %s", days.before)):
        if day:
            conditions.append(comparison)
            values.append(day)
    sql = f"SELECT SUM(count) FROM {TALLY} WHERE {' AND '.join(conditions)}"
    ((total,),) = run_sql(sql, tuple(values))
    return int(total or 0)
