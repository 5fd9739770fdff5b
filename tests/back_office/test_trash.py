"""The page of the trash, with records of all kinds."""

import pytest

from events.models import Event
from tests.factories import EventFactory, OrganizerFactory, VenueFactory
from tests.support.admin import browser_for
from tests.support.content_kinds import CONTENT_KINDS

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

PAGE = "/admin/trash/"


def trashed(user):
    """What the page shows: of each row its title, and whether it can be restored and deleted."""
    response = browser_for(user).get(PAGE)
    assert response.status_code == 200, response
    return {
        section.title: [(row.title, bool(row.restore_url), bool(row.delete_url)) for row in section.rows]
        for section in response.context["sections"]
    }


def test_the_trash_of_all_kinds_is_on_one_page(editor, author):
    EventFactory(title="Event", status="trash", author=author)
    VenueFactory(title="Venue", status="trash")
    OrganizerFactory(title="Organizer", status="draft")

    assert trashed(editor) == {"Events": [("Event", True, True)], "Venues": [("Venue", True, True)], "Organizers": []}
    assert trashed(author) == {"Events": [("Event", True, True)], "Venues": [], "Organizers": []}


@pytest.mark.parametrize("kind", CONTENT_KINDS, ids=str)
def test_from_the_trash_records_are_restored_and_deleted(kind, editor):
    one, two = kind.factory(status="trash"), kind.factory(status="trash")
    client = browser_for(editor)
    rows = {row.title: row for section in client.get(PAGE).context["sections"] for row in section.rows}

    client.post(rows[one.title].restore_url)
    page = client.get(rows[two.title].delete_url)
    client.post(rows[two.title].delete_url, {"post": "yes"})

    assert page.status_code == 200
    assert list(type(one).objects.values_list("pk", "status")) == [(one.pk, "draft")]


def test_who_sees_no_trash_is_not_led_there(subscriber, contributor):
    subscriber.is_staff = True
    subscriber.save()

    assert browser_for(subscriber).get(PAGE).status_code == 403
    assert f'href="{PAGE}"' not in browser_for(subscriber).get("/admin/").content.decode()
    assert f'href="{PAGE}"' in browser_for(contributor).get("/admin/").content.decode()
    assert browser_for(None).get(PAGE).status_code == 302


def test_the_last_of_a_full_trash_are_shown_with_a_way_to_all(editor):
    EventFactory.create_batch(11, status="trash")

    events = browser_for(editor).get(PAGE).context["sections"][0]

    assert len(events.rows) == 10
    assert browser_for(editor).get(events.list_url).context["cl"].result_count == Event.objects.count() == 11


@pytest.mark.parametrize("count", [1, 3])
def test_trash_query_count(editor, count, django_assert_num_queries):
    for kind in CONTENT_KINDS:
        kind.factory.create_batch(count, status="trash")
    client = browser_for(editor)

    with django_assert_num_queries(6):  # session, user, permissions, three kinds
        client.get(PAGE)
