"""Stored responses: what is stored, for whom, and what ends it."""

from __future__ import annotations

import gzip
import re
import threading
import time
from datetime import UTC, datetime, timedelta

import brotli
import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from prometheus_client import REGISTRY
from redis import Redis

from calendar_site.core.choices import Status
from calendar_site.derived.content_version import forget_version, rebuild_version
from calendar_site.response_cache.in_progress import ResponsesInProgress
from events.models import Event, Series
from events.views import EventViewSet
from tests.factories import EventFactory, SeriesFactory, TagFactory, VenueFactory
from tests.support import limits
from tests.support.api_client import API
from tests.support.concurrency import call_at_once

EVENTS = f"{API}/events"

# Nothing is stored inside of a transaction.
pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)


@pytest.fixture(autouse=True)
def _stored_responses(settings):
    settings.RESPONSE_CACHE_MB = 1


def get(client, path=EVENTS, method="get", **kwargs):
    """Return the response, and whether it was stored."""
    before = count_hits()
    response = getattr(client, method)(path, **kwargs)
    return response, count_hits() > before


def count_hits():
    return REGISTRY.get_sample_value("calendar_response_cache_total", {"result": "hit"}) or 0


def is_stored(client, path=EVENTS, **kwargs):
    return get(client, path, **kwargs)[1]


# Far from midnight, because midnight ends stored responses too.
NOON = datetime(2030, 5, 15, 12, tzinfo=UTC)


def content_headers(response):
    return {name: value for name, value in response.items() if name != "X-Request-ID"}


# --- What is stored


@pytest.mark.parametrize(
    "path",
    [
        EVENTS,
        f"{EVENTS}?start_date=2020-01-01&per_page=5",
        f"{EVENTS}?starts_after=tomorrow",
        f"{EVENTS}?search=lantern",
        f"{EVENTS}/{{event}}",
        f"{API}/venues",
        f"{API}/venues?only_with_upcoming=true",
        f"{API}/venues/{{venue}}",
        f"{API}/tags",
        f"{API}/categories",
        API,
        "/",
        "/de/",
        "/event/lantern-night/",
        "/venue/harbour/",
    ],
)
def test_second_response_is_the_stored_first_one(client, path):
    venue = VenueFactory(title="Harbour")
    event = EventFactory(title="Lantern night", venues=[venue])
    path = path.format(event=event.pk, venue=venue.pk)

    first, was_stored = get(client, path)
    second, is_stored_now = get(client, path)

    assert (first.status_code, was_stored, is_stored_now) == (200, False, True)
    assert second.content == first.content
    assert content_headers(second) == content_headers(first)
    assert {"ETag", "Last-Modified", "Cache-Control"} <= set(content_headers(second))
    assert second["X-Request-ID"] != first["X-Request-ID"]


@pytest.mark.parametrize(
    "path",
    [f"{EVENTS}?start_date=%2B1+hour", f"{EVENTS}?strict_dates=true", f"{EVENTS}/0", f"{EVENTS}?page=9", f"{API}/doc"],
)
def test_errors_and_responses_of_the_exact_time_are_not_stored(client, path):
    client.get(path)

    assert not is_stored(client, path)


def test_nothing_is_stored_without_memory(settings):
    settings.RESPONSE_CACHE_MB = 0
    client = Client()
    client.get(EVENTS)

    assert not is_stored(client)


def test_large_responses_are_not_stored(client):
    event = EventFactory()
    Event.objects.filter(pk=event.pk).update(description="x" * 200_000)
    client.get(EVENTS)

    assert not is_stored(client)


def test_least_recently_used_responses_make_room(client):
    event = EventFactory()
    Event.objects.filter(pk=event.pk).update(description="x" * 100_000)
    paths = [f"{EVENTS}?per_page={number}" for number in range(1, 15)]
    for path in paths:
        client.get(path)

    assert [is_stored(client, path) for path in (paths[0], paths[-1])] == [False, True]


# --- Whose responses are shared


def test_differing_requests_do_not_share_responses(client):
    EventFactory(description="Long " * 100)
    variants = [
        {},
        {"headers": {"Host": "localhost"}},
        {"headers": {"Accept-Language": "de"}},
        {"headers": {"Accept-Encoding": "br"}},
        {"headers": {"Accept-Encoding": "gzip"}},
        {"headers": {"Origin": "https://example.org"}},
        {"secure": True},
        {"path": f"{EVENTS}?page=1"},
        {"path": f"/de{EVENTS}"},
        {"method": "head"},
    ]

    assert [is_stored(client, **variant) for variant in variants] == [False] * len(variants)
    assert [is_stored(client, **variant) for variant in variants] == [True] * len(variants)


@pytest.mark.parametrize(
    "variant",
    [
        {"headers": {"Cookie": "theme=dark"}},
        {"headers": {"Authorization": "Bearer none"}},
        {"headers": {"X-Event-Password": "none"}},
        {"headers": {"If-Match": '"none"'}},
        {"headers": {"Origin": "https://[example"}},
        {"path": f"{EVENTS}?password=none"},
        {"path": f"{EVENTS}?%70assword=none"},
    ],
)
def test_private_requests_neither_get_nor_store_responses(client, variant):
    client.get(EVENTS)
    get(client, **variant)

    assert not is_stored(client, **variant)
    assert is_stored(client)


def test_users_and_strangers_get_their_own_responses(client, editor_api, editor_browser):
    hidden = EventFactory(status=Status.DRAFT, slug="hidden")

    assert editor_api.get(f"{EVENTS}/{hidden.pk}").status_code == 200
    assert editor_browser.get("/event/hidden/").status_code == 200
    assert client.get(f"{EVENTS}/{hidden.pk}").status_code == 403
    assert client.get("/event/hidden/").status_code == 404
    assert client.get(EVENTS).json()["total"] == 0
    assert editor_api.get(EVENTS).json()["total"] == 1
    assert client.get(EVENTS).json()["total"] == 0


def test_password_opens_an_event_for_one_request(client):
    event = EventFactory(description="Secret")
    Event.objects.filter(pk=event.pk).update(password="letmein")
    path = f"{EVENTS}/{event.pk}"

    assert client.get(path).status_code == 403
    assert client.get(f"{path}?password=letmein").status_code == 200
    assert client.get(path, headers={"X-Event-Password": "letmein"}).status_code == 200
    assert client.get(path).status_code == 403
    assert "no-store" in client.get(f"{path}?password=letmein")["Cache-Control"]


def test_pages_that_set_a_cookie_are_not_stored():
    event = EventFactory(slug="closed")
    Event.objects.filter(pk=event.pk).update(password="letmein")
    # A client of its own for each request, because it returns the cookie.
    first, second = Client().get("/event/closed/"), Client().get("/event/closed/")

    assert first.cookies["csrftoken"].value != second.cookies["csrftoken"].value


@pytest.mark.parametrize("store", ["database", "redis"])
def test_rate_limit_counts_stored_responses(settings, store, empty_cache):
    settings.THROTTLE_ANONYMOUS = "3/min"
    with limits.shared_store(store, settings):
        client = Client()
        responses = [client.get(EVENTS) for _number in range(5)]
        other = client.get(EVENTS, REMOTE_ADDR="192.0.2.1")

    assert [response.status_code for response in responses] == [200, 200, 200, 429, 429]
    assert [response["RateLimit-Remaining"] for response in (*responses[:4], other)] == ["2", "1", "0", "0", "2"]


# --- Redis


def test_processes_share_responses_in_redis(settings):
    EventFactory()
    with limits.shared_store("redis", settings):
        # Each client has the stores of a process.
        first, second = Client(), Client()
        known = first.get(EVENTS)
        response, was_stored = get(second)

    assert was_stored
    assert (response.content, content_headers(response)) == (known.content, content_headers(known))


def test_what_redis_contains_is_checked(settings):
    EventFactory()
    with limits.shared_store("redis", settings):
        known = Client().get(EVENTS)
        redis = Redis.from_url(settings.REDIS_URL)
        for name in redis.scan_iter("responses:*"):
            redis.set(name, b"something else", px=10_000)
        response, was_stored = get(Client())

    assert (response.content, was_stored) == (known.content, False)


def test_without_redis_each_process_stores_its_responses(settings, caplog):
    with limits.shared_store("unreachable redis", settings):
        client = Client()
        assert [client.get(EVENTS).status_code for _number in range(3)] == [200, 200, 200]
        assert is_stored(client)

    (message,) = caplog.messages
    assert message.startswith("Responses are not shared for 10 s, because Redis does not respond: ")


# --- What ends them


def test_every_write_is_seen_at_once(client, editor_api, administrator_browser):
    event = EventFactory(title="One")

    def titles():
        client.get(EVENTS)
        response, was_stored = get(client)
        assert was_stored
        return [record["title"] for record in response.json()["events"]]

    def execute(sql):
        with connection.cursor() as cursor:
            cursor.execute(sql)

    assert titles() == ["One"]
    editor_api.post(f"{EVENTS}/{event.pk}", {"title": "Two"})
    assert titles() == ["Two"]
    Event.objects.update(title="Three")
    assert titles() == ["Three"]
    execute("UPDATE events_event SET title = 'Four'")
    assert titles() == ["Four"]
    with transaction.atomic():
        execute("UPDATE events_event SET title = 'Five'")
        transaction.set_rollback(True)
    assert titles() == ["Four"]
    call_command("rebuild_derived", verbosity=0)
    assert titles() == ["Four"]
    execute("UPDATE events_event SET status = 'trash'")
    assert titles() == []


def test_feed_is_stored_until_a_write(client):
    event = EventFactory(title="Lantern night")
    path = "/events/?ical=1"

    def title():
        response, was_stored = get(client, path)
        return re.findall(r"^SUMMARY:(.+?)\r?$", response.content.decode(), re.MULTILINE), was_stored

    before = [title(), title()]
    Event.objects.filter(pk=event.pk).update(title="Lantern day")

    assert before == [(["Lantern night"], False), (["Lantern night"], True)]
    assert [title(), title()] == [(["Lantern day"], False), (["Lantern day"], True)]


def test_writes_of_other_connections_are_seen_at_once(client):
    event = EventFactory(title="One")
    client.get(EVENTS)

    call_at_once(lambda: Event.objects.filter(pk=event.pk).update(title="Two"))

    assert client.get(EVENTS).json()["events"][0]["title"] == "Two"


def test_response_that_was_read_before_a_write_is_not_stored_after_it(client, monkeypatch):
    event = EventFactory(title="One")
    finalize_response = EventViewSet.finalize_response

    def write_in_between(*args, **kwargs):
        call_at_once(lambda: Event.objects.filter(pk=event.pk).update(title="Two"))
        return finalize_response(*args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(EventViewSet, "finalize_response", write_in_between)
        assert client.get(EVENTS).json()["events"][0]["title"] == "One"

    assert client.get(EVENTS).json()["events"][0]["title"] == "Two"


# --- Several requests at the same time


@pytest.fixture
def made(monkeypatch):
    """Return the list of requests for which the service has made a list of events, which takes 0.5 s.

    `made.begun` is set when the service makes the first one.
    """
    make, made = EventViewSet.list, Made()

    def slow(self, request, **path):
        made.append(request.get_full_path())
        made.begun.set()
        time.sleep(0.5)
        return make(self, request, **path)

    monkeypatch.setattr(EventViewSet, "list", slow)
    return made


class Made(list):
    def __init__(self):
        super().__init__()
        self.begun = threading.Event()


def test_requests_at_the_same_time_share_a_response(client, made):
    EventFactory(title="One")
    hits = count_hits()

    responses = call_at_once(*[lambda: client.get(EVENTS)] * 4)

    assert len(made) == 1
    assert count_hits() == hits + 3
    assert {response.content for response in responses} == {client.get(EVENTS).content}
    assert [event["title"] for event in responses[0].json()["events"]] == ["One"]


def test_requests_for_responses_that_are_not_stored_wait_once(client, monkeypatch):
    make, made = EventViewSet.list, []
    # Passed only by three requests at the same time.
    others = threading.Barrier(3, timeout=30)

    def meet(self, request, **path):
        made.append(request.get_full_path())
        if len(made) > 1:
            others.wait()
        return make(self, request, **path)

    monkeypatch.setattr(EventViewSet, "list", meet)

    responses = call_at_once(*[lambda: client.get(f"{EVENTS}?page=99")] * 4)

    assert [response.status_code for response in responses] == [404] * 4
    assert len(made) == 4


def test_request_after_a_write_does_not_wait_for_the_response_before_it(client, made):
    event = EventFactory(title="One")

    def write_and_read():
        assert made.begun.wait(30)
        Event.objects.filter(pk=event.pk).update(title="Two")
        return client.get(EVENTS)

    _before, after = call_at_once(lambda: client.get(EVENTS), write_and_read)

    assert len(made) == 2
    assert after.json()["events"][0]["title"] == "Two"


def test_failed_request_lets_the_others_through(client, monkeypatch):
    monkeypatch.setattr(EventViewSet, "list", lambda *args, **kwargs: 1 / 0)
    failing = Client(raise_request_exception=False)
    assert failing.get(EVENTS).status_code == 500
    monkeypatch.undo()

    begun = []

    def begin(self, key, version):
        begun.append(original(self, key, version))
        return begun[-1]

    original = ResponsesInProgress.begin
    monkeypatch.setattr(ResponsesInProgress, "begin", begin)
    assert client.get(EVENTS).status_code == 200
    # It made the response itself, without waiting for the failed request.
    assert begun == [True]


def test_scheduled_publication_ends_lists(client, time_machine):
    now = NOON
    time_machine.move_to(now, tick=False)
    event = EventFactory()
    VenueFactory()
    Event.objects.filter(pk=event.pk).update(status=Status.FUTURE, published_at=now + timedelta(hours=1))
    client.get(EVENTS)

    time_machine.move_to(now + timedelta(minutes=59), tick=False)
    before, was_stored = get(client)
    time_machine.move_to(now + timedelta(minutes=61), tick=False)
    after, is_stored_still = get(client)

    assert (before.json()["total"], was_stored, after.json()["total"], is_stored_still) == (0, True, 1, False)
    assert is_stored(client)
    assert before["Last-Modified"] < after["Last-Modified"]


@pytest.mark.parametrize("path", ["events", "event"])
def test_moment_from_which_everybody_sees_the_online_url_ends_responses(client, time_machine, path):
    time_machine.move_to("2027-03-10 12:00", tick=False)
    event = EventFactory(
        attendance_mode="online", online_url="https://example.org/", hide_online_url=True,
        start="2027-03-10 15:00", end="2027-03-10 16:00", time_zone="UTC",
    )  # fmt: skip
    path = {"events": EVENTS, "event": f"{EVENTS}/{event.pk}"}[path]

    def shown():
        response, was_stored = get(client, path)
        record = response.json()
        return (record.get("events") or [record])[0]["online_url"], was_stored

    early = [shown(), shown()]
    time_machine.move_to("2027-03-10 13:59:59", tick=False)
    just_before = shown()
    time_machine.move_to("2027-03-10 14:00:00", tick=False)
    late = [shown(), shown()]

    assert [*early, just_before] == [("", False), ("", True), ("", True)]
    assert late == [("https://example.org/", False), ("https://example.org/", True)]


@pytest.mark.parametrize("path", [EVENTS, f"{EVENTS}/{{event}}", f"{API}/series", f"{API}/series/{{series}}"])
def test_publication_of_a_series_ends_responses(client, time_machine, path):
    time_machine.move_to("2027-03-10 12:00", tick=False)
    at_one = datetime(2027, 3, 10, 13, tzinfo=UTC)
    series = SeriesFactory(published_at=at_one, status="future", start="2027-03-15 12:00", end="2027-03-15 13:00")
    Event.objects.filter(series=series).update(status="publish", published_at=at_one - timedelta(days=9))
    path = path.format(event=series.events.first().pk, series=series.pk)

    def shown():
        response, was_stored = get(client, path)
        return f'"rrule":"{series.rrule}"' in response.content.decode(), was_stored

    early = [shown(), shown()]
    time_machine.move_to("2027-03-10 12:59:59", tick=False)
    just_before = shown()
    time_machine.move_to("2027-03-10 13:00:00", tick=False)
    late = [shown(), shown()]

    # A series that nobody may see yet is an error, which is not stored.
    is_error = path.endswith(f"/series/{series.pk}")
    assert [*early, just_before] == [(False, False), (False, not is_error), (False, not is_error)]
    assert late == [(True, False), (True, True)]


def test_change_of_a_series_ends_lists_of_its_events(client, time_machine):
    time_machine.move_to("2027-03-10 12:00", tick=False)
    SeriesFactory(rrule="FREQ=DAILY;COUNT=2", start="2027-03-15 12:00", end="2027-03-15 13:00")

    def rules():
        response, was_stored = get(client)
        return {event["series"]["rrule"] for event in response.json()["events"]}, was_stored

    before = [rules(), rules()]
    Series.objects.update(rrule="FREQ=DAILY;COUNT=9")

    assert before == [({"FREQ=DAILY;COUNT=2"}, False), ({"FREQ=DAILY;COUNT=2"}, True)]
    assert rules() == ({"FREQ=DAILY;COUNT=9"}, False)


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize(
    ("query", "queries"),
    [
        # The content version before and after, and the venues.
        ("", 3),
        # And the unsettled events.
        ("only_with_upcoming=1", 4),
    ],
)
def test_each_kind_of_moments_takes_one_query(client, django_assert_num_queries, query, queries, count):
    # A publication between the last change and the request would be one more moment to look up.
    past = {"published_at": datetime(2020, 1, 1, tzinfo=UTC)}
    VenueFactory.create_batch(count, status=Status.FUTURE, published_at=NOON)
    for _ in range(count):
        EventFactory(start="2040-06-01 18:00", end="2040-06-01 20:00", venues=[VenueFactory(**past)], **past)

    with django_assert_num_queries(queries + (2 if query else 1)):
        assert client.get(f"{API}/venues?{query}")["X-TEC-Total"] == str(count)
    # The next moments are known until the content changes.
    with django_assert_num_queries(queries):
        client.get(f"{API}/venues?{query}&per_page=5")
    with django_assert_num_queries(1):
        client.get(f"{API}/venues?{query}")


def test_midnight_of_the_site_ends_lists(client, time_machine, settings):
    settings.SITE_TIME_ZONE = "Europe/Rome"
    # In Rome, 22:30 or 23:30.
    time_machine.move_to(NOON + timedelta(hours=9, minutes=30), tick=False)
    EventFactory()
    client.get(EVENTS)
    assert is_stored(client)

    time_machine.shift(timedelta(hours=2))

    assert not is_stored(client)


def test_end_of_an_event_ends_pages(client, time_machine):
    now = NOON
    event = EventFactory(title="Brief")
    Event.objects.filter(pk=event.pk).update(
        start=now, end=now + timedelta(minutes=5), start_local=f"{now:%Y-%m-%d %H:%M:%S}"
    )
    time_machine.move_to(now + timedelta(minutes=1), tick=False)
    client.get("/")
    assert is_stored(client, "/")
    assert "Brief" in client.get("/").content.decode()

    time_machine.move_to(now + timedelta(minutes=6), tick=False)

    assert "Brief" not in client.get("/").content.decode()


def test_clock_that_goes_back_ends_responses(client, time_machine):
    time_machine.move_to(NOON, tick=False)
    client.get(EVENTS)

    time_machine.shift(timedelta(seconds=-1))

    assert not is_stored(client)


def test_without_a_version_nothing_is_stored(client):
    client.get(EVENTS)
    forget_version(plan=["a migration"])
    try:
        assert client.get(EVENTS).status_code == 200
        assert not is_stored(client)
    finally:
        rebuild_version()


# --- Conditional requests


@pytest.mark.parametrize("path", [EVENTS, f"{EVENTS}/{{event}}", "/"])
@pytest.mark.parametrize("accepted", ["", "br"])
def test_client_that_has_the_response_gets_a_304(client, path, accepted):
    path = path.format(event=EventFactory(description="Long " * 100).pk)
    headers = {"Accept-Encoding": accepted}
    known = client.get(path, headers=headers)
    headers["If-None-Match"] = known["ETag"]

    stored, was_stored = get(client, path, headers=headers)
    TagFactory()
    fresh, was_stored_again = get(client, path, headers=headers)

    assert (stored.status_code, stored.content, was_stored) == (304, b"", True)
    assert (fresh.status_code, fresh.content, was_stored_again) == (304, b"", False)
    for response in (stored, fresh):
        assert "Content-Type" not in response
        assert [response[name] for name in ("ETag", "Cache-Control", "Vary")] == [
            known[name] for name in ("ETag", "Cache-Control", "Vary")
        ]
    assert known["ETag"].startswith("W/") == bool(accepted)


def test_client_with_another_response_gets_this_one(client):
    old = client.get(EVENTS)["ETag"]
    EventFactory()

    response = client.get(EVENTS, headers={"If-None-Match": old})

    assert (response.status_code, response.json()["total"]) == (200, 1)


def test_etag_stays_if_a_write_does_not_change_the_list(client):
    EventFactory()
    before = client.get(EVENTS)
    TagFactory()

    assert client.get(EVENTS)["ETag"] == before["ETag"]


def test_shared_caches_ask_each_time_unless_the_settings_allow_more(settings, time_machine):
    time_machine.move_to(NOON)
    client = Client()
    assert client.get(EVENTS)["Cache-Control"] == "no-cache"

    settings.SHARED_CACHE_SECONDS = 30
    client = Client()
    assert [client.get(EVENTS)["Cache-Control"] for _ in range(2)] == ["public, max-age=0, s-maxage=30"] * 2
    assert "Cache-Control" not in client.get(EVENTS, headers={"Cookie": "a=b"})


# --- Compression


@pytest.mark.parametrize(
    ("accepted", "encoding", "decompress"),
    [
        ("br", "br", brotli.decompress),
        ("gzip", "gzip", gzip.decompress),
        ("gzip;q=0", None, bytes),
        ("*", "br", brotli.decompress),
        ("br;q=0, *", "gzip", gzip.decompress),
        ("*;q=0", None, bytes),
    ],
)
def test_stored_responses_are_compressed(client, accepted, encoding, decompress):
    EventFactory(description="Long " * 200)
    plain = client.get(EVENTS)
    client.get(EVENTS, headers={"Accept-Encoding": accepted})

    response, was_stored = get(client, headers={"Accept-Encoding": accepted})

    assert was_stored
    assert response.get("Content-Encoding") == encoding
    assert decompress(response.content) == plain.content
