"""Constraints of events in the database."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F

from events.models import Event, EventOrganizer, EventVenue, Ticket
from organizers.models import Organizer
from tests.factories import EventFactory, OrganizerFactory, TicketFactory, VenueFactory
from venues.models import Venue

pytestmark = pytest.mark.django_db


def violates(write, constraint):
    """Whether the database refuses `write`, and because of this constraint."""
    try:
        with transaction.atomic():
            write()
    except IntegrityError as error:
        return constraint in str(error)
    return False


def test_event_does_not_end_before_it_starts():
    event = EventFactory()
    rows = Event.objects.filter(pk=event.pk)

    assert violates(lambda: rows.update(end=F("start") - timedelta(seconds=1)), "event_ends_after_start")
    assert rows.update(end=F("start")) == 1


@pytest.mark.parametrize(
    ("factory", "model", "kind"),
    [(EventFactory, Event, "event"), (VenueFactory, Venue, "venue"), (OrganizerFactory, Organizer, "organizer")],
)
def test_slug_is_unique_outside_the_trash(factory, model, kind):
    first, second = factory(slug="same", status="draft"), factory(status="trash")
    trashed = factory(status="trash")
    second_row = model.objects.filter(pk=second.pk)

    assert second_row.update(slug="same") == 1
    assert model.objects.filter(pk=trashed.pk).update(slug="same") == 1
    # SQLite names the column of a unique index, PostgreSQL the index.
    unique = "UNIQUE constraint failed: " if _is_sqlite() else f"{kind}_slug_unique"
    assert violates(lambda: second_row.update(status="publish"), unique)
    assert model.objects.filter(slug="same").count() == 3
    assert model.objects.get(pk=first.pk).slug == "same"


@pytest.mark.parametrize(("factory", "model", "kind"), [(EventFactory, Event, "event"), (VenueFactory, Venue, "venue")])
def test_status_is_one_of_those_there_are(factory, model, kind):
    factory()

    assert violates(lambda: model.objects.update(status="any"), f"{kind}_status_known")


def test_event_is_no_part_of_itself():
    EventFactory()

    assert violates(lambda: Event.objects.update(parent=F("pk")), "event_not_its_own_part")


def test_link_is_there_once():
    venue, organizer = VenueFactory(), OrganizerFactory()
    event = EventFactory(venues=[venue], organizers=[organizer])

    unique = "UNIQUE constraint failed" if _is_sqlite() else "_once"
    assert violates(lambda: EventVenue.objects.create(event=event, venue=venue), unique)
    assert violates(lambda: EventOrganizer.objects.create(event=event, organizer=organizer), unique)


def test_price_of_a_ticket_is_not_negative():
    ticket = TicketFactory(price=0)

    assert violates(lambda: Ticket.objects.update(price="-0.01"), "ticket_price_not_negative")
    ticket.price = -1
    with pytest.raises(ValidationError) as error:
        ticket.full_clean()
    assert error.value.messages == ["A price cannot be negative."]


def test_author_of_a_record_is_not_deleted():
    event = EventFactory()

    with pytest.raises(IntegrityError), transaction.atomic():
        event.author.delete()


def _is_sqlite():
    from django.db import connection

    return connection.vendor == "sqlite"
