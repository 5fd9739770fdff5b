"""The dialog of the event list that edits the most important fields, and the menus of the rows."""

import json
import re

import pytest

from events.models import Event
from tests.factories import EventFactory, VenueFactory
from tests.support.admin import browser_for, messages_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

LIST = "/admin/events/event/"


def url_of(event):
    return f"{LIST}{event.pk}/quick-edit/"


def fields_of(event, **changes):
    """Return what the dialog submits if nothing but `changes` is changed."""
    newest = Event.history.filter(id=event.pk).latest("history_id").history_id
    return {
        "title": event.title,
        "revision": newest,
        "start": event.start_local[:16].replace(" ", "T"),
        "end": event.end_local[:16].replace(" ", "T"),
        "status": event.status,
        "venues": [venue.pk for venue in event.venues.all()],
        **changes,
    }


def test_title_times_status_and_venues_change(editor_browser):
    hall, shed = VenueFactory(title="Hall"), VenueFactory(title="Shed")
    event = EventFactory(
        title="Talk", start="2027-03-10 19:00", end="2027-03-10 21:00", time_zone="Asia/Tokyo", venues=[hall]
    )
    page = editor_browser.get(url_of(event)).content.decode()

    changes = {"title": "Long talk", "start": "2027-03-11T18:00", "end": "2027-03-11T22:30"}
    sent = fields_of(event, **changes, status="draft", venues=[shed.pk, hall.pk])
    response = editor_browser.post(url_of(event), sent)

    assert 'value="2027-03-10T19:00"' in page
    assert json.loads(response.content)["message"] == "Changed: Long talk."
    event.refresh_from_db()
    assert (event.title, event.start_local, event.end_local, event.time_zone, event.status) == (
        "Long talk", "2027-03-11 18:00:00", "2027-03-11 22:30:00", "Asia/Tokyo", "draft"
    )  # fmt: skip
    assert [link.venue for link in event.eventvenue_set.all()] == [shed, hall]


def test_a_quick_edit_can_be_undone(editor_browser):
    event = EventFactory(title="Talk")
    response = editor_browser.post(url_of(event), fields_of(event, title="Walk"))

    undone = editor_browser.post(json.loads(response.content)["undo"])

    assert messages_in(undone) == ["Undone: Walk."]
    assert Event.objects.get().title == "Talk"


def test_nothing_changed_is_no_revision(editor_browser):
    event = EventFactory(title="Talk", venues=[VenueFactory()])

    editor_browser.post(url_of(event), fields_of(event))

    assert Event.history.filter(id=event.pk).count() == 1


def test_seconds_and_times_of_other_zones_stay(editor_browser, settings):
    settings.SITE_TIME_ZONE = "America/New_York"
    # The clock of New York skips this time.
    event = EventFactory(start="2027-03-14 02:30:30", end="2027-03-14 23:59:59", time_zone="Asia/Tokyo")

    editor_browser.post(url_of(event), fields_of(event, title="Walk"))

    event.refresh_from_db()
    assert (event.title, event.start_local, event.end_local) == ("Walk", "2027-03-14 02:30:30", "2027-03-14 23:59:59")


def test_conflict_can_be_saved_after_a_check(editor_browser):
    event = EventFactory(title="Talk")
    old = fields_of(event, title="Walk")
    editor_browser.post(url_of(event), fields_of(event, title="Run"))

    refused = editor_browser.post(url_of(event), old)

    newest = fields_of(event)["revision"]
    assert refused.status_code == 400
    assert f'name="revision" value="{newest}"' in refused.content.decode()


@pytest.mark.parametrize(
    "changes",
    [
        {"title": ""},
        {"start": "soon"},
        {"start": "0001-01-01T00:00"},
        {"end": "9999-12-31T23:59"},
        {"end": "2001-01-01T10:00"},
        {"status": "trash"},
        {"venues": ["0"]},
    ],
)
def test_invalid_values_are_shown_again(editor_browser, changes):
    event = EventFactory(title="Talk", start="2027-03-10 19:00", end="2027-03-10 21:00")

    response = editor_browser.post(url_of(event), fields_of(event, **changes))

    assert response.status_code == 400
    assert "errorlist" in response.content.decode()
    assert Event.history.filter(id=event.pk).count() == 1


def test_an_event_that_somebody_else_has_changed_is_not_overwritten(editor_browser):
    event = EventFactory(title="Talk")
    sent = fields_of(event, title="Mine")
    editor_browser.post(url_of(event), fields_of(event, title="Theirs"))

    response = editor_browser.post(url_of(event), sent)

    assert response.status_code == 400
    assert Event.objects.get().title == "Theirs"


def test_all_day_events_keep_their_days(editor_browser):
    event = EventFactory(title="Fair", start="2027-03-10 00:00", end="2027-03-11 23:59:59", all_day=True)
    page = editor_browser.get(url_of(event)).content.decode()

    editor_browser.post(url_of(event), fields_of(event, title="Big fair"))

    assert 'name="start"' not in page
    changed = Event.objects.get()
    assert (changed.title, changed.start_local) == ("Big fair", event.start_local)


def test_nobody_edits_the_events_of_others_or_the_trash(author, author_browser, editor_browser):
    others, trashed = EventFactory(title="Talk"), EventFactory(title="Gone", author=author, status="trash")

    for event in (others, trashed):
        assert author_browser.get(url_of(event)).status_code == 403
        assert author_browser.post(url_of(event), fields_of(event, title="Mine")).status_code == 403
    assert browser_for(None).get(url_of(others)).status_code == 302
    assert editor_browser.get(f"{LIST}999/quick-edit/").status_code == 404
    assert sorted(Event.objects.values_list("title", flat=True)) == ["Gone", "Talk"]


def test_rows_offer_what_the_user_may_do(author, author_browser):
    own, others = EventFactory(title="Own", author=author), EventFactory(title="Others")

    page = author_browser.get(LIST).content.decode()

    menus = re.findall(r'class="row-menu" data-row="(\d+)" data-can="([^"]*)" data-page="([^"]*)"', page)
    assert sorted(menus) == sorted(
        [
            (str(own.pk), "change quick-edit trash duplicate", f"/event/{own.slug}"),
            (str(others.pk), "", f"/event/{others.slug}"),
        ]
    )
