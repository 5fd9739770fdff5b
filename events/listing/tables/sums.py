"""The sums of the tallies of days."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from calendar_site.core.compiled_queries.query_shapes import BoundSQL
from calendar_site.core.dates.conversion import to_utc_wire
from events.listing.tables import tallies
from events.scheduled_querysets import LONG_DURATION, MAX_UTC_OFFSET, earliest_start


class Days(NamedTuple):
    """The local days after `after` and before `before`, as text. Missing bounds are "".

    Events of the list that start before the day `recent` are long; "" if none starts before the others.
    """

    after: str
    before: str
    recent: str = ""

    @classmethod
    def inside(cls, since: datetime | None, until: datetime | None, *, includes_ongoing: bool = False) -> Days:
        """Return the days on which all events lie between two moments in every time zone, except long ones.

        With `includes_ongoing`, the list may have events that start before `since`, but end after it.
        """
        return cls(
            to_utc_wire(since + MAX_UTC_OFFSET)[:10] if since else "",
            to_utc_wire(until - LONG_DURATION - MAX_UTC_OFFSET)[:10] if until else "",
            to_utc_wire(earliest_start(since))[:10] if since and includes_ongoing else "",
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


def sum_of_events(statuses: list[str], days: Days, featured: bool | None) -> BoundSQL:
    """Return the SQL for the number of events with these statuses on the days. `featured` is None for both."""
    conditions = [f"status IN ({', '.join(['%s'] * len(statuses))})"]
    values: list[Any] = [*statuses]
    # Both values, so that the database finds the days by the primary key.
    conditions.append(f"featured IN ({', '.join(['%s'] * (2 if featured is None else 1))})")
    values += [False, True] if featured is None else [featured]
    on_days, bounds = _conditions_on(days)
    return _sum_of_counts(tallies.EVENTS.name, [*conditions, *on_days], [*values, *bounds])


def sum_of_term(parameter: str, linked_id: int, days: Days) -> BoundSQL:
    """Return the SQL for the number of events of a category or tag on the days."""
    conditions, values = _conditions_on(days)
    table = tallies.TERMS[parameter].name
    return _sum_of_counts(table, ["linked_id = %s", *conditions], [linked_id, *values])


def _conditions_on(days: Days) -> tuple[list[str], list[Any]]:
    bounds = [bound for bound in (("day > %s", days.after), ("day < %s", days.before)) if bound[1]]
    return [condition for condition, _day in bounds], [day for _condition, day in bounds]


def _sum_of_counts(table: str, conditions: list[str], values: list[Any]) -> BoundSQL:
    sql = f"SELECT COALESCE(SUM(count), 0) FROM {table} WHERE {' AND '.join(conditions)}"
    return BoundSQL(sql, tuple(values))
