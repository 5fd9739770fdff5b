"""Revisions lead to the request that made them, and to its client for a limited time."""

from datetime import timedelta

import pytest
from django.utils import timezone

from calendar_site.audit.tasks import delete_old_history
from taxonomy.models import Tag
from tests.factories import TagFactory
from tests.support.api_client import API

pytestmark = pytest.mark.django_db


@pytest.fixture
def created(editor_api):
    """The tag that a request has created, and the response."""
    response = editor_api.post(f"{API}/tags", {"name": "Jazz"}, REMOTE_ADDR="192.0.2.7")
    return Tag.objects.get(name="Jazz"), response


def test_revision_has_the_id_and_the_address_of_its_request(created):
    tag, response = created

    (revision,) = tag.history.all()
    assert (revision.history_request_id, revision.history_address) == (response["X-Request-ID"], "192.0.2.7")


def test_revision_of_a_command_has_neither():
    (revision,) = TagFactory().history.all()

    assert (revision.history_request_id, revision.history_address) == ("", None)


@pytest.mark.parametrize(("browser", "sees_address"), [("administrator_browser", True), ("editor_browser", False)])
def test_history_page_shows_the_request_and_only_administrators_the_address(created, request, browser, sees_address):
    tag, response = created

    url = f"/admin/taxonomy/tag/{tag.pk}/history/compare/"
    page = request.getfixturevalue(browser).get(url, {"state": tag.history.get().history_id})

    text = page.content.decode()
    assert response["X-Request-ID"] in text
    assert ("192.0.2.7" in text) is sees_address


def delete_daily(run_command):
    delete_old_history.func()


def delete_by_command(run_command):
    run_command("prune_history", "--days=1000")


@pytest.mark.parametrize("delete", [delete_daily, delete_by_command])
def test_addresses_are_deleted_after_their_time(created, settings, run_command, delete):
    settings.HISTORY_ADDRESS_DAYS = 30
    tag, response = created
    recorded = timezone.now() - timedelta(days=31)
    tag.history.update(history_date=recorded)
    newer = TagFactory()
    newer.history.update(history_address="192.0.2.8")

    delete(run_command)

    assert [(row.history_request_id, row.history_address) for row in tag.history.all()] == [
        (response["X-Request-ID"], None)
    ]
    assert newer.history.get().history_address == "192.0.2.8"
