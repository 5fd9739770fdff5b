"""The status, attendance and accessibility of events in the admin: form, list, buttons, actions and history."""

from datetime import UTC, datetime

import pytest

from calendar_site.back_office.urls import admin_url
from events.models import Event
from tests.factories import EventFactory, UserFactory, VenueFactory
from tests.support.admin import (
    browser_for,
    form_errors,
    listed_titles,
    messages_in,
    run_action,
    submit_form,
)
from tests.support.history import recorded_changes
from tests.support.html_page import parse_page
from venues.models import Venue

pytestmark = pytest.mark.django_db

LIST = admin_url(Event, "changelist")
HIDDEN = {"attendance_mode": "online", "online_url": "https://meet.example.org/1", "hide_online_url": True}


def change_url(event):
    return admin_url(type(event), "change", event.pk)


def test_form_saves_all_fields(editor_browser):
    event = EventFactory(start="2030-05-04 18:00", end="2030-05-04 20:00", time_zone="Europe/Rome")

    response = submit_form(
        editor_browser,
        change_url(event),
        event_status="rescheduled",
        event_status_reason="Rain",
        previous_start="2030-05-01T18:00",
        sold_out="on",
        attendance_mode="mixed",
        online_url="https://meet.example.org/1",
        hide_online_url="on",
        accessibility=["step_free", "quiet_hour"],
    )

    assert response.status_code == 302, form_errors(response)
    saved = Event.objects.get(pk=event.pk)
    assert (saved.event_status, saved.event_status_reason, saved.previous_start) == (
        "rescheduled",
        "Rain",
        datetime(2030, 5, 1, 16, tzinfo=UTC),
    )
    assert (saved.sold_out, saved.attendance_mode, saved.hide_online_url) == (True, "mixed", True)
    assert (saved.online_url, saved.accessibility) == ("https://meet.example.org/1", ["step_free", "quiet_hour"])
    # Saving the form again changes nothing.
    before = Event.history.count()
    assert submit_form(editor_browser, change_url(event)).status_code == 302
    assert Event.history.count() == before


def test_form_of_a_new_event_has_the_defaults(editor_browser):
    response = submit_form(
        editor_browser, admin_url(Event, "add"), title="New", start="2030-05-04T18:00", end="2030-05-04T20:00"
    )

    assert response.status_code == 302, form_errors(response)
    saved = Event.objects.get()
    assert (saved.event_status, saved.previous_start, saved.attendance_mode, saved.accessibility) == (
        "scheduled",
        None,
        "in_person",
        [],
    )


def test_form_keeps_the_old_start_of_a_rescheduled_event(editor_browser):
    event = EventFactory(start="2030-05-04 18:00", end="2030-05-04 20:00")

    submit_form(
        editor_browser,
        change_url(event),
        event_status="rescheduled",
        start="2030-06-04T18:00",
        end="2030-06-04T20:00",
    )

    assert Event.objects.get().previous_start == datetime(2030, 5, 4, 18, tzinfo=UTC)


@pytest.mark.parametrize(
    ("fields", "errors"),
    [
        ({"event_status": "rescheduled"}, {"previous_start": ["A rescheduled event needs its previous start."]}),
        (
            {"online_url": "ftp://example.org"},
            {"online_url": ["Enter a URL that starts with http:// or https://."]},
        ),
        (
            {"accessibility": ["lift"]},
            {"accessibility": ["Select a valid choice. lift is not one of the available choices."]},
        ),
    ],
)
def test_form_shows_errors_at_their_field(editor_browser, fields, errors):
    event = EventFactory()

    assert form_errors(submit_form(editor_browser, change_url(event), **fields)) == errors


def test_venue_form_saves_features(editor_browser):
    venue = VenueFactory()

    response = submit_form(editor_browser, change_url(venue), accessibility=["hearing_loop"])

    assert response.status_code == 302, form_errors(response)
    assert Venue.objects.get().accessibility == ["hearing_loop"]


# --- Cancelling


def test_button_cancels_and_undoes(editor_browser):
    event = EventFactory(title="Fair", event_status="postponed")
    cancel, undo = (admin_url(Event, name, event.pk) for name in ("cancel", "undo_cancel"))
    assert f'formaction="{cancel}"' in editor_browser.get(change_url(event)).content.decode()

    response = editor_browser.post(cancel, follow=True)

    assert messages_in(response) == ["Cancelled: Fair. Visitors still see that it was planned."]
    assert Event.objects.get().event_status == "cancelled"
    assert f'formaction="{undo}"' in response.content.decode()
    response = editor_browser.post(undo, follow=True)
    assert messages_in(response) == ["Cancellation undone: Fair."]
    assert Event.objects.get().event_status == "postponed"
    assert [changed for *_origin, changed in recorded_changes(event)][-2:] == [["event_status"], ["event_status"]]


def test_buttons_need_a_post(editor_browser):
    event = EventFactory()

    assert editor_browser.get(admin_url(Event, "cancel", event.pk)).status_code == 405
    assert editor_browser.get(admin_url(Event, "undo_cancel", event.pk)).status_code == 405


@pytest.mark.parametrize("name", ["cancel", "undo_cancel"])
def test_strangers_cannot_cancel(author_browser, name):
    event = EventFactory(title="Fair", event_status="cancelled" if name == "undo_cancel" else "scheduled")
    before = event.event_status

    response = author_browser.post(admin_url(Event, name, event.pk), follow=True)

    assert messages_in(response) == ["Skipped (no permission to change): Fair."]
    assert Event.objects.get().event_status == before
    assert "Cancel event" not in author_browser.get(change_url(event)).content.decode()


def test_actions_cancel_and_undo(editor_browser):
    cancelled = EventFactory(title="Gone", event_status="cancelled")
    event = EventFactory(title="Fair")

    response = run_action(editor_browser, LIST, "cancel", [cancelled, event])
    assert messages_in(response) == [
        "Cancelled: Fair. Visitors still see that it was planned.",
        "Skipped (already cancelled): Gone.",
    ]

    response = run_action(editor_browser, LIST, "undo_cancel", [event])
    assert messages_in(response)[2:] == ["Cancellation undone: Fair."]
    assert Event.objects.get(pk=event.pk).event_status == "scheduled"


# --- List and view


def marks(response):
    cells = parse_page(response).all("td", "th")
    times = [cell for cell in cells if "field-times" in (cell.attributes.get("class") or "").split()]
    return [" ".join(mark.text for mark in cell.all("span")) for cell in times]


def test_list_shows_and_filters_the_status(editor_browser, author_browser):
    EventFactory(title="Gone", event_status="cancelled", sold_out=True)
    EventFactory(title="Online", attendance_mode="online")
    EventFactory(title="Plain")
    EventFactory(title="Secret", event_status="cancelled", password="x")

    shown = dict(
        zip(
            listed_titles(editor_browser.get(LIST)),
            marks(editor_browser.get(LIST)),
            strict=True,
        )
    )

    assert shown == {"Gone": "Cancelled Sold out", "Online": "Online", "Plain": "", "Secret": "Cancelled"}
    assert sorted(listed_titles(editor_browser.get(f"{LIST}?event_status=cancelled"))) == ["Gone", "Secret"]
    assert listed_titles(author_browser.get(f"{LIST}?event_status=cancelled")) == ["Gone"]


def test_viewers_do_not_see_a_hidden_online_url(author_browser, time_machine):
    event = EventFactory(start="2030-05-04 18:00", end="2030-05-04 20:00", **HIDDEN)
    assert event.online_url not in author_browser.get(change_url(event)).content.decode()

    time_machine.move_to(datetime(2030, 5, 4, 17, 30, tzinfo=UTC), tick=False)

    browser = browser_for(UserFactory(role="author"))
    assert event.online_url in browser.get(change_url(event)).content.decode()


def test_viewers_do_not_see_a_hidden_online_url_in_the_history(author_browser):
    event = EventFactory(**HIDDEN)

    response = author_browser.get(admin_url(Event, "history", event.pk))

    assert event.online_url not in response.content.decode()


def test_history_shows_the_changes(editor_browser):
    event = EventFactory()
    submit_form(
        editor_browser, change_url(event), event_status="cancelled", accessibility=["step_free", "hearing_loop"]
    )

    revisions = Event.history.filter(id=event.pk).order_by("-history_id")
    html = editor_browser.get(admin_url(Event, "history", event.pk)).content.decode()

    assert revisions.first().history_changed == ["event_status", "accessibility"]
    assert "Event status" in html
    assert "Accessibility" in html


@pytest.mark.parametrize("action", ["cancel", "undo_cancel"])
def test_events_in_the_trash_are_skipped(editor_browser, action):
    event_status = "cancelled" if action == "undo_cancel" else "scheduled"
    event = EventFactory(title="Fair", status="trash", event_status=event_status)

    response = editor_browser.post(admin_url(Event, action, event.pk), follow=True)

    assert messages_in(response) == ["Skipped (in the trash): Fair."]
