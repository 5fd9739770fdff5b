"""Saving the relations of events: categories, tags, venues, organizers and tickets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, cast

from django.core.exceptions import ValidationError
from django.db.models import Model
from django.utils.translation import gettext as _

from calendar_site.audit.record_services import RelatedErrors
from calendar_site.content.services import creation_keys as linked_keys
from calendar_site.content.services import get_or_create_by_name
from calendar_site.core.compiled_queries.inserts import insert_rows
from calendar_site.core.database.write_lock import lock_keys
from calendar_site.core.permissions import visible_q
from calendar_site.core.types import AnyUser
from calendar_site.core.validators import validate_count
from events.changes import EventChanges, TicketChanges
from events.models import Event, EventOrganizer, EventVenue, Ticket
from events.relations import RELATIONS, TICKET_COLUMNS, EventRelations, TicketState, no_relations, ticket_states
from organizers.models import Organizer
from taxonomy.models import Category, Tag, Term
from taxonomy.services import TermExists, create_term
from taxonomy.services import creation_keys as term_keys
from venues.models import Venue

MAX_COUNTS = {
    "categories": Event.MAX_CATEGORIES,
    "tags": Event.MAX_TAGS,
    "venues": Event.MAX_VENUES,
    "organizers": Event.MAX_ORGANIZERS,
    "tickets": Event.MAX_TICKETS,
}


def lock_new_records(changes: EventChanges) -> None:
    """Lock the names and slugs of the new records in the changes. One query at most; see `lock_keys()`."""
    new: dict[Any, list[Any]] = {
        Category: changes.get("categories", []),
        Tag: changes.get("tags", []),
        Venue: changes.get("venues", []),
        Organizer: changes.get("organizers", []),
    }
    keys: set[str] = set()
    for model, records in new.items():
        keys_of = term_keys if issubclass(model, Term) else linked_keys
        keys.update(*(keys_of(model, record) for record in records if not isinstance(record, Model)))
    lock_keys(keys)


def create_linked_records(changes: EventChanges, user: AnyUser) -> EventChanges:
    """Return the changes with records in place of the data of new ones, which are created.

    Raises ValidationError and PermissionDenied.
    """
    _validate_new_counts(changes)
    lock_new_records(changes)
    found: dict[str, Any] = {**changes}
    for name, model in (("categories", Category), ("tags", Tag)):
        if name in found:
            found[name] = list(model._default_manager.in_bulk(_find_or_create_terms(model, found[name], user)).values())
    for name, linked in (("venues", Venue), ("organizers", Organizer)):
        if name in found:
            found[name] = _find_or_create(name, linked, found[name], user)
    _validate_counts({**no_relations(), **{name: found[name] for name in RELATIONS if name in found}}, no_relations())
    return cast("EventChanges", found)


def set_relations(event: Event, changes: EventChanges, before: EventRelations, user: AnyUser) -> EventRelations:
    """Save the relations in `changes`, and return all relations of the event.

    `before` are its relations before the change. Creates linked records that do not exist yet. Raises ValidationError
    and PermissionDenied.
    """
    _validate_new_counts(changes)
    now = before.copy()
    if "categories" in changes:
        categories = _find_or_create_terms(Category, changes["categories"], user)
        now["categories"] = _set_terms(event, "category", Event.categories.through, categories, before["categories"])
    if "tags" in changes:
        tags = _find_or_create_terms(Tag, changes["tags"], user)
        now["tags"] = _set_terms(event, "tag", Event.tags.through, tags, before["tags"])
    if "venues" in changes:
        venues = _find_or_create("venues", Venue, changes["venues"], user)
        now["venues"] = _set_in_order(event, EventVenue, "venue", venues, before["venues"], user)
    if "organizers" in changes:
        organizers = _find_or_create("organizers", Organizer, changes["organizers"], user)
        now["organizers"] = _set_in_order(event, EventOrganizer, "organizer", organizers, before["organizers"], user)
    if "tickets" in changes:
        now["tickets"] = _set_tickets(event, changes["tickets"], before["tickets"])
    _validate_counts(now, before)
    return now


def _validate_new_counts(changes: Mapping[str, Any]) -> None:
    """Raise ValidationError if the changes contain more new records than an event may have, before any is created."""
    new = {name: [row for row in changes.get(name, ()) if not isinstance(row, Model)] for name in MAX_COUNTS}
    _validate_counts(new, no_relations())


def _validate_counts(now: Mapping[str, Any], before: Mapping[str, Any]) -> None:
    """Raise ValidationError if relations that have changed have more records than an event may have."""
    errors: dict[str, ValidationError] = {}
    for name, limit in MAX_COUNTS.items():
        if now[name] != before[name]:
            try:
                validate_count(len(now[name]), limit)
            except ValidationError as error:
                errors[name] = error
    if errors:
        raise ValidationError(errors)


def _find_or_create_terms(model: Any, terms: list[Any], user: AnyUser) -> set[int]:
    """Return the ids of the terms, creating new ones."""
    ids = set()
    for term in terms:
        try:
            row = term if isinstance(term, Model) else create_term(model, changes=term, user=user)
        except TermExists as known:
            row = known.term
        ids.add(row.pk)
    return ids


def _set_terms(event: Event, column: str, link: Any, ids: set[int], before: list[int]) -> list[int]:
    """Replace the links of the event, to the terms with the ids `before`, by links to these; return the new ids."""
    if removed := set(before) - ids:
        link.objects.filter(event=event, **{f"{column}__in": removed}).delete()
    insert_rows([link(event_id=event.pk, **{f"{column}_id": pk}) for pk in sorted(ids - set(before))])
    return sorted(ids)


def _find_or_create(relation: str, model: Any, records: list[Any], user: AnyUser) -> list[Any]:
    """Return the records in their order and without duplicates, creating new ones. Raises RelatedErrors."""
    rows: dict[int, Model] = {}
    errors: dict[int, ValidationError] = {}
    for position, record in enumerate(records):
        try:
            row = record if isinstance(record, Model) else get_or_create_by_name(model, changes=record, user=user)
        except ValidationError as error:
            errors[position] = error
        else:
            rows[row.pk] = row
    if errors:
        raise RelatedErrors(relation, errors)
    return list(rows.values())


def _set_in_order(event: Event, link: Any, column: str, rows: list[Any], before: list[int], user: AnyUser) -> list[int]:
    """Replace the links of the event, to the ids `before`, by links to the rows; return the new ids.

    Links that the user may not see keep their place, so that a record sent back as it was read changes nothing.
    """
    ids = [row.pk for row in rows]
    if not set(before) <= set(ids):
        model = link._meta.get_field(column).related_model
        links = link.objects.filter(event=event)
        visible = set(links.filter(visible_q(user, model, f"{column}__")).values_list(column, flat=True))
        for position, pk in enumerate(before):
            if pk not in visible and pk not in ids:
                ids.insert(position, pk)
    if before != ids:
        if before:
            link.objects.filter(event=event).delete()
        # In the order of the ids, in which triggers change counters: then no two writes wait for each other.
        positions = sorted((pk, position) for position, pk in enumerate(ids))
        insert_rows([link(event_id=event.pk, position=position, **{f"{column}_id": pk}) for pk, position in positions])
    return ids


def _set_tickets(event: Event, changes: list[TicketChanges], before: list[TicketState]) -> list[TicketState]:
    """Replace the tickets of the event and return their states. Raises RelatedErrors."""
    kept_ids = [ticket["id"] for ticket in changes if "id" in ticket]
    kept = event.tickets.in_bulk(kept_ids) if kept_ids else {}
    tickets, errors = [], {}
    for position, values in enumerate(changes):
        ticket = kept[values["id"]] if "id" in values else Ticket(event=event, position=position)
        for name, value in values.items():
            setattr(ticket, name, value)
        try:
            ticket.full_clean(exclude={"event"})
        except ValidationError as error:
            errors[position] = error
        tickets.append(ticket)
    if errors:
        raise RelatedErrors("tickets", errors)
    if ticket_states(tickets) != before:
        _validate_length(tickets)
    if kept or ticket_states(tickets) != before:
        if before:
            event.tickets.exclude(pk__in=kept).delete()
            event.tickets.bulk_update(kept.values(), (*TICKET_COLUMNS, "position"))
        insert_rows([ticket for ticket in tickets if not ticket.pk])
    # In the order of `load_relations()`.
    tickets.sort(key=lambda ticket: (ticket.position, ticket.pk or 0))
    return ticket_states(tickets)


def ticket_changes(state: TicketState) -> TicketChanges:
    """Return the changes that make a new ticket of its state."""
    return {
        "name": state["name"],
        "price": Decimal(state["price"]),
        "currency": state["currency"],
        "url": state["url"],
        "available_from": _parse_moment(state["available_from"]),
        "available_until": _parse_moment(state["available_until"]),
        "sold_out": state["sold_out"],
    }


def _parse_moment(moment: str | None) -> datetime | None:
    return datetime.fromisoformat(moment) if moment else None


def validated_ticket_states(changes: Iterable[TicketChanges]) -> list[TicketState]:
    """Return the states of new tickets. Raises RelatedErrors."""
    tickets, errors = [], {}
    for position, values in enumerate(changes):
        ticket = Ticket(**{"position": position, **values})
        try:
            ticket.full_clean(exclude={"event"})
        except ValidationError as error:
            errors[position] = error
        tickets.append(ticket)
    if errors:
        raise RelatedErrors("tickets", errors)
    _validate_length(tickets)
    return ticket_states(tickets)


def _validate_length(tickets: Iterable[Ticket]) -> None:
    """Raise ValidationError if the names and URLs of all tickets are too long together."""
    if sum(len(ticket.name) + len(ticket.url) for ticket in tickets) > Event.MAX_TICKETS_LENGTH:
        message = _("The names and URLs of all tickets must have at most %(limit)s characters together.")
        raise ValidationError({"tickets": message % {"limit": Event.MAX_TICKETS_LENGTH}})
