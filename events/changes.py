"""The input of the services of events, by model field name.

Not in `services.py` as in the other apps, because `relations.py`, which it imports, needs these types.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import TypedDict

from calendar_site.content.services import ContentChanges
from events.costs import Cost
from events.models import Event
from organizers.models import Organizer
from organizers.services import OrganizerChanges
from taxonomy.models import Category, Tag
from taxonomy.services import TermChanges
from venues.models import Venue
from venues.services import VenueChanges


class TicketChanges(TypedDict, total=False):
    """The fields of one ticket. A list of tickets replaces all tickets of an event.

    A ticket with an `id` is an existing ticket of the event, and fields that are left out keep their values. A ticket
    without one is new, and fields that are left out get their defaults.
    """

    id: int
    name: str
    price: Decimal
    currency: str
    url: str
    available_from: datetime | None
    available_until: datetime | None
    sold_out: bool
    # By default, the position in the list.
    position: int


class EventChanges(ContentChanges, total=False):
    """The fields of an event; a key that is missing changes nothing.

    Linked records are instances, or the fields of new ones, which are created with the permissions of the user.
    """

    # Aware; see `set_schedule`.
    start: datetime | None
    end: datetime | None
    time_zone: str | None
    all_day: bool
    cost: str | Cost
    website: str
    show_map: bool
    show_map_link: bool
    hide_from_listings: bool
    sticky: bool
    featured: bool
    event_status: str
    event_status_reason: str
    previous_start: datetime | None
    sold_out: bool
    attendance_mode: str
    online_url: str
    hide_online_url: bool
    accessibility: list[str]
    password: str
    parent: Event | None
    categories: list[Category | TermChanges]
    tags: list[Tag | TermChanges]
    # Saved in this order, as are organizers and tickets.
    venues: list[Venue | VenueChanges]
    organizers: list[Organizer | OrganizerChanges]
    tickets: list[TicketChanges]


class SeriesChanges(EventChanges, total=False):
    """The fields of a series: those of its occurrences, with the dates of the first one, and the recurrence.

    `rrule` is a rule as `Rule` writes it, "" for none; the others are lists of local starts (`YYYY-MM-DD HH:MM:SS`).
    """

    rrule: str
    rdate: list[str]
    exdate: list[str]
    # The changes are for this and following events, which become a series of their own.
    from_occurrence: str
    # Occurrences whose events become single events.
    detach: list[str]
