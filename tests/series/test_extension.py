"""Events of series that are created as time passes, and those that are not created again."""

from datetime import timedelta

import pytest
from django.core.management import call_command

from events.models import Event, Series
from events.series import services
from events.series.services import detach_event, end_series, extend_series, save_series
from events.services import duplicate_event
from tests.factories import OPERATOR, UserFactory
from tests.support.api_client import API, json_of
from tests.support.background_tasks import run_worker

WEEKLY = {
    "title": "Market",
    "start_date": "2027-03-13 09:00",
    "end_date": "2027-03-13 13:00",
    "timezone": "Europe/Rome",
    "rrule": "FREQ=WEEKLY",
}


@pytest.fixture(autouse=True)
def _today(time_machine, settings):
    time_machine.move_to("2027-03-10 12:00", tick=False)
    settings.SERIES_HORIZON_DAYS = 30


@pytest.fixture
def series(editor_api):
    response = editor_api.post(f"{API}/series", WEEKLY)
    assert response.status_code == 201, response.content
    return Series.objects.get()


def starts():
    return list(Event.objects.order_by("start_local").values_list("start_local", flat=True))


def test_events_are_created_up_to_the_horizon_and_extended_by_the_command(series, time_machine, capsys):
    before = starts()
    assert [start[5:10] for start in before] == ["03-13", "03-20", "03-27", "04-03", "04-10"]

    time_machine.move_to("2027-03-24 12:00", tick=False)
    call_command("extend_series")
    call_command("extend_series")

    assert capsys.readouterr().out == "Created 1 event.\nCreated 0 events.\n"
    assert starts()[: len(before)] == before
    assert [start[:10] for start in starts()[len(before) :]] == ["2027-04-17"]
    newest = Event.objects.order_by("start_local").last()
    assert (newest.title, newest.status, newest.author.username, newest.slug) == (
        "Market", "publish", "editor", "market-2027-04-17"
    )  # fmt: skip


def test_moved_deleted_and_detached_events_do_not_return(series, time_machine, editor_api, editor):
    moved, trashed, detached, removed = Event.objects.order_by("start_local")[:4]
    editor_api.patch(f"{API}/events/{moved.pk}", {"start_date": "2027-03-14 09:00", "end_date": "2027-03-14 13:00"})
    editor_api.delete(f"{API}/events/{trashed.pk}")
    detach_event(detached, user=editor)
    Event.objects.filter(pk=removed.pk).delete()
    before = starts()

    time_machine.move_to("2027-03-24 12:00", tick=False)
    created = extend_series(Series.objects.get())

    assert created == 1
    assert starts()[: len(before)] == before
    series.refresh_from_db()
    assert series.exdate == ["2027-03-27 09:00:00"]
    assert json_of(editor_api.get(f"{API}/events/{detached.pk}"))["series"] is None


def test_many_events_are_created_in_the_background(editor_api, monkeypatch):
    monkeypatch.setattr(services, "MAX_CREATED_AT_ONCE", 2)

    editor_api.post(f"{API}/series", WEEKLY | {"rrule": "FREQ=DAILY;COUNT=5"})
    at_once = len(starts())
    run_worker()

    assert (at_once, len(starts())) == (2, 5)


def test_series_has_a_limited_number_of_coming_events(editor_api, time_machine, monkeypatch):
    monkeypatch.setattr(Series, "MAX_OCCURRENCES", 3)

    editor_api.post(f"{API}/series", WEEKLY | {"rrule": "FREQ=DAILY"})
    first = starts()
    assert extend_series(Series.objects.get()) == 0
    time_machine.move_to("2027-03-15 06:00", tick=False)

    assert extend_series(Series.objects.get()) == 2
    assert [start[8:10] for start in first] == ["13", "14", "15"]
    assert [start[8:10] for start in starts()] == ["13", "14", "15", "16", "17"]


def test_ended_series_is_not_extended(series, time_machine, editor):
    second = Event.objects.order_by("start_local")[1]

    end_series(series, before=second.start, user=editor)
    time_machine.move_to("2027-06-01 12:00", tick=False)

    assert extend_series(Series.objects.get()) == 0
    assert Event.objects.filter(series=series).count() == 1


def test_records_that_are_deleted_are_left_out_of_new_events(editor_api, time_machine, editor):
    hall = editor_api.post(f"{API}/venues", {"venue": "Hall"}).json()["id"]
    yard = editor_api.post(f"{API}/venues", {"venue": "Yard"}).json()["id"]
    editor_api.post(f"{API}/series", WEEKLY | {"venue": [hall, yard]})
    editor_api.delete(f"{API}/venues/{hall}")
    series = Series.objects.get()

    # No event deviates, although none has the venue any longer.
    save_series(series, changes={"venues": []}, user=editor)

    assert {event.venues.count() for event in Event.objects.all()} == {0}


def test_history_of_a_series_has_its_changes(series, editor_api, editor):
    editor_api.patch(f"{API}/series/{series.pk}", {"title": "Big market", "post_password": "secret"})

    newest, first = Series.history.filter(id=series.pk)
    assert (first.history_kind, first.title, first.history_user_id) == ("created", "Market", editor.pk)
    assert (newest.history_kind, sorted(newest.history_changed)) == ("changed", ["password", "title"])
    assert newest.history_extra == {"password": True}
    assert "secret" not in str(newest.template)


def test_copy_of_an_event_does_not_belong_to_the_series(series, editor):
    copy = duplicate_event(Event.objects.order_by("pk")[0], user=editor)

    assert (copy.series, copy.series_occurrence) == (None, "")


def test_scheduled_series_is_published_by_the_time(editor_api, time_machine, client):
    created = editor_api.post(f"{API}/series", WEEKLY | {"date": "2027-03-12 00:00"}).json()

    before = client.get(f"{API}/series/{created['id']}").status_code
    time_machine.shift(timedelta(days=14))
    after = json_of(client.get(f"{API}/series/{created['id']}"))
    extend_series(Series.objects.get())

    assert (created["status"], before, after["status"]) == ("future", 403, "publish")
    assert set(Event.objects.values_list("status", flat=True)) == {"publish"}


def test_operator_may_change_the_series_of_everybody(series):
    UserFactory()
    save_series(series, changes={"title": "Changed"}, user=OPERATOR)

    assert set(Event.objects.values_list("title", flat=True)) == {"Changed"}
