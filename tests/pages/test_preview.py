"""The preview of an event that is not published, for whoever was given its link."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.admin import client_of
from tests.factories import EventFactory, OrganizerFactory, VenueFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]


def preview_of(client, event):
    """The link that the event's form shows; None where it shows none."""
    page = client.get(f"/admin/events/event/{event.pk}/change/").content.decode()
    found = re.search(r'href="(/preview/[^"]+)"', page)
    return found and found[1]


def test_a_draft_opens_to_whoever_has_its_link(editor, client):
    event = EventFactory(
        title="Talk",
        status="draft",
        password="x",
        description="All of it",
        venues=[VenueFactory(title="Hall"), VenueFactory(title="Hidden", status="draft")],
        organizers=[OrganizerFactory(title="Club")],
    )

    link = preview_of(client_of(editor), event)
    response = client.get(link)
    page = response.content.decode()

    assert response.status_code == 200
    assert (response["Cache-Control"], response["X-Robots-Tag"]) == ("private, no-store", "noindex")
    assert [text in page for text in ("Talk", "All of it", "Hall", "Club", "Hidden")] == [True, True, True, True, False]
    assert client.get(f"/event/{event.slug}/").status_code == 404


def test_the_link_ends_with_its_time(editor, client, time_machine):
    event = EventFactory(status="draft")
    link = preview_of(client_of(editor), event)

    time_machine.move_to(timezone.now() + timedelta(days=7, minutes=1))

    assert client.get(link).status_code == 404


def test_the_link_ends_with_the_event_in_the_trash(editor, client):
    event = EventFactory(status="draft")
    link = preview_of(client_of(editor), event)
    event.status = "trash"
    event.save()

    assert client.get(link).status_code == 404


@pytest.mark.parametrize("token", ["x", "1", "1:x:y", "1:1tK0aB:forged", "%00", "é"])
def test_what_is_no_link_opens_nothing(client, token):
    EventFactory(status="draft")

    assert client.get(f"/preview/{token}/").status_code == 404


@pytest.mark.parametrize("status", ["publish", "trash"])
def test_what_is_published_or_in_the_trash_has_no_preview(editor, status):
    event = EventFactory(status=status)

    assert preview_of(client_of(editor), event) is None


def test_whoever_may_not_change_an_event_is_given_no_link(author):
    event = EventFactory(status="publish", published_at=timezone.now() + timedelta(days=1))

    response = client_of(author).get(f"/admin/events/event/{event.pk}/change/")

    assert b"/preview/" not in response.content


def test_the_link_leads_to_the_page_once_the_event_is_published(editor, client):
    event = EventFactory(title="Talk", status="draft", password="x", description="All of it")
    link = preview_of(client_of(editor), event)
    event.status = "publish"
    event.save()

    response = client.get(link)

    assert (response.status_code, response["Location"]) == (303, "/event/talk/")
