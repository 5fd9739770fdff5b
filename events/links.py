"""What events have beside their columns, as their history keeps it: terms, venues, organizers and tickets."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.db import models
from django.db.models import QuerySet, Value

from events.models import Event, EventOrganizer, EventVenue, Ticket

# The ids of what is linked, in its order, and the facts of tickets in theirs.
Links = dict[str, list[Any]]

LINKS = ("categories", "tags", "venues", "organizers", "tickets")
FACTS = ("name", "price", "currency", "url", "available_from", "available_until", "sold_out")
# What links have in the place of facts, for the one query that reads both.
NO_FACTS = (
    Value(""),
    Value(None, models.DecimalField()),
    Value(""),
    Value(""),
    Value(None, models.DateTimeField()),
    Value(None, models.DateTimeField()),
    Value(False),
)


def links_of(events: Iterable[Event]) -> dict[int, Links]:
    """The links of each event, by its id. A query, none for events that are new."""
    ids = [event.pk for event in events if event.pk]
    found: dict[int, Links] = {pk: no_links() for pk in ids}
    if ids:
        rows = _tickets(ids).union(
            _linked("categories", Event.categories.through, "category", Value(0), ids),
            _linked("tags", Event.tags.through, "tag", Value(0), ids),
            _linked("venues", EventVenue, "venue", "position", ids),
            _linked("organizers", EventOrganizer, "organizer", "position", ids),
            all=True,
        )
        for event, name, _place, key, *facts in sorted(rows, key=lambda row: row[:4]):
            found[event][name].append(_as_json(facts) if name == "tickets" else key)
    return found


def no_links() -> Links:
    return {name: [] for name in LINKS}


def facts_of(ticket: Ticket) -> dict[str, Any]:
    """What there is to know of a ticket, as JSON holds it."""
    return _as_json([getattr(ticket, name) for name in FACTS])


def _as_json(facts: Iterable[Any]) -> dict[str, Any]:
    fact = dict(zip(FACTS, facts, strict=True))
    dates = {name: _moment(fact[name]) for name in ("available_from", "available_until")}
    return {**fact, **dates, "price": f"{fact['price']:.2f}"}


def _moment(moment: datetime | None) -> str | None:
    return moment and moment.astimezone(UTC).isoformat()


def _tickets(ids: list[int]) -> QuerySet:
    """Event, name of the link, place, key, and FACTS."""
    tickets = Ticket.objects.filter(event__in=ids).order_by()
    return tickets.values_list("event", Value("tickets"), "position", "pk", *FACTS)


def _linked(name: str, link: Any, column: str, place: Any, ids: list[int]) -> QuerySet:
    rows = link._default_manager.filter(event__in=ids).order_by()
    return rows.values_list("event", Value(name), place, column, *NO_FACTS)
