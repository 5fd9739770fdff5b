"""Forms whose row a service saves: it applies the changes once, and the form shows its errors at the fields."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from events.models import Event, Ticket
from tests.factories import EventFactory, TicketFactory, VenueFactory
from tests.support.admin import form_data, form_errors, submit_form
from tests.support.history import last_revision, recorded_changes
from venues.models import Venue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

VENUES = "/admin/venues/venue/"
WRITES = [("UPDATE", "events_event"), ("UPDATE", "events_ticket"), ("INSERT INTO", "events_historicalevent")]
HALF_A_PLACE = "Set both latitude and longitude, or neither."


def test_errors_of_the_service_are_beside_their_fields(editor_browser):
    response = submit_form(editor_browser, f"{VENUES}add/", title="Hall", geo_lat="46.5")

    assert form_errors(response) == {"geo_lng": [HALF_A_PLACE]}
    assert not Venue.objects.exists()


def test_a_refused_change_leaves_the_record_as_it_is(editor_browser):
    venue = VenueFactory(title="Hall")
    before = Venue.objects.values().get()

    response = submit_form(editor_browser, f"{VENUES}{venue.pk}/change/", title="Barn", geo_lat="46.5")

    assert form_errors(response) == {"geo_lng": [HALF_A_PLACE]}
    assert form_data(response)["title"] == ["Barn"]
    assert Venue.objects.values().get() == before
    assert recorded_changes(venue) == [("created", "", "command", [])]


def test_a_refused_change_keeps_the_tickets_that_were_sent(editor_browser):
    event = EventFactory(title="Festival")
    page = f"/admin/events/event/{event.pk}/change/"
    ticket = {
        "tickets-TOTAL_FORMS": "1",
        "tickets-0-name": "Day pass",
        "tickets-0-price": "12",
        "tickets-0-currency": "EUR",
        "tickets-0-position": "0",
    }

    response = submit_form(editor_browser, page, parent=event.pk, **ticket)

    assert form_errors(response) == {"parent": ["An event cannot be part of itself."]}
    assert form_data(response)["tickets-0-name"] == ["Day pass"]
    assert not Event.objects.get().tickets.exists()


def test_errors_of_tickets_are_beside_their_row(editor_browser):
    event = EventFactory()
    TicketFactory(event=event, name="First", position=1)
    TicketFactory(
        event=event, name="Second", position=2, available_from=datetime(2027, 3, 1, tzinfo=UTC), available_until=None
    )
    page = f"/admin/events/event/{event.pk}/change/"
    old_page = form_data(editor_browser.get(page))
    event.tickets.filter(position=2).update(available_from=datetime(2027, 4, 1, tzinfo=UTC))

    response = editor_browser.post(page, {**old_page, "title": "New", "tickets-1-available_until": "2027-03-15T09:00"})

    (formset,) = (inline.formset for inline in response.context["inline_admin_formsets"])
    assert formset.errors == [{}, {"__all__": ["“Available until” cannot be before “Available from”."]}]
    assert form_errors(response) == {}
    assert Event.objects.get().title == event.title


def test_tickets_are_written_with_their_event(editor_browser):
    event = EventFactory()
    ticket = TicketFactory(event=event, name="Day pass", position=3)
    page = f"/admin/events/event/{event.pk}/change/"
    fields = {**form_data(editor_browser.get(page)), "title": "New", "tickets-0-price": "15"}

    with CaptureQueriesContext(connection) as queries:
        editor_browser.post(page, fields)

    statements = [query["sql"] for query in queries]
    assert [sum(f'{start} "{table}"' in sql for sql in statements) for start, table in WRITES] == [1, 1, 1]
    assert list(Ticket.objects.values_list("pk", "price", "position")) == [(ticket.pk, 15, 3)]
    assert recorded_changes(event)[1:] == [("changed", "editor", "admin", ["title", "tickets"])]


def test_tickets_that_others_have_added_stay(editor_browser):
    event = EventFactory()
    first = TicketFactory(event=event, name="First", position=1)
    page = f"/admin/events/event/{event.pk}/change/"
    old_page = form_data(editor_browser.get(page))
    third = TicketFactory(event=event, name="Third", position=3)

    editor_browser.post(
        page,
        {
            **old_page,
            "tickets-TOTAL_FORMS": "2",
            "tickets-0-position": "4",
            "tickets-1-name": "Second",
            "tickets-1-price": "5",
            "tickets-1-currency": "EUR",
            "tickets-1-position": "2",
        },
    )

    second = Ticket.objects.get(name="Second")
    assert list(event.tickets.values_list("pk", "position")) == [(second.pk, 2), (third.pk, 3), (first.pk, 4)]
    assert [ticket["name"] for ticket in last_revision(event).history_extra["tickets"]] == ["Second", "Third", "First"]


def test_changes_are_applied_once(editor_browser):
    venue = VenueFactory(title="Hall")
    page = f"{VENUES}{venue.pk}/change/"
    fields = {**form_data(editor_browser.get(page)), "title": "Barn", "slug": "barn"}

    with CaptureQueriesContext(connection) as queries:
        editor_browser.post(page, fields)

    statements = [query["sql"] for query in queries]
    assert sum(sql.startswith('UPDATE "venues_venue"') for sql in statements) == 1
    # Whether the slug is free.
    assert sum('"slug" IN (' in sql and sql.startswith("SELECT") for sql in statements) == 1
    assert recorded_changes(venue)[1:] == [("changed", "editor", "admin", ["title", "slug"])]
