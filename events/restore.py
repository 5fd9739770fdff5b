"""Restoring a revision of an event, with its relations and its cost."""

from __future__ import annotations

from typing import Any

from calendar_site.core.types import AnyUser
from calendar_site.revisions.restore import RestorePlan, linkable_records, lost_links, other_links, plan_restore
from events.costs import cost_of
from events.models import Event
from events.relation_writes import ticket_changes
from events.relations import LINKED_RELATIONS, load_relations, no_relations


def plan_event_restore(revision: Any, event: Event, user: AnyUser) -> RestorePlan:
    """Return the plan to restore the revision of the event; see `plan_restore`."""
    changes, _extra, lost = plan_restore(revision, event, user)
    if event.pk is None or cost_of(revision) != cost_of(event):
        changes["cost"] = cost_of(revision)
    now: Any = load_relations([event]).get(event.pk) or no_relations()
    then = revision.history_extra
    extra = dict(now)
    for name in LINKED_RELATIONS:
        ids = then.get(name, [])
        if ids == now[name]:
            continue
        model = Event._meta.get_field(name).related_model
        changes[name] = linkable_records(model, ids, user)
        restored = [row.pk for row in changes[name]]
        extra[name] = restored + other_links(model, now[name], restored, user)
        if gone := [pk for pk in ids if pk not in extra[name]]:
            lost.append(lost_links(Event, name, gone, revision, user))
    tickets = then.get("tickets", [])
    if tickets != now["tickets"]:
        changes["tickets"], extra["tickets"] = [ticket_changes(ticket) for ticket in tickets], tickets
    return RestorePlan(changes, extra, lost)
