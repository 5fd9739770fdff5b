"""Forms whose row a service saves: the service applies the changes once, and its errors come back to the fields."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from events.models import Event
from tests.factories import EventFactory, VenueFactory
from tests.support.admin import form_data, form_errors, submit_form
from tests.support.history import recorded_changes
from venues.models import Venue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

VENUES = "/admin/venues/venue/"
HALF_A_PLACE = "A place has both a latitude and a longitude, or neither."


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

    assert form_errors(response) == {"parent": ["An event cannot be a part of itself."]}
    assert form_data(response)["tickets-0-name"] == ["Day pass"]
    assert not Event.objects.get().tickets.exists()


def test_changes_are_applied_once(editor_browser):
    venue = VenueFactory(title="Hall")
    page = f"{VENUES}{venue.pk}/change/"
    fields = {**form_data(editor_browser.get(page)), "title": "Barn", "slug": "barn"}

    with CaptureQueriesContext(connection) as queries:
        editor_browser.post(page, fields)

    statements = [query["sql"] for query in queries]
    assert sum(sql.startswith('UPDATE "venues_venue"') for sql in statements) == 1
    # Whether the slug is free: once to choose it, once to validate the constraint.
    assert sum('"slug" = ' in sql and sql.startswith("SELECT") for sql in statements) == 2
    assert recorded_changes(venue)[1:] == [("changed", "editor", "admin", ["title", "slug"])]
