"""Warnings after saving the form of an event or a venue, which refuse nothing."""

import pytest

from calendar_site.back_office.urls import admin_url
from calendar_site.content.similar_titles import similarity
from events.models import Event
from tests.factories import EventFactory, VenueFactory
from tests.support.admin import form_errors, messages_in, submit_form
from venues.models import Venue

pytestmark = pytest.mark.django_db

ADD_EVENT, ADD_VENUE = admin_url(Event, "add"), admin_url(Venue, "add")
TIMES = {"start": "2030-05-04T18:00", "end": "2030-05-04T20:00"}
OVERLAP = "Other events at the same venue at the same time: {}."
SIMILAR = "Events on the same day with a similar title: {}."


def warnings_of(response):
    assert response.status_code == 302, form_errors(response)
    return [text for text in messages_in(response) if "successfully" not in text]


def test_other_event_at_the_same_venue_is_shown(editor_browser):
    hall, club = VenueFactory(), VenueFactory()
    EventFactory(title="Before", start="2030-05-04 16:00", end="2030-05-04 18:00", venues=[hall])
    EventFactory(title="Elsewhere", start="2030-05-04 18:00", end="2030-05-04 20:00", venues=[club])
    EventFactory(title="Off", start="2030-05-04 18:00", end="2030-05-04 20:00", venues=[hall], event_status="cancelled")
    EventFactory(title="Trash", start="2030-05-04 18:00", end="2030-05-04 20:00", venues=[hall], status="trash")
    EventFactory(title="Jazz", start="2030-05-04 19:59", end="2030-05-04 22:00", venues=[club, hall])
    EventFactory(title="Fair", start="2030-05-01", end="2030-05-30", all_day=True, venues=[hall])

    response = submit_form(editor_browser, ADD_EVENT, title="Poetry", ordered_venues=[hall.pk], **TIMES)

    assert warnings_of(response) == [OVERLAP.format("Fair, Jazz")]


def test_parts_of_an_event_are_no_others(editor_browser):
    hall = VenueFactory()
    festival = EventFactory(title="Festival", start="2030-05-01", end="2030-05-30", all_day=True, venues=[hall])

    response = submit_form(
        editor_browser, ADD_EVENT, title="Opening", ordered_venues=[hall.pk], parent=festival.pk, **TIMES
    )

    assert warnings_of(response) == []


def test_events_that_the_user_may_not_see_are_not_named(author_browser):
    hall = VenueFactory()
    times = {"start": "2030-05-04 18:00", "end": "2030-05-04 20:00"}
    EventFactory(title="Draft of others", status="draft", venues=[hall], **times)
    EventFactory(title="Secret place", password="x", venues=[hall], **times)

    response = submit_form(author_browser, ADD_EVENT, title="Draft of mine", ordered_venues=[hall.pk], **TIMES)

    assert warnings_of(response) == []


def test_similar_title_on_the_same_day_is_shown(editor_browser):
    EventFactory(title="Spring Concert", start="2030-05-04 10:00", end="2030-05-04 11:00")
    EventFactory(title="Spring Concert", start="2030-05-05 10:00", end="2030-05-05 11:00")
    EventFactory(title="Poetry slam", start="2030-05-04 10:00", end="2030-05-04 11:00")

    response = submit_form(editor_browser, ADD_EVENT, title="Sprint concert", **TIMES)

    assert warnings_of(response) == [SIMILAR.format("Spring Concert")]


def test_past_event_is_shown_once(editor_browser):
    response = submit_form(editor_browser, ADD_EVENT, title="Old", start="2020-05-04T18:00", end="2020-05-04T20:00")

    assert warnings_of(response) == ["“Old” is in the past."]
    change = admin_url(Event, "change", Event.objects.get().pk)
    assert warnings_of(submit_form(editor_browser, change, excerpt="Nothing new"))[1:] == []


@pytest.mark.parametrize(
    ("name", "warnings"),
    [
        ("Saltwater Theater", ["Venues with a similar name: Saltwater Theatre."]),
        ("Saltwatr Theatre", ["Venues with a similar name: Saltwater Theatre."]),
        ("Foundry", []),
    ],
)
def test_similar_venue_is_shown(editor_browser, name, warnings):
    VenueFactory(title="Saltwater Theatre")
    VenueFactory(title="Saltwater Swimming Pool and Gardens")
    VenueFactory(title="Saltwater Theatre II", status="trash")

    assert warnings_of(submit_form(editor_browser, ADD_VENUE, title=name)) == warnings
    assert Venue.objects.filter(title=name).exists()


@pytest.mark.parametrize(
    ("title", "other", "share"),
    [("Hall", "hall", 1), ("Hall", "Pool", 0), ("Café Müller", "Cafe Muller", 1), ("", "", 0)],
)
def test_similarity(title, other, share):
    assert similarity(title, other) == share
