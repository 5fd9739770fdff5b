"""Organizers in the admin."""

import pytest

from organizers.models import Organizer
from tests.admin import client_of, fill_in, titles
from tests.factories import EventFactory, OrganizerFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

LIST = "/admin/organizers/organizer/"


@pytest.fixture
def as_editor(editor):
    return client_of(editor)


@pytest.mark.parametrize("count", [1, 3])
def test_organizer_list_query_count(as_editor, django_assert_num_queries, count):
    for _ in range(count):
        EventFactory(organizers=[OrganizerFactory()])

    # session, user, two of permissions, count, page with its authors
    with django_assert_num_queries(6):
        response = as_editor.get(LIST)

    assert len(titles(response)) == count


def test_organizer_list_leads_to_the_events(as_editor):
    club = OrganizerFactory()
    event = EventFactory(organizers=[club])
    EventFactory()

    address = f"/admin/events/event/?organizer={club.pk}"

    assert f'<a href="{address}">1</a>' in as_editor.get(LIST).content.decode()
    assert titles(as_editor.get(address)) == [event.title]


def test_organizer_list_is_searched(as_editor):
    OrganizerFactory(title="Club", email="hello@example.org")
    OrganizerFactory(title="Choir")

    assert titles(as_editor.get(LIST, {"q": "example.org"})) == ["Club"]


def test_organizer_is_made_with_all_its_fields(as_editor):
    # The contract takes any text for an e-mail address.
    fields = {"title": "Club", "phone": "555 0100", "email": "at the door", "website": "https://example.org"}

    fill_in(as_editor, f"{LIST}add/", **fields, description="Plain words")

    organizer = Organizer.objects.get()
    assert {name: getattr(organizer, name) for name in fields} == fields
    assert (organizer.slug, organizer.description) == ("club", "<p>Plain words</p>")
