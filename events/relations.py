"""The relations of events: categories, tags, venues, organizers and tickets, as the state that histories record."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, TypedDict

from django.db import models
from django.db.models import QuerySet, Value

from calendar_site.core.compiled_queries.queries import CompiledQuery, example_ids
from events.models import Event, EventOrganizer, EventVenue, Ticket


class TicketState(TypedDict):
    """A ticket as JSON."""

    name: str
    price: str
    currency: str
    url: str
    # ISO 8601, in UTC.
    available_from: str | None
    available_until: str | None
    sold_out: bool


class EventRelations(TypedDict):
    """The extra state of an event: the ids of its links and its tickets, each in their order."""

    categories: list[int]
    tags: list[int]
    venues: list[int]
    organizers: list[int]
    tickets: list[TicketState]


RELATIONS = ("categories", "tags", "venues", "organizers", "tickets")
# The relations to linked records.
LINKED_RELATIONS = tuple(name for name in RELATIONS if name != "tickets")
TICKET_COLUMNS = ("name", "price", "currency", "url", "available_from", "available_until", "sold_out")
# The placeholders of links for these columns, since one query reads links and tickets.
_NO_TICKET = (
    Value(""),
    Value(None, models.DecimalField()),
    Value(""),
    Value(""),
    Value(None, models.DateTimeField()),
    Value(None, models.DateTimeField()),
    Value(False),
)


def load_relations(events: Iterable[Event]) -> dict[int, EventRelations]:
    """Return the relations of each event by its id; one query, none if all events are new."""
    ids = [event.pk for event in events if event.pk]
    found: dict[int, Any] = {pk: no_relations() for pk in ids}
    if ids:
        rows = _relations_query(len(ids)).run_for(ids)
        for event, name, _position, _link, pk, *ticket in sorted(rows, key=lambda row: row[:5]):
            found[event][name].append(_ticket_state(*ticket) if name == "tickets" else pk)
    return found


@lru_cache(maxsize=64)
def _relations_query(count: int) -> CompiledQuery:
    """Return the compiled query for the relations of `count` events. Building it takes longer than running it."""
    ids = example_ids(count)
    rows = _tickets(ids).union(
        _links("categories", Event.categories.through, "category", (Value(0), Value(0)), ids),
        _links("tags", Event.tags.through, "tag", (Value(0), Value(0)), ids),
        _links("venues", EventVenue, "venue", ("position", "pk"), ids),
        _links("organizers", EventOrganizer, "organizer", ("position", "pk"), ids),
        all=True,
    )
    return CompiledQuery(rows)


def no_relations() -> EventRelations:
    """Return the relations of a new event."""
    return {"categories": [], "tags": [], "venues": [], "organizers": [], "tickets": []}


def _tickets(ids: range) -> QuerySet:
    """Return event, relation, the two columns of the order, id and TICKET_COLUMNS of the tickets."""
    tickets = Ticket.objects.filter(event__in=ids).order_by()
    return tickets.values_list("event", Value("tickets"), "position", Value(0), "pk", *TICKET_COLUMNS)


def _links(name: str, link: Any, column: str, order: tuple[Any, Any], ids: range) -> QuerySet:
    """Return the same columns for links. `column` is the column with the id of the linked record."""
    rows = link._default_manager.filter(event__in=ids).order_by()
    return rows.values_list("event", Value(name), *order, column, *_NO_TICKET)


def _ticket_state(
    name: str,
    price: Any,
    currency: str,
    url: str,
    available_from: datetime | None,
    available_until: datetime | None,
    sold_out: bool,
) -> TicketState:
    return {
        "name": name,
        "price": f"{price:.2f}",
        "currency": currency,
        "url": url,
        "available_from": _iso_utc(available_from),
        "available_until": _iso_utc(available_until),
        "sold_out": sold_out,
    }


def _iso_utc(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).isoformat() if moment is not None else None


def ticket_states(tickets: Iterable[Ticket]) -> list[TicketState]:
    return [_ticket_state(*(getattr(ticket, name) for name in TICKET_COLUMNS)) for ticket in tickets]
