"""Series with many events: no write changes, deletes or renders all of them at once."""

import pytest

from events.index_models import EventRendering
from events.models import Event, Series
from events.series import propagation, services
from taxonomy.merge import merge_terms
from tests.factories import TagFactory
from tests.support.api_client import API, json_of
from tests.support.background_tasks import run_worker

CHOIR = {
    "title": "Choir",
    "start_date": "2027-03-16 19:00:00",
    "end_date": "2027-03-16 21:00:00",
    "timezone": "Europe/Rome",
    "rrule": "FREQ=WEEKLY;COUNT=5",
}


@pytest.fixture(autouse=True)
def _today(time_machine):
    time_machine.move_to("2027-03-10 12:00", tick=False)


@pytest.fixture
def weekly_choir(editor_api):
    response = editor_api.post(f"{API}/series", CHOIR)
    assert response.status_code == 201, response.content
    return f"{API}/series/{response.json()['id']}"


def statuses():
    return list(Event.objects.order_by("start_local").values_list("status", flat=True))


def in_series():
    return list(Event.objects.order_by("start_local").exclude(series=None).values_list("start_local", flat=True))


def test_deleting_a_series_renders_a_part_of_its_events_at_once(weekly_choir, editor_api, monkeypatch):
    monkeypatch.setattr(services, "RENDERED_AT_ONCE", 2)
    EventRendering.objects.all().delete()

    assert json_of(editor_api.delete(weekly_choir))["title"] == "Choir"
    at_once = EventRendering.objects.count()
    listed = json_of(editor_api.get(f"{API}/events"))["events"]
    run_worker()

    assert (at_once, EventRendering.objects.count(), in_series()) == (2, 5, [])
    assert [event["series"] for event in listed] == [None] * 5
    assert json_of(editor_api.get(f"{API}/events"))["events"] == listed


def test_deleted_series_still_gives_its_last_values_to_its_events(weekly_choir, editor_api, monkeypatch):
    monkeypatch.setattr(propagation, "MAX_CHANGED_AT_ONCE", 2)
    editor_api.patch(weekly_choir, {"title": "Big choir", "cost": "5 €"})
    last = Event.objects.latest("start")
    editor_api.patch(f"{API}/events/{last.pk}", {"title": "Last night"})

    editor_api.delete(weekly_choir)
    at_once = list(Event.objects.order_by("start").values_list("title", flat=True))
    run_worker()

    assert at_once == ["Big choir", "Big choir", "Choir", "Choir", "Last night"]
    assert list(Event.objects.order_by("start").values_list("title", "cost")) == [
        *[("Big choir", "5€")] * 4, ("Last night", "5€")
    ]  # fmt: skip
    newest = Event.history.filter(id=last.pk).latest("history_id")
    assert (newest.history_changed, newest.history_username) == (["cost"], "editor")


def test_ending_a_series_trashes_a_part_of_its_events_at_once(weekly_choir, editor_api, monkeypatch):
    monkeypatch.setattr(propagation, "MAX_TRASHED_AT_ONCE", 2)

    json_of(editor_api.patch(weekly_choir, {"rrule": "FREQ=WEEKLY;COUNT=1"}))
    at_once, left = statuses(), in_series()
    run_worker()

    assert (at_once, left) == (["publish", "trash", "trash", "publish", "publish"], ["2027-03-16 19:00:00"])
    assert (statuses(), in_series()) == (["publish", *["trash"] * 4], ["2027-03-16 19:00:00"])
    # Dates that return get new events.
    json_of(editor_api.patch(weekly_choir, {"rrule": "FREQ=WEEKLY;COUNT=2"}))
    assert in_series() == ["2027-03-16 19:00:00", "2027-03-23 19:00:00"]


def test_merged_tags_are_replaced_in_former_values_too(weekly_choir, editor_api, administrator, monkeypatch):
    monkeypatch.setattr(propagation, "MAX_CHANGED_AT_ONCE", 2)
    old, kept = TagFactory(name="Songs"), TagFactory(name="Song")
    editor_api.patch(weekly_choir, {"tags": [old.pk]})
    run_worker()
    editor_api.patch(weekly_choir, {"tags": [old.pk], "title": "Big choir"})

    merge_terms(kept, others=[old], user=administrator)
    editor_api.patch(weekly_choir, {"tags": []})
    run_worker()

    assert not Event.objects.exclude(tags=None).exists()
    assert {event.title for event in Event.objects.all()} == {"Big choir"}
    assert Series.objects.get().outdated == []
