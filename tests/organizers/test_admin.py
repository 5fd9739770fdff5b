"""Organizers in the admin."""

import pytest

from organizers.models import Organizer
from tests.factories import EventFactory, OrganizerFactory
from tests.support.admin import listed_titles, submit_form

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

LIST = "/admin/organizers/organizer/"


@pytest.mark.parametrize("count", [1, 3])
def test_organizer_list_query_count(editor_browser, django_assert_num_queries, count):
    for _ in range(count):
        EventFactory(organizers=[OrganizerFactory()])

    # session, user, permissions, count, page with its authors
    with django_assert_num_queries(6):
        response = editor_browser.get(LIST)

    assert len(listed_titles(response)) == count


def test_organizer_list_leads_to_the_events(editor_browser):
    club = OrganizerFactory()
    event = EventFactory(organizers=[club])
    EventFactory()

    path = f"/admin/events/event/?organizer={club.pk}"

    assert f'<a href="{path}">1</a>' in editor_browser.get(LIST).content.decode()
    assert listed_titles(editor_browser.get(path)) == [event.title]


def test_organizer_list_is_searched(editor_browser):
    OrganizerFactory(title="Club", email="hello@example.org")
    OrganizerFactory(title="Choir")

    assert listed_titles(editor_browser.get(LIST, {"q": "example.org"})) == ["Club"]


def test_organizer_is_made_with_all_its_fields(editor_browser):
    # The contract takes any text for an e-mail address.
    fields = {"title": "Club", "phone": "555 0100", "email": "at the door", "website": "https://example.org"}

    submit_form(editor_browser, f"{LIST}add/", **fields, description="Plain words")

    organizer = Organizer.objects.get()
    assert {name: getattr(organizer, name) for name in fields} == fields
    assert (organizer.slug, organizer.description) == ("club", "<p>Plain words</p>")
