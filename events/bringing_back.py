"""Bringing back an earlier state of an event, with its links, its tickets and its cost."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from calendar_site.content.bringing_back import Earlier, earlier, linkable, lost
from events.costs import cost_of
from events.links import links_of, no_links
from events.models import Event

LINKED = ("categories", "tags", "venues", "organizers")


def earlier_event(state: Any, event: Event, user: Any) -> Earlier:
    """What makes `event` as `state` says."""
    fields, _besides, left_out = earlier(state, event, user)
    if event.pk is None or cost_of(state) != cost_of(event):
        fields["cost"] = cost_of(state)
    now = links_of([event]).get(event.pk) or no_links()
    besides = dict(now)
    for name in LINKED:
        wanted = state.history_besides.get(name, [])
        if wanted == now[name]:
            continue
        model = Event._meta.get_field(name).related_model
        fields[name] = linkable(model, wanted, user)
        found = [row.pk for row in fields[name]]
        besides[name] = found + _kept(model, now[name], found, user)
        if gone := [pk for pk in wanted if pk not in besides[name]]:
            left_out.append(lost(Event, name, gone, state, user))
    tickets = state.history_besides.get("tickets", [])
    if tickets != now["tickets"]:
        fields["tickets"], besides["tickets"] = [_ticket(ticket) for ticket in tickets], tickets
    return Earlier(fields, besides, left_out)


def _kept(model: Any, linked: list[int], found: list[int], user: Any) -> list[int]:
    """What stays linked, since the user is not shown it."""
    shown = {row.pk for row in linkable(model, linked, user)}
    return [pk for pk in linked if pk not in shown and pk not in found]


def _ticket(facts: dict[str, Any]) -> dict[str, Any]:
    """A ticket as `save_event` takes it."""
    bounds = ("available_from", "available_until")
    dates = {name: facts[name] and datetime.fromisoformat(facts[name]) for name in bounds}
    return {**facts, **dates, "price": Decimal(facts["price"])}
