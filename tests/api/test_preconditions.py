"""ETags of single records: 304 for a version that the client has, 412 for a write of one that has changed."""

import gzip
from datetime import UTC, datetime, timedelta

import pytest
from django.utils.http import http_date

from calendar_site.core.choices import Status
from events.models import Event
from tests.factories import EventFactory, ImageFactory, TagFactory, VenueFactory
from tests.support.api_client import API, api_client_for
from tests.support.api_writes import error_of, event_data, updated_record
from tests.support.resources import CONTENT, RESOURCES, TERMS

NAMES = {"events": "title", "venues": "venue", "organizers": "organizer", "categories": "name", "tags": "name"}
OTHER = '"0123456789abcdef0123456789abcdef"'

pytestmark = pytest.mark.django_db


@pytest.fixture(params=RESOURCES, ids=str)
def each_resource(request):
    return request.param


@pytest.fixture
def path(each_resource):
    return each_resource.item(each_resource.make("Record"))


@pytest.fixture
def event(editor):
    return EventFactory(title="Open air", author=editor)


@pytest.fixture
def event_path(event):
    return f"{API}/events/{event.pk}"


def set_modified_at(event, moment):
    Event.objects.filter(pk=event.pk).update(modified_at=moment)


# --- ETags


def test_etag_is_strong_and_changes_with_the_record(editor_api, each_resource, path):
    first, again = editor_api.get(path)["ETag"], editor_api.get(path)["ETag"]
    updated_record(editor_api.patch(path, {NAMES[each_resource.collection]: "Renamed"}))
    renamed = editor_api.get(path)["ETag"]

    assert first == again
    assert first != renamed
    assert (first[0], first[-1], len(first)) == ('"', '"', 67)


def test_answers_to_writes_have_the_etag_of_the_record(editor_api, each_resource):
    data = event_data() if each_resource.collection == "events" else {NAMES[each_resource.collection]: "Record"}
    created = editor_api.post(each_resource.path, data)
    after_create = editor_api.get(created["Location"])
    updated = editor_api.patch(
        f"{each_resource.path}/{created.json()['id']}", {NAMES[each_resource.collection]: "Renamed"}
    )
    after_update = editor_api.get(created["Location"])

    assert created["ETag"] == after_create["ETag"]
    assert updated["ETag"] == after_update["ETag"]
    assert created["ETag"] != updated["ETag"]


def test_etag_does_not_depend_on_the_selection(editor_api, path):
    whole = editor_api.get(path)

    assert editor_api.get(f"{path}?_fields=id")["ETag"] == whole["ETag"]
    assert editor_api.head(path)["ETag"] == whole["ETag"]


def test_etag_is_the_same_by_slug(editor_api, event, event_path):
    assert editor_api.get(f"{API}/events/by-slug/{event.slug}")["ETag"] == editor_api.get(event_path)["ETag"]


def test_etag_changes_with_a_linked_record(client, editor_api):
    venue = VenueFactory(title="Hall")
    event = EventFactory(venues=[venue])
    before = client.get(f"{API}/events/{event.pk}")

    updated_record(editor_api.patch(f"{API}/venues/{venue.pk}", {"venue": "Old hall"}))

    assert client.get(f"{API}/events/{event.pk}")["ETag"] != before["ETag"]


def test_etag_is_of_the_record_that_the_user_sees(client, editor_api, event):
    """An ETag of the hidden fields would change with them, and tell that they have changed."""
    Event.objects.filter(pk=event.pk).update(password="secret")
    path = f"{API}/events/{event.pk}"
    with_password = client.get(f"{path}?password=secret")
    venue = VenueFactory(status=Status.DRAFT)
    updated_record(editor_api.patch(path, {"venue": venue.pk}))

    assert "ETag" not in client.get(path)
    assert client.get(f"{path}?password=secret").json()["venue"] == []
    assert with_password["ETag"] != editor_api.get(path)["ETag"]


def test_content_has_a_modification_time(client, editor, db):
    modified = datetime(2027, 3, 10, 12, 0, 0, 999_999, tzinfo=UTC)
    for resource in CONTENT:
        row = resource.make("Record")
        resource.factory._meta.model.objects.filter(pk=row.pk).update(modified_at=modified)

        assert client.get(resource.item(row))["Last-Modified"] == "Wed, 10 Mar 2027 12:00:00 GMT"
    for resource in TERMS:
        assert "Last-Modified" not in client.get(resource.item(resource.make("Record")))


def test_caches_ask_before_they_use_a_stored_record(client, editor_api, path):
    """Caches would otherwise guess from the modification time how long they may use it."""
    assert client.get(path)["Cache-Control"] == "no-cache"
    assert editor_api.get(path)["Cache-Control"] == "private, no-store"


def test_public_lists_have_an_etag_but_not_private_ones_and_errors(client, editor_api, each_resource, db):
    path = f"{each_resource.path}?{each_resource.arguments}"
    before = client.get(path)
    each_resource.make("Record")

    assert client.get(path)["ETag"] != before["ETag"]
    assert "ETag" not in editor_api.get(path)
    assert "ETag" not in client.get(f"{each_resource.path}/0")


# --- If-None-Match


@pytest.mark.parametrize("method", ["get", "head"])
@pytest.mark.parametrize("sent", ["{etag}", "W/{etag}", f'{OTHER}, "x",W/{{etag}}', "*"])
def test_known_version_is_not_sent_again(client, event_path, method, sent):
    known = client.get(event_path)

    answer = getattr(client, method)(event_path, headers={"If-None-Match": sent.format(etag=known["ETag"])})

    assert (answer.status_code, answer.content) == (304, b"")
    assert "Content-Type" not in answer
    for name in ("ETag", "Last-Modified", "Cache-Control", "Content-Language"):
        assert answer[name] == known[name]
    assert set(answer["Vary"].split(", ")) == set(known["Vary"].split(", "))


@pytest.mark.parametrize("sent", [OTHER, "{bare}", ""])
def test_other_version_is_sent(client, event_path, sent):
    known = client.get(event_path)

    answer = client.get(event_path, headers={"If-None-Match": sent.format(bare=known["ETag"].strip('"'))})

    assert (answer.status_code, answer.content) == (200, known.content)


def test_modification_time_alone_does_not_say_that_a_record_is_known(client, event_path):
    known = client.get(event_path)

    assert client.get(event_path, headers={"If-Modified-Since": known["Last-Modified"]}).status_code == 200


def test_unreadable_record_is_an_error_for_those_who_guess_its_version(client, event_path, event):
    Event.objects.filter(pk=event.pk).update(status=Status.DRAFT)

    assert error_of(client.get(event_path, headers={"If-None-Match": "*"})) == (403, "event-not-accessible")


# --- If-Match


@pytest.mark.parametrize("method", ["post", "put", "patch"])
def test_update_of_the_known_version_is_saved(editor_api, each_resource, path, method):
    etag = editor_api.get(path)["ETag"]
    name = NAMES[each_resource.collection]

    answer = getattr(editor_api, method)(path, {name: "Renamed"}, headers={"If-Match": etag})

    assert updated_record(answer)[name] == "Renamed"


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_write_of_another_version_is_rejected(editor_api, each_resource, path, method):
    old = editor_api.get(path)["ETag"]
    name = NAMES[each_resource.collection]
    updated_record(editor_api.patch(path, {name: "By another client"}))

    answer = getattr(editor_api, method)(path, {name: "Renamed"}, headers={"If-Match": old})

    current = editor_api.get(path)
    assert error_of(answer) == (412, "rest_precondition_failed")
    assert answer["ETag"] == current["ETag"]
    assert answer.get("Last-Modified") == current.get("Last-Modified")
    assert current.json()[name] == "By another client"


@pytest.mark.parametrize("collection", ["events", "tags"])
def test_write_does_not_compare_event_counts(editor_api, collection):
    tag = TagFactory()
    event = EventFactory(tags=[tag])
    path = f"{API}/{collection}/{(event if collection == 'events' else tag).pk}"
    before = editor_api.get(path)["ETag"]
    EventFactory(tags=[tag])
    after = editor_api.get(path)["ETag"]
    field = NAMES[collection]

    updated_record(editor_api.patch(path, {field: "Renamed"}, headers={"If-Match": before}))
    repeated = editor_api.patch(path, {field: "Renamed again"}, headers={"If-Match": after})

    assert before != after
    assert repeated.status_code == 412


def test_delete_of_the_known_version_is_carried_out(editor_api, path):
    etag = editor_api.get(path)["ETag"]

    assert editor_api.delete(path, headers={"If-Match": etag}).status_code == 200


def test_preconditions_apply_by_slug_and_to_an_overridden_method(editor_api, event):
    by_slug = f"{API}/events/by-slug/{event.slug}"
    old = {"If-Match": OTHER}

    responses = [
        editor_api.patch(by_slug, {"title": "New"}, headers=old),
        editor_api.delete(by_slug, headers=old),
        editor_api.post(by_slug, headers={**old, "X-HTTP-Method-Override": "DELETE"}),
        editor_api.post(f"{API}/events/{event.pk}?_method=PATCH", {"title": "New"}, headers=old),
    ]

    assert [error_of(answer) for answer in responses] == [(412, "rest_precondition_failed")] * 4
    event.refresh_from_db()
    assert (event.title, event.status) == ("Open air", Status.PUBLISH)


@pytest.mark.parametrize("sent", ["*", " * ", f"{OTHER}, {{etag}}", "W/{etag}"])
def test_list_and_weak_etag_and_star_match(editor_api, event_path, sent):
    etag = editor_api.get(event_path)["ETag"]

    updated_record(editor_api.patch(event_path, {"title": "New"}, headers={"If-Match": sent.format(etag=etag)}))


def test_etag_of_a_compressed_response_matches(editor_api, event):
    event.description = "<p>Long</p>" * 200
    event.save()
    path = f"{API}/events/{event.pk}"
    compressed = editor_api.get(path, headers={"Accept-Encoding": "gzip"})
    assert compressed["ETag"].startswith("W/")
    assert gzip.decompress(compressed.content)

    updated_record(editor_api.patch(path, {"title": "New"}, headers={"If-Match": compressed["ETag"]}))


@pytest.mark.parametrize("sent", ["", "no-quotes", "5d41402abc4b2a76b9719d911017c592", "W/abc"])
def test_malformed_if_match_is_an_error(editor_api, event_path, sent):
    """If it was ignored, the write would overwrite what it was to protect."""
    answer = editor_api.patch(event_path, {"title": "New"}, headers={"If-Match": sent})

    assert error_of(answer) == (400, "rest_invalid_if_match")
    assert editor_api.get(event_path).json()["title"] == "Open air"


@pytest.mark.parametrize("sent", ["*", OTHER, "no-quotes"])
def test_other_errors_come_before_preconditions(editor_api, author_api, event_path, sent):
    headers = {"If-Match": sent}

    assert error_of(editor_api.patch(f"{API}/events/0", {}, headers=headers)) == (404, "rest-event-not-found")
    assert error_of(editor_api.delete(f"{API}/events/0", headers=headers)) == (404, "rest-event-not-found")
    assert error_of(author_api.patch(event_path, {}, headers=headers)) == (403, "rest_forbidden")


def test_preconditions_come_before_the_validation_of_the_body(editor_api, event_path):
    answer = editor_api.patch(event_path, {"start_date": "never"}, headers={"If-Match": OTHER})

    assert error_of(answer) == (412, "rest_precondition_failed")


def test_rejected_update_stores_no_image(editor_api, event_path, event):
    image = ImageFactory()

    error = error_of(editor_api.patch(event_path, {"image": image.pk}, headers={"If-Match": OTHER}))

    event.refresh_from_db()
    assert (error, event.image_id) == ((412, "rest_precondition_failed"), None)


def test_changes_without_preconditions_are_merged(editor_api, event_path):
    old = editor_api.get(event_path)["ETag"]
    updated_record(editor_api.patch(event_path, {"title": "New"}))

    merged = updated_record(editor_api.patch(event_path, {"cost": "$5"}))

    assert (merged["title"], merged["cost"]) == ("New", "$5")
    assert editor_api.get(event_path)["ETag"] != old


# --- If-Unmodified-Since


@pytest.mark.parametrize(("seconds", "status"), [(-1, 412), (0, 200), (1, 200)])
def test_unmodified_since(editor_api, event, event_path, seconds, status):
    # A fraction of a second, which the date in the header cannot have.
    modified = datetime(2027, 3, 10, 12, 0, 0, 500_000, tzinfo=UTC)
    set_modified_at(event, modified)
    since = http_date((modified + timedelta(seconds=seconds)).timestamp())

    answer = editor_api.patch(event_path, {"title": "New"}, headers={"If-Unmodified-Since": since})

    assert answer.status_code == status
    if status == 412:
        assert error_of(answer) == (412, "rest_precondition_failed")
        assert answer["ETag"] == editor_api.get(event_path)["ETag"]
        assert answer["Last-Modified"] == "Wed, 10 Mar 2027 12:00:00 GMT"


@pytest.mark.parametrize("sent", ["", "yesterday", "2027-03-10"])
def test_invalid_date_is_ignored(editor_api, event_path, sent):
    updated_record(editor_api.delete(event_path, headers={"If-Unmodified-Since": sent}))


def test_date_is_ignored_for_records_without_a_modification_time(editor_api):
    path = f"{API}/tags/{TagFactory().pk}"

    updated_record(editor_api.patch(path, {"name": "New"}, headers={"If-Unmodified-Since": http_date(0)}))


def test_if_match_takes_precedence_over_the_date(editor_api, event_path):
    headers = {"If-Match": editor_api.get(event_path)["ETag"], "If-Unmodified-Since": http_date(0)}

    updated_record(editor_api.patch(event_path, {"title": "New"}, headers=headers))


# --- Queries


@pytest.mark.parametrize("links", [1, 3])
def test_rejected_write_query_count(editor, links, django_assert_num_queries):
    event = EventFactory(venues=VenueFactory.create_batch(links), tags=TagFactory.create_batch(links))
    path = f"{API}/events/{event.pk}"
    api = api_client_for(editor)
    etag = api.get(path)["ETag"]

    with django_assert_num_queries(8):
        error_of(api.patch(path, {"title": "New"}, headers={"If-Match": OTHER}))
    with django_assert_num_queries(8):
        error_of(api.patch(path, {"title": "New"}, headers={"If-Unmodified-Since": http_date(0)}))
    assert api.get(path)["ETag"] == etag
