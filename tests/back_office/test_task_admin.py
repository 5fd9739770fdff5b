"""The list of background tasks: what administrators see of failed tasks, and that nobody else sees it."""

import pytest

from calendar_site.tasks.models import BackgroundTask
from calendar_site.tasks.retries import MAX_ATTEMPTS
from tests.support.background_tasks import run_worker
from tests.support.example_tasks import fail

pytestmark = pytest.mark.django_db

LIST = "/admin/tasks/backgroundtask/"


@pytest.fixture
def failed_task():
    """A task that has failed in its last attempt."""
    task = BackgroundTask.objects.get(pk=fail.enqueue("no luck").id)
    BackgroundTask.objects.filter(pk=task.pk).update(worker_ids=["other"] * (MAX_ATTEMPTS - 1))
    run_worker()
    task.refresh_from_db()
    assert task.status == "FAILED"
    return task


def test_administrators_see_failed_tasks_with_their_traceback(administrator_browser, failed_task):
    listed = administrator_browser.get(f"{LIST}?status__exact=FAILED").content.decode()
    shown = administrator_browser.get(f"{LIST}{failed_task.pk}/change/").content.decode()

    assert f"{LIST}{failed_task.pk}/change/" in listed
    assert "ValueError: no luck" in shown
    assert 'type="submit"' not in shown.partition("<main")[2]


def test_administrators_run_failed_tasks_again(administrator_browser, failed_task):
    finished = BackgroundTask.objects.get(pk=fail.enqueue("finished").id)
    BackgroundTask.objects.filter(pk=finished.pk).update(status="SUCCESSFUL")

    chosen = {"action": "run_again", "_selected_action": [failed_task.pk, finished.pk]}
    response = administrator_browser.post(LIST, chosen, follow=True)

    assert [str(message) for message in response.context["messages"]] == ["1 failed task will run again."]
    statuses = dict(BackgroundTask.objects.filter(pk__in=[failed_task.pk, finished.pk]).values_list("pk", "status"))
    assert statuses == {failed_task.pk: "READY", finished.pk: "SUCCESSFUL"}


def test_others_do_not_see_the_list(editor_browser, failed_task):
    assert editor_browser.get(LIST).status_code == 403
    assert editor_browser.get(f"{LIST}{failed_task.pk}/change/").status_code == 403
    assert LIST not in editor_browser.get("/admin/").content.decode()


def test_addresses_of_tasks_that_do_not_exist_are_not_found(administrator_browser):
    assert administrator_browser.get("/admin/r/1/1/").status_code == 404
    assert administrator_browser.get(f"{LIST}1/change/")["Location"] == "/admin/"


def test_the_list_has_a_fixed_number_of_queries(administrator_browser, django_assert_max_num_queries):
    for number in range(20):
        fail.enqueue(str(number))

    with django_assert_max_num_queries(12):
        administrator_browser.get(LIST)
