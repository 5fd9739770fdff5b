"""The preview of an unpublished event, which opens with its link."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from events.models import Event
from tests.factories import EventFactory, OrganizerFactory, VenueFactory
from tests.support.admin import browser_for, run_action
from tests.support.records import save_as

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]


def preview_path(client, event):
    """Return the preview link on the event's form, None if there is none."""
    page = client.get(f"/admin/events/event/{event.pk}/change/").content.decode()
    found = re.search(r'href="(/preview/[^"]+)"', page)
    return found and found[1]


def test_preview_shows_a_draft_to_everybody_with_the_link(editor, client):
    event = EventFactory(
        title="Talk",
        status="draft",
        password="x",
        description="All of it",
        venues=[VenueFactory(title="Hall"), VenueFactory(title="Hidden", status="draft")],
        organizers=[OrganizerFactory(title="Club")],
    )

    link = preview_path(browser_for(editor), event)
    response = client.get(link)
    page = response.content.decode()

    assert response.status_code == 200
    assert (response["Cache-Control"], response["X-Robots-Tag"]) == ("private, no-store", "noindex")
    assert [text in page for text in ("Talk", "All of it", "Hall", "Club", "Hidden")] == [True, True, True, True, False]
    assert client.get(f"/event/{event.slug}/").status_code == 404


def test_link_expires(editor, client, time_machine):
    event = EventFactory(status="draft")
    link = preview_path(browser_for(editor), event)

    time_machine.move_to(timezone.now() + timedelta(days=7, minutes=1))

    assert client.get(link).status_code == 404


def test_link_to_a_trashed_event_is_not_found(editor, client):
    event = EventFactory(status="draft")
    link = preview_path(browser_for(editor), event)
    event.status = "trash"
    event.save()

    assert client.get(link).status_code == 404


@pytest.mark.parametrize("token", ["x", "1", "1:x:y", "1:1tK0aB:forged", "%00", "é"])
def test_forged_token_is_not_found(client, token):
    EventFactory(status="draft")

    assert client.get(f"/preview/{token}/").status_code == 404


@pytest.mark.parametrize("status", ["publish", "trash"])
def test_published_and_trashed_events_have_no_preview_link(editor, status):
    event = EventFactory(status=status)

    assert preview_path(browser_for(editor), event) is None


def test_preview_link_needs_the_change_permission(author):
    event = EventFactory(status="publish", published_at=timezone.now() + timedelta(days=1))

    response = browser_for(author).get(f"/admin/events/event/{event.pk}/change/")

    assert b"/preview/" not in response.content


def test_link_redirects_to_the_page_of_a_published_event(editor, client):
    event = EventFactory(title="Talk", status="draft", password="x", description="All of it")
    link = preview_path(browser_for(editor), event)
    event.status = "publish"
    event.save()

    response = client.get(link)

    assert (response.status_code, response["Location"]) == (303, "/event/talk/")


@pytest.mark.parametrize(
    ("changes", "status"),
    [({"status": "private"}, 404), ({"password": "new"}, 404), ({"status": "pending"}, 200), ({"title": "New"}, 200)],
)
def test_link_stops_working_when_the_event_is_withdrawn(editor, client, changes, status):
    event = EventFactory(status="draft", password="x")
    link = preview_path(browser_for(editor), event)

    save_as(editor, event, **changes)

    assert client.get(link).status_code == status


def test_links_can_be_revoked(editor, client):
    event, other = EventFactory(status="draft"), EventFactory(status="draft")
    browser = browser_for(editor)
    old, unrelated = preview_path(browser, event), preview_path(browser, other)

    run_action(browser, "/admin/events/event/", "revoke_previews", [event])
    new = preview_path(browser, event)

    assert [client.get(link).status_code for link in (old, new, unrelated)] == [404, 200, 200]
    assert Event.history.filter(id=event.pk).latest("history_id").history_changed == ["preview_version"]


def test_duplicate_starts_with_links_of_its_own(editor, client):
    event = EventFactory(title="Talk", status="draft")
    browser = browser_for(editor)
    run_action(browser, "/admin/events/event/", "revoke_previews", [event])

    run_action(browser, "/admin/events/event/", "duplicate", [event])

    assert list(Event.objects.order_by("pk").values_list("preview_version", flat=True)) == [1, 0]


def test_restored_revision_does_not_reopen_revoked_links(editor, client):
    event = EventFactory(title="Talk", status="draft")
    save_as(editor, event, title="Talks")
    browser = browser_for(editor)
    first = Event.history.filter(id=event.pk).earliest("history_id").history_id
    link = preview_path(browser, event)
    run_action(browser, "/admin/events/event/", "revoke_previews", [event])

    newest = Event.history.filter(id=event.pk).latest("history_id").history_id
    browser.post(f"/admin/events/event/{event.pk}/history/{first}/", {"newest": newest})

    assert (client.get(link).status_code, Event.objects.get().preview_version) == (404, 1)
