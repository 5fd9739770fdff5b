"""The values that a series gives its events: custom fields, attendance, merged records, and the dates it leaves out."""

import pytest
from django.core.management import call_command

from calendar_site.content.merge import merge_linked
from events.models import Event, Series
from events.series.services import detach_event
from taxonomy.merge import merge_terms
from taxonomy.models import Category
from tests.factories import CustomFieldFactory
from tests.support.api_client import API
from venues.models import Venue

SERIES = f"{API}/series"
CHOIR = {
    "title": "Choir",
    "start_date": "2027-03-16 19:00:00",
    "end_date": "2027-03-16 21:00:00",
    "timezone": "Europe/Rome",
    "rrule": "FREQ=WEEKLY;COUNT=3",
}
DATES = ["2027-03-16 19:00:00", "2027-03-23 19:00:00", "2027-03-30 19:00:00"]


@pytest.fixture(autouse=True)
def _today(time_machine):
    time_machine.move_to("2027-03-10 12:00", tick=False)


def create(client, **fields):
    response = client.post(SERIES, {**CHOIR, **fields})
    assert response.status_code == 201, response.content
    return response.json()["id"]


def update(client, path, **fields):
    response = client.patch(f"{API}/{path}", fields)
    assert response.status_code == 200, response.content


def events():
    return list(Event.objects.order_by("series_occurrence", "pk"))


def test_each_custom_field_follows_the_series_unless_the_event_changed_it(editor_api):
    for name in ("language", "level"):
        CustomFieldFactory(resource="event", name=name)
    pk = create(editor_api, custom_fields={"language": "Italian", "level": "easy"})
    update(editor_api, f"events/{events()[0].pk}", custom_fields={"level": "hard"})

    update(editor_api, f"series/{pk}", custom_fields={"language": "French", "level": "medium"})
    changed = [event.custom_values for event in events()]
    update(editor_api, f"series/{pk}", custom_fields={"language": None, "level": None})

    assert changed == [{"language": "French", "level": "hard"}, *[{"language": "French", "level": "medium"}] * 2]
    assert [event.custom_values for event in events()] == [{"level": "hard"}, {}, {}]


def test_event_that_moved_online_stays_online_when_the_series_is_in_person(editor_api):
    pk = create(editor_api, attendance_mode="mixed")
    update(editor_api, f"events/{events()[0].pk}", event_status="moved_online")

    update(editor_api, f"series/{pk}", attendance_mode="in_person", title="Big choir")

    assert [(event.title, event.attendance_mode) for event in events()] == [
        ("Big choir", "mixed"), ("Big choir", "in_person"), ("Big choir", "in_person")
    ]  # fmt: skip


def test_template_follows_merged_venues_and_terms(editor_api, editor):
    pk = create(editor_api, venue={"venue": "Hall"}, categories=["Music", "Song"])
    hall = Venue.objects.get()
    kept = Venue.objects.get(pk=editor_api.post(f"{API}/venues", {"venue": "The hall"}).json()["id"])
    merge_linked(kept, others=[hall], user=editor)
    merge_terms(Category.objects.get(name="Song"), others=[Category.objects.get(name="Music")], user=editor)

    # The events do not deviate, so they follow.
    update(editor_api, f"series/{pk}", venue=[], categories=["Choir"])

    assert [list(event.venues.all()) for event in events()] == [[], [], []]
    assert [[term.name for term in event.categories.all()] for event in events()] == [["Choir"]] * 3


def test_new_events_of_a_series_are_at_the_venue_that_was_kept(editor_api, editor):
    pk = create(editor_api, venue={"venue": "Hall"})
    kept = Venue.objects.get(pk=editor_api.post(f"{API}/venues", {"venue": "The hall"}).json()["id"])
    merge_linked(kept, others=[Venue.objects.get(title="Hall")], user=editor)

    update(editor_api, f"series/{pk}", rrule="FREQ=WEEKLY;COUNT=4")

    assert [[venue.title for venue in event.venues.all()] for event in events()] == [["The hall"]] * 4


def test_deleted_and_detached_events_are_in_the_history_of_the_series(editor_api, editor):
    pk = create(editor_api)
    deleted, detached, _other = events()
    editor_api.delete(f"{API}/events/{deleted.pk}")
    call_command("empty_trash", days=0)
    detach_event(Event.objects.get(pk=detached.pk), user=editor)

    revisions = Series.history.filter(id=pk).order_by("history_id")

    assert [(row.exdate, row.history_changed, row.history_username) for row in revisions] == [
        ([], [], "editor"), (DATES[:1], ["exdate"], ""), (DATES[:2], ["exdate"], "editor")
    ]  # fmt: skip


def test_excluded_dates_in_the_past_make_room_for_new_ones(editor_api, editor, time_machine, monkeypatch):
    pk = create(editor_api)
    Series.objects.update(exdate=["2027-01-05 19:00:00", "2027-01-12 19:00:00", "2027-04-06 19:00:00"])
    monkeypatch.setattr(Series, "MAX_DATES", 3)

    for event in events()[:2]:
        detach_event(event, user=editor)

    assert Series.objects.get(pk=pk).exdate == [*DATES[:2], "2027-04-06 19:00:00"]


def test_series_with_many_tickets_and_tags_creates_fewer_events_at_once(editor_api):
    tickets = [{"name": f"Row {number}", "price": "10", "currency": "EUR"} for number in range(100)]
    tags = [f"tag {number}" for number in range(100)]

    create(editor_api, rrule="FREQ=DAILY", tickets=tickets, tags=tags)

    assert Event.objects.count() == 50
