"""`Idempotency-Key`: a repeated write is carried out once, and gets the first response again."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from django.db import connection
from django.db.models.signals import post_save
from django.utils import timezone

from calendar_site.api import idempotency
from calendar_site.api.description.endpoints import endpoints_in
from calendar_site.api.description.openapi import path_template
from calendar_site.api.site_urls import default_api_base
from calendar_site.idempotency.models import IdempotentRequest
from calendar_site.idempotency.services import PRUNE_BATCH
from calendar_site.idempotency.tasks import delete_expired_responses
from calendar_site.media.models import Image
from calendar_site.tasks.schedule import daily_tasks
from calendar_site.urls import API_PATTERNS
from events.models import Event
from tests.factories import CustomFieldFactory, EventFactory, TagFactory, VenueFactory
from tests.support.api_client import API, api_client_for
from tests.support.api_writes import created_record, error_of, event_data, stored_rows, updated_record
from tests.support.image_files import plain_image
from tests.support.openapi_document import path_of
from tests.support.resources import RESOURCES, SERIES

NOW = datetime(2027, 3, 10, 12, tzinfo=UTC)
KEY = {"Idempotency-Key": "7f9c2ba4-e88f-4e4a-8a5c-5b8a0c1f3d11"}
EVENTS = f"{API}/events"
NEW = {"events": event_data(), "series": event_data(rrule="FREQ=DAILY;COUNT=2")}
NAMES = {"events": "title", "venues": "venue", "organizers": "organizer", "categories": "name", "tags": "name"}
# The methods and paths that write. Taken from the routes, so that a new one is tested.
WRITES = [
    (method, path_template(endpoint.pattern))
    for endpoint in endpoints_in(API_PATTERNS, default_api_base())
    for method in endpoint.methods
    # A preview saves nothing.
    if method != "GET" and not endpoint.pattern.endswith("/preview")
]

pytestmark = pytest.mark.django_db


def send_again(send):
    """Send the same request twice, and return the first response after checking that the second one replays it."""
    first, before = send(), stored_rows()
    again = send()

    assert "Idempotent-Replayed" not in first
    assert again["Idempotent-Replayed"] == "true"
    assert (again.status_code, again.content) == (first.status_code, first.content)
    for name in ("Location", "ETag", "Last-Modified", "X-Ignored-Fields", "Content-Language", "Cache-Control", "Vary"):
        assert again.get(name) == first.get(name)
    assert stored_rows() == before
    return first


@pytest.fixture
def create_event(editor_api):
    """Returns a function that creates an event with the key."""

    def create(**fields):
        return editor_api.post(EVENTS, event_data(**fields), headers=KEY)

    return create


# --- Replays


@pytest.mark.parametrize(("method", "path"), WRITES, ids=" ".join)
def test_every_write_is_carried_out_once(editor_api, method, path):
    resource = next(resource for resource in (*RESOURCES, SERIES) if path.startswith(f"/{resource.collection}"))
    row = resource.make("Record")
    data = NEW.get(resource.collection) or {NAMES[resource.collection]: "Another name"}
    url = path_of(path, id=row.pk, slug=getattr(row, "slug", ""))

    response = send_again(
        lambda: editor_api.generic(method, url, "" if method == "DELETE" else json.dumps(data), headers=KEY)
    )

    assert response.status_code in (200, 201)


def test_replay_has_the_headers_of_the_first_response(editor_api):
    def send():
        return editor_api.post(f"{EVENTS}?catgories=music", event_data(), headers=KEY)

    response = send_again(send)

    assert created_record(response)["title"] == "Open air"
    assert response["X-Ignored-Fields"] == "catgories"
    assert response["Location"].endswith(f"{EVENTS}/{response.json()['id']}")
    assert response["ETag"] == editor_api.get(response["Location"])["ETag"]


def test_replay_is_the_first_response_after_the_record_has_changed(editor_api, create_event):
    first = create_event()
    updated_record(editor_api.patch(f"{EVENTS}/{first.json()['id']}", {"title": "Changed"}))

    again = create_event()

    assert (again.status_code, again.json()["title"], again["ETag"]) == (201, "Open air", first["ETag"])


def test_replay_keeps_its_language(editor_api):
    def send(language):
        return editor_api.post(EVENTS, {}, headers={**KEY, "Accept-Language": language})

    german, again = send("de"), send("fr")

    assert (again["Content-Language"], again.content) == ("de", german.content)


def test_without_a_key_every_request_is_carried_out(editor_api):
    for _attempt in range(2):
        created_record(editor_api.post(EVENTS, event_data()))

    assert Event.objects.count() == 2
    assert not IdempotentRequest.objects.exists()


def test_key_has_no_effect_on_reads(client, editor_api):
    path = f"{EVENTS}/{EventFactory().pk}"

    for _attempt in range(2):
        assert "Idempotent-Replayed" not in editor_api.get(path, headers=KEY)
    assert not IdempotentRequest.objects.exists()


def test_overridden_method_is_the_one_that_counts(editor_api):
    path = f"{EVENTS}/{EventFactory().pk}"

    updated_record(editor_api.post(path, headers=KEY))
    send_again(lambda: editor_api.post(path, headers={**KEY, "X-HTTP-Method-Override": "DELETE"}))

    assert "Idempotent-Replayed" in editor_api.delete(path, headers=KEY)


def test_key_belongs_to_user_and_route(editor_api, author_api):
    venue = VenueFactory()
    responses = [
        editor_api.post(EVENTS, event_data(), headers=KEY),
        author_api.post(EVENTS, event_data(), headers=KEY),
        editor_api.post(f"{API}/venues", {"venue": "Hall"}, headers=KEY),
        editor_api.patch(f"{API}/venues/{venue.pk}", {"venue": "Park"}, headers=KEY),
        editor_api.put(f"{API}/venues/{venue.pk}", {"venue": "Park"}, headers=KEY),
    ]

    assert [response.status_code for response in responses] == [201, 201, 201, 200, 200]
    assert not any("Idempotent-Replayed" in response for response in responses)


def test_key_belongs_to_the_user_and_not_to_an_application_password(editor):
    first = api_client_for(editor).post(EVENTS, event_data(), headers=KEY)
    editor.application_passwords.all().delete()

    again = api_client_for(editor).post(EVENTS, event_data(), headers=KEY)

    assert again.content == first.content


# --- Errors


@pytest.mark.parametrize(
    ("send", "error"),
    [
        (lambda api: api.post(EVENTS, {}, headers=KEY), (400, "rest_missing_callback_param")),
        (lambda api: api.post(EVENTS, event_data(venue=7), headers=KEY), (400, "rest_invalid_param")),
        (lambda api: api.delete(f"{EVENTS}/0", headers=KEY), (404, "rest-event-not-found")),
        (lambda api: api.patch(f"{EVENTS}/0", {}, headers=KEY), (404, "rest-event-not-found")),
    ],
    ids=["missing", "invalid", "delete", "update"],
)
def test_errors_are_replayed(editor_api, send, error):
    assert error_of(send_again(lambda: send(editor_api))) == error


def test_error_is_replayed_after_its_cause_has_gone(editor_api):
    tag = TagFactory(name="Jazz")

    def send():
        return editor_api.post(f"{API}/tags", {"name": "Jazz"}, headers=KEY)

    assert error_of(send()) == (400, "term_exists")
    tag.delete()
    assert error_of(send()) == (400, "term_exists")


def test_failed_precondition_is_replayed_to_the_same_request_only(editor_api):
    path = f"{EVENTS}/{EventFactory().pk}"

    def send(etag):
        return editor_api.patch(path, {"title": "New"}, headers={**KEY, "If-Match": etag})

    assert error_of(send_again(lambda: send('"old"'))) == (412, "rest_precondition_failed")
    assert error_of(send(editor_api.get(path)["ETag"])) == (422, "rest_idempotency_key_reused")


def test_server_error_is_not_kept(editor_api, create_event, caplog):
    def fail(**kwargs):
        raise RuntimeError

    post_save.connect(fail, sender=Event)
    try:
        assert error_of(create_event()) == (500, "rest_internal_error")
    finally:
        post_save.disconnect(fail, sender=Event)

    assert create_event().status_code == 201
    assert Event.objects.count() == 1


def test_throttled_request_is_not_kept(create_event, settings, empty_cache):
    settings.THROTTLE_USER = "1/min"
    created_record(create_event())
    IdempotentRequest.objects.all().delete()

    assert error_of(create_event()) == (429, "rest_too_many_requests")
    assert not IdempotentRequest.objects.exists()


def test_requests_without_permission_are_not_kept(client, subscriber_api):
    data = event_data()

    assert error_of(client.post(EVENTS, data, "application/json", headers=KEY)) == (401, "rest_forbidden")
    assert error_of(subscriber_api.post(EVENTS, data, headers=KEY)) == (403, "rest_forbidden")
    assert not IdempotentRequest.objects.exists()


@pytest.mark.parametrize("key", ["", "x" * 256, "é", "a\tb", "\x7f"])
def test_invalid_key_is_an_error(editor_api, key):
    response = editor_api.post(EVENTS, event_data(), headers={"Idempotency-Key": key})

    assert error_of(response) == (400, "rest_invalid_idempotency_key")
    assert not Event.objects.exists()


@pytest.mark.parametrize("key", ["x", "x" * 255, '"8e03978e-40d5-43dd-bc93-6894a57f9324"', "a key: ~!"])
def test_printable_keys_are_valid(editor_api, key):
    send_again(lambda: editor_api.post(EVENTS, event_data(), headers={"Idempotency-Key": key}))


# --- Other data


@pytest.mark.parametrize(
    "other",
    [
        lambda api: api.post(EVENTS, event_data(title="Other"), headers=KEY),
        lambda api: api.post(f"{EVENTS}?_fields=id", event_data(), headers=KEY),
        lambda api: api.post(EVENTS, headers=KEY),
    ],
    ids=["body", "query", "no body"],
)
def test_key_with_other_data_is_an_error(editor_api, create_event, other):
    created_record(create_event())

    assert error_of(other(editor_api)) == (422, "rest_idempotency_key_reused")
    assert Event.objects.count() == 1


def test_same_data_in_another_format_is_the_same(editor_api):
    first = editor_api.post(f"{API}/tags", '{"name": "Jazz", "slug": "j"}', headers=KEY)
    spaced = editor_api.post(f"{API}/tags", '{ "slug": "j",\n "name": "Jazz" }', headers=KEY)
    form = editor_api.post(f"{API}/tags", "name=Jazz&slug=j", "application/x-www-form-urlencoded", headers=KEY)

    assert created_record(first) == created_record(spaced) == created_record(form)


def post_event_form(client, boundary, image, name="a.png"):
    """Create an event with a file, in a form as a client with this boundary sends it."""
    parts = [f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
             for key, value in event_data().items()]  # fmt: skip
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="image"; filename="{name}"\r\n'
    body = b"".join(parts) + head.encode() + b"Content-Type: image/png\r\n\r\n" + image
    body += f"\r\n--{boundary}--\r\n".encode()
    return client.generic("POST", EVENTS, body, f"multipart/form-data; boundary={boundary}", headers=KEY)


def test_form_is_the_same_with_another_boundary(editor_api, media_folder):
    image = plain_image()
    first, again = post_event_form(editor_api, "one", image), post_event_form(editor_api, "two", image)

    assert created_record(again) == created_record(first)
    assert created_record(first)["image"]["width"] == 40
    assert (Event.objects.count(), Image.objects.count()) == (1, 1)


def test_other_file_is_other_data(editor_api, media_folder):
    created_record(post_event_form(editor_api, "one", plain_image()))

    other_bytes = post_event_form(editor_api, "one", plain_image() + b" ")
    other_name = post_event_form(editor_api, "one", plain_image(), "b.png")

    assert [error_of(response)[0] for response in (other_bytes, other_name)] == [422, 422]


# --- Time


def at_rest(**fields):
    """Change the stored request, as time or a killed process would."""
    assert IdempotentRequest.objects.update(**fields) == 1


def test_running_request_is_not_repeated(create_event):
    create_event()
    at_rest(status=None)

    refused = create_event()

    assert error_of(refused) == (409, "rest_idempotency_key_in_use")
    assert refused["Retry-After"] == "2"
    assert Event.objects.count() == 1


def test_request_of_a_killed_process_is_repeated_after_its_lease(create_event):
    """Nothing was committed, because the response would have been."""
    create_event()
    Event.objects.all().delete()
    at_rest(status=None, lease_ends_at=timezone.now())

    created_record(send_again(create_event))

    assert Event.objects.count() == 1


def test_lease_is_longer_than_a_request(create_event):
    create_event()

    row = IdempotentRequest.objects.get()
    assert row.lease_ends_at - row.created_at == timedelta(seconds=60 + 3 * settings.WRITE_WAIT_SECONDS)


def test_write_is_rolled_back_if_another_request_has_taken_over(create_event):
    """The process was so slow that its lease ended."""

    def take_over(**kwargs):
        at_rest(lease_ends_at=timezone.now() + timedelta(hours=1))

    post_save.connect(take_over, sender=Event)
    try:
        response = create_event()
    finally:
        post_save.disconnect(take_over, sender=Event)

    assert error_of(response) == (409, "rest_idempotency_key_in_use")
    assert not Event.objects.exists()


def test_error_is_not_stored_if_another_request_has_taken_over(create_event):
    def take_over_at_once(execute, sql, *arguments):
        result = execute(sql, *arguments)
        if sql.startswith("INSERT") and IdempotentRequest._meta.db_table in sql:
            at_rest(lease_ends_at=timezone.now() + timedelta(hours=1))
        return result

    with connection.execute_wrapper(take_over_at_once):
        response = create_event(title="")

    assert error_of(response) == (409, "rest_idempotency_key_in_use")
    assert IdempotentRequest.objects.get().status is None


@pytest.mark.parametrize(("hours", "count"), [(23.9, 1), (24.1, 2)])
def test_response_is_replayed_for_a_day(create_event, time_machine, hours, count):
    time_machine.move_to(NOW, tick=False)
    create_event()
    time_machine.move_to(NOW + timedelta(hours=hours), tick=False)

    created_record(create_event())

    assert Event.objects.count() == count
    assert IdempotentRequest.objects.count() == 1


def expire(count):
    long_ago = timezone.now() - timedelta(hours=25)
    IdempotentRequest.objects.bulk_create(
        IdempotentRequest(
            digest=str(number), fingerprint="", created_at=long_ago, lease_ends_at=long_ago, status=200, body="{}"
        )
        for number in range(count)
    )


def test_new_key_deletes_some_expired_responses(create_event):
    expire(PRUNE_BATCH + 5)

    create_event()

    assert IdempotentRequest.objects.count() == 5 + 1


def test_daily_task_deletes_all_expired_responses(create_event):
    create_event()
    expire(2 * PRUNE_BATCH + 1)

    delete_expired_responses.call()

    assert delete_expired_responses in daily_tasks()
    assert IdempotentRequest.objects.count() == 1


# --- What is stored


def test_secrets_are_not_stored(editor_api):
    CustomFieldFactory(resource="event", name="note")
    send_again(lambda: editor_api.post(EVENTS, event_data(password="the secret"), headers=KEY))

    (row,) = IdempotentRequest.objects.values()
    assert "the secret" not in str(row)
    assert KEY["Idempotency-Key"] not in str(row)


def test_large_response_is_replayed_with_its_id_only(create_event, monkeypatch):
    monkeypatch.setattr(idempotency, "MAX_BODY_LENGTH", 1000)
    first = create_event()

    again = create_event()

    assert again.json() == {"id": first.json()["id"]}
    assert (again.status_code, again["Location"], again["ETag"]) == (201, first["Location"], first["ETag"])


def test_query_count(editor_api, create_event, django_assert_num_queries):
    path = f"{API}/tags/{TagFactory().pk}"
    editor_api.patch(path, {"description": "0"})

    # PostgreSQL asks for the write lock.
    lock = 1 if connection.vendor == "postgresql" else 0
    with django_assert_num_queries(13 + lock):
        updated_record(editor_api.patch(path, {"description": "1"}))
    with django_assert_num_queries(23 + 2 * lock):
        updated_record(editor_api.patch(path, {"description": "2"}, headers=KEY))
    with django_assert_num_queries(3):
        updated_record(editor_api.patch(path, {"description": "2"}, headers=KEY))
