"""The query of a list of events: its valid parameters and its reader."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from calendar_site.api.lists.orders import Order
from calendar_site.core.search.geo import Circle
from calendar_site.core.types import AnyUser
from events.protection.protected_fields import filters_by_hidden_fields

# Parameters about days, in addition to the window. Any of them switches its default bounds off (D20).
DAY_PARAMETERS = ("starts_before", "starts_after", "ends_before", "ends_after")
PLACE_PARAMETERS = ("geoloc", "geoloc_lat")


class EventListQuery(NamedTuple):
    """The valid parameters of a list of events, and the user who sends them."""

    user: AnyUser
    # The values of the parameters that were sent, in their order.
    values: Mapping[str, Any]
    order: Order
    # The first start and the last end of the list, None for no bound.
    first_start: datetime | None = None
    last_end: datetime | None = None
    # The moments of the parameters in DAY_PARAMETERS that were sent.
    days: Mapping[str, datetime] = {}
    circle: Circle | None = None
    # The filters of django-filter by parameter, for those that `conditions.py` does not know.
    filters: Mapping[str, Callable[[Any, Any], Any]] = {}

    @property
    def has_default_order(self) -> bool:
        return not {"order", "orderby"} & self.values.keys()

    @property
    def ignores_dates_and_places(self) -> bool:
        """Return whether events are listed by their ids alone, which clients of the contract expect of `include`."""
        return "include" in self.values

    @property
    def conditions(self) -> dict[str, Any]:
        """Return the parameters with their values, without those that are ignored or say nothing."""
        ignored: set[str] = set()
        if self.ignores_dates_and_places:
            ignored.update(DAY_PARAMETERS, PLACE_PARAMETERS)
        elif self.circle:
            # All events within a circle have coordinates.
            ignored.add("geoloc")
        if not ignored:
            return dict(self.values)
        return {name: value for name, value in self.values.items() if name not in ignored}

    @property
    def hides_protected_events(self) -> bool:
        """Return whether events whose fields a password hides are left out: a filter would tell a value."""
        return filters_by_hidden_fields(self.values)

    @property
    def since(self) -> datetime | None:
        """Return the moment from which no parameter about time excludes events."""
        bounds = (self.first_start, self.days.get("starts_after"), self.days.get("ends_after"))
        return max((bound for bound in bounds if bound), default=None)

    @property
    def until(self) -> datetime | None:
        """Return the moment up to which no parameter about time excludes events."""
        bounds = (self.last_end, self.days.get("starts_before"), self.days.get("ends_before"))
        return min((bound for bound in bounds if bound), default=None)
