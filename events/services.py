"""Writes of events."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.forms.models import model_to_dict
from django.utils.translation import gettext as _

from calendar_site.content.choices import Status
from calendar_site.content.dates import parse_wire_date
from calendar_site.content.querysets import visible_q
from calendar_site.content.recording import record, record_deleted
from calendar_site.content.saving import create_named, delete_named, set_content
from calendar_site.content.transactions import writing
from events.costs import Cost, parse_cost
from events.counts import keeping_counts
from events.links import LINKS, Links, facts_of, links_of, no_links
from events.models import Event, EventOrganizer, EventVenue, Ticket
from events.schedule import GIVEN, set_schedule, zone_of
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from taxonomy.services import TermExists, create_term
from venues.models import Venue

# What a copy has of its own.
NOT_COPIED = ("id", "slug", "status", "author", "published_at", "created_at", "modified_at", "search_text")


def save_event(event: Event, fields: dict[str, Any], user: Any) -> Event:
    """Writes validated `fields` by the model's names; a key that is missing is left alone.

    Linked records are instances, or the fields of new ones, which are created with the rights of the user.
    Raises Django's ValidationError, as the admin form does, and PermissionDenied; then nothing is written.
    """
    with writing():
        publish_due_events()
        before = links_of([event]).get(event.pk) or no_links()
        with keeping_counts([event]):
            set_event(event, fields, user)
            event.full_clean()
            event.save()
            links = before | _set_links(event, fields, user, before)
        record(event, user, links, before=before)
    return event


def move_event(event: Event, step: timedelta, user: Any) -> Event:
    """Moves the event by whole days; its clock shows the same times, and it lasts as long by that clock.

    Raises ValueError for a day that no date can be, and what `save_event` raises.
    """
    zone = zone_of(event)
    try:
        walls = {name: str(datetime.fromisoformat(getattr(event, f"{name}_local")) + step) for name in ("start", "end")}
    except OverflowError as error:
        raise ValueError(_("This is no day.")) from error
    return save_event(event, {name: parse_wire_date(wall, zone) for name, wall in walls.items()}, user)


def duplicate_event(event: Event, user: Any) -> Event:
    """A draft of the user with all that the event says, under a slug of its own.

    Raises ValidationError and PermissionDenied.
    """
    fields: dict[str, Any] = {
        field.attname: getattr(event, field.attname)
        for field in Event._meta.concrete_fields
        if field.name not in NOT_COPIED
    }
    with writing():
        copy = Event(**fields)
        links = {name: list(getattr(event, name).all()) for name in ("categories", "tags")}
        for name, link, column in (("venues", EventVenue, "venue"), ("organizers", EventOrganizer, "organizer")):
            links[name] = [getattr(row, column) for row in link.objects.filter(event=event).select_related(column)]
        tickets = [model_to_dict(ticket, exclude=["id", "event", "position"]) for ticket in event.tickets.all()]
        return save_event(copy, {**links, "tickets": tickets, "status": Status.DRAFT, "author_id": user.pk}, user)


def set_event(event: Event, fields: dict[str, Any], user: Any) -> None:
    """Sets `fields`, links apart, on the event and settles what follows from them. Saves nothing.

    To set the same fields again changes nothing more. Raises ValidationError and PermissionDenied.
    """
    own = {name: value for name, value in fields.items() if name not in (*LINKS, *GIVEN, "cost")}
    set_schedule(event, fields)
    if "cost" in fields:
        set_cost(event, fields["cost"])
    set_content(event, own, user)


def set_cost(event: Event, given: Any) -> None:
    """Sets the cost as it was written, and its parts. What is sent back unchanged keeps its parts."""
    if given == event.cost and event.pk:
        return
    try:
        cost = (
            given
            if isinstance(given, Cost)
            else parse_cost(given, settings.DEFAULT_CURRENCY_SYMBOL, settings.DEFAULT_CURRENCY_POSITION)
        )
    except ValueError as error:
        raise ValidationError({"cost": str(error)}) from error
    event.cost, event.cost_symbol, event.cost_position = cost.text, cost.symbol, cost.position
    event.cost_values = cost.values


def _set_links(event: Event, fields: dict[str, Any], user: Any, before: Links) -> Links:
    """Sets those links that are among `fields`, and answers what they are now."""
    now: Links = {}
    for name, terms in (("categories", Category), ("tags", Tag)):
        if name in fields:
            rows = _found_or_created_terms(terms, fields[name], user)
            getattr(event, name).set(rows)
            now[name] = sorted({row.pk for row in rows})
    if "venues" in fields:
        venues = _found_or_created(Venue, fields["venues"], user)
        now["venues"] = _set_in_order(event, EventVenue, "venue", venues, before["venues"], user)
    if "organizers" in fields:
        organizers = _found_or_created(Organizer, fields["organizers"], user)
        now["organizers"] = _set_in_order(event, EventOrganizer, "organizer", organizers, before["organizers"], user)
    if "tickets" in fields:
        now["tickets"] = _set_tickets(event, fields["tickets"], before["tickets"])
    return now


def _set_tickets(event: Event, tickets: list[dict[str, Any]], before: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The event has these tickets, in this order. Answers their facts; raises ValidationError."""
    new = [Ticket(event=event, position=position, **ticket) for position, ticket in enumerate(tickets)]
    for ticket in new:
        try:
            ticket.full_clean()
        except ValidationError as error:
            raise ValidationError({"tickets": error.messages}) from error
    facts = [facts_of(ticket) for ticket in new]
    if facts != before:
        event.tickets.all().delete()
        Ticket.objects.bulk_create(new)
    return facts


def _found_or_created(model: Any, records: list[Any], user: Any) -> list[Any]:
    """Each record once, in the order given; fields of new ones become records."""
    rows = [record if isinstance(record, Model) else create_named(model, record, user) for record in records]
    return list({row.pk: row for row in rows}.values())


def _found_or_created_terms(model: Any, terms: list[Any], user: Any) -> list[Any]:
    rows = []
    for term in terms:
        try:
            rows.append(term if isinstance(term, Model) else create_term(model, term, user))
        except TermExists as known:
            rows.append(known.term)
    return rows


def _set_in_order(event: Event, link: Any, column: str, rows: list[Any], linked: list[int], user: Any) -> list[int]:
    """Links the event to these rows in their order, in the place of those that are `linked`; answers their ids."""
    links = link.objects.filter(event=event)
    model = link._meta.get_field(column).related_model
    shown = set(links.filter(visible_q(user, model, f"{column}__")).values_list(column, flat=True))
    wanted = [row.pk for row in rows]
    # Nobody takes away what they were not shown: it keeps its place, so that an answer sent back changes nothing.
    for place, pk in enumerate(linked):
        if pk not in shown and pk not in wanted:
            wanted.insert(place, pk)
    if linked != wanted:
        links.delete()
        link.objects.bulk_create(
            link(event=event, position=position, **{f"{column}_id": pk}) for position, pk in enumerate(wanted)
        )
    return wanted


@contextmanager
def recording_links(event: Event, user: Any) -> Iterator[None]:
    """Records what becomes of the event's links inside, where something else than `save_event` writes them."""
    before = links_of([event])[event.pk]
    yield
    record(event, user, links_of([event])[event.pk], before=before)


def trash_event(event: Event, user: Any) -> Event:
    """The event in the trash; its links stay, so that it can come back whole."""
    with writing():
        with keeping_counts([event]):
            event.status = Status.TRASH
            event.save()
        links = links_of([event])[event.pk]
        record(event, user, links, before=links)
    return event


def delete_events(events: QuerySet[Event], user: Any) -> int:
    """Deletes events for good and answers how many. Their parts stand on, and what they link to stays."""
    with writing():
        rows = list(events)
        record_deleted(rows, user, links_of(rows))
        with keeping_counts(rows):
            Event.objects.filter(pk__in=[event.pk for event in rows]).delete()
    return len(rows)


def publish_due_events() -> None:
    """Marks scheduled events whose date has come as published, so that reads find few that are not marked.

    They have been public since that moment: nothing that anybody sees changes. Must run inside `writing()`.
    """
    due = list(Event.objects.due())
    if due:
        with keeping_counts(due):
            Event.objects.filter(pk__in=[event.pk for event in due]).update(status=Status.PUBLISH)


def empty_trash(until: datetime, *, dry_run: bool = False) -> dict[type[Model], int]:
    """Deletes for good what has been in the trash since `until` or longer; answers how many of each kind.

    With `dry_run` only that. Parts of a deleted event stand on, and so do the events of a deleted venue or
    organizer. A record in the trash that somebody changes there counts from that change: never too early.
    """
    with writing():
        events = Event.objects.trashed_until(until)
        venues = Venue.objects.trashed_until(until)
        organizers = Organizer.objects.trashed_until(until)
        amounts: dict[type[Model], int] = {rows.model: rows.count() for rows in (events, venues, organizers)}
        if not dry_run:
            delete_events(events, user=None)
            delete_named(venues, user=None)
            delete_named(organizers, user=None)
    return amounts
