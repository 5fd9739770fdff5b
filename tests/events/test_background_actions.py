"""Bulk actions on more records than one request changes: a background task changes the others."""

import pytest

from calendar_site.back_office.content import background_actions
from calendar_site.tasks.models import BackgroundTask
from events.models import Event
from tests.factories import EventFactory, UserFactory
from tests.support.admin import browser_for, messages_in, run_action, undo_url
from tests.support.background_tasks import run_worker

pytestmark = pytest.mark.django_db

LIST = "/admin/events/event/"


@pytest.fixture(autouse=True)
def _two_at_once(monkeypatch):
    monkeypatch.setattr("calendar_site.back_office.content.row_actions.MAX_AT_ONCE", 2)


@pytest.fixture
def simultaneous_events():
    titles = ("Market", "Concert", "Lecture", "Picnic", "Regatta")
    return [EventFactory(title=title, start="2030-05-01 18:00") for title in titles]


def starts():
    return sorted(Event.objects.values_list("start_local", flat=True))


def progress_url(response):
    tagged = [each for each in response.wsgi_request._messages if (each.extra_tags or "").startswith("progress-")]
    return tagged[-1].extra_tags.removeprefix("progress-")


def move_by_a_day(browser, rows):
    return run_action(browser, LIST, "change_selected", rows, days="1", bulk="1")


def test_task_changes_the_records_that_the_request_left(editor_browser, simultaneous_events):
    response = move_by_a_day(editor_browser, simultaneous_events)
    page = editor_browser.get(LIST).content.decode()
    waiting = editor_browser.get(progress_url(response)).content.decode()

    assert starts() == ["2030-05-01 18:00:00"] * 3 + ["2030-05-02 18:00:00"] * 2
    assert messages_in(response)[-1] == "3 more records follow in the background."
    assert f'href="{progress_url(response)}"' in page
    assert "3 records: waiting" in waiting

    run_worker()
    finished = editor_browser.get(progress_url(response)).content.decode()

    assert starts() == ["2030-05-02 18:00:00"] * 5
    assert "3 records: finished" in finished
    assert "Changed: Regatta, Picnic, Lecture." in finished
    history = Event.history.filter(history_request_id=undo_url(response).partition("request=")[2])
    assert {(row.history_user.username, row.history_channel) for row in history} == {("editor", "admin")}
    assert history.count() == 5


def test_task_that_runs_again_changes_nothing_twice(editor_browser, simultaneous_events):
    move_by_a_day(editor_browser, simultaneous_events)
    run_worker()

    BackgroundTask.objects.update(status=BackgroundTask.Status.READY, worker_ids=[], finished_at=None)
    run_worker()

    assert starts() == ["2030-05-02 18:00:00"] * 5


def test_undo_restores_the_records_of_the_request_and_of_the_task(editor_browser, simultaneous_events):
    response = move_by_a_day(editor_browser, simultaneous_events)
    run_worker()

    undone = editor_browser.post(undo_url(response))

    assert starts() == ["2030-05-01 18:00:00"] * 2 + ["2030-05-02 18:00:00"] * 3
    run_worker()
    assert starts() == ["2030-05-01 18:00:00"] * 5
    assert "Undone: " in editor_browser.get(progress_url(undone)).content.decode()


def test_undo_cancels_what_waits(editor_browser, simultaneous_events):
    response = move_by_a_day(editor_browser, simultaneous_events)

    editor_browser.post(undo_url(response))
    run_worker()

    assert starts() == ["2030-05-01 18:00:00"] * 5


def test_undo_of_a_running_action_is_refused(editor_browser, simultaneous_events):
    response = move_by_a_day(editor_browser, simultaneous_events)
    BackgroundTask.objects.filter(task_path=background_actions.run_in_background.module_path).update(status="RUNNING")

    undone = editor_browser.post(undo_url(response))

    assert messages_in(undone)[-1] == "The action is still running, so it cannot be undone yet. Try again in a moment."
    assert starts() == ["2030-05-01 18:00:00"] * 3 + ["2030-05-02 18:00:00"] * 2


@pytest.mark.parametrize("loss", ["role", "account", "staff"])
def test_task_acts_with_the_rights_of_today(simultaneous_events, loss):
    user = UserFactory(role="editor")
    response = run_action(browser_for(user), LIST, "hide", simultaneous_events)
    match loss:
        case "role":
            user.groups.clear()
        case "account":
            user.is_active = False
            user.save()
        case _:
            user.delete()

    run_worker()

    assert Event.objects.filter(hide_from_listings=True).count() == 2
    assert messages_in(response)[-1] == "3 more records follow in the background."


def test_actions_of_the_trash_are_left_as_well(editor_browser, simultaneous_events):
    run_action(editor_browser, LIST, "move_to_trash", simultaneous_events)
    run_worker()
    assert set(Event.objects.values_list("status", flat=True)) == {"trash"}

    run_action(editor_browser, f"{LIST}?status=trash", "restore", simultaneous_events)
    run_worker()
    assert set(Event.objects.values_list("status", flat=True)) == {"publish"}


def test_progress_of_somebody_else_is_not_shown(editor_browser, author_browser, simultaneous_events):
    url = progress_url(move_by_a_day(editor_browser, simultaneous_events))

    assert [browser.get(url).status_code for browser in (editor_browser, author_browser)] == [200, 404]
    for request in ("", "x", "a" * 32):
        assert editor_browser.get(f"{LIST}background/?request={request}").status_code == 404


def test_copies_are_all_made_at_once(editor_browser, simultaneous_events, monkeypatch):
    run_action(editor_browser, LIST, "duplicate", simultaneous_events)
    assert Event.objects.count() == 10

    monkeypatch.setattr("events.admin.actions.MAX_NEW_EVENTS", 4)
    refused = run_action(editor_browser, LIST, "duplicate", simultaneous_events)
    assert messages_in(refused)[-1] == "Nothing was duplicated: that would be more than 4 new events."
    assert Event.objects.count() == 10


def test_task_stores_the_form_without_records_and_token(editor_browser, simultaneous_events):
    move_by_a_day(editor_browser, simultaneous_events)

    (task,) = BackgroundTask.objects.filter(task_path=background_actions.run_in_background.module_path)
    (repetition,) = task.args_kwargs["args"]
    assert repetition["form"] == "action=change_selected&days=1&bulk=1"
    assert repetition["ids"] == [event.pk for event in simultaneous_events[2:]]
