"""Warnings after saving the form of an event or a venue, which refuse nothing."""

import pytest

from calendar_site.back_office.urls import admin_url
from calendar_site.content.similar_titles import similarity
from events.admin import warnings
from events.models import Event
from organizers.models import Organizer
from tests.factories import EventFactory, OrganizerFactory, VenueFactory
from tests.support.admin import form_errors, messages_in, run_action, submit_form
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


# --- Other places than the form -------------------------------------------------------------------

LIST = admin_url(Event, "changelist")
SHOW = {"start": "2030-05-04 18:00", "end": "2030-05-04 20:00"}
MOVED = {"start": "2030-05-05 18:00", "end": "2030-05-05 20:00"}


@pytest.fixture
def jazz_in_hall():
    """An event that others may overlap with, in a hall."""
    return EventFactory(title="Jazz", venues=[VenueFactory(title="Hall")], **SHOW)


def test_quick_edit_returns_warnings(editor_browser, jazz_in_hall):
    event = EventFactory(title="Poetry", venues=list(jazz_in_hall.venues.all()), **MOVED)
    page = editor_browser.get(admin_url(event, "quick_edit", event.pk))
    fields = {**page.context["form"].initial, "venues": [jazz_in_hall.venues.get().pk]}

    same = editor_browser.post(admin_url(event, "quick_edit", event.pk), {**fields, "title": "Poetry slam"})
    newest = Event.history.filter(id=event.pk).latest("history_id").history_id
    times = {"start": "2030-05-04T18:00", "end": "2030-05-04T21:00"}
    moved = {**fields, "title": "Poetry slam", "revision": newest, **times}
    response = editor_browser.post(admin_url(event, "quick_edit", event.pk), moved)

    assert (same.json()["warnings"], response.json()["warnings"]) == ([], [OVERLAP.format("Jazz")])


@pytest.mark.parametrize(
    ("model", "kind"), [(Venue, "Venues with a similar name: "), (Organizer, "Organizers with a similar name: ")]
)
def test_quick_add_returns_warnings(author_browser, model, kind):
    factory = VenueFactory if model is Venue else OrganizerFactory
    factory(title="Old Fire Station"), factory(title="Elsewhere"), factory(title="Old fire stations", status="draft")

    similar = author_browser.post(admin_url(model, "quick_add"), {"title": "Old Fire Statoin"})
    same = author_browser.post(admin_url(model, "quick_add"), {"title": "Elsewhere"})

    assert similar.json()["warnings"] == [f"{kind}Old Fire Station."]
    name = model._meta.verbose_name
    assert same.json()["warnings"] == [
        f"Another {name} has the same name. API clients that send this name get the older one."
    ]


def test_form_of_an_organizer_names_similar_ones(editor_browser):
    OrganizerFactory(title="Spring Concerts")

    response = submit_form(editor_browser, admin_url(Organizer, "add"), title="Sprint concerts")

    assert warnings_of(response) == ["Organizers with a similar name: Spring Concerts."]


def test_moving_in_the_calendar_returns_warnings(editor_browser, jazz_in_hall):
    event = EventFactory(title="Poetry", venues=list(jazz_in_hall.venues.all()), **MOVED)

    response = editor_browser.post(admin_url(event, "move", event.pk), {"from": "2030-05-05", "to": "2030-05-04"})
    back = editor_browser.post(admin_url(event, "move", event.pk), {"from": "2030-05-04", "to": "2030-05-05"})

    assert (response.json()["warnings"], back.json()["warnings"]) == ([OVERLAP.format("Jazz")], [])


def test_actions_summarize_warnings(editor_browser, jazz_in_hall):
    hall = jazz_in_hall.venues.get()
    names = ("Alpha", "Beta", "Gamma", "Delta")
    events = [EventFactory(title=name, venues=[hall], **MOVED) for name in names]
    quiet = EventFactory(title="Quiet", start="2030-06-05 18:00", end="2030-06-05 20:00")

    response = run_action(editor_browser, LIST, "change_selected", [*events, quiet], days="-1", bulk="1")

    texts = messages_in(response)[1:]
    assert len(texts) == 4
    assert all(text.split(": ")[0] in names and OVERLAP.format("")[:-1] in text for text in texts[:3])
    assert texts[3] == "There are warnings about 1 more event."


def test_actions_check_a_limited_number_of_events(editor_browser, jazz_in_hall, monkeypatch):
    monkeypatch.setattr(warnings, "MAX_CHECKED", 1)
    events = [EventFactory(title=title, **SHOW) for title in ("Alpha", "Beta")]

    unchecked = run_action(editor_browser, LIST, "change_selected", events, featured="yes", bulk="1")
    response = run_action(editor_browser, LIST, "change_selected", events, days="1", bulk="1")

    assert len(messages_in(unchecked)) == 1
    assert messages_in(response)[2:] == ["Only the first 1 events were checked for times, venues and titles."]


def test_changing_the_venue_shows_warnings(editor_browser, jazz_in_hall):
    event = EventFactory(title="Poetry", **SHOW)

    response = run_action(editor_browser, LIST, "move_to_venue", [event], venue=jazz_in_hall.venues.get().pk)

    assert messages_in(response)[1:] == [f"Poetry: {OVERLAP.format('Jazz')}"]


def test_copies_at_an_interval_show_warnings(editor_browser, jazz_in_hall):
    times = {"start": "2030-04-27 18:00", "end": "2030-04-27 20:00"}
    event = EventFactory(title="Poetry", venues=list(jazz_in_hall.venues.all()), **times)

    response = run_action(editor_browser, LIST, "duplicate_repeatedly", [event], copies="2", interval="7", bulk="1")

    assert messages_in(response)[1:] == [f"Poetry: {OVERLAP.format('Jazz')}"]
