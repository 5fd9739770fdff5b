"""Deleting events."""

import pytest

from events.models import Event
from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, VenueFactory
from tests.support.api_client import API, invalid_params
from tests.support.api_writes import changed_values, error_of, read_record, stored_rows, updated_record

EVENTS = f"{API}/events"


@pytest.fixture
def linked_event(db):
    return EventFactory(
        title="Open air",
        venues=[VenueFactory()],
        organizers=[OrganizerFactory()],
        categories=[CategoryFactory()],
        tags=[TagFactory()],
    )


def event_count(client):
    return client.get(f"{EVENTS}?per_page=50").json()["total"]


@pytest.mark.parametrize("path", ["{pk}", "{pk}/", "by-slug/{slug}"])
def test_deleted_event_is_answered_whole_and_in_the_trash(editor_api, client, linked_event, path, time_machine):
    time_machine.move_to("2030-01-15T12:00:00Z", tick=False)
    linked_event.save()
    before = read_record(editor_api, EVENTS, linked_event.pk)

    answer = updated_record(editor_api.delete(f"{EVENTS}/{path.format(pk=linked_event.pk, slug=linked_event.slug)}"))

    counted = {kind: [{**term, "count": 0} for term in before[kind]] for kind in ("categories", "tags")}
    assert changed_values(before, answer) == {"status": "trash", **counted}
    assert error_of(client.get(f"{EVENTS}/{linked_event.pk}")) == (403, "event-no-longer-available")
    assert error_of(editor_api.get(f"{EVENTS}/{linked_event.pk}")) == (403, "event-no-longer-available")
    assert (event_count(client), event_count(editor_api)) == (0, 0)


@pytest.mark.parametrize("status", ["draft", "pending", "private", "future"])
def test_event_of_any_status_is_deleted(editor_api, status):
    event = EventFactory(status=status)

    assert updated_record(editor_api.delete(f"{EVENTS}/{event.pk}"))["status"] == "trash"


def test_deleted_event_leaves_what_it_was_linked_to_and_keeps_its_links(editor_api, client, linked_event):
    updated_record(editor_api.delete(f"{EVENTS}/{linked_event.pk}"))
    left = [
        client.get(f"{API}/{name}?hide_empty=false").json()["total"]
        for name in ("venues", "organizers", "categories", "tags")
    ]
    back = updated_record(editor_api.post(f"{EVENTS}/{linked_event.pk}", {"status": "publish"}))

    assert left == [1, 1, 1, 1]
    assert back["venue"]["id"] == linked_event.venues.get().pk
    assert [len(back[name]) for name in ("organizer", "categories", "tags")] == [1, 1, 1]


def test_parts_of_a_deleted_event_stand_on(editor_api, client, linked_event):
    part = EventFactory(parent=linked_event)

    updated_record(editor_api.delete(f"{EVENTS}/{linked_event.pk}"))

    assert client.get(f"{EVENTS}/{part.pk}").status_code == 200


def test_no_other_event_is_touched(editor_api, linked_event):
    EventFactory(title="Other", venues=linked_event.venues.all())
    others = list(Event.objects.exclude(pk=linked_event.pk).values())

    updated_record(editor_api.delete(f"{EVENTS}/{linked_event.pk}"))

    assert list(Event.objects.exclude(pk=linked_event.pk).values()) == others


@pytest.mark.parametrize("password", ["wrong", "0"])
def test_password_of_an_event_without_one_is_passed_over(editor_api, linked_event, password):
    response = editor_api.delete(f"{EVENTS}/{linked_event.pk}?password={password}")

    assert updated_record(response)["status"] == "trash"
    assert "X-Ignored-Fields" not in response


def test_empty_password_is_refused(editor_api, linked_event):
    before = stored_rows()

    assert invalid_params(editor_api.delete(f"{EVENTS}/{linked_event.pk}?password=")) == {
        "password": "Must not be empty."
    }
    assert stored_rows() == before


def test_unknown_arguments_of_a_delete_are_named(editor_api, linked_event):
    response = editor_api.delete(f"{EVENTS}/{linked_event.pk}?force=true&id=5")

    assert updated_record(response)["status"] == "trash"
    assert response["X-Ignored-Fields"] == "force"


def test_answer_of_a_delete_is_cut_to_the_fields_asked_for(editor_api, linked_event):
    assert editor_api.delete(f"{EVENTS}/{linked_event.pk}?_fields=id,status").json() == {
        "id": linked_event.pk,
        "status": "trash",
    }
