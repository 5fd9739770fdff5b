"""The log: every line names its request, and none contains a secret."""

import io
import json
import logging
import re
import time

import pytest
from django.conf import settings as site_settings
from django.test import Client

from calendar_site.core.observability import metrics
from calendar_site.core.observability.log_formats import FaultFilter, JSONFormatter, TextFormatter
from calendar_site.core.observability.repeated_faults import RepeatedFault
from calendar_site.serving.wsgi_bodies import normalize_bodies
from tests.factories import EventFactory
from tests.support.api_client import API
from tests.support.api_writes import event_data
from tests.support.routes import named_routes

pytestmark = pytest.mark.django_db

CANARY = "canary-q7w3e9"
REQUEST_ID = re.compile(r"[0-9a-f]{32}")


@pytest.fixture
def read_log(settings):
    """Return a function that returns the log so far, in a format; everything is logged, down to DEBUG."""
    settings.ACCESS_LOG = True
    outputs = {"text": io.StringIO(), "json": io.StringIO()}
    handlers = [logging.StreamHandler(output) for output in outputs.values()]
    for handler, formatter in zip(handlers, (TextFormatter(), JSONFormatter()), strict=True):
        handler.setFormatter(formatter)
        logging.getLogger().addHandler(handler)
    ours = [logging.getLogger(name) for name in ("calendar_site", "events", "venues", "organizers", "taxonomy")]
    for logger in ours:
        logger.setLevel(logging.DEBUG)
    yield lambda name: outputs[name].getvalue().splitlines()
    for logger in ours:
        logger.setLevel(logging.NOTSET)
    for handler in handlers:
        logging.getLogger().removeHandler(handler)


@pytest.mark.parametrize(
    ("proxies", "sent", "is_accepted"),
    [
        (1, "0af76519-16cd.43dd_8448", True),
        (1, "x" * 64, True),
        (0, "0af76519-16cd.43dd_8448", False),
        (1, "short", False),
        (1, "x" * 65, False),
        (1, "line\nbreak-0000", False),
        (1, "spaces are not ids", False),
    ],
)
def test_request_id_of_a_proxy_is_accepted_if_it_is_valid(client, settings, proxies, sent, is_accepted):
    settings.PROXY_COUNT = proxies

    request_id = client.get(f"{API}/events", headers={"X-Request-ID": sent})["X-Request-ID"]

    assert (request_id == sent) is is_accepted
    assert is_accepted or REQUEST_ID.fullmatch(request_id)


@pytest.mark.parametrize("path", [f"{API}/events", f"{API}/none", "/", "/none", "/admin/login/", "/static/none.css"])
def test_every_response_has_an_id_of_its_own(client, path):
    ids = {client.get(path)["X-Request-ID"] for _ in range(2)}

    assert len(ids) == 2
    assert all(REQUEST_ID.fullmatch(request_id) for request_id in ids)


def test_access_log_names_status_duration_user_and_client(client, editor, editor_api, read_log):
    response = editor_api.get(f"{API}/events?search=jazz")

    (line,) = read_log("text")
    assert re.fullmatch(
        rf"\S+ \S+ INFO calendar_site\.access \[{response['X-Request-ID']}\] "
        rf"GET {API}/events 200 [\d.]+ ms user={editor.pk} client=127\.0\.0\.1",
        line,
    )
    (fields,) = map(json.loads, read_log("json"))
    assert fields.pop("time").endswith("+00:00")
    assert fields.pop("duration_ms") > 0
    assert fields.pop("message").startswith(f"GET {API}/events 200 ")
    assert fields == {
        "level": "INFO",
        "logger": "calendar_site.access",
        "request_id": response["X-Request-ID"],
        "method": "GET",
        "path": f"{API}/events",
        "status": 200,
        "user_id": editor.pk,
        "client_address": "127.0.0.1",
    }


def test_error_names_its_request(editor, editor_api, read_log, monkeypatch):
    def fail(*_args, **_kwargs):
        raise RuntimeError("broken")

    monkeypatch.setattr("events.views.EventViewSet.get_queryset", fail)
    response = editor_api.get(f"{API}/events/1")

    error = next(fields for fields in map(json.loads, read_log("json")) if fields["level"] == "ERROR")
    assert "RuntimeError: broken" in error.pop("traceback")
    del error["time"]
    assert error == {
        "level": "ERROR",
        "logger": "calendar_site.api.error_responses",
        "message": "Internal error: RuntimeError",
        "request_id": response.json()["data"]["request_id"],
        "method": "GET",
        "path": f"{API}/events/1",
        "user_id": editor.pk,
        "client_address": "127.0.0.1",
    }
    line = next(line for line in read_log("text") if " ERROR calendar_site" in line)
    assert line.endswith(
        f"Internal error: RuntimeError method=GET path={API}/events/1 user_id={editor.pk} client_address=127.0.0.1"
    )


@pytest.mark.parametrize(
    ("path", "broken"),
    [("/", "events.querysets.EventQuerySet.listed"), ("/admin/", "django.contrib.admin.AdminSite.each_context")],
)
def test_error_pages_name_their_request(editor, path, broken, monkeypatch):
    def fail(*_args, **_kwargs):
        raise RuntimeError("broken")

    monkeypatch.setattr(broken, fail)
    browser = Client(raise_request_exception=False)
    browser.force_login(editor)
    response = browser.get(path)

    assert response.status_code == 500
    assert REQUEST_ID.fullmatch(response["X-Request-ID"])
    assert response["X-Request-ID"] in response.content.decode()


def test_requests_that_do_not_reach_django_are_logged(read_log, settings):
    def raise_lookup_error(environ, start_response):
        raise LookupError("unknown encoding: none")

    settings.METRICS_TOKEN = "t"
    before = metrics.requests.labels("none", "POST", 400)._value.get()
    headers = {}

    def start_response(status, fields):
        headers.update(fields)

    (body,) = normalize_bodies(raise_lookup_error)({"REQUEST_METHOD": "POST", "PATH_INFO": "/x"}, start_response)

    assert json.loads(body)["code"] == "rest_invalid_body"
    (line,) = read_log("text")
    assert line.endswith(f"calendar_site.access [{headers['X-Request-ID']}] POST /x 400 0 ms user=- client=-")
    assert metrics.requests.labels("none", "POST", 400)._value.get() == before + 1


def test_refused_requests_are_no_faults():
    configured = site_settings.LOGGING["loggers"]
    assert configured["django.request"] == configured["django.security.DisallowedHost"] == {"filters": ["faults"]}

    def is_logged(status, exc_info):
        record = logging.makeLogRecord({"status_code": status, "exc_info": exc_info})
        return FaultFilter().filter(record)

    failure = (RuntimeError, RuntimeError(), None)
    assert [is_logged(404, None), is_logged(403, failure), is_logged(503, failure), is_logged(500, None)] == [False] * 4
    assert is_logged(500, failure)


def test_repeated_fault_is_logged_once_with_the_number_of_repetitions(caplog):
    fault = RepeatedFault("Gone", interval=0.05)
    for _ in range(3):
        fault.log(RuntimeError("first line\nsecond line"))
    time.sleep(0.06)
    fault.log(RuntimeError("again"))

    assert [record.getMessage() for record in caplog.records] == [
        "Gone: first line",
        "Gone: again (2 more requests since the last message)",
    ]


def test_no_secret_is_logged(client, editor, editor_api, read_log):
    """Canary values go through everything that accepts a secret or personal data, also where the request fails."""
    event = EventFactory(password="right")
    browser = Client(raise_request_exception=False)
    browser.force_login(editor)
    secrets_sent = {"username": CANARY, "password": CANARY, "code": CANARY, "csrfmiddlewaretoken": CANARY}
    personal = {"email": f"{CANARY}@example.org", "phone": CANARY}
    headers = [
        {"Authorization": f"Bearer {CANARY}"},
        {"Authorization": f"Basic {CANARY}"},
        {"Authorization": CANARY},
        {"Cookie": f"sessionid={CANARY}; csrftoken={CANARY}"},
        {"X-WP-Nonce": CANARY},
        {"X-CSRFToken": CANARY},
    ]
    paths = {route.path for route in named_routes(slug=event.slug, id=event.pk, token=CANARY)}
    for path in sorted({*paths, "/admin/", "/none"}):
        for header in headers:
            client.get(path, headers=header)
            client.post(path, secrets_sent, headers=header)
        client.get(path, {**secrets_sent, **personal})
        client.delete(path)
    client.get(f"{API}/events/{event.pk}", {"password": CANARY})
    client.get(f"/preview/{CANARY}/")
    client.post(f"/event/{event.slug}/", {"password": CANARY})
    client.post("/admin/login/", secrets_sent)
    client.post("/admin/login/code/", secrets_sent)
    browser.post("/admin/password_change/", {"old_password": CANARY, "new_password1": CANARY, "new_password2": CANARY})
    browser.post("/admin/account/second-factor/", secrets_sent)
    editor_api.post(f"{API}/events", {**event_data(), "password": CANARY, "organizer": {"organizer": "A", **personal}})
    editor_api.post(f"{API}/organizers", {"organizer": "B", **personal})
    editor_api.post(f"{API}/venues", {"venue": "B", "website": f"https://user:{CANARY}@example.org/"})
    logging.getLogger("calendar_site").error("Cannot reach redis://user:%s@host and %s@example.org", CANARY, CANARY)

    assert read_log("text")
    assert [line for name in ("text", "json") for line in read_log(name) if CANARY in line] == []
