"""Saving in the admin: messages, copies in the browser, images of other sites."""

import pytest

from events.models import Event
from tests.factories import EventFactory
from tests.support.admin import messages_in, submit_form, undo

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine("2027-03-10 12:00Z", tick=False)]


def page_of(event):
    return f"/admin/events/event/{event.pk}/change/"


def test_message_leads_to_the_page_and_the_form_and_is_undone(editor_browser):
    event = EventFactory(title="Talk")

    response = submit_form(editor_browser, page_of(event), title="Walk", _save="")

    message = messages_in(response)[0]
    assert f'<a href="/event/{event.slug}">View page</a>' in message
    assert f'<a href="{page_of(event)}">Edit</a>' in message
    undo(editor_browser, response)
    assert Event.objects.get().title == "Talk"


def test_new_record_is_undone_by_moving_it_to_the_trash(editor_browser):
    times = {"start": "2027-04-01T10:00", "end": "2027-04-01T11:00"}
    response = submit_form(editor_browser, "/admin/events/event/add/", title="Talk", **times, _publish="")

    undo(editor_browser, response)

    assert Event.objects.get().status == "trash"


def test_message_about_a_draft_has_no_link_to_its_page(editor_browser):
    event = EventFactory(status="draft")

    response = submit_form(editor_browser, page_of(event), title="Walk", _continue="")

    assert "View page" not in messages_in(response)[0]
    assert "Edit</a>" not in messages_in(response)[0]


def test_browser_is_told_which_forms_are_saved(editor_browser):
    event = EventFactory()
    tokens = ["a" * 32, "b" * 32]

    for token in tokens:
        response = submit_form(editor_browser, page_of(event), _form_draft=token, _form_draft_replaced="", _save="")

    cookie = response.cookies["saved_forms"]
    assert (cookie.value, cookie["path"], cookie["max-age"]) == (f"{tokens[1]}.{tokens[0]}", "/admin/", 86400)
    refused = submit_form(editor_browser, page_of(event), title="", _form_draft="c" * 32)
    assert "saved_forms" not in refused.cookies


@pytest.mark.parametrize(
    ("source", "is_left_out"),
    [
        ("https://other.example.org/cat.png", True),
        ("//other.example.org/cat.png", True),
        ("https:\\\\other.example.org\\cat.png", True),
        ("/media/cat.png", False),
        ("https://calendar.example.org/media/cat.png", False),
    ],
)
def test_new_images_of_other_sites_are_left_out(editor_browser, settings, source, is_left_out):
    settings.PUBLIC_URL = "https://calendar.example.org"
    event = EventFactory(description="<p>Old</p>")

    response = submit_form(editor_browser, page_of(event), description=f'<p>New <img src="{source}" alt=""></p>')

    assert ("<img" not in Event.objects.get().description) == is_left_out
    warned = "1 image of another site was left out. Add it to the image library instead." in messages_in(response)
    assert warned == is_left_out


def test_known_images_of_other_sites_stay(editor_browser):
    known = '<p><img src="https://other.example.org/cat.png" alt="A cat"></p>'
    event = EventFactory(description=known)

    submit_form(editor_browser, page_of(event), title="Walk")

    assert Event.objects.get().description == known


def test_trashed_record_is_restored_as_it_was(editor_browser, author_browser, author):
    event = EventFactory(status="private", author=author)
    for page in ("trash", "restore"):
        editor_browser.post(f"/admin/events/event/{event.pk}/{page}/")

    assert Event.objects.get().status == "private"
