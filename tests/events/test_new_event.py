"""The small form of a new event in the calendar of the admin: what it saves, and for whom."""

import pytest

from events.models import Event
from tests.factories import VenueFactory
from tests.support.admin import browser_for, messages_in
from tests.support.html_page import parse_page

pytestmark = pytest.mark.django_db

NEW = "/admin/events/event/new/"
ENTRIES = {"title": "Kite day", "start": "2027-03-10T10:30", "end": "2027-03-10T12:30"}


def form_of(response):
    return {field.attributes["name"]: field.attributes.get("value", "") for field in parse_page(response).all("input")}


def test_form_has_the_time_that_was_clicked(editor_browser):
    fields = form_of(editor_browser.get(NEW, {"start": ENTRIES["start"], "end": ENTRIES["end"]}))

    del fields["csrfmiddlewaretoken"]
    assert fields == {**ENTRIES, "title": ""}


@pytest.mark.parametrize(
    ("role", "status", "button"),
    [("editor", "publish", "Publish"), ("author", "publish", "Publish"), ("contributor", "draft", "Save draft")],
)
def test_event_is_saved_at_the_time_of_the_site(request, role, status, button):
    browser = browser_for(request.getfixturevalue(role))
    near, far = VenueFactory(title="Pier"), VenueFactory(title="Field")

    response = browser.post(NEW, {**ENTRIES, "venues": [far.pk, near.pk]})

    event = Event.objects.get()
    assert (response.status_code, response.json()) == (200, {})
    assert (event.title, str(event.start_local), str(event.end_local)) == (
        "Kite day",
        "2027-03-10 10:30:00",
        "2027-03-10 12:30:00",
    )
    assert [link.venue.title for link in event.eventvenue_set.order_by("position")] == ["Field", "Pier"]
    assert (event.status, event.author.username) == (status, role)
    assert button in browser.get(NEW).content.decode()
    assert "Added: Kite day." in messages_in(browser.get("/admin/events/event/calendar/"))[0]


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"title": " "}, "This field is required."),
        ({"start": ""}, "This field is required."),
        ({"start": "tomorrowish"}, "Not a valid date."),
        ({"end": "2027-03-10T10:00"}, "An event cannot end before it starts."),
        ({"title": "x" * 1000}, "at most"),
    ],
)
def test_wrong_entries_are_explained_and_kept(editor_browser, wrong, error):
    response = editor_browser.post(NEW, {**ENTRIES, **wrong})

    page = response.content.decode()
    assert response.status_code == 400
    assert error in page
    assert form_of(response)["end"] == {**ENTRIES, **wrong}["end"]
    assert not Event.objects.exists()


def test_form_without_any_entry_is_refused(editor_browser):
    assert editor_browser.post(NEW).status_code == 400


def test_venue_that_the_user_does_not_see_is_refused(contributor_browser, author):
    hidden = VenueFactory(status="draft", author=author)

    response = contributor_browser.post(NEW, {**ENTRIES, "venues": [hidden.pk]})

    assert response.status_code == 400
    assert not Event.objects.exists()


def test_others_are_refused(subscriber):
    subscriber.is_staff = True
    subscriber.save()

    assert [browser_for(user).post(NEW, ENTRIES).status_code for user in (subscriber, None)] == [403, 302]
    assert not Event.objects.exists()


def test_other_methods_are_refused(editor_browser):
    assert editor_browser.put(NEW).status_code == 405
