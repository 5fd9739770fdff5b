"""Conditions on rows with the times of an event: on events, and on links that stand for them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Self

from django.db.models import F, Q

from calendar_site.content.querysets import ContentQuerySet
from calendar_site.core.compiled_queries.querysets import fetch_columns
from calendar_site.core.dates.conversion import to_utc_wire
from calendar_site.core.permissions import EVERY_ROW, editable_q
from calendar_site.core.search.index import IsAmong
from calendar_site.core.types import AnyUser

# More than the largest offset of a time zone, 14 hours: how far `start_local` may be from `start`.
MAX_UTC_OFFSET = timedelta(hours=15)
# Events that last longer are few. They are marked `is_long` and found by a query of their own.
LONG_DURATION = timedelta(days=7)


def earliest_start(moment: datetime) -> datetime:
    """Return a moment at or before the local start of all events that end after `moment` and are not long."""
    return moment - LONG_DURATION - MAX_UTC_OFFSET


class ScheduledQuerySet(ContentQuerySet):
    """Rows with the times, the status and the visibility of an event, whose id is in `id_column`."""

    @property
    def protected_q(self) -> Q:
        """The condition for events with a password."""
        raise NotImplementedError

    # --- Time. Each condition comes with one on the local start, which excludes no other events: indexes are ordered
    # by it.

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

    def ending_after(self, moment: datetime, long_starts: Mapping[int, str] | None = None) -> Self:
        """Filter to events that end after `moment`. One query for `long_starts`, if they are not given."""
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
        rows = self.events.filter(is_long=True, end__gt=moment, start__lt=moment - LONG_DURATION)
        return dict(fetch_columns(rows.order_by(), ("pk", "start_local")))

    def on_days(self, first: date, last: date) -> Self:
        """Filter to events on any of these days in their own time zone. One query for the few long events."""
        recent, begin, after = (
            f"{day} 00:00:00" for day in (first - LONG_DURATION - timedelta(days=1), first, last + timedelta(days=1))
        )
        # By moments, so that the index of long events is sufficient; the local times decide below.
        midnight = datetime.combine(first, time(), UTC)
        long_events = self.events.filter(
            is_long=True, end__gt=midnight - MAX_UTC_OFFSET, start__lt=midnight - LONG_DURATION + MAX_UTC_OFFSET
        )
        local_starts = dict(fetch_columns(long_events.order_by(), ("pk", "start_local")))
        return self.filter(
            Q(start_local__gte=recent) | Q((f"{self.id_column}__in", list(local_starts))),
            start_local__gte=min([recent, *local_starts.values()]),
            start_local__lt=after,
            end_local__gte=begin,
        )

    def upcoming(self, moment: datetime) -> Self:
        return self.ending_after(moment).ordered_by_local_start()

    def ordered_by_local_start(self) -> Self:
        """Order by the local time of the start, not by its moment."""
        return self.order_by("start_local", self.id_column)

    # --- Visibility. Of events with a password, most users see title and dates only.

    def listed(self) -> Self:
        """Filter to events that lists show. `hide_from_listings` hides an event from every user."""
        return self.filter(hide_from_listings=False)

    def with_fields_visible_to(self, user: AnyUser) -> Self:
        """Filter to events whose fields the user sees without a password, and may filter by."""
        return self.filter(self.fields_visible_q(user))

    def with_fields_hidden_from(self, user: AnyUser) -> Self:
        """Filter to events of which the user sees only the title and dates."""
        return self.filter(self.fields_hidden_q(user))

    def fields_visible_q(self, user: AnyUser) -> Q:
        return ~self.fields_hidden_q(user)

    def fields_hidden_q(self, user: AnyUser) -> Q:
        return self.protected_q & ~editable_q(user, self.record_model)

    @property
    def events(self) -> Any:
        """All events, for a subquery."""
        return self.all_of(self.record_model)

    def sees_every_field(self, user: AnyUser) -> bool:
        """Return whether no event hides its fields from the user."""
        return editable_q(user, self.record_model) is EVERY_ROW
