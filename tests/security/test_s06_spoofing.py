"""S6, spoofing: nobody writes in the name of others, or publishes what the role may not publish.

Other services accepted any author that the request named. The contract gives `featured`, `sticky`,
`hide_from_listings` and the publish date to everybody who may save the record, so contributors may set them on their
own drafts; the audit log names the user who did.
"""

import pytest

from events.models import Event
from tests.support.admin import browser_for
from tests.support.api_client import api_client_for
from tests.support.api_writes import created_record, event_data, stored_rows, updated_record
from tests.support.content_kinds import CONTENT_KINDS
from tests.support.records import reloaded
from tests.support.resources import CONTENT, EVENTS

pytestmark = pytest.mark.django_db

NEW = {"events": event_data(), "venues": {"venue": "Hall"}, "organizers": {"organizer": "Choir"}}
FLAGS = {"featured": True, "sticky": True, "hide_from_listings": True}
OLD_DATE = "2001-02-03 04:05:06"


@pytest.fixture(params=["contributor", "author"])
def writer(request):
    return request.getfixturevalue(request.param)


def test_new_record_has_no_other_author(content, writer, editor):
    client = api_client_for(writer)
    before = stored_rows()

    refused = client.post(content.path, {**NEW[content.collection], "author": editor.pk})
    same = stored_rows() == before
    own = created_record(client.post(content.path, {**NEW[content.collection], "author": writer.pk}))

    assert (refused.status_code, refused.json()["code"], same) == (403, "rest_cannot_edit_others", True)
    assert own["author"] == writer.pk


@pytest.mark.parametrize("lookup", ["id", "slug"])
@pytest.mark.parametrize("method", ["post", "put", "patch"])
def test_own_record_is_not_given_to_others(content, writer, editor, method, lookup):
    row = content.make("Own", status="draft", author=writer)
    path = content.item(row) if lookup == "id" else f"{content.path}/by-slug/{row.slug}"

    response = getattr(api_client_for(writer), method)(path, {**NEW[content.collection], "author": editor.pk})

    assert (response.status_code, reloaded(row).author_id) == (403, writer.pk)


@pytest.mark.parametrize("kind", CONTENT_KINDS, ids=str)
def test_form_of_the_admin_ignores_or_refuses_another_author(kind, writer, editor):
    row = kind.factory(title="Own", status="draft", author=writer)

    browser_for(writer).post(kind.page(row), kind.saved_form(row, author=str(editor.pk)))

    assert reloaded(row).author_id == writer.pk


def test_editors_may_set_the_author(content, editor_api, author):
    record = created_record(editor_api.post(content.path, {**NEW[content.collection], "author": author.pk}))

    assert record["author"] == author.pk


@pytest.mark.parametrize("status", ["publish", "future", "private"])
def test_contributors_never_publish(content, contributor_api, status):
    sent = {**NEW[content.collection], "status": status, "date": OLD_DATE}

    record = created_record(contributor_api.post(content.path, sent))

    assert record["status"] in ("pending", "draft")


def test_records_of_others_keep_their_flags_and_dates(writer):
    row = EVENTS.make("Other")
    before = Event.objects.values().get(pk=row.pk)

    response = api_client_for(writer).post(EVENTS.item(row), {**FLAGS, "date": OLD_DATE})

    assert (response.status_code, Event.objects.values().get(pk=row.pk)) == (403, before)


def test_flags_and_date_of_own_drafts_are_recorded_with_their_user(writer):
    row = EVENTS.make("Own", status="draft", author=writer)

    record = updated_record(api_client_for(writer).post(EVENTS.item(row), {**FLAGS, "date": OLD_DATE}))
    revision = Event.history.filter(id=row.pk).latest("history_id")

    assert {name: record[name] for name in FLAGS} == FLAGS
    assert revision.history_user_id == writer.pk
    assert {*FLAGS, "published_at"} <= set(revision.history_changed)


def test_every_resource_with_an_author_is_tested():
    assert set(NEW) == {resource.collection for resource in CONTENT}
